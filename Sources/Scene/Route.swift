import WaymarkGeo
import WaymarkImaging

/// A polyline that shows how far along it one has come. By default it is white, 5 pt wide, with a black outline of 1 pt.
public final class Route: Polyline {
    /// The global z index that routes have unless told otherwise.
    public override class var defaultGlobalZIndex: Int { -100_000 }

    /// Colour of what is passed. Default white, as what is not.
    public var passedColor = Color.white { didSet { note(.style) } }
    /// How much of its length is passed, 0…1 from its first point; below 0, down to -1, from its last. Default 0.
    public var progress = 0.0 { didSet { note(.style) } }

    /// A route with every property at its default, and without points.
    public init() {
        super.init(type: .route, globalZIndex: Self.defaultGlobalZIndex)
        width = 5
        color = .white
        outlineWidth = 1
    }

    /// A route through points.
    public convenience init(points: [LatLng]) {
        self.init()
        self.points = points
    }

    package override func firstProblem() -> PropertyError? {
        if let problem = super.firstProblem() {
            return problem
        }
        do throws(PropertyError) {
            try ShapeGeometry.check(passedColor, "passedColor")
            try PropertyError.check(progress, in: -1...1, "progress")
        } catch {
            return error
        }
        return nil
    }
}
