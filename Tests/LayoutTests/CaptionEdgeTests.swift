import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Captions that avoid the picture's edge, that perspective makes too small, and that keep their distance.
@Suite struct CaptionEdgeTests {
    private func map(_ ratio: Double = 1) -> MapView {
        let mapView = MapView(city: 200, 200, pixelRatio: ratio)
        mapView.captionsAvoidEdges = true
        return mapView
    }

    /// At each edge, the caption of a marker near it moves to the other side; a marker without another side loses its caption.
    @Test(arguments: [1.0, 1.5, 2]) func captionsAvoidAllFourEdges(ratio: Double) throws {
        let cases: [(x: Double, y: Double, toward: AlignType, away: AlignType)] = [
            (20, 100, .left, .right), (180, 100, .right, .left), (100, 15, .top, .bottom), (100, 185, .bottom, .top),
        ]
        for (x, y, toward, away) in cases {
            let mapView = map(ratio)
            let marker = try mapView.put("a", x, y) {
                $0.captionText = "A caption"
                $0.captionAligns = [toward, away]
            }
            var caption = try #require(mapView.entry("a").caption)
            #expect(caption.isVisible && caption.align == away && !caption.isCutByEdge)
            marker.captionAligns = [toward]
            let entry = try mapView.entry("a")
            caption = try #require(entry.caption)
            #expect(!caption.isVisible && caption.align == toward && caption.isCutByEdge && caption.hiddenBy == nil)
            #expect(entry.isVisible && entry.icon?.isVisible == true)
            #expect(try mapView.frame().sprites.count == 1)
            // The flag is about other markers.
            marker.isForceShowCaption = true
            #expect(try mapView.entry("a").caption?.isVisible == false)
            mapView.captionsAvoidEdges = false
            #expect(try mapView.entry("a").caption?.isVisible == true)
        }
    }

    /// A caption may touch the edge, and is cut when it reaches a pixel farther.
    @Test func captionsMayTouchTheEdge() throws {
        let width = try textSize("A caption").width.rounded()
        for (offset, isShown) in [(0.0, true), (-1, false)] {
            let mapView = map()
            try mapView.put("a", 10 + width + offset, 100) {
                $0.captionText = "A caption"
                $0.captionAligns = [.left]
            }
            let caption = try #require(mapView.entry("a").caption)
            #expect(caption.rect?.x == offset && caption.isVisible == isShown)
        }
    }

    @Test func aMarkerThatIsOnlyACaptionIsOutOfView() throws {
        let mapView = map()
        try mapView.put("a", 5, 100) {
            $0.iconImage = .empty
            $0.captionText = "A caption"
            $0.captionAligns = [.center]
        }
        #expect(try mapView.entry("a").reason == .outOfView)
        #expect(try mapView.entry("a").isVisible == false && mapView.frame().sprites.isEmpty)
    }

    /// Where the edge leaves an align that a marker blocks, that marker is named, and the reason is the collision.
    @Test func collisionsAndEdgesTogether() throws {
        let mapView = map()
        try mapView.put("blocker", 60, 101) {
            $0.iconImage = .solid(60, 30)
            $0.isHideCollidedMarkers = true
        }
        let marker = try mapView.put("a", 5, 100) {
            $0.iconImage = .empty
            $0.captionText = "A caption"
            $0.captionAligns = [.left, .right]
        }
        var entry = try mapView.entry("a")
        #expect(entry.reason == .collided && entry.caption?.hiddenBy == "blocker" && entry.caption?.align == .right)
        // If forced, it is drawn where only the other marker collides.
        marker.isForceShowCaption = true
        entry = try mapView.entry("a")
        #expect(entry.isVisible && entry.caption?.align == .right && entry.caption?.isVisible == true)
    }

    /// The edge cuts it with the disc; the disc never appears without it.
    @Test func theTextOfAClusterStaysOnIt() throws {
        for avoids in [false, true] {
            for count in [12, 250] {
                let mapView = MapView(300, 200, Camera(zoom: 10))
                mapView.captionsAvoidEdges = avoids
                // The text of 12 or 250 is about 15 or 23 pt wide.
                let place = LatLng(lat: 0, lng: -147 * 360 / (512 * exp2(10)))
                let layer = ClusterLayer((0..<count).map { _ in Marker(position: place) })
                mapView.add(layer)
                #expect(try mapView.frame().sprites.count == 2)
                #expect(try mapView.inspection().clusters.map(\.text) == ["\(count)"])
            }
        }
    }

    @Test func symbolsWhoseTextWouldBeCutAreHidden() throws {
        let mapView = map()
        let position = try #require(mapView.geoCoordinates(from: CGPoint(x: 8, y: 100)))
        let inside = try #require(mapView.geoCoordinates(from: CGPoint(x: 100, y: 100)))
        mapView.symbols = [Symbol(position: position, captionText: "Cut off"), Symbol(position: inside, captionText: "Whole")]
        let symbols = try mapView.inspection().symbols
        #expect(symbols.map(\.isVisible) == [false, true] && symbols.map(\.isCutByEdge) == [true, false])
        #expect(symbols[0].hiddenBy == nil)
        mapView.captionsAvoidEdges = false
        #expect(try mapView.inspection().symbols.map(\.isVisible) == [true, true])
    }

    // MARK: Perspective

    @Test func captionsThatBecomeSmallerThanSixPointsAreNotDrawn() throws {
        var camera = DesignCamera()
        (camera.width, camera.height, camera.lat, camera.lng, camera.zoom, camera.tilt) = (400, 400, 37.5, 127, 14, 70)
        var isEverHidden = false
        var isEverSubHidden = false
        for ratio in [1.0, 2] {
            let mapView = MapView(camera, pixelRatio: ratio)
            for y in stride(from: 40.0, through: 340, by: 10) {
                let marker = try mapView.put("a", 200, y) {
                    $0.captionText = "A caption"
                    $0.subCaptionText = "and another"
                    $0.subCaptionTextSize = 9
                    $0.captionPerspectiveEnabled = true
                }
                let position = try #require(marker.position)
                let scale = camera.distance / camera.project(lat: position.lat, lng: position.lng).depth
                let (main, sub) = ((12 * scale * ratio * 4).rounded() / 4 / ratio, (9 * scale * ratio * 4).rounded() / 4 / ratio)
                let entry = try mapView.entry("a")
                #expect(entry.isVisible && entry.caption?.isVisible == (main >= 6), "\(y)")
                #expect(entry.caption?.lines == (main < 6 ? [] : sub < 6 ? ["A caption"] : ["A caption", "and another"]), "\(y)")
                if main < 6 { isEverHidden = true }
                if main >= 6, sub < 6 { isEverSubHidden = true }
                marker.captionPerspectiveEnabled = false
                #expect(try mapView.entry("a").caption?.lines.count == 2)
                marker.captionPerspectiveEnabled = true
                marker.iconImage = .empty
                #expect(try mapView.entry("a").reason == (main < 6 ? .outOfView : nil))
                mapView.remove(marker)
            }
        }
        #expect(isEverHidden && isEverSubHidden)
    }

    /// Small letters that perspective does not make smaller are drawn.
    @Test func smallCaptionsAreDrawn() throws {
        let mapView = MapView(city: 200, 200)
        try mapView.put("a", 100, 100) {
            $0.captionText = "tiny"
            $0.captionTextSize = 4
            $0.captionPerspectiveEnabled = true
        }
        #expect(try mapView.entry("a").caption?.isVisible == true)
        mapView.camera.tilt = 60
        mapView.camera.center = try #require((mapView.overlay(withID: "a") as? Marker)?.position)
        mapView.camera.center.lat += 0.002
        #expect(try mapView.entry("a").caption?.isVisible == true)
        mapView.camera.center.lat -= 0.004
        #expect(try mapView.entry("a").caption?.isVisible == false)
    }

    // MARK: Padding

    /// Two captions side by side, as close as their paddings allow.
    @Test(arguments: [0.0, 2, 7.5], [0.0, 2, 3]) func captionsKeepTheLargerPaddingBetweenThem(own: Double, other: Double) throws {
        let width = try textSize("Enschede").width.rounded()
        for gap in [0.0, 1, 2, 3, 7, 8, 9] {
            let mapView = MapView(city: 400, 200)
            let paddings = ["upper": own, "lower": other]
            for (id, x, y) in [("upper", 150.0, 100.0), ("lower", 150 + width + gap, 101)] {
                try mapView.put(id, x, y) {
                    $0.iconImage = .empty
                    $0.captionText = "Enschede"
                    $0.captionAligns = [.center]
                    $0.captionPadding = paddings[id]!
                    $0.isHideCollidedCaptions = true
                }
            }
            let rects = try [mapView.captionRect("upper"), mapView.captionRect("lower")]
            try #require(rects[1].x - rects[0].x - rects[0].width == gap)
            let isFree = gap >= max(own, other)
            #expect(try mapView.entry("upper").isVisible == isFree && mapView.entry("lower").isVisible, "\(gap)")
        }
    }

    /// A caption keeps its padding to other icons and to symbols; icons have no padding among themselves.
    @Test func paddingsAgainstIconsAndSymbols() throws {
        for gap in [0.0, 1, 2, 3, 4] {
            let mapView = MapView(city: 400, 200)
            let marker = try mapView.put("icon", 100, 101) { $0.isHideCollidedMarkers = true }
            let width = try textSize("Amsterdam").width.rounded()
            let caption = try mapView.put("caption", 110 + gap + (width / 2).rounded(.up), 100) {
                $0.iconImage = .empty
                $0.captionText = "Amsterdam"
                $0.captionAligns = [.center]
                $0.captionPadding = 3
            }
            let left = try mapView.captionRect("caption").x
            let distance = left - 110
            #expect(try mapView.entry("caption").isVisible == (distance >= 3), "\(gap)")
            // A symbol next to a caption that hides it.
            mapView.remove(marker)
            caption.isHideCollidedSymbols = true
            var symbol = Symbol(position: try #require(mapView.geoCoordinates(from: CGPoint(x: left - gap - 10, y: 100))))
            symbol.iconImage = .solid(20, 20)
            mapView.symbols = [symbol]
            let rect = try #require(mapView.inspection().symbols[0].rect)
            #expect(try mapView.inspection().symbols[0].isVisible == (left - rect.x - rect.width >= 3), "\(gap)")
        }
    }

    /// Halos do not count in boxes or collisions.
    @Test func halosCountNeitherInBoxesNorInCollisions() throws {
        let mapView = MapView(city: 400, 200)
        let marker = try mapView.put("a", 100, 100) { $0.captionText = "Hello" }
        let rect = try mapView.captionRect("a")
        let plain = try #require(mapView.frame().sprites.last)
        marker.captionHaloWidth = 8
        #expect(try mapView.captionRect("a") == rect)
        let wide = try #require(mapView.frame().sprites.last)
        #expect(wide.x == plain.x - 7 && wide.acrossX == plain.acrossX + 14 && wide.downY == plain.downY + 14)
        marker.captionHaloWidth = 0
        let none = try #require(mapView.frame().sprites.last)
        #expect(none.x == plain.x + 1 && none.acrossX == plain.acrossX - 2 && none.downY == plain.downY - 2)
    }
}
