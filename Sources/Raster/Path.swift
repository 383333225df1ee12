import WaymarkImaging

/// An area in one color: contours of screen points, filled by a rule.
///
/// It is drawn once, by exact coverage, however its contours overlap: a translucent line is not darker where it crosses itself.
public struct Path: Equatable, Sendable {
    /// Its contours: indices in `PathGeometry.contours`.
    public var contours: Range<Int>
    /// Parts whose coverage is computed separately: indices in `PathGeometry.parts`. Where two of them overlap in a pixel, the larger
    /// coverage counts and not the sum, so that the edges of a line that runs over itself stay soft. Contours of one part that touch are
    /// seamless. Empty: all is one part.
    public var parts: Range<Int>
    public var rule: FillRule
    public var color: Color
    public var layering: Layering
    /// The number of the run of fills to which it belongs, as one of them or as the outline of one; 0 for none, the default. A run is made of
    /// paths that follow one another.
    public var run: Int32 = 0

    /// How a path is composited with the path before it.
    public enum Layering: UInt8, Equatable, Sendable {
        /// Over it.
        case over
        /// It replaces that path where it covers it, so that a translucent line does not let its own outline show through. The two, and
        /// all knockouts and inlays that follow, form a group that is composited once. A group begins at the last path with `over`,
        /// whether or not that one is drawn.
        case knockout
        /// The same for a piece of that path: of a pixel that it covers in part, it colors what that path covers, so that nothing of the
        /// other color remains along the edges that the two share. What is outside of that path is not drawn.
        case inlay
        /// A fill of a run, beside the fills before it: of each pixel it covers first what these leave free, so that nothing shines through
        /// the borders that they share. Where they have covered a share w of a pixel and it covers a share s, max(0, w + s − 1) of it lies
        /// over them. Paths of the run that are `over` are outlines: they lie over what is there and leave w as it is. Knockouts
        /// and inlays follow only paths of no run.
        case beside
        /// More of the fill before it, whose coverage and color it shares: both are composited as one fill.
        case joined

        /// Whether paths of this layering belong to the path before them.
        package var continuesPath: Bool {
            switch self {
            case .over, .beside: false
            case .knockout, .inlay, .joined: true
            }
        }

        /// Whether paths of this layering take the place of the path before them, so that even a clear one changes the picture.
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

/// Which points are inside contours that cross.
public enum FillRule: UInt8, Equatable, Sendable {
    /// Those with a winding number other than 0: strokes.
    case nonzero
    /// Those surrounded by an odd number of contours.
    case evenOdd
}

/// A point of a contour: device pixels from the picture's upper left, y down, on the grid of 1/1024 px. `Float` holds that grid
/// below 16,384 px; beyond, the grid is coarser.
public typealias PathPoint = SIMD2<Float>

/// The points of paths, in flat arrays.
package struct PathGeometry: Sendable {
    package var points: [PathPoint]
    /// For each contour, where its points end; it begins where the one before ends, and closes itself.
    package var contours: [Int]
    /// For each part of a path, where its contours end.
    package var parts: [Int]

    package init(points: [PathPoint], contours: [Int], parts: [Int]) {
        self.points = points
        self.contours = contours
        self.parts = parts
    }
}
