import Foundation
import Glibc
import Waymark
import WaymarkTestSupport

/// Checks that need a separate process, because a process of tests does much else.
///
///     waymark-stress pool processes|threads COUNT [any-memory]
///     waymark-stress inputs SEED COUNT
@main enum Stress {
    static func main() async {
        WaymarkHelper.runIfAsked()
        let arguments = CommandLine.arguments.dropFirst()
        do {
            switch arguments.first {
            case "pool": print(try await pool(Array(arguments.dropFirst())))
            case "inputs": print(try inputs(Array(arguments.dropFirst())))
            default: throw usage
            }
        } catch {
            FileHandle.standardError.write(Data("error: \(error)\n".utf8))
            exit(1)
        }
    }

    private static let usage = Mistake(
        "usage: waymark-stress pool processes|threads COUNT [any-memory], or waymark-stress inputs SEED COUNT")

    private static func pool(_ arguments: [String]) async throws -> String {
        guard 2...3 ~= arguments.count, let count = Int(arguments[1]), count > 0, ["processes", "threads"].contains(arguments[0]),
            arguments.count == 2 || arguments[2] == "any-memory"
        else { throw usage }
        // If it is stuck, it ends with SIGALRM.
        alarm(1800)
        return try await PoolStress(usesProcesses: arguments[0] == "processes", count: count, isMemoryBounded: arguments.count == 2).run()
    }

    private static func inputs(_ arguments: [String]) throws -> String {
        guard arguments.count == 2, let seed = UInt64(arguments[0]), let count = UInt64(arguments[1]), count > 0,
            !seed.addingReportingOverflow(count).overflow
        else { throw usage }
        return try InputStress(seeds: seed..<seed + count).run()
    }
}

struct Mistake: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
