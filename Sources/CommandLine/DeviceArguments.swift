import ArgumentParser
import Waymark

/// The device that draws, and the fonts.
struct DeviceArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            The device that draws: auto, an index from the list that waymark doctor --verbose prints, drm:/dev/dri/renderD128, cuda:N, \
            surfaceless or software. \
            Default: WAYMARK_DEVICE, else auto.
            """,
            valueName: "DEVICE"), completion: .list(["auto", "software", "surfaceless"]))
    var device: String?

    @Flag(name: .customLong("require-gpu"), help: "Fail if only a software rasterizer is available.")
    var requireGPU = false

    @Option(
        help: ArgumentHelp(
            "A folder of fonts to use instead of the system's. Default: WAYMARK_FONT_DIR, else the system's.", valueName: "DIR"),
        completion: .directory)
    var fontDir: String?

    var fontSource: FontSource { fontDir.map { .folder($0) } ?? .default }

    /// The device of `--device`; nil if the option is missing.
    func chosen() throws(Failure) -> Device? {
        guard let device else { return nil }
        do throws(GPUError) { return try Device(device) } catch { throw Failure(error) }
    }

    /// Starts opening the device on a separate thread.
    /// - Parameters:
    ///   - cacheBytes: The limit on the renderer's caches; nil for the default.
    ///   - isForOnePicture: Whether a software rasterizer is opened only if the picture needs it. Default false.
    func opening(cacheBytes: Int?, isForOnePicture: Bool = false) throws(Failure) -> RendererOpening {
        let (device, cacheBytes) = (try chosen(), cacheBytes ?? Renderer.defaultCacheBytes)
        if isForOnePicture { return RendererOpening(forOnePicture: device, requireGPU: requireGPU, cacheBytes: cacheBytes) }
        return RendererOpening(device: device, requireGPU: requireGPU, cacheBytes: cacheBytes)
    }
}

extension RendererOpening {
    /// The renderer.
    /// - Throws: `Failure` with the reason if no renderer could be opened.
    func opened() throws(Failure) -> Renderer {
        do throws(RenderError) {
            if let renderer = try renderer() { return renderer }
        } catch {
            throw Failure(error, scene: "")
        }
        throw Failure(.software, "the renderer was requested twice")
    }
}
