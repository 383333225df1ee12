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
    /// Whether it takes the place of the path before it where it covers that, rather than lying on it, so that a translucent
    /// line does not let its own outline shine through. The two, and all that follow so, are laid on what is beneath once. It
    /// reaches no further than to the last path that is no knockout, whether or not that one shows.
    public var isKnockout: Bool

    public init(
        contours: Range<Int>, parts: Range<Int> = 0..<0, rule: FillRule = .nonzero, color: Color, isKnockout: Bool = false
    ) {
        self.contours = contours
        self.parts = parts
        self.rule = rule
        self.color = color
        self.isKnockout = isKnockout
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
    package mutating func add(parts: [[[PathPoint]]], color: Color, isKnockout: Bool = false) {
        add(parts.flatMap(\.self), color: color, isKnockout: isKnockout)
        var end = paths[paths.count - 1].contours.lowerBound
        let first = self.parts.count
        for part in parts {
            end += part.count
            self.parts.append(end)
        }
        paths[paths.count - 1].parts = first..<self.parts.count
    }

    /// Adds a path.
    package mutating func add(_ contours: [[PathPoint]], rule: FillRule = .nonzero, color: Color, isKnockout: Bool = false) {
        let first = self.contours.count
        for contour in contours {
            pathPoints += contour
            self.contours.append(pathPoints.count)
        }
        paths.append(Path(contours: first..<self.contours.count, rule: rule, color: color, isKnockout: isKnockout))
    }
}
