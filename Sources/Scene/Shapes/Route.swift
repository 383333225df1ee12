import WaymarkGeo
import WaymarkImaging

/// A polyline that shows progress along its length. By default it is white, 5 pt wide, with a black outline of 1 pt.
public final class Route: Polyline {
    /// The default global z index of routes.
    public override class var defaultGlobalZIndex: Int { -100_000 }

    /// The color of the traveled part. Default white, like the rest of the route.
    public var passedColor = Color.white { didSet { note(.style) } }
    /// The fraction of the route's length that has been traveled. Values in 0…1 are measured from the first point, and values in -1…0 from
    /// the last point. Default 0.
    public var progress = 0.0 { didSet { note(.style) } }

    /// Creates a route without points; all other properties have their defaults.
    public init() {
        super.init(type: .route, globalZIndex: Self.defaultGlobalZIndex)
        width = 5
        color = .white
        outlineWidth = 1
    }

    /// Creates a route through the given points.
    public convenience init(points: [LatLng]) {
        self.init()
        self.points = points
    }
}
