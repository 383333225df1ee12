import Foundation
import Testing

/// The built program, run as a user runs it.
struct Program {
    struct Result {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Beside the test bundle.
    static let url =
        Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        .map { $0.appendingPathComponent("waymark") }.first { FileManager.default.isExecutableFile(atPath: $0.path) }
        ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("waymark")
}

@Suite struct ProgramTests {
    @Test func theProgramIsBuilt() {
        #expect(FileManager.default.isExecutableFile(atPath: Program.url.path))
    }
}
