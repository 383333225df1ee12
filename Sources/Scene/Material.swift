import WaymarkGeo
import WaymarkImaging

/// The surface of a model: its colors, and how it takes light.
public struct Material: Hashable, Sendable {
    /// The color of the model, which its texture is multiplied with; with an alpha below 1 it is translucent. Default nil: the
    /// colors of the mesh's surfaces, and white where it has none.
    public var diffuse: Color?
    /// The share of that color that shows where no light falls, for each channel; its alpha is ignored. A model without lights
    /// shows its color as it is. Default a gray of 0.3.
    public var ambient: Color

    public init(diffuse: Color? = nil, ambient: Color = Color(white: 0.3)) {
        self.diffuse = diffuse
        self.ambient = ambient
    }
}
