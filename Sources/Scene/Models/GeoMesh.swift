import WaymarkGeo
import WaymarkImaging

/// A mesh whose vertices are geographic coordinates. A `GeoModel` shows it.
///
/// The edges of the triangles are straight on the map, and cross ±180° if that way is shorter.
public final class GeoMesh: Mesh {
    /// The corners of the triangles: x is the longitude in degrees, y the latitude in degrees, and z the altitude in meters above the
    /// ground. Latitudes are valid in -90…90, and altitudes in -1,000,000…1,000,000,000; longitudes must be finite. A geo model without
    /// vertices is not added to a map. Default: none.
    public var vertices: [SIMD3<Double>] = [] { didSet { noteChange(of: .vertices) } }

    /// Creates an empty mesh.
    public override init() {
        super.init()
    }

    package override var vertexCount: Int { vertices.count }

    override func checkVertices() throws(PropertyError) {
        let altitudes = Overlay.altitudeRange
        for index in vertices.indices {
            let vertex = vertices[index]
            guard !(vertex.x.isFinite && abs(vertex.y) <= 90 && altitudes.contains(vertex.z)) else { continue }
            guard vertex.x.isFinite else {
                throw PropertyError(path: "vertices[\(index)].x", problem: "the longitude \(plain(vertex.x)) is not a finite number")
            }
            try PropertyError.check(vertex.y, in: -90...90, "vertices[\(index)].y")
            try PropertyError.check(vertex.z, in: altitudes, "vertices[\(index)].z")
        }
    }
}

extension GeoMesh {
    /// Creates a mesh with the given property values.
    public convenience init(
        vertices: [SIMD3<Double>], textureCoordinates: [SIMD2<Float>] = [], triangles: [SIMD3<UInt32>], normals: [SIMD3<Float>] = [],
        colors: [Color] = []
    ) {
        self.init()
        self.vertices = vertices
        self.textureCoordinates = textureCoordinates
        self.triangles = triangles
        self.normals = normals
        self.colors = colors
    }

    /// Sets the vertices from a flat list of numbers.
    /// - Parameters:
    ///   - numbers: The longitude, latitude and altitude of each vertex.
    ///   - count: The number of vertices. Further numbers are ignored.
    public func setVertices(_ numbers: [Double], count: Int) {
        let (available, misfit) = Self.elements(numbers.count, of: count, each: 3, "vertices")
        vertices = (0..<available).map { SIMD3(numbers[3 * $0], numbers[3 * $0 + 1], numbers[3 * $0 + 2]) }
        misfits[.vertices] = misfit
    }
}
