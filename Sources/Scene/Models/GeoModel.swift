import WaymarkGeo

/// A mesh with geographic coordinates: a picture draped over an area, or a solid above it. The model's altitude is added to those
/// of the vertices.
public final class GeoModel: Model {
    /// The mesh it shows. A geo model whose mesh has no vertices is not added to a map.
    public var mesh: GeoMesh {
        didSet {
            mesh.add(self)
            note(.geometry)
        }
    }

    /// A model of a mesh, with every property at its default.
    public init(mesh: GeoMesh) {
        self.mesh = mesh
        super.init(type: .geoModel)
        mesh.add(self)
    }

    package override var shape: Mesh { mesh }
    package override var isPlaceless: Bool { mesh.vertices.isEmpty }
    package override var placeProperty: String { "vertices" }
}
