import ArgumentParser
import Waymark

/// Which device draws, and with which fonts.
struct DeviceArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "auto, a number of EGL's list, drm:/dev/dri/renderD128, cuda:N, surfaceless or software. Default: WAYMARK_DEVICE, else auto.",
            valueName: "DEVICE"))
    var device: String?

    @Flag(name: .customLong("require-gpu"), help: "Fail when only a software rasterizer is available.")
    var requireGPU = false

    @Option(
        help: ArgumentHelp(
            "A folder of fonts to use instead of the system's. Default: WAYMARK_FONT_DIR, else the system's.", valueName: "DIR"))
    var fontDir: String?

    var fontSource: FontSource { fontDir.map { .folder($0) } ?? .default }

    /// Starts opening the device on a thread of its own.
    /// - Parameter cacheBytes: What the renderer keeps between pictures; nil for the usual number of bytes.
    func opening(cacheBytes: Int?) -> RendererOpening {
        RendererOpening(device: device, requireGPU: requireGPU, cacheBytes: cacheBytes ?? Renderer.defaultCacheBytes)
    }
}

extension RendererOpening {
    /// The renderer, or the failure that explains why there is none.
    func opened() throws(Failure) -> Renderer {
        do throws(RenderError) {
            if let renderer = try renderer() { return renderer }
        } catch {
            throw Failure(error, scene: "")
        }
        throw Failure(.software, "the renderer was taken twice")
    }
}
