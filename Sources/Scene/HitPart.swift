/// The part of an object that is at a point of the picture.
public enum HitPart: String, Sendable, CaseIterable {
    /// The icon of a marker.
    case icon
    /// The captions of a marker.
    case caption
    /// A line, an area or its outline, or an image on the ground.
    case shape
    case model
    case cluster
    /// A label or point of interest of the base map.
    case symbol
    case infoWindow
    case viewOverlay
}
