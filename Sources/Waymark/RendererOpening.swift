import Synchronization
import WaymarkGPU
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// Opens a renderer on a new thread while the caller decodes a scene. This saves time, because loading the driver and compiling the first
/// shaders take longer than decoding.
///
/// Drivers crash if the process ends while they are working. The thread must therefore end before the process does. To ensure this, call
/// `renderer()` or `wait()`. A driver that does not answer within 20 s (or `WAYMARK_DEVICE_TIMEOUT` seconds) is abandoned: see
/// `Renderer.init`.
public final class RendererOpening: Sendable {
    private let open: @Sendable () throws(GPUError) -> Renderer
    private let seconds: Double?
    private let rangeError: PropertyError?
    /// The thread that opens the renderer; nil if it has not been started.
    private let thread = Mutex<Result<DriverThread, GPUError>?>(nil)
    private let result = DriverResult<Renderer>()

    /// Starts opening a renderer. The parameters are described at `Renderer.init`.
    public convenience init(device: Device? = nil, requireGPU: Bool = false, cacheBytes: Int = Renderer.defaultCacheBytes) {
        // Applied now, so that decoding the scene already observes it.
        let budget = CacheBudget(byteLimit: max(0, cacheBytes))
        self.init(rangeError: Renderer.rangeError(ofCacheBytes: cacheBytes)) { () throws(GPUError) in
            try Self.open(device, requireGPU: requireGPU, budget)
        }
    }

    /// Opens a renderer for one picture. Opening a software rasterizer takes longer than drawing a small map, and most maps can be drawn
    /// without it. A device that can only be a software rasterizer is therefore opened later: by `begin(for:)`, or by the first picture
    /// that needs it, which then throws the errors of opening it.
    package convenience init(forOnePicture device: Device?, requireGPU: Bool, cacheBytes: Int) {
        guard !requireGPU, let chosen = try? Device.chosen(device), chosen.isSurelySoftware else {
            self.init(device: device, requireGPU: requireGPU, cacheBytes: cacheBytes)
            return
        }
        let budget = CacheBudget(byteLimit: max(0, cacheBytes))
        self.init(rangeError: Renderer.rangeError(ofCacheBytes: cacheBytes), startsNow: false) { () throws(GPUError) in
            try Self.open(device, requireGPU: false, budget)
        }
        result.put(.success(Renderer(openingWhenNeeded: chosen, budget: budget)))
    }

    /// - Parameters:
    ///   - seconds: The time that opening may take; nil for the usual limit.
    ///   - open: The work of the thread.
    package init(
        seconds: Double? = nil, rangeError: PropertyError? = nil, startsNow: Bool = true,
        _ open: @escaping @Sendable () throws(GPUError) -> Renderer
    ) {
        (self.seconds, self.rangeError, self.open) = (seconds, rangeError, open)
        if startsNow { start() }
    }

    private func start() {
        thread.withLock { thread in
            guard thread == nil else { return }
            thread = Result { [result, open, seconds] () throws(GPUError) in
                try DriverThread(seconds: seconds) {
                    do throws(GPUError) { result.put(.success(try open())) } catch { result.put(.failure(error)) }
                }
            }
        }
    }

    private static func open(_ device: Device?, requireGPU: Bool, _ budget: CacheBudget) throws(GPUError) -> Renderer {
        let renderer = try Renderer(opening: device, requireGPU: requireGPU, budget: budget)
        try renderer.warmUp()
        return renderer
    }

    /// Starts opening the device if the map's picture will probably need it, unless opening has already begun. The caller can lay out the
    /// map in the meantime.
    package func begin(for mapView: MapView) {
        if mapView.probablyNeedsDevice { start() }
    }

    /// Waits until the renderer is open or has failed to open.
    public func wait() {
        _ = try? thread.withLock(\.self)?.get().wait()
    }

    /// Waits for the renderer and returns it. The first caller owns the renderer; later callers get nil.
    /// - Throws: The error that occurred while the renderer was opened.
    public func renderer() throws(RenderError) -> Renderer? {
        if let rangeError { throw .range(rangeError) }
        do throws(GPUError) {
            try thread.withLock(\.self)?.get().wait()
            return try result.take()
        } catch {
            throw .device(error)
        }
    }
}

extension MapView {
    /// Whether a software rasterizer will probably be needed: the map, or an inset of it, has models, images on the ground or raster tiles,
    /// or is very large.
    fileprivate var probablyNeedsDevice: Bool {
        store.hasHadImagesOrModels || baseMap.contains { $0.vectorTiles == nil || $0.buildings == .extruded }
            || max(size.width, size.height) * pixelRatio > 8192 || insetMaps.contains(where: \.probablyNeedsDevice)
    }
}
