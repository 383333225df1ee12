import Waymark
import WaymarkSceneFiles
import WaymarkSystem

/// How a batch is drawn.
package struct BatchOptions {
    /// The output folder. Created if it is missing.
    package var folder: String
    /// The base scene that every job patches: its bytes, its name in messages, and the folder that its paths start from, ending in `/` or
    /// empty for the working directory; nil for an empty scene.
    package var scene: (bytes: [UInt8], name: String, folder: String)?
    /// The files that the batch reads, the file of jobs and the base scene: no picture and no list replaces them.
    package var inputs: [String] = []
    /// The most workers; nil for one per processor, or two on a GPU.
    package var workers: Int?
    /// How long a worker may take for a job, or to start, before it is killed. Default 60 s.
    package var deadline: Duration = .seconds(60)
    /// The least time that a worker has to start, however short the deadline. Default 5 s.
    package var leastStartDeadline: Duration = .seconds(5)
    /// Whether a job fails that has warnings, and the batch if its base scene has. Default false.
    package var isStrict = false
    /// Whether finished, unchanged pictures are skipped. Default false.
    package var isResuming = false
    package var shard = Shard.whole
    /// A merge patch on the base scene's settings, as JSON; nil for none.
    package var settings: [UInt8]?
    /// What holds for every job that does not say otherwise.
    package var defaults = JobDefaults()
    /// The program that workers run.
    package var command: ChildProcess.Command
    /// How often progress is reported.
    package var progressInterval: Duration = .seconds(10)
    /// How long to wait for another batch in the folder, or for the remains of one, to end.
    package var patience: Duration = .seconds(5)
    /// Tells the time by which deadlines are kept, in tests another than the real one.
    package var clock: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Whatever else than scene and job affects the pictures.
    package var appearance: [String] = []

    package init(folder: String, command: ChildProcess.Command) {
        self.folder = folder
        self.command = command
    }

    /// How long a worker may take to open its device and to read the base scene: as long as for a job, but time enough for a busy machine.
    var startDeadline: Duration { max(deadline, leastStartDeadline) }

    /// The fingerprint of everything that affects pictures except the job. It does not cover the files that a scene names, nor their
    /// location: a folder may be mounted elsewhere the next time.
    package var fingerprint: Fingerprint {
        var fingerprint = Fingerprint()
        fingerprint.add("waymark batch 1")
        fingerprint.add("\(scene?.bytes.count ?? -1)")
        if let scene { fingerprint.add(scene.bytes) }
        if let settings { fingerprint.add(String(decoding: settings, as: UTF8.self)) }
        if defaults != JobDefaults() {
            var writer = JSONWriter()
            writer.beginObject()
            defaults.write(into: &writer)
            writer.endObject()
            fingerprint.add(String(decoding: writer.bytes, as: UTF8.self))
        }
        for text in appearance { fingerprint.add(text) }
        return fingerprint
    }
}

extension BatchOptions {
    /// Reads a base scene once for all workers, so that they agree even if the file changes meanwhile.
    /// - Parameter path: A file; `-` is standard input.
    package static func readScene(_ path: String) throws(Failure) -> (bytes: [UInt8], name: String, folder: String) {
        let kind = InputKind.baseScene(limit: WorkerFrame.payloadLimit)
        do throws(FileError) {
            guard path != "-" else { return (try StandardStreams.readInput(as: kind), "standard input", "") }
            return (try WholeFile.read(path, as: kind), path, path.lastIndex(of: "/").map { String(path[...$0]) } ?? "")
        } catch {
            throw Failure(reading: error, path: path == "-" ? "standard input" : path)
        }
    }
}
