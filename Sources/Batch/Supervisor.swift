import Glibc
import Waymark
import WaymarkSystem

/// Draws a batch: starts workers, assigns jobs, replaces workers that fail, and keeps the record.
///
/// It is one event loop over the workers' messages, without threads of its own, and never blocks on a single worker. The thread that runs
/// it must live as long as the batch: the workers die with that thread.
///
/// It does not use swift-subprocess, which on Linux has no hook before exec (as of 1.0.2), so that workers would outlive a killed parent,
/// and whose monitor threads and tasks would stand between this loop and its pipes.
package final class Supervisor {
    let options: BatchOptions
    let index: JobIndex
    private let listener: (BatchEvent) -> Void
    let record: BatchRecord
    var slots: [WorkerSlot] = []
    /// By job: whether it is done, in this run or before, or failed.
    var isFinished: [Bool]
    /// The next job that was never assigned.
    var cursor = 0
    /// Jobs in the queue of a worker that ended before it began them.
    var returned: [Int] = []
    /// By job: how often a worker ended while drawing it.
    var tries: [Int: Int] = [:]
    /// The number of jobs that are neither finished nor assigned.
    var waiting = 0
    var failures: [BatchFailure]
    var warnings = BatchWarnings()
    /// The warnings of the base scene that were reported.
    var sceneWarnings: Set<String> = []
    var summary = BatchSummary()
    var statistics = StageStatistics()
    var largestPicture = 0
    /// The number of workers to run. Until the first has reported its device, as many as on any device.
    var wanted = min(2, ProcessorCount.current.usable)
    var isCacheChecked = false
    /// The warnings of devices that were reported.
    var deviceWarnings: Set<String> = []
    /// Whether no further job is assigned; `stop` is the reason.
    var isEnding = false
    var stop: BatchError?
    private var isKilled = false
    private var signals: EndingSignals?
    private var meter = RateMeter()
    private let begun = ContinuousClock.now
    private var nextProgress: ContinuousClock.Instant
    /// The first message to every worker.
    let sceneMessage: [UInt8]
    let command: ChildProcess.Command

    /// Creates the output folder, and reads which jobs are done.
    /// - Throws: `cannotWrite`, `isBusy`.
    package init(_ index: JobIndex, options: BatchOptions, report: @escaping (BatchEvent) -> Void) throws(BatchError) {
        self.index = index
        self.options = options
        listener = report
        do throws(SystemError) {
            try FileSystem.makeFolder(options.folder)
        } catch {
            throw .cannotWrite(path: options.folder, errno: error.errno)
        }
        try Self.checkInputs(options)
        record = try BatchRecord(folder: options.folder, shard: options.shard, patience: options.patience)
        if options.isResuming {
            let done = try record.done(index, folder: options.folder)
            isFinished = done.jobs
            for (entry, texts) in done.warnings.sorted(by: { $0.key < $1.key }) {
                for text in texts { _ = warnings.add(text, entry: entry) }
            }
        } else {
            try record.clear()
            isFinished = [Bool](repeating: false, count: index.entries.count)
        }
        // If this run is killed, an old list must not be mistaken for its own.
        try BatchFailure.write([], to: Self.failuresPath(options))
        try BatchWarnings().write(index, to: Self.warningsPath(options))
        failures = index.problems
        summary.jobs = index.count
        summary.skipped = isFinished.count { $0 }
        waiting = isFinished.count - summary.skipped
        nextProgress = begun + options.progressInterval
        sceneMessage =
            options.scene.map {
                WorkerFrame.scene(
                    bytes: $0.bytes, name: $0.name, folder: $0.folder, settings: options.settings, inputs: options.inputs)
            }
            ?? WorkerFrame.scene(
                bytes: JobRenderer.emptyScene, folder: "", settings: options.settings, inputs: options.inputs)
        var environment = options.environment
        // Mesa's rasterizer has one lock per process: with several workers, more threads would only compete.
        if options.workers != 1, environment["LP_NUM_THREADS"] == nil { environment["LP_NUM_THREADS"] = "0" }
        // A crash is reported in one line, and the worker replaced at once; Swift's backtrace takes a second and fills pages.
        if environment["SWIFT_BACKTRACE"] == nil { environment["SWIFT_BACKTRACE"] = "enable=no" }
        command = ChildProcess.Command(
            path: options.program, arguments: options.arguments, environment: environment.map { "\($0)=\($1)" }.sorted(),
            kept: record.file.number)
    }

    /// Draws all jobs that are not done.
    /// - Parameter signals: The signals that end it early; nil for none.
    /// - Returns: The summary, and the error that ended it early, if any.
    package func run(_ signals: EndingSignals? = nil) -> (summary: BatchSummary, stop: BatchError?) {
        self.signals = signals
        // A worker that dies closes its pipe: writing to it must fail, not kill the batch.
        Glibc.signal(SIGPIPE, SIG_IGN)
        report(.begun(jobs: summary.jobs, skipped: summary.skipped))
        for problem in failures { report(.failed(problem)) }
        if waiting > 0 { startWorkers() }
        while !isOver {
            wait()
            if isKilled { break }
            for slot in slots { feed(slot) }
        }
        endWorkers()
        do throws(BatchError) {
            try BatchFailure.write(failures, to: Self.failuresPath(options))
            try warnings.write(index, to: Self.warningsPath(options))
        } catch {
            stop = stop ?? error
        }
        summary.failed = failures.count
        summary.warnings = warnings.count
        summary.repeatedWarnings = warnings.repeated
        summary.isInterrupted = isEnding && summary.left > 0
        summary.seconds = (ContinuousClock.now - begun).seconds
        summary.stages = statistics.summary
        return (summary, stop)
    }

    /// The path of the list of failures.
    package static func failuresPath(_ options: BatchOptions) -> String {
        "\(options.folder)/failures\(options.shard.suffix).jsonl"
    }

    /// The path of the list of warnings.
    package static func warningsPath(_ options: BatchOptions) -> String {
        "\(options.folder)/warnings\(options.shard.suffix).jsonl"
    }

    /// Reports an event. Whoever hears it may take long, as when it is written to a pipe that nobody reads: as long as that, nobody reads the
    /// workers' answers either, and their deadlines stand still.
    func report(_ event: BatchEvent) {
        let before = ContinuousClock.now
        listener(event)
        let pause = ContinuousClock.now - before
        for slot in slots { slot.began += pause }
    }

    private var isOver: Bool {
        let isAtWork = slots.contains { !$0.inHand.isEmpty }
        return isEnding ? !isAtWork : waiting == 0 && !isAtWork
    }

    /// Assigns no further jobs, and does not wait for workers that are still starting.
    func end(_ reason: BatchError? = nil) {
        stop = stop ?? reason
        guard !isEnding else { return }
        isEnding = true
        let inHand = slots.reduce(0) { $0 + $1.inHand.count }
        if reason == nil { report(.ending(inHand: inHand)) }
    }
}

// MARK: - Waiting

extension Supervisor {
    /// Waits for the next event, and handles all that have happened.
    private func wait() {
        var reading = signals.map { [$0.descriptor] } ?? []
        var writing: [CInt] = []
        for process in slots.compactMap(\.process) {
            reading += process.reading
            if let descriptor = process.writing { writing.append(descriptor) }
        }
        let before = ContinuousClock.now
        let until = slots.compactMap(deadline).reduce(nextProgress, min)
        let milliseconds = max(0, min(60_000, ((until - before).seconds * 1000).rounded(.up)))
        DescriptorPoll.wait(reading: reading, writing: writing, milliseconds: Int(milliseconds))
        let now = ContinuousClock.now
        // The process was stopped, or the machine asleep, and the workers likewise: their deadlines start again.
        if now - before - .milliseconds(Int(milliseconds)) > .seconds(1) {
            for slot in slots { slot.began = now }
        }
        if let signals { readSignals(signals) }
        for slot in slots { attend(slot) }
        for slot in slots where deadline(slot).map({ $0 <= ContinuousClock.now }) == true { expire(slot) }
        if now >= nextProgress {
            reportProgress(now)
            nextProgress = now + options.progressInterval
        }
    }

    /// The deadline of the worker's current task; nil when it is idle.
    private func deadline(_ slot: WorkerSlot) -> ContinuousClock.Instant? {
        switch slot.state {
        case .starting: slot.began + options.startDeadline
        case .ready: slot.inHand.isEmpty ? nil : slot.began + options.deadline
        case .ended: nil
        }
    }

    /// The first signal lets assigned jobs finish; another kills the workers.
    private func readSignals(_ signals: EndingSignals) {
        while let signal = signals.next() {
            // SIGHUP of a closing terminal comes along with other signals and is no second request.
            if isEnding, signal != SIGHUP { isKilled = true }
            end()
        }
    }

    private func reportProgress(_ now: ContinuousClock.Instant) {
        var progress = BatchProgress()
        progress.jobs = summary.jobs
        progress.done = summary.done
        progress.skipped = summary.skipped
        progress.failed = failures.count
        progress.rate = meter.rate(summary.done, at: now)
        report(.progress(progress))
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
            reportErrorLines(slot, process)
            slot.process = nil
        }
    }
}

// MARK: - The folder

extension Supervisor {
    /// Refuses a batch that reads what it would write: the list of failures of an earlier one as its jobs, for instance.
    private static func checkInputs(_ options: BatchOptions) throws(BatchError) {
        let inputs = InputRecord()
        for input in options.inputs { inputs.note(input) }
        for path in [failuresPath(options), BatchRecord.path(options.folder, options.shard)] {
            if let input = inputs.input(replacedBy: path) { throw .replacesInput(path: path, input: input.name) }
        }
    }

    /// Whether the folder has room for a file of a picture's size: nil, or the error.
    func probe() -> BatchError? {
        let path = "\(options.folder)/.waymark-batch\(options.shard.suffix).probe"
        do throws(SystemError) {
            let file = try OpenFile(path, .write, [.create, .truncate, .noFollow])
            defer { try? FileSystem.remove(path) }
            try file.write([UInt8](repeating: 0x20, count: max(1 << 16, largestPicture)))
            return nil
        } catch {
            return .cannotWrite(path: options.folder, errno: error.errno)
        }
    }
}
