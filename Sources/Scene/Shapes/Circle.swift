import WaymarkGeo
import WaymarkImaging

/// A disc on the ground: everything within a given distance of a center, measured in meters along the surface of the sphere.
public final class Circle: Overlay {
    /// The default global z index of circles.
    public static let defaultGlobalZIndex = -200_000

    /// The center of the circle. The disc is level, at `altitude` plus the altitude of the center. A circle without a center is not added
    /// to a map.
    public var center: LatLng? { didSet { note(.geometry) } }
    /// The radius in meters on the ground, valid in 0…20,000,000. If it is 0, nothing is drawn. Default 1000.
    public var radius = 1000.0 { didSet { note(.geometry) } }
    /// The colors and the width that were set; nil for the defaults.
    package var ownFillColor: Color? { didSet { note(.style) } }
    package var ownOutlineWidth: Double? { didSet { note(.style) } }
    package var ownOutlineColor: Color? { didSet { note(.style) } }
    /// Whether the outline's width is constant on the ground. The outline then appears wider near the viewer. `outlineWidth` is its width
    /// in pt at the center of the view. Default false.
    public var isPerspectiveEnabled = false { didSet { note(.style) } }

    /// Creates a circle without a center; all other properties have their defaults.
    public init() {
        super.init(type: .circle, globalZIndex: Self.defaultGlobalZIndex)
    }

    package override var isPlaceless: Bool { center == nil }
    package override var placeProperty: String { "center" }
}

extension Circle {
    /// Creates a circle around a center.
    /// - Parameter radius: The radius in meters on the ground. Default 1000.
    public convenience init(center: LatLng, radius: Double = 1000) {
        self.init()
        self.center = center
        self.radius = radius
    }

    /// The valid radii in meters. The largest radius reaches almost to the antipode.
    public static let radiusRange = 0.0...20_000_000.0
}
