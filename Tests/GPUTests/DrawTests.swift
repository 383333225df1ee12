import Testing
import WaymarkGPU
import WaymarkImaging

@Suite(.serialized) struct DrawTests {
    private let context: Context
    private let target: Target

    init() throws {
        context = try Context.make()
        target = try Target(context, width: 5, height: 5)
        try target.clear()
    }

    /// A texture of two layers of 2 × 1: red, green; blue, white.
    private func twoLayers() throws -> Texture {
        let texture = try Texture(context, width: 2, height: 1, layers: 2)
        try texture.fill([red, green])
        try texture.fill([blue, [255, 255, 255, 255]], layer: 1)
        return texture
    }

    @Test func instancesTakeTheirLayerPlaceAndTint() throws {
        let quads = [
            Quad(x: 0, y: 0, width: 2, height: 1),
            Quad(x: 3, y: 1, width: 2, height: 2, layer: 1),
            Quad(x: 0, y: 4, width: 2, height: 1, tint: (128, 128, 128, 128)),
        ]
        let pipeline = try Pipeline(context, .quad)
        let buffer = try Buffer(context, quads)
        let command = DrawCommand.quads(pipeline, buffer, count: 3, texture: .init("atlas", try twoLayers()), size: [5, 5])
        try context.draw(command, into: target)
        #expect(
            try target.rows()
                == picture(5, 5) { x, y in
                    switch (x, y) {
                    case (0, 0): red
                    case (1, 0): green
                    case (3, 1), (3, 2): blue
                    case (4, 1), (4, 2): [255, 255, 255, 255]
                    case (0, 4): [128, 0, 0, 128]
                    case (1, 4): [0, 128, 0, 128]
                    default: clear
                    }
                })
        // A range of instances starts at its byte offset.
        try target.clear()
        var part = command
        part.vertices[0].byteOffset = MemoryLayout<Quad>.stride
        part.instances = 1
        try context.draw(part, into: target)
        #expect(
            try target.rows()
                == picture(5, 5) { x, y in 1...2 ~= y ? (x == 3 ? blue : x == 4 ? [255, 255, 255, 255] : clear) : clear })
    }

    @Test func oneTextureIsSampledNearestAndLinear() throws {
        let texture = try twoLayers()
        let pipeline = try Pipeline(context, .quad)
        let buffer = try Buffer(context, [Quad(x: 0, y: 0, width: 4, height: 1), Quad(x: 0, y: 2, width: 4, height: 1)])
        for order in [[TextureSampler.nearest, .linear], [.linear, .nearest]] {
            try target.clear()
            for sampler in order {
                var command = DrawCommand.quads(pipeline, buffer, count: 1, texture: .init("atlas", texture, sampler), size: [5, 5])
                command.vertices[0].byteOffset = sampler == .linear ? MemoryLayout<Quad>.stride : 0
                try context.draw(command, into: target)
            }
            let rows = try target.rows()
            #expect(rows[0] == [red, red, green, green, clear])
            // Centres of four pixels over two texels: 0, 1/4, 3/4 and 1 of the way.
            #expect(rows[2][0] == red && rows[2][3] == green && rows[2][4] == clear)
            for (x, share) in [(1, 0.25), (2, 0.75)] {
                #expect(abs(Double(rows[2][x][0]) - 255 * (1 - share)) <= 1 && abs(Double(rows[2][x][1]) - 255 * share) <= 1)
            }
        }
    }

    @Test func outsideIsTheEdgeOrRepeats() throws {
        let texture = try twoLayers()
        let pipeline = try Pipeline(context, .quad)
        let buffer = try Buffer(context, [Quad(x: 0, y: 0, width: 4, height: 5, right: 2)])
        for (wrap, row) in [
            (TextureSampler.Wrap.clampToEdge, [red, green, green, green, clear]), (.repeat, [red, green, red, green, clear]),
            (.mirroredRepeat, [red, green, green, red, clear]),
        ] {
            try target.clear()
            var sampler = TextureSampler.nearest
            sampler.wrapU = wrap
            let binding = TextureBinding("atlas", texture, sampler)
            try context.draw(.quads(pipeline, buffer, count: 1, texture: binding, size: [5, 5]), into: target)
            #expect(try target.rows() == picture(5, 5) { x, _ in row[x] })
        }
    }

    @Test func blending() throws {
        let buffer = try Buffer(context, everywhere(depth: 0))
        let cases: [(Pipeline.Blend, Pixel)] = [(.none, [102, 0, 0, 102]), (.premultipliedAlpha, [102, 0, 153, 255])]
        for (blend, expected) in cases {
            var descriptor = Pipeline.Descriptor.flat
            descriptor.blend = blend
            try target.clear([0, 0, 1, 1])
            try context.draw(.flat(try Pipeline(context, descriptor), buffer, count: 3, color: [0.4, 0, 0, 0.4]), into: target)
            #expect(try target.rows() == picture(5, 5) { _, _ in expected })
        }
    }

    @Test func drawsDoNotRelyOnOneAnother() throws {
        // Every command alone, and after every other one: the same pixels.
        let full = try Buffer(context, everywhere(depth: 0.5))
        let (quads, texture) = (try Buffer(context, [Quad(x: 1, y: 1, width: 2, height: 2)]), try twoLayers())
        let deep = try Target(context, width: 5, height: 5, depth: .integer)
        var replacing = Pipeline.Descriptor.flat
        replacing.blend = .none
        replacing.cull = .front
        var writing = Pipeline.Descriptor.flat
        writing.depth = .testAndWrite
        var commands = [
            DrawCommand.flat(try Pipeline(context, .flat), full, count: 3, color: [0.2, 0, 0, 0.2]),
            .flat(try Pipeline(context, replacing), full, count: 3, color: [0, 0.6, 0, 0.6]),
            .flat(try Pipeline(context, writing), full, count: 3, color: [0, 0, 0.4, 0.4]),
            .quads(try Pipeline(context, .quad), quads, count: 1, texture: .init("atlas", texture, .linear), size: [5, 5]),
        ]
        commands[0].scissor = PixelRect(x: 1, y: 2, width: 3, height: 1)
        for command in commands {
            try deep.clear([1, 1, 1, 1])
            try context.draw(command, into: deep)
            let alone = try deep.rows()
            for other in commands {
                try deep.clear()
                try context.draw(other, into: deep)
                try context.draw(other, into: other.pipeline.descriptor.depth == .none ? target : deep)
                try deep.clear([1, 1, 1, 1])
                try context.draw(command, into: deep)
                #expect(try deep.rows() == alone)
            }
        }
    }

    @Test func scissorCutsOneDrawAlone() throws {
        let buffer = try Buffer(context, everywhere(depth: 0))
        var command = DrawCommand.flat(try Pipeline(context, .flat), buffer, count: 3, color: [1, 0, 0, 1])
        command.scissor = PixelRect(x: 1, y: 0, width: 2, height: 3)
        try context.draw(command, into: target)
        #expect(try target.rows() == picture(5, 5) { x, y in 1...2 ~= x && y < 3 ? red : clear })
        try target.clear([0, 1, 0, 1])
        #expect(try target.rows() == picture(5, 5) { _, _ in green })
    }

    @Test func indicesAndCulling() throws {
        // The upper left half of the picture, wound counter-clockwise as seen.
        let corners: [Float] = [-1, -1, 0, -1, 1, 0, 1, -1, 0]
        let (vertices, indices) = (try Buffer(context, corners), try Buffer(context, [9, 0, 1, 2] as [UInt16]))
        let half = picture(5, 5) { x, y in x + y < 4 ? red : clear }
        let shapes: [(Pipeline.Cull, Bool)] = [(.none, true), (.back, true), (.front, false)]
        for (cull, isDrawn) in shapes {
            var descriptor = Pipeline.Descriptor.flat
            descriptor.cull = cull
            var command = DrawCommand.flat(try Pipeline(context, descriptor), vertices, count: 3, color: [1, 0, 0, 1])
            command.indices = IndexBinding(indices, .uint16)
            command.first = 1
            try target.clear()
            try context.draw(command, into: target)
            var rows = try target.rows()
            // The rasterizer decides the side of centers on the diagonal edge; the rest is exact.
            for place in 0..<5 { rows[place][4 - place] = clear }
            #expect(rows == (isDrawn ? half : picture(5, 5) { _, _ in clear }))
        }
    }

    @Test func depthDecides() throws {
        let deep = try Target(context, width: 5, height: 5, depth: .integer)
        try deep.clear([0, 0, 0, 1])
        func draw(_ depth: Pipeline.Depth, at z: Float, _ color: SIMD4<Float>) throws {
            var descriptor = Pipeline.Descriptor.flat
            descriptor.depth = depth
            let buffer = try Buffer(context, everywhere(depth: z))
            try context.draw(.flat(try Pipeline(context, descriptor), buffer, count: 3, color: color), into: deep)
        }
        try draw(.testAndWrite, at: 0, [1, 0, 0, 1])
        try draw(.testAndWrite, at: 0.5, [0, 1, 0, 1])
        #expect(try deep.rows() == picture(5, 5) { _, _ in red })
        try draw(.test, at: -0.5, [0, 1, 0, 1])
        #expect(try deep.rows() == picture(5, 5) { _, _ in green })
        // The test before wrote no depth.
        try draw(.testAndWrite, at: -0.25, [0, 0, 1, 1])
        #expect(try deep.rows() == picture(5, 5) { _, _ in blue })
        try draw(.none, at: 0.9, [1, 0, 0, 1])
        #expect(try deep.rows() == picture(5, 5) { _, _ in red })
        // Clearing sets the farthest, also after a draw that did not write depth.
        try draw(.test, at: -0.9, [1, 0, 0, 1])
        try deep.clear()
        try draw(.test, at: 0.9, [0, 1, 0, 1])
        #expect(try deep.rows() == picture(5, 5) { _, _ in green })
    }

    @Test func samplesAreResolved() throws {
        let sampled = try Target(context, width: 5, height: 5, samples: 4, depth: .integer)
        try sampled.clear()
        let pipeline = try Pipeline(context, .flat)
        // Left of x = 2.5 pixels: columns 0 and 1 are whole, column 2 is half.
        let edge: Float = 0
        let buffer = try Buffer(context, [-1, -1, 0, edge, -1, 0, -1, 1, 0, edge, -1, 0, edge, 1, 0, -1, 1, 0] as [Float])
        var command = DrawCommand.flat(pipeline, buffer, count: 6, color: [1, 0, 0, 1])
        command.scissor = PixelRect(x: 0, y: 0, width: 5, height: 4)
        try context.draw(command, into: sampled)
        let expected = picture(5, 5) { x, y in y == 4 || x > 2 ? clear : x < 2 ? red : [128, 0, 0, 128] }
        #expect(try sampled.rows() == expected)
        // Resolved once more after another draw, and as a texture.
        try context.draw(command, into: sampled)
        let quads = try Buffer(context, [Quad(x: 0, y: 0, width: 5, height: 5)])
        let binding = TextureBinding("atlas", try sampled.texture())
        try context.draw(.quads(try Pipeline(context, .quad), quads, count: 1, texture: binding, size: [5, 5]), into: target)
        #expect(try target.rows() == expected)
    }

    @Test func readsARectangleIntoRowsOfTheCallers() throws {
        let texture = try Texture(context, width: 5, height: 5)
        try texture.fill((0..<25).map { [UInt8($0), 0, 0, 255] })
        try texture.fill([[99, 0, 0, 255]], PixelRect(x: 3, y: 1, width: 1, height: 1))
        let quads = try Buffer(context, [Quad(x: 0, y: 0, width: 5, height: 5)])
        try context.draw(
            .quads(try Pipeline(context, .quad), quads, count: 1, texture: .init("atlas", texture), size: [5, 5]), into: target)
        var memory = [UInt8](repeating: 7, count: 4 * 4 * 2)
        try memory.withUnsafeMutableBytes { try target.read(PixelRect(x: 2, y: 1, width: 3, height: 2), into: $0, bytesPerRow: 16) }
        #expect(memory == [7, 0, 0, 255, 99, 0, 0, 255, 9, 0, 0, 255, 7, 7, 7, 7, 12, 0, 0, 255, 13, 0, 0, 255, 14, 0, 0, 255, 7, 7, 7, 7])
        // The whole picture again: the row length is not kept.
        #expect(try target.rows()[4][4] == [24, 0, 0, 255])
    }

    @Test func buffersStreamAndMap() throws {
        let pipeline = try Pipeline(context, .flat)
        let buffer = try Buffer(context)
        let command = DrawCommand.flat(pipeline, buffer, count: 3, color: [1, 0, 0, 1])
        let nothing = [Float](repeating: 2, count: 9)
        func isDrawn() throws -> Bool {
            try target.clear()
            try context.draw(command, into: target)
            let pixels = try target.rows()
            #expect(pixels == picture(5, 5) { _, _ in red } || pixels == picture(5, 5) { _, _ in clear })
            return pixels[0][0] == red
        }
        for _ in 0..<3 {
            try buffer.fill(nothing)
            #expect(try !isDrawn())
            try buffer.fill(everywhere(depth: 0))
            #expect(try isDrawn())
            try buffer.write(byteCount: 36) { memory in memory.copyBytes(from: nothing.withUnsafeBytes(Array.init)) }
            #expect(try !isDrawn())
        }
        #expect(context.uploadedByteCount == 9 * 36)
    }

    @Test func incompleteCommandsAreRefused() throws {
        let (pipeline, quad) = (try Pipeline(context, .flat), try Pipeline(context, .quad))
        let buffer = try Buffer(context, everywhere(depth: 0))
        let quads = try Buffer(context, [Quad(x: 0, y: 0, width: 1, height: 1)])
        let whole = DrawCommand.flat(pipeline, buffer, count: 3, color: [1, 0, 0, 1])
        let binding = TextureBinding("atlas", try target.texture())
        func refuses(_ word: String, _ change: (inout DrawCommand) -> Void) {
            var command = whole
            change(&command)
            let error = #expect(throws: GPUError.self) { try context.draw(command, into: target) }
            #expect(error?.reason == .badArgument && error?.message.contains(word) == true, "\(error?.description ?? "")")
        }
        refuses("these uniforms or textures are not given: color") { $0.uniforms = [] }
        refuses("does not have the type of float") { $0.uniforms = [Uniform("color", .float(1))] }
        refuses("color is given twice") { $0.uniforms += $0.uniforms }
        refuses("0 buffers") { $0.vertices = [] }
        refuses("4 x 12 bytes from offset 0 exceed the buffer") { $0.count = 4 }
        refuses("from offset 4 exceed the buffer") { $0.vertices[0].byteOffset = 4 }
        refuses("range") { $0.first = -1 }
        refuses("the indices exceed the buffer") {
            $0.indices = IndexBinding(buffer, .uint32)
            $0.first = 7
        }
        refuses("not within") { $0.scissor = PixelRect(x: 0, y: 0, width: 6, height: 1) }
        refuses("cannot be sampled") { $0 = .quads(quad, quads, count: 1, texture: binding, size: [5, 5]) }
        let foreign = try Context.make()
        let stranger = try Buffer(foreign, everywhere(depth: 0))
        refuses("another context") { $0.vertices = [VertexBinding(stranger)] }
        var deep = Pipeline.Descriptor.flat
        deep.depth = .test
        let tested = try Pipeline(context, deep)
        refuses("no depth") { $0.pipeline = tested }
        // An unused uniform, and an empty draw, are not errors.
        var empty = whole
        empty.uniforms.append(Uniform("unknown", .float(1)))
        try context.draw(empty, into: target)
        empty.count = 0
        try context.draw(empty, into: target)
        try context.checkErrors("refused draws")
    }

    @Test func uniformsOfEveryKindArrive() throws {
        var descriptor = Pipeline.Descriptor.flat
        descriptor.defines = ["COUNT 2", "SCALED"]
        descriptor.fragment = """
            precision highp float;
            uniform float one;
            uniform vec2 two;
            uniform vec3 three;
            uniform vec4 four[COUNT];
            uniform mat4 move;
            out vec4 pixel;
            void main() {
                vec4 moved = move * vec4(two, 0.0, 1.0);
            #ifdef SCALED
                pixel = vec4(three.x, moved.y, four[1].z, one) * 2.0;
            #endif
            }
            """
        let buffer = try Buffer(context, everywhere(depth: 0))
        var command = DrawCommand(try Pipeline(context, descriptor), count: 3)
        command.vertices = [VertexBinding(buffer)]
        command.uniforms = [
            Uniform("one", .float(0.5)), Uniform("two", .vector2([0, 0.1])), Uniform("three", .vector3([0.2, 0, 0])),
            Uniform("four", .vector4s([.zero, [0, 0, 0.3, 0]])),
            Uniform("move", .matrix4(Matrix4([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0.1, 0, 1]))),
        ]
        try context.draw(command, into: target)
        #expect(try target.rows() == picture(5, 5) { _, _ in [102, 102, 153, 255] })
    }
}
