import WaymarkGeo
import WaymarkImaging

/// A triangle mesh in the layout of the GPU's buffers. It is uploaded once, and does not depend on its instances or the camera.
public struct FrameMesh: Sendable {
    /// The key in the buffer cache. Within a process, equal keys mean equal meshes.
    public var key: UInt64
    /// The mesh's name in printed frames.
    public var name: String
    public var vertices: [MeshVertex]
    /// The vertex colors as red, green, blue and alpha, not premultiplied. The texture and the diffuse color are multiplied by them. If the
    /// array is empty, all vertices are opaque white.
    public var colors: [SIMD4<UInt8>]
    /// Three vertex indices per triangle. Seen from the front, a triangle's vertices run counterclockwise, and their normals point toward
    /// the viewer.
    public var indices: [UInt32]
    /// Whether all texture coordinates are in 0…1. If so, a repeating texture is clamped, so that its opposite edges do not blend.
    public var isWithinTexture: Bool
    /// Whether the three vertices of each triangle have the same normal. If so, and if back faces are not drawn, light is computed for
    /// vertices instead of pixels, with the same result.
    public var hasFaceNormals: Bool

    public init(
        key: UInt64, name: String, vertices: [MeshVertex], colors: [SIMD4<UInt8>] = [], indices: [UInt32], isWithinTexture: Bool,
        hasFaceNormals: Bool = false
    ) {
        self.key = key
        self.name = name
        self.vertices = vertices
        self.colors = colors
        self.indices = indices
        self.isWithinTexture = isWithinTexture
        self.hasFaceNormals = hasFaceNormals
    }
}

extension FrameMesh: Equatable {
    /// Compares everything except the keys, which depend on what else this process has drawn.
    public static func == (a: FrameMesh, b: FrameMesh) -> Bool {
        a.name == b.name && a.isWithinTexture == b.isWithinTexture && a.hasFaceNormals == b.hasFaceNormals && a.indices == b.indices
            && a.vertices == b.vertices && a.colors == b.colors
    }
}

/// A vertex of a mesh, in the memory layout of the vertex buffer.
public struct MeshVertex: Equatable, Sendable, BitwiseCopyable {
    /// The position in mesh units: x east, y north, z up.
    public var x, y, z: Float
    /// The components of the unit normal along the mesh's axes.
    public var normalX, normalY, normalZ: Float
    /// The texture coordinates: (0, 0) is the texture's upper left corner, (1, 1) its lower right.
    public var u, v: Float

    public init(_ position: SIMD3<Float>, normal: SIMD3<Float>, texture: SIMD2<Float> = .zero) {
        (x, y, z) = (position.x, position.y, position.z)
        (normalX, normalY, normalZ) = (normal.x, normal.y, normal.z)
        (u, v) = (texture.x, texture.y)
    }
}

/// A mesh drawn at a position, with a material.
public struct MeshInstance: Equatable, Sendable {
    /// The index of the mesh in `Frame.meshes`.
    public var mesh: UInt32
    /// The index of the texture in `Frame.images`; nil, the default, means a white texture.
    public var texture: UInt32?
    /// How the texture is sampled. Default: repeating, linear, with mipmaps.
    public var sampler: TextureSampler
    /// The cutoff for the product of texture alpha and vertex alpha. Where the product is below the cutoff, nothing is drawn; elsewhere,
    /// the alpha counts as 1. Default nil: there is no cutoff, and the color is multiplied by the alpha.
    public var alphaCutoff: Float?
    /// The index of the lighting in `Frame.lightings`; nil, the default, means an unlit mesh.
    public var lighting: UInt32?
    /// The transformation from mesh units to world offsets in pt from the view's center. It consists of the vectors to which the mesh's x,
    /// y and z axes and its origin are mapped, each as (east, south, up). The axes are orthogonal and of equal length.
    public var axisX, axisY, axisZ, origin: SIMD3<Float>
    /// The color by which the texture is multiplied: red, green, blue and alpha in 0…1, not premultiplied. Default: opaque white.
    public var diffuse: SIMD4<Float>
    /// The opacity of the whole instance, 0…1. Default 1.
    public var alpha: Float
    /// Which faces of the triangles are drawn. Default: all.
    public var faces: VisibleFaces
    /// The depth bias step. Where flat meshes at the same height overlap, the mesh with the higher step is on top. Default 0.
    public var depthBiasStep: UInt16
    /// Whether this instance belongs to the same object as the previous one. Among joined translucent instances, only the nearest surface
    /// is visible, as if they were one mesh. Default false.
    public var isJoined: Bool
    /// Whether the instance fades into the sky where the ground beneath it does. Default false.
    public var fades: Bool

    public init(
        mesh: UInt32, texture: UInt32? = nil, sampler: TextureSampler = TextureSampler(), alphaCutoff: Float? = nil,
        lighting: UInt32? = nil, axisX: SIMD3<Float> = [1, 0, 0], axisY: SIMD3<Float> = [0, -1, 0], axisZ: SIMD3<Float> = [0, 0, 1],
        origin: SIMD3<Float> = .zero, diffuse: SIMD4<Float> = [1, 1, 1, 1], alpha: Float = 1, faces: VisibleFaces = .all,
        depthBiasStep: UInt16 = 0, isJoined: Bool = false, fades: Bool = false
    ) {
        self.mesh = mesh
        self.texture = texture
        self.sampler = sampler
        self.alphaCutoff = alphaCutoff
        self.lighting = lighting
        self.axisX = axisX
        self.axisY = axisY
        self.axisZ = axisZ
        self.origin = origin
        self.diffuse = diffuse
        self.alpha = alpha
        self.faces = faces
        self.depthBiasStep = depthBiasStep
        self.isJoined = isJoined
        self.fades = fades
    }
}

/// Which faces of a mesh are drawn.
public enum VisibleFaces: UInt8, Equatable, Sendable {
    /// Front and back faces.
    case all
    /// The faces whose front is turned toward the camera.
    case front
    /// The faces whose back is turned toward the camera. If the winding of a mesh contradicts its normals, these are its outer faces.
    case back
}

/// How the mesh instances of one drawing command are blended.
public enum MeshBlending: UInt8, Equatable, Sendable {
    /// Every pixel is opaque. The instances may be in any order.
    case opaque
    /// The instances are blended with the pixels beneath them, and must be sorted back to front. For each instance, together with those
    /// joined to it, only the nearest surface is drawn.
    case translucent
    /// Only the depth is drawn: the instances are invisible, but hide others that are drawn later in the group.
    case occluding
}

/// The Lambertian lighting of a mesh: color = base · (ambient + Σ max(0, n · source) · light color), computed on sRGB-encoded values and
/// clamped to 1. The normal n points to the visible side.
public struct Lighting: Hashable, Sendable {
    /// The ambient light: red, green and blue in 0…1.
    public var ambient: SIMD3<Float>
    /// The lights, at most 8.
    public var lights: [Light]

    /// A directional light.
    public struct Light: Hashable, Sendable {
        /// The unit vector toward the light, as (east, north, up).
        public var source: SIMD3<Float>
        /// The light's color multiplied by its intensity. Components may exceed 1.
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
    public var description: String {
        "\(name), \(vertices.count) vertices\(colors.isEmpty ? "" : " with colors"), \(indices.count / 3) triangles"
    }
}

extension Lighting: CustomStringConvertible {
    public var description: String {
        (["ambient \(fixed(ambient))"] + lights.map { "\(fixed($0.color)) from \(fixed($0.source))" }).joined(separator: ", ")
    }
}

extension MeshInstance: CustomStringConvertible {
    public var description: String {
        "mesh \(mesh)\(texture.map { ", image \($0)" } ?? "")\(sampler == TextureSampler() ? "" : ", \(print(sampler))")"
            + (alphaCutoff.map { ", alpha cutoff \(fixed($0))" } ?? "")
            + "\(lighting.map { ", lighting \($0)" } ?? "") at \(fixed(origin)), "
            + "x \(fixed(axisX)), y \(fixed(axisY)), z \(fixed(axisZ)), diffuse \(fixed(diffuse))"
            + (alpha == 1 ? "" : ", alpha \(fixed(alpha))") + (faces == .all ? "" : ", \(faces) faces")
            + (depthBiasStep == 0 ? "" : ", tier \(depthBiasStep)") + (isJoined ? ", joined" : "")
            + (fades ? ", fades" : "")
    }
}

private func print(_ sampler: TextureSampler) -> String {
    "wrap \(sampler.wrapU) \(sampler.wrapV), filter \(sampler.magFilter) \(sampler.minFilter), mipmaps \(sampler.mipmapFilter)"
}
