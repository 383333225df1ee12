import Synchronization

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
