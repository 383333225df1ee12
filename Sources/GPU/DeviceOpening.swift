import CWaymarkGLES

/// A context on a candidate, not current anywhere, with the steps of opening it.
struct DeviceOpening {
    /// EGL's objects. The display belongs to the process and is never terminated.
    struct Handles {
        var display: EGLDisplay
        var context: EGLContext
        /// A 1 × 1 pbuffer if the display requires a surface; otherwise nil.
        var surface: EGLSurface?
        /// Whether resets of the GPU are reported.
        var tellsResets: Bool
    }

    /// The device's properties, with the steps that were tried.
    private(set) var device: DeviceReport.ListedDevice
    /// EGL's objects; nil if opening failed.
    private(set) var handles: Handles?
    /// The reason why opening failed.
    private(set) var error: GPUError?
    /// The features that the context must not use.
    let limits: Set<DriverLimit>

    /// Tries all steps from the display to a context; never fails, but records the result of each.
    init(_ candidate: DeviceCandidate, _ limits: Set<DriverLimit>) {
        self.limits = limits
        device = candidate.facts
        do throws(GPUError) {
            handles = try open(candidate)
        } catch {
            self.error = error
            device.error = error.description
        }
    }

    /// The total time of the steps with these names.
    func milliseconds(_ isCounted: (String) -> Bool) -> Double {
        device.steps.filter { isCounted($0.name) }.reduce(0) { $0 + $1.milliseconds }
    }
}

extension DeviceOpening {
    fileprivate mutating func open(_ candidate: DeviceCandidate) throws(GPUError) -> Handles {
        let display = try step("display") { () throws(GPUError) in
            guard let display = Self.display(candidate), display != wm_no_display() else { throw refusal("EGL returned no display") }
            return (display, "")
        }
        try step("initialize") { () throws(GPUError) in
            var major: EGLint = 0
            var minor: EGLint = 0
            guard wm_eglInitialize(display, &major, &minor) == EGL_TRUE else { throw refusal("EGL cannot start the driver") }
            return ((), "EGL \(major).\(minor)")
        }
        try step("bind API") { () throws(GPUError) in
            guard wm_eglBindAPI(EGLenum(EGL_OPENGL_ES_API)) == EGL_TRUE else { throw refusal("the driver does not support OpenGL ES") }
            return ((), "")
        }
        let extensions = EGLLibrary.names(wm_eglQueryString(display, EGL_EXTENSIONS))
        let isSurfaceless = extensions.contains("EGL_KHR_surfaceless_context") && !limits.contains(.pbuffers)
        var config: EGLConfig? = wm_no_config()
        if !isSurfaceless || !extensions.contains("EGL_KHR_no_config_context") {
            config = try step("config") { () throws(GPUError) in (try Self.config(display, refusal), "") }
        }
        let (context, tellsResets) = try makeContext(display, config, extensions)
        guard !isSurfaceless else { return Handles(display: display, context: context, surface: nil, tellsResets: tellsResets) }
        do throws(GPUError) {
            let surface = try step("pbuffer") { () throws(GPUError) in
                let size: [EGLint] = [EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE]
                guard let surface = wm_eglCreatePbufferSurface(display, config, size) else {
                    throw refusal("EGL cannot create a 1 x 1 surface")
                }
                return (surface, "1 x 1")
            }
            return Handles(display: display, context: context, surface: surface, tellsResets: tellsResets)
        } catch {
            wm_eglDestroyContext(display, context)
            throw error
        }
    }

    /// The newest of ES 3.2, 3.1 and 3.0, with reports of resets where the driver supports them.
    fileprivate mutating func makeContext(
        _ display: EGLDisplay, _ config: EGLConfig?, _ extensions: [String]
    ) throws(GPUError) -> (EGLContext, tellsResets: Bool) {
        let version = EGLLibrary.names(wm_eglQueryString(display, EGL_VERSION)).first ?? "1.4"
        let hasAttributes = !version.hasPrefix("1.4") || extensions.contains("EGL_KHR_create_context")
        let canTell = version.hasPrefix("1.5") || extensions.contains("EGL_EXT_create_context_robustness")
        let strategy =
            version.hasPrefix("1.5")
            ? EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY
            : EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT
        var last = refusal("no context")
        for minor: EGLint in hasAttributes && !limits.contains(.es30) ? [2, 1, 0] : [0] {
            do throws(GPUError) {
                return try step("context ES 3.\(minor)") { () throws(GPUError) in
                    var attributes: [EGLint] = [EGL_CONTEXT_MAJOR_VERSION, 3]
                    if hasAttributes { attributes += [EGL_CONTEXT_MINOR_VERSION, minor] }
                    let telling = attributes + [strategy, EGL_LOSE_CONTEXT_ON_RESET, EGL_NONE]
                    if canTell, let context = wm_eglCreateContext(display, config, wm_no_context(), telling) {
                        return ((context, tellsResets: true), "reports resets")
                    }
                    guard let context = wm_eglCreateContext(display, config, wm_no_context(), attributes + [EGL_NONE]) else {
                        throw refusal("no OpenGL ES 3.\(minor) context")
                    }
                    return ((context, tellsResets: false), "does not report resets")
                }
            } catch {
                last = error
            }
        }
        throw last
    }

    /// Runs one step and records its time and result.
    fileprivate mutating func step<Value>(_ name: String, _ body: () throws(GPUError) -> (Value, String)) throws(GPUError) -> Value {
        let start = ContinuousClock.now
        _ = EGLLibrary.takeDriverLog()
        do throws(GPUError) {
            let (value, detail) = try body()
            device.steps.append(.init(name: name, succeeded: true, detail: detail, milliseconds: start.millisecondsUntilNow))
            return value
        } catch {
            var error = error
            error.stage = "\(device.name): \(name)"
            let detail = error.message + (error.code.map { " (\($0))" } ?? "")
            device.steps.append(.init(name: name, succeeded: false, detail: detail, milliseconds: start.millisecondsUntilNow))
            throw error
        }
    }

    fileprivate static func display(_ candidate: DeviceCandidate) -> EGLDisplay? {
        let platform = EGLenum(candidate.handle == nil ? EGL_PLATFORM_SURFACELESS_MESA : EGL_PLATFORM_DEVICE_EXT)
        if wm_has_eglGetPlatformDisplay() { return wm_eglGetPlatformDisplay(platform, candidate.handle, nil) }
        return wm_has_eglGetPlatformDisplayEXT() ? wm_eglGetPlatformDisplayEXT(platform, candidate.handle, nil) : nil
    }

    fileprivate static func config(_ display: EGLDisplay, _ refusal: (String) -> GPUError) throws(GPUError) -> EGLConfig {
        let wanted: [EGLint] = [EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_NONE]
        var config: EGLConfig?
        var count: EGLint = 0
        guard wm_eglChooseConfig(display, wanted, &config, 1, &count) == EGL_TRUE, count > 0, let config else {
            throw refusal("EGL has no configuration for OpenGL ES 3 with a pbuffer")
        }
        return config
    }
}

/// An EGL error with its code and the driver's log; the step is added by the caller.
private func refusal(_ message: String) -> GPUError {
    let code = GPUError.Code.takeEGL()
    return GPUError(.contextFailed, stage: "", message, code: code, log: EGLLibrary.takeDriverLog())
}
