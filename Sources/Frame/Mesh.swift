import WaymarkGeo

/// A triangle mesh as the GPU takes it: uploaded once, whatever its instances and the camera do.
public struct FrameMesh: Sendable {
    /// Equal keys are the same mesh, in one process; buffers are cached by it.
    public var key: UInt64
    /// What it is called in print.
    public var name: String
    public var vertices: [MeshVertex]
    /// Three a triangle; a triangle's front is where its corners go counterclockwise, and its corners' normals point to that side.
    public var indices: [UInt32]
    /// Whether all texture coordinates lie in 0…1: then the texture's edges do not run into the opposite ones.
    public var isWithinTexture: Bool

    public init(key: UInt64, name: String, vertices: [MeshVertex], indices: [UInt32], isWithinTexture: Bool) {
        self.key = key
        self.name = name
        self.vertices = vertices
        self.indices = indices
        self.isWithinTexture = isWithinTexture
    }
}

extension FrameMesh: Equatable {
    /// Keys play no part: they depend on what else the process has drawn.
    public static func == (a: FrameMesh, b: FrameMesh) -> Bool {
        a.name == b.name && a.isWithinTexture == b.isWithinTexture && a.indices == b.indices && a.vertices == b.vertices
    }
}

/// A corner of a mesh, in the order and the sizes of the vertex buffer.
public struct MeshVertex: Equatable, Sendable, BitwiseCopyable {
    /// In mesh units: x east, y north, z up.
    public var x, y, z: Float
    /// Of length 1, in the mesh's axes.
    public var normalX, normalY, normalZ: Float
    /// (0, 0) is the texture's upper left, (1, 1) its lower right.
    public var u, v: Float

    public init(_ position: SIMD3<Float>, normal: SIMD3<Float>, texture: SIMD2<Float> = .zero) {
        (x, y, z) = (position.x, position.y, position.z)
        (normalX, normalY, normalZ) = (normal.x, normal.y, normal.z)
        (u, v) = (texture.x, texture.y)
    }
}

/// A mesh at a place, in a colour.
public struct MeshInstance: Equatable, Sendable {
    /// Index in `Frame.meshes`.
    public var mesh: UInt32
    /// Index in `Frame.images`; nil for none: white.
    public var texture: UInt32?
    /// Index in `Frame.lightings`; nil for the colour as it is.
    public var lighting: UInt32?
    /// From mesh units to world offsets from the view's centre in pt: where the mesh's x, y and z axes and its origin go, each
    /// (east, south, up). The axes stand at right angles and are equally long.
    public var axisX, axisY, axisZ, origin: SIMD3<Float>
    /// What the texture is multiplied with: straight, 0…1, alpha last.
    public var diffuse: SIMD4<Float>
    /// What the instance as a whole is multiplied with, 0…1.
    public var alpha: Float
    /// Which faces of its triangles are drawn.
    public var faces: VisibleFaces
    /// Of flat meshes of the same height that may share pixels the one of the higher number is on top.
    public var tier: UInt16
    /// Whether it is a part of what the instance before it is: of translucent ones that are joined only what is nearest shows, as if they
    /// were one.
    public var isJoined: Bool

    public init(
        mesh: UInt32, texture: UInt32? = nil, lighting: UInt32? = nil, axisX: SIMD3<Float> = [1, 0, 0], axisY: SIMD3<Float> = [0, -1, 0],
        axisZ: SIMD3<Float> = [0, 0, 1], origin: SIMD3<Float> = .zero, diffuse: SIMD4<Float> = [1, 1, 1, 1], alpha: Float = 1,
        faces: VisibleFaces = .all, tier: UInt16 = 0, isJoined: Bool = false
    ) {
        self.mesh = mesh
        self.texture = texture
        self.lighting = lighting
        self.axisX = axisX
        self.axisY = axisY
        self.axisZ = axisZ
        self.origin = origin
        self.diffuse = diffuse
        self.alpha = alpha
        self.faces = faces
        self.tier = tier
        self.isJoined = isJoined
    }
}

/// Which faces of a mesh are drawn.
public enum VisibleFaces: UInt8, Equatable, Sendable {
    /// Both.
    case all
    /// Those whose front faces the camera.
    case front
    /// Those whose back faces the camera: fronts of a mesh whose winding contradicts its normals.
    case back
}

/// How the instances of a run cover what is beneath them.
public enum MeshBlending: UInt8, Equatable, Sendable {
    /// Each pixel is wholly theirs; they come in any order.
    case opaque
    /// They let through what is beneath, and come back to front. Of each instance, with those joined to it, only what is nearest shows,
    /// once.
    case translucent
}

/// What shines on a mesh: colour = base · (ambient + Σ max(0, n · source) · colour), on sRGB-coded values, clamped to 1. The normal n is
/// turned to the side that is seen.
public struct Lighting: Hashable, Sendable {
    /// 0…1.
    public var ambient: SIMD3<Float>
    /// At most `maximumLights`.
    public var lights: [Light]

    public static let maximumLights = 8

    /// Light from one direction.
    public struct Light: Hashable, Sendable {
        /// Where the light comes from, of length 1: (east, north, up).
        public var source: SIMD3<Float>
        /// Colour times intensity; may be more than 1.
        public var color: SIMD3<Float>

        public init(source: SIMD3<Float>, color: SIMD3<Float>) {
            self.source = source
            self.color = color
        }
    }

    public init(ambient: SIMD3<Float>, lights: [Light]) {
        self.ambient = ambient
        self.lights = lights
    }
}

extension FrameMesh: CustomStringConvertible {
    public var description: String { "\(name), \(vertices.count) vertices, \(indices.count / 3) triangles" }
}

extension Lighting: CustomStringConvertible {
    public var description: String {
        (["ambient \(print(ambient))"] + lights.map { "\(print($0.color)) from \(print($0.source))" }).joined(separator: ", ")
    }
}

extension MeshInstance: CustomStringConvertible {
    public var description: String {
        "mesh \(mesh)\(texture.map { ", image \($0)" } ?? "")\(lighting.map { ", lighting \($0)" } ?? "") at \(print(origin)), "
            + "x \(print(axisX)), y \(print(axisY)), z \(print(axisZ)), diffuse \(print(diffuse))"
            + (alpha == 1 ? "" : ", alpha \(fixed(Double(alpha), 3))") + (faces == .all ? "" : ", \(faces) faces")
            + (tier == 0 ? "" : ", tier \(tier)") + (isJoined ? ", joined" : "")
    }
}

private func print(_ vector: some SIMD<Float>) -> String {
    vector.indices.map { fixed(Double(vector[$0]), 3) }.joined(separator: " ")
}
