import Foundation
import Waymark

/// The card of W1 with an info window and without one, in turn.
struct WindowCase {
    let scene: String

    struct Figures: Encodable {
        var device: String
        /// Pictures with the window, whose content has been drawn, and without it; the camera is moved each time.
        var window_ms: Times
        var plain_ms: Times
        /// The median of the ratios of each turn.
        var ratio: Double
        var mean_byte: Double
    }

    private static let (warmRuns, runs) = (30, 100)

    func run() throws -> Figures {
        let file = try SceneFile(contentsOf: scene)
        let mapView = file.mapView
        if let fit = file.fit { mapView.camera = try mapView.camera(fitting: fit) }
        guard let marker = mapView.overlays.lazy.compactMap({ $0 as? Marker }).first else {
            throw Arguments.Mistake("\(scene): the scene has no marker")
        }
        (marker.title, marker.snippet) = ("City Hall", "Open from nine to six, Monday to Friday")
        let renderer = try Renderer()
        var picture = Picture()
        let camera = mapView.camera
        func time(_ step: Int, _ selected: Marker?) throws -> Duration {
            mapView.selectedMarker = selected
            mapView.camera.center.lng = camera.center.lng + 1e-5 * Double(step % 7)
            let start = ContinuousClock.now
            try renderer.render(mapView, into: &picture)
            return ContinuousClock.now - start
        }
        for step in 0..<Self.warmRuns { _ = try (time(step, marker), time(step, nil)) }
        let turns = try (0..<Self.runs).map { step in try (window: time(step, marker), plain: time(step, nil)) }
        let ratios = turns.map { $0.window / $0.plain }.sorted()
        _ = try time(0, marker)
        return Figures(
            device: renderer.deviceName, window_ms: Times(turns.map(\.window)), plain_ms: Times(turns.map(\.plain)),
            ratio: ratios[ratios.count / 2], mean_byte: picture.bitmap.meanByte)
    }
}
