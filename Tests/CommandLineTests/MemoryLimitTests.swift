import Foundation
import Testing
import WaymarkTestSupport

/// Commands under a memory limit that is too low end with a sentence.
@Suite struct MemoryLimitTests {
    private let folder = ScratchFolder()

    /// Swift crashes where it cannot allocate. The program's libraries take up to 200,000 KiB; the scene does not fit into the rest.
    @Test(arguments: [
        ["inspect"], ["render", "-o", "a.png"], ["pick", "--at", "1,1"], ["replay"], ["tiles", "--zooms", "0", "-o", "map.pmtiles"],
    ])
    func aSceneThatDoesNotFit(command: [String]) throws {
        let path = try folder.write("", "scene.json")
        #expect(truncate(path, 300 << 20) == 0)
        let result = try limited([command[0], "scene.json"] + command.dropFirst(), kibibytes: 200_000)
        let reason = "the system limits address space to 200000 KiB (ulimit -v); raise that limit\n"
        #expect(
            result.status == 69 && result.errors.hasSuffix("error: waymark crashed, probably because it ran out of memory: \(reason)")
                && !result.errors.contains("***"), "\(result.status) \(result.errors.prefix(2000))")
    }

    /// Below that the dynamic linker may run out of memory, which is also reported in a sentence.
    @Test(arguments: ["--version", "doctor", "schema"]) func anyLimit(command: String) throws {
        for kibibytes in stride(from: 100_000, through: 220_000, by: 10_000) {
            let result = try limited([command], kibibytes: kibibytes)
            #expect(
                [0, 69, 127].contains(result.status) && !result.errors.contains("***"),
                "\(kibibytes): \(result.status) \(result.errors.prefix(2000))")
        }
    }

    private func limited(_ arguments: [String], kibibytes: Int) throws -> Program {
        try Program.run(
            arguments, in: folder, environment: ["HOME": "/tmp"], startedBy: ["/bin/sh", "-c", "ulimit -v \(kibibytes); exec \"$@\"", "sh"])
    }
}
