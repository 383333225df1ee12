import WaymarkGeo

/// A mesh in meters that is placed at a point of the map, such as a building or a car.
///
/// The mesh is in meters. Its x axis points east, its y axis north, and its z axis up. The mesh is first scaled, then rotated about the y,
/// x and z axes, in this order, and then placed at `coordinates`. The mesh's origin lies at `altitude` plus the altitude of `coordinates`.
public final class LocalModel: Model {
    /// The mesh that the model shows.
    public var mesh: FloatMesh {
        didSet {
            mesh.add(self)
            note(.geometry)
        }
    }
    /// The position of the mesh's origin. A local model without coordinates is not added to a map.
    public var coordinates: LatLng? { didSet { note(.position) } }
    /// The factor by which the mesh is scaled, above 0 and at most 1,000,000,000. Default 1.
    public var scale = 1.0 { didSet { note(.position) } }
    /// The rotation in degrees about the east axis, by the right-hand rule: north turns toward up. Default 0.
    public var pitch = 0.0 { didSet { note(.position) } }
    /// The rotation in degrees about the north axis, by the right-hand rule: up turns toward east. Default 0.
    public var roll = 0.0 { didSet { note(.position) } }
    /// The rotation in degrees about the up axis, by the right-hand rule: east turns toward north. Default 0.
    public var yaw = 0.0 { didSet { note(.position) } }
    /// Whether one unit of the mesh is one pt at every zoom, instead of one meter. Default false.
    public var isAutoscaled = false { didSet { note(.position) } }

    /// Creates a model of a mesh, without coordinates; all other properties have their defaults.
    public init(mesh: FloatMesh) {
        self.mesh = mesh
        super.init(type: .localModel)
        mesh.add(self)
    }

    package override var shape: Mesh { mesh }
    package override var isPlaceless: Bool { coordinates == nil }
    package override var placeProperty: String { "coordinates" }
}

extension LocalModel {
    /// The largest valid scale.
    public static let maximumScale = 1e9

    /// Creates a model of a mesh at the given coordinates.
    public convenience init(mesh: FloatMesh, coordinates: LatLng) {
        self.init(mesh: mesh)
        self.coordinates = coordinates
    }
}
