import Foundation
import Synchronization
import Testing
import Waymark
import WaymarkBatch
import WaymarkTestSupport

/// A batch with workers that work correctly, and with workers that fail.
@Suite struct BatchRunTests {
    private func jobs(_ count: Int, fakes: [Int: String] = [:], others: String? = nil) -> [String] {
        (0..<count).map { "{\"id\": \"\($0)\"\((fakes[$0] ?? others).map { ", \"fake\": \"\($0)\"" } ?? "")}" }
    }

    private func names(_ range: Range<Int>, without left: Set<Int> = []) -> [String] {
        range.filter { !left.contains($0) }.map { "\($0).png" }.sorted()
    }

    private func failures(_ fake: FakeWorkers) throws -> [String] {
        String(decoding: try fake.folder.read("out/failures.jsonl"), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test func everyJobHasItsPicture() throws {
        let fake = try FakeWorkers()
        var options = fake.options(workers: 3)
        options.scene = (Array("scene ".utf8), "base.json", "")
        // Slow enough that all workers have started before the jobs are done.
        let (summary, stop) = try fake.run(jobs(150, others: "slow"), options)
        #expect(stop == nil)
        #expect(fake.pictures == names(0..<150))
        #expect(try fake.picture("17.png") == #"scene {"id": "17", "fake": "slow"}"#)
        #expect(summary.jobs == 150 && summary.done == 150 && summary.failed == 0 && summary.left == 0 && summary.skipped == 0)
        #expect(summary.workers == 3 && summary.restarts == 0 && !summary.isInterrupted)
        #expect(summary.bytes == (0..<150).reduce(0) { $0 + #"scene {"id": "", "fake": "slow"}"#.utf8.count + "\($1)".count })
        #expect(summary.stages.map(\.name) == ["read", "layout", "draw", "readBack", "encode", "write"])
        #expect(summary.stages[2].sum == 300 && summary.stages[2].median == 2 && summary.stages[4].sum == 75)
        #expect(try fake.counts()[""] == 3)
        #expect(!FileManager.default.fileExists(atPath: "\(fake.output)/failures.jsonl"))
    }

    @Test func asManyWorkersAsAreOfUse() throws {
        let few = try FakeWorkers()
        #expect(try few.run(jobs(2), few.options(workers: 8)).summary.workers == 2)
        let onGPU = try FakeWorkers()
        #expect(try onGPU.run(jobs(40), onGPU.options(start: "gpu", workers: nil)).summary.workers == 2)
        let none = try FakeWorkers()
        let nothing = try none.run([], none.options()).summary
        #expect(nothing.jobs == 0 && nothing.workers == 0 && nothing.left == 0)
        #expect(throws: (any Error).self) { try none.counts() }
    }

    @Test func badLinesFailAlone() throws {
        let fake = try FakeWorkers()
        var told: [Int] = []
        let (summary, stop) = try fake.run(["{", #"{"id": "a"}"#, "", "7", #"{"id": "b"}"#], fake.options()) { event in
            if case .failed(let failure) = event { told.append(failure.line) }
        }
        #expect(stop == nil && summary.jobs == 4 && summary.done == 2 && summary.failed == 2)
        #expect(told == [1, 4])
        #expect(fake.pictures == ["a.png", "b.png"])
        let lines = try failures(fake)
        #expect(lines.count == 2 && lines[0].hasPrefix(#"{"id":null,"line":1,"code":65,"message":"column 2"#), "\(lines)")
    }

    @Test func aCrashIsTriedOnceMore() throws {
        let fake = try FakeWorkers()
        let (summary, stop) = try fake.run(jobs(40, fakes: [5: "crashOnce", 20: "crashOnce", 39: "crashOnce"]), fake.options())
        #expect(stop == nil && summary.done == 40 && summary.failed == 0 && summary.restarts == 3)
        #expect(fake.pictures == names(0..<40))
        let counts = try fake.counts()
        #expect(counts["5"] == 2 && counts["20"] == 2 && counts["39"] == 2 && counts[""] == 5)
        // Jobs queued behind them were begun once.
        #expect(counts.filter { $0.value == 2 }.count == 3)
    }

    @Test func whatCrashesTwiceFailsAlone() throws {
        let fake = try FakeWorkers()
        let (summary, stop) = try fake.run(jobs(30, fakes: [3: "crash", 4: "crash", 11: "exit", 29: "crash"]), fake.options())
        #expect(stop == nil && summary.done == 26 && summary.failed == 4 && summary.left == 0)
        #expect(fake.pictures == names(0..<30, without: [3, 4, 11, 29]))
        let lines = try failures(fake)
        #expect(lines.count == 4)
        #expect(lines[0] == #"{"id":"3","line":4,"code":70,"message":"the worker was ended by signal 11 (Segmentation fault), twice"}"#)
        #expect(lines[2] == #"{"id":"11","line":12,"code":70,"message":"the worker ended with code 1, twice: the reason"}"#)
        #expect(try fake.counts().filter { $0.value == 2 && !$0.key.isEmpty }.keys.sorted() == ["11", "29", "3", "4"])
    }

    @Test func whatHangsIsKilledAtItsDeadline() throws {
        let fake = try FakeWorkers()
        var options = fake.options()
        options.deadline = .milliseconds(400)
        let (summary, stop) = try fake.run(jobs(20, fakes: [2: "hang", 9: "hangOnce"]), options)
        #expect(stop == nil && summary.done == 19 && summary.failed == 1)
        #expect(try failures(fake) == [#"{"id":"2","line":3,"code":75,"message":"the worker did not finish within 0.4 s, twice"}"#])
    }

    /// A listener to the events may take longer than a job's deadline: that time does not count for the workers.
    @Test func aListenerThatTakesLong() throws {
        let fake = try FakeWorkers()
        var options = fake.options()
        options.deadline = .seconds(60)
        let delay = Mutex(Duration.zero)
        options.clock = { delay.withLock { .now + $0 } }
        var told = 0
        let (summary, stop) = try fake.run(jobs(20), options) { event in
            guard case .done = event else { return }
            told += 1
            if told == 3 { delay.withLock { $0 = .seconds(1000) } }
        }
        #expect(stop == nil && summary.done == 20 && summary.failed == 0 && summary.restarts == 0)
        // The second may not have started when the last picture is done; no worker has been replaced.
        #expect(try [1, 2].contains(fake.counts()[""]))
    }

    /// A driver that hangs while it is opened is a fault of the machine; a hang while drawing is a fault of the job.
    @Test func aDeviceThatDoesNotOpen() throws {
        let fake = try FakeWorkers()
        var options = fake.options(start: "hang", workers: 1)
        (options.deadline, options.leastStartDeadline) = (.seconds(1), .seconds(1))
        let (summary, stop) = try fake.run(jobs(3), options)
        #expect(stop == Failure(.unavailable, "a worker did not open its device within 1 s"))
        #expect(summary.done == 0 && summary.failed == 0 && summary.left == 3 && fake.pictures.isEmpty)
        #expect(try fake.counts() == ["": 2])
    }

    @Test func whatIsNotTheProtocol() throws {
        let fake = try FakeWorkers()
        let (summary, stop) = try fake.run(jobs(20, fakes: [2: "garbage", 9: "stray"]), fake.options())
        #expect(stop == nil && summary.done == 18 && summary.failed == 2)
        let lines = try failures(fake)
        #expect(lines.allSatisfy { $0.contains(#""code":70"#) && $0.contains("violated the protocol") }, "\(lines)")
    }

    @Test func aDeviceThatGoesAwayIsOpenedAgain() throws {
        let fake = try FakeWorkers()
        let (summary, stop) = try fake.run(jobs(20, fakes: [3: "resetOnce", 7: "reset", 12: "resetOnce"]), fake.options())
        #expect(stop == nil && summary.done == 19 && summary.failed == 1 && summary.restarts >= 3)
        #expect(fake.pictures == names(0..<20, without: [7]))
        #expect(
            try failures(fake) == [#"{"id":"7","line":8,"code":70,"message":"the worker ended with code 69, twice: the GPU was reset"}"#])
    }

    @Test func failedJobsAreListedInTheOrderOfTheLines() throws {
        let fake = try FakeWorkers()
        let lines = (0..<30).map { number in
            number % 3 == 0
                ? "{\"id\": \"\(number)\", \"fake\": \"fail\", \"code\": \(number == 6 ? 73 : 66)}"
                : "{\"id\": \"\(number)\", \"fake\": \"slow\"}"
        }
        let (summary, stop) = try fake.run(lines, fake.options(workers: 4))
        #expect(stop == nil && summary.done == 20 && summary.failed == 10)
        let listed = try failures(fake)
        #expect(listed.map { $0.split(separator: ",")[1] } == (0..<10).map { "\"line\":\($0 * 3 + 1)" })
        #expect(listed[0] == #"{"id":"0","line":1,"code":66,"message":"it cannot be"}"#)
        #expect(listed[2] == #"{"id":"6","line":7,"code":73,"message":"it cannot be"}"#)
        // The next run writes a new list.
        #expect(try fake.run(jobs(3), fake.options()).summary.failed == 0)
        #expect(!FileManager.default.fileExists(atPath: "\(fake.output)/failures.jsonl"))
    }

    @Test func workersThatCannotStartEndTheBatch() throws {
        for (start, code, message) in [
            ("fatal", 69, "no device was found"), ("exit", 70, "a worker ended with code 3 before it had started"),
            ("scene", 65, "base.json: overlays[3]: unknown"),
        ] {
            let fake = try FakeWorkers()
            var options = fake.options(start: start, workers: 1)
            options.scene = (Array("{}".utf8), "base.json", "")
            let (summary, stop) = try fake.run(jobs(5), options)
            #expect(stop == Failure(code: code, message: message))
            #expect(summary.done == 0 && summary.failed == 0 && summary.left == 5 && fake.pictures.isEmpty)
            #expect(try fake.counts() == ["": start == "scene" ? 1 : 2])
        }
        let other = try FakeWorkers()
        let stop = try other.run(jobs(5), other.options(start: "protocol")).stop
        guard let message = stop?.message, stop?.code == .software else {
            Issue.record("\(String(describing: stop))")
            return
        }
        #expect(message.contains("protocol version 2"))
        var options = other.options()
        options.command.path = "/nowhere/waymark"
        #expect(try other.run(jobs(5), options).stop == Failure(.software, "cannot start a worker: No such file or directory"))
    }

    @Test func workersThatStartAtTheSecondTry() throws {
        for start in ["fatalOnce", "killedOnce"] {
            let fake = try FakeWorkers()
            let (summary, stop) = try fake.run(jobs(200, others: "slow"), fake.options(start: start))
            #expect(stop == nil && summary.done == 200 && summary.restarts == 1)
        }
        // A device that accepts only one worker: the batch continues without the others.
        let fake = try FakeWorkers()
        let (summary, stop) = try fake.run(jobs(200, others: "slow"), fake.options(start: "fatalAfterFirst", workers: 3))
        #expect(stop == nil && summary.done == 200)
        #expect(fake.pictures == names(0..<200))
    }

    @Test func whatADeviceLacksIsToldOnce() throws {
        let fake = try FakeWorkers()
        var events: [BatchEvent] = []
        _ = try fake.run(jobs(40, others: "poor"), fake.options(workers: 2)) { events.append($0) }
        #expect(events.filter { $0 == .machineWarning("device: poor") }.count == 1)
        #expect(!events.contains { if case .warning = $0 { true } else { false } })
    }

    @Test func whatIsTold() throws {
        let fake = try FakeWorkers()
        var events: [BatchEvent] = []
        var options = fake.options(start: "odd", workers: 2)
        options.progressInterval = .milliseconds(20)
        _ = try fake.run(jobs(60, fakes: [7: "warn", 8: "words"], others: "slow"), options) { events.append($0) }
        #expect(events.contains(.warning(line: 8, id: "7", "odd")))
        #expect(events.filter { $0 == .sceneWarning("the scene is odd") }.count == 1)
        let words = events.compactMap { event in if case .output(_, let words) = event { words } else { nil } }
        #expect(words == ["a word", "and another"])
        let progress = events.compactMap { event in if case .progress(let progress) = event { progress } else { nil } }
        #expect(progress.count >= 3)
        #expect(progress.allSatisfy { $0.jobs == 60 && $0.finished + $0.left == 60 })
        #expect(zip(progress, progress.dropFirst()).allSatisfy { $0.done <= $1.done })
        #expect((progress.last?.rate ?? 0) > 0)
    }

    @Test(arguments: Seeds.slow.prefix(8)) func workersKilledAtAnyMoment(seed: UInt64) throws {
        let fake = try FakeWorkers()
        let count = Seeds.isFull ? 2000 : 300
        let all = jobs(count, others: "slow")
        var random = SplitMix64(seed: seed)
        var next = random.integer(1...20)
        var killed = 0
        var options = fake.options(workers: 4)
        options.progressInterval = .milliseconds(10)
        let (summary, stop) = try fake.run(all, options) { event in
            guard case .progress = event else { return }
            next -= 1
            // The test's own children, which are workers of this folder alone.
            if next == 0, let worker = Self.workers(fake.folder.path).randomElement(using: &random) {
                kill(worker, SIGKILL)
                killed += 1
                next = random.integer(20...60)
            }
            if next < 0 { next = 1 }
        }
        #expect(stop == nil && summary.left == 0)
        // Only a job whose workers were killed twice may have failed.
        #expect(summary.failed <= killed / 2 && summary.done + summary.failed == count)
        #expect(fake.pictures.count == summary.done)
        for name in fake.pictures { #expect(try fake.picture(name).hasSuffix("\"fake\": \"slow\"}")) }
    }

    /// The processes whose command line names this folder.
    private static func workers(_ folder: String) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap(Int32.init).sorted().filter { process in
            guard let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else { return false }
            return String(decoding: line, as: UTF8.self).contains("\(folder)/worker.py")
        }
    }
}
