import Synchronization
import WaymarkFrame
import WaymarkImaging
import WaymarkMeshes
import WaymarkScene

/// A mesh prepared for frames, once per revision of a scene mesh. It does not depend on the models that show it, or on the camera.
final class ModelMesh: Sendable {
    /// All triangles, in the units of the mesh.
    let whole: DrawnMesh
    /// The number of triangles of the scene's mesh.
    let triangleCount: Int
    /// The radius of the bounding sphere around the center of the bounds.
    let radius: Double
    /// The position of a geo mesh on the map: fractions of the world, x east and y north of its upper left corner, z up; nil for other
    /// meshes.
    let origin: SIMD3<Double>?
    /// The length of one unit of a geo mesh, as a fraction of the world; 1 for other meshes.
    let unit: Double
    private let precise: @Sendable () -> PreciseMesh
    private let knownOutermost = Mutex<[SIMD3<Float>]?>(nil)

    /// The vertices that may be outermost from some direction; computed on first use.
    var outermost: [SIMD3<Float>] {
        knownOutermost.withLock { known in
            if let known { return known }
            let found = whole.mesh.outermost().map { whole.mesh.positions[$0] }
            known = found
            return found
        }
    }

    /// Whether all vertices are at the same height.
    var isLevel: Bool { whole.bounds.low.z == whole.bounds.high.z }

    private init(
        _ mesh: TriangleMesh, triangleCount: Int, ranges: [Range<Int>], origin: SIMD3<Double>? = nil,
        unit: Double = 1, name: String, precise: @escaping @Sendable () -> PreciseMesh
    ) {
        whole = DrawnMesh(mesh, ranges: ranges, name: name)
        self.triangleCount = triangleCount
        radius = whole.mesh.radius(around: whole.center)
        self.origin = origin
        self.unit = unit
        self.precise = precise
    }

    /// Prepares a mesh in meters.
    /// - Parameter smoothingAngle: The angle in degrees; see `Model.smoothingAngle`.
    convenience init(_ scene: FloatMesh, smoothingAngle: Double) {
        let whole = TriangleMesh(
            positions: scene.vertices, normals: Self.normalized(scene.normals), textureCoordinates: scene.textureCoordinates,
            colors: Self.bytes(scene.colors), triangles: scene.triangles)
        var mesh = whole.hasLoosePositions ? whole.part(0..<whole.triangles.count) : whole
        if smoothingAngle > 0, mesh.normals.isEmpty { mesh.smoothNormals(angle: smoothingAngle) }
        self.init(
            mesh, triangleCount: mesh.triangles.count,
            ranges: scene.surfaces.isEmpty ? [0..<mesh.triangles.count] : scene.surfaces.map(\.triangles), name: "local mesh"
        ) { [mesh] in
            PreciseMesh(
                positions: mesh.positions.map { SIMD3<Double>($0) }, normals: mesh.normals, textureCoordinates: mesh.textureCoordinates,
                colors: mesh.colors, triangles: mesh.triangles)
        }
    }

    /// Prepares a mesh in geographic coordinates, raised by an altitude in meters. A mesh entirely outside the map has no triangles.
    convenience init(_ scene: GeoMesh, altitude: Double, smoothingAngle: Double) {
        // Shares the arrays of the user's mesh, so only the colors take additional memory.
        let places = GeoMeshProjection(
            vertices: scene.vertices, normals: scene.normals, textureCoordinates: scene.textureCoordinates,
            colors: Self.bytes(scene.colors), triangles: scene.triangles, altitude: altitude,
            smoothingAngle: smoothingAngle)
        let cut = places.onMap()
        let bounds = MeshBounds(cut.positions) ?? MeshBounds(low: .zero, high: .zero)
        // The unit is a power of two, so that scaling is exact.
        var unit = 0x1p-40
        while unit < bounds.extent { unit *= 2 }
        let origin = bounds.center
        let mesh = cut.relative(to: origin, unit: unit)
        self.init(
            mesh, triangleCount: places.triangles.count, ranges: [0..<mesh.triangles.count], origin: origin,
            unit: unit, name: "geo mesh"
        ) { [unit] in
            var precise = places.onMap()
            for index in precise.positions.indices { precise.positions[index] = (precise.positions[index] - origin) / unit }
            return precise
        }
    }

    /// The mesh rotated, scaled and clipped to a square, for a mesh too large for the frame's floats.
    /// - Parameter turn: Converts from the mesh's units to the piece's units: x east, y north, z up.
    func piece(name: String, low: SIMD2<Double>, high: SIMD2<Double>, turn: (SIMD3<Double>) -> SIMD3<Double>) -> DrawnMesh {
        var precise = precise()
        for index in precise.positions.indices { precise.positions[index] = turn(precise.positions[index]) }
        // The axes are orthogonal and of equal length, so normals are transformed like positions.
        let zero = turn(.zero)
        precise.normals = Self.normalized(precise.normals.map { SIMD3<Float>(turn(SIMD3<Double>($0)) - zero) })
        let cut = precise.clipped(low: low, high: high)
        var (ranges, start): ([Range<Int>], Int) = ([], 0)
        for (number, range) in whole.surfaceRanges.enumerated() {
            // Clipped triangles keep the order of their sources.
            var end = number == whole.surfaceRanges.count - 1 ? cut.sources.count : start
            while end < cut.sources.count, Int(cut.sources[end]) < range.upperBound { end += 1 }
            ranges.append(start..<end)
            start = end
        }
        return DrawnMesh(cut.relative(to: .zero), ranges: ranges, center: .zero, name: name)
    }
}

/// The triangles of a model that are drawn: its whole mesh, or a clipped part of it.
final class DrawnMesh: Sendable {
    /// The vertices are x east, y north, z up. Every vertex belongs to a triangle, and the winding of triangles matches their normals.
    let mesh: TriangleMesh
    /// Whether the winding of each triangle was reversed to match its normals; empty when none was reversed.
    let isReversed: [Bool]
    let bounds: MeshBounds
    /// The origin of the surfaces' meshes, and half the sides of a box around it that contains all vertices.
    let center: SIMD3<Double>
    let half: SIMD3<Double>
    /// The triangles of each surface.
    let surfaceRanges: [Range<Int>]
    /// The mesh of each surface, relative to `center`; nil for a surface without area.
    let surfaces: [ModelSurface?]

    /// - Parameter center: The origin of the surfaces' meshes; nil for the center of the bounds.
    fileprivate init(_ mesh: TriangleMesh, ranges: [Range<Int>], center: SIMD3<Double>? = nil, name: String) {
        var mesh = mesh
        isReversed = mesh.turnToNormals()
        self.mesh = mesh
        bounds = MeshBounds(mesh.positions) ?? MeshBounds(low: .zero, high: .zero)
        self.center = center ?? bounds.center
        half = center == nil ? bounds.size / 2 : SIMD3(repeating: max(bounds.high.max(), -bounds.low.min()))
        surfaceRanges = ranges
        surfaces = Self.surfaces(of: mesh, ranges, isReversed, about: self.center, name: name)
    }

    /// The index of a triangle in the scene's mesh.
    func source(_ triangle: Int) -> Int { mesh.sources.isEmpty ? triangle : Int(mesh.sources[triangle]) }
}

/// A surface of a mesh, prepared for frames.
struct ModelSurface: Sendable {
    /// All triangles of the surface, with windings that match their normals.
    let mesh: FrameMesh
    /// The same triangles for a surface that is not double-sided. The front is determined by the winding of the scene's mesh, regardless of
    /// the normals (glTF 2.0, "Instantiation"). It is therefore the back of a triangle whose winding was reversed to match its normals.
    let fronts: [(mesh: FrameMesh, faces: VisibleFaces)]
    /// Whether a vertex color has an alpha below 1.
    let hasTranslucentColors: Bool

    /// - Parameter isReversed: Whether the winding of each triangle was reversed; empty when none was reversed.
    fileprivate init(_ mesh: FrameMesh, isReversed: ArraySlice<Bool>) {
        self.mesh = mesh
        hasTranslucentColors = mesh.colors.contains { $0.w < 255 }
        let count = isReversed.count(where: \.self)
        if count == 0 {
            fronts = [(mesh, .front)]
        } else if count == isReversed.count {
            fronts = [(mesh, .back)]
        } else {
            func part(_ isPart: (Bool) -> Bool) -> FrameMesh {
                var part = mesh
                part.key = FrameMesh.nextKey()
                part.indices = zip(isReversed, 0...).flatMap { isPart($0) ? mesh.indices[3 * $1..<3 * $1 + 3] : [] }
                return part
            }
            fronts = [(part { !$0 }, .front), (part { $0 }, .back)]
        }
    }
}

extension ModelMesh {
    private static func bytes(_ colors: [Color]) -> [SIMD4<UInt8>] {
        colors.map { color in
            // All colors that reach this point are valid.
            SIMD4<UInt8>((SIMD4(color.red, color.green, color.blue, color.alpha) * 255).rounded(.toNearestOrAwayFromZero))
        }
    }

    private static func normalized(_ normals: [SIMD3<Float>]) -> [SIMD3<Float>] {
        normals.map { normal in
            let precise = SIMD3<Double>(normal)
            let length = (precise * precise).sum().squareRoot()
            return length > 0 ? SIMD3<Float>(precise / length) : [0, 0, 1]
        }
    }
}

extension DrawnMesh {
    private static func surfaces(
        of mesh: TriangleMesh, _ ranges: [Range<Int>], _ isReversed: [Bool], about center: SIMD3<Double>, name: String
    ) -> [ModelSurface?] {
        let parts = ranges.count == 1 ? [mesh] : mesh.parts(ranges)
        return parts.enumerated().map { number, part in
            let lit = mesh.normals.isEmpty ? part.flatFaces() : part
            guard !lit.triangles.isEmpty else { return nil }
            return ModelSurface(
                frameMesh(lit, about: center, name: ranges.count == 1 ? name : "\(name), surface \(number)"),
                isReversed: isReversed.isEmpty ? [] : isReversed[ranges[number]])
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
        return FrameMesh(
            key: FrameMesh.nextKey(), name: name, vertices: vertices, colors: mesh.colors, indices: indices, isWithinTexture: isWithin)
    }
}

extension FrameMesh {
    private static let lastKey = Atomic<UInt64>(0)

    /// The key of a new mesh.
    static func nextKey() -> UInt64 { lastKey.add(1, ordering: .relaxed).newValue }
}

extension ModelMesh {
    /// The prepared mesh of a model, and whether it was prepared by this call. All maps of the process share a prepared mesh while one of
    /// them shows it.
    static func of(_ model: Model, altitude: Double) -> (mesh: ModelMesh, isNew: Bool) {
        let scene = model.shape
        let smoothingAngle = scene.normals.isEmpty ? model.smoothingAngle : 0
        let key = PreparedMeshes.MeshKey(
            serial: scene.serial, revision: scene.revision, altitude: scene is GeoMesh ? altitude : 0, smoothingAngle: smoothingAngle)
        if let known = PreparedMeshes.shared.withLock({ $0.meshes[key]?.mesh }) { return (known, false) }
        let made: ModelMesh
        switch scene {
        case let scene as FloatMesh: made = ModelMesh(scene, smoothingAngle: smoothingAngle)
        case let scene as GeoMesh: made = ModelMesh(scene, altitude: altitude, smoothingAngle: smoothingAngle)
        // Unreachable: the package's two mesh types are the only ones.
        default: preconditionFailure("the mesh is neither a float mesh nor a geo mesh")
        }
        PreparedMeshes.shared.withLock { $0.insert(made, for: key) }
        return (made, true)
    }
}

/// A cache of the prepared meshes that the maps of the process show. It holds them weakly.
private struct PreparedMeshes {
    struct MeshKey: Hashable {
        /// The serial number of the scene's mesh.
        var serial: UInt64
        var revision: Int
        /// The altitude in meters of a geo mesh; 0 for others.
        var altitude: Double
        /// The angle in degrees; 0 for a mesh with normals.
        var smoothingAngle: Double
    }

    struct WeakMesh: Sendable {
        weak var mesh: ModelMesh?
    }

    static let shared = Mutex(PreparedMeshes())

    private(set) var meshes: [MeshKey: WeakMesh] = [:]
    /// The number of entries at which those with freed meshes are removed.
    private var limit = 64

    mutating func insert(_ mesh: ModelMesh, for key: MeshKey) {
        if meshes.count >= limit {
            meshes = meshes.filter { $0.value.mesh != nil }
            limit = max(64, 2 * meshes.count)
        }
        meshes[key] = WeakMesh(mesh: mesh)
    }
}
