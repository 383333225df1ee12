import WaymarkGeo
import WaymarkImaging

/// An area on the ground, with or without holes, or several areas with the same style.
///
/// The edges are straight on the map, and cross ±180° if that way is shorter. The polygon is level, at `altitude` plus the altitude of its
/// first point. Where rings cross, the area is filled by the even-odd rule, and a diagnostic reports the crossing.
///
/// The background does not show through borders shared by consecutive polygons and circles. Polygons and circles are consecutive if they
/// have the same layer, `globalZIndex` and `zIndex` (including those of their containers), and only outlines and lines lie between them in
/// the drawing order. In each pixel, the coverage of an area first fills the part that the areas beneath it leave uncovered; only the rest
/// of this coverage is drawn over these areas. An area with a higher `zIndex`, such as a highlight, is exempt from this rule: it is simply
/// drawn over the others.
public final class Polygon: Overlay {
    /// The default global z index of polygons.
    public static let defaultGlobalZIndex = -200_000

    /// The areas. Each area is a list of rings, as in `rings`. A polygon without points is not added to a map. Default: none.
    public var polygons: [[[LatLng]]] {
        get { geometry.polygons }
        set {
            geometry = Geometry(polygons: newValue)
            note(.geometry)
        }
    }
    private var geometry = Geometry(polygons: [])

    /// The colors and the width that were set; nil for the defaults.
    package var ownFillColor: Color? { didSet { note(.style) } }
    package var ownOutlineWidth: Double? { didSet { note(.style) } }
    package var ownOutlineColor: Color? { didSet { note(.style) } }
    /// The defaults on a map without a theme.
    package var standard = ShapeStandard.overlay { didSet { note(.style) } }
    /// Whether the outline's width is constant on the ground. The outline then appears wider near the viewer. `outlineWidth` is its width
    /// in pt at the center of the view. Default false.
    public var isPerspectiveEnabled = false { didSet { note(.style) } }

    /// Creates a polygon without points; all other properties have their defaults.
    public init() {
        super.init(type: .polygon, globalZIndex: Self.defaultGlobalZIndex)
    }

    package override var isPlaceless: Bool { geometry.isEmpty }
    package override var placeProperty: String { "rings" }

    /// The first problem of the polygon's points; nil if there is none.
    var geometryProblem: PropertyError? { geometry.problem }
}

extension Polygon {
    /// Creates a polygon of one area without holes.
    public convenience init(points: [LatLng]) {
        self.init(rings: [points])
    }

    /// Creates a polygon of one area: inside the first ring and outside all other rings.
    public convenience init(rings: [[LatLng]]) {
        self.init()
        self.rings = rings
    }

    /// The rings of the first area. The first ring is the outer one, and the others are holes. Each ring has at least 3 points and may run
    /// in either direction. A ring is closed even if its last point does not repeat the first. Setting the rings replaces all areas with
    /// one area. Default: none.
    public var rings: [[LatLng]] {
        get { polygons.first ?? [] }
        set { polygons = newValue.isEmpty ? [] : [newValue] }
    }

    /// The points and their first problem, which is computed once.
    private struct Geometry {
        let polygons: [[[LatLng]]]
        private(set) lazy var problem: PropertyError? = findProblem()

        init(polygons: [[[LatLng]]]) {
            self.polygons = polygons
        }

        var isEmpty: Bool { polygons.allSatisfy { $0.allSatisfy(\.isEmpty) } }

        private func findProblem() -> PropertyError? {
            // An overlay without points is not on a map, or is reported as an overlay without a position.
            guard !isEmpty else { return nil }
            for (index, rings) in polygons.enumerated() {
                func path(_ ring: Int) -> String {
                    polygons.count == 1 ? "rings[\(ring)]" : "polygons[\(index)][\(ring)]"
                }
                guard !rings.isEmpty else {
                    return PropertyError(path: "polygons[\(index)]", problem: "a polygon needs at least one ring")
                }
                for (number, ring) in rings.enumerated() {
                    let isClosed = ring.count > 1 && ring.first == ring.last
                    let count = isClosed ? ring.count - 1 : ring.count
                    guard count >= 3 else {
                        return PropertyError(
                            path: path(number),
                            problem: "a ring needs at least 3 points\(isClosed ? " before it closes" : ""), not \(count)")
                    }
                    if let problem = CoordinateCheck.problem(ring, path(number)) { return problem }
                }
            }
            return nil
        }
    }
}
