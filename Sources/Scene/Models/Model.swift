import WaymarkGeo
import WaymarkImaging

/// A textured and lit mesh on the map: a `LocalModel` or a `GeoModel`.
///
/// Models with the same layer, global z index and z index (including those of their containers) hide one another by depth. For all other
/// overlays and models, the layers and z indexes determine the drawing order, regardless of altitude.
public class Model: Overlay {
    /// The default global z index of models.
    public static let defaultGlobalZIndex = 100_000
    /// The valid range of `smoothingAngle`, in degrees.
    public static let smoothingAngleRange = 0.0...180
    /// The maximum number of lights per model.
    public static let maximumNumberOfLights = 8

    /// The texture, mapped by the mesh's texture coordinates. Default nil: the textures of the mesh's surfaces, if they have any.
    /// `OverlayImage.empty` means no texture. If the texture cannot be loaded, the material's color is drawn, and a diagnostic of the
    /// frame reports it.
    public final var texture: OverlayImage? { didSet { note(.style) } }
    /// How `texture` is sampled; the textures of the mesh's surfaces have their own samplers. Default: repeating, filtered with mipmaps.
    public final var textureSampler = TextureSampler() { didSet { note(.style) } }
    /// The material of the model.
    public final var material = Material() { didSet { note(.style) } }
    /// Whether both faces of the model's triangles are drawn. If false, only the front is drawn: the face on which the corners run
    /// counterclockwise. A closed surface then looks the same, but is drawn faster. Default nil: the value of each surface of the mesh,
    /// which is true unless a glTF material sets it to false.
    public final var isDoubleSided: Bool? { didSet { note(.style) } }
    /// The angle in degrees, 0…180, below which adjacent triangles of a mesh without normals are shaded as one smooth surface. The angle
    /// is measured between the triangles' normals, and is 0 if both triangles lie in one plane. For example, 30 makes a round tower
    /// smooth and keeps the edge of its roof. Vertices at equal positions count as one. Default 0: every triangle is shaded flat. A mesh
    /// that has normals keeps them.
    public final var smoothingAngle = 0.0 { didSet { note(.geometry) } }
    /// The opacity, 0…1. A translucent model shows only its nearest surface. Default 1.
    public final var alpha = 1.0 { didSet { note(.style) } }
    /// The lights that illuminate the model, in the order in which they were added. Without lights, and on surfaces whose
    /// lighting is turned off, colors are drawn unchanged. Default: none.
    public private(set) final var lights: [DirectionalLight] = [] { didSet { note(.style) } }

    package init(type: OverlayType) {
        super.init(type: type, globalZIndex: Self.defaultGlobalZIndex)
    }

    /// The mesh, a `FloatMesh` or a `GeoMesh`.
    // Unreachable: the only subclasses of `Model` are `LocalModel` and `GeoModel`, and both override it.
    package var shape: Mesh { preconditionFailure("a model is a local or a geo model, and both have a mesh") }

    /// The first problem of the model's mesh.
    final var meshProblem: PropertyError? { shape.firstProblem()?.within("mesh") }
}

extension Model {
    /// Adds a light.
    /// - Returns: Whether the light was added: false if the model already has this light, or already has `maximumNumberOfLights`.
    @discardableResult
    public final func addLight(_ light: DirectionalLight) -> Bool {
        guard lights.count < Self.maximumNumberOfLights, !isLit(by: light) else { return false }
        lights.append(light)
        light.add(self)
        return true
    }

    /// Removes a light. Does nothing if the model does not have this light.
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

    /// The effective appearance of a surface. The color, texture, cutoff and sidedness are the surface's, unless the model sets its own.
    package final func appearance(of surface: FloatMesh.Surface) -> FloatMesh.Surface {
        var surface = surface
        if let texture { (surface.texture, surface.sampler) = (texture == .empty ? nil : texture, textureSampler) }
        surface.diffuse = material.diffuse ?? surface.diffuse
        surface.alphaCutoff = material.alphaCutoff ?? surface.alphaCutoff
        surface.isDoubleSided = isDoubleSided ?? surface.isDoubleSided
        return surface
    }
}

/// The models that use a mesh or a light, held weakly. Models that no longer use it are removed only when the list has doubled in
/// length, so that adding takes constant amortized time.
struct ModelList {
    private var entries: [Entry] = []
    private var limit = 16

    private struct Entry {
        weak var model: Model?
    }

    /// - Parameter isUser: Whether a model still uses the owner of this list.
    mutating func add(_ model: Model, isUser: (Model) -> Bool) {
        if entries.count == limit {
            var known: Set<ObjectIdentifier> = []
            entries.removeAll { entry in
                guard let model = entry.model, isUser(model) else { return true }
                return !known.insert(ObjectIdentifier(model)).inserted
            }
            limit = max(16, 2 * entries.count)
        }
        entries.append(Entry(model: model))
    }

    /// Visits all models that use, or have used, the owner of this list, in the order in which they were added. A model may be visited
    /// twice.
    func forEach(_ body: (Model) -> Void) {
        for case let model? in entries.lazy.map(\.model) { body(model) }
    }
}
