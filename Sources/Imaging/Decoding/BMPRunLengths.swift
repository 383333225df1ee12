/// Decodes the pixels of a run-length encoded BMP (RLE8, RLE4). Skipped pixels stay transparent.
struct BMPRunLengths {
    private let bytes: [UInt8]
    private let header: BMPHeader
    private var bitmap: Bitmap
    private var at: Int
    private var x = 0
    /// The current row, counted from the bottom.
    private var y = 0

    static func read(_ bytes: [UInt8], _ header: BMPHeader) throws(ImagingError) -> Bitmap {
        var reader = BMPRunLengths(bytes: bytes, header: header)
        try reader.run()
        return reader.bitmap
    }

    private init(bytes: [UInt8], header: BMPHeader) {
        self.bytes = bytes
        self.header = header
        bitmap = Bitmap(width: header.width, height: header.height)
        at = header.offset
    }
}

private extension BMPRunLengths {
    /// Decodes up to the end marker. A file may omit it only if the top row is complete.
    mutating func run() throws(ImagingError) {
        while true {
            if at == bytes.count, y == header.height || y == header.height - 1 && x == header.width { return }
            let count = try next()
            let value = try next()
            if count > 0 {
                for index in 0..<count { try put(half(index, of: value)) }
                continue
            }
            switch value {
            case 0:
                x = 0
                y += 1
            case 1: return
            case 2:
                x += try next()
                y += try next()
            default: try copy(value)
            }
        }
    }

    /// Copies literal pixels, which are padded to an even number of bytes.
    mutating func copy(_ count: Int) throws(ImagingError) {
        let start = at
        if header.compression == .runLength8 {
            for _ in 0..<count { try put(next()) }
        } else {
            var pair = 0
            for index in 0..<count {
                if index % 2 == 0 { pair = try next() }
                try put(half(index, of: pair))
            }
        }
        if (at - start) % 2 == 1 { _ = try next() }
    }

    /// With 4 bits per pixel, the upper half of a byte is the pixel with the even index.
    func half(_ index: Int, of value: Int) -> Int {
        guard header.compression == .runLength4 else { return value }
        return index % 2 == 0 ? value >> 4 : value & 15
    }

    mutating func next() throws(ImagingError) -> Int {
        guard at < bytes.count else { throw BMPReader.corrupt("the file ends early") }
        at += 1
        return Int(bytes[at - 1])
    }

    mutating func put(_ index: Int) throws(ImagingError) {
        guard x < header.width, y < header.height else { throw BMPReader.corrupt("a run extends beyond the picture") }
        bitmap[x, header.height - 1 - y] = header.palette[index]
        x += 1
    }
}
