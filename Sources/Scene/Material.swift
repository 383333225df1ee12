import WaymarkGeo
import WaymarkImaging

/// The material of a model: its diffuse and ambient colors.
public struct Material: Hashable, Sendable {
    /// The color of the model, multiplied with its texture; with an alpha below 1 the model is translucent. Default nil: the colors
    /// of the mesh's surfaces, or white for a mesh without surfaces.
    public var diffuse: Color?
    /// The share of the diffuse color that is visible without light, per channel; its alpha is ignored. A model without lights is
    /// drawn unlit. Default: a gray of 0.3.
    public var ambient: Color

    public init(diffuse: Color? = nil, ambient: Color = Color(white: 0.3)) {
        self.diffuse = diffuse
        self.ambient = ambient
    }
}
