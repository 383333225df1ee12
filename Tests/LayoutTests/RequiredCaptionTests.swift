import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Markers that are drawn only with their captions. Icons are squares of 20 pt centered at their positions.
@Suite struct RequiredCaptionTests {
    let mapView = MapView(city: 400, 400)

    @Test func aMarkerWhoseRequiredCaptionFindsNoPlaceIsNotDrawn() throws {
        try mapView.put("a", 200, 220) { $0.isHideCollidedCaptions = true }
        let b = try mapView.put("b", 200, 200) { $0.captionText = "Hello" }
        #expect(try mapView.fates() == ["a": "icon", "b": "icon caption<a"])
        b.isCaptionRequired = true
        #expect(try mapView.fates() == ["a": "icon", "b": "icon<a caption<a collided"])
        #expect(try mapView.frame().sprites.count == 1 && mapView.drawn() == ["a"])
        // With a place, nothing else changes.
        b.captionAligns = [.bottom, .right]
        #expect(try mapView.fates()["b"] == "icon right")
        #expect(try mapView.frame().sprites.count == 3)
        b.isCaptionRequired = false
        #expect(try mapView.fates()["b"] == "icon right")
    }

    /// Neither captions without a hide flag nor a marker's own hide flags take the place of its caption.
    @Test func nothingChangesWhereNoOtherMarkerHidesCaptions() throws {
        let a = try mapView.put("a", 200, 200) { ($0.captionText, $0.isCaptionRequired) = ("Hello", true) }
        let b = try mapView.put("b", 200, 210) { ($0.captionText, $0.isCaptionRequired) = ("Hello", true) }
        #expect(try mapView.fates() == ["a": "icon bottom", "b": "icon bottom"])
        // The lower one hides only what comes later.
        a.isHideCollidedMarkers = true
        b.zIndex = 1
        #expect(try mapView.fates() == ["a": "icon bottom", "b": "icon bottom"])
        b.isHideCollidedCaptions = true
        #expect(try mapView.fates()["a"]?.hasSuffix("collided") == true)
    }

    @Test func itsIconHidesNothing() throws {
        try mapView.put("a", 200, 222) {
            $0.zIndex = 1
            $0.isHideCollidedCaptions = true
        }
        let b = try mapView.put("b", 200, 200) {
            $0.captionText = "Hello"
            $0.isHideCollidedMarkers = true
            $0.isHideCollidedSymbols = true
        }
        try mapView.put("c", 190, 190)
        mapView.symbols = [Symbol(position: try #require(b.position), captionText: "s")]
        #expect(try mapView.fates() == ["a": "icon", "b": "icon caption<a", "c": "icon<b collided"])
        #expect(try mapView.inspection().symbols[0].hiddenBy == "b")
        b.isCaptionRequired = true
        #expect(try mapView.fates() == ["a": "icon", "b": "icon<a caption<a collided", "c": "icon"])
        #expect(try mapView.inspection().symbols[0].isVisible)
    }

    @Test func itWaitsForTheIconsOfItsRank() throws {
        let lower = try mapView.put("lower", 200, 210) {
            $0.captionText = "Hello"
            $0.isHideCollidedMarkers = true
        }
        try mapView.put("upper", 200, 200) { $0.isHideCollidedMarkers = true }
        #expect(try mapView.fates() == ["lower": "icon bottom", "upper": "icon<lower collided"])
        lower.isCaptionRequired = true
        #expect(try mapView.fates() == ["lower": "icon<upper caption<upper collided", "upper": "icon"])
        // The icons of lower ranks come later.
        lower.zIndex = 1
        #expect(try mapView.fates() == ["lower": "icon bottom", "upper": "icon<lower collided"])
    }

    @Test func itHasItsPlaceInTheOrderOfCaptions() throws {
        for (id, y) in [("upper", 200.0), ("middle", 212), ("lower", 224)] {
            try mapView.put(id, 200, y) {
                $0.captionText = "Hello"
                $0.captionAligns = [.right]
                $0.isHideCollidedMarkers = true
                $0.isCaptionRequired = true
            }
        }
        // From the top of the drawing order down: each is placed where those before leave room, and the hidden one hides nothing.
        #expect(try mapView.fates() == ["upper": "icon right", "middle": "icon<lower caption<lower collided", "lower": "icon right"])
    }

    @Test func protectedPartsAndTheRequiredCaption() throws {
        let a = try mapView.put("a", 200, 220) { $0.isHideCollidedCaptions = true }
        let b = try mapView.put("b", 200, 200) {
            $0.captionText = "Hello"
            $0.isCaptionRequired = true
            $0.isForceShowIcon = true
        }
        #expect(try mapView.fates()["b"] == "icon<a caption<a collided")
        b.isForceShowCaption = true
        #expect(try mapView.fates()["b"] == "icon bottom")
        // A protected icon over another one.
        a.isHideCollidedMarkers = true
        a.position = mapView.geoCoordinates(from: CGPoint(x: 190, y: 190))
        #expect(try mapView.fates()["b"] == "icon bottom")
        b.isForceShowIcon = false
        #expect(try mapView.fates()["b"] == "icon<a caption<a collided")
    }

    @Test func aCaptionThatIsNotShownAtTheZoomIsNotRequired() throws {
        try mapView.put("a", 200, 220) { $0.isHideCollidedCaptions = true }
        let b = try mapView.put("b", 200, 200) {
            $0.captionText = "Hello"
            $0.captionMinZoom = 14.5
            $0.isCaptionRequired = true
        }
        #expect(try mapView.fates()["b"] == "icon -")
        (b.captionMinZoom, b.captionText) = (0, "")
        #expect(try mapView.fates()["b"] == "icon")
    }

    @Test func aRequiredCaptionThatTheEdgeCuts() throws {
        mapView.captionsAvoidEdges = true
        let a = try mapView.put("a", 200, 395) {
            $0.captionText = "Hello"
            $0.isCaptionRequired = true
            $0.isForceShowCaption = true
        }
        #expect(try mapView.fates()["a"] == "- - collided")
        #expect(try mapView.entry("a").caption?.isCutByEdge == true && mapView.frame().sprites.isEmpty)
        a.captionAligns = [.bottom, .top]
        #expect(try mapView.fates()["a"] == "icon top")
    }

    /// In a crowd, every marker that is drawn has its caption.
    @Test func inACrowdEveryIconHasACaption() throws {
        var random = SplitMix64(seed: 7)
        for index in 0..<400 {
            try mapView.put("\(index)", random.number(0...400), random.number(0...400)) {
                $0.captionText = random.one(of: ["Hello", "서울", "A longer caption"])
                $0.captionAligns = [.bottom, .right, .top, .left]
                $0.isHideCollidedMarkers = true
                $0.isCaptionRequired = true
            }
        }
        let fates = try mapView.fates().values
        #expect(
            fates.contains { $0.hasSuffix("collided") } && fates.contains("icon bottom") && !fates.contains { $0.hasPrefix("icon caption") }
        )
    }
}
