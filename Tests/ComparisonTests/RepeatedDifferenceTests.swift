import Foundation
import Testing
import Waymark
import WaymarkComparison
import WaymarkTestSupport

/// Differences of several pictures, and of cameras.
@MainActor @Suite(.serialized) struct RepeatedDifferenceTests {
    /// Three markers and a line, from a bearing; the camera is fitted if `fit` is given.
    private func draw(
        bearing: Double = 0, tilt: Double = 0, fit: FitOptions? = nil, _ change: (MapView, [Marker]) -> Void = { _, _ in }
    ) throws -> ComparedPicture {
        let map = MapView(size: CGSize(width: 240, height: 180))
        map.background = .white
        map.camera = Camera(center: LatLng(37.5, 127), zoom: 12, bearing: bearing, tilt: tilt)
        let markers = [(37.505, 126.99), (37.495, 127.0), (37.5, 127.01)].map { Marker(position: LatLng($0.0, $0.1)) }
        for (marker, name) in zip(markers, ["hall", "gate", "tower"]) {
            marker.id = name
            marker.captionText = name
        }
        let road = Polyline(points: [LatLng(37.495, 126.985), LatLng(37.505, 127.01)])
        road.id = "road"
        map.add(road)
        map.add(markers)
        change(map, markers)
        if var fit {
            (fit.bearing, fit.tilt) = (bearing, tilt)
            map.camera = try map.camera(fitting: fit)
        }
        return try Drawing.draw(map)
    }

    @Test func aDifferenceOfSeveralPicturesIsReportedOnce() throws {
        var report = ComparisonReport(title: "sweep", rule: .exact)
        for bearing in [0.0, 90, 180, 270] {
            let actual = try draw(bearing: bearing) { _, markers in
                if bearing > 0 { markers[0].position = LatLng(37.505, 126.991) }
                if bearing == 90 { markers[1].iconImage = .red }
            }
            try report.compare("bearing \(Int(bearing))", expected: draw(bearing: bearing), actual: actual)
        }
        let lines = report.description.split(separator: "\n").map(String.init)
        #expect(lines[0].hasPrefix("marker hall: moved by up to ") && lines[0].hasSuffix(" pt in 3 of 4 pictures"), "\(lines)")
        #expect(
            lines.map { $0.prefix { $0 != ":" } } == [
                "marker hall", "bearing 90", "  marker gate", "bearing 180", "bearing 270", "3 of 4 pictures differ",
            ])
        // The lines of each picture are complete in the other formats.
        #expect(report.junitText.components(separatedBy: "marker hall: moved by (").count == 4)
        let page = report.html
        #expect(page.contains("<nav>") && page.contains("<a href=\"#picture-2\">bearing 270</a>"))
        #expect(page.components(separatedBy: "<section id=\"picture-").count == 4)
        // A single difference needs no index.
        var single = ComparisonReport(title: "one", rule: .exact)
        try single.compare("one", expected: draw(), actual: draw { $1[0].isHidden = true })
        #expect(!single.html.contains("<nav>"))
        #expect(single.description.hasSuffix("\n  marker hall: is not drawn: hidden\n1 of 1 pictures differs"), "\(single)")
    }

    @Test(arguments: [(0.0, 0.0), (30, 0), (200, 50)]) func aCameraThatMoved(bearing: Double, tilt: Double) throws {
        var report = ComparisonReport(title: "camera", rule: .exact)
        let verdict = try report.compare(
            "view", expected: draw(bearing: bearing, tilt: tilt),
            actual: draw(bearing: bearing, tilt: tilt) { map, _ in map.camera.zoom = 12.25 })
        #expect(!verdict.matches && verdict.details == ["camera: the zoom is 12.25, expected 12"], "\(verdict)")
        #expect(verdict.camera?.actual.zoom == 12.25 && verdict.otherPixels == nil)
        #expect(report.html.contains("<span>camera</span></th><td>the zoom is 12.25, expected 12</td>"))
    }

    /// Its window stays at the same height in pt above the marker, whatever the zoom.
    @Test func aCameraThatMovedBelowAWindow() throws {
        func drawn(zoom: Double) throws -> ComparedPicture {
            try draw { map, markers in
                map.camera.zoom = zoom
                markers[0].title = "Hall"
                map.selectedMarker = markers[0]
            }
        }
        var report = ComparisonReport(title: "camera", rule: .exact)
        let verdict = try report.compare("view", expected: drawn(zoom: 12), actual: drawn(zoom: 12.25))
        #expect(verdict.details == ["camera: the zoom is 12.25, expected 12"], "\(verdict)")
    }

    /// An overlay at the edge moves the fitted camera, and the other overlays with it.
    @Test(arguments: [(0.0, 0.0), (30, 0), (200, 50)]) func aFittedCamera(bearing: Double, tilt: Double) throws {
        let fit = FitOptions(padding: 20)
        var report = ComparisonReport(title: "fitted", rule: .exact)
        let verdict = try report.compare(
            "view", expected: draw(bearing: bearing, tilt: tilt, fit: fit),
            actual: draw(bearing: bearing, tilt: tilt, fit: fit) { _, markers in
                markers[2].position = LatLng(37.5, 127.02)
                markers[0].captionText = "town hall"
            })
        #expect(verdict.details.first?.hasPrefix("camera: the ") == true, "\(verdict)")
        #expect(verdict.overlays.map(\.id) == ["hall", "tower"], "\(verdict)")
        #expect(verdict.overlays.first?.changes == [.text(from: "hall", to: "town hall")])
        guard case .moved(nil, _, _)? = verdict.overlays.last?.changes.first else {
            Issue.record("\(verdict)")
            return
        }
    }

    @Test func whatTheSceneHidesIsReportedWithAnyCamera() throws {
        var report = ComparisonReport(title: "camera", rule: .exact)
        let verdict = try report.compare(
            "view", expected: draw(),
            actual: draw { map, markers in
                // The tower is outside the picture, and the hall is hidden.
                map.camera = Camera(center: LatLng(37.5, 126.95), zoom: 12)
                markers[0].isHidden = true
                map.remove(markers[1])
            })
        #expect(verdict.overlays.map(\.description) == ["marker gate: is missing", "marker hall: is not drawn: hidden"], "\(verdict)")
    }
}
