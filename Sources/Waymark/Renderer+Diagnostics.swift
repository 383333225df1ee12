import WaymarkRendering
import WaymarkScene

extension Renderer {
    /// The `path` of diagnostics about features that the device lacks.
    fileprivate static let devicePath = "device"
    /// The `path` of diagnostics about base map tiles that could not be loaded.
    fileprivate static let baseMapPath = "basemap"

    /// What was found out only when the last picture was drawn; `draw` returns it.
    var drawingDiagnostics: [Diagnostic] { tileDiagnostics + deviceDiagnostics }

    /// Diagnostics for tiles missing in the last picture, one for each set and reason.
    private var tileDiagnostics: [Diagnostic] {
        var groups: [(first: RefusedTile, count: Int)] = []
        for tile in frames.refusedTiles {
            if let index = groups.firstIndex(where: { $0.first.set == tile.set && $0.first.reason == tile.reason }) {
                groups[index].count += 1
            } else {
                groups.append((tile, 1))
            }
        }
        return groups.map { tile, count in
            let others = count == 1 ? " is" : " and \(count - 1) other\(count == 2 ? "" : "s") are"
            return Diagnostic(path: Self.baseMapPath, message: "\(tile.set): tile \(tile.address)\(others) left out: \(tile.reason)")
        }
    }

    /// Diagnostics for features of the last picture that the device lacks.
    private var deviceDiagnostics: [Diagnostic] {
        frames.shortfalls.map { Diagnostic(path: Self.devicePath, message: message($0)) }
    }

    private func message(_ shortfall: Shortfall) -> String {
        switch shortfall {
        case .samples(1): "\(deviceName) has no multisampling: the edges of models are not antialiased"
        case .samples(let count): "\(deviceName) has only \(count) samples per pixel: the edges of models are coarser than requested"
        case .image(let name, let width, let height, let limit):
            "the image \(name) has \(width) × \(height) pixels, but textures of \(deviceName) have at most \(limit) per side; "
                + "a smaller copy is drawn"
        }
    }
}

extension Diagnostic {
    /// Whether its cause is the device and not the scene.
    package var isOfDevice: Bool { path == Renderer.devicePath }
    /// Whether it was found only by drawing the picture.
    package var isOfDrawing: Bool { isOfDevice || path == Renderer.baseMapPath }
}
