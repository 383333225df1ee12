import Waymark
import WaymarkGPU
import WaymarkSceneFiles
import WaymarkSystem

// Starting workers, reading their messages, and replacing them.
extension Supervisor {
    /// Starts as many workers as are wanted and have something to do.
    func startWorkers() {
        if let workers = options.workers { wanted = workers }
        let unfinished = slots.reduce(waiting) { $0 + $1.inHand.count }
        while slots.count < min(wanted, unfinished), !isEnding {
            let slot = WorkerSlot(number: slots.count + 1)
            slots.append(slot)
            start(slot)
        }
        summary.workers = max(summary.workers, slots.count { $0.state != .ended })
    }

    /// - Parameter reason: Why the worker in whose place it starts has ended.
    private func start(_ slot: WorkerSlot, after reason: String? = nil) {
        slot.state = .starting
        slot.hasDevice = false
        slot.began = .now
        slot.firstLine = nil
        do throws(SystemError) {
            let process = try WorkerProcess(command)
            if let reason {
                summary.restarts += 1
                report(.restarted(worker: slot.number, reason: reason))
            }
            slot.process = process
            process.send(sceneMessage)
        } catch {
            slot.refusals += 1
            let fault = WorkerReply.Fault(code: 70, message: "cannot start a worker: \(error)")
            if let reason, reason != fault.message { report(.lost(worker: slot.number, reason: reason)) }
            giveUpOrRestart(slot, fault)
        }
    }

    /// Reads a worker's messages, and notices when it has ended.
    func attend(_ slot: WorkerSlot) {
        guard let process = slot.process else { return }
        process.flush()
        do throws(FrameError) {
            let isOpen = try process.read { (reply) throws(FrameError) in try hear(reply, slot) }
            reportErrorLines(slot, process)
            if !isOpen { lost(slot, process) }
        } catch {
            process.kill()
            lost(slot, process, because: "said what is not the protocol: \(error)")
        }
    }

    private func hear(_ reply: WorkerReply, _ slot: WorkerSlot) throws(FrameError) {
        switch reply {
        case .hello(let hello):
            guard slot.state == .starting, hello.protocolVersion == WorkerReply.protocolVersion else {
                throw FrameError("a hello of protocol \(hello.protocolVersion)")
            }
            slot.hasDevice = true
            warnOfCache(hello.renderer)
            // The first worker's device decides how many more there are.
            let workers = options.workers(on: hello.renderer)
            if wanted < workers {
                wanted = workers
                startWorkers()
            }
        case .fatal(let fault):
            slot.fault = fault
        case .ready(let warnings):
            guard slot.state == .starting else { throw FrameError("a ready when nothing was asked") }
            for warning in warnings { warnOfScene(warning) }
            if options.isStrict, let warning = warnings.first {
                // Every picture would have it.
                return end(.worker(code: 65, message: (options.scene.map { "\($0.name): " } ?? "") + warning))
            }
            slot.state = .ready
            slot.refusals = 0
            slot.kills = 0
        case .error(let fault):
            // The scene is the same for all workers.
            end(.worker(code: fault.code, message: fault.message))
        case .done(let done):
            finish(try answered(slot, done.number), done)
        case .report: throw FrameError("an answer to a question that was not asked")
        case .failed(let failed):
            fail(try answered(slot, failed.number), failed.fault)
        }
    }

    /// Without a shader cache, every worker compiles all shaders.
    private func warnOfCache(_ renderer: String) {
        guard !isCacheChecked else { return }
        isCacheChecked = true
        guard ContextInfo.isSoftware(renderer: renderer), let cache = MachineFacts.unwritableShaderCache else { return }
        report(.machineWarning("\(cache) is not writable: every worker compiles all shaders; XDG_CACHE_HOME names another folder"))
    }

    /// The job that a worker has answered; it begins the next in its queue.
    private func answered(_ slot: WorkerSlot, _ number: Int) throws(FrameError) -> Int {
        guard let entry = slot.inHand.first, entry == number else { throw FrameError("an answer to a job that it does not have") }
        slot.inHand.removeFirst()
        slot.began = .now
        slot.firstLine = nil
        return entry
    }

    func reportErrorLines(_ slot: WorkerSlot, _ process: WorkerProcess) {
        for line in process.readErrorLines() where line != slot.fault.map({ "error: \($0.message)" }) {
            slot.firstLine = slot.firstLine ?? line
            report(.output(worker: slot.number, line))
        }
    }

    /// Kills a worker that has exceeded its deadline.
    func expire(_ slot: WorkerSlot) {
        guard let process = slot.process else { return }
        process.kill()
        let limit = (slot.state == .starting ? options.startDeadline : options.deadline).seconds.plainText
        if slot.state == .starting, !slot.hasDevice {
            // A driver that hangs: the machine lacks something, whatever the jobs are.
            lost(slot, process, because: "had not opened its device within \(limit) s", code: Self.unopened)
        } else {
            lost(slot, process, because: "was not done within \(limit) s", code: 75)
        }
    }

    /// The exit code of sysexits for a device that cannot be opened.
    private static let unopened = 69

    /// Kills a worker without waiting for its job.
    func abandon(_ slot: WorkerSlot, _ process: WorkerProcess) {
        process.kill()
        waiting += slot.inHand.count
        for entry in slot.inHand { removeLeftover(entry) }
        slot.inHand = []
        slot.state = .ended
    }

    /// Handles the end of a worker: retries or fails its job, returns its queue, and replaces it.
    private func lost(_ slot: WorkerSlot, _ process: WorkerProcess, because reason: String? = nil, code: Int = 70) {
        let end = process.reap()
        reportErrorLines(slot, process)
        slot.process = nil
        let fate = reason ?? end.description
        let detail = (slot.firstLine ?? slot.fault?.message).map { ": \($0)" } ?? ""
        guard slot.state == .ready else {
            if case .signal = end, reason == nil, slot.fault == nil { slot.kills += 1 } else { slot.refusals += 1 }
            let moment = code == Self.unopened ? "" : " before it had started"
            return giveUpOrRestart(slot, slot.fault ?? WorkerReply.Fault(code: code, message: "a worker \(fate)\(moment)\(detail)"))
        }
        let inHand = slot.inHand
        slot.inHand = []
        returned += inHand.dropFirst()
        waiting += inHand.dropFirst().count
        if let entry = inHand.first {
            removeLeftover(entry)
            tries[entry, default: 0] += 1
            if tries[entry] == 2 {
                fail(entry, code: code, "the worker \(fate), twice\(detail)")
            } else {
                waiting += 1
                slot.retry = entry
            }
        }
        restart(slot, fate)
    }

    private func restart(_ slot: WorkerSlot, _ reason: String) {
        slot.fault = nil
        guard !isEnding, waiting > 0 else {
            slot.state = .ended
            return
        }
        start(slot, after: reason)
    }

    /// A worker that reports that it cannot start is tried twice; one that was killed while starting, more often, since that says nothing
    /// about the next. Then the others continue without it; without others, the batch ends.
    private func giveUpOrRestart(_ slot: WorkerSlot, _ fault: WorkerReply.Fault) {
        guard slot.refusals >= 2 || slot.kills >= 8 else { return restart(slot, fault.message) }
        slot.state = .ended
        if let retry = slot.retry {
            returned.append(retry)
            slot.retry = nil
        }
        if slots.contains(where: { $0.state == .ready }) {
            report(.retired(worker: slot.number, reason: fault.message))
        } else if !slots.contains(where: { $0.state == .starting }) {
            self.end(.worker(code: fault.code, message: fault.message))
        }
    }
}
