import WaymarkGeo
import WaymarkImaging

/// The material of a model: the diffuse and ambient colors, and the alpha cutoff.
public struct Material: Hashable, Sendable {
    /// The color of the model, which is multiplied by its texture and its vertex colors. If the alpha of this color is below 1, the model
    /// is translucent. Default nil: the colors of the mesh's surfaces, or white for a mesh without surfaces.
    public var diffuse: Color?
    /// The fraction of each channel of the diffuse color that is visible where no light falls. The alpha is ignored. A model that has no
    /// lights shows its full diffuse color. Default: a gray of 0.3.
    public var ambient: Color
    /// The cutoff, 0…1, for the combined alpha of texture, vertex colors and diffuse color. Where this alpha is below the cutoff, nothing
    /// is drawn; elsewhere, the model is opaque. For example, a cutoff cuts leaves and fences out of their textures. If the cutoff is 0,
    /// alpha has no effect. Default nil: the cutoffs of the mesh's surfaces. Without any cutoff, the model is translucent where alpha is
    /// below 1.
    public var alphaCutoff: Double?

    public init(diffuse: Color? = nil, ambient: Color = Color(white: 0.3), alphaCutoff: Double? = nil) {
        self.diffuse = diffuse
        self.ambient = ambient
        self.alphaCutoff = alphaCutoff
    }
}

/// A light that illuminates models from one direction, with the same intensity everywhere. Any number of models can share a light.
public final class DirectionalLight {
    /// The direction in which the light travels, in the axes of a `FloatMesh` (east, north, up). For example, light shines straight down if
    /// this is [0, 0, -1], and from the west if it is [1, 0, 0]. The vector must be finite and not 0; its length has no effect.
    public var direction: SIMD3<Double> { didSet { noteChange() } }
    /// The color of the light. Its alpha is ignored. Default white.
    public var color: Color { didSet { noteChange() } }
    /// The factor by which the color is multiplied, valid in 0…1,000,000. Default 1.
    public var intensity: Double { didSet { noteChange() } }
    /// The models that use the light.
    private var models = ModelList()

    public init(direction: SIMD3<Double>, color: Color = .white, intensity: Double = 1) {
        self.direction = direction
        self.color = color
        self.intensity = intensity
    }

    /// The valid intensities.
    public static let intensityRange = 0.0...1e6

    func add(_ model: Model) {
        models.add(model) { [unowned self] in $0.isLit(by: self) }
    }

    private func noteChange() {
        models.forEach { if $0.isLit(by: self) { $0.note(.style) } }
    }
}
