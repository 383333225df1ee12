import Glibc
import Testing
import WaymarkSystem
import WaymarkTestSupport

@Suite struct FileSystemTests {
    private let folder = ScratchFolder()

    @Test func createsFoldersAndThoseAbove() throws {
        let path = "\(folder.path)/a/b//c"
        try FileSystem.makeFolder(path)
        try FileSystem.makeFolder(path)
        #expect(try FileStatus(path).form == .folder)
        try folder.write("", "file")
        #expect(throws: SystemError(errno: ENOTDIR)) { try FileSystem.makeFolder("\(folder.path)/file") }
        #expect(throws: SystemError(errno: ENOTDIR)) { try FileSystem.makeFolder("\(folder.path)/file/inner") }
    }

    @Test func namesAreSortedByBytes() throws {
        for name in ["b", "B", "é", ".hidden", "a"] { try folder.write("", name) }
        #expect(try FileSystem.names(in: folder.path) == [".hidden", "B", "a", "b", "é"])
        #expect(try FileSystem.names(in: folder.path, most: 2).count == 2)
        #expect(throws: SystemError.notFound) { try FileSystem.names(in: "\(folder.path)/missing") }
    }

    @Test(arguments: [("a/city.v2.json", "city.v2"), ("tiles/", "tiles"), ("city", "city"), ("-", "-"), ("", "")])
    func stemIsTheNameWithoutTheLastExtension(_ path: String, _ stem: String) {
        #expect(FileSystem.stem(of: path) == stem)
    }

    @Test func linksAreFollowedWhereAsked() throws {
        let path = try folder.write("x", "file")
        #expect(symlink("file", "\(folder.path)/link") == 0)
        #expect(try FileStatus("\(folder.path)/link").form == .regular)
        #expect(try FileStatus("\(folder.path)/link", followsLinks: false).form == .link)
        #expect(try FileStatus("\(folder.path)/link").identity == FileStatus(path).identity)
        #expect(FileSystem.resolved("\(folder.path)/link") == path)
        #expect(FileSystem.resolved("\(folder.path)/missing") == nil)
        #expect(FileSystem.isFile(path) && !FileSystem.isFile(folder.path))
    }

    @Test func subfoldersAreNoLinks() throws {
        let open = try Folder(folder.path)
        _ = try open.subfolder("inner")
        #expect(symlink("inner", "\(folder.path)/link") == 0)
        #expect(throws: SystemError(errno: ENOTDIR)) { try open.subfolder("link") }
        #expect(open.isLink("link") && !open.isLink("inner"))
        #expect(throws: SystemError.notFound) { try open.subfolder("missing", isCreated: false) }
    }

    @Test func removingWhatIsMissingIsNoError() throws {
        let path = try folder.write("x", "file")
        try FileSystem.remove(path)
        try FileSystem.remove(path)
        #expect(folder.names == [])
    }

    @Test func emptyVariablesCountAsUnset() async {
        // In another process: threads of other tests would read the variables while they change.
        await #expect(processExitsWith: .success) {
            setenv("WAYMARK_TEST_VARIABLE", "", 1)
            #expect(Environment.value("WAYMARK_TEST_VARIABLE") == nil)
            setenv("WAYMARK_TEST_VARIABLE", "a=b", 1)
            #expect(Environment.value("WAYMARK_TEST_VARIABLE") == "a=b")
            #expect(Environment.all["WAYMARK_TEST_VARIABLE"] == "a=b")
            #expect(Environment.settings(withPrefixes: ["WAYMARK_TEST_V"]) == ["WAYMARK_TEST_VARIABLE=a=b"])
            unsetenv("WAYMARK_TEST_VARIABLE")
            Environment.setDefault("WAYMARK_TEST_VARIABLE", "ours")
            #expect(Environment.value("WAYMARK_TEST_VARIABLE") == "ours")
            #expect(Environment.settings(withPrefixes: ["WAYMARK_TEST_V"]) == [])
        }
    }
}
