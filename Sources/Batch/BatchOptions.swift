import Waymark
import WaymarkSceneFiles
import WaymarkSystem

/// Options for drawing a batch.
package struct BatchOptions {
    /// The output folder. It is created if it is missing.
    package var folder: String
    /// The base scene that every job patches: its bytes, its name in messages, and the folder for its relative paths, ending in `/` or
    /// empty for the working directory. Nil for an empty scene.
    package var scene: (bytes: [UInt8], name: String, folder: String)?
    /// The files that the batch reads, such as the file of jobs and the base scene. No output may replace them.
    package var inputs: [String] = []
    /// The maximum number of workers; nil for one per processor, or two on a GPU.
    package var workers: Int?
    /// The time that a worker may take for a job, or to start, before it is killed. Default 60 s.
    package var deadline: Duration = .seconds(60)
    /// The minimum time that a worker has to start, however short the deadline is. Default 5 s.
    package var leastStartDeadline: Duration = .seconds(5)
    /// Whether a job with warnings fails, and the batch ends early if its base scene has warnings. Default false.
    package var isStrict = false
    /// Whether finished, unchanged pictures are skipped. Default false.
    package var isResuming = false
    package var shard = Shard.whole
    /// A merge patch on the base scene's settings, as JSON; nil for none.
    package var settings: [UInt8]?
    /// The job options that apply unless a job sets them.
    package var defaults = JobDefaults()
    /// The command that starts a worker.
    package var command: ChildProcess.Command
    /// The interval between reports of progress.
    package var progressInterval: Duration = .seconds(10)
    /// The maximum time to wait for the end of another batch in the folder, or of a worker that such a batch has left.
    package var patience: Duration = .seconds(5)
    /// The clock for deadlines; tests replace it.
    package var clock: @Sendable () -> ContinuousClock.Instant = { .now }
    /// Everything besides the scene and the job that affects the pictures.
    package var appearance: [String] = []

    package init(folder: String, command: ChildProcess.Command) {
        self.folder = folder
        self.command = command
    }

    /// The time that a worker may take to open its device and read the base scene. It is the deadline of a job, but at least
    /// `leastStartDeadline`.
    var startDeadline: Duration { max(deadline, leastStartDeadline) }

    /// The fingerprint of everything except the job that affects pictures. It covers neither the files that a scene names nor their
    /// location, because a folder may be mounted elsewhere next time.
    package var fingerprint: Fingerprint {
        var fingerprint = sceneFingerprint
        add(to: &fingerprint)
        return fingerprint
    }

    /// The fingerprint of the base scene.
    var sceneFingerprint: Fingerprint {
        var fingerprint = Fingerprint()
        fingerprint.add("waymark batch 1")
        fingerprint.add("\(scene?.bytes.count ?? -1)")
        if let scene { fingerprint.add(scene.bytes) }
        return fingerprint
    }

    /// The fingerprint of everything besides the base scene and the job.
    var optionsFingerprint: Fingerprint {
        var fingerprint = Fingerprint()
        add(to: &fingerprint)
        return fingerprint
    }

    /// Adds everything besides the base scene and the job.
    private func add(to fingerprint: inout Fingerprint) {
        if let settings { fingerprint.add(String(decoding: settings, as: UTF8.self)) }
        if defaults != JobDefaults() {
            fingerprint.add(String(decoding: JSONWriter.object { defaults.write(into: &$0) }, as: UTF8.self))
        }
        for text in appearance { fingerprint.add(text) }
    }
}

extension BatchOptions {
    /// Reads a base scene once for all workers, so that they agree even if the file changes meanwhile.
    /// - Parameter path: A file, or `-` for standard input.
    package static func readScene(_ path: String) throws(Failure) -> (bytes: [UInt8], name: String, folder: String) {
        let kind = InputKind.baseScene(limit: WorkerFrame.payloadLimit)
        do throws(FileError) {
            guard path != "-" else { return (try StandardStreams.readInput(as: kind), "standard input", "") }
            return (try WholeFile.read(path, as: kind), path, SceneFile.folder(of: path))
        } catch {
            let name = path == "-" ? "standard input" : path.quotedIfEmpty
            throw Failure(error.reason == .cannotRead ? .noInput : .badContent, "\(name): \(SceneFile.problem(reading: path, error))")
        }
    }
}
