import WaymarkGeo
import WaymarkImaging

/// A mesh in meters relative to an origin. A `LocalModel` shows it.
public final class FloatMesh: Mesh {
    /// The corners of the triangles: meters east (x), north (y) and up (z) from the mesh's origin, each valid in
    /// -1,000,000,000…1,000,000,000. Default: none.
    public var vertices: [SIMD3<Float>] = [] { didSet { noteChange(of: .vertices) } }
    /// The parts of the mesh that have their own color or texture, as in model files. The list is either empty, or contains every triangle
    /// exactly once, in order: the first surface begins at the first triangle, each further surface begins where the previous one ends, and
    /// the last surface ends at the last triangle. Default: none.
    public var surfaces: [Surface] = [] { didSet { noteChange(of: .surfaces) } }

    /// Creates an empty mesh.
    public override init() {
        super.init()
    }

    package override var vertexCount: Int { vertices.count }

    override func checkVertices() throws(PropertyError) {
        let limit = Float(Self.coordinateRange.upperBound)
        for index in vertices.indices {
            let vertex = vertices[index]
            guard !(abs(vertex.x) <= limit && abs(vertex.y) <= limit && abs(vertex.z) <= limit) else { continue }
            for (name, value) in [("x", vertex.x), ("y", vertex.y), ("z", vertex.z)] {
                try PropertyError.check(Double(value), in: Self.coordinateRange, "vertices[\(index)].\(name)")
            }
        }
    }

    override func checkSurfaces() throws(PropertyError) {
        guard !surfaces.isEmpty else { return }
        guard surfaces.count <= Self.maximumNumberOfSurfaces else {
            throw PropertyError(
                path: "surfaces",
                problem: "\(surfaces.count) surfaces exceed the limit of \(Self.maximumNumberOfSurfaces)")
        }
        var end = 0
        for (index, surface) in surfaces.enumerated() {
            guard surface.triangles.lowerBound == end else {
                throw PropertyError(
                    path: "surfaces[\(index)].triangles",
                    problem: index == 0
                        ? "the first range begins at \(surface.triangles.lowerBound); it must begin at 0"
                        : "the range begins at \(surface.triangles.lowerBound), but the previous one ends at \(end); "
                            + "ranges must be contiguous")
            }
            end = surface.triangles.upperBound
            if let error = surface.diffuse.error("surfaces[\(index)].diffuse") { throw error }
            if let cutoff = surface.alphaCutoff { try PropertyError.check(cutoff, in: 0...1, "surfaces[\(index)].alphaCutoff") }
        }
        guard end == triangles.count else {
            throw PropertyError(
                path: "surfaces[\(surfaces.count - 1)].triangles",
                problem: "the last range ends at \(end), but the number of triangles is \(triangles.count)")
        }
    }
}

extension FloatMesh {
    /// A part of a mesh with its own color or texture.
    public struct Surface: Hashable, Sendable {
        /// The triangles of the mesh that belong to this surface.
        public var triangles: Range<Int>
        /// The color of the surface, which is multiplied by its texture. A model's `material.diffuse` overrides it. Default white.
        public var diffuse: Color
        /// The texture of the surface. A model's `texture` overrides it. Default nil.
        public var texture: OverlayImage?
        /// How the surface's texture is sampled. Default: it repeats, and is filtered with mipmaps.
        public var sampler: TextureSampler
        /// The cutoff, 0…1, for the combined alpha of texture, vertex colors and diffuse color. Where this alpha is below the cutoff,
        /// nothing is drawn; elsewhere the surface is opaque. A model's `material.alphaCutoff` overrides it. Default nil: the surface is
        /// translucent where alpha is below 1.
        public var alphaCutoff: Double?
        /// Whether both faces of the surface's triangles are drawn. If false, only the front is drawn: the face on which the corners run
        /// counterclockwise. A model's `isDoubleSided` overrides it. Default true.
        public var isDoubleSided: Bool
        /// Whether a model's lights illuminate the surface. If false, its color is drawn unchanged. Default true.
        public var isLit: Bool

        public init(
            triangles: Range<Int>, diffuse: Color = .white, texture: OverlayImage? = nil, sampler: TextureSampler = TextureSampler(),
            alphaCutoff: Double? = nil, isDoubleSided: Bool = true, isLit: Bool = true
        ) {
            self.triangles = triangles
            self.diffuse = diffuse
            self.texture = texture
            self.sampler = sampler
            self.alphaCutoff = alphaCutoff
            self.isDoubleSided = isDoubleSided
            self.isLit = isLit
        }
    }

    /// The valid coordinates of a vertex in meters.
    public static let coordinateRange = -1e9...1e9
    /// The maximum number of surfaces in a mesh.
    public static let maximumNumberOfSurfaces = 4096

    /// Creates a mesh with the given property values.
    public convenience init(
        vertices: [SIMD3<Float>], textureCoordinates: [SIMD2<Float>] = [], triangles: [SIMD3<UInt32>], normals: [SIMD3<Float>] = [],
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
    ///   - numbers: The x, y and z coordinates of each vertex.
    ///   - count: The number of vertices. Further numbers are ignored.
    public func setVertices(_ numbers: [Float], count: Int) {
        let (available, misfit) = Self.elements(numbers.count, of: count, each: 3, "vertices")
        vertices = (0..<available).map { SIMD3(numbers[3 * $0], numbers[3 * $0 + 1], numbers[3 * $0 + 2]) }
        misfits[.vertices] = misfit
    }
}
