import Foundation
import Testing
import Waymark
import WaymarkFrame
import WaymarkLayout
import WaymarkTestSupport

/// Icons drawn by the whole program: tinted, from vectors, and smaller than their files.
@Suite(.serialized) @MainActor struct IconTests {
    init() { PinnedRasterizer.pin }

    /// One icon in the middle of a picture with the given side in pt.
    private func picture(
        _ side: Double, ratio: Double = 1, _ camera: Camera = Camera(), background: Color = .clear, _ change: (Marker) -> Void
    ) throws -> Bitmap {
        let mapView = MapView(side, side, pixelRatio: ratio, camera)
        mapView.background = background
        mapView.add(camera.center.lat, camera.center.lng) {
            $0.anchor = CGPoint(x: 0.5, y: 0.5)
            change($0)
        }
        return try draw(mapView)
    }

    // MARK: Tint

    @Test(arguments: [0.0, 30]) func theTintIsAddedAndItsAlphaIgnored(angle: Double) throws {
        let icon = OverlayImage(bitmap: Bitmap(width: 20, height: 20, fill: Color(red: 0.4, green: 0.8, blue: 0)))
        func middle(_ color: Color, alpha: Double = 1) throws -> Bitmap.Pixel {
            try picture(30, background: .white) {
                $0.iconImage = icon
                $0.angle = angle
                $0.iconTintColor = color
                $0.alpha = alpha
            }[15, 15]
        }
        #expect(try middle(.clear) == .init(red: 102, green: 204, blue: 0, alpha: 255))
        #expect(try middle(Color(red: 0.2, green: 0.6, blue: 1)) == .init(red: 153, green: 255, blue: 255, alpha: 255))
        for alpha in [0, 0.3] {
            #expect(try middle(Color(red: 0.2, green: 0.6, blue: 1, alpha: alpha)) == .init(red: 153, green: 255, blue: 255, alpha: 255))
        }
        #expect(try middle(Color(red: 0.2, green: 0, blue: 0), alpha: 0.5).isNear(.init(red: 204, green: 230, blue: 128, alpha: 255)))
    }

    /// "specifies a marker icon as NMF_MARKER_IMAGE_BLACK and adds red to the icon."
    @Test func naverTint() throws {
        let black = try picture(60) { $0.iconImage = MarkerImage.black }
        let red = try picture(60) {
            $0.iconImage = MarkerImage.black
            $0.iconTintColor = Color.red
        }
        var changed = 0
        for y in 0..<60 {
            for x in 0..<60 {
                let (before, after) = (black[x, y], red[x, y])
                // Red is saturated wherever the icon is; the other channels do not change.
                #expect(after == .init(red: before.alpha, green: before.green, blue: before.blue, alpha: before.alpha))
                if before.alpha == 255, before.red < 100 { changed += 1 }
            }
        }
        #expect(changed > 200)
    }

    /// "yellowMarker.zIndex = 100; greenMarker.zIndex = 0; blueMarker.zIndex = -10", in pixels.
    @Test func naverOrderSizeAndOpacity() throws {
        let mapView = MapView(100, 100, Camera(center: LatLng(lat: 37.5670135, lng: 126.9783740), zoom: 14))
        let markers = [(0.0001, Color.yellow), (0, .green), (-0.0001, .blue)].map { (lat, color) -> Marker in
            let marker = Marker()
            marker.position = LatLng(lat: 37.5670135 + lat, lng: 126.9783740)
            marker.iconImage = OverlayImage(bitmap: Bitmap(width: 10, height: 10, fill: color))
            marker.width = 25
            marker.height = 40
            marker.mapView = mapView
            return marker
        }
        let (yellowMarker, greenMarker, blueMarker) = (markers[0], markers[1], markers[2])
        #expect(try draw(mapView)[50, 40] == .opaqueBlue)
        yellowMarker.zIndex = 100
        greenMarker.zIndex = 0
        blueMarker.zIndex = -10
        #expect(try draw(mapView)[50, 40] == .init(red: 255, green: 255, blue: 0, alpha: 255))
        yellowMarker.mapView = nil
        #expect(try draw(mapView)[50, 40] == .opaqueGreen)
        greenMarker.mapView = nil
        // Between two pixels, one more each way.
        let box = try #require(try draw(mapView).inked)
        #expect((25...26).contains(box[2] - box[0]) && (40...41).contains(box[3] - box[1]))
        blueMarker.alpha = 0.5
        #expect(try draw(mapView)[50, 40].isNear(.init(red: 0, green: 0, blue: 128, alpha: 128)))
        blueMarker.alpha = 0
        #expect(try draw(mapView).inked == nil)
    }

    // MARK: Vectors

    @Test(arguments: [1.0, 2, 3]) func anSVGIsSharpAtEveryRatio(ratio: Double) throws {
        // Red on the left, blue on the right of 10 pt each, nothing between.
        let svg = """
            <svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><rect width='10' height='20' fill='#f00'/>
            <rect x='10' width='10' height='20' fill='#00f'/></svg>
            """
        for (size, width) in [(0.0, 20), (40, 40), (10, 10)] {
            let drawn = try picture(60, ratio: ratio) {
                $0.iconImage = OverlayImage(bytes: Array(svg.utf8))
                ($0.width, $0.height) = (size, size)
            }
            let side = Int(ratio) * width
            let left = (drawn.width - side) / 2
            #expect(drawn.inked == [left, left, left + side, left + side])
            let wrong = (0..<side).filter { drawn[left + $0, drawn.height / 2] != ($0 < side / 2 ? .opaqueRed : .opaqueBlue) }
            #expect(wrong == [])
        }
    }

    // MARK: Smaller than the file

    /// The mean of black and white stripes.
    private let stripes = [1, 2, 3, 5].map { period -> (period: Int, image: OverlayImage) in
        var bitmap = Bitmap(width: 256, height: 256)
        for y in 0..<256 {
            for x in 0..<256 { bitmap[x, y] = x % (2 * period) < period ? .white : .init(red: 0, green: 0, blue: 0, alpha: 255) }
        }
        return (period, OverlayImage(bitmap: bitmap))
    }

    /// The largest distance from middle gray of any pixel that is at least so far inside the icon.
    private func moire(_ picture: Bitmap) -> Int {
        func isInside(_ x: Int, _ y: Int) -> Bool {
            (-2...2).allSatisfy { dy in
                (-2...2).allSatisfy { dx in
                    (0..<picture.width).contains(x + dx) && (0..<picture.height).contains(y + dy) && picture[x + dx, y + dy].alpha == 255
                }
            }
        }
        var (worst, count) = (0, 0)
        for y in 0..<picture.height {
            for x in 0..<picture.width where isInside(x, y) {
                worst = max(worst, abs(Int(picture[x, y].red) - 127))
                count += 1
            }
        }
        #expect(count > 20)
        return worst
    }

    @Test func fineStripesAreGreyAndShowNoMoire() throws {
        for (period, image) in stripes {
            for ratio in [1.0, 2] {
                let drawn = try picture(60, ratio: ratio) {
                    $0.iconImage = image
                    ($0.width, $0.height) = (24, 24)
                }
                // The mean of an area is gray, except for the remainder of incomplete pairs of stripes.
                let area = 256 / (24 * ratio)
                let left = area.truncatingRemainder(dividingBy: Double(2 * period))
                let bound = min(left, Double(2 * period) - left) / 2 / area * 255 + 1.5
                #expect(Double(moire(drawn)) <= bound, "period \(period) ratio \(ratio)")
            }
        }
    }

    @Test(arguments: [5.0, 30, 45, 90, 200]) func turnedOnesTooWithinALooserBound(angle: Double) throws {
        for (period, image) in stripes.prefix(2) {
            let drawn = try picture(60) {
                $0.iconImage = image
                ($0.width, $0.height) = (24, 24)
                $0.angle = angle
            }
            #expect(moire(drawn) <= 40, "period \(period)")
        }
    }

    @Test(arguments: [0.0, 30, 60, 75]) func flatOnesToo(tilt: Double) throws {
        for isPerspective in [false, true] {
            for (period, image) in stripes.prefix(2) {
                let drawn = try picture(80, Camera(zoom: 8, bearing: 20, tilt: tilt)) {
                    $0.iconImage = image
                    ($0.width, $0.height) = (40, 40)
                    $0.isFlat = true
                    $0.iconPerspectiveEnabled = isPerspective
                }
                #expect(moire(drawn) <= 40, "period \(period)")
            }
        }
    }

    @Test func distantOnesToo() throws {
        let mapView = MapView(200, 200, Camera(zoom: 8, tilt: 70))
        mapView.add(0.9, 0) {
            $0.iconImage = stripes[0].image
            ($0.width, $0.height) = (40, 40)
            $0.iconPerspectiveEnabled = true
        }
        #expect(try moire(draw(mapView)) <= 40)
    }

    @Test(arguments: [1.0, 1.5, 2]) func theMeanColourStays(ratio: Double) throws {
        var random = SplitMix64(seed: 17)
        let bitmap = Bitmap.noise(200, 200, &random)
        func sums(_ bitmap: Bitmap) -> [Double] {
            (0..<4).map { channel in stride(from: channel, to: bitmap.pixels.count, by: 4).reduce(0) { $0 + Double(bitmap.pixels[$1]) } }
        }
        let drawn = try picture(60, ratio: ratio) {
            $0.iconImage = OverlayImage(bitmap: bitmap)
            ($0.width, $0.height) = (20, 20)
        }
        let share = 400 * ratio * ratio / 40_000
        for (a, b) in zip(sums(drawn), sums(bitmap)) { #expect(abs(a / (b * share) - 1) < 0.02, "\(a / (b * share))") }
    }
}
