import CWaymarkGLES
import WaymarkImaging

/// The only place that binds objects and sets OpenGL ES state. It tracks the state and skips redundant calls. Nothing else in this module
/// calls these functions, so the tracked state is correct as long as the context lives.
final class StateCache {
    private struct Unit {
        var texture: GLuint = 0
        var sampler: TextureSampler?
    }

    private var program: GLuint = 0
    private var vertexArray: GLuint = 0
    private var arrayBuffer: GLuint = 0
    private var drawFramebuffer: GLuint = 0
    private var readFramebuffer: GLuint = 0
    private var renderbuffer: GLuint = 0
    private var activeUnit = 0
    private var units: [Unit]
    private var samplers: [TextureSampler: GLuint] = [:]
    private var blend = Pipeline.Blend.none
    private var depth = Pipeline.Depth.none
    private var isDepthReversed = false
    private var stencil = Pipeline.Stencil.none
    private var writesColor = true
    private var cull = Pipeline.Cull.none
    private var viewport = PixelRect(x: -1, y: -1, width: -1, height: -1)
    private var scissor: PixelRect?

    /// Creates a cache. The context must be current, and new.
    init(textureUnits: Int) {
        units = Array(repeating: Unit(), count: textureUnits)
        // Row 0 of the framebuffer is the top of the picture, so counterclockwise in the picture is clockwise in GL.
        wm_glFrontFace(GLenum(GL_CW))
        // Dithering is on by default in OpenGL ES and would make pixels inexact.
        wm_glDisable(GLenum(GL_DITHER))
        wm_glPixelStorei(GLenum(GL_PACK_ALIGNMENT), 1)
        wm_glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 1)
    }

    /// The number of textures that a draw may use.
    var unitCount: Int { units.count }

    /// Forgets a name that is being deleted, which OpenGL ES also unbinds.
    func forget(_ resource: ResourceName) {
        switch resource {
        case .texture(let name):
            for unit in units.indices where units[unit].texture == name { units[unit].texture = 0 }
        case .buffer(let name): if arrayBuffer == name { arrayBuffer = 0 }
        case .vertexArray(let name): if vertexArray == name { vertexArray = 0 }
        case .framebuffer(let name):
            if drawFramebuffer == name { drawFramebuffer = 0 }
            if readFramebuffer == name { readFramebuffer = 0 }
        case .renderbuffer(let name): if renderbuffer == name { renderbuffer = 0 }
        case .program(let name):
            // A program in use would only be flagged for deletion, and its name would not be freed.
            if program == name { use(program: 0) }
        }
    }
}

// MARK: Objects

extension StateCache {
    func use(program name: GLuint) {
        guard program != name else { return }
        program = name
        wm_glUseProgram(name)
    }

    func bind(vertexArray name: GLuint) {
        guard vertexArray != name else { return }
        vertexArray = name
        wm_glBindVertexArray(name)
    }

    /// Sets the array-buffer binding, which is used for uploading all buffers, because it is not part of a vertex array.
    func bind(arrayBuffer name: GLuint) {
        guard arrayBuffer != name else { return }
        arrayBuffer = name
        wm_glBindBuffer(GLenum(GL_ARRAY_BUFFER), name)
    }

    func bind(renderbuffer name: GLuint) {
        guard renderbuffer != name else { return }
        renderbuffer = name
        wm_glBindRenderbuffer(GLenum(GL_RENDERBUFFER), name)
    }

    func bind(drawFramebuffer name: GLuint) {
        guard drawFramebuffer != name else { return }
        drawFramebuffer = name
        wm_glBindFramebuffer(GLenum(GL_DRAW_FRAMEBUFFER), name)
    }

    func bind(readFramebuffer name: GLuint) {
        guard readFramebuffer != name else { return }
        readFramebuffer = name
        wm_glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), name)
    }

    /// Binds a 2D array texture to a unit, for uploading or, with a sampler, for drawing.
    func bind(texture name: GLuint, unit: Int) {
        guard units[unit].texture != name else { return }
        if activeUnit != unit {
            activeUnit = unit
            wm_glActiveTexture(GLenum(GL_TEXTURE0) + GLenum(unit))
        }
        units[unit].texture = name
        wm_glBindTexture(GLenum(GL_TEXTURE_2D_ARRAY), name)
    }

    /// Sets the sampler of a unit; sampler objects are created when first needed and live as long as the context.
    func sample(unit: Int, _ sampler: TextureSampler) {
        guard units[unit].sampler != sampler else { return }
        units[unit].sampler = sampler
        wm_glBindSampler(GLuint(unit), name(of: sampler))
    }

    private func name(of sampler: TextureSampler) -> GLuint {
        if let name = samplers[sampler] { return name }
        var name: GLuint = 0
        wm_glGenSamplers(1, &name)
        wm_glSamplerParameteri(name, GLenum(GL_TEXTURE_MIN_FILTER), sampler.glMinFilter)
        wm_glSamplerParameteri(name, GLenum(GL_TEXTURE_MAG_FILTER), sampler.magFilter == .nearest ? GL_NEAREST : GL_LINEAR)
        wm_glSamplerParameteri(name, GLenum(GL_TEXTURE_WRAP_S), sampler.wrapU.glMode)
        wm_glSamplerParameteri(name, GLenum(GL_TEXTURE_WRAP_T), sampler.wrapV.glMode)
        samplers[sampler] = name
        return name
    }
}

extension TextureSampler {
    fileprivate var glMinFilter: GLint {
        switch (minFilter, mipmapFilter) {
        case (.nearest, .none): GL_NEAREST
        case (.linear, .none): GL_LINEAR
        case (.nearest, .nearest): GL_NEAREST_MIPMAP_NEAREST
        case (.linear, .nearest): GL_LINEAR_MIPMAP_NEAREST
        case (.nearest, .linear): GL_NEAREST_MIPMAP_LINEAR
        case (.linear, .linear): GL_LINEAR_MIPMAP_LINEAR
        }
    }
}

extension TextureSampler.Wrap {
    fileprivate var glMode: GLint {
        switch self {
        case .repeat: GL_REPEAT
        case .mirroredRepeat: GL_MIRRORED_REPEAT
        case .clampToEdge: GL_CLAMP_TO_EDGE
        }
    }
}

// MARK: Fixed functions

extension StateCache {
    /// Enables or disables a capability if that changes it.
    private func enable(_ capability: Int32, _ isWanted: Bool, was wasEnabled: Bool) {
        guard isWanted != wasEnabled else { return }
        if isWanted { wm_glEnable(GLenum(capability)) } else { wm_glDisable(GLenum(capability)) }
    }

    func apply(_ wanted: Pipeline.Blend) {
        guard blend != wanted else { return }
        enable(GL_BLEND, wanted != .none, was: blend != .none)
        if wanted != .none {
            wm_glBlendFunc(GLenum(wanted == .erase ? GL_ZERO : GL_ONE), GLenum(wanted == .add ? GL_ONE : GL_ONE_MINUS_SRC_ALPHA))
        }
        blend = wanted
    }

    /// - Parameter isReversed: Whether the depth buffer is `reversed`. It must be false without a depth test, because it also changes
    ///   near and far clipping.
    func apply(_ wanted: Pipeline.Depth, isReversed: Bool) {
        guard depth != wanted || isDepthReversed != isReversed else { return }
        if isDepthReversed != isReversed {
            // Only contexts with this function have reversed buffers.
            wm_glClipControlEXT(GLenum(GL_LOWER_LEFT_EXT), GLenum(isReversed ? GL_ZERO_TO_ONE_EXT : GL_NEGATIVE_ONE_TO_ONE_EXT))
        }
        enable(GL_DEPTH_TEST, wanted != .none, was: depth != .none)
        if wanted != .none {
            wm_glDepthFunc(GLenum(wanted == .equal ? GL_EQUAL : isReversed ? GL_GEQUAL : GL_LEQUAL))
            wm_glDepthMask(GLboolean(wanted == .testAndWrite ? GL_TRUE : GL_FALSE))
        }
        depth = wanted
        isDepthReversed = isReversed
    }

    func apply(_ wanted: Pipeline.Stencil) {
        guard stencil != wanted else { return }
        enable(GL_STENCIL_TEST, wanted != .none, was: stencil != .none)
        if wanted != .none {
            wm_glStencilFunc(GLenum(wanted == .write ? GL_ALWAYS : GL_EQUAL), 1, 0xFF)
            wm_glStencilOp(GLenum(GL_KEEP), GLenum(GL_KEEP), GLenum(wanted == .write ? GL_REPLACE : GL_ZERO))
        }
        stencil = wanted
    }

    func apply(writesColor wanted: Bool) {
        guard writesColor != wanted else { return }
        let mask = GLboolean(wanted ? GL_TRUE : GL_FALSE)
        wm_glColorMask(mask, mask, mask, mask)
        writesColor = wanted
    }

    func apply(_ wanted: Pipeline.Cull) {
        guard cull != wanted else { return }
        enable(GL_CULL_FACE, wanted != .none, was: cull != .none)
        if wanted != .none { wm_glCullFace(GLenum(wanted == .back ? GL_BACK : GL_FRONT)) }
        cull = wanted
    }

    func set(viewport wanted: PixelRect) {
        guard viewport != wanted else { return }
        viewport = wanted
        wm_glViewport(GLint(wanted.x), GLint(wanted.y), GLsizei(wanted.width), GLsizei(wanted.height))
    }

    /// Sets the scissor rectangle; nil draws everywhere.
    func set(scissor wanted: PixelRect?) {
        guard scissor != wanted else { return }
        enable(GL_SCISSOR_TEST, wanted != nil, was: scissor != nil)
        if let wanted { wm_glScissor(GLint(wanted.x), GLint(wanted.y), GLsizei(wanted.width), GLsizei(wanted.height)) }
        scissor = wanted
    }
}
