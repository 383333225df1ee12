import Foundation
import WaymarkGPU
import WaymarkImaging

/// How a batch is drawn.
package struct BatchOptions {
    /// Where pictures go. It is made when it is not there.
    package var folder: String
    /// What every job is a patch of: the bytes of a scene, what messages call it, and the folder that its paths start from, ending in `/`
    /// or empty for the working directory; nil for an empty scene.
    package var scene: (bytes: [UInt8], name: String, folder: String)?
    /// How many workers there are at most; nil for one a processor, or two on a GPU.
    package var workers: Int?
    /// How long a worker may take for a job before it is killed.
    package var deadline: Duration = .seconds(60)
    /// Whether pictures that are done and unchanged stay.
    package var isResuming = false
    package var shard = Shard.whole
    /// The program that is a worker, and its arguments.
    package var program = "/proc/self/exe"
    package var arguments = ["worker"]
    package var environment = ProcessInfo.processInfo.environment
    /// How often progress is told.
    package var progressInterval: Duration = .seconds(10)
    /// How long another batch in the folder, or what is left of one, is waited for.
    package var patience: Duration = .seconds(5)
    /// What else than scene and job decides what the pictures look like.
    package var appearance: [String] = []

    package init(folder: String) {
        self.folder = folder
    }

    /// How long a worker may take to open its device, and to read the base scene.
    var startDeadline: Duration { max(deadline, .seconds(60)) }

    /// The most workers on a device.
    func workers(on renderer: String) -> Int {
        workers ?? (ContextInfo.isSoftware(renderer: renderer) ? ProcessorCount.current.usable : 2)
    }

    /// Of everything that decides what pictures look like, but the job. Files that a scene names are not read for it, and so neither does it
    /// matter where they are: a folder may be mounted elsewhere the next time.
    package var fingerprint: Fingerprint {
        var fingerprint = Fingerprint()
        fingerprint.add("waymark batch 1")
        fingerprint.add("\(scene?.bytes.count ?? -1)")
        if let scene { fingerprint.add(scene.bytes) }
        for text in appearance { fingerprint.add(text) }
        return fingerprint
    }
}

extension BatchOptions {
    /// Reads the base scene, once for all workers: a file that changes meanwhile changes nothing.
    package mutating func readScene(_ path: String) throws(BatchError) {
        do throws(ImagingError) {
            let bytes = try WholeFile.read(path, limits: ImageLimits(bytes: WorkerFrame.payloadLimit))
            scene = (bytes, path, path.lastIndex(of: "/").map { String(path[...$0]) } ?? "")
        } catch {
            if let code = error.errno { throw .unreadable(path: path, errno: code) }
            throw .worker(code: 65, message: "\(path): longer than \(WorkerFrame.payloadLimit >> 20) MiB")
        }
    }
}
