import Glibc
import Testing
import WaymarkImaging
import WaymarkSystem
import WaymarkTestSupport

@Suite struct PictureStreamTests {
    let folder = ScratchFolder()

    /// Rows of a bitmap.
    static func band(_ rows: Range<Int>, of bitmap: Bitmap) throws -> Bitmap {
        let pixels = Array(bitmap.pixels[rows.lowerBound * bitmap.width * 4..<rows.upperBound * bitmap.width * 4])
        return try #require(Bitmap(width: bitmap.width, height: rows.count, premultipliedPixels: pixels))
    }

    /// Bands of every height, thin and thick, beginning and ending anywhere in a stripe.
    @Test(arguments: Seeds.slow) func bandsMakeTheSameFile(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let isOpaque = random.once(in: 2)
        let (width, height) = random.once(in: 2) ? (900, 1000) : (random.integer(1...40), random.integer(1...40))
        let bitmap = PNGWriterTests.hostile(width: width, height: height, isOpaque: isOpaque, random: &random)
        for format in [ImageFormat.png, .rgba] {
            let whole = try bitmap.encoded(as: format)
            let path = "\(folder.path)/banded.\(format.fileExtension)"
            let stream = try PictureStream(
                to: path, width: width, height: height, isOpaque: bitmap.isOpaque,
                options: EncodingOptions(threadCount: random.integer(1...3)))
            var y = 0
            while y < height {
                let end = min(height, y + random.one(of: [0, 1, 7, 100, 363, 364, 365, 2000]))
                try stream.append(Self.band(y..<end, of: bitmap))
                y = end
                #expect(stream.rowCount == y)
            }
            #expect(folder.names.contains("banded.\(format.fileExtension)") == false)
            try stream.finish()
            #expect(try WholeFile.read(path, as: .file(limit: 1 << 28)) == whole, "seed \(seed)")
        }
        #expect(folder.names == ["banded.png", "banded.rgba"])
    }

    @Test func leavesNothingBehindUnfinished() throws {
        do {
            let stream = try PictureStream(to: "\(folder.path)/a.png", width: 5, height: 4)
            try stream.append(Bitmap(width: 5, height: 3))
            #expect(folder.names.count == 1)
            let error = #expect(throws: ImagingError(.cannotStream("1 row is missing"), path: "\(folder.path)/a.png")) {
                try stream.finish()
            }
            #expect(error?.description == "\(folder.path)/a.png: the picture cannot be written in bands: 1 row is missing")
        }
        #expect(folder.names.isEmpty)
    }

    @Test func refusesBandsThatDoNotFit() throws {
        let path = "\(folder.path)/a.png"
        let stream = try PictureStream(to: path, width: 5, height: 4, isOpaque: true)
        let white = Bitmap(width: 5, height: 2, fill: .white)
        #expect(throws: ImagingError(.cannotStream("the band's width is 6, but the picture's width is 5"), path: path)) {
            try stream.append(Bitmap(width: 6, height: 1, fill: .white))
        }
        #expect(throws: ImagingError(.cannotStream("the band is not opaque, although the picture was declared opaque"), path: path)) {
            try stream.append(Bitmap(width: 5, height: 1))
        }
        try stream.append(white)
        #expect(throws: ImagingError(.cannotStream("the band's height is 3, but the number of missing rows is 2"), path: path)) {
            try stream.append(Bitmap(width: 5, height: 3, fill: .white))
        }
        // These errors have no lasting effect.
        try stream.append(white)
        try stream.finish()
        #expect(try Bitmap(contentsOf: path) == Bitmap(width: 5, height: 4, fill: .white))
        #expect(throws: ImagingError(.cannotStream("the file is already finished, or writing it failed"), path: path)) {
            try stream.append(white)
        }
        #expect(throws: ImagingError(.cannotStream("the file is already finished, or writing it failed"), path: path)) {
            try stream.finish()
        }
    }

    @Test func refusesWhatCannotBeStreamed() {
        let path = "\(folder.path)/a"
        #expect(throws: ImagingError(.cannotStream("JPEG encoding needs the whole picture at once"), path: "\(path).jpg")) {
            try PictureStream(to: "\(path).jpg", width: 5, height: 4)
        }
        #expect(throws: ImagingError(.cannotStream("a palette needs the whole picture at once"), path: "\(path).png")) {
            try PictureStream(to: "\(path).png", width: 5, height: 4, options: EncodingOptions(paletteColors: 16))
        }
        #expect(throws: ImagingError(.unknownExtension, path: path)) { try PictureStream(to: path, width: 5, height: 4) }
        for format in [ImageFormat.png, .rgba] {
            #expect(throws: ImagingError(.cannotEncode(width: 5, height: -4), format: format.name, path: path)) {
                try PictureStream(to: path, width: 5, height: -4, as: format)
            }
        }
        #expect(throws: ImagingError(.cannotWrite, path: "\(path)/b.png", errno: ENOENT)) {
            try PictureStream(to: "\(path)/b.png", width: 5, height: 4)
        }
        #expect(folder.names.isEmpty)
    }

    @Test func theLargestSizesCanBegin() throws {
        let side = Int(Int32.max)
        let stream = try PictureStream(to: "/dev/null", width: side, height: side, as: .png)
        #expect(stream.height == side)
    }

    @Test func aFullDiskEndsIt() throws {
        let noise = EncodingTests.noise(width: 400, height: 400, isOpaque: false)
        let stream = try PictureStream(to: "/dev/full", width: 400, height: 400, as: .rgba)
        #expect(throws: ImagingError(.cannotWrite, path: "/dev/full", errno: ENOSPC)) { try stream.append(noise) }
        #expect(throws: ImagingError(.cannotStream("the file is already finished, or writing it failed"), path: "/dev/full")) {
            try stream.append(noise)
        }
    }

    /// The pipe no longer has a reader. The test runs in a separate process, because ignoring the signal affects a whole process and its children.
    @Test func aClosedPipeEndsIt() async throws {
        let path = "\(folder.path)/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        await #expect(processExitsWith: .success) { [path = path as String] in
            signal(SIGPIPE, SIG_IGN)
            // A pipe opens for writing once somebody reads.
            let reader = open(path, O_RDONLY | O_NONBLOCK)
            let stream = try PictureStream(to: path, width: 400, height: 400, as: .rgba)
            close(reader)
            #expect(throws: ImagingError(.cannotWrite, path: path, errno: EPIPE)) {
                try stream.append(EncodingTests.noise(width: 400, height: 400, isOpaque: false))
            }
        }
        #expect(folder.names == ["pipe"])
    }

    /// Runs in a separate process, because the limit on a file's length affects a whole process.
    @Test func aFileTooLongLeavesNothingBehind() async throws {
        let path = "\(folder.path)/long.png"
        await #expect(processExitsWith: .success) { [path = path as String] in
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let stream = try PictureStream(to: path, width: 400, height: 400)
            #expect(throws: ImagingError(.cannotWrite, path: path, errno: EFBIG)) {
                try stream.append(EncodingTests.noise(width: 400, height: 400, isOpaque: false))
            }
        }
        #expect(folder.names.isEmpty)
    }
}
