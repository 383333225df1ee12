/// A source that makes the pixels of an image on request. The pixels are always the same.
package protocol PixelSource: Sendable {
    func makePixels() -> Bitmap
}

/// The process's reproducible pixels, by image key: captions, and decoded, scaled or rasterized images.
package final class PixelStore: Sendable {
    package static let shared = {
        let store = PixelStore()
        CacheBudget.addProcessCache(store.cache)
        return store
    }()

    package let cache = ProcessCache<UInt64, Bitmap>()

    package init() {}

    /// The pixels of an image, which are made if they are not cached.
    package func bitmap(of key: UInt64, _ source: any PixelSource) -> Bitmap {
        if let known = cache.value(for: key) { return known }
        let made = source.makePixels()
        add(made, of: key)
        return made
    }

    /// Caches pixels that already exist.
    package func add(_ bitmap: Bitmap, of key: UInt64) { cache.insert(bitmap, for: key, byteCount: bitmap.pixels.count) }

    /// Whether the pixels of an image are cached.
    package func has(_ key: UInt64) -> Bool { cache.value(for: key) != nil }
}
