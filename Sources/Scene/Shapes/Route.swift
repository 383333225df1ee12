import WaymarkGeo
import WaymarkImaging

/// A polyline that shows progress along its length. By default it is 5 pt wide, with an outline of 1 pt. On a map without a theme, it is
/// white, and its outline is black.
public final class Route: Polyline {
    /// The default global z index of routes.
    public override class var defaultGlobalZIndex: Int { -100_000 }

    /// The color of the traveled part that was set; nil for the default.
    package var ownPassedColor: Color? { didSet { note(.style) } }
    /// The fraction of the route's length that has been traveled. Values in 0…1 are measured from the first point, and values in -1…0 from
    /// the last point. Default 0.
    public var progress = 0.0 { didSet { note(.style) } }

    /// Creates a route without points; all other properties have their defaults.
    public init() {
        super.init(type: .route, globalZIndex: Self.defaultGlobalZIndex)
        width = 5
        outlineWidth = 1
    }

    /// Creates a route through the given points.
    public convenience init(points: [LatLng]) {
        self.init()
        self.points = points
    }
}
