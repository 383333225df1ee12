import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// Captions drawn by the whole program.
@Suite(.serialized) @MainActor struct CaptionPictureTests {
    init() { PinnedRasterizer.pin }

    private let center = LatLng(lat: 37.5670135, lng: 126.9783740)

    /// Markers, many of which cross the edge of a picture of 160 × 120 pt, in the middle of one that is larger on all sides.
    private func scene(margin: Double, ratio: Double, seed: UInt64, isTurned: Bool) throws -> MapView {
        var random = SplitMix64(seed: seed)
        let mapView = MapView(160 + 2 * margin, 120 + 2 * margin, pixelRatio: ratio, Camera(center: center, zoom: 14))
        for _ in 0..<14 {
            let point = CGPoint(x: random.number(-10...170) + margin, y: random.number(-10...130) + margin)
            let place = try #require(mapView.geoCoordinates(from: point))
            mapView.add(place.lat, place.lng) {
                $0.iconImage = random.one(of: [MarkerImage.red, MarkerImage.clusterLow, .empty])
                $0.captionText = random.one(of: [
                    "Hello", "서울특별시청", "A caption that is wider than the whole picture, and than a piece of it: ever so much wider",
                ])
                $0.captionTextSize = random.one(of: [12, 9, 40])
                $0.captionAligns = [random.one(of: AlignType.allCases)]
                $0.captionOffset = random.one(of: [0, -10, 5])
                $0.alpha = random.one(of: [1, 1, 0.5])
                if random.once(in: 3) { $0.subCaptionText = "sub caption" }
                if random.once(in: 3) { $0.captionPerspectiveEnabled = true }
                if isTurned { $0.angle = random.number(0...360) }
            }
        }
        return mapView
    }

    @Test(arguments: Seeds.slow, [1.0, 1.5, 2]) func theEdgeCutsWithoutATrace(seed: UInt64, ratio: Double) throws {
        for isTurned in [false, true] {
            let small = try draw(scene(margin: 0, ratio: ratio, seed: seed, isTurned: isTurned))
            let large = try draw(scene(margin: 200, ratio: ratio, seed: seed, isTurned: isTurned))
            let margin = Int(200 * ratio)
            let middle = large.cropped(margin, margin, small.width, small.height)
            // The edges of turned icons are covered alike but for a step of color.
            #expect(small.largestDifference(to: middle) <= (isTurned ? 2 : 0), "seed \(seed)")
            #expect(small.inked != nil)
        }
    }

    @Test func iconAndCaptionDoNotShineThroughEachOther() throws {
        let mapView = MapView(100, 100, Camera(center: center, zoom: 14))
        mapView.background = .white
        let marker = mapView.add(center.lat, center.lng) {
            $0.iconImage = OverlayImage(bitmap: Bitmap(width: 80, height: 60, fill: .red))
            $0.anchor = CGPoint(x: 0.5, y: 0.5)
            $0.captionText = "I"
            $0.captionTextSize = 60
            $0.captionFontWeight = .bold
            $0.captionColor = .blue
            $0.captionHaloColor = .green
            $0.captionAligns = [.center]
        }
        let opaque = try draw(mapView)
        marker.alpha = 0.5
        let half = try draw(mapView)
        #expect(opaque[50, 50] == .opaqueBlue && opaque[12, 50] == .opaqueRed)
        #expect(half[50, 50].isNear(.init(red: 128, green: 128, blue: 255, alpha: 255)))
        var halos = 0
        for y in 0..<100 {
            for x in 0..<100 {
                let (whole, mixed) = (opaque[x, y], half[x, y])
                // Half of the drawn color, half of the color beneath.
                func mix(_ value: UInt8) -> UInt8 { UInt8((Int(value) + 255 + 1) / 2) }
                #expect(mixed.isNear(.init(red: mix(whole.red), green: mix(whole.green), blue: mix(whole.blue), alpha: 255)))
                if whole.blue == 0, whole.red == 0, whole.green > 100 { halos += 1 }
            }
        }
        #expect(halos > 10)
        // Without an overlap of icon and caption, nothing has to be kept apart.
        marker.iconImage = OverlayImage(bitmap: Bitmap(width: 20, height: 20, fill: .red))
        marker.captionAligns = [.right]
        marker.captionOffset = 5
        let apart = try draw(mapView)
        #expect(apart[50, 50].isNear(.init(red: 255, green: 128, blue: 128, alpha: 255)))
    }

    @Test func aHigherIconCoversALowerCaption() throws {
        let mapView = MapView(100, 100, Camera(center: center, zoom: 14))
        for (y, color) in [(40.0, Color.red), (56, .green)] {
            let place = try #require(mapView.geoCoordinates(from: CGPoint(x: 50, y: y)))
            mapView.add(place.lat, place.lng) {
                $0.iconImage = OverlayImage(bitmap: Bitmap(width: 20, height: 10, fill: color))
                $0.anchor = CGPoint(x: 0.5, y: 0.5)
                $0.captionText = "HHHHHH"
            }
        }
        let picture = try draw(mapView)
        // The first caption is at 45 to 61, the second icon at 51 to 61 over it.
        for y in 51..<61 {
            for x in 40..<60 { #expect(picture[x, y] == .init(red: 0, green: Color.green.premultipliedBytes.green, blue: 0, alpha: 255)) }
        }
        #expect((20..<40).contains { picture[$0, 53] == .init(red: 0, green: 0, blue: 0, alpha: 255) } || picture[37, 53].alpha > 0)
        let swapped = mapView.overlays[0]
        swapped.zIndex = 1
        #expect(try draw(mapView) != picture)
    }
}
