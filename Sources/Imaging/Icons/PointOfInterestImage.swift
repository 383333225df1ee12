/// The image of a point of interest: a disc with a thin ring, on which the icon of the category is drawn in one color.
///
/// The icon is made of paths: maps draw it with their rasterizer, and this module only draws the disc.
public struct PointOfInterestImage: Hashable, Sendable {
    public let icon: PointOfInterestIcon
    /// The disc, including the ring. Its color should be opaque, because gaps in the icon are filled with it.
    public let disc: DiscImage
    /// The color of the icon.
    public let color: Color

    public init(_ icon: PointOfInterestIcon, disc: DiscImage, color: Color) {
        (self.icon, self.disc, self.color) = (icon, disc, color)
    }
}

public extension PointOfInterestImage {
    /// The image's name, such as `poi:cafe-ffffff-cb6420-ffffffe6-1-20`.
    var name: String { "poi:\(icon.rawValue)-\(color.description.dropFirst())-\(disc.name.dropFirst("disc:".count))" }
}
