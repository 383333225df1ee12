import Glibc
import Testing
import WaymarkSystem
import WaymarkTestSupport

@Suite struct OpenFileTests {
    private let folder = ScratchFolder()

    private func pipe() throws -> (reading: OpenFile, writing: OpenFile) {
        var numbers: [CInt] = [0, 0]
        #expect(Glibc.pipe(&numbers) == 0)
        for number in numbers { #expect(fcntl(number, F_SETFL, O_NONBLOCK) == 0) }
        return (OpenFile(adopting: numbers[0]), OpenFile(adopting: numbers[1]))
    }

    @Test func readsAtOffsets() throws {
        let path = try folder.write("0123456789", "digits")
        let file = try OpenFile(path, .read)
        func read(_ count: Int, at offset: Int) throws -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            let read = try bytes.withUnsafeMutableBytes { try file.read(into: $0, at: offset) }
            return Array(bytes[..<read])
        }
        #expect(try read(3, at: 4) == Array("456".utf8))
        #expect(try read(30, at: 8) == Array("89".utf8))
        #expect(try read(1, at: 10) == [])
        #expect(try InputFile(path).readAll(as: .file(limit: 10), path: path) == Array("0123456789".utf8))
    }

    @Test func readsNoMoreThanTheLimit() throws {
        let path = try folder.write("0123456789", "digits")
        let (ten, nine, many) = (InputKind.file(limit: 10), InputKind.file(limit: 9), InputKind.file(limit: 5000))
        #expect(try WholeFile.read(path, as: ten).count == 10)
        #expect(throws: FileError(.tooLarge(nine, limit: 9), path: path)) { try WholeFile.read(path, as: nine) }
        #expect(throws: FileError(.tooLarge(many, limit: 5000), path: "/dev/zero")) { try WholeFile.read("/dev/zero", as: many) }
        #expect(FileError(.tooLarge(nine, limit: 9), path: "a").description == "a: the file is larger than 9 bytes")
        #expect(InputKind.scene.excess(limit: InputKind.scene.limit) == "the scene file is larger than 4 GiB")
        #expect(
            InputKind.scene.excess(limit: InputKind.scene.streamLimit)
                == "the scene file is larger than 512 MiB, the limit for a pipe or a device")
    }

    @Test func reportsTheSystemsMessage() throws {
        let path = "\(folder.path)/missing"
        let error = #expect(throws: FileError.self) { try WholeFile.read(path, as: .file(limit: 1)) }
        #expect(error?.description == "\(path): cannot read the file: No such file or directory")
        #expect(error?.errno == ENOENT)
        #expect(throws: SystemError.isFolder) { try OpenFile(folder.path, .write) }
    }

    @Test func nonBlockingPipesGiveAndTakeWhatTheyCan() throws {
        let (reading, writing) = try pipe()
        #expect(try reading.readAvailable() == nil)
        let block = [UInt8](repeating: 7, count: 1 << 20)
        let taken = try writing.writeAvailable(block[...])
        #expect(taken > 0 && taken < block.count)
        #expect(try writing.writeAvailable(block[...]) == 0)
        DescriptorPoll.wait(reading: [reading.number], writing: [], milliseconds: 60_000)
        #expect(try reading.readAvailable() == ArraySlice(block.prefix(1 << 16)))
    }

    @Test func aPipeTellsWhatNobodyHasRead() throws {
        func readInPart() throws -> OpenFile {
            let (reading, writing) = try pipe()
            try writing.write([UInt8](repeating: 7, count: 13_000))
            #expect(reading.unreadPipeBytes == 13_000 && writing.unreadPipeBytes == 13_000)
            var bytes = [UInt8](repeating: 0, count: 1000)
            #expect(try bytes.withUnsafeMutableBytes { try reading.read(into: $0) } == 1000)
            return writing
        }
        // The other end is closed.
        #expect(try readInPart().unreadPipeBytes == 12_000)
        #expect(try OpenFile("/dev/null", .write).unreadPipeBytes == 0)
    }

    @Test func aPipeWhoseWriterIsGoneEnds() throws {
        func written() throws -> OpenFile {
            let (reading, writing) = try pipe()
            try writing.write("end".utf8)
            return reading
        }
        let reading = try written()
        #expect(try reading.readAvailable() == ArraySlice("end".utf8))
        #expect(try reading.readAvailable() == [])
    }

    @Test func aLockHasOneHolder() throws {
        let path = try folder.write("", "lock")
        let first = try OpenFile(path, .readAndWrite)
        let second = try OpenFile(path, .readAndWrite)
        #expect(try first.tryLock())
        #expect(try !second.tryLock())
    }

    /// The copy represents the descriptor of a process that is being started, and does not run its program yet.
    @Test func aLockEndsWithItsHolderThoughTheFileIsOpenElsewhere() throws {
        let path = try folder.write("", "lock")
        var holder: OpenFile? = try OpenFile(path, .readAndWrite)
        #expect(try holder?.tryLock() == true)
        let copy = try OpenFile(copying: #require(holder).number)
        let next = try OpenFile(path, .readAndWrite)
        #expect(try !next.tryLock())
        holder = nil
        #expect(try next.tryLock())
        #expect(try copy.status.size == 0)
    }

    @Test func temporaryFilesHaveNoName() throws {
        let file = try OpenFile.temporary(prefix: "waymark-test")
        #expect(try file.status.linkCount == 0)
        try file.write([1, 2, 3])
        #expect(try file.status.size == 3)
        try file.truncate(to: 1)
        #expect(try file.status.size == 1)
    }
}
