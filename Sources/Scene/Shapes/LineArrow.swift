/// The shape of an arrow at an end of a line.
public enum LineArrow: String, Sendable, CaseIterable {
    /// The line ends with its cap, without an arrow.
    case none
    /// Two strokes, as wide as the line, that meet at its end.
    case open
    /// A triangle.
    case filled
}
