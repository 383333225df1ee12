import Synchronization

/// The time that one picture waits for tiles. All its tile sources share it: layers, insets, and the steps of layout and drawing.
package final class TileDeadline: Sendable {
    /// The time limit for a source, if the picture has not yet waited for another source.
    let duration: Duration
    private let seconds: Double
    private let spent: Mutex<Duration>

    /// The time for each further source after a picture has waited in vain for the whole time. Further sources may be quick.
    private static let leastLeft = Duration.seconds(1)

    /// - Parameters:
    ///   - seconds: The time for the picture. NaN counts as 0, and more than a day as a day.
    ///   - waited: The time that the picture has already waited in vain.
    package init(seconds: Double, waited: Duration = .zero) {
        self.seconds = seconds
        // The order of the arguments matters for NaN.
        duration = .seconds(min(max(0, seconds), 86_400))
        spent = Mutex(waited)
    }

    /// The usual time limit for the tiles of a picture, in seconds.
    package static let usualSeconds = 20.0

    /// The time that the picture has waited in vain.
    package var waited: Duration { spent.withLock { $0 } }

    /// The time that is left for the next source.
    var left: Duration { max(duration - waited, min(duration, Self.leastLeft)) }

    /// The reason for leaving out tiles that the next source does not load in time.
    package var refusal: TileRefusal {
        TileRefusal(
            waited == .zero
                ? "the tile source has not answered within \(seconds) s"
                : "the tile source has not answered within the time limit for the picture's tiles, \(seconds) s")
    }

    /// Records that the picture has waited in vain.
    func note(waited duration: Duration) { spent.withLock { $0 += duration } }
}
