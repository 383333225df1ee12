import Foundation
import WaymarkTestSupport

/// The built program, run as a user runs it.
struct Program {
    var status: Int32
    var output: [UInt8]
    var errors: String

    var text: String { String(decoding: output, as: UTF8.self) }

    /// The path next to the test bundle.
    static let url =
        Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() }
        .map { $0.appendingPathComponent("waymark") }.first { FileManager.default.isExecutableFile(atPath: $0.path) }
        ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().appendingPathComponent("waymark")

    static func run(
        _ arguments: String..., in folder: ScratchFolder? = nil, input: [UInt8] = [], environment: [String: String] = [:]
    ) throws -> Program {
        try run(arguments, in: folder, input: input, environment: environment)
    }

    /// Runs the program in a folder.
    /// - Parameter starter: A program with arguments that starts it; the last ones are the path of the program and its arguments.
    static func run(
        _ arguments: [String], in folder: ScratchFolder? = nil, input: [UInt8] = [], environment: [String: String] = [:],
        startedBy starter: [String] = []
    ) throws -> Program {
        let process = Process()
        let command = starter + [url.path] + arguments
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder.path) }
        var all = ProcessInfo.processInfo.environment
        all["GALLIUM_OVERRIDE_CPU_CAPS"] = "sse4.1"
        process.environment = all.merging(environment) { $1 }
        // Files hold any amount; pipes would block when both are full.
        let scratch = ScratchFolder()
        let files = try ["in", "out", "err"].map { try scratch.write($0 == "in" ? input : [], $0) }
        process.standardInput = FileHandle(forReadingAtPath: files[0])
        process.standardOutput = FileHandle(forWritingAtPath: files[1])
        process.standardError = FileHandle(forWritingAtPath: files[2])
        try process.run()
        process.waitUntilExit()
        return Program(
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: try scratch.read("out"), errors: String(decoding: try scratch.read("err"), as: UTF8.self))
    }
}
