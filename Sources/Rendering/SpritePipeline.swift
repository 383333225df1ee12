import WaymarkFrame
import WaymarkGPU
import WaymarkImaging

/// Draws runs of sprites as instanced quads, or with each instance expanded to four vertices.
///
/// The software rasterizer runs the vertex stage separately for every instance, so expanded quads are faster for about a thousand sprites
/// or more. On a GPU, instances need only a quarter of the upload. Both give the same pixels, because the same shader gets the same
/// numbers.
final class SpritePipeline: SingleCache {
    /// The maximum number of quads of one draw, whose vertices have 16-bit indices. One buffer serves all draws of a frame.
    static let quadsPerDraw = 16_384

    /// The number of quads per call on the software rasterizer, which recognizes two triangles as a rectangle only within one batch of
    /// 1,020 indices. A run is split into such calls. A call itself costs one microsecond, and its quads cost a hundred microseconds.
    static let quadsPerRectangleCall = 170

    private let context: Context
    private let submission: SpriteSubmission
    /// The pipelines, compiled when first needed.
    private var pipelines: [SpriteVariant: Pipeline] = [:]
    private let instances: Buffer
    private let quadIndices: Buffer
    /// The draw calls since this was last reset to 0.
    var drawCount = 0

    /// - Parameter submission: How sprites are submitted; nil for the faster way on the device.
    init(_ context: Context, submission: SpriteSubmission?) throws(GPUError) {
        self.context = context
        self.submission = submission ?? (context.isTunedForSoftware ? .expanded : .instanced)
        instances = try Buffer(context, usage: .stream)
        // Each quad has two triangles, divided along the same diagonal as the strip of an instance.
        let indices = (0..<UInt32(Self.quadsPerDraw)).flatMap { quad in [0, 1, 2, 2, 1, 3].map { UInt16(quad * 4 + $0) } }
        quadIndices = try indices.span.withUnsafeBytes { (bytes) throws(GPUError) in try Buffer(context, usage: .fixed, bytes: bytes) }
        super.init()
    }

    override var keptBytes: Int { instances.capacity }
    override func clear() { try? instances.release() }

    private struct SpriteVariant: Hashable {
        var sampling: Sampling
        var isTinted: Bool
        /// Whether any sprite lies on the ground.
        var hasGround: Bool
        var isSwapped: Bool
        var hasSharedEdges: Bool
        /// The preprocessor definition for sprites on the ground that fade into the sky; nil if no sprite fades.
        var fade: String?

        var defines: [String] {
            (sampling == .nearest ? ["NEAREST"] : []) + (isTinted ? ["TINTED"] : []) + (hasGround ? ["GROUND"] : [])
                + (isSwapped ? ["SWAPPED"] : []) + (hasSharedEdges ? ["SHARED"] : []) + (fade.map { [$0] } ?? [])
        }
    }

    /// Draws a run in order: one draw per sequence of sprites whose images share a texture.
    func draw(_ sprites: ArraySlice<Sprite>, _ sampling: Sampling, _ state: SpritePassState) throws(GPUError) {
        // There are no textures if no image of the frame has pixels.
        guard !state.textures.isEmpty else { return }
        var start = sprites.startIndex
        while start < sprites.endIndex {
            let texture = state.images[Int(sprites[start].image)].texture
            let limit = min(sprites.endIndex, start + Self.quadsPerDraw)
            var end = start + 1
            while end < limit, state.images[Int(sprites[end].image)].texture == texture { end += 1 }
            try drawStretch(sprites[start..<end], state.textures[texture], sampling, state)
            start = end
        }
    }

    private func drawStretch(
        _ sprites: ArraySlice<Sprite>, _ texture: Texture, _ sampling: Sampling, _ state: SpritePassState
    ) throws(GPUError) {
        use()
        let copies = submission == .expanded ? 4 : 1
        let stride = MemoryLayout<SpriteInstance>.stride
        var isTinted = false
        var hasSharedEdges = false
        var hasGround = false
        // Only the picture's target has the frame's origin; the targets of groups may differ.
        let isTrimming = sampling == .nearest && state.target.isSwapped
        let (width, height) = (Float(state.target.width), Float(state.target.height))
        try instances.write(byteCount: sprites.count * copies * stride) { memory in
            let output = memory.bindMemory(to: SpriteInstance.self)
            sprites.withUnsafeBufferPointer { sprites in
                state.images.withUnsafeBufferPointer { images in
                    var next = 0
                    for sprite in sprites {
                        isTinted = isTinted || sprite.tint != .none
                        hasSharedEdges = hasSharedEdges || sprite.sharedEdges != .none
                        hasGround = hasGround || sprite.plane == .ground
                        var instance = SpriteInstance(sprite, images[Int(sprite.image)])
                        if isTrimming { instance.trim(width, height) }
                        for _ in 0..<copies {
                            output[next] = instance
                            next &+= 1
                        }
                    }
                }
            }
        }
        let sky = hasGround && sampling == .linear ? state.sky : nil
        let variant = SpriteVariant(
            sampling: sampling, isTinted: isTinted, hasGround: hasGround, isSwapped: state.target.isSwapped, hasSharedEdges: hasSharedEdges,
            fade: sky?.define)
        let pipeline = try pipelines.pipeline(variant, context) { .sprite(submission, defines: variant.defines) }
        var command = DrawCommand(pipeline, count: submission == .expanded ? sprites.count * 6 : 4)
        command.vertices = [VertexBinding(instances)]
        if submission == .expanded {
            command.indices = IndexBinding(quadIndices, .uint16)
        } else {
            command.instances = sprites.count
        }
        command.textures = [TextureBinding("pages", texture, sampling == .nearest ? .nearest : .linear)]
        command.uniforms = state.camera.uniforms + [Uniform("pageSize", .vector2([Float(texture.width), Float(texture.height)]))]
        if let sky { command.uniforms += sky.uniformsForFading(isSwapped: state.target.isSwapped) }
        drawCount += 1
        if state.target.isSwapped, submission == .expanded {
            for first in Swift.stride(from: 0, to: sprites.count, by: Self.quadsPerRectangleCall) {
                command.first = first * 6
                command.count = min(Self.quadsPerRectangleCall, sprites.count - first) * 6
                try context.draw(command, into: state.target)
            }
        } else {
            try context.draw(command, into: state.target)
        }
    }
}

extension SpriteInstance {
    @inline(__always)
    init(_ sprite: Sprite, _ image: AtlasRegion) {
        corner = (sprite.x, sprite.y, sprite.z)
        edges = (sprite.acrossX, sprite.acrossY, sprite.downX, sprite.downY)
        texelRect =
            sprite.sampling == .nearest
            ? (image.x + sprite.texelX, image.y + sprite.texelY, UInt16(sprite.acrossX), UInt16(sprite.downY))
            : (image.x, image.y, image.width, image.height)
        layerAndPlane = SpriteInstance.layerAndPlane(image.layer, sprite.plane == .screen ? .screen : image.groundPlane, sprite.sharedEdges)
        alpha = sprite.alpha
        tint = (sprite.tint.red, sprite.tint.green, sprite.tint.blue, 0)
    }

    /// Clips a quad drawn texel for pixel to the picture, as the software rasterizer's fast path requires.
    @inline(__always)
    mutating func trim(_ width: Float, _ height: Float) {
        if corner.x < 0 {
            texelRect.x += UInt16(-corner.x)
            edges.acrossX += corner.x
            corner.x = 0
        }
        if corner.y < 0 {
            texelRect.y += UInt16(-corner.y)
            edges.downY += corner.y
            corner.y = 0
        }
        edges.acrossX = max(0, min(edges.acrossX, width - corner.x))
        edges.downY = max(0, min(edges.downY, height - corner.y))
        texelRect.width = UInt16(edges.acrossX)
        texelRect.height = UInt16(edges.downY)
    }

    static func layout(_ submission: SpriteSubmission) -> VertexLayout {
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
    static func sprite(_ submission: SpriteSubmission, defines: [String]) -> Self {
        var descriptor = Self()
        descriptor.name = (["sprite"] + defines).joined(separator: " ")
        descriptor.vertex = ShaderSource.spriteVertex
        descriptor.fragment = ShaderSource.spriteFragment
        descriptor.defines = defines
        descriptor.layouts = [SpriteInstance.layout(submission)]
        descriptor.topology = submission == .instanced ? .triangleStrip : .triangles
        return descriptor
    }
}

/// How sprites are submitted to the vertex stage.
package enum SpriteSubmission: Equatable, Sendable, CaseIterable {
    case instanced
    case expanded
}

/// The attributes of a sprite. The fields have the order and the names of the shader's `in` variables.
struct SpriteInstance {
    var corner: (x: Float, y: Float, z: Float)
    var edges: (acrossX: Float, acrossY: Float, downX: Float, downY: Float)
    /// The part of the page that is shown, in texels.
    var texelRect: (x: UInt16, y: UInt16, width: UInt16, height: UInt16)
    /// The layer has 12 bits, above which are the three bits of the lower shared edge. The plane has 7 bits, above which are the bits of
    /// the other edges.
    var layerAndPlane: (layer: UInt16, plane: UInt16)
    var alpha: Float
    /// Red, green and blue; the fourth byte is unused.
    var tint: (UInt8, UInt8, UInt8, UInt8)

    /// The plane of a sprite; for a sprite on the ground, also the shader's data about the reduced copies of its image.
    struct Plane: BitwiseCopyable {
        /// The value in seven bits.
        fileprivate let rawValue: UInt16

        static let screen = Plane(rawValue: 0)
        /// An image without reduced copies.
        static let ground = Plane(rawValue: 1)

        init(_ reduction: ImageReduction, _ copies: ReducedCopies?, areCopiesOnNextLayer: Bool) {
            let last = UInt16(copies?.last ?? 0)
            rawValue = 1 | (reduction == .drawing ? 2 : 0) | (areCopiesOnNextLayer ? 4 : 0) | last << 3
        }

        private init(rawValue: UInt16) { self.rawValue = rawValue }
    }

    static func layerAndPlane(_ layer: UInt16, _ plane: Plane, _ edges: SharedEdges) -> (layer: UInt16, plane: UInt16) {
        (layer | (edges.bits >> 9) << 12, plane.rawValue | (edges.bits & 511) << 7)
    }
}

/// The state of a pass, shared by all its sprites.
struct SpritePassState {
    var target: Target
    var camera: FrameCamera
    var images: [AtlasRegion]
    var textures: [Texture]
    /// The sky into which sprites on the ground fade; nil for none.
    var sky: SkyUniforms?
}
