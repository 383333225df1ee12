import Synchronization

/// Something that makes the pixels of an image whenever they are asked for, and always the same.
package protocol PixelSource: Sendable {
    func makePixels() -> Bitmap
}

/// The process's cache of pixels that can be made again, by image key: of captions, and of what is decoded or rasterized.
package final class PixelStore: Sendable {
    package static let shared = PixelStore()

    private let pixels: Mutex<LRUCache<UInt64, Bitmap>>

    /// - Parameter byteLimit: Evicts the least recently used pixels beyond this many bytes.
    package init(byteLimit: Int = 128 << 20) {
        pixels = Mutex(LRUCache(byteLimit: byteLimit))
    }

    /// The pixels of an image, which are made if they are not cached.
    package func bitmap(of key: UInt64, _ source: any PixelSource) -> Bitmap {
        if let known = pixels.withLock({ $0.value(for: key) }) { return known }
        let made = source.makePixels()
        pixels.withLock { $0.insert(made, for: key, byteCount: made.pixels.count) }
        return made
    }
}
