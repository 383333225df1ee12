import WaymarkGeo

/// A mesh in meters at one place on the map: a building, a car.
///
/// A unit of the mesh is a meter; its x axis goes east, y north and z up. It is scaled first, then turned about y, then about x,
/// then about z, and then placed at `coordinates`, at the height of `altitude` plus the altitude of those.
public final class LocalModel: Model {
    /// What it shows.
    public var mesh: FloatMesh {
        didSet {
            mesh.add(self)
            note(.geometry)
        }
    }
    /// Where the origin of the mesh is placed. A local model without coordinates is not added to a map.
    public var coordinates: LatLng? { didSet { note(.position) } }
    /// What the mesh is multiplied with, above 0 and at most 1,000,000,000. Default 1.
    public var scale = 1.0 { didSet { note(.position) } }
    /// Degrees about the axis that goes east, as a right hand's fingers go around its thumb: north turns up. Default 0.
    public var pitch = 0.0 { didSet { note(.position) } }
    /// Degrees about the axis that goes north, as a right hand's fingers go around its thumb: up turns east. Default 0.
    public var roll = 0.0 { didSet { note(.position) } }
    /// Degrees about the axis that goes up, as a right hand's fingers go around its thumb: east turns north. Default 0.
    public var yaw = 0.0 { didSet { note(.position) } }
    /// Whether a unit of the mesh is a pt at every zoom, and not a meter. Default false.
    public var isAutoscaled = false { didSet { note(.position) } }

    /// A model of a mesh with every property at its default, and without coordinates.
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

    /// A model of a mesh at a place.
    public convenience init(mesh: FloatMesh, coordinates: LatLng) {
        self.init(mesh: mesh)
        self.coordinates = coordinates
    }
}
