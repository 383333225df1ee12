import WaymarkGeo
import WaymarkImaging

/// An image on the ground, such as a historic map, a weather radar image or a floor plan.
///
/// The image is stretched over its bounds in Web Mercator, the projection in which such images are usually made. At any tilt of the camera,
/// it lies flat on the ground or, if `altitude` is not 0, above it.
public final class GroundOverlay: Overlay {
    /// The default global z index of ground overlays.
    public static let defaultGlobalZIndex = -300_000

    /// The part of the map that the image covers before it is rotated. Bounds must lie within the latitudes of the map (±85.051129°). A
    /// ground overlay without bounds is not added to a map.
    public var bounds: LatLngBounds? { didSet { note(.geometry) } }
    /// The image. If it is nil or empty, nothing is drawn.
    public var image: OverlayImage? { didSet { note(.icon) } }
    /// The clockwise rotation of the image in degrees, about the center of its bounds on the map. At 0, the top of the image faces north.
    /// Default 0.
    public var bearing = 0.0 { didSet { note(.geometry) } }
    /// The opacity, 0…1. Default 1.
    public var alpha = 1.0 { didSet { note(.style) } }

    /// Creates a ground overlay without bounds and without an image; all other properties have their defaults.
    public init() {
        super.init(type: .groundOverlay, globalZIndex: Self.defaultGlobalZIndex)
    }

    package override var isPlaceless: Bool { bounds == nil }
    package override var placeProperty: String { "bounds" }
}

extension GroundOverlay {
    /// Creates a ground overlay with an image over a part of the map.
    public convenience init(bounds: LatLngBounds, image: OverlayImage) {
        self.init()
        self.bounds = bounds
        self.image = image
    }
}
