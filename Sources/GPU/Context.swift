import CWaymarkGLES

/// An OpenGL ES context without a window, which draws pictures in memory. This module does not know overlays or primitives: it has
/// textures, buffers, pipelines, targets and complete draw commands.
///
/// Any thread may use a context, but only one at a time: every use makes it current and releases it again. It shares the process's EGL
/// display and never terminates it.
package final class Context {
    /// The driver's names, version and limits.
    package let info: ContextInfo
    /// The device's name in `DeviceReport.devices`, such as "device 0" or "surfaceless".
    package let deviceName: String
    /// The bytes uploaded to buffers and textures since the context was created.
    package internal(set) var uploadedByteCount = 0

    /// Whether pictures with red and blue exchanged in memory are drawn faster: see `Target.isSwapped`.
    package let prefersSwappedTargets: Bool

    /// Whether depth buffers of the kind `DepthBuffer.reversed` are available.
    package let hasReversedDepth: Bool

    /// Whether submitting, culling and waiting are tuned for drawing on the processor.
    package let isTunedForSoftware: Bool

    let trash = Trash()
    let state: StateCache
    /// Distinguishes a buffer from a later one with the same name in OpenGL ES.
    private(set) var lastSerial = 0

    /// The approximate number of bytes that the driver holds for queued draws.
    var queuedByteCount = 0

    private let handles: DeviceOpening.Handles
    private var isLost = false
    /// Whether only one context of the process may be in use at a time; see `ProcessDriverLock`.
    private let isUsedAlone: Bool

    /// Takes ownership of the handles; users get a context from `make(_:requireGPU:)`.
    init(_ opening: DeviceOpening) throws(GPUError) {
        guard let handles = opening.handles else {
            throw opening.error ?? GPUError(.contextFailed, stage: opening.device.name, "no context was created")
        }
        let previous = CurrentContext()
        do throws(GPUError) {
            try handles.makeCurrent()
        } catch {
            // Nothing owns the handles yet, so they are destroyed here.
            handles.destroy()
            throw error
        }
        self.handles = handles
        deviceName = opening.device.name
        let limits = opening.limits
        let info = ContextInfo(tellsResets: handles.tellsResets).limited(by: limits)
        self.info = info
        prefersSwappedTargets =
            !limits.contains(.noBGRA) && info.renderer.hasPrefix("llvmpipe") && Limit.hasExtensions(Self.swappingExtensions)
        hasReversedDepth =
            !limits.contains(.noClipControl) && wm_has_glClipControlEXT() && Limit.hasExtensions(["GL_EXT_clip_control"])
        isUsedAlone = info.renderer.hasPrefix("llvmpipe")
        isTunedForSoftware = info.isSoftware && !limits.contains(.gpuSprites)
        state = StateCache(textureUnits: Limit.value(GL_MAX_TEXTURE_IMAGE_UNITS))
        previous.restore(after: handles.display)
    }

    private static let swappingExtensions = ["GL_EXT_texture_format_BGRA8888", "GL_EXT_read_format_bgra"]

    deinit {
        // Destroying the context deletes its objects. A context that is current on a thread is destroyed when it is released there.
        ProcessDriverLock.withLock(isNeeded: isUsedAlone) { handles.destroy() }
    }
}

extension Context {
    /// Creates a context on the selected device; `automatic` takes the first one that works.
    /// - Parameters:
    ///   - requireGPU: Whether a software rasterizer is refused.
    ///   - limits: The features that the context must not use; nil for the limits of the environment, usually none.
    /// - Throws: `GPUError` with the problem of the machine and the packages to install.
    package static func make(
        _ selection: Device = .automatic, requireGPU: Bool = false, limits: Set<DriverLimit>? = nil
    ) throws(GPUError) -> Context {
        let probe = DeviceProbe(selection, requireGPU: requireGPU, limits: limits)
        guard let context = probe.context else {
            throw probe.error ?? GPUError(.contextFailed, stage: "open \(selection)", "no device works")
        }
        return context
    }

    /// Makes the context current on this thread while `body` runs, and deletes discarded objects before and after. The previously current
    /// context is restored. Nested calls cost one look-up. With llvmpipe, one context of the process runs at a time.
    package func withCurrent<Result>(_ body: () throws(GPUError) -> Result) throws(GPUError) -> Result {
        if wm_eglGetCurrentContext() == handles.context { return try body() }
        return try ProcessDriverLock.withLock(isNeeded: isUsedAlone) { () throws(GPUError) in
            let previous = CurrentContext()
            try handles.makeCurrent()
            trash.empty(state)
            defer {
                trash.empty(state)
                previous.restore(after: handles.display)
            }
            return try body()
        }
    }

    /// The objects of the context, after deleting the discarded ones.
    package func liveResources() throws(GPUError) -> LiveResources {
        try withCurrent { () throws(GPUError) in
            trash.empty(state)
            return trash.live
        }
    }

    /// Throws if the driver has reported errors since the last check, or if the GPU was reset. One call per picture is enough.
    package func checkErrors(_ stage: String) throws(GPUError) {
        try withCurrent { () throws(GPUError) in
            try checkReset(stage)
            let first = wm_glGetError()
            guard first != GL_NO_ERROR else { return }
            // Later errors follow from the first; a lost context would repeat its own forever.
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
    /// A number unique among the objects of this context.
    func nextSerial() -> Int {
        lastSerial += 1
        return lastSerial
    }

    /// Makes an object with one of OpenGL ES's functions for this, and counts it.
    func makeObject(_ generate: (GLsizei, UnsafeMutablePointer<GLuint>?) -> Void, _ kind: (GLuint) -> ResourceName) -> GLuint {
        var name: GLuint = 0
        generate(1, &name)
        trash.register(kind(name))
        return name
    }

    /// Simulates a reset of the GPU, for tests: the next picture and all later ones fail.
    package func lose() { isLost = true }

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
            .contextLost, stage: stage, "the GPU was reset, and the contents of its memory are lost",
            advice: "run the program again or create a new renderer; if the same picture resets the GPU again, leave that picture out")
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

    /// Destroys the context and its surface.
    func destroy() {
        wm_eglDestroyContext(display, context)
        if let surface { wm_eglDestroySurface(display, surface) }
    }
}

/// The context that is current on this thread, to be restored.
private struct CurrentContext {
    private let display = wm_eglGetCurrentDisplay()
    private let context = wm_eglGetCurrentContext()
    private let drawing = wm_eglGetCurrentSurface(EGL_DRAW)
    private let reading = wm_eglGetCurrentSurface(EGL_READ)

    /// Makes it current again; if no context was current, releases the context of the given display.
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
    /// Queries the current context.
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
