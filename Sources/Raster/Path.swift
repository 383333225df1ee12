import WaymarkImaging

/// An area filled with one color, or with shades between several colors. Its contours consist of screen points, and a rule determines which
/// points are inside.
///
/// A path is drawn once, by exact coverage, even if its contours overlap. A translucent line is therefore not darker where it crosses
/// itself.
public struct Path: Equatable, Sendable {
    /// The contours of the path, as indices in `Frame.contours`.
    public var contours: Range<Int>
    /// The parts of the path, as indices in `Frame.parts`. The coverage of each part is computed separately. Where two parts overlap in a
    /// pixel, the larger coverage counts instead of the sum, so that the edges of a line that crosses itself stay antialiased. Touching
    /// contours of the same part are seamless. Empty if the whole path is one part.
    public var parts: Range<Int>
    public var rule: FillRule
    /// The color. It is not used if the path has shades.
    public var color: Color
    /// The shades that color the path instead of `color`, as indices in `Frame.shades`; empty for a path of one color. Fills of a run and
    /// inlays have none.
    public var shades: Range<Int> = 0..<0
    public var layering: Layering
    /// The number of the run of fills to which this path belongs: as a fill, as the outline of a fill, or as a line between two fills. A
    /// run consists of consecutive paths. Default 0: the path does not belong to a run.
    public var run: Int32 = 0
    /// Whether the path lies on the ground, and therefore fades into the sky together with the ground. Default false.
    public var fades = false

    /// How a path is composited with the path before it.
    public enum Layering: UInt8, Equatable, Sendable {
        /// The path lies over the previous path.
        case over
        /// The path replaces the previous path wherever the two overlap, so that a translucent line does not let its own outline show
        /// through. The two paths, and all knockouts and inlays that follow, form a group that is composited once. A group begins at the
        /// last path with `over`, even if that path is not drawn.
        case knockout
        /// Like `knockout`, but for a path that recolors a piece of the previous path. In a partly covered pixel, it colors the part that
        /// the previous path covers, so that no trace of the previous color remains along their shared edges. It is not drawn outside the
        /// previous path.
        case inlay
        /// The path is a fill of a run. In each pixel, it first fills the part that the previous fills have left uncovered, so that nothing
        /// shows through shared borders. If the previous fills have covered a share w of a pixel, and this fill covers a share s, then a
        /// share max(0, w + s − 1) does not fit beside the previous fills and lies over them. Paths in the run whose layering is `over` are
        /// outlines or lines: they lie over everything drawn so far, and do not change w. Inlays, and groups that are composited once, set
        /// w to 0 in the pixels that they touch, so that the run starts again there.
        case beside
        /// The path is another piece of the previous fill. The coverages of the pieces are added, and the pieces are drawn as one fill of
        /// one color.
        case joined

        /// Whether paths with this layering belong to the path before them.
        package var continuesPath: Bool {
            switch self {
            case .over, .beside: false
            case .knockout, .inlay, .joined: true
            }
        }

        /// Whether paths with this layering are fills of a run.
        package var isFill: Bool { self == .beside || self == .joined }

        /// Whether paths with this layering replace the previous path, so that even a transparent path changes the picture.
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

/// The rule that determines which points are inside the contours.
public enum FillRule: UInt8, Equatable, Sendable {
    /// Points with a nonzero winding number are inside. This rule is used for strokes.
    case nonzero
    /// Points surrounded by an odd number of contours are inside.
    case evenOdd
}

/// A point of a contour, in device pixels from the picture's upper left, y down, rounded to multiples of 1/1024 px. `Float` represents
/// these multiples exactly below 16,384 px; beyond that, points are rounded more coarsely.
public typealias PathPoint = SIMD2<Float>

/// The points of paths, in flat arrays.
package struct PathGeometry: Sendable {
    package var points: [PathPoint]
    /// The end index of each contour's points. A contour begins at the end of the previous one, and is closed implicitly.
    package var contours: [Int]
    /// The end index of the contours of each part of a path.
    package var parts: [Int]
    package var shades: [PathShade]

    package init(points: [PathPoint], contours: [Int], parts: [Int], shades: [PathShade] = []) {
        self.points = points
        self.contours = contours
        self.parts = parts
        self.shades = shades
    }
}
