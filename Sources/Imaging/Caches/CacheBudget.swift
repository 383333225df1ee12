import Synchronization

/// A cache that gives memory back to a budget.
package protocol BudgetedCache: AnyObject {
    /// The number of cached bytes.
    var keptBytes: Int { get }
    /// The number of the last picture that used the least recently used entry; nil if no entry can be evicted now.
    var oldestUse: UInt64? { get }
    /// Evicts entries, the least recently used first, until this many bytes are freed. Entries used for a picture later than this one are
    /// kept.
    func evict(through picture: UInt64, bytes: Int)
}

/// A cache with its own lock, which any thread may ask for memory.
package typealias SharedCache = BudgetedCache & Sendable

/// The limit on the bytes that a renderer, the maps that it draws and the process's fonts and pixels keep between pictures.
///
/// All caches share it: entries last used for the oldest picture are evicted first, whichever cache they are in. Entries used for the
/// picture being drawn are not evicted before it is done, so a picture that needs more is still drawn.
///
/// A renderer's caches belong to its thread, so it passes them to every call. Layouts of maps have locks, and belong to the budget of the
/// renderer that drew them last; the process's caches count in every budget.
package final class CacheBudget: Sendable {
    package static let defaultByteLimit = 256 << 20
    /// The budget of layouts that have not been drawn by a renderer.
    package static let standard = CacheBudget(byteLimit: defaultByteLimit, isRenderers: false)

    package let byteLimit: Int
    private let isRenderers: Bool
    private let hasProcessCaches: Bool
    private let layouts = Mutex<[WeakCache]>([])
    /// The bytes in the renderer's caches when it last reported them, for calls from other threads.
    private let ownByteCount = Atomic<Int>(0)

    private static let processCaches = Mutex<[any SharedCache]>([])
    private static let limits = Mutex<[Int]>([])

    private struct WeakCache: Sendable {
        weak var cache: (any SharedCache)?
    }

    /// - Parameter isAlone: Whether the budget excludes the caches of the process; for tests that run concurrently with others. Default
    ///   false.
    package convenience init(byteLimit: Int = defaultByteLimit, isAlone: Bool = false) {
        self.init(byteLimit: byteLimit, isRenderers: !isAlone, hasProcessCaches: !isAlone)
    }

    private init(byteLimit: Int, isRenderers: Bool, hasProcessCaches: Bool = true) {
        self.byteLimit = byteLimit
        self.isRenderers = isRenderers
        self.hasProcessCaches = hasProcessCaches
        if isRenderers { Self.limits.withLock { $0.append(byteLimit) } }
    }

    deinit {
        guard isRenderers else { return }
        Self.limits.withLock { limits in
            if let index = limits.firstIndex(of: byteLimit) { limits.remove(at: index) }
        }
    }

    /// The largest limit of the process's renderers, which is the maximum that a cache of the process keeps at any moment.
    package static var largestByteLimit: Int { limits.withLock { $0.max() } ?? defaultByteLimit }
    /// The maximum number of bytes that a cache of the process keeps at any moment. It is at least 32 MiB for any budget, so that pixels
    /// are not made, and tiles not loaded, repeatedly for the same picture.
    package static var processByteLimit: Int { max(largestByteLimit, 32 << 20) }

    /// Adds a cache that lives as long as the process.
    package static func addProcessCache(_ cache: any SharedCache) { processCaches.withLock { $0.append(cache) } }

    /// Adds the caches of a map's layout.
    package func add(_ layout: any SharedCache) {
        layouts.withLock { layouts in
            layouts.removeAll { $0.cache == nil || $0.cache === layout }
            layouts.append(WeakCache(cache: layout))
        }
    }

    package func remove(_ layout: any SharedCache) {
        layouts.withLock { layouts in layouts.removeAll { $0.cache == nil || $0.cache === layout } }
    }
}

extension CacheBudget {
    /// The bytes kept, including the renderer's caches.
    package func keptBytes(_ own: [any BudgetedCache]) -> Int {
        all(own).reduce(0) { $0 + $1.keptBytes }
    }

    /// Evicts entries that have not been used since the given picture was begun, until the limit leaves room for this many more bytes.
    package func makeRoom(for bytes: Int, since picture: UInt64, _ own: [any BudgetedCache]) {
        evict(toFit: bytes, through: picture - 1, own)
    }

    /// Evicts entries until the limit is met.
    package func trim(_ own: [any BudgetedCache]) {
        evict(toFit: 0, through: .max, own)
        ownByteCount.store(own.reduce(0) { $0 + $1.keptBytes }, ordering: .relaxed)
    }

    /// Does the same as `trim`, but from a thread other than the renderer's. The renderer's caches are left unchanged.
    package func trimLayouts() {
        evict(toFit: ownByteCount.load(ordering: .relaxed), through: .max, [])
    }

    /// Evicts everything.
    package func purge(_ own: [any BudgetedCache]) {
        for cache in all(own) { cache.evict(through: .max, bytes: .max) }
        ownByteCount.store(own.reduce(0) { $0 + $1.keptBytes }, ordering: .relaxed)
    }

    private func evict(toFit bytes: Int, through picture: UInt64, _ own: [any BudgetedCache]) {
        let caches = all(own)
        let excess = caches.reduce(bytes) { $0 + $1.keptBytes } - byteLimit
        if excess > 0 { Self.evict(excess, through: picture, caches) }
    }

    private func all(_ own: [any BudgetedCache]) -> [any BudgetedCache] {
        let shared = layouts.withLock { $0.compactMap(\.cache) } + (hasProcessCaches ? Self.processCaches.withLock { $0 } : [])
        var caches = own
        for cache in shared { caches.append(cache) }
        return caches
    }

    /// Evicts from several caches as if they were one. Entries used for the oldest picture are evicted first, and entries used for the same
    /// picture in the order of the caches.
    package static func evict(_ bytes: Int, through picture: UInt64, _ caches: [any BudgetedCache]) {
        var left = bytes
        var caches = caches
        while left > 0 {
            var (first, use) = (-1, UInt64.max)
            // The first cache may evict entries that are older than the oldest entry of the other caches.
            var next = UInt64.max
            for (index, cache) in caches.enumerated() {
                guard let oldest = cache.oldestUse, oldest <= picture else { continue }
                if first < 0 || oldest < use {
                    next = first < 0 ? .max : use - 1
                    (first, use) = (index, oldest)
                } else {
                    next = min(next, oldest)
                }
            }
            guard first >= 0 else { return }
            let before = caches[first].keptBytes
            caches[first].evict(through: min(picture, max(use, next)), bytes: left)
            let freed = before - caches[first].keptBytes
            left -= freed
            // A layout in use on another thread frees nothing.
            if freed <= 0 { caches.remove(at: first) }
        }
    }
}

/// Numbers the pictures of the process in the order in which they are begun. Caches use this number as the time of last use.
@usableFromInline
package enum PictureClock {
    @usableFromInline static let number = Atomic<UInt64>(1)

    /// The number of the picture begun last.
    @inlinable
    package static var now: UInt64 { number.load(ordering: .relaxed) }

    /// Begins a picture and returns its number. Entries used for it have this number, or a higher one if other pictures are begun
    /// meanwhile.
    package static func begin() -> UInt64 { number.add(1, ordering: .relaxed).newValue }
}
