import Foundation
import Waymark

/// Workload W1, warm: the picture of a scene file, drawn repeatedly and encoded as PNG.
struct CardCase {
    let scene: String

    /// Milliseconds.
    struct Figures: Encodable {
        var device: String
        /// To the PNG's bytes.
        var png_ms: Times
        /// The same with the camera moved each time.
        var moved_png_ms: Times
        /// To the pixels.
        var pixels_ms: Times
        var png_bytes: Int
        var peak_rss_mib: Double
        var mean_byte: Double
    }

    /// As many runs as in the peers.
    private static let (warmRuns, runs) = (30, 50)

    func run() throws -> Figures {
        let file = try SceneFile(contentsOf: scene)
        let mapView = file.mapView
        if let fit = file.fit { mapView.camera = try mapView.camera(fitting: fit) }
        let renderer = try Renderer()
        var picture = Picture()
        let camera = mapView.camera
        func png() throws -> Int {
            try renderer.render(mapView, into: &picture)
            return try picture.bitmap.encoded(as: .png).count
        }
        for _ in 0..<Self.warmRuns { _ = try png() }
        let bytes = try png()
        let meanByte = picture.bitmap.meanByte
        let still = try Times(runs: Self.runs) { _ in _ = try png() }
        let moved = try Times(runs: Self.runs) { step in
            mapView.camera.center.lng = camera.center.lng + 1e-5 * Double(step % 7)
            _ = try png()
        }
        mapView.camera = camera
        let pixels = try Times(runs: Self.runs) { _ in try renderer.render(mapView, into: &picture) }
        return Figures(
            device: renderer.deviceName, png_ms: still, moved_png_ms: moved, pixels_ms: pixels, png_bytes: bytes,
            peak_rss_mib: peakMemory(), mean_byte: meanByte)
    }
}
