import Glibc
import Waymark
import WaymarkGPU
import WaymarkSceneFiles
import WaymarkSystem

/// Draws a batch: worker processes draw the jobs of a file, and a record lists the finished pictures.
///
/// The sendability is unchecked. It is safe, because only the thread that calls `run` uses the object: the queue delivers its answers on the
/// thread of the supervisor's loop, which is the same. This thread must live as long as the batch, because the workers end with it.
package final class BatchRun: @unchecked Sendable {
    private let options: BatchOptions
    private let index: JobIndex
    private let listener: (BatchEvent) -> Void
    private let record: BatchRecord
    private let queue = WorkerSupervisor<JobTask>.Queue(retries: 1)
    private lazy var supervisor = WorkerSupervisor(queue, workerOptions) { [unowned self] in hear($0) }
    private let content: BatchContent
    /// Whether each job is done (in this run or before) or has failed.
    private var isFinished: [Bool]
    /// The reason why a job that an earlier run drew is drawn again, for each job; empty unless the batch resumes.
    private let redrawReasons: [RedrawReason?]
    /// The next job that was never handed in, the number of such jobs, and the number of handed-in jobs without an answer.
    private var cursor = 0
    private var waiting = 0
    private var handedIn = 0
    private var failures: [BatchFailure]
    private var warnings = BatchWarnings()
    /// The reported warnings of the base scene and of devices.
    private var sceneWarnings: Set<String> = []
    private var deviceWarnings: Set<String> = []
    private var summary = BatchSummary()
    private var statistics = StageStatistics()
    private var largestPicture = 0
    private var isDeviceKnown = false
    /// Whether no further job is started; `stop` is the reason.
    private var isEnding = false
    private var stop: Failure?
    private var meter = RateMeter()
    private let begun = ContinuousClock.now

    /// Creates the output folder, and finds the jobs that are done.
    /// - Throws: `cannotWrite`, `isBusy`, `replacesInput`.
    package init(_ index: JobIndex, options: BatchOptions, report: @escaping (BatchEvent) -> Void) throws(Failure) {
        self.index = index
        self.options = options
        listener = report
        content = BatchContent(index: index, options: options)
        do throws(SystemError) {
            try FileSystem.makeFolder(options.folder)
        } catch {
            throw .cannotWrite(path: options.folder, errno: error.errno)
        }
        try Self.checkInputs(options)
        record = try BatchRecord(options)
        if options.isResuming {
            let done = try record.done(index, folder: options.folder)
            (isFinished, redrawReasons) = (done.jobs, done.reasons)
            for (entry, texts) in done.warnings.sorted(by: { $0.key < $1.key }) {
                for text in texts { _ = warnings.add(text, entry: entry) }
            }
        } else {
            try record.clear()
            (isFinished, redrawReasons) = ([Bool](repeating: false, count: index.entries.count), [])
        }
        // If this run is killed, an old list must not be mistaken for its list.
        try BatchFailure.write([], to: Self.failuresPath(options))
        try BatchWarnings().write(index, to: Self.warningsPath(options))
        failures = index.problems
        summary.jobs = index.count
        summary.skipped = isFinished.count { $0 }
        waiting = isFinished.count - summary.skipped
    }

    private var workerOptions: WorkerSupervisor<JobTask>.Options {
        var command = options.command.sharing(amongst: options.workers)
        command.kept = record.file.number
        var workers = WorkerSupervisor<JobTask>.Options(command)
        workers.clock = options.clock
        (workers.startTime, workers.readTime, workers.taskTime) = (options.startDeadline, options.startDeadline, options.deadline)
        return workers
    }

    /// Draws all unfinished jobs.
    /// - Parameter signals: The signals that end it early; nil for none.
    /// - Returns: The summary, and the failure that ended it early, if any.
    package func run(_ signals: EndingSignals? = nil) -> (summary: BatchSummary, stop: Failure?) {
        // A worker that dies closes its pipe. Writing to it must fail, not kill the batch.
        Glibc.signal(SIGPIPE, SIG_IGN)
        var nextProgress = begun + options.progressInterval
        listener(.begun(jobs: summary.jobs, skipped: summary.skipped))
        for problem in failures { listener(.failed(problem)) }
        supervisor.base = content.scene
        // Until the first worker has reported its device, there are no more workers than suit any device.
        grow(to: options.workers ?? min(2, ProcessorCount.current.usable))
        handIn()
        while handedIn > 0 {
            supervisor.turn(until: nextProgress, reading: signals.map { [$0.descriptor] } ?? [])
            if let signals { readSignals(signals) }
            handIn()
            if nextProgress <= .now {
                reportProgress()
                nextProgress = .now + options.progressInterval
            }
        }
        supervisor.end()
        do throws(Failure) {
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

    /// Makes slots for this many workers, but not more than there are jobs.
    private func grow(to count: Int) {
        supervisor.grow(to: min(count, waiting + handedIn))
        summary.workers = supervisor.workerCount
    }

    /// The first signal lets workers finish their jobs; another one kills them.
    private func readSignals(_ signals: EndingSignals) {
        while let signal = signals.next() {
            // The SIGHUP of a closing terminal comes together with other signals and is not a second request.
            if isEnding, signal != SIGHUP { supervisor.kill() }
            end()
        }
    }

    /// Starts no further jobs, and does not wait for workers that are still starting.
    private func end(_ reason: Failure? = nil) {
        stop = stop ?? reason
        guard !isEnding else { return }
        isEnding = true
        queue.close(finishingAhead: true)
        if reason == nil { listener(.ending(inHand: handedIn)) }
    }

    private func reportProgress() {
        var progress = BatchProgress()
        progress.jobs = summary.jobs
        progress.done = summary.done
        progress.skipped = summary.skipped
        progress.failed = failures.count
        progress.rate = meter.rate(summary.done, at: .now)
        listener(.progress(progress))
    }
}

// MARK: - Jobs

extension BatchRun {
    /// Keeps more jobs queued than the workers can hold.
    private func handIn() {
        let most = 4 * supervisor.workerCount
        while !isEnding, handedIn < most, waiting > 0 {
            while isFinished[cursor] { cursor += 1 }
            let entry = cursor
            cursor += 1
            waiting -= 1
            handedIn += 1
            queue.submit(JobTask(number: entry, content: content), affinity: content.scene.number) { [self] in answered(entry, $0) }
        }
    }

    private func answered(_ entry: Int, _ result: Result<WorkerReply.Done, any Error>) {
        handedIn -= 1
        switch result {
        case .success(let done): finish(entry, done)
        case .failure(let failure as Failure): fail(entry, failure)
        case .failure(let loss as WorkerLoss):
            fail(entry, Failure(loss.isLate ? .incomplete : .software, "the worker \(loss.fate), twice\(loss.detail)"))
        // The batch is ending, and the job stays unfinished.
        case .failure: break
        }
    }

    private func finish(_ entry: Int, _ done: WorkerReply.Done) {
        isFinished[entry] = true
        summary.done += 1
        if !redrawReasons.isEmpty, let reason = redrawReasons[entry] { summary.redrawn[reason, default: 0] += 1 }
        summary.bytes += done.size
        largestPicture = max(largestPicture, done.size)
        statistics.add(done.times)
        for warning in done.sceneWarnings { warnOfScene(warning) }
        // Equal warnings are reported only once. Their number is reported at the end.
        for warning in done.warnings where warnings.add(warning, entry: entry) {
            listener(.warning(line: Int(index.entries[entry].line), id: index.id(entry), warning))
        }
        // These warnings are reported once for all workers and jobs.
        for warning in done.deviceWarnings where deviceWarnings.insert(warning).inserted { listener(.machineWarning(warning)) }
        do throws(Failure) {
            try record.add(
                id: index.id(entry), output: done.output, fingerprint: index.entries[entry].fingerprint, size: done.size,
                warnings: done.warnings)
        } catch {
            // The picture is drawn but cannot be recorded, for instance because the disk is full.
            return end(error)
        }
        listener(
            .done(
                BatchPicture(
                    line: Int(index.entries[entry].line), id: index.id(entry), output: done.output, width: done.width,
                    height: done.height, size: done.size)))
    }

    private func fail(_ entry: Int, _ failure: Failure) {
        // The probe determines whether only this file cannot be written. If no file can be written, further jobs would fail, too, so this
        // job stays unfinished.
        if failure.code == .cannotWrite, let error = probe() { return end(error) }
        isFinished[entry] = true
        let failure = BatchFailure(line: Int(index.entries[entry].line), id: index.id(entry), code: failure.code, message: failure.message)
        failures.append(failure)
        listener(.failed(failure))
    }

    /// Checks that the folder has room for a file of a picture's size. Returns the error, or nil.
    private func probe() -> Failure? {
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

// MARK: - Workers

extension BatchRun {
    private func hear(_ event: WorkerEvent) {
        switch event {
        case .opened(let renderer):
            guard !isDeviceKnown else { break }
            isDeviceKnown = true
            warnOfCache(renderer)
            // The first worker's device decides the number of workers.
            grow(to: options.workers ?? ContextInfo.workers(on: renderer))
        case .read(_, let warnings, _):
            for warning in warnings { warnOfScene(warning) }
            // Every picture would have this warning.
            if options.isStrict, let warning = warnings.first { end(Failure(.badContent, inScene(warning))) }
        // The scene is the same for all workers.
        case .refused(_, let failure, _): end(failure)
        case .failed(let failure, _): end(failure)
        case .output(let worker, let line): listener(.output(worker: worker, line))
        case .restarted(let worker, let reason):
            summary.restarts += 1
            listener(.restarted(worker: worker, reason: reason))
        case .lost(let worker, let reason): listener(.lost(worker: worker, reason: reason))
        case .retired(let worker, let reason): listener(.retired(worker: worker, reason: reason))
        }
    }

    /// Reports a warning of the base scene once, although every worker sends it.
    private func warnOfScene(_ warning: String) {
        if sceneWarnings.insert(warning).inserted { listener(.sceneWarning(inScene(warning))) }
    }

    private func inScene(_ text: String) -> String { (options.scene.map { "\($0.name): " } ?? "") + text }

    /// Without a shader cache, every worker compiles all shaders.
    private func warnOfCache(_ renderer: String) {
        guard ContextInfo.isSoftware(renderer: renderer), let cache = MachineFacts.unwritableShaderCache else { return }
        listener(
            .machineWarning(
                "the shader cache \(cache) is not writable, so every worker compiles all shaders; set XDG_CACHE_HOME to another folder"))
    }
}

// MARK: - The folder

extension BatchRun {
    /// The path of the list of failures.
    package static func failuresPath(_ options: BatchOptions) -> String {
        "\(options.folder)/failures\(options.shard.suffix).jsonl"
    }

    /// The path of the list of warnings.
    package static func warningsPath(_ options: BatchOptions) -> String {
        "\(options.folder)/warnings\(options.shard.suffix).jsonl"
    }

    /// Throws if the batch would overwrite one of its inputs, for instance an earlier list of failures used as the file of jobs.
    private static func checkInputs(_ options: BatchOptions) throws(Failure) {
        let inputs = InputRecord()
        for input in options.inputs { inputs.note(input) }
        for path in [failuresPath(options), BatchRecord.path(options.folder, options.shard)] {
            if let input = inputs.input(replacedBy: path) { throw .replacesInput(path: path, input: input.name) }
        }
    }
}

// MARK: - What workers are sent

/// The data that all jobs of a batch share.
final class BatchContent: Sendable {
    let index: JobIndex
    let folder: String
    let defaults: JobDefaults
    let scene: WorkerScene

    init(index: JobIndex, options: BatchOptions) {
        self.index = index
        folder = options.folder
        defaults = options.defaults
        let scene = options.scene ?? (JobRenderer.emptyScene, "the scene", "")
        let message = WorkerFrame.scene(
            bytes: scene.bytes, name: scene.name, folder: scene.folder, settings: options.settings, inputs: options.inputs)
        self.scene = WorkerScene(number: 1) { [message] }
    }
}

/// A job of a batch, whose line is read when it is sent.
struct JobTask: WorkerTask {
    /// The job's position in the index.
    let number: Int
    let content: BatchContent

    var scene: WorkerScene { content.scene }

    func message() throws(Failure) -> [[UInt8]] {
        guard let line = content.index.line(number) else {
            throw Failure(.noInput, "the line has changed since the batch began")
        }
        return [WorkerFrame.job(line, number: number, folder: content.folder, defaults: content.defaults)]
    }

    func answer(_ frame: WorkerFrame, sceneWarnings: [String]) throws -> WorkerReply.Done {
        switch try WorkerReply(frame) {
        case .done(let done): return done
        case .failed(let failed): throw failed.failure
        default: throw FrameError("it sent an unexpected message of type \(frame.type.quotedBriefly)")
        }
    }

    func removeLeftover() {
        guard let line = content.index.line(number), let job = try? BatchJob(line: line, defaults: content.defaults) else { return }
        OutputFolder(path: content.folder).removeLeftover(of: job.output)
    }
}
