import WaymarkGeo
import WaymarkImaging

/// How a line ends.
public enum LineCap: String, Sendable, CaseIterable {
    /// At its last point.
    case butt
    /// With half a disc around it.
    case round
    /// Half its width beyond it.
    case square
}

/// How the corners of a line look.
public enum LineJoin: String, Sendable, CaseIterable {
    /// Its edges are extended until they meet, up to the miter limit; beyond, as `bevel`.
    case miter
    /// With a disc around the point.
    case round
    /// With the corner cut off.
    case bevel
}

/// A line on the ground through points, or several that look alike.
///
/// It takes the short way across ±180°, and lies level at `altitude` plus the altitude of its first point.
public class Polyline: Overlay {
    /// The global z index that lines of this kind have by default.
    public class var defaultGlobalZIndex: Int { -200_000 }

    /// The lines, each of 2 points or more. A polyline without points is not added to a map. Default none.
    public final var parts: [[LatLng]] {
        get { geometry.parts }
        set {
            geometry = Geometry(parts: newValue)
            note(.geometry)
        }
    }
    private var geometry = Geometry(parts: [])

    /// Width in pt, valid in 0…1,000; at 0 neither the line nor its outline is drawn. Default 2.5.
    public final var width = 2.5 { didSet { note(.style) } }
    /// Color of the line; a translucent line is no darker where it crosses itself. Default black.
    public final var color = Color.black { didSet { note(.style) } }
    /// How each part ends, and each dash. Default `butt`.
    public final var capType = LineCap.butt { didSet { note(.style) } }
    /// How its corners look. Default `miter`.
    public final var joinType = LineJoin.miter { didSet { note(.style) } }
    /// How far a miter may reach from the middle of the line, in halves of its width, valid in 1…1,000. Default 4.
    public final var miterLimit = 4.0 { didSet { note(.style) } }
    /// Lengths in pt of a dash, the gap after it, and so on repeated from the first point of each part; an odd number of
    /// lengths is repeated twice, with dashes and gaps exchanged. At most 1,024 of them, each valid in 0…10,000, with a sum of 0.1 or more. Where a picture has
    /// more than 200,000 dashes of a polyline, or some million points of round ones, it is drawn solid, in their mean strength.
    /// Default empty, a solid line.
    public final var pattern: [Double] = [] { didSet { note(.style) } }
    /// Width in pt of the outline on each side of the line, beneath it, valid in 0…1,000; at 0 there is none. Default 0.
    public final var outlineWidth = 0.0 { didSet { note(.style) } }
    /// Color of the outline. Default black.
    public final var outlineColor = Color.black { didSet { note(.style) } }
    /// Whether it follows great circles from point to point; otherwise it is straight on the map. Default false.
    public final var isGeodesic = false { didSet { note(.geometry) } }
    /// Whether widths and dashes are lengths on the ground, one pt of the world at the center, that grow toward the viewer;
    /// otherwise they are the same everywhere on the screen. Default false.
    public final var isPerspectiveEnabled = false { didSet { note(.style) } }

    /// A line with every property at its default, and without points.
    public convenience init() {
        self.init(type: .polyline, globalZIndex: Self.defaultGlobalZIndex)
    }

    /// A line through points.
    public convenience init(points: [LatLng]) {
        self.init()
        self.points = points
    }

    override package init(type: OverlayType, globalZIndex: Int) {
        super.init(type: type, globalZIndex: globalZIndex)
    }

    package override var isPlaceless: Bool { geometry.isEmpty }
    package override var placeProperty: String { "points" }

    /// The first problem of its points.
    final var geometryProblem: PropertyError? { geometry.problem }
}

extension Polyline {
    /// The points of a line of one part; of several, those of the first. Setting them makes one part. Default none.
    public final var points: [LatLng] {
        get { parts.first ?? [] }
        set { parts = newValue.isEmpty ? [] : [newValue] }
    }

    /// Widths of lines and outlines in pt.
    public static var widthRange: ClosedRange<Double> { ShapeGeometry.widthRange }
    /// The valid miter limits.
    public static let miterLimitRange = 1.0...1000.0
    /// The valid lengths of a dash or a gap, in pt.
    public static let patternRange = 0.0...10_000.0
    /// The largest number of lengths in a pattern.
    public static let mostPatternLengths = 1024
    /// The smallest sum of the lengths of a pattern, in pt: dashes far shorter than a pixel cannot be seen, but take time.
    public static let shortestPattern = 0.1

    /// The points, and their first problem, found once.
    private struct Geometry {
        let parts: [[LatLng]]
        private(set) lazy var problem: PropertyError? = findProblem()

        init(parts: [[LatLng]]) {
            self.parts = parts
        }

        var isEmpty: Bool { parts.allSatisfy(\.isEmpty) }

        private func findProblem() -> PropertyError? {
            // Without any it is not on a map, or has no position.
            guard !isEmpty else { return nil }
            let isOne = parts.count == 1
            do throws(PropertyError) {
                for (index, part) in parts.enumerated() {
                    guard part.count >= 2 else {
                        throw PropertyError(
                            path: isOne ? "points" : "parts[\(index)]", problem: "a line has 2 points or more, not \(part.count)")
                    }
                    if let problem = ShapeGeometry.problem(part, isOne ? "points" : "parts[\(index)]") { throw problem }
                }
            } catch {
                return error
            }
            return nil
        }
    }
}
