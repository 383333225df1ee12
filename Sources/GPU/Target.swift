import CWaymarkGLES

/// A picture to draw into: RGBA8, premultiplied, row 0 at the top; with several samples a pixel and with depth where wanted.
/// What it holds is undefined until it is cleared.
package final class Target {
    /// In pixels.
    package let width: Int
    package let height: Int
    /// Samples a pixel; 0 without multisampling.
    package let samples: Int
    /// Whether pipelines that test depth may draw here.
    package let hasDepth: Bool

    /// Whether red and blue change places: shaders write `.bgra`, and what is read back is RGBA as ever. Mesa's software
    /// rasteriser has a path for textured rectangles that takes 0.6 of the time, for plain BGRA textures alone.
    package let isSwapped: Bool

    /// The picture itself; nil when it is swapped, which no shader samples. With samples it is what the last resolve left.
    private let colour: Texture?
    private let swappedColour: GLuint?
    /// Holds `colour`, and the depth when there are no samples.
    private let framebuffer: GLuint
    /// Holds the samples and their depth; nil without.
    private let sampled: GLuint?
    private let renderbuffers: [GLuint]
    private var needsResolve = false
    private let context: Context

    /// The most pixels a side that a target of a context may have, both ways.
    package static func longestSide(_ context: Context) -> Int {
        let info = context.info
        return min(info.maxTextureSize, info.maxRenderbufferSize, info.maxViewportWidth, info.maxViewportHeight)
    }

    /// - Parameter samples: 0, or how many samples a pixel has; the driver may take more, never fewer.
    /// - Parameter isSwapped: See `isSwapped`; such a target has neither samples nor depth, and cannot be sampled.
    /// - Throws: `GPUError` with reason `unsupported` when the driver has no pictures of that size or fewer samples.
    package init(_ context: Context, width: Int, height: Int, samples: Int = 0, depth: Bool = false, isSwapped: Bool = false)
        throws(GPUError)
    {
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
        guard !isSwapped || samples == 0 && !depth else {
            throw GPUError(.badArgument, stage: "make a target", "a swapped one has neither samples nor depth")
        }
        self.context = context
        self.width = width
        self.height = height
        self.samples = samples
        self.isSwapped = isSwapped
        hasDepth = depth
        let colour = isSwapped ? nil : try Texture(context, width: width, height: height)
        self.colour = colour
        (framebuffer, sampled, renderbuffers, swappedColour) = try context.withCurrent { () throws(GPUError) in
            var parts = TargetParts(context, width: width, height: height)
            do throws(GPUError) {
                if isSwapped {
                    let (plain, texture) = try parts.swappedFramebuffer()
                    return (plain, nil, parts.renderbuffers, texture)
                }
                let plain = try parts.framebuffer(colour: colour, samples: 0, depth: depth && samples == 0)
                let sampled = samples == 0 ? nil : try parts.framebuffer(colour: nil, samples: samples, depth: depth)
                return (plain, sampled, parts.renderbuffers, nil)
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
        if let swappedColour { context.trash.discard(.texture(swappedColour)) }
    }
}

extension Target {
    /// Fills the picture with a premultiplied colour (channels 0…1), and the depth with the farthest.
    package func clear(_ color: SIMD4<Float> = .zero) throws(GPUError) {
        let color = isSwapped ? SIMD4(color.z, color.y, color.x, color.w) : color
        try context.withCurrent { () throws(GPUError) in
            bindForDrawing()
            context.state.set(scissor: nil)
            withUnsafeTemporaryAllocation(of: Float.self, capacity: 4) { channels in
                for index in 0..<4 { channels.initializeElement(at: index, to: color[index]) }
                wm_glClearBufferfv(GLenum(GL_COLOR), 0, channels.baseAddress)
            }
            if hasDepth {
                // Clearing depth obeys the depth mask.
                context.state.apply(.testAndWrite)
                var farthest: Float = 1
                wm_glClearBufferfv(GLenum(GL_DEPTH), 0, &farthest)
            }
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

    /// Binds the framebuffer that takes draws, with the whole picture as viewport.
    func bindForDrawing() {
        context.state.bind(drawFramebuffer: sampled ?? framebuffer)
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

/// Makes the framebuffers of a target and remembers them, so that a failure leaves nothing behind.
private struct TargetParts {
    private(set) var renderbuffers: [GLuint] = []
    private var framebuffers: [GLuint] = []
    private var textures: [GLuint] = []
    private let context: Context
    private let width: Int
    private let height: Int

    init(_ context: Context, width: Int, height: Int) {
        self.context = context
        self.width = width
        self.height = height
    }

    /// A framebuffer with a texture as colour, or with a renderbuffer of its own.
    mutating func framebuffer(colour: Texture?, samples: Int, depth: Bool) throws(GPUError) -> GLuint {
        var name: GLuint = 0
        wm_glGenFramebuffers(1, &name)
        context.trash.register(.framebuffer(name))
        framebuffers.append(name)
        context.state.bind(drawFramebuffer: name)
        let (target, renderbuffer) = (GLenum(GL_DRAW_FRAMEBUFFER), GLenum(GL_RENDERBUFFER))
        if let colour {
            wm_glFramebufferTextureLayer(target, GLenum(GL_COLOR_ATTACHMENT0), colour.name, 0, 0)
        } else {
            let storage = self.storage(GL_RGBA8, samples)
            wm_glFramebufferRenderbuffer(target, GLenum(GL_COLOR_ATTACHMENT0), renderbuffer, storage)
        }
        if depth {
            let storage = self.storage(GL_DEPTH_COMPONENT24, samples)
            wm_glFramebufferRenderbuffer(target, GLenum(GL_DEPTH_ATTACHMENT), renderbuffer, storage)
        }
        try check("make a target of \(width) x \(height) with \(samples) samples")
        return name
    }

    /// A framebuffer with a plain BGRA texture as colour.
    mutating func swappedFramebuffer() throws(GPUError) -> (framebuffer: GLuint, texture: GLuint) {
        var (name, texture): (GLuint, GLuint) = (0, 0)
        wm_glGenFramebuffers(1, &name)
        context.trash.register(.framebuffer(name))
        framebuffers.append(name)
        wm_glGenTextures(1, &texture)
        context.trash.register(.texture(texture))
        textures.append(texture)
        context.state.bind(drawFramebuffer: name)
        // No shader ever sees this binding point: all of them sample array textures.
        wm_glBindTexture(GLenum(GL_TEXTURE_2D), texture)
        wm_glTexImage2D(
            GLenum(GL_TEXTURE_2D), 0, GL_BGRA_EXT, GLsizei(width), GLsizei(height), 0, GLenum(GL_BGRA_EXT), GLenum(GL_UNSIGNED_BYTE), nil)
        wm_glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MIN_FILTER), GL_NEAREST)
        wm_glFramebufferTexture2D(GLenum(GL_DRAW_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), texture, 0)
        try check("make a swapped target of \(width) x \(height)")
        return (name, texture)
    }

    private func check(_ stage: String) throws(GPUError) {
        try context.checkErrors(stage)
        let status = wm_glCheckFramebufferStatus(GLenum(GL_DRAW_FRAMEBUFFER))
        guard status == GL_FRAMEBUFFER_COMPLETE else {
            throw GPUError(.unsupported, stage: stage, "the driver cannot draw into it", code: .gl(status))
        }
    }

    /// Gives everything to the trash.
    func discard() {
        for name in framebuffers { context.trash.discard(.framebuffer(name)) }
        for name in renderbuffers { context.trash.discard(.renderbuffer(name)) }
        for name in textures { context.trash.discard(.texture(name)) }
    }

    private mutating func storage(_ format: Int32, _ samples: Int) -> GLuint {
        var name: GLuint = 0
        wm_glGenRenderbuffers(1, &name)
        context.trash.register(.renderbuffer(name))
        renderbuffers.append(name)
        context.state.bind(renderbuffer: name)
        wm_glRenderbufferStorageMultisample(
            GLenum(GL_RENDERBUFFER), GLsizei(samples), GLenum(format), GLsizei(width), GLsizei(height))
        return name
    }
}
