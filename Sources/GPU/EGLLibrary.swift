import CWaymarkGLES
import WaymarkSystem

/// The EGL library, loaded once for the process after the environment has been prepared.
struct EGLLibrary: Sendable {
    /// The requested file: `libEGL.so.1` or the value of WAYMARK_EGL_LIBRARY.
    let requested: String
    /// The path where it was found; nil if it was not found.
    let path: String?
    /// The reason why the library cannot be used; nil if it can be used.
    let error: GPUError?
    /// EGL's client extensions; empty without a vendor's driver.
    let clientExtensions: [String]
    /// The number of rasterizer threads set because of the CPU quota; nil if it was not changed.
    let threadsFromQuota: Int?
    /// The duration of loading.
    let milliseconds: Double

    /// The library of this process, loaded at the first use.
    static let shared = EGLLibrary()

    private init() {
        let start = ContinuousClock.now
        // Mesa would otherwise print warnings to stderr; the errors contain the relevant ones.
        Environment.setDefault("EGL_LOG_LEVEL", "fatal")
        threadsFromQuota = Self.limitThreads()
        requested = Environment.value("WAYMARK_EGL_LIBRARY") ?? "libEGL.so.1"
        let status = wm_load(requested)
        let detail = String(cString: wm_load_detail())
        if status == WM_LOAD_OK {
            wm_keep_driver_log()
            path = String(cString: wm_load_path())
            error = nil
            clientExtensions = Self.names(wm_eglQueryString(wm_no_display(), EGL_EXTENSIONS))
            // Without client extensions EGL records an error, which is discarded.
            _ = GPUError.Code.takeEGL()
        } else {
            path = nil
            error = Self.loadError(status, requested: requested, detail: detail)
            clientExtensions = []
        }
        milliseconds = start.millisecondsUntilNow
    }

    /// Splits a space-separated list from the driver; empty for a null pointer.
    static func names(_ text: UnsafePointer<CChar>?) -> [String] {
        guard let text else { return [] }
        return String(cString: text).split(separator: " ").map(String.init)
    }

    /// The driver's messages since the last call.
    static func takeDriverLog() -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
            wm_take_driver_log(buffer.baseAddress, buffer.count)
            return buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
    }
}

extension EGLLibrary {
    /// Mesa's rasterizer counts the processors by the affinity mask alone; a container with a quota of 2 on a host of 64 would
    /// start 32 threads and be throttled.
    fileprivate static func limitThreads() -> Int? {
        let processors = ProcessorCount.current
        guard processors.usable < processors.available, Environment.value("LP_NUM_THREADS") == nil else { return nil }
        Environment.setDefault("LP_NUM_THREADS", String(processors.usable))
        return processors.usable
    }

    fileprivate static func loadError(_ status: wm_load_status, requested: String, detail: String) -> GPUError {
        if status == WM_LOAD_NO_FUNCTION {
            return GPUError(
                .libraryMissing, stage: "", "the EGL library \(requested) has no function \(detail)",
                advice: "install a newer libegl1 and libgles2 (OpenGL ES 3.0 is required)")
        }
        var advice = "install libegl1 (Debian, Ubuntu), libglvnd-egl (Fedora) or the EGL library of the GPU's driver"
        if Environment.value("WAYMARK_EGL_LIBRARY") != nil { advice += ", or unset WAYMARK_EGL_LIBRARY" }
        return GPUError(.libraryMissing, stage: "", "the EGL library \(requested) cannot be loaded: \(detail)", advice: advice)
    }
}

extension ContinuousClock.Instant {
    /// Milliseconds since this instant.
    var millisecondsUntilNow: Double {
        let parts = duration(to: .now).components
        return Double(parts.seconds) * 1e3 + Double(parts.attoseconds) * 1e-15
    }
}
