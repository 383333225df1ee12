import WaymarkGeo
import WaymarkImaging

/// A polyline that shows progress along it. By default it is white, 5 pt wide, with a black outline of 1 pt.
public final class Route: Polyline {
    /// The global z index that routes have by default.
    public override class var defaultGlobalZIndex: Int { -100_000 }

    /// Color of the traveled part. Default white, the same as the rest.
    public var passedColor = Color.white { didSet { note(.style) } }
    /// The traveled share of its length: 0…1 from its first point, or -1…0 from its last. Default 0.
    public var progress = 0.0 { didSet { note(.style) } }

    /// A route with every property at its default, and without points.
    public init() {
        super.init(type: .route, globalZIndex: Self.defaultGlobalZIndex)
        width = 5
        color = .white
        outlineWidth = 1
    }

    /// A route through the given points.
    public convenience init(points: [LatLng]) {
        self.init()
        self.points = points
    }
}
