import Foundation
import Glibc
import Testing
import WaymarkSystem
import WaymarkTestSupport

/// The helpers are a small Python program that follows its arguments.
@Suite struct HelperTests {
    /// Adds 1 to every byte. A request that begins with 255 takes half a second.
    static let work = ConfinedWork(
        "count", processorSeconds: 60, seconds: 60, memory: 1 << 30, prepare: {}, body: body)
    static let hurried = ConfinedWork("count", processorSeconds: 60, seconds: 0.05, memory: 1 << 30, prepare: {}, body: body)
    private static let body: ConfinedWork.Body = { request, count, reply, room in
        guard let request, let reply else { return 0 }
        if count > 0, request[0] == 255 { usleep(500_000) }
        for index in 0..<min(count, room) { reply[index] = request[index] &+ 1 }
        return min(count, room)
    }

    private let folder = ScratchFolder()

    /// Writes a helper that runs `answer` for each request; it replies with its process number and `request`.
    private func helper(
        _ name: String, hello: String = "waymark-helper \(libraryVersion) 1 count", answer: String = "reply(0, mine)"
    ) throws -> String {
        let program = """
            #!/usr/bin/env python3
            import os, struct, sys, time
            open("\(folder.path)/starts", "a").write("\(name)\\n")
            assert sys.argv[1:] == ["waymark-helper", "count"] and os.environ["WAYMARK_HELPER"] == "none"
            def reply(end, bytes):
                sys.stdout.buffer.write(struct.pack("<QQ", end, len(bytes)) + bytes)
                sys.stdout.buffer.flush()
            sys.stdout.buffer.write("\(hello)".encode().ljust(64, b"\\0"))
            sys.stdout.buffer.flush()
            while True:
                header = sys.stdin.buffer.read(24)
                if len(header) < 24: break
                count, room, stack = struct.unpack("<QQQ", header)
                request = sys.stdin.buffer.read(count)
                mine = str(os.getpid()).encode()
                \(answer)
            """
        // Not written by this process: a program started by a concurrent test might still have it open, and then it cannot be started.
        let copying = Process()
        copying.executableURL = URL(fileURLWithPath: "/usr/bin/install")
        copying.arguments = ["-m", "755", try folder.write(program, "\(name).py"), "\(folder.path)/\(name)"]
        try copying.run()
        copying.waitUntilExit()
        return "\(folder.path)/\(name)"
    }

    private var starts: [String] {
        (try? folder.read("starts")).map { String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init) } ?? []
    }

    private static func perform(
        _ pool: HelperPool, _ request: [UInt8] = [1, 2], work: ConfinedWork = work
    ) -> Result<[UInt8], ConfinedWork.Failure> {
        Result { () throws(ConfinedWork.Failure) in try work.perform(request, room: 1024, stack: 1 << 20, helpers: pool) }
    }

    @Test func oneHelperServesManyRequests() throws {
        let path = try helper("good")
        let pool = HelperPool { [path] }
        let replies = try (0..<5).map { _ in try Self.perform(pool).get() }
        #expect(Set(replies).count == 1 && replies[0] != [2, 3] && starts == ["good"])
    }

    @Test func whatIsNoHelperIsPassedOver() throws {
        let paths = [
            "/nowhere/waymark", folder.path, "/bin/true", try helper("old", hello: "waymark-helper 0.0.9 1 count"),
            try helper("other", hello: "waymark-helper \(libraryVersion) 1 svg"), try helper("good"), try helper("never"),
        ]
        let pool = HelperPool { paths }
        #expect(try Self.perform(pool).get() != [2, 3])
        #expect(starts == ["old", "other", "good"])
        _ = try Self.perform(pool).get()
        #expect(starts == ["old", "other", "good"])
    }

    @Test func withoutAProgramAThreadDoesIt() throws {
        let pool = HelperPool { ["/nowhere/waymark", "/bin/true"] }
        #expect(try Self.perform(pool).get() == [2, 3])
        #expect(!pool.hasProgram(for: Self.work))
        #expect(try HelperTests.work.performOnThread([7, 8, 9], room: 2, stack: 1 << 20) == [8, 9])
    }

    @Test func whoNamesAHelperGetsOneOrNothing() {
        let pool = HelperPool(choices: { ["/bin/true"] }, named: { "/bin/true" })
        #expect(Self.perform(pool) == .failure(.noHelper(named: "/bin/true")))
        #expect(Self.perform(HelperPool(choices: { [] }, named: { "none" })) == .success([2, 3]))
    }

    /// It ends between two requests: the next starts another. No SIGPIPE ends this process.
    @Test func aHelperThatEndedIsReplaced() throws {
        let path = try helper("brief", answer: "reply(0, mine); sys.exit(0)")
        let pool = HelperPool { [path] }
        let replies = try (0..<3).map { _ in try Self.perform(pool).get() }
        #expect(Set(replies).count == 3 && starts.count == 3)
        // Longer than a pipe holds.
        #expect(try Self.perform(pool, [UInt8](repeating: 1, count: 1 << 20)).get() != replies[2])
    }

    /// A failure of a request affects only that request.
    @Test(
        arguments: [
            ("sys.exit(1)", .crashed), ("sys.stdout.buffer.write(b'xx'); sys.exit(0)", .crashed), ("reply(1, b'')", .tooLong),
            ("reply(2, b'')", .crashed), ("reply(3, b'')", .noResources), ("reply(0, bytes(2000))", .crashed), ("reply(9, b'')", .crashed),
        ] as [(String, ConfinedWork.Failure)])
    func failures(answer: String, expected: ConfinedWork.Failure) throws {
        let path = try helper("failing", answer: "if request[0] == 1: \(answer)\n    else: reply(0, mine)")
        let pool = HelperPool { [path] }
        #expect(Self.perform(pool) == .failure(expected))
        #expect(try !Self.perform(pool, [2]).get().isEmpty)
    }

    /// A crash is never followed by the same work in this process.
    @Test func aProgramThatIsGoneIsNoReasonForAThread() throws {
        let path = try helper("gone", answer: "reply(0, mine); sys.exit(0)")
        let pool = HelperPool { [path] }
        _ = try Self.perform(pool).get()
        try FileManager.default.removeItem(atPath: path)
        #expect(Self.perform(pool) == .failure(.noResources))
    }

    @Test func aThreadHasADeadline() throws {
        let pool = HelperPool { [] }
        for _ in 0..<3 { #expect(Self.perform(pool, [255], work: Self.hurried) == .failure(.tooLong)) }
        #expect(try Self.perform(pool, [4], work: Self.work).get() == [5])
        // Finished ones are freed.
        usleep(600_000)
        #expect(try Self.perform(pool, [255, 1], work: Self.work).get() == [0, 2])
    }

    @Test func manyAtOnce() async throws {
        let path = try helper("good")
        let pools = [HelperPool { [] }, HelperPool { [path] }]
        for pool in pools {
            await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<40 { group.addTask { (try? Self.perform(pool).get()) != nil } }
                for await isDone in group { #expect(isDone) }
            }
        }
        #expect(starts.count <= 16, "\(starts.count)")
    }
}
