import CWaymarkGLES

/// An OpenGL ES context without a window: makes pictures in memory. This room knows no overlay and no primitive; it has
/// textures, buffers, pipelines, targets and complete draw commands.
///
/// A context is exclusive but bound to no thread: every use makes it current and lets go of it again, so whoever owns it may
/// call from any one thread at a time. It shares the process's EGL display and never terminates it.
package final class Context {
    /// What the driver says of itself, and its limits.
    package let info: ContextInfo
    /// The device's name in `DeviceReport.devices`, such as "device 0" or "surfaceless".
    package let deviceName: String
    /// How many bytes were sent to buffers and textures since the context was made.
    package internal(set) var uploadedByteCount = 0

    /// Whether pictures whose red and blue change places in memory are drawn faster: see `Target.isSwapped`.
    package let prefersSwappedTargets: Bool

    /// Whether there are depth buffers of the kind `DepthBuffer.reversed`.
    package let hasReversedDepth: Bool

    let trash = Trash()
    let state: StateCache
    /// Tells a buffer from a later one that OpenGL ES gave the same name.
    private(set) var lastSerial = 0

    private let handles: DeviceOpening.Handles
    private var isLost = false

    /// Takes the handles over; see `make(_:requireGPU:)` for how users get a context.
    init(_ opening: DeviceOpening) throws(GPUError) {
        guard let handles = opening.handles else {
            throw opening.error ?? GPUError(.contextFailed, stage: opening.device.name, "no context was made")
        }
        let previous = CurrentContext()
        do throws(GPUError) {
            try handles.makeCurrent()
        } catch {
            // Nothing owns the handles yet, so they are let go here.
            handles.destroy()
            throw error
        }
        self.handles = handles
        deviceName = opening.device.name
        let info = ContextInfo(tellsResets: handles.tellsResets)
        self.info = info
        prefersSwappedTargets = info.renderer.hasPrefix("llvmpipe") && Limit.hasExtensions(Self.swappingExtensions)
        hasReversedDepth = wm_has_glClipControlEXT() && Limit.hasExtensions(["GL_EXT_clip_control"])
        state = StateCache(textureUnits: Limit.value(GL_MAX_TEXTURE_IMAGE_UNITS))
        previous.restore(after: handles.display)
    }

    private static let swappingExtensions = ["GL_EXT_texture_format_BGRA8888", "GL_EXT_read_format_bgra"]

    deinit {
        // Destroying the context deletes what it holds. One that is current on some thread goes when it is released there.
        handles.destroy()
    }
}

extension Context {
    /// Makes a context on the device that the selection means; `automatic` takes the first that works.
    /// - Parameter requireGPU: whether a software rasteriser is refused.
    /// - Throws: `GPUError` that tells what is wrong with the machine and what to install.
    package static func make(_ selection: DeviceSelection = .automatic, requireGPU: Bool = false) throws(GPUError) -> Context {
        let probe = DeviceProbe(selection, requireGPU: requireGPU)
        guard let context = probe.context else {
            throw probe.error ?? GPUError(.contextFailed, stage: "open \(selection)", "no device works")
        }
        return context
    }

    /// Makes the context current on this thread while `body` runs; before and after it, what was discarded is deleted.
    /// What was current before is current again afterwards. Nested calls cost a look-up.
    package func withCurrent<Result>(_ body: () throws(GPUError) -> Result) throws(GPUError) -> Result {
        if wm_eglGetCurrentContext() == handles.context { return try body() }
        let previous = CurrentContext()
        try handles.makeCurrent()
        trash.empty(state)
        defer {
            trash.empty(state)
            previous.restore(after: handles.display)
        }
        return try body()
    }

    /// The objects that the context holds; those that are gone are deleted first.
    package func liveResources() throws(GPUError) -> LiveResources {
        try withCurrent { () throws(GPUError) in
            trash.empty(state)
            return trash.live
        }
    }

    /// Throws what the driver has noted since the last check, or that the GPU was reset. Once a picture is enough.
    package func checkErrors(_ stage: String) throws(GPUError) {
        try withCurrent { () throws(GPUError) in
            try checkReset(stage)
            let first = wm_glGetError()
            guard first != GL_NO_ERROR else { return }
            // The others follow from the first; a lost context would repeat its own for ever.
            for _ in 0..<16 where wm_glGetError() == GL_NO_ERROR { break }
            if first == GL_OUT_OF_MEMORY {
                throw GPUError(
                    .outOfMemory, stage: stage, "the driver has no memory left", code: .gl(first),
                    advice: "draw smaller pictures, or fewer at a time")
            }
            throw GPUError(.driverError, stage: stage, "the driver reports an error", code: .gl(first))
        }
    }
}

extension Context {
    /// A number that no other object of this context has.
    func nextSerial() -> Int {
        lastSerial += 1
        return lastSerial
    }

    private func checkReset(_ stage: String) throws(GPUError) {
        if !isLost, info.tellsResets {
            if info.esMinor >= 2, wm_has_glGetGraphicsResetStatus() {
                isLost = wm_glGetGraphicsResetStatus() != GL_NO_ERROR
            } else if wm_has_glGetGraphicsResetStatusEXT() {
                isLost = wm_glGetGraphicsResetStatusEXT() != GL_NO_ERROR
            }
        }
        guard isLost else { return }
        throw GPUError(
            .contextLost, stage: stage, "the GPU was reset and everything on it is gone",
            advice: "make a new context and draw again; if it happens twice with one picture, leave that picture out")
    }
}

extension DeviceOpening.Handles {
    /// Makes the context current on this thread.
    func makeCurrent() throws(GPUError) {
        wm_eglBindAPI(EGLenum(EGL_OPENGL_ES_API))
        let drawing = surface ?? wm_no_surface()
        guard wm_eglMakeCurrent(display, drawing, drawing, context) == EGL_TRUE else {
            throw GPUError(
                .contextFailed, stage: "make current", "EGL refuses the context on this thread", code: .takeEGL(),
                log: EGLLibrary.takeDriverLog(), advice: "use a context on one thread at a time")
        }
    }

    /// Lets go of the context and its surface.
    func destroy() {
        wm_eglDestroyContext(display, context)
        if let surface { wm_eglDestroySurface(display, surface) }
    }
}

/// What is current on this thread, to be put back.
private struct CurrentContext {
    private let display = wm_eglGetCurrentDisplay()
    private let context = wm_eglGetCurrentContext()
    private let drawing = wm_eglGetCurrentSurface(EGL_DRAW)
    private let reading = wm_eglGetCurrentSurface(EGL_READ)

    /// Makes it current again; where there was nothing, releases the context of the display given.
    func restore(after other: EGLDisplay) {
        if let context, let display {
            wm_eglMakeCurrent(display, drawing, reading, context)
        } else {
            wm_eglMakeCurrent(other, wm_no_surface(), wm_no_surface(), wm_no_context())
        }
    }
}

/// Reads limits of the current context.
enum Limit {
    static func value(_ name: Int32) -> Int { values(name, count: 1)[0] }

    static func hasExtensions(_ names: [String]) -> Bool {
        let present = (0..<max(0, value(GL_NUM_EXTENSIONS))).compactMap { index in
            wm_glGetStringi(GLenum(GL_EXTENSIONS), GLuint(index)).map { String(cString: $0) }
        }
        return names.allSatisfy(present.contains)
    }

    static func values(_ name: Int32, count: Int) -> [Int] {
        var values = [GLint](repeating: 0, count: count)
        wm_glGetIntegerv(GLenum(name), &values)
        return values.map(Int.init)
    }
}

extension ContextInfo {
    /// Asks the current context.
    init(tellsResets: Bool) {
        func text(_ name: Int32) -> String { wm_glGetString(GLenum(name)).map { String(cString: $0) } ?? "unknown" }
        let viewport = Limit.values(GL_MAX_VIEWPORT_DIMS, count: 2)
        self.init(
            vendor: text(GL_VENDOR), renderer: text(GL_RENDERER), version: text(GL_VERSION),
            esMajor: Limit.value(GL_MAJOR_VERSION), esMinor: Limit.value(GL_MINOR_VERSION),
            isSoftware: Self.isSoftware(renderer: text(GL_RENDERER)), tellsResets: tellsResets,
            maxTextureSize: Limit.value(GL_MAX_TEXTURE_SIZE), maxTextureLayers: Limit.value(GL_MAX_ARRAY_TEXTURE_LAYERS),
            maxRenderbufferSize: Limit.value(GL_MAX_RENDERBUFFER_SIZE), maxSamples: Limit.value(GL_MAX_SAMPLES),
            maxViewportWidth: viewport[0], maxViewportHeight: viewport[1])
    }
}
