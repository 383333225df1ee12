import WaymarkGeo
import WaymarkImaging

/// A mesh in meters about a place: what a `LocalModel` shows.
public final class FloatMesh: Mesh {
    /// Where the corners of triangles are: x meters east, y north and z up of the model's place, each valid in
    /// -1,000,000,000…1,000,000,000. Default none.
    public var vertices: [SIMD3<Float>] = [] { didSet { noteChange(of: .vertices) } }
    /// Parts of the mesh with a color or a texture of their own, as model files have them. None, or enough to cover every
    /// triangle once: the first begins with the first triangle, each goes on where the one before ended, and the last ends
    /// with the last. Default none.
    public var surfaces: [Surface] = [] { didSet { noteChange(of: .surfaces) } }

    /// A mesh of nothing.
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
                problem: "\(surfaces.count) surfaces are more than the \(Self.maximumNumberOfSurfaces) that a mesh may have")
        }
        var end = 0
        for (index, surface) in surfaces.enumerated() {
            guard surface.triangles.lowerBound == end else {
                throw PropertyError(
                    path: "surfaces[\(index)].triangles", problem: "it begins at \(surface.triangles.lowerBound), and not at \(end)")
            }
            end = surface.triangles.upperBound
            guard surface.diffuse.isValid else {
                throw PropertyError(path: "surfaces[\(index)].diffuse", problem: "a channel is outside 0…1")
            }
        }
        guard end == triangles.count else {
            throw PropertyError(
                path: "surfaces[\(surfaces.count - 1)].triangles", problem: "it ends at \(end), and there are \(triangles.count) triangles")
        }
    }
}

extension FloatMesh {
    /// A part of a mesh with a color or a texture of its own.
    public struct Surface: Hashable, Sendable {
        /// Which triangles of the mesh it is made of.
        public var triangles: Range<Int>
        /// Its color, which the texture is multiplied with; a model's `material.diffuse` takes its place. Default white.
        public var diffuse: Color
        /// Its texture; a model's `texture` takes its place. Default none.
        public var texture: OverlayImage?
        /// Whether both faces of its triangles are drawn, or only their fronts, the sides from which their corners go
        /// counterclockwise; a model's `isDoubleSided` takes its place. Default true.
        public var isDoubleSided: Bool

        public init(triangles: Range<Int>, diffuse: Color = .white, texture: OverlayImage? = nil, isDoubleSided: Bool = true) {
            self.triangles = triangles
            self.diffuse = diffuse
            self.texture = texture
            self.isDoubleSided = isDoubleSided
        }
    }

    /// The valid coordinates of a vertex in meters.
    public static let coordinateRange = -1e9...1e9
    /// The most surfaces that a mesh may have.
    public static let maximumNumberOfSurfaces = 4096

    /// A mesh of these parts, as the properties have them.
    public convenience init(
        vertices: [SIMD3<Float>], textureCoordinates: [SIMD2<Float>] = [], triangles: [SIMD3<UInt32>], normals: [SIMD3<Float>] = []
    ) {
        self.init()
        self.vertices = vertices
        self.textureCoordinates = textureCoordinates
        self.triangles = triangles
        self.normals = normals
    }

    /// Sets the vertices.
    /// - Parameters:
    ///   - numbers: x, y and z of each vertex.
    ///   - count: How many vertices that is; numbers beyond are not read.
    public func setVertices(_ numbers: [Float], count: Int) {
        let (available, misfit) = Self.elements(numbers.count, of: count, each: 3, "vertices")
        vertices = (0..<available).map { SIMD3(numbers[3 * $0], numbers[3 * $0 + 1], numbers[3 * $0 + 2]) }
        setMisfit(misfit, of: .vertices)
    }
}
