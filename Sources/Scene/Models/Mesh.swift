import Synchronization
import WaymarkGeo
import WaymarkImaging

/// Triangles with texture coordinates, normals and colors: the common base class of `FloatMesh` and `GeoMesh`.
///
/// Several models may share a mesh; a change to the mesh is visible on all of them in the next frame. Setters accept any value, but a
/// model whose mesh is invalid is not drawn, and a diagnostic gives the reason.
public class Mesh {
    /// The maximum number of vertices in a mesh.
    public static let maximumNumberOfVertices = 16_777_216
    /// The maximum number of triangles in a mesh.
    public static let maximumNumberOfTriangles = 33_554_432
    /// The valid range of each component of a texture coordinate.
    public static let textureCoordinateRange = -1e9...1e9

    /// The position of each vertex in the texture: (0, 0) is the upper left corner, (1, 1) the lower right corner. Outside 0…1, the texture
    /// repeats unless its sampler has a different wrap mode. The list is either empty or has one element per vertex; each component is
    /// valid in -1,000,000,000…1,000,000,000. Default: none; the texture's upper left pixel is then used everywhere.
    public final var textureCoordinates: [SIMD2<Float>] = [] { didSet { noteChange(of: .textureCoordinates) } }
    /// Three vertex indices for each triangle. A triangle's front is the side from which its corners appear counterclockwise; both faces
    /// are drawn and lit, unless `isDoubleSided` of the model or the surface is false. At least one triangle is required; triangles
    /// without area draw nothing. Default: none.
    public final var triangles: [SIMD3<UInt32>] = [] { didSet { noteChange(of: .triangles) } }
    /// The normal of the surface at each vertex: the east, north and up components of a finite vector of any nonzero length. The list is
    /// either empty or has one element per vertex. Default: none; each triangle is then shaded flat, unless `smoothingAngle` of the model
    /// is above 0.
    public final var normals: [SIMD3<Float>] = [] { didSet { noteChange(of: .normals) } }
    /// The color of each vertex, sRGB-encoded with straight alpha. Colors are stored with 8 bits per channel, interpolated between
    /// vertices, and multiplied by the texture and the diffuse color. Where their alpha is below 1, the model is translucent. The list is
    /// either empty or has one element per vertex. Default: none; all vertices are then white.
    public final var colors: [Color] = [] { didSet { noteChange(of: .colors) } }

    /// A number that is unique among the meshes of the process, and is never reused.
    package final let serial: UInt64
    /// A counter that is incremented whenever the mesh changes.
    package private(set) final var revision = 0
    private var models = ModelList()
    /// The first problem of the mesh, and the revision that was checked.
    private var checked: (revision: Int, problem: PropertyError?)?
    /// For each part, the problem with the arguments of the last call that set it.
    final var misfits: [Part: String] = [:]

    private static let lastSerial = Atomic<UInt64>(0)

    package init() {
        serial = Self.lastSerial.add(1, ordering: .relaxed).newValue
    }

    /// The parts of a mesh, in the order in which they are checked.
    @usableFromInline
    package enum Part: String, CaseIterable {
        case vertices, textureCoordinates, triangles, normals, colors, surfaces
    }

    // Overridden by the kinds of meshes.
    package var vertexCount: Int { 0 }
    func checkVertices() throws(PropertyError) {}
    func checkSurfaces() throws(PropertyError) {}
}

extension Mesh {
    /// Whether the mesh can be drawn: counts match, numbers are in range, and indices refer to existing vertices.
    public final var isValid: Bool { firstProblem() == nil }

    /// The first problem that prevents the mesh from being drawn, with the name of the affected property; nil if there is none. The result
    /// is computed once per change.
    public final func firstProblem() -> PropertyError? {
        if let checked, checked.revision == revision { return checked.problem }
        var problem: PropertyError?
        do throws(PropertyError) {
            try check()
        } catch {
            problem = error
        }
        checked = (revision, problem)
        return problem
    }

    /// Sets the texture coordinates from a flat list of numbers.
    /// - Parameters:
    ///   - numbers: The u and v coordinates of each vertex.
    ///   - count: The number of vertices. Further numbers are ignored.
    public final func setTextureCoordinates(_ numbers: [Float], count: Int) {
        let (available, misfit) = Self.elements(numbers.count, of: count, each: 2, "texture coordinates")
        textureCoordinates = (0..<available).map { SIMD2(numbers[2 * $0], numbers[2 * $0 + 1]) }
        misfits[.textureCoordinates] = misfit
    }

    /// Sets the triangles from a flat list of indices.
    /// - Parameters:
    ///   - indices: Three vertex indices for each triangle. Negative indices are out of range.
    ///   - count: The number of triangles. Further indices are ignored.
    @inlinable
    public final func setTriangles(_ indices: [some FixedWidthInteger], count: Int) {
        let (available, shortage) = Self.elements(indices.count, of: count, each: 3, "triangles")
        var misfit = shortage
        var triangles: [SIMD3<UInt32>] = []
        triangles.reserveCapacity(available)
        for number in 0..<available {
            var triangle = SIMD3<UInt32>()
            for corner in 0..<3 {
                let index = indices[3 * number + corner]
                if let index = UInt32(exactly: index) {
                    triangle[corner] = index
                } else {
                    triangle[corner] = .max
                    if misfit == nil { misfit = "triangle \(number) refers to vertex \(index), which does not exist" }
                }
            }
            triangles.append(triangle)
        }
        take(triangles, misfit)
    }

    @usableFromInline
    final func take(_ triangles: [SIMD3<UInt32>], _ misfit: String?) {
        self.triangles = triangles
        misfits[.triangles] = misfit
    }

    /// Sets the normals from a flat list of numbers.
    /// - Parameters:
    ///   - numbers: The east, north and up components of each vertex's normal.
    ///   - count: The number of vertices. Further numbers are ignored.
    public final func setNormals(_ numbers: [Float], count: Int) {
        let (available, misfit) = Self.elements(numbers.count, of: count, each: 3, "normals")
        normals = (0..<available).map { SIMD3(numbers[3 * $0], numbers[3 * $0 + 1], numbers[3 * $0 + 2]) }
        misfits[.normals] = misfit
    }

    /// The number of elements in a list of `numbers` values, with `each` values per element, but at most `count`. If the list is too short
    /// or `count` is negative, also a sentence about this problem.
    @usableFromInline
    static func elements(_ numbers: Int, of count: Int, each: Int, _ name: String) -> (Int, misfit: String?) {
        if count < 0 { return (0, "the number of \(name) cannot be \(count)") }
        let available = min(count, numbers / each)
        if available == count { return (available, nil) }
        return (available, "the number of \(name) cannot be \(count), because each needs \(each) numbers, and there are \(numbers)")
    }

    final func noteChange(of part: Part) {
        revision += 1
        if !misfits.isEmpty { misfits[part] = nil }
        models.forEach { if $0.shape === self { $0.note(.geometry) } }
    }

    final func add(_ model: Model) {
        models.add(model) { [unowned self] in $0.shape === self }
    }
}

extension Mesh {
    private func check() throws(PropertyError) {
        for part in Part.allCases {
            if let misfit = misfits[part] { throw PropertyError(path: part.rawValue, problem: misfit) }
        }
        guard vertexCount <= Self.maximumNumberOfVertices else {
            throw PropertyError(
                path: "vertices", problem: "\(vertexCount) vertices exceed the limit of \(Self.maximumNumberOfVertices)")
        }
        guard triangles.count <= Self.maximumNumberOfTriangles else {
            throw PropertyError(
                path: "triangles",
                problem: "\(triangles.count) triangles exceed the limit of \(Self.maximumNumberOfTriangles)")
        }
        try checkVertices()
        try checkTextureCoordinates()
        try checkTriangles()
        try checkNormals()
        try checkColors()
        try checkSurfaces()
    }

    private func checkCount(_ count: Int, _ part: Part) throws(PropertyError) {
        guard count == 0 || count == vertexCount else {
            throw PropertyError(path: part.rawValue, problem: "\(vertexCount) elements are required, one for each vertex, not \(count)")
        }
    }

    private func checkTextureCoordinates() throws(PropertyError) {
        try checkCount(textureCoordinates.count, .textureCoordinates)
        let limit = Float(Self.textureCoordinateRange.upperBound)
        for index in textureCoordinates.indices {
            let point = textureCoordinates[index]
            guard !(abs(point.x) <= limit && abs(point.y) <= limit) else { continue }
            try PropertyError.check(Double(point.x), in: Self.textureCoordinateRange, "textureCoordinates[\(index)].x")
            try PropertyError.check(Double(point.y), in: Self.textureCoordinateRange, "textureCoordinates[\(index)].y")
        }
    }

    private func checkTriangles() throws(PropertyError) {
        guard !triangles.isEmpty else { throw PropertyError(path: "triangles", problem: "a mesh needs at least one triangle") }
        let count = vertexCount
        for index in triangles.indices {
            let triangle = triangles[index]
            guard max(triangle.x, triangle.y, triangle.z) >= count else { continue }
            let stray = [triangle.x, triangle.y, triangle.z].first { $0 >= count } ?? 0
            throw PropertyError(
                path: "triangles[\(index)]", problem: count == 0 ? "the mesh has no vertices" : "\(stray) is outside 0…\(count - 1)")
        }
    }

    private func checkNormals() throws(PropertyError) {
        try checkCount(normals.count, .normals)
        for index in normals.indices {
            let normal = normals[index]
            let isDirection = normal.x != 0 || normal.y != 0 || normal.z != 0
            guard !(normal.x.isFinite && normal.y.isFinite && normal.z.isFinite && isDirection) else { continue }
            let problem = isDirection ? "is not finite" : "has no direction"
            throw PropertyError(
                path: "normals[\(index)]", problem: "(\(plain(normal.x)), \(plain(normal.y)), \(plain(normal.z))) \(problem)")
        }
    }

    private func checkColors() throws(PropertyError) {
        try checkCount(colors.count, .colors)
        guard let index = colors.firstIndex(where: { !$0.isValid }) else { return }
        throw PropertyError(path: "colors[\(index)]", problem: "a channel is outside 0…1")
    }
}

private func plain(_ value: Float) -> String { WaymarkGeo.plain(Double(value)) }
