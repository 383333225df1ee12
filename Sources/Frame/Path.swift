import WaymarkImaging

/// An area in one colour: contours of screen points, filled by a rule.
///
/// It is drawn by exact coverage, once, whatever its contours do to one another: a translucent line is as strong where it
/// crosses itself.
public struct Path: Equatable, Sendable {
    /// Which contours bound it: indices in `Frame.contours`.
    public var contours: Range<Int>
    /// Parts of it that are counted by themselves: indices in `Frame.parts`. Where two of them overlap in a pixel, the larger
    /// coverage holds and not the sum, so that the edges of a line that runs over itself stay as soft. Contours of one part that
    /// touch are seamless. Empty: all is one part.
    public var parts: Range<Int>
    public var rule: FillRule
    public var color: Color
    public var layering: Layering

    /// What it does to the path before it.
    public enum Layering: UInt8, Equatable, Sendable {
        /// It lies on it.
        case over
        /// It takes its place where it covers that, so that a translucent line does not let its own outline shine through. The
        /// two, and all that follow so, are laid on what is beneath once. It reaches no further than to the last path that lies
        /// over, whether or not that one shows.
        case knockout
        /// The same, for what is a piece of that path: of a pixel that it covers in part, it colours what that one covers, so that
        /// nothing of the other colour is left along the edges that the two have in common. What is beyond that path is not drawn.
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

/// What is inside contours that cross.
public enum FillRule: UInt8, Equatable, Sendable {
    /// What the contours go round any number of times but 0, counting directions against each other: strokes.
    case nonzero
    /// What an odd number of contours surrounds.
    case evenOdd
}

/// A point of a contour: device pixels from the picture's upper left, y down, on the grid of 1/1024 px. `Float` holds that grid
/// below 16,384 px; beyond, the grid is coarser.
public typealias PathPoint = SIMD2<Float>

extension Frame {
    /// The points of a contour, which closes itself.
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
