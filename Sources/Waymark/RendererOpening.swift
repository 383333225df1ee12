import WaymarkGPU
import WaymarkGeo
import WaymarkImaging

/// Opens a renderer on a thread of its own while the caller decodes a scene: loading the driver and compiling the first shaders takes
/// longer than that.
///
/// The thread must end before the process does, since drivers crash when they are torn down while they work: call `renderer()` or
/// `wait()`. A driver that has not answered within 20 s (the environment's `WAYMARK_DEVICE_TIMEOUT`, in seconds) is given up: see
/// `Renderer.init`.
public final class RendererOpening: Sendable {
    private let opening: Result<DriverThread, GPUError>
    private let rangeError: PropertyError?
    private let result = DriverResult<Renderer>()

    /// Starts opening. The parameters are those of `Renderer`.
    public convenience init(device: String? = nil, requireGPU: Bool = false, cacheBytes: Int = Renderer.defaultCacheBytes) {
        // From now on, so that decoding the scene keeps to it.
        let budget = CacheBudget(byteLimit: max(0, cacheBytes))
        var rangeError: PropertyError?
        do throws(PropertyError) { try Renderer.check(cacheBytes: cacheBytes) } catch { rangeError = error }
        self.init(rangeError: rangeError) { () throws(GPUError) in
            let renderer = try Renderer(opening: device, requireGPU: requireGPU, budget: budget)
            try renderer.warmUp()
            return renderer
        }
    }

    /// - Parameters:
    ///   - seconds: How long it may take; nil for the usual time.
    ///   - open: What is done on the thread.
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

    /// The renderer, for the first caller, who then owns it; nil for later ones.
    /// - Throws: The error of opening it.
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
