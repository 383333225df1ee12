/// A point in the Web Mercator world (EPSG:3857), as fractions of the world's size from the upper left: x east, y south.
struct WorldPoint: Equatable, Sendable {
    var x: Double
    /// NaN beyond the projection's latitude limits.
    var y: Double
}
