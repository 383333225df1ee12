import Testing
import WaymarkGPU

@Suite(.serialized) struct ContextTests {
    @Test(arguments: [Device.automatic, .surfaceless, .software])
    func everySelectionDraws(selection: Device) throws {
        let context = try Context.make(selection)
        #expect(context.info.esMajor == 3)
        #expect(context.info.maxTextureSize >= 2048 && context.info.maxTextureLayers >= 256 && context.info.maxSamples >= 4)
        let target = try Target(context, width: 5, height: 5)
        try target.clear([0, 0, 1, 1])
        #expect(try target.rows() == picture(5, 5) { _, _ in blue })
    }

    @Test func softwareIsRefusedWhenAGPUIsRequired() throws {
        let error = #expect(throws: GPUError.self) { try Context.make(.software, requireGPU: true) }
        #expect(error?.reason == .softwareOnly)
        #expect(error?.description.contains("a GPU is required") == true)
    }

    @Test func contextsNestAndAreRestored() throws {
        let (outer, inner) = (try Context.make(), try Context.make())
        let (below, above) = (try Target(outer, width: 1, height: 1), try Target(inner, width: 1, height: 1))
        try outer.withCurrent { () throws(GPUError) in
            try below.clear([1, 0, 0, 1])
            try inner.withCurrent { () throws(GPUError) in
                try above.clear([0, 1, 0, 1])
                try outer.withCurrent { () throws(GPUError) in try below.clear([0, 0, 1, 1]) }
                try inner.checkErrors("inner")
            }
            try outer.checkErrors("outer")
        }
        #expect(try below.pixels() == blue)
        #expect(try above.pixels() == green)
    }

    @Test func aContextWandersFromThreadToThread() async throws {
        // Each task may run on another thread; the context is handed over, never shared.
        let context = try Context.make()
        let target = try Target(context, width: 1, height: 1)
        try target.clear([1, 0, 0, 1])
        let box = Handover(target: target)
        for _ in 0..<8 {
            await Task.yield()
            #expect(try await box.read() == red)
        }
    }

    @Test func liveCountsFallToZero() throws {
        let context = try Context.make()
        #expect(try context.liveResources() == LiveResources())
        var texture: Texture? = try Texture(context, width: 4, height: 4, layers: 3)
        var buffer: Buffer? = try Buffer(context, [1, 2, 3] as [Float])
        var pipeline: Pipeline? = try Pipeline(context, .flat)
        var target: Target? = try Target(context, width: 5, height: 5, samples: 4, depth: .integer)
        var expected = LiveResources()
        expected.textures = 2
        expected.buffers = 1
        expected.vertexArrays = 1
        expected.programs = 1
        expected.framebuffers = 2
        expected.renderbuffers = 2
        #expect(try context.liveResources() == expected)
        withExtendedLifetime((texture, buffer, pipeline, target)) {}
        texture = nil
        buffer = nil
        pipeline = nil
        target = nil
        #expect(try context.liveResources().total == 0)
    }

    @Test func failuresLeaveNothingBehind() throws {
        let context = try Context.make()
        var broken = Pipeline.Descriptor.flat
        broken.fragment = "void main() { nonsense; }"
        let error = #expect(throws: GPUError.self) { try Pipeline(context, broken) }
        #expect(error?.reason == .shader)
        #expect(error?.stage == "compile flat (fragment)")
        #expect(error?.log.contains("nonsense") == true)
        broken = .flat
        broken.fragment = "precision highp float; in vec4 absent; out vec4 pixel; void main() { pixel = absent; }"
        #expect(throws: GPUError.self) { try Pipeline(context, broken) }
        #expect(throws: GPUError.self) { try Texture(context, width: 0, height: 1) }
        #expect(throws: GPUError.self) { try Texture(context, width: context.info.maxTextureSize + 1, height: 1) }
        #expect(throws: GPUError.self) { try Target(context, width: 5, height: 5, samples: context.info.maxSamples + 1) }
        #expect(try context.liveResources().total == 0)
        try context.checkErrors("after failures")
    }

    @Test func aNameThatComesBackIsANewObject() throws {
        // Names are reused; the state cache and vertex arrays must not take the new buffer for the old one.
        let context = try Context.make()
        let target = try Target(context, width: 2, height: 2)
        let pipeline = try Pipeline(context, .flat)
        for depth in 0..<4 {
            try target.clear()
            let positions = depth % 2 == 0 ? everywhere(depth: 0) : [Float](repeating: 2, count: 9)
            let buffer = try Buffer(context, positions)
            try context.draw(.flat(pipeline, buffer, count: 3, color: [1, 0, 0, 1]), into: target)
            #expect(try target.rows() == picture(2, 2) { _, _ in depth % 2 == 0 ? red : clear })
        }
    }
}

/// Owns a target and reads it wherever the actor happens to run.
private actor Handover {
    private let target: Target

    init(target: sending Target) {
        self.target = target
    }

    func read() throws -> Pixel { try target.pixels() }
}
