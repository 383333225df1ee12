import WaymarkImaging

/// The color above the horizon and beyond the edges of the ground: one color, or two that blend from the edge of the ground to the
/// picture's upper edge.
public struct Sky: Hashable, Sendable {
    /// The color where the ground ends. The ground fades into this color.
    public var horizon: Color
    /// The color at the picture's upper edge.
    public var zenith: Color

    /// Creates a sky of one color.
    public init(_ color: Color) {
        (horizon, zenith) = (color, color)
    }

    /// Creates a sky of two colors.
    public init(horizon: Color, zenith: Color) {
        (self.horizon, self.zenith) = (horizon, zenith)
    }

    /// Whether both colors are valid.
    public var isValid: Bool { horizon.isValid && zenith.isValid }
}
