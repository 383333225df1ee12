import Waymark

// Assigning jobs, and handling their results.
extension Supervisor {
    /// Sends a worker as many jobs as it can queue.
    func feed(_ slot: WorkerSlot) {
        guard slot.state == .ready, let process = slot.process, !isEnding else { return }
        while slot.inHand.count < WorkerSlot.mostInHand {
            // Towards the end, a queued job could be started by another, idle worker.
            if slot.inHand.count == 1, waiting < slots.count { return }
            guard let entry = next(slot) else { return }
            guard let line = index.line(entry) else {
                fail(entry, code: 66, "the line is no longer what it was when the batch began")
                continue
            }
            if slot.inHand.isEmpty { slot.began = .now }
            slot.inHand.append(entry)
            process.send(WorkerFrame.job(line, number: entry, folder: options.folder, defaults: options.defaults))
        }
    }

    /// Takes the next job for a worker.
    private func next(_ slot: WorkerSlot) -> Int? {
        if let entry = slot.retry {
            slot.retry = nil
            waiting -= 1
            return entry
        }
        if !returned.isEmpty {
            waiting -= 1
            return returned.removeFirst()
        }
        while cursor < index.entries.count, isFinished[cursor] { cursor += 1 }
        guard cursor < index.entries.count else { return nil }
        waiting -= 1
        cursor += 1
        return cursor - 1
    }

    /// Handles a finished picture.
    func finish(_ entry: Int, _ done: WorkerReply.Done) {
        isFinished[entry] = true
        summary.done += 1
        summary.bytes += done.size
        largestPicture = max(largestPicture, done.size)
        statistics.add(done.times)
        for warning in done.sceneWarnings { warnOfScene(warning) }
        // Equal ones are reported once, and counted at the end.
        for warning in done.warnings where warnings.add(warning, entry: entry) {
            report(.warning(line: Int(index.entries[entry].line), id: index.id(entry), warning))
        }
        // Once, whichever worker and job it was.
        for warning in done.deviceWarnings where deviceWarnings.insert(warning).inserted { report(.machineWarning(warning)) }
        do throws(BatchError) {
            try record.add(
                id: index.id(entry), output: done.output, fingerprint: index.entries[entry].fingerprint, size: done.size,
                warnings: done.warnings)
        } catch {
            // The picture is drawn but cannot be recorded: the disk is full.
            return end(error)
        }
        report(
            .done(
                BatchPicture(
                    line: Int(index.entries[entry].line), id: index.id(entry), output: done.output, width: done.width,
                    height: done.height, size: done.size)))
    }

    /// Reports a warning of the base scene, of which every worker tells, once.
    func warnOfScene(_ warning: String) {
        guard sceneWarnings.insert(warning).inserted else { return }
        report(.sceneWarning((options.scene.map { "\($0.name): " } ?? "") + warning))
    }

    /// Handles a job that a worker reports as failed.
    func fail(_ entry: Int, _ fault: WorkerReply.Fault) {
        if fault.code == 73 {
            // Can this one file not be written, or none any more? In the latter case every further job would fail, too.
            if let error = probe() {
                waiting += 1
                return end(error)
            }
        }
        fail(entry, code: fault.code, fault.message)
    }

    func fail(_ entry: Int, code: Int, _ message: String) {
        isFinished[entry] = true
        let failure = BatchFailure(line: Int(index.entries[entry].line), id: index.id(entry), code: code, message: message)
        failures.append(failure)
        report(.failed(failure))
    }

    /// Removes the unfinished picture of a worker that ended.
    func removeLeftover(_ entry: Int) {
        guard let line = index.line(entry), let job = try? BatchJob(line: line, defaults: options.defaults) else { return }
        OutputFolder(path: options.folder).removeLeftover(of: job.output)
    }
}
