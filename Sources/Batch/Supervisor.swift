import Glibc
import WaymarkGPU

/// Draws a batch: starts workers, gives them jobs, watches over them, and keeps the record.
///
/// It is one loop over what the workers say, without threads of its own, and never waits for any one of them. The thread that runs it
/// must be there as long as it: the workers die with that thread.
///
/// Not swift-subprocess, which on Linux has nothing to run before exec (in 1.0.2), so that workers would outlive a killed parent, and
/// whose monitor threads and tasks stand between this loop and its pipes.
package final class Supervisor {
    let options: BatchOptions
    let index: JobIndex
    let tell: (BatchEvent) -> Void
    let record: BatchRecord
    var slots: [WorkerSlot] = []
    /// The entries that are done, whether now or before, or failed.
    var isFinished: [Bool]
    /// The next entry that nobody has had.
    var cursor = 0
    /// Entries that were given to a worker that ended, and that it had not begun.
    var returned: [Int] = []
    /// How often a worker ended over an entry.
    var tries: [Int: Int] = [:]
    /// Entries that are neither finished nor in hand.
    var waiting = 0
    var failures: [BatchFailure]
    var summary = BatchSummary()
    var statistics = StageStatistics()
    var largestPicture = 0
    /// How many workers there are to be. Until the first one has said what it draws with, as many as there are on any device.
    var wanted = min(2, ProcessorCount.current.usable)
    var isCacheChecked = false
    /// Whether nothing is begun any more, and why.
    var isEnding = false
    var stop: BatchError?
    private var isKilled = false
    private var signals: EndingSignals?
    private var meter = RateMeter()
    private let begun = ContinuousClock.now
    private var nextProgress: ContinuousClock.Instant
    /// What every worker is sent first.
    let sceneMessage: [UInt8]
    /// Whether a worker has read the base scene.
    var isSceneKnown = false
    let command: WorkerProcess.Command

    /// Makes the output folder, and reads what is done.
    /// - Throws: `cannotWrite`, `isBusy`.
    package init(_ index: JobIndex, options: BatchOptions, tell: @escaping (BatchEvent) -> Void) throws(BatchError) {
        self.index = index
        self.options = options
        self.tell = tell
        try Self.makeFolder(options.folder)
        record = try BatchRecord(folder: options.folder, shard: options.shard, patience: options.patience)
        if options.isResuming {
            isFinished = try record.done(index, folder: options.folder)
        } else {
            try record.clear()
            isFinished = [Bool](repeating: false, count: index.entries.count)
        }
        // An old list would be taken for this run's, should this one be killed.
        try BatchFailure.write([], to: Self.failuresPath(options))
        failures = index.problems
        summary.jobs = index.count
        summary.skipped = isFinished.count { $0 }
        waiting = isFinished.count - summary.skipped
        nextProgress = begun + options.progressInterval
        sceneMessage =
            options.scene.map { WorkerFrame.scene(bytes: $0.bytes, name: $0.name, folder: $0.folder) }
            ?? WorkerFrame.scene(bytes: JobRenderer.emptyScene, folder: "")
        var environment = options.environment
        // Mesa's rasteriser has one lock a process: threads of several workers would only be in one another's way.
        if options.workers != 1, environment["LP_NUM_THREADS"] == nil { environment["LP_NUM_THREADS"] = "0" }
        // A crash is told in a line, and the next worker starts at once; Swift's account of it takes a second and pages.
        if environment["SWIFT_BACKTRACE"] == nil { environment["SWIFT_BACKTRACE"] = "enable=no" }
        command = WorkerProcess.Command(
            path: options.program, arguments: options.arguments, environment: environment.map { "\($0)=\($1)" }.sorted(),
            kept: record.file.number)
    }

    /// Draws what there is to draw.
    /// - Parameter signals: Those that end it early; nil for none.
    /// - Returns: What came of it, and why it ended early, if that was no signal.
    package func run(_ signals: EndingSignals? = nil) -> (summary: BatchSummary, stop: BatchError?) {
        self.signals = signals
        // A worker that dies closes its pipe; that is to be an error of the write, and not the death of the whole batch.
        Glibc.signal(SIGPIPE, SIG_IGN)
        for problem in failures { tell(.failed(problem)) }
        if waiting > 0 { startWorkers() }
        while !isOver {
            wait()
            if isKilled { break }
            for slot in slots { feed(slot) }
        }
        endWorkers()
        do throws(BatchError) {
            try BatchFailure.write(failures, to: Self.failuresPath(options))
        } catch {
            stop = stop ?? error
        }
        summary.failed = failures.count
        summary.isInterrupted = isEnding && summary.left > 0
        summary.seconds = (ContinuousClock.now - begun).seconds
        summary.stages = statistics.summary
        return (summary, stop)
    }

    /// Where the list of failures is.
    package static func failuresPath(_ options: BatchOptions) -> String {
        "\(options.folder)/failures\(options.shard.suffix).jsonl"
    }

    private var isOver: Bool {
        let isAtWork = slots.contains { !$0.inHand.isEmpty }
        return isEnding ? !isAtWork : waiting == 0 && !isAtWork
    }

    /// Begins nothing any more; a worker that is not ready yet is not waited for.
    func end(_ reason: BatchError? = nil) {
        stop = stop ?? reason
        guard !isEnding else { return }
        isEnding = true
        let inHand = slots.reduce(0) { $0 + $1.inHand.count }
        if reason == nil { tell(.ending(inHand: inHand)) }
    }
}

// MARK: - Waiting

extension Supervisor {
    /// Waits until something happens, and deals with all that has.
    private func wait() {
        var polled: [pollfd] = []
        if let signals { polled.append(pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)) }
        for process in slots.compactMap(\.process) {
            if let output = process.output { polled.append(pollfd(fd: output.number, events: Int16(POLLIN), revents: 0)) }
            if let errors = process.errors { polled.append(pollfd(fd: errors.number, events: Int16(POLLIN), revents: 0)) }
            if process.hasOutgoing, let input = process.input {
                polled.append(pollfd(fd: input.number, events: Int16(POLLOUT), revents: 0))
            }
        }
        let before = ContinuousClock.now
        let until = slots.compactMap(deadline).reduce(nextProgress, min)
        let milliseconds = max(0, min(60_000, ((until - before).seconds * 1000).rounded(.up)))
        _ = poll(&polled, nfds_t(polled.count), Int32(milliseconds))
        let now = ContinuousClock.now
        // Stopped by the user, or asleep with the machine: so were the workers, nobody knows when, and so they begin anew.
        if now - before - .milliseconds(Int(milliseconds)) > .seconds(1) {
            for slot in slots { slot.began = now }
        }
        if let signals { readSignals(signals) }
        for slot in slots { attend(slot) }
        for slot in slots where deadline(slot).map({ $0 <= ContinuousClock.now }) == true { expire(slot) }
        if now >= nextProgress {
            tellProgress(now)
            nextProgress = now + options.progressInterval
        }
    }

    /// When the worker has been too long at what it does; nil when it does nothing.
    private func deadline(_ slot: WorkerSlot) -> ContinuousClock.Instant? {
        switch slot.state {
        case .starting: slot.began + options.startDeadline
        case .ready: slot.inHand.isEmpty ? nil : slot.began + options.deadline
        case .ended: nil
        }
    }

    /// The first signal has what is begun finished; another kills.
    private func readSignals(_ signals: EndingSignals) {
        while let signal = signals.next() {
            // The terminal's end comes along with others, and is no second thought of the user's.
            if isEnding, signal != SIGHUP { isKilled = true }
            end()
        }
    }

    private func tellProgress(_ now: ContinuousClock.Instant) {
        var progress = BatchProgress()
        progress.jobs = summary.jobs
        progress.done = summary.done
        progress.skipped = summary.skipped
        progress.failed = failures.count
        progress.rate = meter.rate(summary.done, at: now)
        tell(.progress(progress))
    }

    private func endWorkers() {
        for slot in slots {
            guard let process = slot.process else { continue }
            if isKilled || slot.state == .starting {
                abandon(slot, process)
            } else {
                process.send(WorkerFrame.end)
                process.closeInput()
            }
        }
        for slot in slots {
            guard let process = slot.process else { continue }
            _ = process.reap()
            tellWords(slot, process)
            slot.process = nil
        }
    }
}

// MARK: - The folder

extension Supervisor {
    /// Makes a folder, and those that it is in.
    private static func makeFolder(_ path: String) throws(BatchError) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else { throw .cannotWrite(path: path, errno: ENOTDIR) }
            return
        }
        var part = path.hasPrefix("/") ? "/" : ""
        for component in path.split(separator: "/") {
            part += part.isEmpty || part == "/" ? "\(component)" : "/\(component)"
            guard mkdir(part, 0o777) == 0 || errno == EEXIST || errno == EISDIR else { throw .cannotWrite(path: path, errno: errno) }
        }
    }

    /// Whether the folder takes what has the size of a picture: nil, or the error.
    func probe() -> BatchError? {
        let path = "\(options.folder)/.waymark-batch\(options.shard.suffix).probe"
        guard let file = Descriptor(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW) else {
            return .cannotWrite(path: options.folder, errno: errno)
        }
        let isWritten = file.write([UInt8](repeating: 0x20, count: max(1 << 16, largestPicture)))
        let code = errno
        unlink(path)
        return isWritten ? nil : .cannotWrite(path: options.folder, errno: code)
    }
}
