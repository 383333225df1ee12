import WaymarkGPU
import WaymarkGeo
import WaymarkImaging

/// Opens a renderer on a new thread while the caller decodes a scene. Loading the driver and compiling the first shaders take longer than
/// decoding.
///
/// Drivers crash if the process ends while they are working. The thread must therefore end before the process does. To ensure this, call
/// `renderer()` or `wait()`. A driver that does not answer within 20 s (or `WAYMARK_DEVICE_TIMEOUT` seconds) is abandoned: see
/// `Renderer.init`.
public final class RendererOpening: Sendable {
    private let opening: Result<DriverThread, GPUError>
    private let rangeError: PropertyError?
    private let result = DriverResult<Renderer>()

    /// Starts opening a renderer. The parameters are described at `Renderer.init`.
    public convenience init(device: Device? = nil, requireGPU: Bool = false, cacheBytes: Int = Renderer.defaultCacheBytes) {
        // Applied now, so that decoding the scene already observes it.
        let budget = CacheBudget(byteLimit: max(0, cacheBytes))
        var rangeError: PropertyError?
        do throws(PropertyError) { try Renderer.check(cacheBytes: cacheBytes) } catch { rangeError = error }
        self.init(rangeError: rangeError) { () throws(GPUError) in
            let renderer = try Renderer(opening: device, requireGPU: requireGPU, budget: budget)
            try renderer.warmUp()
            return renderer
        }
    }

    /// Starts a thread that opens a renderer.
    /// - Parameters:
    ///   - seconds: The time that opening may take; nil for the usual limit.
    ///   - open: The work of the thread.
    package init(seconds: Double? = nil, rangeError: PropertyError? = nil, _ open: @escaping @Sendable () throws(GPUError) -> Renderer) {
        self.rangeError = rangeError
        let result = result
        opening = Result { () throws(GPUError) in
            try DriverThread(seconds: seconds) {
                do throws(GPUError) { result.put(.success(try open())) } catch { result.put(.failure(error)) }
            }
        }
    }

    /// Waits until the renderer is open or has failed to open.
    public func wait() {
        _ = try? opening.get().wait()
    }

    /// Waits for the renderer and returns it. The first caller owns the renderer; later callers get nil.
    /// - Throws: The error that occurred while the renderer was opened.
    public func renderer() throws(RenderError) -> Renderer? {
        if let rangeError { throw .range(rangeError) }
        do throws(GPUError) {
            try opening.get().wait()
            return try result.take()
        } catch {
            throw .device(error)
        }
    }
}
