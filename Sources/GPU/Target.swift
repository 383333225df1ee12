import CWaymarkGLES
import WaymarkImaging

/// A picture to draw into, as premultiplied RGBA8 with row 0 at the top, and optionally with multisampling and depth. Its contents are
/// undefined until it is cleared.
package final class Target {
    /// In pixels.
    package let width: Int
    package let height: Int
    /// The number of samples per pixel; 0 without multisampling.
    package let samples: Int
    /// The depth buffer with which the target was created; see also `addDepth(_:hasStencil:)`.
    package let initialDepth: DepthBuffer
    /// The depth that pipelines may test here.
    package private(set) var depth: DepthBuffer
    /// Whether pipelines may use the stencil here.
    package private(set) var hasStencil: Bool

    /// Whether red and blue are exchanged in memory: shaders write `.bgra`, and reading back gives RGBA as usual. Mesa's software
    /// rasterizer has a path for textured rectangles that takes 0.6 of the time, but only for plain BGRA textures.
    package let isSwapped: Bool

    /// The picture. If it is swapped, it is a plain texture, which shaders cannot sample. With multisampling, it contains the result of the
    /// last resolve.
    private let color: TargetParts.Color
    /// The framebuffer of the picture, without depth.
    private let framebuffer: GLuint
    /// The framebuffer of the samples and their depth; nil without multisampling.
    private let multisampleFramebuffer: GLuint?
    private let renderbuffers: [GLuint]
    /// The framebuffer of the picture with depth, without multisampling. Draws without a depth test are faster without a depth attachment.
    private var depthFramebuffer: TargetParts.DepthFramebuffer?
    private var needsResolve = false
    private let context: Context

    /// The approximate number of bytes of its pixels, samples and depth.
    package var byteCount: Int { width * height * (4 + samples * 4 + (depth == .none ? 0 : 8 * max(1, samples))) }

    /// The longest side of targets in a context.
    package static func longestSide(_ context: Context) -> Int {
        let info = context.info
        return min(info.maxTextureSize, info.maxRenderbufferSize, info.maxViewportWidth, info.maxViewportHeight)
    }

    /// - Parameter samples: The number of samples per pixel, or 0. The driver may use more, but never fewer.
    /// - Parameter isSwapped: See `isSwapped`. Such a target has no multisampling, and shaders cannot sample it.
    /// - Throws: `GPUError` with reason `unsupported` if the size or the number of samples exceeds the driver's limits.
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
                "a picture of \(width) × \(height) pixels with \(samples) samples exceeds the limit of this device: "
                    + "\(maxWidth) × \(maxHeight) with \(info.maxSamples) samples")
        }
        guard !isSwapped || samples == 0 else {
            throw GPUError(.badArgument, stage: "make a target", "a swapped target cannot have samples")
        }
        try Self.check(depth, hasStencil, context)
        self.context = context
        self.width = width
        self.height = height
        self.samples = samples
        self.isSwapped = isSwapped
        initialDepth = depth
        self.depth = depth
        self.hasStencil = hasStencil
        (framebuffer, multisampleFramebuffer, depthFramebuffer, renderbuffers, color) = try context.withCurrent {
            () throws(GPUError) in
            var parts = TargetParts(context, width: width, height: height)
            do throws(GPUError) {
                let (plain, color) = try isSwapped ? parts.swappedFramebuffer() : parts.framebuffer()
                if samples > 0 {
                    let multisampleFramebuffer = try parts.multisampleFramebuffer(samples, depth, hasStencil: hasStencil)
                    return (plain, multisampleFramebuffer, nil, parts.renderbuffers, color)
                }
                let depthFramebuffer = depth == .none ? nil : try parts.depthFramebuffer(color, depth, hasStencil: hasStencil)
                return (plain, nil, depthFramebuffer, [], color)
            } catch {
                parts.discard()
                throw error
            }
        }
    }

    deinit {
        context.trash.discard(.framebuffer(framebuffer))
        if let multisampleFramebuffer { context.trash.discard(.framebuffer(multisampleFramebuffer)) }
        for name in renderbuffers { context.trash.discard(.renderbuffer(name)) }
        depthFramebuffer?.discard(context)
        if case .plain(let name) = color { context.trash.discard(.texture(name)) }
    }
}

extension Target {
    /// Adds a depth buffer of a kind, and a stencil if requested, unless the target has them. Their contents are undefined until cleared,
    /// and `clear(_:)` does not change them. The target must not have multisampling.
    package func addDepth(_ wanted: DepthBuffer, hasStencil wantsStencil: Bool = false) throws(GPUError) {
        guard samples == 0, wanted != .none else {
            throw GPUError(.badArgument, stage: "add depth to a target", "depth can be added only to a target without samples")
        }
        if depth == wanted, hasStencil || !wantsStencil { return }
        try Self.check(wanted, wantsStencil, context)
        try context.withCurrent { () throws(GPUError) in
            var parts = TargetParts(context, width: width, height: height)
            do throws(GPUError) {
                let made = try parts.depthFramebuffer(color, wanted, hasStencil: wantsStencil)
                depthFramebuffer?.discard(context)
                depthFramebuffer = made
            } catch {
                parts.discard()
                throw error
            }
        }
        (depth, hasStencil) = (wanted, wantsStencil)
    }

    /// Clears the depth to the farthest value and the stencil to 0, in a rectangle or everywhere.
    package func clearDepth(_ rect: PixelRect? = nil) throws(GPUError) {
        guard depth != .none else { throw GPUError(.badArgument, stage: "clear depth", "the target has no depth buffer") }
        guard rect?.isWithin(width: width, height: height) ?? true else {
            throw GPUError(.badArgument, stage: "clear depth", "the rectangle is not within \(width) x \(height)")
        }
        try context.withCurrent { () throws(GPUError) in
            bindForDrawing(testsDepth: true)
            context.state.set(scissor: rect)
            clearBoundDepth()
        }
    }

    /// Clears the picture to a premultiplied color (channels 0…1), and its initial depth to the farthest value.
    package func clear(_ color: SIMD4<Float> = .zero) throws(GPUError) {
        let color = isSwapped ? SIMD4(color.z, color.y, color.x, color.w) : color
        try context.withCurrent { () throws(GPUError) in
            bindForDrawing(testsDepth: initialDepth != .none)
            context.state.set(scissor: nil)
            context.state.apply(writesColor: true)
            withUnsafeTemporaryAllocation(of: Float.self, capacity: 4) { channels in
                for index in 0..<4 { channels.initializeElement(at: index, to: color[index]) }
                wm_glClearBufferfv(GLenum(GL_COLOR), 0, channels.baseAddress)
            }
            if initialDepth != .none { clearBoundDepth() }
        }
    }

    /// The picture as a texture of one layer, resolved. Later draws change it.
    package func texture() throws(GPUError) -> Texture {
        guard case .layer(let texture) = color else {
            throw GPUError(.badArgument, stage: "sample a target", "a swapped target cannot be sampled")
        }
        try resolve()
        return texture
    }

    /// Reads the pixels of a rectangle (RGBA, premultiplied, top row first) into the caller's memory, and checks for errors.
    /// - Parameter rect: nil for all.
    /// - Parameter bytesPerRow: The distance between rows, a multiple of 4; nil if rows are contiguous.
    /// - Throws: `GPUError`: `badArgument` if the rectangle or its rows do not fit, or an error of the driver since the last check.
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

    /// All pixels (RGBA, premultiplied, top row first). Reading into existing memory is faster.
    package func pixels() throws(GPUError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: width * height * 4)
        // withUnsafeMutableBytes has no typed throws, so the error is passed outside of it.
        try bytes.withUnsafeMutableBytes { memory in Result { () throws(GPUError) in try read(into: memory) } }.get()
        return bytes
    }
}

extension Target {
    func belongs(to other: Context) -> Bool { context === other }

    /// Whether this texture is the one that the target draws into.
    func isColor(_ texture: Texture) -> Bool {
        if case .layer(let own) = color { texture === own } else { false }
    }

    private static func check(_ depth: DepthBuffer, _ hasStencil: Bool, _ context: Context) throws(GPUError) {
        guard depth != .reversed || context.hasReversedDepth else {
            throw GPUError(.unsupported, stage: "make a depth buffer", "this device has no reversed depth buffers")
        }
        guard depth != .none || !hasStencil else {
            throw GPUError(.badArgument, stage: "make a depth buffer", "a stencil requires a depth buffer")
        }
    }

    private func clearBoundDepth() {
        // Clearing depth respects the depth mask.
        context.state.apply(.testAndWrite, isReversed: depth == .reversed)
        if hasStencil {
            wm_glClearBufferfi(GLenum(GL_DEPTH_STENCIL), 0, depth.farthest, 0)
        } else {
            var farthest = depth.farthest
            wm_glClearBufferfv(GLenum(GL_DEPTH), 0, &farthest)
        }
    }

    /// Binds the framebuffer for drawing, with the whole picture as the viewport.
    func bindForDrawing(testsDepth: Bool) {
        context.state.bind(drawFramebuffer: multisampleFramebuffer ?? (testsDepth ? depthFramebuffer?.framebuffer : nil) ?? framebuffer)
        context.state.set(viewport: PixelRect(x: 0, y: 0, width: width, height: height))
        needsResolve = multisampleFramebuffer != nil
    }

    private func resolve() throws(GPUError) {
        guard needsResolve, let multisampleFramebuffer else { return }
        try context.withCurrent { () throws(GPUError) in
            // A scissor would clip the copy.
            context.state.set(scissor: nil)
            context.state.bind(readFramebuffer: multisampleFramebuffer)
            context.state.bind(drawFramebuffer: framebuffer)
            let (right, bottom) = (GLint(width), GLint(height))
            wm_glBlitFramebuffer(0, 0, right, bottom, 0, 0, right, bottom, GLbitfield(GL_COLOR_BUFFER_BIT), GLenum(GL_NEAREST))
        }
        needsResolve = false
    }
}
