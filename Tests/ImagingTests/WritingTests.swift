import Glibc
import Testing
import WaymarkImaging
import WaymarkSystem
import WaymarkTestSupport

@Suite struct WritingTests {
    let folder = ScratchFolder()
    let bitmap = Bitmap(width: 5, height: 4, fill: .green)

    @Test func writesAndReads() throws {
        let path = "\(folder.path)/pin.png"
        try bitmap.write(to: path)
        #expect(folder.names == ["pin.png"])
        #expect(try Bitmap(contentsOf: path) == bitmap)
    }

    @Test(arguments: ["pin.jpg", "pin.jpeg", "pin.webp"])
    func writesTheFormatOfTheExtension(name: String) throws {
        let path = "\(folder.path)/\(name)"
        let options = EncodingOptions(quality: 90, background: .blue)
        try bitmap.write(to: path, options: options)
        let bytes = try WholeFile.read(path, as: .file(limit: 1 << 28))
        #expect(try bytes == bitmap.encoded(as: name == "pin.webp" ? .webp : .jpeg, options: options))
    }

    @Test func replacesWhatIsThere() throws {
        let path = "\(folder.path)/pin.png"
        try Bitmap(width: 90, height: 90, fill: .red).write(to: path)
        try bitmap.write(to: path)
        #expect(try Bitmap(contentsOf: path) == bitmap)
        #expect(folder.names == ["pin.png"])
    }

    @Test func hasThePermissionsOfAnyNewFile() throws {
        close(open("\(folder.path)/other", O_CREAT | O_WRONLY, 0o666))
        try bitmap.write(to: "\(folder.path)/pin.png")
        var expected = stat()
        var actual = stat()
        stat("\(folder.path)/other", &expected)
        stat("\(folder.path)/pin.png", &actual)
        #expect(actual.st_mode == expected.st_mode)
    }

    @Test func leavesNothingBehindWithoutAFolder() {
        let path = "\(folder.path)/missing/pin.png"
        let error = #expect(throws: ImagingError(.cannotWrite, path: path, errno: ENOENT)) { try bitmap.write(to: path) }
        #expect(error?.description == "\(path): cannot write the file: No such file or directory")
        #expect(folder.names.isEmpty)
    }

    /// Here the temporary file is created and written, and only the renaming fails.
    @Test func leavesNothingBehindWhenRenamingFails() {
        let path = "\(folder.path)/\(String(repeating: "x", count: 300)).png"
        #expect(throws: ImagingError(.cannotWrite, path: path, errno: ENAMETOOLONG)) { try bitmap.write(to: path) }
        #expect(folder.names.isEmpty)
    }

    @Test func aNameMayBeAsLongAsNamesCanBe() throws {
        let path = "\(folder.path)/\(String(repeating: "x", count: 251)).png"
        try bitmap.write(to: path)
        #expect(try Bitmap(contentsOf: path) == bitmap)
    }

    @Test func doesNotReplaceAFolder() {
        #expect(throws: ImagingError(.cannotWrite, path: folder.path, errno: EISDIR)) { try bitmap.write(to: folder.path, as: .png) }
        #expect(folder.names.isEmpty)
    }

    @Test func writesIntoDevicesAndThroughLinks() throws {
        try bitmap.write(to: "/dev/null", as: .png)
        var status = stat()
        stat("/dev/null", &status)
        #expect(status.st_mode & S_IFMT == S_IFCHR)
        #expect(throws: ImagingError(.cannotWrite, path: "/dev/full", errno: ENOSPC)) { try bitmap.write(to: "/dev/full", as: .png) }

        let path = "\(folder.path)/pin.png"
        try Bitmap(width: 1, height: 1).write(to: path)
        symlink("pin.png", "\(folder.path)/link.png")
        try bitmap.write(to: "\(folder.path)/link.png")
        #expect(try Bitmap(contentsOf: path) == bitmap)
        lstat("\(folder.path)/link.png", &status)
        #expect(status.st_mode & S_IFMT == S_IFLNK)
    }

    @Test func manyWritersDoNotMeet() async throws {
        let path = "\(folder.path)/pin.png"
        let bitmap = bitmap
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 { group.addTask { try bitmap.write(to: path) } }
            try await group.waitForAll()
        }
        #expect(try Bitmap(contentsOf: path) == bitmap)
        #expect(folder.names == ["pin.png"])
    }

    @Test func refusesUnknownExtensions() {
        let error = #expect(throws: ImagingError(.unknownExtension, path: "a.tiff")) { try bitmap.write(to: "a.tiff") }
        #expect(error?.description == "a.tiff: the file name has no known picture extension (png, jpg, jpeg, webp, rgba)")
    }

    @Test func saysWhyItCannotRead() throws {
        let path = "\(folder.path)/missing.png"
        #expect(throws: ImagingError(.cannotRead, path: path, errno: ENOENT)) { try Bitmap(contentsOf: path) }
        #expect(throws: ImagingError(.cannotRead, path: folder.path, errno: EISDIR)) { try Bitmap(contentsOf: folder.path) }
        #expect(throws: ImagingError(.empty, path: "/dev/null")) { try Bitmap(contentsOf: "/dev/null") }
        let limits = ImageLimits(bytes: 100)
        #expect(throws: ImagingError(.tooLong(limits: limits), path: "/dev/zero")) { try Bitmap(contentsOf: "/dev/zero", limits: limits) }
    }
}
