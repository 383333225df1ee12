/// A place in the Web Mercator world, as fractions of its size from the upper left: x east, y south.
struct WorldPoint: Equatable, Sendable {
    var x: Double
    /// NaN where the projection has no place for it.
    var y: Double
}
