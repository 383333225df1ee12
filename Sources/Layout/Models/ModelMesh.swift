import Synchronization
import WaymarkFrame
import WaymarkMeshes
import WaymarkScene

/// A mesh prepared for frames, once for each state of a scene's mesh, whatever models show it and from wherever.
final class ModelMesh {
    /// Its corners in its own units, x east, y north, z up, all used by triangles; the fronts of triangles are where their normals point.
    let mesh: TriangleMesh
    /// By triangle: the triangle of the scene's mesh that it is a part of; empty when they are the same.
    let sources: [UInt32]
    /// Of the scene's mesh.
    let triangleCount: Int
    let bounds: MeshBounds
    /// Of the sphere around the middle of the bounds.
    let radius: Double
    /// Where it stands on the map, when it says so itself: the world's fractions, x east and y north of its upper left corner, z up.
    let origin: SIMD3<Double>?
    /// What one of its units is, as a fraction of the world, when it says so itself.
    let unit: Double
    /// Its surfaces, relative to the center of the bounds; nil for those without area.
    let surfaces: [ModelSurface?]
    private let surfaceRanges: [Range<Int>]
    private let precise: () -> PreciseMesh
    /// The positions that are outermost in some direction.
    private(set) lazy var outermost = mesh.outermost().map { mesh.positions[$0] }

    /// Whether all of its vertices are at one height.
    var isLevel: Bool { bounds.low.z == bounds.high.z }

    private static let lastKey = Atomic<UInt64>(0)

    private init(
        _ mesh: TriangleMesh, sources: [UInt32] = [], triangleCount: Int, ranges: [Range<Int>], origin: SIMD3<Double>? = nil,
        unit: Double = 1, name: String, precise: @escaping () -> PreciseMesh
    ) {
        var mesh = mesh
        let isReversed = mesh.turnToNormals()
        self.mesh = mesh
        self.sources = sources
        self.triangleCount = triangleCount
        bounds = MeshBounds(mesh.positions) ?? MeshBounds(low: .zero, high: .zero)
        radius = mesh.radius(around: bounds.center)
        self.origin = origin
        self.unit = unit
        self.precise = precise
        surfaceRanges = ranges
        surfaces = Self.surfaces(of: mesh, ranges, isReversed, about: bounds.center, name: name)
    }

    /// A mesh in meters.
    convenience init(_ scene: FloatMesh) {
        let whole = TriangleMesh(
            positions: scene.vertices, normals: Self.normalized(scene.normals), textureCoordinates: scene.textureCoordinates,
            triangles: scene.triangles)
        let mesh = whole.hasLoosePositions ? whole.part(0..<whole.triangles.count) : whole
        self.init(
            mesh, triangleCount: mesh.triangles.count,
            ranges: scene.surfaces.isEmpty ? [0..<mesh.triangles.count] : scene.surfaces.map(\.triangles), name: "local mesh"
        ) {
            PreciseMesh(
                positions: mesh.positions.map { SIMD3<Double>($0) }, normals: mesh.normals, textureCoordinates: mesh.textureCoordinates,
                triangles: mesh.triangles)
        }
    }

    /// A mesh of places, lifted by meters. One of which nothing is on the map has no triangles.
    convenience init(_ scene: GeoMesh, altitude: Double) {
        // Kept as the user holds them: no memory of their own.
        let places = GeoPlaces(
            vertices: scene.vertices, normals: scene.normals, textureCoordinates: scene.textureCoordinates, triangles: scene.triangles,
            altitude: altitude)
        let cut = places.onMap()
        let bounds = MeshBounds(cut.positions) ?? MeshBounds(low: .zero, high: .zero)
        // A power of two, so that dividing by it is exact.
        var unit = 0x1p-40
        while unit < bounds.extent { unit *= 2 }
        let origin = bounds.center
        let mesh = cut.relative(to: origin, unit: unit)
        self.init(
            mesh, sources: cut.sources, triangleCount: places.triangles.count, ranges: [0..<mesh.triangles.count], origin: origin,
            unit: unit, name: "geo mesh"
        ) { [unit] in
            var precise = places.onMap()
            for index in precise.positions.indices { precise.positions[index] = (precise.positions[index] - origin) / unit }
            return precise
        }
    }

    /// The triangle of the scene's mesh that a triangle is of.
    func source(_ triangle: Int) -> Int { sources.isEmpty ? triangle : Int(sources[triangle]) }

    /// The same mesh rotated, scaled and clipped to a square, when it is too large for the floats of a frame.
    /// - Parameter turn: From its units to those of the piece, x east, y north, z up.
    func piece(name: String, low: SIMD2<Double>, high: SIMD2<Double>, turn: (SIMD3<Double>) -> SIMD3<Double>) -> Piece {
        var precise = precise()
        for index in precise.positions.indices { precise.positions[index] = turn(precise.positions[index]) }
        // The axes stand at right angles and are equally long.
        let zero = turn(.zero)
        precise.normals = Self.normalized(precise.normals.map { SIMD3<Float>(turn(SIMD3<Double>($0)) - zero) })
        let cut = precise.clipped(low: low, high: high)
        var mesh = cut.relative(to: .zero)
        let isReversed = mesh.turnToNormals()
        var (ranges, start): ([Range<Int>], Int) = ([], 0)
        for (number, range) in surfaceRanges.enumerated() {
            // Pieces are in the order of the triangles that they are parts of.
            var end = number == surfaceRanges.count - 1 ? cut.sources.count : start
            while end < cut.sources.count, Int(cut.sources[end]) < range.upperBound { end += 1 }
            ranges.append(start..<end)
            start = end
        }
        let bounds = MeshBounds(mesh.positions) ?? MeshBounds(low: .zero, high: .zero)
        return Piece(
            mesh: mesh, sources: cut.sources, bounds: bounds,
            surfaces: Self.surfaces(of: mesh, ranges, isReversed, about: .zero, name: name))
    }

    /// A piece of a mesh.
    struct Piece {
        var mesh: TriangleMesh
        /// By the triangle: the one of the scene's mesh that it is of.
        var sources: [UInt32]
        var bounds: MeshBounds
        /// By the surface, about the origin.
        var surfaces: [ModelSurface?]
    }
}

/// A surface of a mesh as frames draw it.
struct ModelSurface {
    /// All of its triangles, with their fronts where their normals point.
    let mesh: FrameMesh
    /// The same triangles for a surface that is not double-sided. There a front is given by the winding of the scene's mesh, whatever its
    /// normals say (glTF 2.0, "Instantiation"): it is the back of a triangle whose winding was reversed to face its normals.
    let fronts: [(mesh: FrameMesh, faces: VisibleFaces)]

    /// - Parameter isReversed: For each triangle, whether its winding was reversed; empty for none.
    fileprivate init(_ mesh: FrameMesh, isReversed: ArraySlice<Bool>, nextKey: () -> UInt64) {
        self.mesh = mesh
        let count = isReversed.count(where: \.self)
        if count == 0 {
            fronts = [(mesh, .front)]
        } else if count == isReversed.count {
            fronts = [(mesh, .back)]
        } else {
            func part(_ isPart: (Bool) -> Bool) -> FrameMesh {
                var part = mesh
                part.key = nextKey()
                part.indices = zip(isReversed, 0...).flatMap { isPart($0) ? mesh.indices[3 * $1..<3 * $1 + 3] : [] }
                return part
            }
            fronts = [(part { !$0 }, .front), (part { $0 }, .back)]
        }
    }
}

extension ModelMesh {
    private static func normalized(_ normals: [SIMD3<Float>]) -> [SIMD3<Float>] {
        normals.map { normal in
            let precise = SIMD3<Double>(normal)
            let length = (precise * precise).sum().squareRoot()
            return length > 0 ? SIMD3<Float>(precise / length) : [0, 0, 1]
        }
    }

    private static func surfaces(
        of mesh: TriangleMesh, _ ranges: [Range<Int>], _ isReversed: [Bool], about center: SIMD3<Double>, name: String
    ) -> [ModelSurface?] {
        let parts = ranges.count == 1 ? [mesh] : mesh.parts(ranges)
        return parts.enumerated().map { number, part in
            let lit = mesh.normals.isEmpty ? part.flatFaces() : part
            guard !lit.triangles.isEmpty else { return nil }
            return ModelSurface(
                frameMesh(lit, about: center, name: ranges.count == 1 ? name : "\(name), surface \(number)"),
                isReversed: isReversed.isEmpty ? [] : isReversed[ranges[number]], nextKey: nextKey)
        }
    }

    private static func frameMesh(_ mesh: TriangleMesh, about center: SIMD3<Double>, name: String) -> FrameMesh {
        var vertices: [MeshVertex] = []
        vertices.reserveCapacity(mesh.positions.count)
        var isWithin = true
        for index in mesh.positions.indices {
            let texture = mesh.textureCoordinates.isEmpty ? .zero : mesh.textureCoordinates[index]
            isWithin = isWithin && texture.x >= 0 && texture.x <= 1 && texture.y >= 0 && texture.y <= 1
            vertices.append(
                MeshVertex(
                    SIMD3<Float>(SIMD3<Double>(mesh.positions[index]) - center), normal: mesh.normals[index], texture: texture))
        }
        var indices: [UInt32] = []
        indices.reserveCapacity(3 * mesh.triangles.count)
        for triangle in mesh.triangles {
            indices.append(triangle.x)
            indices.append(triangle.y)
            indices.append(triangle.z)
        }
        return FrameMesh(key: nextKey(), name: name, vertices: vertices, indices: indices, isWithinTexture: isWithin)
    }

    private static func nextKey() -> UInt64 { lastKey.add(1, ordering: .relaxed).newValue }
}

extension ModelMesh {
    /// What is kept of a mesh of the scene, on it, so that all maps that it is on share it.
    private final class Cache {
        var revision = -1
        /// By the altitude that a geo mesh is lifted by.
        var meshes: [Double: ModelMesh] = [:]
        /// Models of one geo mesh at so many altitudes share it.
        static let limit = 8
    }

    /// The mesh that a model shows, and whether it had to be made.
    static func of(_ model: Model, altitude: Double) -> (mesh: ModelMesh, isNew: Bool) {
        let scene = model.shape
        let cache = scene.layoutState as? Cache ?? Cache()
        scene.layoutState = cache
        if cache.revision != scene.revision || cache.meshes.count > Cache.limit { cache.meshes = [:] }
        cache.revision = scene.revision
        let altitude = scene is GeoMesh ? altitude : 0
        if let known = cache.meshes[altitude] { return (known, false) }
        let made: ModelMesh
        switch scene {
        case let scene as FloatMesh: made = ModelMesh(scene)
        case let scene as GeoMesh: made = ModelMesh(scene, altitude: altitude)
        // Cannot be: meshes are made by nobody but their two kinds, which are all of this package.
        default: preconditionFailure("a mesh is a float mesh or a geo mesh")
        }
        cache.meshes[altitude] = made
        return (made, true)
    }
}
