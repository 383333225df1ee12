import Glibc
import Testing
import WaymarkSystem
import WaymarkTestSupport

/// Names with U+0000, where C would cut them.
@Suite struct NameTests {
    private let folder = ScratchFolder()

    @Test func areRefused() throws {
        let path = try folder.write("text", "file")
        let name = path + "\0.png"
        #expect(throws: SystemError.holdsZero) { try OpenFile(name, .read) }
        #expect(throws: SystemError.holdsZero) { try FileStatus(name) }
        #expect(throws: SystemError.holdsZero) { try FileSystem.names(in: folder.path + "\0") }
        #expect(throws: SystemError.holdsZero) { try FileSystem.makeFolder(folder.path + "/new\0") }
        #expect(throws: SystemError.holdsZero) { try FileSystem.remove(name) }
        #expect(throws: SystemError.holdsZero) { try Folder(folder.path).subfolder("new\0") }
        #expect(throws: FileError(.cannotWrite, path: name, .holdsZero)) { try WholeFile.write([], to: name) }
        #expect(throws: FileError(.cannotWrite, path: "file\0", .holdsZero)) {
            try UnfinishedFile(named: "file\0", in: Folder(folder.path))
        }
        #expect(!FileSystem.exists(name) && !FileSystem.isFile(name) && FileSystem.resolved(name) == nil)
        #expect(FileError(.cannotRead, path: nil, .holdsZero).description == "cannot read the file: the name contains U+0000")
        #expect(try folder.names == ["file"] && folder.read("file") == Array("text".utf8))
    }
}
