import WaymarkGeo
import WaymarkImaging

/// What a model is made of: how it takes light.
public struct Material: Hashable, Sendable {
    /// The colour of the model, which its texture is multiplied with; with an alpha below 1 it is translucent. Default nil: the
    /// colours of the mesh's surfaces, and white where it has none.
    public var diffuse: Color?
    /// The share of that colour that shows where no light falls, for each channel; its alpha is ignored. A model without lights
    /// shows its colour as it is. Default a grey of 0.3.
    public var ambient: Color

    public init(diffuse: Color? = nil, ambient: Color = Color(white: 0.3)) {
        self.diffuse = diffuse
        self.ambient = ambient
    }
}
