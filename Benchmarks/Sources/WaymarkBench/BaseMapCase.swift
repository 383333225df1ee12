import Foundation
import Waymark

/// Workloads W8 and W9: a picture of 1024 × 1024 of raster tiles, or of vector tiles, drawn repeatedly with the camera moved
/// each time: by parts of a pixel, so that the tiles are known, or, cold, by more than a picture, so that all of them are read and decoded.
struct BaseMapCase {
    /// A folder of tiles, or an archive.
    let tiles: String
    var zoom = MarkersCase.zoom
    var tilt = 0.0
    var bearing = 0.0
    var isCold = false
    /// Whether the names in vector tiles are drawn.
    var hasLabels = false
    var buildings = BuildingStyle.flat
    var budget = Duration.seconds(3)
    /// The file of the first picture, for inspection; nil for none.
    var output: String?

    struct Figures: Encodable {
        var device: String
        var first_ms: Double
        var frame_ms: Times
        var layout_ms: Times
        var drawing_ms: Times
        var peak_rss_mib: Double
        var mean_byte: Double
    }

    func run() throws -> Figures {
        let renderer = try Renderer()
        let mapView = MapView(size: CGSize(width: MarkersCase.side, height: MarkersCase.side))
        var layer = BaseMapLayer(source: try TileArchive.open(tiles))
        (layer.labels, layer.pois, layer.buildings) = (hasLabels, false, buildings)
        mapView.baseMap = [layer]
        mapView.showsAttribution = false
        mapView.camera = camera(step: 0)
        var picture = Picture()
        var watch = Stopwatch()
        try renderer.render(mapView, into: &picture)
        let first = watch.lap()
        if let output { try picture.write(to: output) }
        guard picture.diagnostics.isEmpty else { throw Arguments.Mistake("\(picture.diagnostics)") }
        let meanByte = picture.bitmap.meanByte
        let times = try FrameTimes(renderer, budget: budget) { step in
            mapView.camera = camera(step: step)
            try renderer.render(mapView, into: &picture)
        }
        return Figures(
            device: renderer.deviceName, first_ms: first, frame_ms: times.frame_ms, layout_ms: times.layout_ms,
            drawing_ms: times.drawing_ms, peak_rss_mib: peakMemory(), mean_byte: meanByte)
    }

    /// Warm: steps of a fraction of a pixel to two pixels; cold: steps of 1,100 pixels along a path without repetition.
    private func camera(step: Int) -> Camera {
        let pixel = 360 / (512 * exp2(zoom))
        var (right, up) = (Double(step % 7) * 0.37, Double(step % 5) * 0.53)
        if isCold { (right, up) = (Double(step % 16) * 1100, Double(step / 16) * 1100) }
        let center = LatLng(lat: MarkersCase.center.lat + up * pixel * 0.79, lng: MarkersCase.center.lng + right * pixel)
        return Camera(center: center, zoom: zoom, bearing: bearing, tilt: tilt)
    }
}
