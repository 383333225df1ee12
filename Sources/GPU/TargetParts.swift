import CWaymarkGLES

/// Creates the framebuffers of a target and tracks them, so that a failure leaks nothing.
struct TargetParts {
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

    /// The color attachment of a framebuffer.
    enum Color {
        /// The first layer of a texture.
        case layer(Texture)
        /// A plain texture.
        case plain(GLuint)
    }

    /// A framebuffer with depth, and the renderbuffer of the depth.
    struct DepthFramebuffer {
        let framebuffer: GLuint
        let renderbuffer: GLuint

        func discard(_ context: Context) {
            context.trash.discard(.framebuffer(framebuffer))
            context.trash.discard(.renderbuffer(renderbuffer))
        }
    }

    /// A framebuffer with a new texture as color.
    mutating func framebuffer() throws(GPUError) -> (framebuffer: GLuint, color: Color) {
        let color = Color.layer(try Texture(context, width: width, height: height))
        let name = newFramebuffer()
        attach(color)
        try check("make a target of \(width) x \(height)")
        return (name, color)
    }

    /// A multisampled framebuffer with its own storage.
    mutating func multisampleFramebuffer(_ samples: Int, _ depth: DepthBuffer, hasStencil: Bool) throws(GPUError) -> GLuint {
        let name = newFramebuffer()
        let storage = self.storage(GL_RGBA8, samples)
        wm_glFramebufferRenderbuffer(GLenum(GL_DRAW_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_RENDERBUFFER), storage)
        if depth != .none { attach(depth, hasStencil: hasStencil, samples) }
        try check("make a target of \(width) x \(height) with \(samples) samples")
        return name
    }

    /// A framebuffer with depth for an existing picture.
    mutating func depthFramebuffer(_ color: Color, _ depth: DepthBuffer, hasStencil: Bool) throws(GPUError) -> DepthFramebuffer {
        let name = newFramebuffer()
        attach(color)
        let storage = attach(depth, hasStencil: hasStencil, 0)
        try check("make a depth buffer of \(width) x \(height)")
        return DepthFramebuffer(framebuffer: name, renderbuffer: storage)
    }

    private mutating func newFramebuffer() -> GLuint {
        let name = context.makeObject(wm_glGenFramebuffers, ResourceName.framebuffer)
        framebuffers.append(name)
        context.state.bind(drawFramebuffer: name)
        return name
    }

    private func attach(_ color: Color) {
        let (target, place) = (GLenum(GL_DRAW_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0))
        switch color {
        case .layer(let texture): wm_glFramebufferTextureLayer(target, place, texture.name, 0, 0)
        case .plain(let name): wm_glFramebufferTexture2D(target, place, GLenum(GL_TEXTURE_2D), name, 0)
        }
    }

    @discardableResult
    private mutating func attach(_ depth: DepthBuffer, hasStencil: Bool, _ samples: Int) -> GLuint {
        let storage = self.storage(depth.format(hasStencil: hasStencil), samples)
        let place = hasStencil ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT
        wm_glFramebufferRenderbuffer(GLenum(GL_DRAW_FRAMEBUFFER), GLenum(place), GLenum(GL_RENDERBUFFER), storage)
        return storage
    }

    /// A framebuffer with a plain BGRA texture as color.
    mutating func swappedFramebuffer() throws(GPUError) -> (framebuffer: GLuint, color: Color) {
        let name = newFramebuffer()
        context.queuedByteCount += width * height * 4
        let texture = context.makeObject(wm_glGenTextures, ResourceName.texture)
        textures.append(texture)
        // Shaders never use this binding point: all of them sample array textures.
        wm_glBindTexture(GLenum(GL_TEXTURE_2D), texture)
        wm_glTexImage2D(
            GLenum(GL_TEXTURE_2D), 0, GL_BGRA_EXT, GLsizei(width), GLsizei(height), 0, GLenum(GL_BGRA_EXT), GLenum(GL_UNSIGNED_BYTE), nil)
        wm_glTexParameteri(GLenum(GL_TEXTURE_2D), GLenum(GL_TEXTURE_MIN_FILTER), GL_NEAREST)
        attach(.plain(texture))
        try check("make a swapped target of \(width) x \(height)")
        return (name, .plain(texture))
    }

    private func check(_ stage: String) throws(GPUError) {
        try context.checkErrors(stage)
        let status = wm_glCheckFramebufferStatus(GLenum(GL_DRAW_FRAMEBUFFER))
        guard status == GL_FRAMEBUFFER_COMPLETE else {
            throw GPUError(.unsupported, stage: stage, "the driver cannot draw into this target", code: .gl(status))
        }
    }

    /// Discards everything.
    func discard() {
        for name in framebuffers { context.trash.discard(.framebuffer(name)) }
        for name in renderbuffers { context.trash.discard(.renderbuffer(name)) }
        for name in textures { context.trash.discard(.texture(name)) }
    }

    private mutating func storage(_ format: Int32, _ samples: Int) -> GLuint {
        context.queuedByteCount += width * height * max(1, samples) * 4
        let name = context.makeObject(wm_glGenRenderbuffers, ResourceName.renderbuffer)
        renderbuffers.append(name)
        context.state.bind(renderbuffer: name)
        wm_glRenderbufferStorageMultisample(
            GLenum(GL_RENDERBUFFER), GLsizei(samples), GLenum(format), GLsizei(width), GLsizei(height))
        return name
    }
}
