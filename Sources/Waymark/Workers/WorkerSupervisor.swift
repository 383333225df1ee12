import WaymarkSystem

/// Supervises worker processes: starts them, gives them the requests of a queue, and replaces workers that fail.
///
/// It is an event loop on its caller's thread, and never blocks on a single worker. The workers end with that thread, so it must live as
/// long as they do. A single thread also gives the lowest latency: each further thread would cost another wake-up in both directions.
///
/// It does not use swift-subprocess, for two reasons. On Linux, it has no hook before exec (as of 1.0.2), so workers would outlive a killed
/// parent. Its monitor threads and tasks would stand between this loop and its pipes.
package final class WorkerSupervisor<Task: WorkerTask> {
    package typealias Queue = RenderQueue<Task, Task.Answer>
    typealias Slot = WorkerSlot<Task>

    package struct Options {
        package var command: ChildProcess.Command
        /// The number of workers started before any request. Default: all.
        package var eagerWorkers = Int.max
        /// The time limit for a worker to open its device.
        package var startTime = Duration.seconds(30)
        /// The time limit for a worker to read a base scene; nil for the time limit of the request that needs the scene.
        package var readTime: Duration?
        /// The time limit for a worker to process a request, in addition to the request's deadline; nil for no limit.
        package var taskTime: Duration?
        /// The clock; tests replace it.
        package var clock: @Sendable () -> ContinuousClock.Instant = { .now }
        /// Whether the workers can process a request.
        package var accepts: @Sendable (Task) -> Bool = { _ in true }

        package init(_ command: ChildProcess.Command) { self.command = command }
    }

    let queue: Queue
    let options: Options
    private let listener: (WorkerEvent) -> Void
    private let alarm: Alarm?
    private var slots: [Slot] = []
    /// The base scene that workers read before any request.
    package var base = WorkerScene.empty
    /// The reason why no worker starts.
    private var failure: Failure?
    /// The time that does not count against workers, because other code used the thread or the process was stopped; and the end of the
    /// last turn.
    private var absence = Duration.zero
    private var left: ContinuousClock.Instant

    /// - Parameter listener: Called on the thread that runs the loop.
    package init(_ queue: Queue, _ options: Options, listener: @escaping (WorkerEvent) -> Void) {
        self.queue = queue
        self.options = options
        self.listener = listener
        left = options.clock()
        alarm = try? Alarm()
        queue.onWork { [alarm] in alarm?.ring() }
    }

    /// The number of slots.
    package var workerCount: Int { slots.count }

    /// Adds slots for more workers.
    package func grow(to count: Int) {
        while slots.count < count {
            slots.append(Slot(number: slots.count + 1, queue.addLane(accepting: options.accepts), at: now))
        }
    }

    /// Whether no worker has a request.
    package var isIdle: Bool { slots.allSatisfy(\.isIdle) }

    /// Runs the loop until the queue is closed.
    package func run() {
        while !queue.isOver || !isIdle { turn() }
        end()
    }
}

// MARK: - The loop

extension WorkerSupervisor {
    /// Waits for the next event, and handles all events so far.
    /// - Parameters:
    ///   - time: The latest time at which the call returns; nil for the default.
    ///   - others: More descriptors to wait for.
    /// - Returns: The descriptors that can be read.
    @discardableResult
    package func turn(until time: ContinuousClock.Instant? = nil, reading others: [CInt] = []) -> Set<CInt> {
        absence += options.clock() - left
        defer { left = options.clock() }
        alarm?.set()
        for slot in slots { feed(slot) }
        startWorkers()
        let processes = slots.compactMap(\.process)
        let before = options.clock()
        let limits =
            slots.compactMap(limit).map { $0 + absence } + slots.compactMap { $0.current?.workerDeadline } + [time].compactMap(\.self)
        let milliseconds = limits.min().map { max(0, min(60_000, (($0 - before) / .milliseconds(1)).rounded(.up))) } ?? 60_000
        // Without an alarm, it polls.
        let patience = alarm == nil ? min(milliseconds, 10) : milliseconds
        let ready = DescriptorPoll.wait(
            reading: others + processes.flatMap(\.reading) + (alarm.map { [$0.descriptor] } ?? []),
            writing: processes.compactMap(\.writing), milliseconds: Int(patience))
        if let alarm { alarm.stop(hasRung: ready.contains(alarm.descriptor)) }
        // The process was stopped, or the machine asleep, and so were the workers.
        let excess = options.clock() - before - .milliseconds(Int(patience))
        if excess > .seconds(1) { absence += excess }
        for slot in slots {
            if let process = slot.process { attend(slot, process, ready) }
        }
        for slot in slots where isLate(slot) { expire(slot) }
        return ready
    }

    /// The time on a clock that stops while the workers' time does.
    private var now: ContinuousClock.Instant { options.clock() - absence }

    /// Calls other code, whose time does not count against workers.
    func outside(_ body: () -> Void) {
        let before = options.clock()
        body()
        absence += options.clock() - before
    }

    private func tell(_ event: WorkerEvent) { outside { listener(event) } }

    /// The next deadline by the supervisor's clock: the time by which a worker must have answered, or at which it is tried again; nil for
    /// none.
    private func limit(_ slot: Slot) -> ContinuousClock.Instant? {
        guard slot.process != nil else { return slot.pauseEnd }
        if !slot.isOpen { return slot.began + options.startTime }
        if slot.reading != nil { return options.readTime.map { slot.began + $0 } }
        return slot.current == nil ? nil : options.taskTime.map { slot.began + $0 }
    }

    private func isLate(_ slot: Slot) -> Bool {
        guard slot.process != nil else { return false }
        return limit(slot).map { $0 <= now } == true || slot.current?.workerDeadline.map { $0 <= .now } == true
    }
}

// MARK: - Requests

extension WorkerSupervisor {
    /// Gives a worker requests.
    private func feed(_ slot: Slot) {
        guard slot.isReady, slot.reading == nil, !slot.isStray else { return }
        while slot.current == nil {
            guard let ticket = slot.retry ?? queue.next(slot.lane, affinity: slot.scene) else { return prepare(slot) }
            slot.retry = nil
            slot.sentBytes = 0
            begin(ticket, slot)
            guard ticket.request.scene.number == slot.scene else { return read(ticket.request.scene, slot) }
            send(slot)
        }
        guard slot.isSent, slot.ahead == nil, let current = slot.current,
            let next = queue.takeAhead(slot.lane, beside: current)
        else { return }
        do throws(Failure) {
            slot.send(try next.message())
            slot.ahead = next
        } catch {
            if let ticket = queue.nextAhead(slot.lane) { finish(ticket, .failure(error)) }
        }
    }

    private func begin(_ ticket: Queue.Ticket, _ slot: Slot) {
        (slot.current, slot.isSent) = (ticket, false)
        slot.began = now
        slot.firstLine = nil
    }

    /// Sends the current request. The worker has its base scene.
    private func send(_ slot: Slot) {
        guard let ticket = slot.current else { return }
        do throws(Failure) {
            slot.send(try ticket.request.message())
            slot.isSent = true
            slot.began = now
        } catch {
            slot.current = nil
            finish(ticket, .failure(error))
        }
    }

    /// Lets an idle worker read the base scene.
    private func prepare(_ slot: Slot) {
        guard base.number != 0, slot.scene != base.number, slot.refusedScene != base.number else { return }
        slot.sentBytes = 0
        read(base, slot)
    }

    private func read(_ scene: WorkerScene, _ slot: Slot) {
        slot.reading = scene
        slot.began = now
        slot.send(scene.message())
    }

    private func finish(_ ticket: Queue.Ticket, _ result: Result<Task.Answer, any Error>) {
        outside { queue.finish(ticket, result) }
    }
}

// MARK: - Messages

extension WorkerSupervisor {
    private func attend(_ slot: Slot, _ process: WorkerProcess, _ ready: Set<CInt>) {
        if process.takesMore(ready) { process.flush() }
        let hasErrorLines = process.hasErrorLines(ready)
        guard hasErrorLines || process.hasMessages(ready) else { return }
        do throws(FrameError) {
            // Messages are read first, because they may repeat the worker's last line on standard error.
            let isOpen = try process.read { (frame) throws(FrameError) in
                // The listener of an earlier message may have ended everything.
                if slot.process === process { try hear(frame, slot) }
            }
            guard slot.process === process else { return }
            if !isOpen { lose(slot, process) } else if hasErrorLines { reportLines(slot, process) }
        } catch {
            guard slot.process === process else { return }
            process.kill()
            lose(slot, process, because: "violated the protocol: \(error)")
        }
    }

    private func hear(_ frame: WorkerFrame, _ slot: Slot) throws(FrameError) {
        guard ["hello", "fatal", "ready", "error"].contains(frame.type) else { return try answered(frame, slot) }
        switch try WorkerReply(frame) {
        case .hello(let hello):
            guard !slot.isOpen else { throw FrameError("it sent a second hello message") }
            guard hello.protocolVersion == WorkerReply.protocolVersion else {
                throw FrameError("it uses protocol version \(hello.protocolVersion), not \(WorkerReply.protocolVersion)")
            }
            guard hello.version == libraryVersion else {
                throw FrameError("its version is \(hello.version.quotedBriefly), not \(libraryVersion.quotedBriefly)")
            }
            slot.isOpen = true
            slot.began = now
            tell(.opened(renderer: hello.renderer))
            if slot.reading == nil { becomeReady(slot) }
        case .fatal(let failure):
            slot.refusal = failure
        case .ready(let warnings, _):
            let scene = try takeReading(slot)
            (slot.scene, slot.sceneWarnings) = (scene.number, warnings)
            tell(.read(scene, warnings: warnings, frame))
            becomeReady(slot)
        case .error(let failure, _):
            // The worker keeps its previous scene.
            let scene = try takeReading(slot)
            slot.refusedScene = scene.number
            tell(.refused(scene, failure, frame))
            if let ticket = slot.current {
                slot.current = nil
                finish(ticket, .failure(failure))
            }
            becomeReady(slot)
        default: throw FrameError("it sent an unexpected message of type \(frame.type.quotedBriefly)")
        }
    }

    private func takeReading(_ slot: Slot) throws(FrameError) -> WorkerScene {
        guard slot.isOpen, let scene = slot.reading else { throw FrameError("it sent an unexpected reply about a scene") }
        slot.reading = nil
        return scene
    }

    /// Handles a worker that has started or has read a base scene.
    private func becomeReady(_ slot: Slot) {
        if !slot.isReady {
            slot.isReady = true
            (slot.refusals, slot.kills, slot.isRetired) = (0, 0, false)
            if let reason = slot.reason { tell(.restarted(worker: slot.number, reason: reason)) }
            slot.reason = nil
        }
        if slot.current != nil { send(slot) }
    }

    private func answered(_ frame: WorkerFrame, _ slot: Slot) throws(FrameError) {
        guard !slot.isStray else { return }
        guard let ticket = slot.current, slot.isSent, frame.header.root["number"]?.int == ticket.request.number else {
            throw FrameError("it replied to a job that it had not received")
        }
        let result: Result<Task.Answer, any Error>
        do {
            result = .success(try ticket.request.answer(frame, sceneWarnings: slot.sceneWarnings))
        } catch let error as FrameError {
            throw error
        } catch {
            result = .failure(error)
        }
        slot.isFresh = false
        slot.current = nil
        if slot.ahead != nil {
            slot.ahead = nil
            if let next = queue.nextAhead(slot.lane) {
                begin(next, slot)
                slot.isSent = true
            } else {
                slot.isStray = true
            }
        }
        finish(ticket, result)
    }

    private func reportLines(_ slot: Slot, _ process: WorkerProcess) {
        for line in process.readErrorLines() where line != slot.refusal.map({ "error: \($0.message)" }) {
            slot.firstLine = slot.firstLine ?? line
            tell(.output(worker: slot.number, line))
        }
    }
}

// MARK: - Starting and replacing

extension WorkerSupervisor {
    private func startWorkers() {
        guard !queue.isOver else {
            for slot in slots {
                guard let ticket = slot.retry else { continue }
                slot.retry = nil
                finish(ticket, .failure(RenderPoolError.closed))
            }
            return
        }
        guard let lane = slots.first?.lane, slots.contains(where: { $0.process == nil }) else { return }
        var needed = queue.waitingCount(lane) - slots.count { $0.process != nil && !$0.isReady }
        for slot in slots where slot.process == nil && slot.pauseEnd.map({ $0 <= now }) != false {
            slot.pauseEnd = nil
            guard needed > 0 || slot.isTrying || slot.isNew && slot.number <= options.eagerWorkers else { continue }
            needed -= 1
            repeat { start(slot) } while slot.process == nil && slot.isTrying
        }
        if needed > 0, let failure, !slots.contains(where: \.isAlive) { outside { queue.refuse(lane, NoWorker(failure: failure)) } }
    }

    private func start(_ slot: Slot) {
        slot.reset(at: now)
        do throws(SystemError) {
            slot.process = try WorkerProcess(options.command)
        } catch {
            let reason = "cannot start a worker: \(error)"
            return fail(slot, Failure(.software, reason), reason)
        }
        if base.number != 0 { read(base, slot) }
    }

    /// Kills a worker that has exceeded its deadline.
    private func expire(_ slot: Slot) {
        guard let process = slot.process else { return }
        process.kill()
        if !slot.isOpen {
            // The driver hangs. This is reported as a missing component of the machine, because it does not depend on the requests.
            lose(slot, process, because: "did not open its device within \(Self.text(options.startTime))", code: .unavailable)
        } else if let deadline = slot.current?.workerDeadline, deadline <= .now {
            lose(slot, process, because: "did not finish in time", error: RenderPoolError.deadline)
        } else if slot.reading != nil, slot.current == nil {
            lose(slot, process, because: "did not read the base scene within \(Self.text(options.readTime ?? .zero))", code: .incomplete)
        } else {
            let limit = slot.reading == nil ? options.taskTime : options.readTime
            lose(slot, process, because: "did not finish within \(Self.text(limit ?? .zero))", code: .incomplete)
        }
    }

    private static func text(_ duration: Duration) -> String { "\((duration / .seconds(1)).plainText) s" }

    /// Handles the end of a worker.
    /// - Parameters:
    ///   - reason: How it ended, unless it ended by itself.
    ///   - error: The answer to the worker's request; nil to report the loss.
    private func lose(
        _ slot: Slot, _ process: WorkerProcess, because reason: String? = nil, code: Failure.Code = .software, error: (any Error)? = nil
    ) {
        // It died before reading a byte, so it was killed while it was idle.
        let hasBegun = process.unreadBytes < slot.sentBytes
        let end = process.reap()
        reportLines(slot, process)
        slot.process = nil
        var loss = WorkerLoss(fate: reason ?? end.description, line: slot.firstLine, refusal: slot.refusal)
        loss.isLate = code == .incomplete
        // A worker that ends while it reads a base scene for which no request waits is treated like a worker that does not start, because
        // a driver that has sent the scene waits for the answer.
        guard slot.isReady, slot.reading == nil || slot.current != nil else {
            slot.isReady = false
            var moment = ""
            if code == .software, reason == nil { moment = slot.isOpen ? " before it had read the base scene" : " before it had started" }
            var isKilled = false
            if case .signal = end, reason == nil, slot.refusal == nil { isKilled = true }
            let reason = "\(loss.fate)\(moment)\(loss.detail)"
            return fail(slot, slot.refusal ?? Failure(code, "a worker \(reason)"), slot.refusal?.message ?? reason, isKilled: isKilled)
        }
        slot.isReady = false
        slot.reason = loss.fate
        let ticket = slot.current
        if slot.isSent { ticket?.request.removeLeftover() }
        (slot.current, slot.ahead) = (nil, nil)
        outside {
            let lost = LostWorker(error ?? loss, hasBegun: hasBegun)
            if queue.lose(slot.lane, ticket, lost, isFresh: slot.isFresh) { slot.retry = ticket }
        }
    }

    /// Handles a worker that does not start. If it reports a reason, one more is tried. If it was killed, several more are tried, because
    /// the next one may well start. After that, the other workers continue without this slot for a while.
    /// - Parameter reason: The message of the failure, without the worker as its subject.
    private func fail(_ slot: Slot, _ failure: Failure, _ reason: String, isKilled: Bool = false) {
        if isKilled { slot.kills += 1 } else { slot.refusals += 1 }
        guard slot.refusals >= 2 || slot.kills >= 8 else {
            slot.reason = slot.reason ?? reason
            return
        }
        if let earlier = slot.reason, earlier != reason { tell(.lost(worker: slot.number, reason: earlier)) }
        (slot.refusals, slot.kills, slot.reason, slot.pauseEnd) = (0, 0, nil, now + .seconds(5))
        slot.isNew = true
        if let ticket = slot.retry {
            slot.retry = nil
            outside { queue.putBack(ticket) }
        }
        let isReported = slot.isRetired
        slot.isRetired = true
        // A retired slot that is being tried again counts only once its worker is ready; otherwise, two slots whose workers never start
        // could wait for each other forever.
        if slots.contains(where: { $0.isAlive && !$0.isRetired }) {
            if !isReported { tell(.retired(worker: slot.number, reason: reason)) }
        } else {
            self.failure = failure
            outside { queue.refuse(slot.lane, NoWorker(failure: failure)) }
            tell(.failed(failure, isRefusal: slot.refusal != nil))
        }
    }
}

// MARK: - The end

extension WorkerSupervisor {
    /// Lets idle workers end, and kills the others.
    package func end() {
        for slot in slots {
            guard let process = slot.process else { continue }
            if slot.isReady, slot.reading == nil, !slot.isStray {
                process.send([WorkerFrame.end])
                process.closeInput()
            } else {
                process.kill()
            }
        }
        for slot in slots {
            if let process = slot.process {
                _ = process.reap()
                reportLines(slot, process)
                slot.process = nil
            }
            queue.removeLane(slot.lane)
        }
        slots = []
    }

    /// Kills all workers.
    package func kill() {
        for slot in slots {
            slot.process?.kill()
            slot.process = nil
            // The worker may have begun the second request before the answer to the first was read.
            slot.current?.request.removeLeftover()
            slot.ahead?.removeLeftover()
            if let ticket = slot.current ?? slot.retry { finish(ticket, .failure(RenderPoolError.closed)) }
            if let ticket = queue.nextAhead(slot.lane) { finish(ticket, .failure(RenderPoolError.closed)) }
            (slot.current, slot.ahead, slot.retry) = (nil, nil, nil)
        }
    }
}
