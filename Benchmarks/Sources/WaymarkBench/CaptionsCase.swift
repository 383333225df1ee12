import Foundation
import Waymark

/// Workload W4: a picture of 1024 × 1024 full of captions without icons that hide each other, drawn repeatedly.
struct CaptionsCase {
    /// A line for each caption: longitude, latitude and text, with tabs between.
    let labels: String
    /// Which overlays hide which.
    var flags = Flags.captions
    /// Which of two colliding captions is placed first.
    var order = Order.screen
    /// The family of the peers' font; nil for Waymark's own fonts.
    var font: String?
    /// The duration for which frames are measured.
    var budget = Duration.seconds(3)

    enum Flags: String {
        /// `isHideCollidedCaptions` on all: captions hide captions, as in the peers.
        case captions
        /// `isHideCollidedMarkers` on all. Icons of no size hide nothing, so the picture is the same.
        case markers
        /// No flags: every caption is drawn.
        case none
    }

    enum Order: String {
        /// The order of markers: captions lower on the screen come first, because they are drawn on top.
        case screen
        /// The order of the data, as in the peers: by `zIndex`, so that each caption has its own rank.
        case source
    }

    struct Figures: Encodable {
        var device: String
        var captions: Int
        /// From the arrays to the first finished picture; the device is already open.
        var setup_ms: Double
        /// Frames with an unmoved camera, including reading back.
        var still: FrameTimes
        /// Frames with the camera moved each time.
        var moved: FrameTimes
        /// The number of captions in the picture when the camera is at the center.
        var placed: Int
        var peak_rss_mib: Double
        var mean_byte: Double
    }

    func run() throws -> Figures {
        let places = try read()
        let renderer = try Renderer()
        var picture = Picture()
        var watch = Stopwatch()
        let mapView = MapView(size: CGSize(width: MarkersCase.side, height: MarkersCase.side))
        mapView.camera = camera(step: 0)
        mapView.add(markers(places))
        try renderer.render(mapView, into: &picture)
        let setup = watch.lap()
        let meanByte = picture.bitmap.meanByte
        let still = try FrameTimes(renderer, budget: budget) { _ in try renderer.render(mapView, into: &picture) }
        let moved = try FrameTimes(renderer, budget: budget) { step in
            mapView.camera = camera(step: step)
            try renderer.render(mapView, into: &picture)
        }
        let peak = peakMemory()
        mapView.camera = camera(step: 0)
        let placed = try mapView.inspection().overlays.count { $0.caption?.isVisible == true }
        return Figures(
            device: renderer.deviceName, captions: places.count, setup_ms: setup, still: still, moved: moved, placed: placed,
            peak_rss_mib: peak, mean_byte: meanByte)
    }

    /// The same steps as in the peers.
    private func camera(step: Int) -> Camera {
        let (lat, lng) = (MarkersCase.center.lat, MarkersCase.center.lng)
        return Camera(center: LatLng(lat: lat, lng: lng + 2e-5 * Double(step % 7)), zoom: MarkersCase.zoom)
    }

    /// Dark gray on white, centered on the position, as in the peers.
    private func markers(_ places: [(position: LatLng, text: String)]) -> [Marker] {
        let color = Color(red: 34.0 / 255, green: 34.0 / 255, blue: 34.0 / 255)
        return places.enumerated().map { index, place in
            let marker = Marker()
            marker.position = place.position
            marker.iconImage = .empty
            marker.captionText = place.text
            marker.captionTextSize = 12
            marker.captionColor = color
            marker.captionAlign = .center
            marker.captionFont = font
            switch flags {
            case .captions: marker.isHideCollidedCaptions = true
            case .markers: marker.isHideCollidedMarkers = true
            case .none: break
            }
            if order == .source { marker.zIndex = -index }
            return marker
        }
    }

    private func read() throws -> [(position: LatLng, text: String)] {
        try String(contentsOfFile: labels, encoding: .utf8).split(separator: "\n").map { line in
            let fields = line.split(separator: "\t", maxSplits: 2)
            guard fields.count == 3, let lng = Double(fields[0]), let lat = Double(fields[1]) else {
                throw Arguments.Mistake("\(labels): “\(line)” is not a caption")
            }
            return (LatLng(lat: lat, lng: lng), String(fields[2]))
        }
    }
}
