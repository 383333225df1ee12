import Foundation
import Testing
import Waymark
import WaymarkFrame
import WaymarkLayout
import WaymarkTestSupport

/// Upright icons with another size than their images are resampled once, from the image's pixels to the picture's.
@Suite(.serialized) @MainActor struct ScaledIconTests {
    init() { PinnedRasterizer.pin }

    private func picture(_ mapView: MapView, _ icon: Bitmap, scale: Double = 1, _ change: (Marker) -> Void) throws -> Marker {
        mapView.add(0, 0) {
            $0.iconImage = OverlayImage(bitmap: icon, scale: scale)
            $0.anchor = CGPoint(x: 0.5, y: 0.5)
            change($0)
        }
    }

    /// The bounds are the errors of a good bicubic reduction.
    @Test(arguments: [(0.3, 3.0), (0.5, 12), (0.7, 6), (0.9, 7)])
    func aReducedIconIsTheMeanOfItsAreaWhereverItStands(scale: Double, bound: Double) throws {
        let side = Int((64 * scale + 0.5).rounded(.down))
        let ideal = IconMeasure(mean: .detailed, width: side, height: side)
        let mapView = MapView(80, 80, Camera(zoom: 10))
        let marker = try picture(mapView, .detailed) { ($0.width, $0.height) = (64 * scale, 64 * scale) }
        var icons: [Bitmap] = []
        for place in 0..<16 {
            let degree = 1 / mapView.pixelsPerDegree
            marker.position = LatLng(lat: Double(place / 4) / 4 * degree, lng: Double(place % 4) / 4 * degree)
            let drawn = try draw(mapView)
            let box = try #require(drawn.inked)
            icons.append(drawn.cropped(box[0], box[1], box[2] - box[0], box[3] - box[1]))
        }
        // The disc reaches to the image's edges.
        #expect(icons[0].width == side && icons[0].height == side)
        #expect(Set(icons.map(\.pixels)).count == 1)
        let error = IconMeasure(icons[0]).distance(to: ideal)
        #expect(error <= 0.5, "\(error)")
        #expect(error <= bound)
    }

    @Test func anIconForDoubleRatioIsTheSameAtRatio1() throws {
        let mapView = MapView(60, 60, Camera(zoom: 10))
        let marker = try picture(mapView, .detailed, scale: 2) { _ in }
        marker.position = LatLng(lat: 0.3 / mapView.pixelsPerDegree, lng: 0.4 / mapView.pixelsPerDegree)
        let drawn = try draw(mapView)
        let box = try #require(drawn.inked)
        #expect(box[2] - box[0] == 32 && box[3] - box[1] == 32)
        let ideal = IconMeasure(mean: .detailed, width: 32, height: 32)
        #expect(IconMeasure(drawn.cropped(box[0], box[1], 32, 32)).distance(to: ideal) < 0.5)
    }

    /// Collisions and inspection see the drawn box; the anchor stays where it is.
    @Test func theBoxIsSnappedAndTheAnchorIsNot() throws {
        let mapView = MapView(100, 100, Camera(zoom: 10))
        let marker = try picture(mapView, .detailed) { ($0.width, $0.height) = (20.4, 30.5) }
        marker.position = LatLng(lat: 0, lng: 0.3 / mapView.pixelsPerDegree)
        let entry = try mapView.inspection().overlays[0]
        let quad = try #require(entry.icon?.quad)
        // 50.3 − 10 and 50 − 15.5, to whole pixels.
        #expect(quad == [.init(x: 40, y: 35), .init(x: 60, y: 35), .init(x: 60, y: 66), .init(x: 40, y: 66)])
        #expect(abs(try #require(entry.anchor).x - 50.3) < 1e-3)
        #expect(try draw(mapView).inked == [40, 35, 60, 66])
    }

    @Test(arguments: [1.0, 2, 1.5]) func anEnlargedIconIsSmoothAndStaysWithinItsBox(ratio: Double) throws {
        let mapView = MapView(200, 200, pixelRatio: ratio, Camera(zoom: 10))
        _ = try picture(mapView, .detailed) { ($0.width, $0.height) = (150, 120) }
        let image = try #require(mapView.frame().images.first)
        #expect(image.bitmap == Bitmap.detailed.scaled(toWidth: Int(150 * ratio), height: Int(120 * ratio)))
        #expect(try mapView.frame().sprites.map(\.sampling) == [.nearest])
    }

    /// The device stretches an icon that would take too many pixels, on the same whole pixels.
    @Test func veryLargeIconsAreStretched() throws {
        let mapView = MapView(100, 100, pixelRatio: 2, Camera(zoom: 10))
        let marker = try picture(mapView, Bitmap(width: 64, height: 64, fill: .red)) { ($0.width, $0.height) = (10_000, 10_000) }
        #expect(try mapView.frame().images.map { [$0.width, $0.height] } == [[64, 64]])
        #expect(try draw(mapView) == Bitmap(width: 200, height: 200, fill: .red))
        (marker.width, marker.height) = (10_000, 0.2)
        #expect(try mapView.frame().images.map { [$0.width, $0.height] } == [[64, 1]])
        #expect(try mapView.frame().sprites.map { [$0.acrossX, $0.downY] } == [[20_000, 1]])
        let drawn = try draw(mapView)
        #expect(drawn.inked.map { [$0[0], $0[2], $0[3] - $0[1]] } == [0, 200, 1])
        marker.iconImage = MarkerImage.red
        (marker.width, marker.height) = (10_000, 10_000)
        #expect(try draw(mapView)[100, 10].alpha == 255)
    }

    @Test func thinAndTinyIconsHaveAPixel() throws {
        let mapView = MapView(60, 5000, Camera(zoom: 10))
        var line = Bitmap(width: 1, height: 4096, fill: .red)
        line[0, 4095] = .opaqueBlue
        let marker = try picture(mapView, line) { $0.width = 3 }
        var drawn = try draw(mapView)
        #expect(drawn.inked == [29, 452, 32, 4548])
        #expect(drawn[30, 1000] == .opaqueRed && drawn[30, 4547].blue > 200)
        marker.height = 3
        drawn = try draw(mapView)
        #expect(drawn.inked == [29, 2499, 32, 2502])
        marker.iconImage = OverlayImage(bitmap: .detailed)
        (marker.width, marker.height) = (0.01, 0.01)
        drawn = try draw(mapView)
        let box = try #require(drawn.inked)
        #expect(box[2] - box[0] == 1 && box[3] - box[1] == 1)
        // Far from upright, it covers next to nothing.
        marker.angle = 45
        #expect(try draw(mapView).inked == nil)
        (marker.width, marker.height) = (0.01, 10_000)
        #expect(try draw(mapView).pixels.count > 0)
    }

    /// Each size in pixels has one raster, and only visible ones are made.
    @Test func manyWidthsOfOneImageShareFewRasters() throws {
        var random = SplitMix64(seed: 5)
        let mapView = MapView(300, 300, Camera(zoom: 4))
        let image = OverlayImage(bitmap: .detailed)
        for _ in 0..<20_000 {
            mapView.add(random.number(-60...60), random.number(-170...170)) {
                $0.iconImage = image
                ($0.width, $0.height) = (random.number(8...72), random.number(8...72))
            }
        }
        let frame = try mapView.frame()
        #expect(frame.sprites.count > 30 && frame.sprites.allSatisfy { $0.sampling == .nearest })
        #expect(Set(frame.sprites.map { [$0.acrossX, $0.downY] }).count == frame.images.count)
        // 65 × 65 sizes.
        #expect(Composer.of(mapView).keptBytes < 4 << 20)
        #expect(try draw(mapView).isOpaque == false)
    }
}
