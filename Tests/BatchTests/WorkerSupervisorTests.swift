import Synchronization
import Testing
import Waymark
import WaymarkSystem
import WaymarkTestSupport

@Suite struct WorkerSupervisorTests {
    /// A request that no worker of these tests gets.
    private struct Request: WorkerTask {
        let number = 1
        let scene = WorkerScene.empty

        func message() -> [[UInt8]] { [] }
        func answer(_ frame: WorkerFrame, sceneWarnings: [String]) -> Int { 0 }
        func removeLeftover() {}
    }

    /// Of two workers that never start, one ends while the other is being tried again.
    @Test func aRetiredWorkerThatIsTriedAgainIsNotWaitedFor() throws {
        let folder = ScratchFolder()
        // A worker prints its process number, and ends when the test writes a file of that name.
        let script = "echo $$ >&2; while [ ! -e '\(folder.path)/'$$ ]; do sleep 0.005; done; exit 3"
        let environment = Environment.all.map { "\($0)=\($1)" }
        var options = WorkerSupervisor<Request>.Options(
            ChildProcess.Command(path: "/bin/sh", arguments: ["-c", script], environment: environment))
        let time = Mutex(ContinuousClock.now)
        let clock: @Sendable () -> ContinuousClock.Instant = {
            time.withLock {
                $0 += .milliseconds(100)
                return $0
            }
        }
        options.clock = clock
        options.startTime = .seconds(1_000_000)
        var processes: [Int: String] = [:]
        var retired: [Int] = []
        var failures: [String] = []
        let queue = RenderQueue<Request, Int>()
        let supervisor = WorkerSupervisor(queue, options) { event in
            switch event {
            case .output(let worker, let line): processes[worker] = line
            case .retired(let worker, _): retired.append(worker)
            case .failed(let failure, _): failures.append(failure.message)
            default: break
            }
        }
        defer { supervisor.end() }
        supervisor.grow(to: 2)
        let answer = Mutex<Result<Int, any Error>?>(nil)
        queue.submit(Request()) { result in answer.withLock { $0 = result } }

        func turn(until isDone: () -> Bool) throws {
            let patience = ContinuousClock.now + .seconds(60)
            while !isDone() {
                try #require(.now < patience, "it does not happen")
                supervisor.turn(until: clock())
            }
        }
        func end(_ worker: Int) throws {
            let process = try #require(processes[worker])
            processes[worker] = nil
            try folder.write("", process)
            try turn { processes[worker] != nil || !failures.isEmpty }
        }

        try turn { processes.count == 2 }
        try end(1)
        try end(1)
        #expect(retired == [1] && failures.isEmpty)
        try end(2)
        try end(2)
        #expect(retired == [1] && failures.count == 1)
        #expect(failures.first?.hasPrefix("a worker ended with code 3 before it had started") == true, "\(failures)")
        guard case .failure(is NoWorker) = answer.withLock({ $0 }) else {
            Issue.record("the request has no answer")
            return
        }
    }
}
