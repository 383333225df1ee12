import WaymarkImaging

/// An area in one color: contours of screen points, filled by a rule.
///
/// Every pixel is blended once, by its exact coverage, however the contours overlap: a translucent line is no more opaque where it
/// crosses itself.
public struct Path: Equatable, Sendable {
    /// Its contours: a range of indices in `Frame.contours`.
    public var contours: Range<Int>
    /// Its parts, whose coverage is computed separately: a range of indices in `Frame.parts`. Where parts overlap in a pixel, the larger
    /// coverage counts, not the sum, so that the edges of a line that overlaps itself stay antialiased. Contours of the same part that
    /// touch have no seam. Empty when everything is one part. Default empty.
    public var parts: Range<Int>
    public var rule: FillRule
    public var color: Color
    public var layering: Layering

    /// How a path is combined with the one before it.
    public enum Layering: UInt8, Equatable, Sendable {
        /// It is drawn on top.
        case over
        /// It replaces the previous path where it covers it, so that a translucent line does not show its own casing. Both, and all
        /// knockouts and inlays that follow, are composited once. The sequence begins at the last path with `over`, even if that one is not
        /// visible.
        case knockout
        /// Like a knockout, for a path that is a piece of the previous one. In a pixel that it covers partly, it colors all that the
        /// previous path covers, so that no fringe of the other color remains along common edges. Parts outside that path are not drawn.
        case inlay
    }

    public init(
        contours: Range<Int>, parts: Range<Int> = 0..<0, rule: FillRule = .nonzero, color: Color, layering: Layering = .over
    ) {
        self.contours = contours
        self.parts = parts
        self.rule = rule
        self.color = color
        self.layering = layering
    }
}

/// The rule that determines the interior of overlapping contours.
public enum FillRule: UInt8, Equatable, Sendable {
    /// Points with a winding number other than 0. Used for strokes.
    case nonzero
    /// Points surrounded by an odd number of contours.
    case evenOdd
}

/// A point of a contour: device pixels from the picture's upper left, y down, in multiples of 1/1024 px. `Float` represents these exactly
/// below 16,384 px, and is coarser beyond.
public typealias PathPoint = SIMD2<Float>

extension Frame {
    /// The points of a contour; it is closed implicitly.
    public func points(ofContour index: Int) -> ArraySlice<PathPoint> {
        pathPoints[(index == 0 ? 0 : contours[index - 1])..<contours[index]]
    }

    /// Adds a path of several parts.
    package mutating func add(parts: [[[PathPoint]]], color: Color, layering: Path.Layering = .over) {
        add(parts.flatMap(\.self), color: color, layering: layering)
        var end = paths[paths.count - 1].contours.lowerBound
        let first = self.parts.count
        for part in parts {
            end += part.count
            self.parts.append(end)
        }
        paths[paths.count - 1].parts = first..<self.parts.count
    }

    /// Adds a path.
    package mutating func add(_ contours: [[PathPoint]], rule: FillRule = .nonzero, color: Color, layering: Path.Layering = .over) {
        let first = self.contours.count
        for contour in contours {
            pathPoints += contour
            self.contours.append(pathPoints.count)
        }
        paths.append(Path(contours: first..<self.contours.count, rule: rule, color: color, layering: layering))
    }
}
