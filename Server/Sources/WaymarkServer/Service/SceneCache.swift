import Foundation
import Synchronization
import Waymark

/// The scenes of the last requests. A worker does not read a scene again that it has already received.
final class SceneCache: Sendable {
    private struct Entry {
        var scene: SceneData
        var lastUse: Int
    }

    private struct Entries {
        var byTag: [String: Entry] = [:]
        var byteCount = 0
        var uses = 0

        /// All in one pass, since going through all of them to find the oldest one takes as long.
        mutating func removeOlderHalf() {
            let uses = byTag.values.map(\.lastUse).sorted()
            guard !uses.isEmpty else { return }
            let last = uses[uses.count / 2]
            byTag = byTag.filter { $0.value.lastUse > last }
            byteCount = byTag.values.reduce(0) { $0 + $1.scene.bytes.count }
        }
    }

    private let entries = Mutex(Entries())
    private let byteLimit = 16 << 20
    private let countLimit = 256

    /// The scene of a request's body.
    /// - Parameter tag: The tag of the bytes.
    func scene(_ bytes: [UInt8], tag: EntityTag) -> SceneData {
        entries.withLock { entries in
            entries.uses += 1
            if let known = entries.byTag[tag.text]?.scene {
                entries.byTag[tag.text]?.lastUse = entries.uses
                return known
            }
            // Without a name, messages begin with the key path.
            let scene = SceneData(Data(bytes), name: "")
            // A large scene takes longer to draw than to read.
            guard bytes.count <= byteLimit / 16 else { return scene }
            entries.byTag[tag.text] = Entry(scene: scene, lastUse: entries.uses)
            entries.byteCount += bytes.count
            while entries.byteCount > byteLimit || entries.byTag.count > countLimit { entries.removeOlderHalf() }
            return scene
        }
    }
}
