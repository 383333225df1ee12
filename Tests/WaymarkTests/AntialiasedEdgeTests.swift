import Foundation
import Testing
import Waymark
import WaymarkPictureCases
import WaymarkTestSupport

/// `PictureComparison.Antialiasing.ignored` on pictures of maps: edges may be elsewhere by part of a pixel, and nothing else may.
@Suite(.serialized) @MainActor struct AntialiasedEdgeTests {
    init() { PinnedRasterizer.pin }

    private func load(_ name: String) throws -> MapView { try #require(PictureCase.all.first { $0.name == name }).load() }

    private func compare(_ a: Bitmap, _ b: Bitmap) -> PictureComparison { PictureComparison(a, b, antialiasing: .ignored) }

    /// The whole map a fifth of a pixel farther right and down.
    private func nudge(_ mapView: MapView, by share: Double = 0.2) throws {
        let size = mapView.size
        let center = try #require(mapView.geoCoordinates(from: CGPoint(x: size.width / 2 - share, y: size.height / 2 - share)))
        mapView.camera.center = center
    }

    @Test(arguments: [
        "polyline/join-round", "polyline/parts", "polygon/hole", "geoModel/date-line", "geoModel/one-metre",
    ])
    func aFifthOfAPixelIsHarmless(name: String) throws {
        let mapView = try load(name)
        let first = try draw(mapView)
        try nudge(mapView)
        let second = try draw(mapView)
        #expect(!PictureComparison(first, second).matches)
        let comparison = compare(first, second)
        #expect(comparison.matches && comparison.ignoredPixels > 100, "\(comparison)")
        // Ten times that distance is reported.
        try nudge(mapView, by: 2)
        #expect(try !compare(first, draw(mapView)).matches)
    }

    /// Edges of models as softpipe and a GPU draw them.
    @Test func modelsWithoutMultisamplingDifferAtTheirEdgesAlone() throws {
        let mapView = try load("localModel/autoscaled")
        let first = try draw(mapView)
        mapView.modelSamples = 1
        let second = try draw(mapView)
        #expect(PictureComparison(first, second).differingPixels > 100)
        #expect(compare(first, second).matches, "\(compare(first, second))")
    }

    private func city(_ change: (Marker) -> Void = { _ in }) throws -> Bitmap {
        let mapView = MapView(160, 120, Camera(zoom: 4))
        mapView.background = .white
        mapView.add(0, 0) {
            $0.captionText = "Harbor 17i"
            change($0)
        }
        return try draw(mapView)
    }

    @Test func aMarkerMovedByOnePixelIsFound() throws {
        let first = try city()
        for offset in [CGPoint(x: 1, y: 0), CGPoint(x: 0, y: 1), CGPoint(x: -1, y: 1)] {
            let comparison = compare(first, try city { $0.anchorOffset = offset })
            #expect(comparison.differingPixels > 5, "\(comparison)")
        }
    }

    @Test func aCaptionsColorIsFound() throws {
        let first = try city { $0.captionColor = Color(hex8: 0x0000_00FF) }
        let comparison = compare(first, try city { $0.captionColor = Color(hex8: 0x0808_08FF) })
        #expect(comparison.differingPixels > 5 && comparison.largest?.difference == 8, "\(comparison)")
    }

    @Test(arguments: ["Harbor 17", "Harbor 7i", "Harbr 17i", "Harbor 171"]) func aMissingGlyphIsFound(text: String) throws {
        let comparison = compare(try city(), try city { $0.captionText = text })
        #expect(comparison.differingPixels > 5, "\(comparison)")
    }
}

extension Color {
    fileprivate init(hex8: UInt32) {
        func channel(_ shift: UInt32) -> Double { Double(hex8 >> shift & 255) / 255 }
        self.init(red: channel(24), green: channel(16), blue: channel(8), alpha: channel(0))
    }
}
