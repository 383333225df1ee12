import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Each rule by which markers hide one another. Icons are squares of 20 pt centered at their positions; markers lower on the screen are
/// placed first.
@Suite struct CollisionTests {
    let mapView = MapView(city: 400, 400)

    @Test func hidingIsOneSided() throws {
        let upper = try mapView.put("upper", 200, 200)
        let lower = try mapView.put("lower", 210, 210)
        #expect(try mapView.fates() == ["upper": "icon", "lower": "icon"])
        lower.isHideCollidedMarkers = true
        #expect(try mapView.fates() == ["upper": "icon<lower collided", "lower": "icon"])
        // A flag affects only markers that come after it.
        (upper.isHideCollidedMarkers, lower.isHideCollidedMarkers) = (true, false)
        #expect(try mapView.fates() == ["upper": "icon", "lower": "icon"])
    }

    @Test func withoutFlagsNothingIsHidden() throws {
        for index in 0..<6 { try mapView.put("\(index)", 200, 200 + Double(index)) { $0.captionText = "Hello" } }
        #expect(try Set(mapView.fates().values) == ["icon bottom"])
        // Flags that protect markers hide nothing either.
        for case let marker as Marker in mapView.overlays {
            marker.isForceShowIcon = true
            marker.isForceShowCaption = true
        }
        #expect(try Set(mapView.fates().values) == ["icon bottom"])
    }

    @Test func aForcedIconShows() throws {
        try mapView.put("a", 200, 210) { $0.isHideCollidedMarkers = true }
        try mapView.put("b", 200, 200) {
            $0.isForceShowIcon = true
            $0.captionText = "Hello"
        }
        // Its caption is not forced.
        #expect(try mapView.fates() == ["a": "icon", "b": "icon caption<a"])
    }

    @Test func aForcedCaptionShowsAtItsFirstAlign() throws {
        try mapView.put("a", 200, 220) { $0.isHideCollidedMarkers = true }
        let b = try mapView.put("b", 200, 200) {
            $0.captionText = "Hello"
            $0.isForceShowCaption = true
        }
        #expect(try mapView.fates()["b"] == "icon bottom")
        // A free align takes precedence over forcing.
        b.captionAligns = [.bottom, .right]
        #expect(try mapView.fates()["b"] == "icon right")
        try mapView.put("c", 230, 200) { $0.isHideCollidedMarkers = true }
        #expect(try mapView.fates() == ["a": "icon", "b": "icon bottom", "c": "icon"])
        // A forced caption is still hidden with its icon.
        b.position = mapView.geoCoordinates(from: CGPoint(x: 200, y: 202))
        #expect(try mapView.fates()["b"] == "icon<a caption<a collided")
    }

    @Test func captionsAreHiddenWithTheirIcon() throws {
        try mapView.put("a", 200, 210) { $0.isHideCollidedMarkers = true }
        try mapView.put("b", 200, 200) {
            $0.captionText = "Hello"
            $0.captionAligns = [.top]
        }
        #expect(try mapView.fates()["b"] == "icon<a caption<a collided")
    }

    @Test func captionsAloneAreHidden() throws {
        let a = try mapView.put("a", 200, 220) { $0.isHideCollidedCaptions = true }
        try mapView.put("icon", 200, 215)
        try mapView.put("text", 200, 200) { $0.captionText = "Hello" }
        #expect(try mapView.fates() == ["a": "icon", "icon": "icon", "text": "icon caption<a"])
        // It has no effect in addition to the stronger flag.
        for flag in [true, false] {
            (a.isHideCollidedMarkers, a.isHideCollidedCaptions) = (true, flag)
            #expect(try mapView.fates() == ["a": "icon", "icon": "icon<a collided", "text": "icon caption<a"])
        }
    }

    @Test(arguments: AlignType.allCases) func markersDoNotHideThemselves(align: AlignType) throws {
        try mapView.put("a", 200, 200) {
            $0.captionText = "Hello"
            $0.captionAligns = [align]
            $0.captionOffset = -15
            $0.isHideCollidedMarkers = true
            $0.isHideCollidedCaptions = true
        }
        #expect(try mapView.fates() == ["a": "icon \(align.rawValue)"])
    }

    @Test func alignsAreTriedInTheirOrder() throws {
        let b = try mapView.put("b", 200, 200) {
            $0.captionText = "Hi"
            $0.captionAligns = [.bottom, .top, .right, .left]
        }
        for (id, x, y, next) in [("s", 200.0, 220.0, "top"), ("n", 200, 180, "right"), ("e", 220, 200, "left")] {
            #expect(try mapView.fates()["b"] != "icon \(next)")
            try mapView.put(id, x, y) {
                $0.zIndex = 1
                $0.isHideCollidedCaptions = true
            }
            #expect(try mapView.fates()["b"] == "icon \(next)")
        }
        try mapView.put("w", 180, 200) {
            $0.zIndex = 1
            $0.isHideCollidedCaptions = true
        }
        // Every align is taken: the entry describes the first one and names the marker in its way.
        let hidden = try mapView.entry("b")
        #expect(hidden.fate == "icon caption<s")
        #expect(hidden.caption?.align == .bottom && hidden.caption?.rect?.y == 210)
        b.captionAligns = [.left, .bottom]
        #expect(try mapView.fates()["b"] == "icon caption<w")
        b.captionAligns = AlignType.allCases
        #expect(try mapView.fates()["b"] == "icon center")
    }

    @Test func hiddenIconsHideNothing() throws {
        try mapView.put("top", 200, 230) { $0.isHideCollidedMarkers = true }
        let middle = try mapView.put("middle", 200, 215) { $0.isHideCollidedMarkers = true }
        try mapView.put("bottom", 200, 200)
        #expect(try mapView.fates() == ["top": "icon", "middle": "icon<top collided", "bottom": "icon"])
        // A forced icon does.
        middle.isForceShowIcon = true
        #expect(try mapView.fates() == ["top": "icon", "middle": "icon", "bottom": "icon<middle collided"])
    }

    @Test func hiddenCaptionsHideNothing() throws {
        try mapView.put("top", 200, 224) {
            $0.zIndex = 2
            $0.isHideCollidedCaptions = true
        }
        let middle = try mapView.put("middle", 200, 200) {
            $0.zIndex = 1
            $0.captionText = "A long caption that reaches far"
            $0.isHideCollidedMarkers = true
        }
        try mapView.put("bottom", 240, 220)
        #expect(try mapView.fates() == ["top": "icon", "middle": "icon caption<top", "bottom": "icon"])
        middle.isForceShowCaption = true
        #expect(try mapView.fates() == ["top": "icon", "middle": "icon bottom", "bottom": "icon<middle collided"])
    }

    @Test func higherRanksArePlacedFirst() throws {
        let upper = try mapView.put("upper", 200, 200)
        let lower = try mapView.put("lower", 200, 210)
        for marker in [upper, lower] { marker.isHideCollidedMarkers = true }
        let upperWins = ["upper": "icon", "lower": "icon<upper collided"]
        let lowerWins = ["upper": "icon<lower collided", "lower": "icon"]
        #expect(try mapView.fates() == lowerWins)
        upper.zIndex = 1
        #expect(try mapView.fates() == upperWins)
        lower.globalZIndex = Marker.defaultGlobalZIndex + 1
        #expect(try mapView.fates() == lowerWins)
        lower.mapLayerType = .poi
        #expect(try mapView.fates() == upperWins)
        upper.mapLayerType = .road
        #expect(try mapView.fates() == lowerWins)
    }

    @Test func containersRankByTheirPath() throws {
        let container = Container()
        mapView.add(container)
        let inside = try mapView.put("inside", 200, 200, in: container) { $0.zIndex = 9 }
        let outside = try mapView.put("outside", 200, 210)
        for marker in [inside, outside] { marker.isHideCollidedMarkers = true }
        let insideWins = ["inside": "icon", "outside": "icon<inside collided"]
        let outsideWins = ["inside": "icon<outside collided", "outside": "icon"]
        #expect(try mapView.fates() == insideWins)
        outside.zIndex = 1
        #expect(try mapView.fates() == outsideWins)
        container.zIndex = 1
        #expect(try mapView.fates() == insideWins)
        // Markers of equal rank are ordered by their position on the screen.
        inside.zIndex = 0
        #expect(try mapView.fates() == outsideWins)
        container.isHidden = true
        #expect(try mapView.fates() == ["inside": "- hidden", "outside": "icon"])
    }

    @Test func inARankIconsComeBeforeCaptions() throws {
        let lower = try mapView.put("lower", 200, 220)
        let upper = try mapView.put("upper", 200, 190)
        for marker in [lower, upper] { marker.isHideCollidedMarkers = true }
        lower.captionText = "Hello"
        lower.captionAligns = [.top]
        // Its caption would overlap the icon above, which is placed first.
        #expect(try mapView.fates() == ["lower": "icon caption<upper", "upper": "icon"])
        // A higher rank puts both icon and caption first.
        lower.zIndex = 1
        #expect(try mapView.fates() == ["lower": "icon top", "upper": "icon<lower collided"])
    }

    @Test func captionsOfARankArePlacedFromTheTopDown() throws {
        for (id, y) in [("upper", 200.0), ("lower", 230)] {
            try mapView.put(id, 200, y) {
                $0.captionText = "Hello"
                $0.captionAligns = [id == "upper" ? .bottomRight : .right]
                $0.captionOffset = id == "upper" ? 10 : 0
                $0.isHideCollidedCaptions = true
            }
        }
        #expect(try mapView.fates() == ["upper": "icon caption<lower", "lower": "icon right"])
        let upper = try #require(mapView.overlays[0] as? Marker)
        upper.zIndex = 1
        #expect(try mapView.fates() == ["upper": "icon bottomRight", "lower": "icon caption<upper"])
    }

    @Test func atOnePlaceTheLastAddedComesFirst() throws {
        for id in ["a", "b", "c"] { try mapView.put(id, 200, 200) { $0.isHideCollidedMarkers = true } }
        #expect(try mapView.fates() == ["a": "icon<c collided", "b": "icon<c collided", "c": "icon"])
        let a = mapView.overlays[0]
        mapView.remove(a)
        mapView.add(a)
        #expect(try mapView.fates() == ["a": "icon", "b": "icon<a collided", "c": "icon<a collided"])
    }

    @Test func theBearingChangesWhoWins() throws {
        // On the same column and row, so that they overlap at every bearing.
        for (id, x, y) in [("north", 200.0, 196.0), ("south", 200, 204), ("west", 196, 200), ("east", 204, 200)] {
            try mapView.put(id, x, y) { $0.isHideCollidedMarkers = true }
        }
        for (bearing, winner) in [(0.0, "south"), (90, "west"), (180, "north"), (270, "east"), (-90, "east")] {
            mapView.camera.bearing = bearing
            #expect(try mapView.fates().filter { $0.value == "icon" }.keys.sorted() == [winner], "\(bearing)")
        }
    }

    @Test func onlyPresentMarkersCollide() throws {
        let a = try mapView.put("a", 200, 210) { $0.isHideCollidedMarkers = true }
        try mapView.put("b", 200, 200)
        func isInTheWay(_ change: () -> Void) throws -> Bool {
            change()
            return try mapView.fates()["b"] == "icon<a collided"
        }
        #expect(try isInTheWay {})
        #expect(try isInTheWay { a.alpha = 0 })
        #expect(try !isInTheWay { a.isHidden = true })
        #expect(try isInTheWay { a.isHidden = false })
        #expect(try !isInTheWay { a.minZoom = 14.5 })
        #expect(try isInTheWay { a.minZoom = 14 })
        #expect(try !isInTheWay { a.maxZoom = 13.5 })
        #expect(try isInTheWay { a.maxZoom = 14 })
        #expect(try !isInTheWay { a.setVisibility(false, fromZoom: 14, toZoom: 14) })
        #expect(try isInTheWay { a.setVisibility(true, fromZoom: 14, toZoom: 14) })
        #expect(try !isInTheWay { a.alpha = 2 })
        #expect(try isInTheWay { a.alpha = 1 })
        #expect(try !isInTheWay { a.altitude = -1 })
        #expect(try isInTheWay { a.altitude = 0 })
        #expect(try !isInTheWay { mapView.remove(a) })
        #expect(try isInTheWay { mapView.add(a) })
    }

    @Test func captionsOutOfTheirZoomRangeHideNothing() throws {
        let a = try mapView.put("a", 200, 200) {
            $0.zIndex = 1
            $0.captionText = "Hello"
            $0.isHideCollidedMarkers = true
        }
        try mapView.put("b", 200, 221)
        #expect(try mapView.fates()["b"] == "icon<a collided")
        a.captionMinZoom = 14.25
        #expect(try mapView.fates() == ["a": "icon -", "b": "icon"])
    }

    @Test(arguments: [1.0, 1.5, 2]) func aSharedEdgeIsNoOverlap(ratio: Double) throws {
        let mapView = MapView(city: 400, 400, pixelRatio: ratio)
        let step = 1 / (1024 * ratio)
        // Icons scaled by perspective are not snapped to whole pixels; at the center's distance nothing else changes.
        try mapView.put("a", 200, 200) {
            $0.iconPerspectiveEnabled = true
            $0.zIndex = 1
            $0.isHideCollidedMarkers = true
        }
        let b = try mapView.put("b", 220, 200) { $0.iconPerspectiveEnabled = true }
        let free = ["a": "icon", "b": "icon"]
        let hidden = ["a": "icon", "b": "icon<a collided"]
        let edge = 20 - 1 / 64.0
        let cases: [(x: Double, y: Double, isFree: Bool)] = [
            (20, 0, true), (edge, 0, true), (edge - step, 0, false), (-20, 0, true), (-edge, 3, true), (-edge + step, 3, false),
            (0, edge, true), (0, edge - step, false), (4, -edge, true), (4, -edge + step, false), (20, 20, true), (19, 19, false),
            (19, 20, true),
        ]
        for (x, y, isFree) in cases {
            b.position = mapView.geoCoordinates(from: CGPoint(x: 200 + x, y: 200 + y))
            #expect(try mapView.fates() == (isFree ? free : hidden), "\(x) \(y)")
        }
    }

    @Test func collisionsUseTheDrawnBoxes() throws {
        for (ratio, isFree) in [(1.0, true), (2, false)] {
            let mapView = MapView(city: 400, 400, pixelRatio: ratio)
            try mapView.put("a", 200, 200) {
                $0.zIndex = 1
                $0.isHideCollidedMarkers = true
            }
            // They would overlap by 0.4 pt, but share an edge once snapped to whole pixels.
            try mapView.put("b", 219.6, 200)
            #expect(try mapView.fates()["b"] == (isFree ? "icon" : "icon<a collided"))
        }
    }

    @Test func turnedIconsAreComparedByTheirQuads() throws {
        // Squares standing on a corner: they touch when the offsets on both axes add up to 20 √2.
        for (distance, fate) in [(14.5, "icon"), (14.15, "icon"), (14.1, "icon<a collided"), (12, "icon<a collided")] {
            mapView.removeAll()
            for (id, offset) in [("a", 0.0), ("b", distance)] {
                try mapView.put(id, 200 + offset, 200 - offset) {
                    $0.angle = 45
                    $0.isHideCollidedMarkers = true
                }
            }
            let (a, b) = (try #require(mapView.entry("a").icon?.quad), try #require(mapView.entry("b").icon?.quad))
            // Their bounding boxes overlap in all cases.
            #expect(a.map(\.x).max()! > b.map(\.x).min()! + 10 && a.map(\.y).min()! < b.map(\.y).max()! - 10)
            #expect(try mapView.fates() == ["a": "icon", "b": fate], "\(distance)")
        }
    }

    @Test func aCaptionTouchesTheTurnedIconAndNotItsBox() throws {
        try mapView.put("a", 200, 200) {
            $0.angle = 45
            $0.zIndex = 1
            $0.isHideCollidedMarkers = true
        }
        // The caption's upper left corner lies in the icon's bounding box, next to the icon's tip.
        for (inset, fate) in [(6.0, "- bottomRight"), (8, "- caption<a collided")] {
            let reach = 10 * 2.0.squareRoot()
            let b = try mapView.put("b", (200 + reach - inset).rounded(), (200 + reach - inset).rounded()) {
                $0.iconImage = .empty
                $0.captionText = "Hello"
                $0.captionAligns = [.bottomRight]
                $0.captionPadding = 0
            }
            #expect(try mapView.fates()["b"] == fate, "\(inset)")
            mapView.remove(b)
        }
    }

    @Test func flatIconsCollideAsProjected() throws {
        let mapView = MapView(city: 400, 400, tilt: 60)
        for (isFlat, fate) in [(false, "icon<a collided"), (true, "icon")] {
            mapView.removeAll()
            for (id, y) in [("a", 200.0), ("b", 185)] {
                try mapView.put(id, 200, y) {
                    $0.isFlat = isFlat
                    $0.isHideCollidedMarkers = true
                }
            }
            #expect(try mapView.fates() == ["a": "icon", "b": fate])
        }
        // At half the distance, flat icons overlap as well.
        let b = try #require(mapView.overlays[1] as? Marker)
        b.position = mapView.geoCoordinates(from: CGPoint(x: 200, y: 192))
        #expect(try mapView.fates() == ["a": "icon", "b": "icon<a collided"])
    }

    @Test func markersDoNotHideTheirOwnCopies() throws {
        let mapView = MapView(900, 300, Camera(zoom: 0))
        mapView.add(0, 0) {
            $0.id = "a"
            $0.iconImage = .solid(600, 20)
            $0.captionText =
                "A caption that is wider than the whole world is at this zoom, and so it overlaps its own copies and their icons"
            $0.captionOffset = -8
            $0.isHideCollidedMarkers = true
        }
        #expect(try mapView.captionRect("a").width > 512)
        #expect(try mapView.entry("a").copies == 3)
        #expect(try mapView.fates() == ["a": "icon bottom"])
        #expect(try mapView.frame().sprites.filter { $0.acrossX == 600 }.count == 3)
    }

    @Test func markersHideCopiesOfOthers() throws {
        let mapView = MapView(512, 300, Camera(zoom: 0))
        for (id, lng) in [("a", -170.0), ("b", 170)] {
            mapView.add(0, lng) {
                $0.id = id
                $0.iconImage = .solid(40, 20)
                $0.zIndex = id == "a" ? 1 : 0
                $0.isHideCollidedMarkers = true
            }
        }
        // 20 degrees are 28 pt, so the copy next to the picture extends into it.
        #expect(try mapView.fates() == ["a": "icon", "b": "icon<a collided"])
        (mapView.overlays[0] as? Marker)?.position?.lng = -160
        #expect(try mapView.fates() == ["a": "icon", "b": "icon"])
    }

    @Test func theReasonIsThatOfTheCopyDescribed() throws {
        // Looking east: the copy nearest the center is behind the camera, the next one is at the upper edge of the picture.
        let mapView = MapView(200, 120, Camera(zoom: 0, bearing: 90, tilt: 60))
        for id in ["a", "b"] {
            mapView.add(0, -146) {
                $0.id = id
                $0.iconImage = .solid(20, 20)
                $0.anchor = CGPoint(x: 0.5, y: 0)
            }
        }
        #expect(try mapView.fates() == ["a": "icon", "b": "icon"])
        (mapView.overlays[1] as? Marker)?.isHideCollidedMarkers = true
        #expect(try mapView.fates() == ["a": "icon<b collided", "b": "icon"])
    }

    @Test func markersOutsideThePictureHideNothing() throws {
        let a = try mapView.put("a", -25, 200) {
            $0.zIndex = 1
            $0.isHideCollidedMarkers = true
        }
        let b = try mapView.put("b", -14, 200) { $0.iconImage = .solid(40, 20) }
        #expect(try mapView.fates() == ["a": "- outOfView", "b": "icon"])
        // If its caption is visible it takes part, including its icon.
        a.captionText = "Hello"
        a.captionPadding = 0
        a.captionAligns = [.right]
        #expect(try mapView.fates() == ["a": "- right", "b": "icon<a collided"])
        // The first align decides.
        a.captionAligns = [.left, .right]
        #expect(try mapView.fates() == ["a": "- - outOfView", "b": "icon"])
        a.captionAligns = [.right, .left]
        b.zIndex = 2
        b.isHideCollidedCaptions = true
        // It has moved to an align outside the picture.
        #expect(try mapView.entry("a").caption?.align == .left)
        #expect(try mapView.fates() == ["a": "- - outOfView", "b": "icon"])
    }

    @Test func alignsOutsideThePictureAreNotAvoided() throws {
        let marker = try mapView.put("a", 200, 395) {
            $0.captionText = "Hello"
            $0.captionAligns = [.bottom, .top]
        }
        #expect(try mapView.entry("a").caption?.align == .bottom)
        #expect(try mapView.captionRect("a").y == 405)
        #expect(try mapView.fates() == ["a": "icon -"])
        marker.position = mapView.geoCoordinates(from: CGPoint(x: 200, y: 385))
        // Half of the caption is outside the picture.
        #expect(try mapView.fates() == ["a": "icon bottom"])
        #expect(try mapView.captionRect("a").y == 395)
    }

    @Test func captionsOfIconsOutsideThePictureAreDrawn() throws {
        try mapView.put("a", 200, 415) {
            $0.captionText = "Hello"
            $0.captionAligns = [.top]
        }
        #expect(try mapView.fates() == ["a": "- top"])
        #expect(try mapView.frame().sprites.count == 1)
        try mapView.put("b", 200, 395) {
            $0.zIndex = 1
            $0.isHideCollidedCaptions = true
        }
        #expect(try mapView.fates() == ["a": "- caption<b collided", "b": "icon"])
        #expect(try mapView.frame().sprites.count == 1)
    }

    @Test func captionsWithoutIcons() throws {
        let (width, height) = try textSize("Hello")
        for (id, y) in [("a", 200.0), ("b", 200 + height.rounded() - 1)] {
            try mapView.put(id, 200, y) {
                $0.iconImage = .empty
                $0.captionText = "Hello"
                $0.captionPadding = 0
                $0.isHideCollidedMarkers = true
            }
        }
        // The lower marker is placed first.
        #expect(try mapView.fates() == ["a": "- caption<b collided", "b": "- bottom"])
        let rect = try mapView.captionRect("b")
        #expect(rect.width == width.rounded() && rect.height == height.rounded())
        // Its top touches the marker's position.
        #expect(rect.y == 200 + height.rounded() - 1 && abs(rect.x + rect.width / 2 - 200) <= 0.5)
        (mapView.overlays[0] as? Marker)?.position = mapView.geoCoordinates(from: CGPoint(x: 200, y: 199))
        #expect(try mapView.fates() == ["a": "- bottom", "b": "- bottom"])
        // An icon without size hides nothing.
        try mapView.put("c", 200, 205) {
            $0.iconImage = .empty
            $0.zIndex = 1
            $0.isHideCollidedMarkers = true
        }
        #expect(try mapView.fates() == ["a": "- bottom", "b": "- bottom", "c": "- empty"])
    }
}
