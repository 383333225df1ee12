import Glibc
import WaymarkSceneFiles

/// What a batch has done, a line a picture, in its output folder: a batch that was broken off goes on from there.
///
/// It is locked as long as the batch, or a worker of it, lives, so that no two write the same pictures; a worker that outlives its
/// killed parent for a moment has the lock still, and the next batch waits for it.
final class BatchRecord {
    let path: String
    let file: Descriptor

    /// Opens the record of a folder, or makes it.
    /// - Parameter patience: How long a lock is waited for.
    init(folder: String, shard: Shard, patience: Duration) throws(BatchError) {
        path = "\(folder)/.waymark-batch\(shard.suffix).jsonl"
        guard let file = Descriptor(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW) else { throw .cannotWrite(path: folder, errno: errno) }
        self.file = file
        let begun = ContinuousClock.now
        while flock(file.number, LOCK_EX | LOCK_NB) != 0 {
            // File systems without locks are no reason not to draw.
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            guard ContinuousClock.now - begun < patience else { throw .isBusy(path: folder) }
            usleep(20_000)
        }
    }

    /// Forgets everything.
    func clear() throws(BatchError) {
        guard ftruncate(file.number, 0) == 0 else { throw .cannotWrite(path: path, errno: errno) }
    }

    /// Notes a picture that is there.
    func add(id: String, output: String, fingerprint: Fingerprint, size: Int) throws(BatchError) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("id")
        writer.string(id)
        writer.key("output")
        writer.string(output)
        writer.key("fingerprint")
        writer.string(fingerprint.text)
        writer.key("bytes")
        writer.integer(size)
        writer.endObject()
        guard file.write(writer.bytes + [0x0A]) else { throw .cannotWrite(path: path, errno: errno) }
    }

    /// Which entries of an index are done: recorded with the fingerprint that they have now, and their file is there in the size that it
    /// was written in. A last line that was torn is cut off; other lines that say nothing are passed over.
    func done(_ index: JobIndex, folder: String) throws(BatchError) -> [Bool] {
        var done = [Bool](repeating: false, count: index.entries.count)
        var wholeLines = 0
        let size = file.size
        let lines = JobFile(record: file, name: path)
        try lines.forEachLine { (_, offset, bytes) throws(BatchError) in
            guard let bytes, offset + bytes.count < size else { return }
            wholeLines = offset + bytes.count + 1
            guard let document = try? JSONDocument(parsing: Array(bytes)), let id = document.root["id"]?.string,
                let entry = index.entry(id: id), let output = document.root["output"]?.string,
                let path = try? OutputPath(output).path, let recorded = document.root["bytes"]?.int
            else { return }
            // The last line of a job holds: an older one may tell of a picture that a newer one replaced.
            done[entry] =
                document.root["fingerprint"]?.string == index.entries[entry].fingerprint.text && Self.size("\(folder)/\(path)") == recorded
        }
        guard ftruncate(file.number, off_t(wholeLines)) == 0 else { throw .cannotWrite(path: path, errno: errno) }
        return done
    }

    /// Of a regular file; nil when there is none.
    private static func size(_ path: String) -> Int? {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }
}
