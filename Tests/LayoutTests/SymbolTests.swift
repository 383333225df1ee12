import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Labels and points of interest of the base map.
@Suite struct SymbolTests {
    let mapView = MapView(city: 400, 400)

    /// A symbol with a text centered at a point of the picture in pt.
    private func symbol(_ id: String, _ x: Double, _ y: Double, rank: Double = 0, _ change: (inout Symbol) -> Void = { _ in }) throws
        -> Symbol
    {
        let position = try #require(mapView.geoCoordinates(from: CGPoint(x: x, y: y)))
        var symbol = Symbol(position: position, captionText: "Hello", rank: rank)
        symbol.id = id
        change(&symbol)
        return symbol
    }

    /// By id: "shown", the overlay that hides the symbol, or "-".
    private func fates(_ mapView: MapView? = nil) throws -> [String: String] {
        let entries = try (mapView ?? self.mapView).inspection().symbols
        return Dictionary(
            uniqueKeysWithValues: entries.map { ($0.id, $0.isVisible ? "shown" : $0.hiddenBy.map { "<\($0)" } ?? "-") })
    }

    @Test func theLowerRankIsShown() throws {
        mapView.symbols = try [symbol("a", 200, 200, rank: 2), symbol("b", 205, 205, rank: 1), symbol("c", 210, 210, rank: 3)]
        #expect(try fates() == ["a": "<b", "b": "shown", "c": "<b"])
        // Of symbols with equal rank, the first of the list is shown.
        for index in 0..<3 { mapView.symbols[index].rank = -0.5 }
        #expect(try fates() == ["a": "shown", "b": "<a", "c": "<a"])
        // Hidden symbols hide no others.
        mapView.symbols[1].rank = -1
        mapView.symbols[1].position = try #require(mapView.geoCoordinates(from: CGPoint(x: 222, y: 200)))
        mapView.symbols[2].position = try #require(mapView.geoCoordinates(from: CGPoint(x: 178, y: 200)))
        #expect(try fates() == ["a": "<b", "b": "shown", "c": "shown"])
    }

    @Test func aSharedEdgeIsNoOverlap() throws {
        let (width, height) = try textSize("Hello")
        mapView.symbols = try [symbol("a", 200, 200), symbol("b", 200 + width.rounded(), 200), symbol("c", 200, 200 + height.rounded())]
        #expect(try fates() == ["a": "shown", "b": "shown", "c": "shown"])
        mapView.symbols[1].position = try #require(mapView.geoCoordinates(from: CGPoint(x: 199 + width.rounded(), y: 200)))
        #expect(try fates() == ["a": "shown", "b": "<a", "c": "shown"])
    }

    @Test func markersHideThemWhenAsked() throws {
        let a = try mapView.put("a", 200, 200) {
            $0.captionText = "Hello"
            $0.isHideCollidedMarkers = true
            $0.isHideCollidedCaptions = true
        }
        mapView.symbols = try [symbol("icon", 200, 195), symbol("text", 200, 225), symbol("free", 300, 200), symbol("next", 200, 238)]
        let all = ["icon": "shown", "text": "shown", "free": "shown", "next": "<text"]
        #expect(try fates() == all)
        a.isHideCollidedSymbols = true
        // A symbol hidden by a marker hides no other symbol.
        #expect(try fates() == ["icon": "<a", "text": "<a", "free": "shown", "next": "shown"])
        // Symbols never hide markers, whatever their flags.
        #expect(try mapView.fates() == ["a": "icon bottom"])
        a.isHidden = true
        #expect(try fates() == all)
        a.isHidden = false
        a.alpha = 0
        #expect(try fates()["icon"] == "<a")
        // A hidden caption hides nothing.
        try mapView.put("b", 200, 218) {
            $0.zIndex = 1
            $0.iconImage = .solid(4, 4)
            $0.isHideCollidedCaptions = true
        }
        #expect(try mapView.fates()["a"] == "icon caption<b")
        #expect(try fates() == ["icon": "<a", "text": "shown", "free": "shown", "next": "<text"])
    }

    @Test func hiddenMarkersHideNone() throws {
        try mapView.put("top", 200, 210) { $0.isHideCollidedMarkers = true }
        try mapView.put("under", 200, 195) { $0.isHideCollidedSymbols = true }
        mapView.symbols = try [symbol("s", 200, 185)]
        #expect(try mapView.fates()["under"] == "icon<top collided")
        #expect(try fates() == ["s": "shown"])
    }

    @Test func turnedIconsHideWhatTheyTouch() throws {
        try mapView.put("a", 200, 200) {
            $0.angle = 45
            $0.isHideCollidedSymbols = true
        }
        // One in the corner of the bounding box, next to the tip, and one on the icon's side.
        let dot = OverlayImage.solid(4, 4)
        mapView.symbols = try [(12.0, "corner"), (8, "side")].map { offset, id in
            try symbol(id, 200 + offset, 200 + offset) {
                $0.captionText = ""
                $0.iconImage = dot
            }
        }
        #expect(try fates() == ["corner": "shown", "side": "<a"])
    }

    @Test func iconAndTextAreHiddenTogether() throws {
        let icon = OverlayImage.solid(20, 20)
        let (width, height) = try textSize("Hello")
        mapView.symbols = try [symbol("a", 200, 200) { $0.iconImage = icon }]
        let rect = try #require(mapView.inspection().symbols[0].rect)
        // The icon is centered at its position, with the text beneath.
        #expect(rect.y == 190 && rect.height == 20 + height.rounded() && rect.width == width.rounded())
        #expect(abs(rect.x + rect.width / 2 - 200) <= 0.5)
        let sprites = try mapView.frame().sprites
        #expect(sprites.count == 2 && sprites[0].x == 190 && sprites[0].y == 190)
        // A collision of either part hides the whole symbol.
        mapView.symbols += try [symbol("text", 200, 220, rank: -1)]
        #expect(try fates() == ["a": "<text", "text": "shown"])
        #expect(try mapView.frame().sprites.count == 1)
        mapView.symbols[1].position = try #require(mapView.geoCoordinates(from: CGPoint(x: 200, y: 185)))
        #expect(try fates() == ["a": "<text", "text": "shown"])
        // The bounding box is not reserved: the room next to the narrow icon, above the wide text, is free.
        mapView.symbols[0].captionText = "A wide text"
        mapView.symbols[1].position = try #require(mapView.geoCoordinates(from: CGPoint(x: 210 + (width / 2).rounded(.up), y: 200)))
        mapView.symbols[1].captionTextSize = 10
        #expect(try fates() == ["a": "shown", "text": "shown"])
        mapView.symbols[0].width = 60
        #expect(try fates() == ["a": "<text", "text": "shown"])
    }

    @Test func zoomRangesDetermineWhichAreShown() throws {
        mapView.symbols = try [
            symbol("a", 200, 200) { ($0.minZoom, $0.maxZoom) = (10, 14) }, symbol("b", 200, 200, rank: 1) { $0.minZoom = 14 },
            symbol("never", 200, 200, rank: -1) { ($0.minZoom, $0.maxZoom) = (15, 13) },
        ]
        for (zoom, shown) in [(9.99, []), (10.0, ["a"]), (13.99, ["a"]), (14, ["a"]), (14.01, ["b"]), (24, ["b"])] {
            mapView.camera.zoom = zoom
            mapView.camera.center = mapView.symbols[0].position
            #expect(try fates().filter { $0.value == "shown" }.keys.sorted() == shown, "\(zoom)")
        }
        // A symbol out of its zoom range has no box, and nothing hides it.
        #expect(try mapView.inspection().symbols.map { $0.rect == nil } == [true, false, true])
        #expect(try mapView.inspection().symbols.allSatisfy { $0.hiddenBy == nil })
    }

    @Test func symbolsOutsideThePictureHideNothing() throws {
        let (width, _) = try textSize("Hello")
        mapView.symbols = try [symbol("out", -width / 2 - 20, 200, rank: -1), symbol("in", -width / 2 + 2, 200), symbol("far", 900, 200)]
        #expect(try fates() == ["out": "-", "in": "shown", "far": "-"])
        #expect(try mapView.frame().sprites.count == 1)
    }

    @Test func theyLieBetweenLowAndHighOverlays() throws {
        let icon = OverlayImage.solid(9, 9)
        for (id, z, width) in [("low", -1, 11), ("zero", 0, 12), ("high", 5, 13)] {
            try mapView.put(id, 200, 200) {
                $0.globalZIndex = z
                $0.iconImage = .solid(width, 10)
            }
        }
        try mapView.put("band", 200, 200) {
            $0.globalZIndex = 900
            $0.mapLayerType = .poi
            $0.iconImage = .solid(10, 10)
        }
        mapView.symbols = try [(2.0, 2), (1, 40)].map { rank, x in
            try symbol("\(rank)", 200 + Double(x), 200, rank: rank) {
                $0.captionText = ""
                $0.iconImage = icon
            }
        }
        let frame = try mapView.frame()
        // The symbol of the lowest rank is on top.
        #expect(frame.sprites.map(\.acrossX) == [10, 11, 9, 9, 12, 13])
        #expect(frame.sprites[2].x < frame.sprites[3].x)
    }

    @Test func symbolsAreOnEveryCopyOfTheWorld() throws {
        let mapView = MapView(1200, 300, Camera(zoom: 0))
        var wide = Symbol(position: LatLng(lat: 0, lng: 0))
        wide.id = "wide"
        wide.iconImage = .solid(600, 10)
        mapView.symbols = [wide]
        // A symbol does not hide its own copies.
        #expect(try mapView.frame().sprites.count == 3)
        #expect(try fates(mapView) == ["wide": "shown"])
        // A marker, which is on every copy of the world, hides the copies that it touches.
        mapView.add(0, 0) {
            $0.id = "m"
            $0.isHideCollidedSymbols = true
        }
        #expect(try fates(mapView) == ["wide": "<m"])
        mapView.removeAll()
        // Across the antimeridian.
        var texts = [
            Symbol(position: LatLng(lat: 0, lng: 179), captionText: "a"), Symbol(position: LatLng(lat: 0, lng: -179), captionText: "b"),
        ]
        texts[0].id = "a"
        texts[1].id = "b"
        mapView.symbols = texts
        #expect(try fates(mapView) == ["a": "shown", "b": "<a"])
    }

    @Test func aCopyBesideThePictureReachesIntoIt() throws {
        // The world is as wide as the picture, and the text crosses its edge.
        let mapView = MapView(512, 300, Camera(zoom: 0))
        mapView.symbols = [Symbol(position: LatLng(lat: 0, lng: 178), captionText: "A text of some length")]
        #expect(try mapView.frame().sprites.map { $0.x < 0 } == [false, true])
        mapView.symbols[0].captionText = ""
        mapView.symbols[0].iconImage = .solid(60, 10)
        #expect(try mapView.frame().sprites.map { $0.x < 0 } == [false, true])
    }

    @Test func theCopyNearestTheCenterIsDescribed() throws {
        let mapView = MapView(1200, 300, Camera(center: LatLng(lat: 0, lng: -90), zoom: 0))
        var symbol = Symbol(position: LatLng(lat: 0, lng: 80), captionText: "Hello")
        symbol.id = "s"
        mapView.symbols = [symbol]
        #expect(try mapView.frame().sprites.count == 2)
        // 170 degrees east is nearer than 190 degrees west.
        let entry = try mapView.inspection().symbols[0]
        let x = 600 + 170 * 512 / 360.0
        #expect(abs(try #require(entry.anchor).x - x) < 0.001)
        let rect = try #require(entry.rect)
        #expect(abs(rect.x + rect.width / 2 - x) <= 1)
        // The entry still describes that copy when it is hidden.
        mapView.add(0, 80) {
            $0.id = "m"
            $0.isHideCollidedSymbols = true
        }
        #expect(try mapView.inspection().symbols[0].hiddenBy == "m")
        #expect(try abs(#require(mapView.inspection().symbols[0].anchor).x - x) < 0.001)
    }

    @Test func invalidValuesAreReported() throws {
        let edits: [((inout Symbol) -> Void, String)] = [
            ({ $0.position.lat = 95 }, "position.lat: 95 is outside -90…90"),
            ({ $0.position.lng = .nan }, "position.lng: nan is not a finite number"),
            ({ $0.captionTextSize = 0 }, "captionTextSize: 0 is outside 1…512"),
            ({ $0.captionTextSize = .nan }, "captionTextSize: nan is outside 1…512"),
            ({ $0.captionRequestedWidth = -1 }, "captionRequestedWidth: -1 is outside 0…10000"),
            ({ $0.width = -1 }, "width: -1 is outside 0…10000"), ({ $0.height = .infinity }, "height: inf is outside 0…10000"),
            ({ $0.minZoom = -1 }, "minZoom: -1 is outside 0…24"), ({ $0.maxZoom = 25 }, "maxZoom: 25 is outside 0…24"),
            ({ $0.rank = .nan }, "rank: nan is not a finite number"),
            ({ $0.captionColor = Color(white: 2) }, "captionColor: a channel is outside 0…1"),
            ({ $0.captionHaloColor = Color(white: -1) }, "captionHaloColor: a channel is outside 0…1"),
        ]
        for (edit, message) in edits {
            mapView.symbols = try [symbol("bad", 200, 200, rank: -1, edit), symbol("good", 200, 200)]
            #expect(try mapView.inspection().diagnostics.words == ["warning: bad: \(message)"])
            // An invalid symbol hides nothing.
            #expect(try fates() == ["bad": "-", "good": "shown"])
        }
        mapView.symbols[0] = try symbol("bad", 200, 200) {
            $0.id = nil
            $0.iconImage = OverlayImage(path: "/nonexistent/icon.png")
        }
        let words = try mapView.inspection().diagnostics.words
        #expect(words.count == 1 && words[0].hasPrefix("warning: symbol-0: iconImage: ") && words[0].contains("/nonexistent/icon.png"))
        mapView.symbols.removeFirst()
        #expect(try mapView.inspection().diagnostics.isEmpty)
        #expect(try mapView.inspection().symbols.count == 1)
        mapView.symbols = []
        #expect(try mapView.frame().sprites.isEmpty)
    }

    @Test(arguments: [1.0, 1.5, 2]) func symbolsAreSnappedToWholePixels(ratio: Double) throws {
        mapView.pixelRatio = ratio
        mapView.symbols = try [symbol("a", 200.3, 200.7), symbol("b", 100.1, 100.9) { $0.iconImage = .solid(11, 11) }]
        for entry in try mapView.inspection().symbols {
            let rect = try #require(entry.rect)
            if entry.id == "a" {
                for length in [rect.x, rect.y, rect.width, rect.height] { #expect(abs((length * ratio).rounded() - length * ratio) < 1e-9) }
            }
        }
        for sprite in try mapView.frame().sprites where sprite.sampling == .nearest {
            #expect(sprite.x == sprite.x.rounded() && sprite.y == sprite.y.rounded())
        }
    }
}
