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
    private static let slow = Data(#"{"size": {"width": 9000, "height": 9000}, "pixelRatio": 1}"#.utf8)

    private func pool(_ workers: Int = 2, program: [String] = [Program.url.path]) async throws -> RenderPool {
        var options = RenderPool.Options()
        options.workers = .processes(workers)
        options.device = "software"
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
        let renderer = try Renderer(device: "software")
        let plain = try await pool.render(Self.scene, isInspected: true)
        #expect(try plain.bitmap() == renderer.render(map).bitmap && plain.inspection()?.overlays.map(\.id) == ["hall"])
        map.camera.tilt = 60
        let tilted = try await pool.render(Self.scene, changing: Data(#"{"camera": {"tilt": 60}}"#.utf8))
        #expect(try tilted.bitmap() == renderer.render(map).bitmap)
        // A frame is drawn here.
        #expect(try await pool.render(map.makeFrame()).bitmap == tilted.bitmap())
        let error = await #expect(throws: RenderPoolError.self) {
            try await pool.render(Self.scene, changing: Data(#"{"change": {"gate": {}}}"#.utf8))
        }
        #expect(error == .invalid("change.gate: there is no overlay with the id \"gate\""))
        let bad = await #expect(throws: RenderPoolError.self) { try await pool.render(SceneData(Data("{".utf8), name: "bad.json")) }
        #expect(bad == .invalid("bad.json: byte 1 (line 1, column 2): unexpected end of file"))
        #expect(try await pool.render(Self.scene, isInspected: true) == plain)
        await pool.close()
        #expect(workers().isEmpty)
    }

    @Test func aWorkerThatIsKilledCostsOnePicture() async throws {
        let pool = try await pool(1)
        let expected = try await pool.render(Self.scene)
        // Stopped, so that it cannot be done before it is killed.
        for pid in workers() { kill(pid, SIGSTOP) }
        let running = Task { try await pool.render(Self.scene) }
        while pool.statistics.running == 0 { try await Task.sleep(for: .milliseconds(1)) }
        let waiting = Task { try await pool.render(Self.scene) }
        for pid in workers() { kill(pid, SIGKILL) }
        await #expect(throws: RenderPoolError.lostWorker("was ended by signal 9 (Killed)")) { try await running.value }
        #expect(try await waiting.value == expected)
        #expect(pool.statistics.lostWorkers == 1 && pool.statistics.failed == 1)
        // One that is killed while it waits is noticed by the next picture.
        for pid in workers() { kill(pid, SIGKILL) }
        await #expect(throws: RenderPoolError.self) { try await pool.render(Self.scene) }
        #expect(try await pool.render(Self.scene) == expected)
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
        #expect(error?.description.hasPrefix("there is no program for worker processes") == true)
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

    @Test func manyWithCancellations() async throws {
        let pool = try await pool()
        let expected = try await pool.render(Self.scene).bytes
        let rounds = Seeds.isFull ? 10_000 : 300
        let areRight = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<rounds {
                group.addTask {
                    let task = Task { try await pool.render(Self.scene).bytes }
                    if number % 4 == 1 { task.cancel() }
                    guard case .success(let bytes) = await task.result else { return number % 4 == 1 }
                    return bytes == expected
                }
            }
            return await group.reduce(true) { $0 && $1 }
        }
        #expect(areRight)
        let statistics = pool.statistics
        #expect(statistics.finished + statistics.cancelled == rounds + 1 && statistics.lostWorkers == 0, "\(statistics)")
        await pool.close()
    }
}
