// Jobs given out, and what became of them.
extension Supervisor {
    /// Gives a worker what it can take.
    func feed(_ slot: WorkerSlot) {
        guard slot.state == .ready, let process = slot.process, !isEnding else { return }
        while slot.inHand.count < WorkerSlot.mostInHand {
            // Towards the end, a job in one worker's queue would be one that another could begin.
            if slot.inHand.count == 1, waiting < slots.count { return }
            guard let entry = next(slot) else { return }
            guard let line = index.line(entry) else {
                fail(entry, code: 66, "the line is no longer what it was when the batch began")
                continue
            }
            if slot.inHand.isEmpty { slot.began = .now }
            slot.inHand.append(entry)
            process.send(WorkerFrame.job(line, number: entry, folder: options.folder))
        }
    }

    /// The next job for a worker, which is waiting no more.
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

    /// A picture is there.
    func finish(_ entry: Int, _ done: WorkerReply.Done) {
        isFinished[entry] = true
        summary.done += 1
        summary.bytes += done.size
        largestPicture = max(largestPicture, done.size)
        statistics.add(done.times)
        for warning in done.warnings {
            tell(.warning(line: Int(index.entries[entry].line), id: index.id(entry), warning))
        }
        do throws(BatchError) {
            try record.add(
                id: index.id(entry), output: done.output, fingerprint: index.entries[entry].fingerprint, size: done.size)
        } catch {
            // Drawn, but who resumes will not know: the disk is full.
            end(error)
        }
    }

    /// A worker says that there is no picture.
    func fail(_ entry: Int, _ fault: WorkerReply.Fault) {
        if fault.code == 73 {
            // One file that cannot be made, or none any more? In the latter case the job is not to blame, and no other would fare better.
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
        tell(.failed(failure))
    }

    /// Removes what a worker that is gone may have left of its picture.
    func removeLeftover(_ entry: Int) {
        guard let line = index.line(entry), let job = try? BatchJob(line: line) else { return }
        OutputFolder(path: options.folder).removeLeftover(of: job.output)
    }
}
