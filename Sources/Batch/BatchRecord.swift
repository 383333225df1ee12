import Glibc
import Waymark
import WaymarkSceneFiles
import WaymarkSystem

/// The finished pictures of a batch, one per line, in a file in its output folder. An interrupted batch resumes from it.
///
/// The file stays locked while the batch or one of its workers lives, so that no two batches write the same pictures. A worker that
/// outlives its killed parent for a moment still holds the lock, and the next batch waits for it.
final class BatchRecord {
    let path: String
    let file: OpenFile

    /// Opens or creates the record of a folder.
    /// - Parameter patience: How long to wait for the lock.
    init(folder: String, shard: Shard, patience: Duration) throws(Failure) {
        path = Self.path(folder, shard)
        do throws(SystemError) {
            file = try OpenFile(path, .readAndWrite, [.create, .append, .noFollow])
        } catch {
            throw .cannotWrite(path: folder, errno: error.errno)
        }
        let begun = ContinuousClock.now
        // On file systems without locks, draw anyway.
        while (try? file.tryLock()) == false {
            guard ContinuousClock.now - begun < patience else { throw .isBusy(path: folder) }
            usleep(20_000)
        }
    }

    /// The path of the record in a folder.
    static func path(_ folder: String, _ shard: Shard) -> String { "\(folder)/.waymark-batch\(shard.suffix).jsonl" }

    /// Removes all lines.
    func clear() throws(Failure) {
        try truncate(to: 0)
    }

    private func truncate(to size: Int) throws(Failure) {
        do throws(SystemError) { try file.truncate(to: size) } catch { throw .cannotWrite(path: path, errno: error.errno) }
    }

    /// Records a finished picture.
    func add(id: String, output: String, fingerprint: Fingerprint, size: Int, warnings: [String]) throws(Failure) {
        let line = JSONWriter.object {
            $0.member("id", id)
            $0.member("output", output)
            $0.member("fingerprint", fingerprint.text)
            $0.member("bytes", size)
            if !warnings.isEmpty { $0.member("warnings", warnings) }
        }
        do throws(SystemError) { try file.write(line + [0x0A]) } catch { throw .cannotWrite(path: path, errno: error.errno) }
    }

    /// Finds the jobs of an index that are done: they are recorded with their present fingerprint, and the file still has the recorded
    /// size. An incomplete last line is cut off; other invalid lines are skipped.
    /// - Returns: Whether each job is done, and the warnings of done jobs, keyed by job.
    func done(_ index: JobIndex, folder: String) throws(Failure) -> (jobs: [Bool], warnings: [Int: [String]]) {
        var done = [Bool](repeating: false, count: index.entries.count)
        var warnings: [Int: [String]] = [:]
        var wholeLines = 0
        let size = (try? file.status.size) ?? 0
        let lines = JobFile(record: file, name: path)
        try lines.forEachLine { (_, offset, bytes) throws(Failure) in
            guard let bytes, offset + bytes.count < size else { return }
            wholeLines = offset + bytes.count + 1
            guard let document = try? JSONDocument(parsing: Array(bytes)), let id = document.root["id"]?.string,
                let entry = index.entry(id: id), let output = document.root["output"]?.string,
                let path = try? OutputPath(output).path, let recorded = document.root["bytes"]?.int
            else { return }
            warnings[entry] = document.root["warnings"]?.elements.map { $0.compactMap(\.string) }
            // The last line of a job counts: an older one may be about a picture that was replaced since.
            done[entry] =
                document.root["fingerprint"]?.string == index.entries[entry].fingerprint.text && Self.size("\(folder)/\(path)") == recorded
        }
        try truncate(to: wholeLines)
        return (done, warnings.filter { done[$0.key] })
    }

    /// The size of a regular file; nil if it does not exist.
    private static func size(_ path: String) -> Int? {
        guard let status = try? FileStatus(path, followsLinks: false), status.form == .regular else { return nil }
        return status.size
    }
}
