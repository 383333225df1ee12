import Foundation
import Glibc
import Testing
import Waymark
import WaymarkSystem
import WaymarkTestSupport

/// A pool whose workers are processes of the program.
@Suite(.serialized) struct PoolProcessTests {
    init() { PinnedRasterizer.pin }

    private static let scene = SceneData(
        Data(
            #"""
            {"waymark": 1, "size": {"width": 120, "height": 90}, "background": "white", "camera": {"center": [127, 37.5], "zoom": 12},
            "overlays": [{"type": "marker", "id": "hall", "position": [127, 37.5], "captionText": "Hall"}]}
            """#.utf8), name: "card.json")
    /// Takes a second or more.
    private static let slow = change { ($0.size, $0.pixelRatio) = (CGSize(width: 9000, height: 9000), 1) }

    private static func change(_ set: (inout ViewChange) -> Void) -> SceneChange {
        var change = SceneChange()
        set(&change.view)
        return change
    }

    private func pool(_ workers: Int = 2, program: [String] = [Program.url.path]) async throws -> RenderPool {
        var options = RenderPool.Options()
        options.workers = .processes(workers)
        options.device = .software
        let environment = Environment.all.merging(["WAYMARK_HELPER": "none"]) { $1 }.map { "\($0)=\($1)" }.sorted()
        let commands = program.map {
            ChildProcess.Command(path: $0, arguments: ["waymark-helper", "worker", "device=software"], environment: environment)
        }
        return try await RenderPool(options, commands: commands)
    }

    /// The worker processes of this process.
    private func workers() -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { pid in
            let arguments = (try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8)) ?? ""
            let fields = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8))?.split(separator: ")").last?.split(
                separator: " ")
            return arguments.contains("waymark-helper\0worker") && fields?.dropFirst().first.flatMap { Int32($0) } == getpid()
        }
    }

    @Test func thePicturesAreThoseOfThisProcess() async throws {
        let pool = try await pool()
        #expect(pool.usesProcesses && pool.workerCount == 2 && pool.deviceName.hasPrefix("llvmpipe"))
        let map = try SceneFile(data: Data(Self.scene.bytes)).mapView
        let renderer = try Renderer(device: .software)
        let plain = try await pool.render(Self.scene, isInspected: true)
        #expect(try plain.bitmap() == renderer.render(map).bitmap && plain.inspection()?.overlays.map(\.id) == ["hall"])
        map.camera.tilt = 60
        let tilted = try await pool.render(Self.scene, changing: Self.change { $0.tilt = 60 })
        #expect(try tilted.bitmap() == renderer.render(map).bitmap)
        // A frame is drawn here.
        #expect(try await pool.render(map.makeFrame()).bitmap == tilted.bitmap())
        let absent = try SceneChange(json: Data(#"{"change": {"gate": {}}}"#.utf8))
        let error = await #expect(throws: RenderPoolError.self) { try await pool.render(Self.scene, changing: absent) }
        #expect(error == .invalid("change.gate: no overlay has the id \"gate\"", path: "change.gate"))
        let bad = await #expect(throws: RenderPoolError.self) { try await pool.render(SceneData(Data("{".utf8), name: "bad.json")) }
        #expect(bad == .invalid("bad.json: byte 1 (line 1, column 2): unexpected end of file", path: "byte 1 (line 1, column 2)"))
        #expect(try await pool.render(Self.scene, isInspected: true) == plain)
        await pool.close()
        #expect(workers().isEmpty)
    }

    /// How much processor time a worker has taken, in the kernel's ticks.
    private func ticks(_ pid: Int32) -> Int {
        let fields = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8))?.split(separator: ")").last?.split(separator: " ")
        return fields.map { (Int($0[11]) ?? 0) + (Int($0[12]) ?? 0) } ?? 0
    }

    /// Kills all workers, and waits until they are dead: a worker that receives a picture meanwhile could have read it.
    private func killWorkers() async throws {
        let pids = workers()
        for pid in pids { kill(pid, SIGKILL) }
        for pid in pids {
            while let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
                stat.split(separator: ")").last?.split(separator: " ").first != "Z"
            {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }

    @Test func aWorkerThatIsKilledWhileItWaitsCostsNothing() async throws {
        let pool = try await pool()
        let expected = try await pool.render(Self.scene)
        for _ in 1...2 {
            try await killWorkers()
            #expect(try await pool.render(Self.scene) == expected)
            // The workers do not all start together, so a different one from the dead worker may draw it.
            #expect(pool.statistics.failed == 0)
        }
        // With another scene, too.
        try await killWorkers()
        #expect(try await pool.render(SceneData(Data(Self.scene.bytes))).bytes == expected.bytes)
        await pool.close()
        #expect(workers().isEmpty)
    }

    @Test func aWorkerThatIsKilledCostsOnlyThePictureThatItIsAt() async throws {
        for _ in 1...20 {
            if try await killsAWorkerAtAPicture() { return }
        }
        Issue.record("no worker was killed before its picture was ready")
    }

    /// False if the machine was so busy that the picture was ready before its worker was killed.
    private func killsAWorkerAtAPicture() async throws -> Bool {
        let pool = try await pool(1)
        let expected = try await pool.render(Self.scene)
        let pid = try #require(workers().first)
        // Stopped, so that no awaited state can pass unnoticed.
        kill(pid, SIGSTOP)
        let slow = Task { try await pool.render(Self.scene, changing: Self.slow).format }
        while pool.statistics.running < 1 { try await Task.sleep(for: .milliseconds(1)) }
        // The worker receives the first of them in advance.
        let others = (0..<4).map { _ in Task { try await pool.render(Self.scene) } }
        while pool.statistics.running + pool.statistics.waiting < 5 { try await Task.sleep(for: .milliseconds(1)) }
        let begun = ticks(pid)
        kill(pid, SIGCONT)
        while ticks(pid) < begun + 5 { try await Task.sleep(for: .milliseconds(1)) }
        kill(pid, SIGKILL)
        let result = await slow.result
        for other in others { #expect(try await other.value == expected) }
        let statistics = pool.statistics
        await pool.close()
        guard case .failure(let error) = result else { return false }
        #expect(error as? RenderPoolError == .lostWorker("was ended by signal 9 (Killed)"))
        #expect(statistics.lostWorkers == 1 && statistics.failed == 1 && statistics.finished == 5)
        return true
    }

    /// A worker that speaks the protocol and reports a lost device at its first job.
    @Test func aWorkerWhoseDeviceGoesAwayIsReplaced() async throws {
        let folder = ScratchFolder()
        let program = try folder.write(
            #"""
            import json, struct, sys
            source, sink = sys.stdin.buffer, sys.stdout.buffer
            def say(**header):
                text = json.dumps(header).encode()
                sink.write(struct.pack(">I", len(text)) + text)
                sink.flush()
            def hear():
                header = json.loads(source.read(struct.unpack(">I", source.read(4))[0]))
                source.read(header.get("bytes", 0))
                return header["type"]
            say(type="hello", protocol=1, program="waymark", renderer="llvmpipe", version=sys.argv[1])
            hear()
            say(type="ready", warnings=[])
            hear()
            say(type="fatal", code=69, message="the GPU was reset")
            """#, "worker.py")
        var options = RenderPool.Options()
        options.workers = .processes(1)
        let environment = Environment.all.map { "\($0)=\($1)" }.sorted()
        let command = ChildProcess.Command(
            path: "/usr/bin/env", arguments: ["python3", program, waymarkVersion], environment: environment)
        let pool = try await RenderPool(options, commands: [command])
        for lost in 1...2 {
            await #expect(throws: RenderPoolError.unavailable("the GPU was reset")) { try await pool.render(Self.scene) }
            #expect(pool.statistics.lostWorkers == lost && pool.statistics.failed == lost)
        }
        await pool.close()
    }

    /// Whether all threads of a process have stopped: the state after their names, which are in parentheses, is T.
    private func isStopped(_ pid: Int32) -> Bool {
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
        return threads.allSatisfy { thread in
            let text = (try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/stat", encoding: .utf8)) ?? ""
            return text.split(separator: ")").last?.hasPrefix(" T") == true
        }
    }

    @Test func aWorkerThatIsKilledBeforeItHasReadItsPictureCostsNothing() async throws {
        let pool = try await pool(1)
        let expected = try await pool.render(Self.scene)
        // Stopped, so that it reads nothing.
        for pid in workers() {
            kill(pid, SIGSTOP)
            // A thread that has been woken to stop still takes the messages that have arrived for it meanwhile.
            while !isStopped(pid) { try await Task.sleep(for: .milliseconds(1)) }
        }
        let running = Task { try await pool.render(Self.scene) }
        while pool.statistics.running == 0 { try await Task.sleep(for: .milliseconds(1)) }
        let waiting = Task { try await pool.render(Self.scene) }
        for pid in workers() { kill(pid, SIGKILL) }
        #expect(try await running.value == expected)
        #expect(try await waiting.value == expected)
        #expect(pool.statistics.lostWorkers == 1 && pool.statistics.failed == 0)
        await pool.close()
    }

    @Test func aDeadlineEndsTheWorker() async throws {
        let pool = try await pool(1)
        let expected = try await pool.render(Self.scene)
        await #expect(throws: RenderPoolError.deadline) {
            try await pool.render(Self.scene, changing: Self.slow, within: .milliseconds(100))
        }
        #expect(try await pool.render(Self.scene) == expected)
        #expect(pool.statistics.expired == 1 && pool.statistics.lostWorkers == 1)
        await pool.close()
    }

    @Test func whatIsNoWorkerIsPassedOver() async throws {
        let pool = try await pool(1, program: ["/nowhere/waymark", "/bin/true", "/bin/cat", Program.url.path])
        #expect(try await pool.render(Self.scene).width == 120)
        await pool.close()
        let error = await #expect(throws: RenderPoolError.self) { try await self.pool(1, program: ["/bin/true"]) }
        #expect(error?.description.hasPrefix("no program for worker processes was found") == true)
    }

    @Test func aPoolThatIsReleasedEndsItsWorkers() async throws {
        do {
            let pool = try await pool()
            _ = try await pool.render(Self.scene)
            #expect(!workers().isEmpty)
        }
        let patience = ContinuousClock.now + .seconds(20)
        while !workers().isEmpty, .now < patience { try await Task.sleep(for: .milliseconds(20)) }
        #expect(workers().isEmpty)
    }

    @Test(arguments: ["processes", "threads"]) func manyWithCancellationsLeaveNothing(_ workers: String) throws {
        let program = Program.url.deletingLastPathComponent().appendingPathComponent("waymark-stress")
        let process = Process()
        process.executableURL = program
        // About two thirds of the requests are drawn: 10,000.
        process.arguments = ["pool", workers, Seeds.isFull ? "16000" : "400"]
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let words = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let figures = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0 && figures.contains(" requests: "), "\(words)")
    }
}
