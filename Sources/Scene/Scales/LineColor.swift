import WaymarkImaging

/// The color of a line, and the scale that replaces it. In scene files, a single key accepts both.
package struct LineColor: Equatable, Sendable {
    /// The color; nil for the default.
    package var color: Color?
    package var scale: Scale<Color>?

    package init(color: Color?, scale: Scale<Color>? = nil) {
        (self.color, self.scale) = (color, scale)
    }
}
