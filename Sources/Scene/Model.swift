import WaymarkGeo
import WaymarkImaging

/// A mesh on the map, textured and lit: a `LocalModel` or a `GeoModel`.
///
/// Models of one layer and one global z index hide one another by where they are, as things do; over and under other overlays
/// they are drawn by their order, whatever their altitude.
public class Model: Overlay {
    /// The global z index that models have by default.
    public static let defaultGlobalZIndex = 100_000
    /// The largest number of lights of a model.
    public static let maximumNumberOfLights = 8

    /// The image on it, laid out by the mesh's texture coordinates. Default nil: the textures of the mesh's surfaces, where it has
    /// any; `OverlayImage.empty` is none.
    public final var texture: OverlayImage? { didSet { note(.style) } }
    /// What it is made of.
    public final var material = Material() { didSet { note(.style) } }
    /// Whether both faces of its triangles are drawn, or only their fronts, the sides from which their corners go counterclockwise.
    /// Default nil: what the mesh's surfaces say, which is true unless a glTF material says otherwise. A closed surface looks the same
    /// either way, and is drawn faster without its backs.
    public final var isDoubleSided: Bool? { didSet { note(.style) } }
    /// Opacity, 0…1. Of a translucent model only what is nearest shows. Default 1.
    public final var alpha = 1.0 { didSet { note(.style) } }
    /// The lights that fall on it, in the order in which they were added; without lights its colors show as they are. Default none.
    public private(set) final var lights: [DirectionalLight] = [] { didSet { note(.style) } }

    package init(type: OverlayType) {
        super.init(type: type, globalZIndex: Self.defaultGlobalZIndex)
    }

    /// The mesh, of either kind.
    // Cannot be called: models are made by nobody but their two kinds, which say it.
    package var shape: Mesh { preconditionFailure("a model is a local or a geo model, and both have a mesh") }

    /// The first problem of its mesh.
    final var meshProblem: PropertyError? { shape.firstProblem()?.within("mesh") }
}

extension Model {
    /// Adds a light.
    /// - Returns: Whether it does so now; not when the model has `maximumNumberOfLights` already, or this very light.
    @discardableResult
    public final func addLight(_ light: DirectionalLight) -> Bool {
        guard lights.count < Self.maximumNumberOfLights, !isLit(by: light) else { return false }
        lights.append(light)
        light.add(self)
        return true
    }

    /// Removes a light; one that the model does not have is left as it is.
    public final func removeLight(_ light: DirectionalLight) {
        guard isLit(by: light) else { return }
        lights.removeAll { $0 === light }
    }

    /// Removes all lights.
    public final func removeAllLights() {
        lights = []
    }

    final func isLit(by light: DirectionalLight) -> Bool {
        lights.contains { $0 === light }
    }

    /// How a surface of the mesh is drawn, or all of a mesh without surfaces: by the model's own color, texture and sidedness where it
    /// has them, else by the surface's.
    package final func look(of surface: FloatMesh.Surface?) -> (diffuse: Color, texture: OverlayImage?, isDoubleSided: Bool) {
        let texture = texture ?? surface?.texture
        return (
            material.diffuse ?? surface?.diffuse ?? .white, texture == .empty ? nil : texture,
            isDoubleSided ?? surface?.isDoubleSided ?? true
        )
    }
}
