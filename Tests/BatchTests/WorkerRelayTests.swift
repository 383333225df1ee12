import Foundation
import Glibc
import Synchronization
import Testing
import Waymark
import WaymarkSystem
import WaymarkTestSupport

/// Several workers behind the protocol of one, with workers that do as their jobs say.
@Suite struct WorkerRelayTests {
    private let fake: FakeWorkers

    init() throws { fake = try FakeWorkers() }

    private func relay(
        _ start: String = "", workers: Int? = 2, retries: Int = 1, deadline: Duration? = nil, hasReader: Bool = true
    ) throws -> RunningRelay {
        var options = WorkerRelay.Options(fake.command(start))
        (options.count, options.retries, options.deadline) = (workers, retries, deadline)
        return try RunningRelay(options, hasReader: hasReader)
    }

    private func job(_ number: Int, fake: String? = nil) -> [UInt8] {
        let member = fake.map { ", \"fake\": \"\($0)\"" } ?? ""
        return WorkerFrame.job(Array("{\"id\": \"\(number)\"\(member)}".utf8), number: number, folder: nil)
    }

    private func scene(_ text: String, number: Int) -> [UInt8] {
        WorkerFrame.bytes(
            header: Array(#"{"type": "scene", "name": "base", "number": \#(number), "bytes": \#(text.utf8.count)}"#.utf8),
            payload: Array(text.utf8))
    }

    /// What pictures are, by number.
    private func pictures(_ replies: [WorkerReply]) -> [Int: String] {
        replies.reduce(into: [:]) { pictures, reply in
            if case .done(let done) = reply { pictures[done.number] = String(decoding: done.picture, as: UTF8.self) }
        }
    }

    private func failures(_ replies: [WorkerReply]) -> [Int: WorkerReply.Failed] {
        replies.reduce(into: [:]) { failures, reply in
            if case .failed(let failed) = reply { failures[failed.number] = failed }
        }
    }

    private func restarts(_ replies: [WorkerReply]) -> [String] {
        replies.compactMap { if case .restarted(_, let message) = $0 { message } else { nil } }
    }

    @Test func everyJobIsAnswered() throws {
        let relay = try relay(workers: 3)
        #expect(try relay.next() == .hello(.init(renderer: "llvmpipe", workers: 3)))
        for number in 0..<200 { relay.send(job(number, fake: number % 5 == 0 ? "slow" : nil)) }
        let (replies, code) = try relay.end()
        #expect(code == 0 && replies.count == 200)
        #expect(pictures(replies)[7] == #"{"id": "7"}"# && pictures(replies).count == 200)
        #expect(try fake.counts()[""] == 3)
    }

    @Test func aFastPictureDoesNotWaitForASlowOne() throws {
        let relay = try relay()
        _ = try relay.next()
        relay.send(job(1, fake: "wait") + job(2))
        guard case .done(let done) = try relay.next() else {
            Issue.record("there is no picture")
            return
        }
        #expect(done.number == 2)
        try fake.folder.write("", "go")
        let (replies, code) = try relay.end()
        #expect(code == 0 && pictures(replies).keys.sorted() == [1])
    }

    @Test func aLostWorkerCostsThePictureThatItIsAt() throws {
        let relay = try relay(retries: 0)
        for number in 0..<40 {
            relay.send(job(number, fake: [3: "crash", 4: "crash", 11: "exit", 20: "reset", 30: "garbage"][number]))
        }
        let (replies, code) = try relay.end()
        #expect(code == 0 && pictures(replies).count == 35)
        let failures = failures(replies)
        #expect(failures.keys.sorted() == [3, 4, 11, 20, 30])
        #expect(!failures.values.contains { !$0.isWorkerLost })
        #expect(failures[3]?.failure == Failure(.software, "the worker was ended by signal 11 (Segmentation fault)"))
        #expect(failures[3]?.id == "3")
        #expect(failures[11]?.failure == Failure(.software, "the worker ended with code 1: the reason"))
        #expect(failures[20]?.failure == Failure(.unavailable, "the GPU was reset"))
        #expect(failures[30]?.failure.message.hasPrefix("the worker violated the protocol: ") == true)
        #expect((3...5).contains(restarts(replies).count), "\(restarts(replies))")
    }

    @Test func aPictureIsTriedOnceMore() throws {
        let relay = try relay()
        for number in 0..<30 { relay.send(job(number, fake: number % 10 == 5 ? "crashOnce" : number == 17 ? "crash" : nil)) }
        let (replies, _) = try relay.end()
        #expect(pictures(replies).count == 29 && failures(replies).keys.sorted() == [17])
        let counts = try fake.counts()
        #expect(counts["5"] == 2 && counts["17"] == 2 && counts.filter { $0.value == 2 && !$0.key.isEmpty }.count == 4)
    }

    @Test func aDeadlineEndsTheWorker() throws {
        let relay = try relay(retries: 0, deadline: .milliseconds(500))
        for number in 0..<10 { relay.send(job(number, fake: number == 2 ? "hang" : nil)) }
        let (replies, _) = try relay.end()
        #expect(pictures(replies).count == 9)
        #expect(failures(replies)[2]?.failure == Failure(.incomplete, "the worker was not done within 0.5 s"))
    }

    @Test func jobsHaveTheSceneBeforeThem() throws {
        let relay = try relay()
        for number in 0..<6 { relay.send(job(number)) }
        relay.send(scene("first ", number: 70) + job(6) + job(7) + scene("bad", number: 71) + job(8) + scene("second ", number: 72))
        for number in 9..<20 { relay.send(job(number, fake: number == 12 ? "crashOnce" : nil)) }
        let (replies, code) = try relay.end()
        #expect(code == 0)
        let pictures = pictures(replies)
        for number in 0..<20 {
            let scene = number < 6 ? "" : number < 9 ? "first " : "second "
            #expect(pictures[number]?.hasPrefix(scene + "{") == true, "\(number): \(pictures[number] ?? "")")
        }
        let answers = replies.filter { reply in
            switch reply {
            case .ready, .error: true
            default: false
            }
        }
        #expect(
            answers == [
                .ready(warnings: [], number: 70), .error(Failure(.badContent, "base: overlays[3]: what is this?"), number: 71),
                .ready(warnings: [], number: 72),
            ])
    }

    @Test func aWaitingJobIsTakenBack() throws {
        let relay = try relay(workers: 1)
        _ = try relay.next()
        relay.send(job(1, fake: "wait"))
        for number in 2...5 { relay.send(job(number)) }
        // The worker has at most the first two in hand; there is no job 9.
        for number in [4, 9] { relay.send(WorkerFrame.cancel(number: number)) }
        #expect(try relay.next() == .cancelled(number: 4))
        try fake.folder.write("", "go")
        let (replies, code) = try relay.end()
        #expect(code == 0 && pictures(replies).keys.sorted() == [1, 2, 3, 5] && replies.count == 4)
        #expect(try fake.counts()["4"] == nil)
    }

    @Test func workersThatDoNotStart() throws {
        for (start, code, message) in [
            ("fatal", 69, "there is no device"), ("exit", 70, "a worker ended with code 3 before it had started"),
        ] {
            let relay = try relay(start)
            relay.send(job(1))
            let (replies, exitCode) = try relay.end()
            #expect(replies == [.fatal(Failure(code: code, message: message))] && exitCode == CInt(code))
        }
        // One that starts is enough, and the other is tried again.
        let relay = try relay("fatalAfterFirst")
        #expect(try relay.next() == .hello(.init(renderer: "llvmpipe", workers: 2)))
        for number in 0..<50 { relay.send(job(number, fake: "slow")) }
        let (replies, code) = try relay.end()
        #expect(code == 0 && pictures(replies).count == 50)
    }

    @Test func asManyAsSuitTheDevice() throws {
        let relay = try relay("gpu", workers: nil)
        #expect(try relay.next() == .hello(.init(renderer: "fake GPU", workers: 2)))
        #expect(try relay.end().code == 0)
    }

    @Test(
        arguments: [
            ([0, 0, 0, 1, 7], "a frame's header has 1 bytes, which is outside 2…67108864"),
            ([0, 0, 0, 2, 0x7B], "the input ends within a frame"),
            ([0, 0, 0, 14] + #"{"type":"job"}"#.utf8, "a job message has no \"job\""),
        ] as [([UInt8], String)])
    func aDamagedMessageEndsIt(bytes: [UInt8], message: String) throws {
        let relay = try relay()
        relay.send(bytes)
        let (replies, code) = try relay.end()
        #expect(code == 65 && replies.last == .fatal(Failure(.badContent, message)))
    }

    @Test func aDriverThatIsGoneEndsIt() throws {
        let relay = try relay(hasReader: false)
        relay.send(job(1))
        #expect(try relay.end().code == 73)
    }
}

/// A relay on a thread of this process, and its driver's ends of the pipes.
private final class RunningRelay {
    private final class Ending: Sendable {
        let code = Mutex<CInt>(-1)
        let isReached = DispatchSemaphore(value: 0)
    }

    private var input: OpenFile?
    private let output: OpenFile?
    private var parser = FrameParser()
    private let ending = Ending()

    init(_ options: WorkerRelay.Options, hasReader: Bool) throws {
        signal(SIGPIPE, SIG_IGN)
        let (toRelay, fromRelay) = (try Self.pipe(), try Self.pipe())
        input = OpenFile(adopting: toRelay[1])
        output = hasReader ? OpenFile(adopting: fromRelay[0]) : nil
        if !hasReader { close(fromRelay[0]) }
        Thread { [ending] in
            let code = WorkerRelay(
                input: OpenFile(adopting: toRelay[0]), output: OpenFile(adopting: fromRelay[1]), options
            ).run()
            ending.code.withLock { $0 = code }
            ending.isReached.signal()
        }.start()
    }

    private static func pipe() throws -> [CInt] {
        var ends: [CInt] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return ends
    }

    /// Sends messages, which fit into the pipe.
    func send(_ bytes: [UInt8]) { try? input?.write(bytes) }

    /// The next message.
    func next() throws -> WorkerReply {
        while true {
            if let frame = try parser.next() { return try WorkerReply(frame) }
            try #require(try parser.read(from: #require(output)) != 0, "the relay has ended")
        }
    }

    /// Ends the relay.
    /// - Returns: The messages that were not read yet, but for a hello, and the exit code.
    func end() throws -> (replies: [WorkerReply], code: CInt) {
        input = nil
        var replies: [WorkerReply] = []
        if let output { while try parser.read(from: output) != 0 {} }
        while let frame = try parser.next() { replies.append(try WorkerReply(frame)) }
        ending.isReached.wait()
        if case .hello? = replies.first { replies.removeFirst() }
        return (replies, ending.code.withLock { $0 })
    }
}
