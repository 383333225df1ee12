import WaymarkGeo

/// A mesh in meters placed at a point of the map: a building, a car.
///
/// One unit of the mesh is a meter; its x axis points east, y north and z up. The mesh is scaled first, then rotated about y, x and
/// z in that order, then placed at `coordinates`, at the height of `altitude` plus their altitude.
public final class LocalModel: Model {
    /// The mesh it shows.
    public var mesh: FloatMesh {
        didSet {
            mesh.add(self)
            note(.geometry)
        }
    }
    /// Where the origin of the mesh is placed. A local model without coordinates is not added to a map.
    public var coordinates: LatLng? { didSet { note(.position) } }
    /// The scale factor of the mesh, above 0 and at most 1,000,000,000. Default 1.
    public var scale = 1.0 { didSet { note(.position) } }
    /// Rotation in degrees about the east axis, by the right-hand rule: north turns toward up. Default 0.
    public var pitch = 0.0 { didSet { note(.position) } }
    /// Rotation in degrees about the north axis, by the right-hand rule: up turns toward east. Default 0.
    public var roll = 0.0 { didSet { note(.position) } }
    /// Rotation in degrees about the up axis, by the right-hand rule: east turns toward north. Default 0.
    public var yaw = 0.0 { didSet { note(.position) } }
    /// Whether one unit of the mesh is one pt at every zoom, instead of a meter. Default false.
    public var isAutoscaled = false { didSet { note(.position) } }

    /// A model of a mesh, with every property at its default and without coordinates.
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

    /// A model of a mesh at the given coordinates.
    public convenience init(mesh: FloatMesh, coordinates: LatLng) {
        self.init(mesh: mesh)
        self.coordinates = coordinates
    }
}
