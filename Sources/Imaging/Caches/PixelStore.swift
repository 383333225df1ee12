import Synchronization

/// A source of the pixels of an image: it makes them on request, and always the same ones.
package protocol PixelSource: Sendable {
    func makePixels() -> Bitmap
}

/// The process's cache of reproducible pixels, by image key: captions, and decoded, scaled or rasterized images.
package final class PixelStore: SharedCache {
    package static let shared = {
        let store = PixelStore()
        CacheBudget.addProcessCache(store)
        return store
    }()

    /// The amount that one picture may keep, whatever the budget: with less, the same pixels would be made repeatedly.
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

    /// Caches pixels that already exist.
    package func add(_ bitmap: Bitmap, of key: UInt64) {
        let limit = max(CacheBudget.largestByteLimit, Self.leastByteLimit)
        pixels.withLock { pixels in
            // One picture's pixels may exceed the budget. They are needed one after the other, so the first ones may be evicted.
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
