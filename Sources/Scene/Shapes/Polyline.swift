import WaymarkGeo
import WaymarkImaging

/// The shape of the ends of a line.
public enum LineCap: String, Sendable, CaseIterable {
    /// The line ends exactly at its last point.
    case butt
    /// The line ends in a half disc around the last point.
    case round
    /// The line extends half its width beyond the last point.
    case square
}

/// The shape of the corners of a line.
public enum LineJoin: String, Sendable, CaseIterable {
    /// The outer edges of the two segments extend until they meet at a point. If this point is farther from the line than
    /// `Polyline.miterLimit` allows, the corner is cut off, as with `bevel`.
    case miter
    /// The corner is rounded by a disc around the point.
    case round
    /// The corner is cut off.
    case bevel
}

/// A line on the ground through a list of points, or several such lines with the same style.
///
/// The line crosses ±180° if that way is shorter. If no point has an altitude, the line lies level at `altitude`. Otherwise it is drawn
/// through the air: each point is at its own altitude plus `altitude`, and the line is straight in space between two points. If
/// `isGeodesic` is true, the line instead follows the great circle, and its altitude changes uniformly between two points. The width of a
/// line through the air is always measured on the screen. Unlike lines on the ground, lines through the air do not get thinner toward the
/// camera's far limit. Their dashes, and the progress of routes, are measured on the ground beneath them. Parts below the ground are not
/// drawn.
public class Polyline: Overlay {
    /// The default global z index of lines of this type.
    public class var defaultGlobalZIndex: Int { -200_000 }

    /// The lines, each of at least 2 points. A polyline without points is not added to a map. Default: none.
    public final var parts: [[LatLng]] {
        get { geometry.parts }
        set {
            geometry = Geometry(parts: newValue)
            note(.geometry)
        }
    }
    private var geometry = Geometry(parts: [])

    /// The width of the line in pt, valid in 0…1,000. If it is 0, only the image and the text along the line are drawn, without the line
    /// and its outline. Default 2.5.
    public final var width = 2.5 { didSet { note(.style) } }
    /// The color that was set; nil for the default.
    package final var ownColor: Color? { didSet { note(.style) } }
    /// The colors along the line, at most 1,024, in ascending order of position. A position is a fraction, 0…1, of the total length of all
    /// parts in meters. Between two positions, the color changes evenly. The gradient replaces `color`, but not `outlineColor` or the color
    /// of a route's traveled part. Default: none.
    public final var gradient: [Scale<Color>.Stop] = [] { didSet { note(.style) } }
    /// A scale of the points' `values` that gives the line a color at each point. Between two points, the value changes evenly on the
    /// axis of the scale. At points without a value, the color is the scale's `missing` or, if that is nil, changes evenly between the
    /// nearest points with a value. A line without any values has the color `color`. With steps and classes, the color changes abruptly.
    /// A scale with categories is invalid. The scale replaces `gradient`. Default nil.
    public final var colorScale: Scale<Color>? { didSet { note(.style) } }
    /// Named lists of numbers, such as speeds, that scales refer to. Each list has one element for each point of all parts. The element is
    /// nil for a point without a value. Default: none.
    public final var values: [String: [Double?]] = [:] { didSet { note(.style) } }
    /// The shape of the ends of each part and of each dash. Default `butt`.
    public final var capType = LineCap.butt { didSet { note(.style) } }
    /// The shape of the corners of the line. Default `miter`.
    public final var joinType = LineJoin.miter { didSet { note(.style) } }
    /// The maximum distance of a miter's tip from the center of the line, as a multiple of half the line's width, valid in 1…1,000. Default
    /// 4.
    public final var miterLimit = 4.0 { didSet { note(.style) } }
    /// The lengths in pt of alternating dashes and gaps, repeated from the first point of each part. If the number of lengths is odd,
    /// dashes and gaps swap in every other repetition. There are at most 1,024 lengths, each valid in 0…10,000, with a sum of at least 0.1.
    /// Default: empty, for a solid line.
    ///
    /// In some cases, a line is drawn solid, with the mean opacity of its dashes and gaps. This happens if the picture shows more than
    /// 200,000 of its dashes, if the outlines of these dashes have more than about two million points, or if the pattern is shorter than
    /// half a device pixel.
    public final var pattern: [Double] = [] { didSet { note(.style) } }
    /// The width in pt of the outline on each side of the line, valid in 0…1,000; 0 draws no outline. The outline lies beneath the line.
    /// Default 0.
    public final var outlineWidth = 0.0 { didSet { note(.style) } }
    /// The color of the outline that was set; nil for the default.
    package final var ownOutlineColor: Color? { didSet { note(.style) } }
    /// The defaults on a map without a theme.
    package final var standard = ShapeStandard.overlay { didSet { note(.style) } }
    /// The name of a group of lines whose outlines are all drawn before the first of the lines, as on road maps: where the lines cross or
    /// meet, no outline covers another line. A group consists of the lines with the same name, layer and z indexes, including the z indexes
    /// of their containers. The whole group is drawn at its first line's place in the drawing order. Default nil: the outline lies directly
    /// beneath its own line.
    public final var outlineGroup: String? { didSet { note(.style) } }
    /// The arrow at the first point of each part. Its tip is exactly at that point. Default `none`.
    ///
    /// An arrow belongs to the line: it has the line's color and outline, and a translucent line does not get darker beneath it. It is
    /// drawn instead of the cap, it is never dashed, and it points in the direction of the piece of the line that it covers. If a part is
    /// shorter than its arrows, they shrink. No arrow is drawn where a line is cut at the edge of the map.
    public final var startArrow = LineArrow.none { didSet { note(.style) } }
    /// The arrow at the last point of each part. Default `none`.
    public final var endArrow = LineArrow.none { didSet { note(.style) } }
    /// The length and the width of the arrows, in multiples of the line's width without its outline, valid in 1…100. Default 4.
    public final var arrowSize = 4.0 { didSet { note(.style) } }
    /// The image and the text along the line. Nil if none of their properties was ever set, as for most lines.
    private final var labelBox: Box<LineLabels>?
    package final var labels: LineLabels {
        get { labelBox?.value ?? LineLabels.plain }
        set {
            if let labelBox { labelBox.value = newValue } else if newValue != LineLabels.plain { labelBox = Box(newValue) }
            note(.style)
        }
    }
    /// Whether an image or a text is drawn along the line.
    package final var hasLabels: Bool { labelBox?.value.isOn ?? false }
    /// Whether the line follows great circles between points. Otherwise it is straight on the map. Default false.
    public final var isGeodesic = false { didSet { note(.geometry) } }
    /// Whether widths and dash lengths are constant on the ground, and therefore appear larger near the viewer. The given values are then
    /// the widths and lengths in pt at the center of the view. If this is false, widths and lengths are the same everywhere on the screen.
    /// However, lines on the ground get thinner toward the camera's far limit (see ``MapView/sky``). Default false.
    public final var isPerspectiveEnabled = false { didSet { note(.style) } }

    /// Creates a line without points; all other properties have their defaults.
    public convenience init() {
        self.init(type: .polyline, globalZIndex: Self.defaultGlobalZIndex)
    }

    /// Creates a line through the given points.
    public convenience init(points: [LatLng]) {
        self.init()
        self.points = points
    }

    package override var isPlaceless: Bool { geometry.isEmpty }
    package override var placeProperty: String { "points" }

    /// The first problem of the line's points.
    final var geometryProblem: PropertyError? { geometry.problem }

    /// The first problem of the points' values.
    package final var valuesProblem: PropertyError? {
        if let scale = colorScale, values[scale.property] == nil {
            return PropertyError(path: "color.by", problem: "the line has no values named \"\(scale.property)\"")
        }
        if let scale = colorScale, case .categories = scale.form {
            return PropertyError(path: "color.categories", problem: "the values of a line are numbers, which have no categories")
        }
        guard !values.isEmpty else { return nil }
        let count = parts.reduce(0) { $0 + $1.count }
        return values.sorted { $0.key < $1.key }.first { $0.value.count != count }.map { name, list in
            PropertyError(path: "values.\(name)", problem: "\(list.count) values are given for \(count) points")
        }
    }
}

extension Polyline {
    /// The points of the first part. Setting the points replaces all parts with one part. Default: none.
    public final var points: [LatLng] {
        get { parts.first ?? [] }
        set { parts = newValue.isEmpty ? [] : [newValue] }
    }

    /// The valid widths of lines and outlines in pt.
    public static var widthRange: ClosedRange<Double> { CoordinateCheck.widthRange }
    /// The valid miter limits.
    public static let miterLimitRange = 1.0...1000.0
    /// The valid positions of colors in a gradient.
    public static let gradientRange = 0.0...1.0
    /// The valid sizes of arrows, in line widths.
    public static let arrowSizeRange = 1.0...100.0
    /// The valid lengths of a dash or a gap, in pt.
    public static let patternRange = 0.0...10_000.0
    /// The maximum number of lengths in a pattern.
    public static let maximumNumberOfPatternLengths = 1024
    /// The minimum sum of the lengths of a pattern, in pt. Dashes far shorter than a pixel would be invisible, but would take time to draw.
    public static let shortestPattern = 0.1

    /// The points and their first problem, which is computed once.
    private struct Geometry {
        let parts: [[LatLng]]
        private(set) lazy var problem: PropertyError? = findProblem()

        init(parts: [[LatLng]]) {
            self.parts = parts
        }

        var isEmpty: Bool { parts.allSatisfy(\.isEmpty) }

        private func findProblem() -> PropertyError? {
            // An overlay without points is not on a map, or is reported as an overlay without a position.
            guard !isEmpty else { return nil }
            let isOne = parts.count == 1
            for (index, part) in parts.enumerated() {
                guard part.count >= 2 else {
                    return PropertyError(
                        path: isOne ? "points" : "parts[\(index)]", problem: "a line needs at least 2 points, not \(part.count)")
                }
                if let problem = CoordinateCheck.problem(part, isOne ? "points" : "parts[\(index)]") { return problem }
            }
            return nil
        }
    }
}
