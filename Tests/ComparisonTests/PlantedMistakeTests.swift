import Foundation
import Testing
import Waymark
import WaymarkComparison
import WaymarkTestSupport

/// One renderer for all tests of this module: they run one after another.
@MainActor enum Drawing {
    static let shared: Result<Renderer, RenderError> = {
        PinnedRasterizer.pin
        return Result { () throws(RenderError) in try Renderer(device: .software) }
    }()

    static func draw(_ map: MapView) throws -> ComparedPicture {
        ComparedPicture(try shared.get().render(map).bitmap, inspection: try map.inspection())
    }
}

/// Mistakes that a change of a map screen's code could make: the comparison finds each, and names the overlay.
@MainActor @Suite(.serialized) struct PlantedMistakeTests {
    /// Overlapping markers with captions, over a line, an area and a model.
    private func map(_ change: (MapView, [String: Marker]) -> Void = { _, _ in }) -> MapView {
        let map = MapView(size: CGSize(width: 240, height: 180))
        map.background = .white
        map.camera = Camera(center: LatLng(37.5, 127), zoom: 12)
        let area = Polygon(points: [LatLng(37.49, 126.98), LatLng(37.51, 126.98), LatLng(37.51, 127.0)])
        area.id = "park"
        area.fillColor = Color(css: "#c8e6c9")!
        map.add(area)
        let line = Polyline(points: [LatLng(37.47, 126.97), LatLng(37.52, 127.03)])
        line.id = "road"
        line.width = 4
        map.add(line)
        var markers: [String: Marker] = [:]
        for (name, lat, lng) in [("hall", 37.5, 127.0), ("gate", 37.499, 127.004), ("tower", 37.51, 127.02)] {
            let marker = Marker(position: LatLng(lat, lng))
            marker.id = name
            marker.captionText = name.capitalized
            marker.zIndex = 1
            marker.captionColor = Color(css: "#404040")!
            markers[name] = marker
            map.add(marker)
        }
        change(map, markers)
        return map
    }

    private func differences(_ change: @escaping (MapView, [String: Marker]) -> Void) throws -> PictureVerdict {
        var report = ComparisonReport(title: "planted", rule: .otherRenderer)
        return try report.compare("map", expected: Drawing.draw(map()), actual: Drawing.draw(map(change)))
    }

    @Test func nothingIsNothing() throws {
        let verdict = try differences { _, _ in }
        #expect(verdict.matches && verdict.overlays.isEmpty && verdict.description == "map: the pictures are equal")
    }

    @Test func aMarkerMovedByOnePixel() throws {
        let verdict = try differences { _, markers in markers["tower"]?.anchorOffset = CGPoint(x: 1, y: 0) }
        #expect(!verdict.matches)
        #expect(verdict.overlays.map(\.description) == ["marker tower: moved by (1, 0) pt"])
        #expect(verdict.otherPixels == 0)
    }

    @Test func aCaptionsColorChangedByEight() throws {
        let verdict = try differences { _, markers in markers["tower"]?.captionColor = Color(css: "#484848")! }
        #expect(!verdict.matches)
        #expect(verdict.overlays.count == 1 && verdict.overlays.first?.id == "tower")
        guard case .restyled(.caption, let pixels, let difference)? = verdict.overlays.first?.changes.first else {
            Issue.record("\(verdict)")
            return
        }
        #expect(pixels > 10 && difference == 8)
    }

    @Test func anotherText() throws {
        // As wide as the letter that it replaces, so that nothing moves.
        let verdict = try differences { _, markers in markers["tower"]?.captionText = "T\u{2007}wer" }
        #expect(!verdict.matches)
        #expect(verdict.overlays.first?.id == "tower")
        #expect(verdict.overlays.first?.changes.contains(.text(from: "Tower", to: "T\u{2007}wer")) == true, "\(verdict)")
    }

    /// The same text at the same place with one letter missing, which only the pixels show.
    @Test(arguments: 0..<5) func aMissingGlyph(letter: Int) throws {
        // Away from everything else, with the whole caption in the picture.
        let expected = try Drawing.draw(map { $1["tower"]?.position = LatLng(37.51, 127.012) })
        var actual = expected
        let box = try #require(actual.inspection?.overlays.first { $0.id == "tower" }?.caption?.rect)
        let columns = (0...5).map { Int((box.x + box.width * Double($0) / 5).rounded()) }
        for y in Int(box.y)..<Int((box.y + box.height).rounded(.up)) {
            for x in columns[letter]..<columns[letter + 1] { actual.bitmap[x, y] = .init(red: 255, green: 255, blue: 255, alpha: 255) }
        }
        var report = ComparisonReport(title: "planted", rule: .otherRenderer)
        let verdict = try report.compare("map", expected: expected, actual: actual)
        #expect(!verdict.matches && verdict.otherPixels == 0, "\(verdict)")
        #expect(verdict.overlays.map(\.id) == ["tower"], "\(verdict)")
        guard case .restyled(.caption, let pixels, let difference)? = verdict.overlays.first?.changes.first else {
            Issue.record("\(verdict)")
            return
        }
        #expect(pixels > 5 && difference > 100, "\(verdict)")
    }

    @Test func twoOverlaysSwappedInOrder() throws {
        let verdict = try differences { _, markers in markers["hall"]?.zIndex = 2 }
        #expect(!verdict.matches)
        let words = verdict.overlays.map(\.description)
        #expect(
            words == ["marker hall: is drawn above gate; expected below"] || words == ["marker gate: is drawn below hall; expected above"],
            "\(words)")
    }

    @Test func aMarkerHiddenByAnother() throws {
        let verdict = try differences { _, markers in
            markers["hall"]?.isHideCollidedMarkers = true
            markers["hall"]?.zIndex = 5
        }
        #expect(!verdict.matches)
        #expect(verdict.overlays.contains { $0.id == "gate" && $0.changes == [.hidden(nil, by: "hall", reason: "collided")] }, "\(verdict)")
    }

    @Test(arguments: [15.0, -90, 180]) func aTurnedIcon(angle: Double) throws {
        let verdict = try differences { _, markers in markers["tower"]?.angle = angle }
        let sentence = verdict.overlays.map(\.description).first ?? ""
        // Parts beneath the icon move with its lower edge.
        #expect(sentence.hasPrefix("marker tower: the icon is turned by \(Int(angle))°; moved by"), "\(sentence)")
    }

    /// Its longest edge points to the left, where angles go from 180° to -180°.
    @Test(arguments: [(89.98, 90.01), (-90.01, -89.98), (269.99, 270.02)]) func anIconThatIsHardlyTurned(from: Double, to: Double) throws {
        var report = ComparisonReport(title: "planted", rule: .otherRenderer)
        let verdict = try report.compare(
            "map", expected: Drawing.draw(map { _, markers in markers["tower"]?.angle = from }),
            actual: Drawing.draw(map { _, markers in markers["tower"]?.angle = to }))
        #expect(!verdict.overlays.contains { $0.description.contains("turned by") }, "\(verdict)")
    }

    @Test func aLargerIcon() throws {
        let verdict = try differences { _, markers in
            markers["tower"]?.width = 30
            markers["tower"]?.height = 40.25
        }
        let sentence = verdict.overlays.map(\.description).first ?? ""
        #expect(sentence.hasPrefix("marker tower: the icon is 30 × 40 pt; expected 26 × 36"), "\(sentence)")
    }

    @Test func whatIsAddedAndRemoved() throws {
        let verdict = try differences { map, markers in
            markers["tower"]?.mapView = nil
            let circle = Circle(center: LatLng(37.49, 127.02), radius: 300)
            circle.id = "pond"
            map.add(circle)
        }
        #expect(verdict.overlays.map(\.description) == ["marker tower: is missing", "circle pond: is new"])
    }

    @Test func whatHasAnotherStyle() throws {
        let verdict = try differences { map, _ in (map.overlays.first as? Polygon)?.fillColor = Color(css: "#a8d6a9")! }
        #expect(verdict.overlays.count == 1 && verdict.overlays.first?.id == "park", "\(verdict)")
        let icon = try differences { _, markers in markers["tower"]?.iconImage = MarkerImage.red }
        #expect(icon.overlays.count == 1 && icon.overlays.first?.id == "tower", "\(icon)")
        guard case .restyled(.icon, _, _)? = icon.overlays.first?.changes.first else {
            Issue.record("\(icon)")
            return
        }
    }

    /// Markers on a large area: both have the pixels by which the markers differ.
    private func markersOnAnArea(
        _ change: (Polygon, [Marker]) -> Void = { _, _ in }
    ) throws -> ComparedPicture {
        let map = MapView(size: CGSize(width: 240, height: 180))
        map.camera = Camera(center: LatLng(37.5, 127), zoom: 12)
        let area = Polygon(
            points: [LatLng(37.489, 126.984), LatLng(37.511, 126.984), LatLng(37.511, 127.016), LatLng(37.489, 127.016)])
        area.id = "land"
        area.fillColor = Color(css: "#c8e6c9")!
        area.outlineWidth = 2
        map.add(area)
        let markers = [126.992, 127.008].map { Marker(position: LatLng(37.5, $0)) }
        for (marker, name) in zip(markers, ["west", "east"]) {
            marker.id = name
            map.add(marker)
        }
        change(area, markers)
        return try Drawing.draw(map)
    }

    @Test func restyledMarkersOnALargeAreaAreNamed() throws {
        var report = ComparisonReport(title: "planted", rule: .otherRenderer)
        let expected = try markersOnAnArea()
        let restyled = try report.compare(
            "restyled", expected: expected,
            actual: markersOnAnArea { for marker in $1 { marker.iconImage = MarkerImage.red } })
        #expect(restyled.overlays.map(\.id) == ["west", "east"], "\(restyled)")
        // Also where the area has moved, and looks the same beneath them.
        let moved = try report.compare(
            "moved", expected: expected,
            actual: markersOnAnArea { area, markers in
                area.rings = area.rings.map { $0.map { LatLng($0.lat, $0.lng + 0.001) } }
                markers[1].iconImage = MarkerImage.red
            })
        #expect(moved.overlays.map(\.id) == ["land", "east"], "\(moved)")
        guard case .moved? = moved.overlays.first?.changes.first, case .restyled(.icon, _, _)? = moved.overlays.last?.changes.first else {
            Issue.record("\(moved)")
            return
        }
        #expect(moved.overlays.first?.changes.count == 1)
        // Changed pixels of the area are attributed to the area, even with markers on it.
        let filled = try report.compare(
            "filled", expected: expected, actual: markersOnAnArea { area, _ in area.fillColor = Color(css: "#a8d6a9")! })
        #expect(filled.overlays.map(\.id) == ["land"], "\(filled)")
        let outlined = try report.compare("outlined", expected: expected, actual: markersOnAnArea { area, _ in area.outlineColor = .red })
        #expect(outlined.overlays.map(\.id) == ["land"], "\(outlined)")
        let both = try report.compare(
            "both", expected: expected,
            actual: markersOnAnArea { area, _ in
                area.rings = area.rings.map { $0.map { LatLng($0.lat, $0.lng + 0.001) } }
                area.fillColor = Color(css: "#a8d6a9")!
            })
        #expect(both.overlays.map(\.id) == ["land"] && both.overlays.first?.changes.count == 2, "\(both)")
        for verdict in [restyled, moved, filled, outlined, both] { #expect(verdict.otherPixels == 0, "\(verdict)") }
    }

    @Test func theBackground() throws {
        let verdict = try differences { map, _ in map.background = Color(css: "#f0f0f0")! }
        #expect(!verdict.matches && (verdict.otherPixels ?? 0) > 1000, "\(verdict)")
    }

    /// A picture with noise in a part of it.
    private func noisy(_ picture: Bitmap, by most: Int, where isNoisy: (_ x: Int, _ y: Int) -> Bool = { _, _ in true }) throws -> Bitmap {
        var random = SplitMix64(seed: 5)
        var pixels = picture.straightPixels
        for index in pixels.indices where index % 4 != 3 {
            let step = random.integer(-most...most)
            guard isNoisy(index / 4 % picture.width, index / 4 / picture.width) else { continue }
            pixels[index] = UInt8(max(0, min(255, Int(pixels[index]) + step)))
        }
        return try #require(Bitmap(width: picture.width, height: picture.height, straightPixels: pixels))
    }

    /// Differences in last bits are ignored between renderers, wherever they are; larger ones are reported, even on a single overlay.
    /// SweepTests compares the pictures of two drivers.
    @Test func noise() throws {
        let expected = try Drawing.draw(map())
        func verdict(_ picture: Bitmap) throws -> PictureVerdict {
            var report = ComparisonReport(title: "noise", rule: .otherRenderer)
            return try report.compare("map", expected: expected, actual: ComparedPicture(picture, inspection: expected.inspection))
        }
        let faint = try noisy(expected.bitmap, by: 3)
        #expect(try verdict(faint).matches)
        #expect(!PictureComparison(expected.bitmap, faint).matches)
        let corners = try #require(expected.inspection?.overlays.first { $0.id == "tower" }?.icon?.quad)
        let strong = try noisy(expected.bitmap, by: 8) { x, y in
            let (x, y) = (Double(x), Double(y))
            return corners.contains { $0.x <= x && $0.y <= y } && corners.contains { $0.x > x && $0.y > y }
        }
        let found = try verdict(strong)
        #expect(!found.matches && found.overlays.map(\.id) == ["tower"], "\(found)")
    }

    @Test func whatIsMovedTellsHowFarItsCaptionAndHowFarItsIcon() throws {
        let verdict = try differences { _, markers in
            markers["tower"]?.position = LatLng(37.511, 127.02)
            markers["gate"]?.captionAligns = [.right]
        }
        #expect(verdict.overlays.map(\.id) == ["gate", "tower"])
        guard case .moved(.caption, _, _)? = verdict.overlays.first?.changes.first,
            case .moved(nil, x: 0, let y)? = verdict.overlays.last?.changes.first
        else {
            Issue.record("\(verdict)")
            return
        }
        #expect(y < -2)
    }
}
