import Synchronization

/// Something that makes the pixels of an image whenever they are asked for, and always the same.
package protocol PixelSource: Sendable {
    func makePixels() -> Bitmap
}

/// The process's cache of pixels that can be made again, by image key: of captions, and of what is decoded, scaled or rasterized.
package final class PixelStore: SharedCache {
    package static let shared = {
        let store = PixelStore()
        CacheBudget.addProcessCache(store)
        return store
    }()

    /// What one picture may keep, whatever the budget: less would make the same pixels again and again.
    private static let leastByteLimit = 32 << 20

    private let pixels = Mutex(LRUCache<UInt64, Bitmap>())

    package init() {}

    /// The pixels of an image, which are made if they are not cached.
    package func bitmap(of key: UInt64, _ source: any PixelSource) -> Bitmap {
        if let known = pixels.withLock({ $0.value(for: key) }) { return known }
        let made = source.makePixels()
        add(made, of: key)
        return made
    }

    /// Caches pixels that were made anyway.
    package func add(_ bitmap: Bitmap, of key: UInt64) {
        let limit = max(CacheBudget.largestByteLimit, Self.leastByteLimit)
        pixels.withLock { pixels in
            // Those of one picture may be more than the budget. They are needed one after the other, so the first may go.
            let excess = pixels.byteCount + bitmap.pixels.count - limit
            if excess > 0 { pixels.evict(through: .max, bytes: excess) }
            pixels.insert(bitmap, for: key, byteCount: bitmap.pixels.count)
        }
    }

    /// Whether the pixels of an image are cached.
    package func has(_ key: UInt64) -> Bool { pixels.withLock { $0.value(for: key) != nil } }

    package var keptBytes: Int { pixels.withLock { $0.byteCount } }
    package var oldestUse: UInt64? { pixels.withLock { $0.oldestUse } }
    package func evict(through picture: UInt64, bytes: Int) { pixels.withLock { $0.evict(through: picture, bytes: bytes) } }
}
