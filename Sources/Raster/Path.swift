import WaymarkImaging

/// An area in one color: contours of screen points, filled by a rule.
///
/// It is drawn once, by exact coverage, however its contours overlap: a translucent line is not darker where it crosses itself.
public struct Path: Equatable, Sendable {
    /// Its contours: indices in `PathGeometry.contours`.
    public var contours: Range<Int>
    /// Parts whose coverage is computed separately: indices in `PathGeometry.parts`. Where two of them overlap in a pixel, the larger
    /// coverage counts instead of the sum, so that the edges of a line that crosses itself stay soft. Touching contours of one part are
    /// seamless. Empty if the whole path is one part.
    public var parts: Range<Int>
    public var rule: FillRule
    public var color: Color
    public var layering: Layering
    /// The number of the run of fills to which it belongs, as a fill or as the outline of one; 0 for none, the default. A run consists of
    /// consecutive paths.
    public var run: Int32 = 0

    /// How a path is composited with the path before it.
    public enum Layering: UInt8, Equatable, Sendable {
        /// It lies over the previous path.
        case over
        /// It replaces the previous path where it covers it, so that a translucent line does not let its own outline show through. The two,
        /// and all following knockouts and inlays, form a group that is composited once. A group begins at the last path with `over`, even
        /// if that path is not drawn.
        case knockout
        /// Like a knockout, for a piece of the previous path: in a partly covered pixel, it colors the part that the path covers, so that
        /// no trace of the other color remains along their shared edges. It is not drawn outside of that path.
        case inlay
        /// A fill of a run. In each pixel, it first covers the part that the previous fills leave free, so that nothing shows through their
        /// shared borders. If they have covered a share w of a pixel and it covers a share s, max(0, w + s − 1) of it lies over them. Paths
        /// of the run that are `over` are outlines: they lie over everything drawn so far and do not change w. Knockouts and inlays follow
        /// only paths without a run.
        case beside
        /// Another piece of the previous fill: both share their coverage and color, and are composited as one fill.
        case joined

        /// Whether paths of this layering belong to the path before them.
        package var continuesPath: Bool {
            switch self {
            case .over, .beside: false
            case .knockout, .inlay, .joined: true
            }
        }

        /// Whether paths with this layering replace the previous path, so that even a clear one changes the picture.
        var replacesPath: Bool { self == .knockout || self == .inlay }
    }

    public init(
        contours: Range<Int>, parts: Range<Int> = 0..<0, rule: FillRule = .nonzero, color: Color, layering: Layering = .over,
        run: Int32 = 0
    ) {
        self.contours = contours
        self.parts = parts
        self.rule = rule
        self.color = color
        self.layering = layering
        self.run = run
    }
}

/// The rule by which points count as inside contours.
public enum FillRule: UInt8, Equatable, Sendable {
    /// Points with a nonzero winding number; for strokes.
    case nonzero
    /// Points surrounded by an odd number of contours.
    case evenOdd
}

/// A point of a contour: device pixels from the picture's upper left, y down, on the grid of 1/1024 px. `Float` represents that grid below
/// 16,384 px; beyond, the grid is coarser.
public typealias PathPoint = SIMD2<Float>

/// The points of paths, in flat arrays.
package struct PathGeometry: Sendable {
    package var points: [PathPoint]
    /// The end of each contour's points. A contour begins at the end of the previous one, and is closed implicitly.
    package var contours: [Int]
    /// The end of the contours of each part of a path.
    package var parts: [Int]

    package init(points: [PathPoint], contours: [Int], parts: [Int]) {
        self.points = points
        self.contours = contours
        self.parts = parts
    }
}
