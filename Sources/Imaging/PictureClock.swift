import Synchronization

/// Numbers the pictures of the process in the order in which they are begun: the time by which caches know what was used last.
@usableFromInline
package enum PictureClock {
    @usableFromInline static let number = Atomic<UInt64>(1)

    /// The number of the picture begun last.
    @inlinable
    package static var now: UInt64 { number.load(ordering: .relaxed) }

    /// Begins a picture; returns its number. What is used for it has this number, or a higher one if others are begun meanwhile.
    package static func begin() -> UInt64 { number.add(1, ordering: .relaxed).newValue }
}
