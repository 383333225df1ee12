import WaymarkFrame
import WaymarkGPU
import WaymarkImaging

/// Draws meshes. Consecutive instances that share mesh, texture, alpha cutoff, lighting and faces are one instanced draw. An instance that
/// fades into the sky is drawn separately. A translucent instance, together with the instances joined to it, is drawn separately in two
/// passes: first the depth, and then the color where it is nearest.
final class MeshPipeline {
    private let context: Context
    let resources: MeshResources
    private let instances: Buffer
    /// An alpha this far below the cutoff still counts as equal to it, because interpolating a constant 1 may lose a few of the last bits.
    /// This is far less than one step of a texel's 8 bits.
    private static let alphaRounding: Float = 0x1p-12
    /// The pipelines, compiled when first needed.
    private var pipelines: [MeshVariant: Pipeline] = [:]
    /// The draw calls since this was last reset to 0.
    var drawCount = 0

    init(_ context: Context, resources: MeshResources) throws(GPUError) {
        self.context = context
        self.resources = resources
        instances = try Buffer(context, usage: .stream)
    }

    /// The kind of depth buffer for meshes.
    var depthBuffer: DepthBuffer { context.hasReversedDepth ? .reversed : .integer }

    /// Draws a range of instances in order.
    func draw(_ range: Range<Int>, _ blending: MeshBlending, of frame: Frame, _ state: MeshPassState) throws(GPUError) {
        guard !range.isEmpty, state.depths.lowerBound > 0, state.depths.lowerBound < state.depths.upperBound else { return }
        let camera = state.camera.worldToClip(state.depths, for: depthBuffer)
        func run(at start: Int) -> InstanceRun { InstanceRun(instance: frame.meshInstances[start], first: start, count: 1) }
        var start = range.lowerBound
        while start < range.upperBound {
            switch blending {
            case .opaque, .occluding:
                var run = run(at: start)
                while start + run.count < range.upperBound, run.add(frame.meshInstances[start + run.count]) {}
                try draw(run, blending == .opaque ? .opaque : .occluding, of: frame, state, camera)
                start += run.count
            case .translucent:
                var end = start + 1
                while end < range.upperBound, frame.meshInstances[end].isJoined { end += 1 }
                for index in start..<end { try draw(run(at: index), .depth, of: frame, state, camera) }
                for index in start..<end { try draw(run(at: index), .translucent, of: frame, state, camera) }
                start = end
            }
        }
    }

    /// Instances of one draw.
    private struct InstanceRun {
        /// The first instance, whose mesh, texture, alpha cutoff, lighting and faces the others share.
        var instance: MeshInstance
        /// The index of the first instance in `Frame.meshInstances`.
        var first: Int
        var count: Int
        var hasOneColor = true

        /// Adds the next instance if it belongs to the same draw. Returns false if it does not.
        mutating func add(_ next: MeshInstance) -> Bool {
            guard next.mesh == instance.mesh, next.texture == instance.texture, next.sampler == instance.sampler,
                next.alphaCutoff == instance.alphaCutoff, next.lighting == instance.lighting, next.faces == instance.faces,
                !next.fades, !instance.fades
            else { return false }
            count += 1
            hasOneColor = hasOneColor && next.diffuse == instance.diffuse && next.alpha == instance.alpha
            return true
        }
    }

    private func draw(
        _ run: InstanceRun, _ pass: MeshVariant.Pass, of frame: Frame, _ state: MeshPassState, _ camera: Matrix4
    ) throws(GPUError) {
        let instance = run.instance
        let mesh = frame.meshes[Int(instance.mesh)]
        guard let buffers = try resources.buffers(mesh) else { return }
        var image: MeshResources.MeshTexture?
        if let number = instance.texture {
            image = try resources.texture(frame.images[Int(number)])
            // An empty image shows nothing.
            guard image != nil else { return }
        }
        let lighting = instance.lighting.map { frame.lightings[Int($0)] }
        let isAnisotropic =
            image.map { image in
                instance.sampler.isFilteredByMipmaps
                    && state.camera.isFine(image.texture, on: buffers.detail, frame.meshInstances[run.first..<run.first + run.count])
            } ?? false
        let variant =
            pass == .depth || pass == .occluding
            // Opaque textures and opaque colors need no alpha test for the depth.
            ? MeshVariant(
                pass: pass, isTextured: image.map { !$0.isOpaque } ?? false, isAnisotropic: isAnisotropic && image?.isOpaque == false,
                hasColors: buffers.hasTranslucentColors, isCut: instance.alphaCutoff != nil, faces: instance.faces, isAlone: run.count == 1)
            : MeshVariant(
                pass: pass, isTextured: image != nil, isAnisotropic: isAnisotropic, hasColors: buffers.colors != nil,
                isCut: instance.alphaCutoff != nil, lightCount: lighting?.lights.count, faces: instance.faces, hasOneColor: run.hasOneColor,
                isAlone: run.count == 1, isLitByFace: lighting != nil && mesh.hasFaceNormals && instance.faces == .front,
                sky: instance.fades ? state.sky?.define : nil,
                isSwapped: state.target.isSwapped)
        var command = DrawCommand(try pipelines.pipeline(variant, context) { .mesh(variant, depthBuffer) }, count: buffers.indexCount)
        command.vertices = [VertexBinding(buffers.vertices)]
        if variant.hasColors, let colors = buffers.colors { command.vertices.append(VertexBinding(colors)) }
        command.indices = buffers.indices
        if variant.isAlone {
            let single = MeshDrawInstance(instance, camera, depthBuffer)
            command.uniforms = single.uniforms
            if let pieces = buffers.pieces { command.pieces = pieces.ranges(along: single.view) }
            if variant.sky != nil, let sky = state.sky {
                command.uniforms += sky.uniformsForFading(isSwapped: variant.isSwapped) + instance.footUniforms(state.camera)
            }
        } else {
            try instances.write(byteCount: run.count * MemoryLayout<MeshDrawInstance>.stride) { memory in
                let output = memory.bindMemory(to: MeshDrawInstance.self)
                for number in 0..<run.count {
                    output[number] = MeshDrawInstance(frame.meshInstances[run.first + number], camera, depthBuffer)
                }
            }
            command.vertices.append(VertexBinding(instances))
            command.instances = run.count
        }
        if variant.isTextured, let image {
            command.textures = [TextureBinding("image", image.texture, instance.sampler.clamped(where: mesh.isWithinTexture))]
        }
        if let cutoff = instance.alphaCutoff { command.uniforms.append(Uniform("alphaCutoff", .float(cutoff - Self.alphaRounding))) }
        if variant.lightCount != nil, let lighting { command.uniforms += lighting.uniforms }
        if variant.hasOneColor { command.uniforms.append(Uniform("instanceColor", .vector4(instance.color))) }
        command.scissor = state.scissor
        drawCount += 1
        try context.draw(command, into: state.target)
    }
}

extension FrameCamera {
    /// Whether pixels of an instance cover too many texels along the view for a single sample.
    fileprivate func isFine(_ texture: Texture, on mesh: MeshDetail, _ instances: ArraySlice<MeshInstance>) -> Bool {
        instances.contains { instance in
            let scale = (instance.axisX * instance.axisX).sum().squareRoot()
            let pixels = pixelsPerPoint(at: SIMD3<Double>(instance.origin), farther: Double(mesh.radius * scale))
            return mesh.texels(width: texture.width, height: texture.height, pixels: scale * Float(pixels)) >= mesh.leastTexels
        }
    }
}

extension TextureSampler {
    /// Whether the texture is filtered smoothly when it is minified. Otherwise, it shows single texels, as its author chose.
    fileprivate var isFilteredByMipmaps: Bool { minFilter == .linear && mipmapFilter != .none }

    /// The sampler with edges clamped instead of repeated.
    fileprivate func clamped(where isWithinTexture: Bool) -> TextureSampler {
        guard isWithinTexture else { return self }
        var clamped = self
        if wrapU == .repeat { clamped.wrapU = .clampToEdge }
        if wrapV == .repeat { clamped.wrapV = .clampToEdge }
        return clamped
    }
}

extension MeshInstance {
    /// The color as straight RGB, with the opacity of the result in w.
    fileprivate var color: SIMD4<Float> { SIMD4(diffuse.x, diffuse.y, diffuse.z, diffuse.w * alpha) }

    /// The uniforms from which the shader computes where the ground beneath the mesh is in the picture. The mesh's z axis points up.
    fileprivate func footUniforms(_ camera: FrameCamera) -> [Uniform] {
        let matrix = camera.worldToPicture
        func toPicture(_ vector: SIMD3<Float>, _ w: Double) -> SIMD4<Float> {
            let place = matrix * SIMD4(Double(vector.x), Double(vector.y), 0, w)
            return SIMD4(Float(place.x), Float(place.y), Float(place.w), 0)
        }
        return [Uniform("foot", .vector4s([toPicture(axisX, 0), toPicture(axisY, 0), toPicture(origin, 1)]))]
    }
}

extension Lighting {
    fileprivate var uniforms: [Uniform] {
        let lights = lights.flatMap { light in [SIMD4(light.source, 0), SIMD4(light.color, 0)] }
        return [Uniform("ambient", .vector3(ambient))] + (lights.isEmpty ? [] : [Uniform("lights", .vector4s(lights))])
    }
}

extension MeshDrawInstance {
    /// The depth bias per step, as a fraction of the depth buffer's range. It must be this large because depths are interpolated from
    /// vertices far outside the picture. On the software rasterizer, half of this value failed for one in sixty random views of level
    /// meshes that extend 170,000 pt behind the camera.
    private static let depthBiasOfStep = 0x1p-17

    init(_ instance: MeshInstance, _ camera: Matrix4, _ buffer: DepthBuffer) {
        let step = Double(instance.depthBiasStep) * Self.depthBiasOfStep * (buffer == .reversed ? 1 : -2)
        // This is in double precision, because the translation of the view is part of the matrix.
        func toClip(_ vector: SIMD3<Float>, _ w: Double) -> SIMD4<Float> {
            var column = camera * SIMD4(SIMD3<Double>(vector), w)
            column.z += step * column.w
            return SIMD4<Float>(column)
        }
        // The axis is normalized, and converted from (east, south, up) to (east, north, up). The axes are orthogonal and equally long, so
        // they transform normals like vectors: the inverse transpose is the same up to scale.
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

    /// The direction of the view, in mesh units.
    fileprivate var view: SIMD3<Float> { SIMD3(clip.x.w, clip.y.w, clip.z.w) }

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

/// The colors of vertices, in a separate buffer that only meshes with colors have.
private let colorLayout = VertexLayout(
    stride: MemoryLayout<SIMD4<UInt8>>.stride, attributes: [.init(location: 11, .uint8, count: 4, .normalized, offset: 0)])

extension Pipeline.Descriptor {
    fileprivate static func mesh(_ variant: MeshVariant, _ depthBuffer: DepthBuffer) -> Self {
        var descriptor = Self()
        descriptor.name = (["mesh"] + variant.defines).joined(separator: " ")
        descriptor.vertex = ShaderSource.meshVertex
        descriptor.fragment = ShaderSource.meshFragment
        descriptor.defines = variant.defines
        descriptor.layouts =
            [MeshVertex.layout] + (variant.hasColors ? [colorLayout] : []) + (variant.isAlone ? [] : [MeshDrawInstance.layout])
        descriptor.depthBuffer = depthBuffer
        descriptor.depth = variant.pass == .translucent ? .equal : .testAndWrite
        descriptor.stencil =
            switch variant.pass {
            case .opaque, .occluding: .none
            case .depth: .write
            case .translucent: .testAndReset
            }
        descriptor.blend = variant.pass == .translucent ? .premultipliedAlpha : .none
        descriptor.writesColor = variant.pass == .opaque || variant.pass == .translucent
        descriptor.cull =
            switch variant.faces {
            case .all: .none
            case .front: .back
            case .back: .front
            }
        return descriptor
    }
}

/// The attributes of an instance in the order of the shader's `in` variables.
struct MeshDrawInstance {
    var clip: (x: SIMD4<Float>, y: SIMD4<Float>, z: SIMD4<Float>, origin: SIMD4<Float>)
    var world: (x: Vector, y: Vector, z: Vector)
    /// The color as straight RGB, followed by the opacity of the result.
    var color: (Float, Float, Float, Float)

    typealias Vector = (Float, Float, Float)
}

/// The state of a pass, shared by all instances.
struct MeshPassState {
    var target: Target
    var camera: FrameCamera
    var depths: ClosedRange<Double>
    var scissor: PixelRect?
    /// The sky, if it has been drawn beneath.
    var sky: SkyUniforms?
}

struct MeshVariant: Hashable {
    var pass: Pass
    var isTextured: Bool
    /// Whether pixels may cover many texels along the view, so that the texture is filtered in that direction.
    var isAnisotropic: Bool
    /// Whether the vertices have colors.
    var hasColors: Bool
    /// Whether the mesh has an alpha cutoff.
    var isCut: Bool
    /// The number of directional lights; nil without lighting.
    var lightCount: Int?
    var faces: VisibleFaces
    /// Whether all instances of the draw have the same color, which is then a uniform.
    var hasOneColor = false
    /// Whether the draw has only one instance, whose attributes are then uniforms. Fetching them for each vertex would take a fifth of
    /// the time of a million triangles.
    var isAlone: Bool
    /// Whether the light is computed for vertices.
    var isLitByFace = false
    /// The preprocessor definition for the sky into which the mesh fades; nil if it does not fade. Only a draw with one instance may have
    /// it.
    var sky: String?
    var isSwapped = false

    enum Pass: Hashable {
        case opaque
        /// The depth of a translucent mesh.
        case depth
        /// The color of a translucent mesh.
        case translucent
        /// The depth of an invisible mesh that hides others.
        case occluding
    }

    var defines: [String] {
        let all = [
            pass == .depth || pass == .occluding ? "DEPTH_ONLY" : nil, pass == .opaque ? "SOLID" : nil, isAlone ? "ALONE" : nil,
            hasOneColor ? "ONE_COLOR" : nil, isTextured ? "TEXTURED" : nil,
            isAnisotropic ? "ANISOTROPIC" : nil, hasColors ? "COLORED" : nil,
            isCut ? "CUT" : nil, lightCount.map { "LIGHTS \($0)" }, isLitByFace ? "FACE_LIT" : nil,
            sky, isSwapped ? "SWAPPED" : nil,
        ]
        return all.compactMap(\.self)
    }
}
