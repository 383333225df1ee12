import WaymarkImaging
import WaymarkScene

/// A mesh under construction while a model file is read: vertices and triangles in file order, with the material of each triangle.
struct ModelParts {
    private var vertices: [SIMD3<Float>] = []
    private var textureCoordinates: [SIMD2<Float>] = []
    /// The normals, one per vertex; zero for vertices without a normal in the file.
    private var normals: [SIMD3<Float>] = []
    /// The colors, one per vertex once a vertex has a color; empty before.
    private var colors: [Color] = []
    private var triangles: [SIMD3<UInt32>] = []
    /// Materials, each with the first triangle that uses it.
    private var runs: [(material: Int, start: Int)] = []
    private var hasTextureCoordinates = false
    private var hasNormals = false

    /// The error that a mesh exceeds a limit.
    struct Excess: Error {
        let text: String
    }

    var vertexCount: Int { vertices.count }

    /// Throws if adding this many vertices and triangles would exceed a limit.
    func check(vertices more: Int = 0, triangles moreTriangles: Int = 0) throws(Excess) {
        guard more <= Mesh.maximumNumberOfVertices - vertices.count else {
            throw Excess(text: "the model has more than \(Mesh.maximumNumberOfVertices) vertices")
        }
        guard moreTriangles <= Mesh.maximumNumberOfTriangles - triangles.count else {
            throw Excess(text: "the model has more than \(Mesh.maximumNumberOfTriangles) triangles")
        }
    }

    mutating func reserve(vertices count: Int, triangles triangleCount: Int) {
        vertices.reserveCapacity(count)
        textureCoordinates.reserveCapacity(count)
        normals.reserveCapacity(count)
        triangles.reserveCapacity(triangleCount)
    }

    /// Sets the material of the triangles added from now on.
    mutating func use(material: Int) {
        if runs.last?.start == triangles.count { runs.removeLast() }
        if runs.last?.material != material { runs.append((material, triangles.count)) }
    }

    /// Adds a vertex, in Waymark's axes.
    /// - Returns: The index of the vertex.
    @inline(__always)
    mutating func add(
        _ position: SIMD3<Float>, texture: SIMD2<Float>?, normal: SIMD3<Float>?, color: Color? = nil
    ) throws(Excess) -> UInt32 {
        let index = vertices.count
        if index >= Mesh.maximumNumberOfVertices { try check(vertices: 1) }
        vertices.append(position)
        textureCoordinates.append(texture ?? .zero)
        normals.append(normal ?? .zero)
        if texture != nil { hasTextureCoordinates = true }
        if normal != nil { hasNormals = true }
        if color != nil || !colors.isEmpty { append(color, at: index) }
        return UInt32(index)
    }

    /// Vertices without a color are white.
    private mutating func append(_ color: Color?, at index: Int) {
        if colors.isEmpty { colors = Array(repeating: .white, count: index) }
        colors.append(color ?? .white)
    }

    @inline(__always)
    mutating func add(triangle: SIMD3<UInt32>) throws(Excess) {
        if triangles.count >= Mesh.maximumNumberOfTriangles { try check(triangles: 1) }
        triangles.append(triangle)
    }
}

extension ModelParts {
    /// The finished mesh, with its triangles grouped by appearance.
    /// - Parameter appearances: The appearance of each material, without triangles.
    consuming func mesh(appearances: [FloatMesh.Surface]) throws(Excess) -> FloatMesh {
        guard !triangles.isEmpty else { throw Excess(text: "the model has no triangles") }
        let surfaces = try sortTriangles(appearances)
        if hasNormals { try giveNormals() }
        let mesh = FloatMesh(
            vertices: vertices, textureCoordinates: hasTextureCoordinates ? textureCoordinates : [], triangles: triangles,
            normals: hasNormals ? normals : [], colors: colors)
        mesh.surfaces = surfaces
        return mesh
    }

    /// Groups the triangles by appearance, in the order of first use.
    private mutating func sortTriangles(_ appearances: [FloatMesh.Surface]) throws(Excess) -> [FloatMesh.Surface] {
        var numbers: [FloatMesh.Surface: Int] = [:]
        var used: [FloatMesh.Surface] = []
        var counts: [Int] = []
        // The surface of each run.
        var surfaceOfRun: [Int] = []
        for (index, run) in runs.enumerated() {
            let end = index + 1 < runs.count ? runs[index + 1].start : triangles.count
            let appearance = appearances[run.material]
            let number = numbers[appearance] ?? used.count
            if number == used.count {
                numbers[appearance] = number
                used.append(appearance)
                counts.append(0)
            }
            counts[number] += end - run.start
            surfaceOfRun.append(number)
        }
        guard counts.count(where: { $0 > 0 }) <= FloatMesh.maximumNumberOfSurfaces else {
            throw Excess(text: "the model has more than \(FloatMesh.maximumNumberOfSurfaces) materials that look different")
        }
        if used.count == 1, used[0] == .plain { return [] }
        var starts: [Int] = []
        var surfaces: [FloatMesh.Surface] = []
        var start = 0
        for (number, var surface) in used.enumerated() {
            starts.append(start)
            surface.triangles = start..<start + counts[number]
            if !surface.triangles.isEmpty { surfaces.append(surface) }
            start = surface.triangles.upperBound
        }
        guard used.count > 1 else { return surfaces }
        var sorted = triangles
        for (index, run) in runs.enumerated() {
            let end = index + 1 < runs.count ? runs[index + 1].start : triangles.count
            let number = surfaceOfRun[index]
            for triangle in run.start..<end {
                sorted[starts[number]] = triangles[triangle]
                starts[number] += 1
            }
        }
        triangles = sorted
        return surfaces
    }

    /// Gives corners without a normal the normal of their triangle, duplicating vertices as needed.
    private mutating func giveNormals() throws(Excess) {
        guard normals.contains(.zero) else { return }
        let isMissing = normals.map { $0 == .zero }
        for index in triangles.indices {
            var triangle = triangles[index]
            let corners = (Int(triangle.x), Int(triangle.y), Int(triangle.z))
            guard isMissing[corners.0] || isMissing[corners.1] || isMissing[corners.2] else { continue }
            let normal = Self.normal(vertices[corners.0], vertices[corners.1], vertices[corners.2])
            for corner in 0..<3 {
                let old = Int(triangle[corner])
                guard isMissing[old] else { continue }
                // The first triangle uses the existing vertex.
                if normals[old] == .zero {
                    normals[old] = normal
                } else {
                    triangle[corner] = try add(
                        vertices[old], texture: textureCoordinates[old], normal: normal, color: colors.isEmpty ? nil : colors[old])
                }
            }
            triangles[index] = triangle
        }
        // Vertices that no triangle uses.
        for index in normals.indices where normals[index] == .zero { normals[index] = [0, 0, 1] }
    }

    /// The normal of a triangle; up for a triangle without area.
    private static func normal(_ a: SIMD3<Float>, _ b: SIMD3<Float>, _ c: SIMD3<Float>) -> SIMD3<Float> {
        let (p, q) = (SIMD3<Double>(b) - SIMD3<Double>(a), SIMD3<Double>(c) - SIMD3<Double>(a))
        return unit(Transform.cross(p, q)) ?? [0, 0, 1]
    }

    /// The vector scaled to length 1; nil if it has no direction.
    static func unit(_ vector: SIMD3<Double>) -> SIMD3<Float>? {
        // The vector is first divided by its largest component, because the squares of very small numbers underflow, and the squares of
        // very large numbers overflow.
        let most = max(abs(vector.x), abs(vector.y), abs(vector.z))
        guard most > 0, most.isFinite else { return nil }
        let scaled = vector / most
        let length = (scaled * scaled).sum().squareRoot()
        return length.isFinite ? SIMD3<Float>(scaled / length) : nil
    }
}

extension FloatMesh.Surface {
    /// The appearance of a material without properties, before it has triangles.
    static let plain = FloatMesh.Surface(triangles: 0..<0)
}
