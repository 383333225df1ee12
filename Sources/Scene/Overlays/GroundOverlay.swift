import WaymarkGeo
import WaymarkImaging

/// An image on the ground: a historic map, a weather radar, the plan of a building.
///
/// The image is stretched over its bounds in Web Mercator, in which such images are made. It lies on the ground at any tilt of the camera.
public final class GroundOverlay: Overlay {
    /// The global z index that ground overlays have by default.
    public static let defaultGlobalZIndex = -300_000

    /// The part of the map that the image covers before it is rotated, within the latitudes of the map (±85.051129°). A ground overlay
    /// without bounds is not added to a map.
    public var bounds: LatLngBounds? { didSet { note(.geometry) } }
    /// The image; an empty or missing image draws nothing.
    public var image: OverlayImage? { didSet { note(.icon) } }
    /// The clockwise rotation of the image in degrees about the center of its bounds on the map: at 0, its top is north. Default 0.
    public var bearing = 0.0 { didSet { note(.geometry) } }
    /// Opacity, 0…1. Default 1.
    public var alpha = 1.0 { didSet { note(.style) } }

    /// A ground overlay with every property at its default, and without bounds and image.
    public init() {
        super.init(type: .groundOverlay, globalZIndex: Self.defaultGlobalZIndex)
    }

    package override var isPlaceless: Bool { bounds == nil }
    package override var placeProperty: String { "bounds" }
}

extension GroundOverlay {
    /// An image over a part of the map.
    public convenience init(bounds: LatLngBounds, image: OverlayImage) {
        self.init()
        self.bounds = bounds
        self.image = image
    }
}
