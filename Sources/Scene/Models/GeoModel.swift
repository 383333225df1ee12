/// A mesh with geographic coordinates, such as a picture draped over an area or a solid above it. The model's altitude is added to the
/// altitudes of the vertices.
public final class GeoModel: Model {
    /// The mesh that the model shows. A geo model whose mesh has no vertices is not added to a map.
    public var mesh: GeoMesh {
        didSet {
            mesh.add(self)
            note(.geometry)
        }
    }

    /// Creates a model of a mesh; all properties have their defaults.
    public init(mesh: GeoMesh) {
        self.mesh = mesh
        super.init(type: .geoModel)
        mesh.add(self)
    }

    package override var shape: Mesh { mesh }
    package override var isPlaceless: Bool { mesh.vertices.isEmpty }
    package override var placeProperty: String { "vertices" }
}
