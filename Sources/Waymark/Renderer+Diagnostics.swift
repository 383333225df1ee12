import WaymarkLayout
import WaymarkRendering
import WaymarkScene
import WaymarkTiles

extension Renderer {
    /// The `path` of diagnostics about features that the device lacks.
    fileprivate static let devicePath = "device"
    /// The `path` of diagnostics about base map tiles that could not be loaded.
    fileprivate static let baseMapPath = "basemap"

    /// The diagnostics that were found only when the last picture was drawn. `draw` returns them.
    var drawingDiagnostics: [Diagnostic] {
        tileDiagnostics + frames.shortfalls.map { Diagnostic(path: Self.devicePath, message: message($0)) }
    }

    /// Diagnostics for tiles missing in the last picture, one for each set and reason.
    private var tileDiagnostics: [Diagnostic] {
        var sets: [(name: String, refusals: TileRefusals)] = []
        for tile in frames.refusedTiles {
            let index = sets.firstIndex { $0.name == tile.set } ?? sets.endIndex
            if index == sets.endIndex { sets.append((tile.set, TileRefusals())) }
            sets[index].refusals.add(tile.address, TileRefusal(tile.reason))
        }
        return sets.flatMap { $0.refusals.diagnostics(Self.baseMapPath, ofSet: $0.name) }
    }

    /// The message about a feature of the last picture that the device lacks.
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
    /// Whether the cause of the diagnostic is the device and not the scene.
    package var isOfDevice: Bool { path == Renderer.devicePath }
    /// Whether the diagnostic was found only by drawing the picture.
    package var isOfDrawing: Bool { isOfDevice || path == Renderer.baseMapPath }
}
