import Foundation
import Testing
import WaymarkSystem
import WaymarkTestSupport

/// Files written under a temporary name that the next writer knows.
@Suite struct UnfinishedFileTests {
    private let folder = ScratchFolder()
    private let bytes = Array("a picture".utf8)

    private func write(_ bytes: [UInt8]) throws {
        try Self.write(bytes, in: folder.path)
    }

    private static func write(_ bytes: [UInt8], in folder: String) throws {
        let file = try UnfinishedFile(named: "out.png", in: Folder(folder), temporary: ".part")
        try file.write(bytes)
        try file.finish()
    }

    @Test func leavesNothingBehind() throws {
        try write(bytes)
        #expect(folder.names == ["out.png"])
        #expect(try folder.read("out.png") == bytes)
        try write([])
        #expect(try folder.read("out.png") == [])
    }

    @Test func reclaimsTheFileOfAKilledProcess() throws {
        try folder.write(String(repeating: "half a picture", count: 1000), ".part")
        try write(bytes)
        #expect(folder.names == ["out.png"])
        #expect(try folder.read("out.png") == bytes)
    }

    @Test func leavesAFileAloneThatIsBeingWritten() throws {
        try folder.write("in work", ".part")
        let other = open("\(folder.path)/.part", O_WRONLY)
        defer { close(other) }
        #expect(flock(other, LOCK_EX) == 0)
        try write(bytes)
        #expect(folder.names == [".part", "out.png"])
        #expect(try folder.read("out.png") == bytes)
        #expect(try folder.read(".part") == Array("in work".utf8))
    }

    @Test func leavesOtherFilesAlone() throws {
        try folder.write("precious", "precious")
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/.part", withDestinationPath: "precious")
        try write(bytes)
        try FileManager.default.removeItem(atPath: "\(folder.path)/.part")
        #expect(link("\(folder.path)/precious", "\(folder.path)/.part") == 0)
        try write(bytes)
        #expect(try folder.read("precious") == Array("precious".utf8))
        try FileManager.default.removeItem(atPath: "\(folder.path)/.part")
        try FileManager.default.createDirectory(atPath: "\(folder.path)/.part", withIntermediateDirectories: false)
        try write(bytes)
        try FileManager.default.removeItem(atPath: "\(folder.path)/.part")
        #expect(mkfifo("\(folder.path)/.part", 0o666) == 0)
        try write(bytes)
        #expect(try folder.read("out.png") == bytes)
        #expect(folder.names == [".part", "out.png", "precious"])
    }

    /// Many threads write the same file concurrently: every reader sees it complete.
    @Test func manyWritersOfOneFile() throws {
        let versions = (0..<8).map { Array(repeating: UInt8($0), count: 200_000 + $0) }
        try write(versions[0])
        let path = folder.path
        DispatchQueue.concurrentPerform(iterations: 9) { place in
            for _ in 0..<40 {
                if place < 8 {
                    #expect(throws: Never.self) { try Self.write(versions[place], in: path) }
                } else {
                    let seen = try? WholeFile.read("\(path)/out.png", as: .file(limit: 1 << 20))
                    #expect(seen.map(versions.contains) == true)
                }
            }
        }
        #expect(folder.names == ["out.png"])
    }
}
