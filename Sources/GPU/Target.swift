import CWaymarkGLES

/// A picture to draw into: RGBA8, premultiplied, row 0 at the top; with several samples a pixel and with depth where wanted.
/// What it holds is undefined until it is cleared.
package final class Target {
    /// In pixels.
    package let width: Int
    package let height: Int
    /// Samples a pixel; 0 without multisampling.
    package let samples: Int
    /// What it was made with; see also `addDepth(_:hasStencil:)`.
    package let ownDepth: DepthBuffer
    /// The depth that pipelines may test here.
    package private(set) var depth: DepthBuffer
    /// Whether pipelines may mark pixels here.
    package private(set) var hasStencil: Bool

    /// Whether red and blue change places: shaders write `.bgra`, and what is read back is RGBA as ever. Mesa's software
    /// rasteriser has a path for textured rectangles that takes 0.6 of the time, for plain BGRA textures alone.
    package let isSwapped: Bool

    /// The picture itself; nil when it is swapped, which no shader samples. With samples it is what the last resolve left.
    private let colour: Texture?
    private let swappedColour: GLuint?
    /// Holds the picture.
    private let framebuffer: GLuint
    /// Holds the samples and their depth; nil without.
    private let sampled: GLuint?
    private let renderbuffers: [GLuint]
    /// Holds the picture and its depth, when there are no samples. What tests no depth is drawn faster where there is none.
    private var deep: TargetParts.Deep?
    private var needsResolve = false
    private let context: Context

    /// - Parameter samples: 0, or how many samples a pixel has; the driver may take more, never fewer.
    /// - Parameter isSwapped: See `isSwapped`; such a target has no samples, and cannot be sampled.
    /// - Throws: `GPUError` with reason `unsupported` when the driver has no pictures of that size or fewer samples.
    package init(
        _ context: Context, width: Int, height: Int, samples: Int = 0, depth: DepthBuffer = .none, hasStencil: Bool = false,
        isSwapped: Bool = false
    ) throws(GPUError) {
        let info = context.info
        let (maxWidth, maxHeight) = (
            min(info.maxTextureSize, info.maxRenderbufferSize, info.maxViewportWidth),
            min(info.maxTextureSize, info.maxRenderbufferSize, info.maxViewportHeight)
        )
        guard 1...maxWidth ~= width, 1...maxHeight ~= height, 0...info.maxSamples ~= samples else {
            throw GPUError(
                .unsupported, stage: "make a target",
                "a picture of \(width) × \(height) pixels with \(samples) samples is more than this device draws: "
                    + "\(maxWidth) × \(maxHeight) with \(info.maxSamples)")
        }
        guard !isSwapped || samples == 0 else { throw GPUError(.badArgument, stage: "make a target", "a swapped one has no samples") }
        try Self.check(depth, hasStencil, context)
        self.context = context
        self.width = width
        self.height = height
        self.samples = samples
        self.isSwapped = isSwapped
        ownDepth = depth
        self.depth = depth
        self.hasStencil = hasStencil
        let colour = isSwapped ? nil : try Texture(context, width: width, height: height)
        self.colour = colour
        (framebuffer, sampled, deep, renderbuffers, swappedColour) = try context.withCurrent { () throws(GPUError) in
            var parts = TargetParts(context, width: width, height: height)
            do throws(GPUError) {
                let (plain, texture) = try isSwapped ? parts.swappedFramebuffer() : parts.framebuffer(colour)
                if samples > 0 {
                    let sampled = try parts.sampledFramebuffer(samples, depth, hasStencil: hasStencil)
                    return (plain, sampled, nil, parts.renderbuffers, texture)
                }
                let deep =
                    depth == .none
                    ? nil
                    : try parts.deepFramebuffer(colour.map(TargetParts.Color.layer) ?? .plain(texture ?? 0), depth, hasStencil: hasStencil)
                return (plain, nil, deep, [], texture)
            } catch {
                parts.discard()
                throw error
            }
        }
    }

    deinit {
        context.trash.discard(.framebuffer(framebuffer))
        if let sampled { context.trash.discard(.framebuffer(sampled)) }
        for name in renderbuffers { context.trash.discard(.renderbuffer(name)) }
        deep?.discard(context)
        if let swappedColour { context.trash.discard(.texture(swappedColour)) }
    }
}

extension Target {
    /// Makes sure that there is a depth buffer of the kind, and marks where wanted. What it holds is undefined until it is
    /// cleared; `clear(_:)` leaves it alone. For targets without samples.
    package func addDepth(_ wanted: DepthBuffer, hasStencil wantsStencil: Bool = false) throws(GPUError) {
        guard samples == 0, wanted != .none else {
            throw GPUError(.badArgument, stage: "add depth to a target", "one with samples is made with its depth")
        }
        if depth == wanted, hasStencil || !wantsStencil { return }
        try Self.check(wanted, wantsStencil, context)
        try context.withCurrent { () throws(GPUError) in
            var parts = TargetParts(context, width: width, height: height)
            do throws(GPUError) {
                let made = try parts.deepFramebuffer(
                    colour.map(TargetParts.Color.layer) ?? .plain(swappedColour ?? 0), wanted, hasStencil: wantsStencil)
                deep?.discard(context)
                deep = made
            } catch {
                parts.discard()
                throw error
            }
        }
        (depth, hasStencil) = (wanted, wantsStencil)
    }

    /// Fills the depth with the farthest and takes all marks away, in a rectangle or everywhere.
    package func clearDepth(_ rect: PixelRect? = nil) throws(GPUError) {
        guard depth != .none else { throw GPUError(.badArgument, stage: "clear depth", "the target has none") }
        guard rect?.isWithin(width: width, height: height) ?? true else {
            throw GPUError(.badArgument, stage: "clear depth", "the rectangle is not within \(width) x \(height)")
        }
        try context.withCurrent { () throws(GPUError) in
            bindForDrawing(testsDepth: true)
            context.state.set(scissor: rect)
            clearBoundDepth()
        }
    }

    /// Fills the picture with a premultiplied colour (channels 0…1), and the depth that it was made with with the farthest.
    package func clear(_ color: SIMD4<Float> = .zero) throws(GPUError) {
        let color = isSwapped ? SIMD4(color.z, color.y, color.x, color.w) : color
        try context.withCurrent { () throws(GPUError) in
            bindForDrawing(testsDepth: ownDepth != .none)
            context.state.set(scissor: nil)
            context.state.apply(writesColor: true)
            withUnsafeTemporaryAllocation(of: Float.self, capacity: 4) { channels in
                for index in 0..<4 { channels.initializeElement(at: index, to: color[index]) }
                wm_glClearBufferfv(GLenum(GL_COLOR), 0, channels.baseAddress)
            }
            if ownDepth != .none { clearBoundDepth() }
        }
    }

    /// The picture as a texture of one layer, samples resolved. It goes on changing with the target.
    package func texture() throws(GPUError) -> Texture {
        guard let colour else { throw GPUError(.badArgument, stage: "sample a target", "a swapped one cannot be sampled") }
        try resolve()
        return colour
    }

    /// Copies a rectangle's pixels (RGBA, premultiplied, top row first) into the caller's memory, and checks for errors.
    /// - Parameter rect: nil for all.
    /// - Parameter bytesPerRow: from one row's start to the next, a multiple of 4; nil when rows follow one another closely.
    /// - Throws: `GPUError`: `badArgument` when the rectangle or its rows do not fit, or what the driver reports since the last check.
    package func read(_ rect: PixelRect? = nil, into memory: UnsafeMutableRawBufferPointer, bytesPerRow: Int? = nil) throws(GPUError) {
        let rect = rect ?? PixelRect(x: 0, y: 0, width: width, height: height)
        guard rect.isWithin(width: width, height: height) else {
            throw GPUError(.badArgument, stage: "read a picture", "\(rect) is not within \(width) x \(height)")
        }
        guard rect.width > 0, rect.height > 0 else { return }
        let stride = bytesPerRow ?? rect.width * 4
        try PixelRows.check("read a picture", rect, bytesPerRow: stride, byteCount: memory.count)
        try context.withCurrent { () throws(GPUError) in
            try resolve()
            context.state.bind(readFramebuffer: framebuffer)
            wm_glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), GLint(stride / 4))
            wm_glReadPixels(
                GLint(rect.x), GLint(rect.y), GLsizei(rect.width), GLsizei(rect.height),
                GLenum(isSwapped ? GL_BGRA_EXT : GL_RGBA), GLenum(GL_UNSIGNED_BYTE),
                memory.baseAddress)
            try context.checkErrors("read a picture")
        }
    }

    /// All pixels (RGBA, premultiplied, top row first). Reading into memory that is used again is faster.
    package func pixels() throws(GPUError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: width * height * 4)
        // The closure of an array may only rethrow what it likes, so the error comes out beside it.
        var failure: GPUError?
        bytes.withUnsafeMutableBytes { memory in
            do throws(GPUError) { try read(into: memory) } catch { failure = error }
        }
        if let failure { throw failure }
        return bytes
    }
}

extension Target {
    func belongs(to other: Context) -> Bool { context === other }

    /// Whether this is the texture that the target draws into.
    func isColour(_ texture: Texture) -> Bool { texture === colour }

    private static func check(_ depth: DepthBuffer, _ hasStencil: Bool, _ context: Context) throws(GPUError) {
        guard depth != .reversed || context.hasReversedDepth else {
            throw GPUError(.unsupported, stage: "make a depth buffer", "this device has no reversed ones")
        }
        guard depth != .none || !hasStencil else {
            throw GPUError(.badArgument, stage: "make a depth buffer", "there are no marks without depth")
        }
    }

    private func clearBoundDepth() {
        // Clearing depth obeys the depth mask.
        context.state.apply(.testAndWrite, isReversed: depth == .reversed)
        if hasStencil {
            wm_glClearBufferfi(GLenum(GL_DEPTH_STENCIL), 0, depth.farthest, 0)
        } else {
            var farthest = depth.farthest
            wm_glClearBufferfv(GLenum(GL_DEPTH), 0, &farthest)
        }
    }

    /// Binds the framebuffer that takes draws, with the whole picture as viewport.
    func bindForDrawing(testsDepth: Bool) {
        context.state.bind(drawFramebuffer: sampled ?? (testsDepth ? deep?.framebuffer : nil) ?? framebuffer)
        context.state.set(viewport: PixelRect(x: 0, y: 0, width: width, height: height))
        needsResolve = sampled != nil
    }

    private func resolve() throws(GPUError) {
        guard needsResolve, let sampled else { return }
        try context.withCurrent { () throws(GPUError) in
            // A scissor would cut the copy.
            context.state.set(scissor: nil)
            context.state.bind(readFramebuffer: sampled)
            context.state.bind(drawFramebuffer: framebuffer)
            let (right, bottom) = (GLint(width), GLint(height))
            wm_glBlitFramebuffer(0, 0, right, bottom, 0, 0, right, bottom, GLbitfield(GL_COLOR_BUFFER_BIT), GLenum(GL_NEAREST))
        }
        needsResolve = false
    }
}
