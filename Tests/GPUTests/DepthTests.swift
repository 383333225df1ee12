import Testing
import WaymarkGPU
import WaymarkImaging

@Suite(.serialized) struct DepthTests {
    private let context: Context

    init() throws {
        context = try Context.make()
    }

    private func flat(_ change: (inout Pipeline.Descriptor) -> Void) throws -> Pipeline {
        var descriptor = Pipeline.Descriptor.flat
        change(&descriptor)
        return try Pipeline(context, descriptor)
    }

    private func draw(_ pipeline: Pipeline, at z: Float, _ color: SIMD4<Float>, into target: Target) throws {
        try context.draw(.flat(pipeline, try Buffer(context, everywhere(depth: z)), count: 3, color: color), into: target)
    }

    @Test func theLargerIsNearerWhereDepthIsReversed() throws {
        try #require(context.hasReversedDepth)
        for samples in [0, 4] {
            let deep = try Target(context, width: 3, height: 3, samples: samples, depth: .reversed)
            try deep.clear([0, 0, 0, 1])
            let pipeline = try flat {
                $0.depth = .testAndWrite
                $0.depthBuffer = .reversed
            }
            try draw(pipeline, at: 0.5, [1, 0, 0, 1], into: deep)
            try draw(pipeline, at: 0.25, [0, 1, 0, 1], into: deep)
            #expect(try deep.rows() == picture(3, 3) { _, _ in red })
            // As fine far away as near.
            try deep.clear()
            try draw(pipeline, at: 1.000001e-6, [1, 0, 0, 1], into: deep)
            try draw(pipeline, at: 1e-6, [0, 1, 0, 1], into: deep)
            #expect(try deep.rows() == picture(3, 3) { _, _ in red })
            // Below 0 is beyond the farthest, above w nearer than the nearest.
            try deep.clear()
            try draw(pipeline, at: -0.01, [1, 0, 0, 1], into: deep)
            try draw(pipeline, at: 1.01, [1, 0, 0, 1], into: deep)
            #expect(try deep.rows() == picture(3, 3) { _, _ in clear })
            // Draws without a depth test are clipped as usual.
            try draw(try flat { _ in }, at: -0.9, [0, 0, 1, 1], into: deep)
            #expect(try deep.rows() == picture(3, 3) { _, _ in blue })
        }
    }

    @Test(arguments: [false, true]) func depthMayComeLater(isSwapped: Bool) throws {
        let target = try Target(context, width: 4, height: 2, isSwapped: isSwapped)
        // Swapped targets take red for blue.
        let (first, second): (SIMD4<Float>, SIMD4<Float>) = isSwapped ? ([0, 0, 1, 1], [1, 0, 0, 1]) : ([1, 0, 0, 1], [0, 0, 1, 1])
        try target.clear([0, 1, 0, 1])
        try target.addDepth(.integer)
        try target.clearDepth()
        let tested = try flat { $0.depth = .testAndWrite }
        try draw(tested, at: 0, first, into: target)
        try draw(tested, at: 0.5, second, into: target)
        #expect(try target.rows() == picture(4, 2) { _, _ in red })
        // Clearing the picture leaves the depth alone; clearing a rectangle of the depth, the rest.
        try target.clear([0, 1, 0, 1])
        try target.clearDepth(PixelRect(x: 1, y: 1, width: 2, height: 1))
        try draw(tested, at: 0.5, second, into: target)
        #expect(try target.rows() == picture(4, 2) { x, y in y == 1 && 1...2 ~= x ? blue : green })
        // A draw without a depth test covers everything.
        try draw(try flat { _ in }, at: 0.9, first, into: target)
        #expect(try target.rows() == picture(4, 2) { _, _ in red })
        try target.addDepth(.integer, hasStencil: true)
        #expect(target.hasStencil && target.depth == .integer && target.initialDepth == .none)
    }

    @Test func aMarkLetsOneFragmentThrough() throws {
        for (samples, depth) in [(0, DepthBuffer.integer), (4, .integer), (0, .reversed), (4, .reversed)] {
            let target = try Target(context, width: 3, height: 3, samples: samples, depth: depth, hasStencil: true)
            try target.clear()
            let first = try flat {
                ($0.depth, $0.depthBuffer, $0.stencil, $0.writesColor) = (.testAndWrite, depth, .write, false)
            }
            let second = try flat { ($0.depth, $0.depthBuffer, $0.stencil) = (.equal, depth, .testAndReset) }
            try draw(first, at: 0.5, [1, 0, 0, 1], into: target)
            #expect(try target.rows() == picture(3, 3) { _, _ in clear })
            try draw(second, at: 0.25, [1, 0, 0, 1], into: target)
            #expect(try target.rows() == picture(3, 3) { _, _ in clear })
            try draw(second, at: 0.5, [0.4, 0, 0, 0.4], into: target)
            try draw(second, at: 0.5, [0.4, 0, 0, 0.4], into: target)
            #expect(try target.rows() == picture(3, 3) { _, _ in [102, 0, 0, 102] })
            // Clearing takes the marks and writes color again.
            try draw(first, at: 0.5, [1, 0, 0, 1], into: target)
            try target.clear([0, 1, 0, 1])
            try draw(second, at: depth.isReversed ? 0 : 1, [1, 0, 0, 1], into: target)
            #expect(try target.rows() == picture(3, 3) { _, _ in green })
        }
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let plain = try Target(context, width: 2, height: 2)
        let deep = try Target(context, width: 2, height: 2, depth: .integer)
        let reversed = try flat { ($0.depth, $0.depthBuffer) = (.test, .reversed) }
        let marking = try flat { ($0.depth, $0.stencil) = (.test, .write) }
        for (pipeline, target) in [(reversed, deep), (marking, deep), (reversed, plain)] {
            let error = #expect(throws: GPUError.self) { try draw(pipeline, at: 0, [1, 0, 0, 1], into: target) }
            #expect(error?.reason == .badArgument)
        }
        #expect(throws: GPUError.self) { try plain.clearDepth() }
        #expect(throws: GPUError.self) { try deep.clearDepth(PixelRect(x: 1, y: 0, width: 2, height: 1)) }
        #expect(throws: GPUError.self) { try Target(context, width: 2, height: 2, samples: 4).addDepth(.integer) }
        #expect(throws: GPUError.self) { try Target(context, width: 2, height: 2, hasStencil: true) }
    }

    @Test func mipmapsAreTheMeanOfWhatIsDrawnSmall() throws {
        let target = try Target(context, width: 2, height: 2)
        for (isMipmapped, expected) in [(true, [128, 128, 128, 255] as Pixel), (false, [255, 255, 255, 255])] {
            let texture = try Texture(context, width: 16, height: 16, isMipmapped: isMipmapped)
            try texture.fill(
                (0..<256).map { ($0 % 16 + $0 / 16) % 4 == 0 || ($0 % 16 + $0 / 16) % 4 == 3 ? [255, 255, 255, 255] : [0, 0, 0, 255] })
            try texture.makeMipmaps()
            try target.clear()
            let quads = try Buffer(context, [Quad(x: 0, y: 0, width: 2, height: 2)])
            let binding = TextureBinding("atlas", texture, isMipmapped ? TextureSampler() : .nearest)
            try context.draw(.quads(try Pipeline(context, .quad), quads, count: 1, texture: binding, size: [2, 2]), into: target)
            #expect(try target.rows()[0][0].elementsEqual(expected) { abs(Int($0) - Int($1)) <= 1 })
        }
        try context.checkErrors("mipmaps")
    }
}

extension DepthBuffer {
    fileprivate var isReversed: Bool { self == .reversed }
}
