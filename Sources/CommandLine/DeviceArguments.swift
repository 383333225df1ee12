import ArgumentParser
import Waymark

/// Which device draws.
struct DeviceArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "auto, a number of EGL's list, drm:/dev/dri/renderD128, cuda:N, surfaceless or software. Default: WAYMARK_DEVICE, else auto.",
            valueName: "DEVICE"))
    var device: String?

    @Flag(name: .customLong("require-gpu"), help: "Fail when only a software rasteriser is there.")
    var requireGPU = false

    func renderer() throws(Failure) -> Renderer {
        do throws(RenderError) {
            return try Renderer(device: device, requireGPU: requireGPU)
        } catch {
            throw Failure(error, scene: "")
        }
    }
}
