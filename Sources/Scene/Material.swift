import WaymarkGeo
import WaymarkImaging

/// The material of a model: its diffuse and ambient colors, and where it is cut out.
public struct Material: Hashable, Sendable {
    /// The color of the model, multiplied with its texture and the colors of its vertices; with an alpha below 1 the model is
    /// translucent. Default nil: the colors of the mesh's surfaces, or white for a mesh without surfaces.
    public var diffuse: Color?
    /// The share of the diffuse color that is visible without light, per channel; its alpha is ignored. A model without lights is
    /// drawn unlit. Default: a gray of 0.3.
    public var ambient: Color
    /// The alpha of texture, colors of vertices and diffuse color together at which the model becomes opaque, 0…1: where it is less
    /// nothing is drawn, so leaves and fences are cut out of their textures. At 0 alpha has no effect. Default nil: the cutoffs of the
    /// mesh's surfaces; without one the model is translucent where alpha is below 1.
    public var alphaCutoff: Double?

    public init(diffuse: Color? = nil, ambient: Color = Color(white: 0.3), alphaCutoff: Double? = nil) {
        self.diffuse = diffuse
        self.ambient = ambient
        self.alphaCutoff = alphaCutoff
    }
}
