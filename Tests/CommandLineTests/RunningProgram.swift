import Foundation
import WaymarkTestSupport

/// The built program while it runs, to send signals to it and to the processes that it has started.
final class RunningProgram {
    private let process = Process()
    private let scratch = ScratchFolder()

    /// - Parameters:
    ///   - wrapper: A program that starts it, with its arguments.
    ///   - isProgram: Whether it is `waymark`; false for the program in the first argument.
    ///   - output: The descriptor for its standard output, instead of a file.
    ///   - hasClosedOutput: Whether nobody reads its standard output.
    init(
        _ arguments: [String], in folder: ScratchFolder, wrapper: [String] = [], isProgram: Bool = true, output: Pipe? = nil,
        hasClosedOutput: Bool = false, hasClosedErrors: Bool = false
    ) throws {
        let command = wrapper + (wrapper.isEmpty || !isProgram ? [] : [Program.url.path]) + arguments
        process.executableURL = wrapper.isEmpty ? Program.url : URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = ProcessInfo.processInfo.environment.merging(["GALLIUM_OVERRIDE_CPU_CAPS": "sse4.1"]) { $1 }
        let files = try ["out", "err"].map { try scratch.write([UInt8](), $0) }
        process.standardInput = FileHandle.nullDevice
        // A pipe whose other end is closed.
        process.standardOutput = output ?? (hasClosedOutput ? Self.brokenPipe() : FileHandle(forWritingAtPath: files[0]) as Any?)
        process.standardError = hasClosedErrors ? Self.brokenPipe() : FileHandle(forWritingAtPath: files[1])
        try process.run()
    }

    var pid: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    func wait() throws -> Program {
        process.waitUntilExit()
        return Program(
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
            output: try scratch.read("out"), errors: String(decoding: try scratch.read("err"), as: UTF8.self))
    }

    /// The running processes that it has started, oldest first.
    var workers: [Int32] {
        guard let list = FileManager.default.contents(atPath: "/proc/\(pid)/task/\(pid)/children") else { return [] }
        return String(decoding: list, as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
    }

    /// Waits until at least `count` workers exist, or it has ended.
    func waitForWorkers(_ count: Int = 1) {
        while isRunning, workers.count < count { usleep(2000) }
    }

    /// Waits until a folder holds at least `count` pictures, or it has ended.
    func waitForPictures(_ count: Int, in folder: String) {
        while isRunning, Self.fileCount(folder) < count { usleep(2000) }
    }

    /// Waits until it has written this to standard error, or has ended.
    func waitForErrors(containing text: String) {
        while isRunning, (try? scratch.read("err")).map({ String(decoding: $0, as: UTF8.self).contains(text) }) != true { usleep(2000) }
    }

    static func fileCount(_ folder: String) -> Int {
        (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String])?.filter { !$0.contains(".waymark") && $0.contains(".") }
            .count
            ?? 0
    }

    private static func brokenPipe() -> FileHandle {
        let pipe = Pipe()
        try? pipe.fileHandleForReading.close()
        return pipe.fileHandleForWriting
    }
}
