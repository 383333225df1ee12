/// The time at which tiles that are not loaded yet are abandoned.
package struct TileDeadline: Sendable {
    let time: ContinuousClock.Instant
    /// The time from its creation.
    let duration: Duration
    /// The reason why tiles are left out that are not loaded in time.
    package let refusal: TileRefusal

    /// - Parameter seconds: The time from now. NaN counts as 0, and more than a day as a day.
    package init(seconds: Double) {
        // The order of the arguments matters for NaN.
        duration = .seconds(min(max(0, seconds), 86_400))
        time = .now + duration
        refusal = TileRefusal("the tile source has not answered within \(seconds) s")
    }

    /// The usual time limit for loading the tiles of a picture, in seconds.
    package static let usualSeconds = 20.0
}
