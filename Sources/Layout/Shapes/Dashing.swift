import WaymarkRaster

/// The dashes of one overlay in a picture, within limits on their number and on the points of their outlines. A line with more is drawn
/// solid, at the mean opacity of its dashes.
struct Dashing {
    private let pattern: DashPattern?
    private var dashesLeft = mostDashes
    private var pointsLeft = mostPoints
    /// The factor for the opacity: less than 1 when there are too many dashes to draw.
    private(set) var share = 1.0

    private static let mostDashes = 200_000.0
    private static let mostPoints = 2_000_000.0
    /// The shortest pattern that is drawn as dashes, in device pixels.
    private static let shortestPeriod = 0.5

    init(_ lengths: [Double]) {
        pattern = lengths.isEmpty ? nil : DashPattern(lengths)
    }

    var isOn: Bool { pattern != nil }

    /// The pattern for a line; nil when it is drawn solid.
    /// - Parameters:
    ///   - length: The length of its visible pieces in pt.
    ///   - pointsOfDash: The number of points of a dash's outline.
    ///   - scale: Device pixels per pt, where there are most.
    mutating func pattern(over length: Double, pointsOfDash: Double, scale: Double) -> DashPattern? {
        guard let pattern else { return nil }
        let dashes = pattern.dashes(over: length)
        let points = dashes * pointsOfDash
        guard dashes <= dashesLeft, points <= pointsLeft, pattern.period * scale >= Self.shortestPeriod else {
            share = min(share, pattern.share)
            return nil
        }
        dashesLeft -= dashes
        pointsLeft -= points
        return pattern
    }
}
