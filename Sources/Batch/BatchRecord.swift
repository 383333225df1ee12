import Glibc
import Waymark
import WaymarkSceneFiles
import WaymarkSystem

/// The finished pictures of a batch, one per line, in a file in its output folder. An interrupted batch resumes from it.
///
/// The file stays locked while the batch or one of its workers lives, so that no two batches write the same pictures. A worker that
/// outlives its killed parent for a moment still holds the lock, and the next batch waits for it.
///
/// A line with the fingerprints of the base scene and the options precedes the pictures that were drawn with them. The line only serves
/// to explain why pictures are drawn again.
final class BatchRecord {
    let path: String
    let file: OpenFile
    private let base: BaseFingerprints
    /// The last recorded fingerprints.
    private var recordedBase: BaseFingerprints?

    /// The fingerprints of the base scene and of the options.
    private struct BaseFingerprints: Equatable {
        var scene: String
        var options: String
    }

    /// Opens or creates the record of a folder.
    init(_ options: BatchOptions) throws(Failure) {
        let (folder, patience) = (options.folder, options.patience)
        path = Self.path(folder, options.shard)
        base = BaseFingerprints(scene: options.sceneFingerprint.text, options: options.optionsFingerprint.text)
        do throws(SystemError) {
            file = try OpenFile(path, .readAndWrite, [.create, .append, .noFollow])
        } catch {
            throw .cannotWrite(path: folder, errno: error.errno)
        }
        let begun = ContinuousClock.now
        // On file systems without locks, the batch draws anyway.
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
        recordedBase = nil
    }

    private func truncate(to size: Int) throws(Failure) {
        do throws(SystemError) { try file.truncate(to: size) } catch { throw .cannotWrite(path: path, errno: error.errno) }
    }

    /// Records a finished picture.
    func add(id: String, output: String, fingerprint: Fingerprint, size: Int, warnings: [String]) throws(Failure) {
        if recordedBase != base {
            try write(
                JSONWriter.object {
                    $0.member("scene", base.scene)
                    $0.member("options", base.options)
                })
            recordedBase = base
        }
        let line = JSONWriter.object {
            $0.member("id", id)
            $0.member("output", output)
            $0.member("fingerprint", fingerprint.text)
            $0.member("bytes", size)
            if !warnings.isEmpty { $0.member("warnings", warnings) }
        }
        try write(line)
    }

    private func write(_ line: [UInt8]) throws(Failure) {
        do throws(SystemError) { try file.write(line + [0x0A]) } catch { throw .cannotWrite(path: path, errno: error.errno) }
    }

    /// Finds the jobs of an index that are done: they are recorded with their present fingerprint, and the file still has the recorded
    /// size. An incomplete last line is cut off; other invalid lines are skipped.
    /// - Returns: Whether each job is done, why other recorded jobs are drawn again, and the warnings of done jobs, keyed by job.
    func done(
        _ index: JobIndex, folder: String
    ) throws(Failure) -> (jobs: [Bool], reasons: [RedrawReason?], warnings: [Int: [String]]) {
        var done = [Bool](repeating: false, count: index.entries.count)
        var reasons = [RedrawReason?](repeating: nil, count: index.entries.count)
        var warnings: [Int: [String]] = [:]
        var wholeLines = 0
        let size = (try? file.status.size) ?? 0
        let lines = JobFile(record: file, name: path)
        try lines.forEachLine { (_, offset, bytes) throws(Failure) in
            guard let bytes, offset + bytes.count < size else { return }
            wholeLines = offset + bytes.count + 1
            guard let document = try? JSONDocument(parsing: Array(bytes)) else { return }
            if let scene = document.root["scene"]?.string, let options = document.root["options"]?.string {
                recordedBase = BaseFingerprints(scene: scene, options: options)
            }
            guard let id = document.root["id"]?.string, let entry = index.entry(id: id), let output = document.root["output"]?.string,
                let path = try? OutputPath(output).path, let recorded = document.root["bytes"]?.int
            else { return }
            warnings[entry] = document.root["warnings"]?.elements.map { $0.compactMap(\.string) }
            // The last line of a job counts, because an older line may describe a picture that was since replaced.
            if document.root["fingerprint"]?.string != index.entries[entry].fingerprint.text {
                reasons[entry] = changeOfJob
            } else {
                let size = Self.size("\(folder)/\(path)")
                reasons[entry] = size == nil ? .missingFile : size == recorded ? nil : .changedFile
            }
            done[entry] = reasons[entry] == nil
        }
        try truncate(to: wholeLines)
        return (done, reasons, warnings.filter { done[$0.key] })
    }

    /// The reason why a picture that was recorded with `recordedBase` has a different fingerprint now.
    private var changeOfJob: RedrawReason {
        guard let recordedBase, recordedBase != base else { return .job }
        return recordedBase.scene == base.scene ? .options : .scene
    }

    /// The size of a regular file; nil if it does not exist.
    private static func size(_ path: String) -> Int? {
        guard let status = try? FileStatus(path, followsLinks: false), status.form == .regular else { return nil }
        return status.size
    }
}
