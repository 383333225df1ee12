import WaymarkFrame
import WaymarkGPU

/// Draws runs of sprites: instanced quads, or the same instances expanded to four vertices each.
///
/// On the software rasteriser every instance goes through the vertex stage on its own, and expanded quads are faster from
/// some thousand sprites on; on a GPU instances are a quarter of the upload. Both give the same pixels: it is the same shader
/// with the same numbers.
final class SpritePipeline {
    typealias Submission = SpriteSubmission

    /// What the shader reads of a sprite, in the order of its `in` lines.
    struct Instance {
        var corner: (x: Float, y: Float, z: Float)
        var edges: (acrossX: Float, acrossY: Float, downX: Float, downY: Float)
        var texels: (x: UInt16, y: UInt16, width: UInt16, height: UInt16)
        var layer: UInt16
        var plane: UInt16
        var alpha: Float
        /// Red, green, blue, and nothing.
        var tint: (UInt8, UInt8, UInt8, UInt8)
    }

    /// Quads of one draw: their vertices are counted with 16 bits, and one stretch of memory serves all draws of a frame.
    static let quadsPerDraw = 16_384

    /// What the software rasteriser takes at once: it sees that two triangles are a rectangle only when they are in one batch of
    /// 1,020 indices. One draw of a run is so many calls there; each costs a microsecond, where its quads cost a hundred.
    static let quadsPerRectangleCall = 170

    /// The software rasteriser keeps some 300 bytes for each quad until it has drawn it: a million took 300 MB.
    static let pendingQuadLimit = 65_536

    private var pendingQuads = 0
    private let context: Context
    private let submission: Submission
    /// By what they are: how images are read, and whether any is tinted. Made when first needed, since compiling takes time.
    private var pipelines: [Variant: Pipeline] = [:]
    private let instances: Buffer
    private let quadIndices: Buffer
    /// Draw calls since it was last set to 0.
    var drawCount = 0

    init(_ context: Context, submission: Submission? = nil) throws(GPUError) {
        let submission = submission ?? (context.info.isSoftware ? .expanded : .instanced)
        self.context = context
        self.submission = submission
        instances = try Buffer(context, usage: .stream)
        // Two triangles a quad, both from the same diagonal as the strip of an instance.
        let indices = (0..<UInt32(Self.quadsPerDraw)).flatMap { quad in [0, 1, 2, 2, 1, 3].map { UInt16(quad * 4 + $0) } }
        quadIndices = try indices.span.withUnsafeBytes { (bytes) throws(GPUError) in try Buffer(context, usage: .fixed, bytes: bytes) }
    }

    private struct Variant: Hashable {
        var sampling: Sampling
        var isTinted: Bool
        var isSwapped: Bool

        var defines: [String] {
            (sampling == .nearest ? ["NEAREST"] : []) + (isTinted ? ["TINTED"] : []) + (isSwapped ? ["SWAPPED"] : [])
        }
    }

    private func pipeline(_ variant: Variant) throws(GPUError) -> Pipeline {
        if let known = pipelines[variant] { return known }
        let pipeline = try Pipeline(context, .sprite(submission, defines: variant.defines))
        pipelines[variant] = pipeline
        return pipeline
    }

    /// What a run needs besides its sprites.
    struct Surroundings {
        var target: Target
        var camera: FrameCamera
        var images: [ImageAtlas.Place]
        var textures: [Texture]
        var scissor: WaymarkGPU.PixelRect?
    }

    /// Draws a run, in its order; one draw for each stretch of sprites whose images share a texture.
    func draw(_ sprites: ArraySlice<Sprite>, _ sampling: Sampling, _ around: Surroundings) throws(GPUError) {
        var start = sprites.startIndex
        while start < sprites.endIndex {
            let texture = around.images[Int(sprites[start].image)].texture
            let limit = min(sprites.endIndex, start + Self.quadsPerDraw)
            var end = start + 1
            while end < limit, around.images[Int(sprites[end].image)].texture == texture { end += 1 }
            try drawStretch(sprites[start..<end], around.textures[texture], sampling, around)
            start = end
        }
    }

    private func drawStretch(
        _ sprites: ArraySlice<Sprite>, _ texture: Texture, _ sampling: Sampling, _ around: Surroundings
    ) throws(GPUError) {
        let copies = submission == .expanded ? 4 : 1
        let stride = MemoryLayout<Instance>.stride
        var isTinted = false
        // The picture's target has its origin where the frame's is; those of groups need not.
        let isTrimming = sampling == .nearest && around.target.isSwapped
        let (width, height) = (Float(around.target.width), Float(around.target.height))
        try instances.write(byteCount: sprites.count * copies * stride) { memory in
            let output = memory.bindMemory(to: Instance.self)
            sprites.withUnsafeBufferPointer { sprites in
                around.images.withUnsafeBufferPointer { images in
                    var next = 0
                    for sprite in sprites {
                        isTinted = isTinted || sprite.tint != .none
                        var instance = Instance(sprite, images[Int(sprite.image)])
                        if isTrimming { instance.trim(width, height) }
                        for _ in 0..<copies {
                            output[next] = instance
                            next &+= 1
                        }
                    }
                }
            }
        }
        let pipeline = try pipeline(Variant(sampling: sampling, isTinted: isTinted, isSwapped: around.target.isSwapped))
        var command = DrawCommand(pipeline, count: submission == .expanded ? sprites.count * 6 : 4)
        command.vertices = [VertexBinding(instances)]
        if submission == .expanded {
            command.indices = IndexBinding(quadIndices, .uint16)
        } else {
            command.instances = sprites.count
        }
        command.textures = [TextureBinding("pages", texture, filter: sampling == .nearest ? .nearest : .linear)]
        command.uniforms = around.camera.uniforms + [Uniform("pageSize", .vector2([Float(texture.width), Float(texture.height)]))]
        command.scissor = around.scissor
        drawCount += 1
        if around.target.isSwapped, submission == .expanded {
            for first in Swift.stride(from: 0, to: sprites.count, by: Self.quadsPerRectangleCall) {
                command.first = first * 6
                command.count = min(Self.quadsPerRectangleCall, sprites.count - first) * 6
                try context.draw(command, into: around.target)
            }
        } else {
            try context.draw(command, into: around.target)
        }
        pendingQuads += sprites.count
        if pendingQuads >= Self.pendingQuadLimit, context.info.isSoftware {
            pendingQuads = 0
            try context.finish()
        }
    }
}

extension SpritePipeline.Instance {
    @inline(__always)
    init(_ sprite: Sprite, _ image: ImageAtlas.Place) {
        corner = (sprite.x, sprite.y, sprite.z)
        edges = (sprite.acrossX, sprite.acrossY, sprite.downX, sprite.downY)
        texels =
            sprite.sampling == .nearest
            ? (image.x + sprite.texelX, image.y + sprite.texelY, UInt16(sprite.acrossX), UInt16(sprite.downY))
            : (image.x, image.y, image.width, image.height)
        layer = image.layer
        plane = UInt16(sprite.plane.rawValue)
        alpha = sprite.alpha
        tint = (sprite.tint.red, sprite.tint.green, sprite.tint.blue, 0)
    }

    /// Cuts a quad drawn texel for pixel to the picture: the software rasteriser's fast path takes no other rectangles.
    @inline(__always)
    mutating func trim(_ width: Float, _ height: Float) {
        if corner.x < 0 {
            texels.x += UInt16(-corner.x)
            edges.acrossX += corner.x
            corner.x = 0
        }
        if corner.y < 0 {
            texels.y += UInt16(-corner.y)
            edges.downY += corner.y
            corner.y = 0
        }
        edges.acrossX = max(0, min(edges.acrossX, width - corner.x))
        edges.downY = max(0, min(edges.downY, height - corner.y))
        texels.width = UInt16(edges.acrossX)
        texels.height = UInt16(edges.downY)
    }

    static func layout(_ submission: SpritePipeline.Submission) -> VertexLayout {
        VertexLayout(
            stride: MemoryLayout<Self>.stride, step: submission == .instanced ? .instance : .vertex,
            attributes: [
                .init(location: 0, .float, count: 3, offset: 0),
                .init(location: 1, .float, count: 4, offset: 12),
                .init(location: 2, .uint16, count: 4, offset: 28),
                .init(location: 3, .uint16, count: 2, offset: 36),
                .init(location: 4, .float, count: 1, offset: 40),
                .init(location: 5, .uint8, count: 4, .normalized, offset: 44),
            ])
    }
}

extension Pipeline.Descriptor {
    static func sprite(_ submission: SpritePipeline.Submission, defines: [String]) -> Self {
        var descriptor = Self()
        descriptor.name = (["sprite"] + defines).joined(separator: " ")
        descriptor.vertex = ShaderSource.spriteVertex
        descriptor.fragment = ShaderSource.spriteFragment
        descriptor.defines = defines
        descriptor.layouts = [SpritePipeline.Instance.layout(submission)]
        descriptor.topology = submission == .instanced ? .triangleStrip : .triangles
        return descriptor
    }
}

/// How instances of sprites reach the vertex stage.
package enum SpriteSubmission: Equatable, Sendable, CaseIterable {
    case instanced
    case expanded
}
