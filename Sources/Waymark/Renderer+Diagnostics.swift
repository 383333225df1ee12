import WaymarkRendering
import WaymarkScene

extension Renderer {
    /// The `path` of such diagnostics.
    fileprivate static let devicePath = "device"

    /// What the device draws poorer in the last picture than the map asks for.
    var deviceDiagnostics: [Diagnostic] {
        frames.shortfalls.map { Diagnostic(path: Self.devicePath, message: message($0)) }
    }

    private func message(_ shortfall: Shortfall) -> String {
        switch shortfall {
        case .samples(1): "\(deviceName) has no multisampling: the edges of models are not antialiased"
        case .samples(let count): "\(deviceName) has only \(count) samples per pixel: the edges of models are coarser"
        case .image(let name, let width, let height, let limit):
            "the image \(name) has \(width) × \(height) pixels, and textures of \(deviceName) have at most \(limit) a side: "
                + "a smaller copy is drawn"
        }
    }
}

extension Diagnostic {
    /// Whether its cause is the device and not the scene.
    package var isOfDevice: Bool { path == Renderer.devicePath }
}
