import Foundation
import Waymark

/// The stages of `waymark render SCENE -o PICTURE`, measured separately, once and cold.
struct FileCase {
    let scene: String
    let output: String
    let size: CGSize?

    /// Milliseconds of every stage.
    struct Figures: Encodable {
        var device: String
        var overlays: Int
        var read_ms: Double
        /// JSON to scene objects.
        var parse_ms: Double
        /// Finding the camera, which fills the layout's columns.
        var fit_ms: Double
        /// Opening the device and compiling shaders.
        var device_ms: Double
        var layout_ms: Double
        /// Upload, drawing and reading back.
        var drawing_ms: Double
        var encode_ms: Double
        var write_ms: Double
        var total_ms: Double
        var peak_rss_mib: Double
        var mean_byte: Double
    }

    func run() throws -> Figures {
        var whole = Stopwatch()
        var watch = Stopwatch()
        let data = try Data(contentsOf: URL(filePath: scene))
        let read = watch.lap()
        let file = try SceneFile(data: data, name: scene)
        let parse = watch.lap()
        let mapView = file.mapView
        if let size { mapView.size = size }
        if let fit = file.fit { mapView.camera = try mapView.camera(fitting: fit) }
        let fit = watch.lap()
        let renderer = try Renderer()
        let device = watch.lap()
        let picture = try renderer.render(mapView)
        _ = watch.lap()
        let png = try picture.bitmap.encoded(as: .png)
        let encode = watch.lap()
        try Data(png).write(to: URL(filePath: output), options: .atomic)
        let write = watch.lap()
        let total = whole.lap()
        return Figures(
            device: renderer.deviceName, overlays: mapView.overlays.count, read_ms: read, parse_ms: parse, fit_ms: fit,
            device_ms: device, layout_ms: renderer.lastDurations.layout.milliseconds,
            drawing_ms: renderer.lastDurations.drawing.milliseconds, encode_ms: encode, write_ms: write, total_ms: total,
            peak_rss_mib: peakMemory(), mean_byte: picture.bitmap.meanByte)
    }
}
