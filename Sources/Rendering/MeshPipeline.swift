import WaymarkFrame
import WaymarkGPU

/// Draws meshes. Instances that follow one another and share mesh, texture, lighting and faces are one instanced draw; of
/// translucent ones each is drawn by itself, with those joined to it, twice: the depth first, and then the colour where it is nearest.
final class MeshPipeline {
    /// What the shader reads of an instance, in the order of its `in` lines.
    struct Instance {
        var clip: (x: SIMD4<Float>, y: SIMD4<Float>, z: SIMD4<Float>, origin: SIMD4<Float>)
        var world: (x: Vector, y: Vector, z: Vector)
        /// Straight, and what all is multiplied with in the end.
        var color: (Float, Float, Float, Float)

        typealias Vector = (Float, Float, Float)
    }

    private let context: Context
    let resources: MeshResources
    private let instances: Buffer
    /// By what they are; made when first needed, since compiling takes time.
    private var pipelines: [Variant: Pipeline] = [:]
    /// Draw calls since it was last set to 0.
    var drawCount = 0

    init(_ context: Context, resources: MeshResources) throws(GPUError) {
        self.context = context
        self.resources = resources
        instances = try Buffer(context, usage: .stream)
    }

    /// The kind of depth buffer that meshes are drawn with.
    var depthBuffer: DepthBuffer { Self.depthBuffer(context) }

    static func depthBuffer(_ context: Context) -> DepthBuffer { context.hasReversedDepth ? .reversed : .integer }

    /// What instances need besides themselves.
    struct Surroundings {
        var target: Target
        var camera: FrameCamera
        var depths: ClosedRange<Double>
        var scissor: WaymarkGPU.PixelRect?
    }

    struct Variant: Hashable {
        var pass: Pass
        var isTextured: Bool
        /// nil when nothing is lit.
        var lightCount: Int?
        var faces: VisibleFaces
        /// Whether all instances of the draw have one colour, which no triangle then carries.
        var hasOneColor: Bool
        /// Whether the draw has one instance: fetched for each corner, what instances have cost a fifth of a million triangles' time.
        var isAlone: Bool
        var isSwapped: Bool

        enum Pass: Hashable {
            case opaque
            /// The depth of a translucent mesh.
            case depth
            /// Its colour.
            case translucent
        }

        var defines: [String] {
            let all = [
                pass == .depth ? "DEPTH_ONLY" : nil, pass == .opaque ? "SOLID" : nil, isAlone ? "ALONE" : nil,
                hasOneColor ? "ONE_COLOR" : nil, isTextured ? "TEXTURED" : nil, lightCount.map { "LIGHTS \($0)" },
                isSwapped ? "SWAPPED" : nil,
            ]
            return all.compactMap(\.self)
        }
    }

    /// Draws a range of instances, in its order.
    func draw(_ range: Range<Int>, _ blending: MeshBlending, of frame: Frame, _ around: Surroundings) throws(GPUError) {
        guard !range.isEmpty, around.depths.lowerBound > 0, around.depths.lowerBound < around.depths.upperBound else { return }
        let camera = around.camera.worldToClip(around.depths, for: depthBuffer)
        func run(at start: Int) -> Run { Run(instance: frame.meshInstances[start], first: start, count: 1) }
        var start = range.lowerBound
        while start < range.upperBound {
            switch blending {
            case .opaque:
                var run = run(at: start)
                while start + run.count < range.upperBound, run.add(frame.meshInstances[start + run.count]) {}
                try draw(run, .opaque, of: frame, around, camera)
                start += run.count
            case .translucent:
                var end = start + 1
                while end < range.upperBound, frame.meshInstances[end].isJoined { end += 1 }
                for index in start..<end { try draw(run(at: index), .depth, of: frame, around, camera) }
                for index in start..<end { try draw(run(at: index), .translucent, of: frame, around, camera) }
                start = end
            }
        }
    }

    /// Instances of one draw.
    private struct Run {
        /// The first, with which the others share mesh, texture, lighting and faces.
        var instance: MeshInstance
        /// Its index in `Frame.meshInstances`.
        var first: Int
        var count: Int
        var hasOneColor = true

        /// Adds the next; false when it is not of their kind.
        mutating func add(_ next: MeshInstance) -> Bool {
            guard next.mesh == instance.mesh, next.texture == instance.texture, next.lighting == instance.lighting,
                next.faces == instance.faces
            else { return false }
            count += 1
            hasOneColor = hasOneColor && next.diffuse == instance.diffuse && next.alpha == instance.alpha
            return true
        }
    }

    private func draw(
        _ run: Run, _ pass: Variant.Pass, of frame: Frame, _ around: Surroundings, _ camera: Matrix4
    ) throws(GPUError) {
        let instance = run.instance
        let mesh = frame.meshes[Int(instance.mesh)]
        guard let buffers = try resources.buffers(mesh) else { return }
        var image: MeshResources.Image?
        if let number = instance.texture {
            image = try resources.texture(frame.images[Int(number)])
            // What shows an image without pixels shows nothing.
            guard image != nil else { return }
        }
        let lighting = instance.lighting.map { frame.lightings[Int($0)] }
        let variant =
            pass == .depth
            // Of an opaque texture all is there.
            ? Variant(
                pass: pass, isTextured: image.map { !$0.isOpaque } ?? false, lightCount: nil, faces: instance.faces, hasOneColor: false,
                isAlone: run.count == 1, isSwapped: false)
            : Variant(
                pass: pass, isTextured: image != nil, lightCount: lighting?.lights.count, faces: instance.faces,
                hasOneColor: run.hasOneColor, isAlone: run.count == 1, isSwapped: around.target.isSwapped)
        var command = DrawCommand(try pipeline(variant), count: buffers.indexCount)
        command.vertices = [VertexBinding(buffers.vertices)]
        command.indices = buffers.indices
        if variant.isAlone {
            command.uniforms = Instance(instance, camera, depthBuffer).uniforms
        } else {
            try instances.write(byteCount: run.count * MemoryLayout<Instance>.stride) { memory in
                let output = memory.bindMemory(to: Instance.self)
                for number in 0..<run.count { output[number] = Instance(frame.meshInstances[run.first + number], camera, depthBuffer) }
            }
            command.vertices.append(VertexBinding(instances))
            command.instances = run.count
        }
        if variant.isTextured, let image {
            let wrap: TextureBinding.Wrap = mesh.isWithinTexture ? .clamp : .repeating
            command.textures = [TextureBinding("image", image.texture, filter: .mipmapped, wrap: wrap)]
        }
        if variant.lightCount != nil, let lighting { command.uniforms += lighting.uniforms }
        if variant.hasOneColor { command.uniforms.append(Uniform("instanceColor", .vector4(instance.color))) }
        command.scissor = around.scissor
        drawCount += 1
        try context.draw(command, into: around.target)
    }

    private func pipeline(_ variant: Variant) throws(GPUError) -> Pipeline {
        if let known = pipelines[variant] { return known }
        let pipeline = try Pipeline(context, .mesh(variant, depthBuffer))
        pipelines[variant] = pipeline
        return pipeline
    }
}

extension MeshInstance {
    /// Straight; w: what all is multiplied with in the end.
    fileprivate var color: SIMD4<Float> { SIMD4(diffuse.x, diffuse.y, diffuse.z, diffuse.w * alpha) }
}

extension Lighting {
    fileprivate var uniforms: [Uniform] {
        let lights = lights.flatMap { light in [SIMD4(light.source, 0), SIMD4(light.color, 0)] }
        return [Uniform("ambient", .vector3(ambient))] + (lights.isEmpty ? [] : [Uniform("lights", .vector4s(lights))])
    }
}

extension MeshPipeline.Instance {
    /// How much nearer each tier is, in parts of the depth buffer's range. Depths are interpolated from corners far outside of the
    /// picture: half of it was too little, on the software rasteriser, for one in sixty random views of level meshes that reach
    /// 170,000 pt behind the camera.
    private static let tierStep = 0x1p-17

    init(_ instance: MeshInstance, _ camera: Matrix4, _ buffer: DepthBuffer) {
        let step = Double(instance.tier) * Self.tierStep * (buffer == .reversed ? 1 : -2)
        // In double precision up to here: the picture's place in the world is in it.
        func toClip(_ vector: SIMD3<Float>, _ w: Double) -> SIMD4<Float> {
            var column = camera * SIMD4(SIMD3<Double>(vector), w)
            column.z += step * column.w
            return SIMD4<Float>(column)
        }
        // From (east, south, up), and of length 1: the axes stand at right angles, so they carry normals as they carry points.
        func toWorld(_ axis: SIMD3<Float>) -> Vector {
            let axis = SIMD3<Double>(axis)
            let length = (axis * axis).sum().squareRoot()
            let unit = length > 0 ? SIMD3<Float>(axis / length) : .zero
            return (unit.x, -unit.y, unit.z)
        }
        clip = (toClip(instance.axisX, 0), toClip(instance.axisY, 0), toClip(instance.axisZ, 0), toClip(instance.origin, 1))
        world = (toWorld(instance.axisX), toWorld(instance.axisY), toWorld(instance.axisZ))
        color = (instance.color.x, instance.color.y, instance.color.z, instance.color.w)
    }

    fileprivate var uniforms: [Uniform] {
        func vector(_ axis: Vector) -> SIMD4<Float> { SIMD4(axis.0, axis.1, axis.2, 0) }
        return [
            Uniform("clip", .vector4s([clip.x, clip.y, clip.z, clip.origin])),
            Uniform("world", .vector4s([vector(world.x), vector(world.y), vector(world.z)])),
        ]
    }

    static let layout = VertexLayout(
        stride: MemoryLayout<Self>.stride, step: .instance,
        attributes: (0..<4).map { .init(location: 3 + $0, .float, count: 4, offset: 16 * $0) }
            + (0..<3).map { .init(location: 7 + $0, .float, count: 3, offset: 64 + 12 * $0) } + [
                .init(location: 10, .float, count: 4, offset: 100)
            ])
}

extension MeshVertex {
    fileprivate static let layout = VertexLayout(
        stride: MemoryLayout<Self>.stride,
        attributes: [
            .init(location: 0, .float, count: 3, offset: 0),
            .init(location: 1, .float, count: 3, offset: 12),
            .init(location: 2, .float, count: 2, offset: 24),
        ])
}

extension Pipeline.Descriptor {
    fileprivate static func mesh(_ variant: MeshPipeline.Variant, _ depthBuffer: DepthBuffer) -> Self {
        var descriptor = Self()
        descriptor.name = (["mesh"] + variant.defines).joined(separator: " ")
        descriptor.vertex = ShaderSource.meshVertex
        descriptor.fragment = ShaderSource.meshFragment
        descriptor.defines = variant.defines
        descriptor.layouts = [MeshVertex.layout] + (variant.isAlone ? [] : [MeshPipeline.Instance.layout])
        descriptor.depthBuffer = depthBuffer
        descriptor.depth = variant.pass == .translucent ? .equal : .testAndWrite
        descriptor.stencil = variant.pass == .opaque ? .none : variant.pass == .depth ? .mark : .takeMark
        descriptor.blend = variant.pass == .translucent ? .premultipliedAlpha : .none
        descriptor.writesColor = variant.pass != .depth
        descriptor.cull =
            switch variant.faces {
            case .all: .none
            case .front: .back
            case .back: .front
            }
        return descriptor
    }
}
