import WaymarkGeo
import WaymarkImaging

/// A light that illuminates models from one direction, with the same intensity everywhere. Any number of models can share one.
public final class DirectionalLight {
    /// The direction in which the light travels: (0, 0, -1) shines down from above, (1, 0, 0) from the west. Must be finite and not
    /// 0; its length has no effect.
    public var direction: Vector3D { didSet { noteChange() } }
    /// Its color; the alpha is ignored. Default white.
    public var color: Color { didSet { noteChange() } }
    /// The factor by which the color is multiplied, valid in 0…1,000,000. Default 1.
    public var intensity: Double { didSet { noteChange() } }
    /// The models that use it.
    private var models = ModelList()

    public init(direction: Vector3D, color: Color = .white, intensity: Double = 1) {
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
