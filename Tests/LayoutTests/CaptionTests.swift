import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport
import WaymarkText

/// The positions of captions, and the work repeated when they change.
@Suite struct CaptionTests {
    static let ratios = [1.0, 1.5, 2]

    /// The bounding box of a drawn icon, in device pixels quantized to 1/1024.
    private func box(_ entry: Inspection.OverlayEntry, _ ratio: Double) throws -> (left: Double, top: Double, right: Double, bottom: Double)
    {
        let quad = try #require(entry.icon?.quad)
        let xs = quad.map { ($0.x * ratio * 1024).rounded() / 1024 }
        let ys = quad.map { ($0.y * ratio * 1024).rounded() / 1024 }
        return (xs.min()!, ys.min()!, xs.max()!, ys.max()!)
    }

    @Test(arguments: AlignType.allCases, ratios) func captionsArePlacedBesideTheDrawnIcon(align: AlignType, ratio: Double) throws {
        let mapView = MapView(city: 400, 400, pixelRatio: ratio, bearing: 20, tilt: 40)
        let (textWidth, textHeight) = try textSize("Hello")
        let size = (width: (textWidth * ratio).rounded(), height: (textHeight * ratio).rounded())
        let looks: [(Marker) -> Void] = [
            { _ in }, { $0.angle = 30 }, { $0.isFlat = true },
            {
                $0.isFlat = true
                $0.angle = -70
            }, { $0.iconPerspectiveEnabled = true }, { $0.iconImage = .empty }, { $0.angle = 180 }, { $0.iconImage = .solid(7, 33) },
        ]
        for (number, look) in looks.enumerated() {
            let marker = try mapView.put("\(number)", 187.3, 143.9) {
                $0.captionText = "Hello"
                $0.captionAligns = [align]
                look($0)
            }
            for offset in [0.0, 7, -4.5] {
                marker.captionOffset = offset
                let entry = try mapView.entry("\(number)")
                let box = try box(entry, ratio)
                let gap = offset * ratio
                let name = align.rawValue.lowercased()
                let x =
                    name.contains("left")
                    ? box.left - gap - size.width
                    : name.contains("right") ? box.right + gap : (box.left + box.right - size.width) / 2
                let y =
                    name.contains("top")
                    ? box.top - gap - size.height
                    : name.contains("bottom") ? box.bottom + gap : (box.top + box.bottom - size.height) / 2
                let rect = try #require(entry.caption?.rect)
                // The upper left is rounded to whole pixels, halves up.
                #expect(abs(rect.x * ratio - (x + 0.5).rounded(.down)) < 1e-6, "\(number) \(offset)")
                #expect(abs(rect.y * ratio - (y + 0.5).rounded(.down)) < 1e-6, "\(number) \(offset)")
                #expect(abs(rect.width * ratio - size.width) < 1e-6 && abs(rect.height * ratio - size.height) < 1e-6)
            }
            mapView.remove(marker)
        }
    }

    @Test(arguments: ratios) func theOffsetIsIgnoredAtTheCenter(ratio: Double) throws {
        let mapView = MapView(city: 400, 400, pixelRatio: ratio)
        let marker = try mapView.put("a", 200, 200) {
            $0.captionText = "Hello"
            $0.captionAligns = [.center]
        }
        let rect = try mapView.captionRect("a")
        marker.captionOffset = 50
        #expect(try mapView.captionRect("a") == rect)
    }

    @Test(arguments: ratios) func captionAndSubCaptionAreOneBlock(ratio: Double) throws {
        let mapView = MapView(city: 400, 400, pixelRatio: ratio)
        let marker = try mapView.put("a", 200, 200) {
            $0.captionText = "Hello"
            $0.subCaptionText = "A wider sub caption\nof two lines"
            $0.subCaptionTextSize = 9.5
            $0.captionAligns = [.right]
        }
        let main = try textSize("Hello")
        let sub = try textSize(marker.subCaptionText, size: 9.5)
        let rect = try mapView.captionRect("a")
        #expect(abs(rect.width * ratio - (sub.width * ratio).rounded()) < 1e-6)
        #expect(abs(rect.height * ratio - ((main.height + sub.height) * ratio).rounded()) < 1e-6)
        #expect(try mapView.entry("a").caption?.lines == ["Hello", "A wider sub caption", "of two lines"])
        // Both texts are one sprite.
        #expect(try mapView.frame().sprites.count == 2)
    }

    @Test func captionAndSubCaptionHaveZoomRanges() throws {
        let mapView = MapView(city: 400, 400)
        let marker = try mapView.put("a", 200, 200) {
            $0.captionText = "Hello"
            $0.subCaptionText = "Sub"
            ($0.captionMinZoom, $0.captionMaxZoom) = (10, 15)
            ($0.subCaptionMinZoom, $0.subCaptionMaxZoom) = (12, 20)
        }
        mapView.camera.center = try #require(marker.position)
        for (zoom, lines) in [
            (9.999, []), (10, ["Hello"]), (11.999, ["Hello"]), (12, ["Hello", "Sub"]), (15, ["Hello", "Sub"]), (15.001, []), (20, []),
        ] {
            mapView.camera.zoom = zoom
            let caption = try #require(mapView.entry("a").caption)
            #expect(caption.lines == lines && caption.isVisible == !lines.isEmpty && (caption.rect == nil) == lines.isEmpty, "\(zoom)")
            #expect(try mapView.frame().sprites.count == (lines.isEmpty ? 1 : 2))
        }
        mapView.camera.zoom = 21
        marker.captionMaxZoom = 24
        #expect(try mapView.entry("a").caption?.lines == ["Hello"])
        // It is never shown when the minimum exceeds the maximum.
        marker.captionMinZoom = 24
        marker.captionMaxZoom = 0
        #expect(try mapView.entry("a").caption?.isVisible == false)
    }

    @Test(arguments: ratios) func perspectiveTextSizesAreWholeQuarterPixels(ratio: Double) throws {
        var camera = DesignCamera()
        (camera.width, camera.height, camera.lat, camera.lng, camera.zoom, camera.tilt) = (400, 400, 37.5, 127, 14, 60)
        let mapView = MapView(camera, pixelRatio: ratio)
        let layout = try fonts().layout(TextRequest(text: "A caption in the distance", size: 12))
        var sizes = Set<Double>()
        for y in stride(from: 40.0, through: 380, by: 20) {
            let marker = try mapView.put("a", 200, y) {
                $0.captionText = "A caption in the distance"
                $0.captionPerspectiveEnabled = true
                $0.captionOffset = 3
            }
            let position = try #require(marker.position)
            let scale = camera.distance / camera.project(lat: position.lat, lng: position.lng).depth
            let letters = (12 * ratio * scale * 4).rounded() / 4
            sizes.insert(letters)
            let entry = try mapView.entry("a")
            let rect = try #require(entry.caption?.rect)
            #expect(abs(rect.width * ratio - (layout.width * letters / 12).rounded()) < 1e-6, "\(y)")
            #expect(abs(rect.height * ratio - (layout.height * letters / 12).rounded()) < 1e-6, "\(y)")
            // The gap scales with it.
            #expect(try abs(rect.y * ratio - box(entry, ratio).bottom - 3 * ratio * scale) < 0.002, "\(y)")
            mapView.remove(marker)
        }
        #expect(sizes.count > 12)
    }

    @Test func captionsAreDrawnInTheOrderOfTheirMarkers() throws {
        let mapView = MapView(city: 400, 400)
        for (id, y) in [("upper", 195.0), ("lower", 210)] {
            try mapView.put(id, 200, y) {
                $0.iconImage = .solid(20, 20)
                $0.captionText = id
            }
        }
        let frame = try mapView.frame()
        // The lower marker's icon covers the upper one's caption.
        let names = frame.sprites.map { frame.images[Int($0.image)].name }
        #expect(names == ["bitmap", "text “upper”", "bitmap", "text “lower”"])
        let caption = try #require(mapView.entry("upper").caption?.rect)
        #expect(caption.y < 220 && caption.y + caption.height > 200)
    }

    @Test func equalCaptionsShareTheirImages() throws {
        let mapView = MapView(city: 800, 800)
        for index in 0..<300 {
            try mapView.put("\(index)", 50 + Double(index % 20) * 35, 50 + Double(index / 20) * 45) {
                $0.captionText = ["one", "two", "three"][index % 3]
                $0.iconImage = MarkerImage.red
            }
        }
        let frame = try mapView.frame()
        #expect(frame.sprites.count == 600)
        #expect(frame.images.count == 4)
        #expect(Composer.of(mapView).statistics.madeCaptionPieces == 3)
    }

    @Test func changesRecomputeOnlyWhatTheyAffect() throws {
        let (folder, source) = try someFonts()
        defer { withExtendedLifetime(folder) {} }
        let mapView = MapView(city: 400, 400)
        mapView.fontSource = source
        let markers = try (0..<5).map { index in
            try mapView.put("\(index)", 60 + Double(index) * 60, 200) {
                $0.captionText = "caption \(index)"
                $0.subCaptionText = "sub"
            }
        }
        let library = try FontLibrary.of(source)
        /// The number of texts laid out, and of caption pieces drawn.
        func work(_ change: () -> Void) throws -> [Int] {
            change()
            let before = (library.shapings, Composer.of(mapView).statistics.madeCaptionPieces)
            _ = try mapView.frame()
            return [library.shapings - before.0, Composer.of(mapView).statistics.madeCaptionPieces - before.1]
        }
        #expect(try work {} == [6, 5])
        #expect(try work {} == [0, 0])
        let cameras: [(inout Camera) -> Void] = [
            { $0.zoom = 13.9 }, { $0.bearing = 12 }, { $0.tilt = 35 }, { $0.center.lng += 0.0013 }, { $0.contentInset.left = 9 },
            { $0 = Camera(center: LatLng(lat: 37.5670135, lng: 126.9783740), zoom: 14) },
        ]
        for (index, change) in cameras.enumerated() { #expect(try work { change(&mapView.camera) } == [0, 0], "camera \(index)") }
        let marker = markers[2]
        let changes: [(work: [Int], change: () -> Void)] = [
            ([0, 1], { marker.captionColor = .red }), ([0, 1], { marker.subCaptionHaloColor = .blue }),
            ([0, 0], { marker.captionOffset = 5 }),
            ([0, 0], { marker.captionAligns = [.top] }), ([0, 0], { marker.alpha = 0.5 }), ([0, 0], { marker.angle = 30 }),
            ([0, 0], { marker.isHidden = true }), ([0, 0], { marker.isHidden = false }), ([1, 1], { marker.captionTextSize = 14 }),
            ([2, 1], { marker.captionFontWeight = .bold }), ([0, 1], { marker.subCaptionMinZoom = 20 }),
            ([0, 0], { marker.subCaptionMinZoom = 0 }), ([1, 1], { marker.captionText = "another" }),
            ([0, 0], { markers[0].captionText = "caption 1" }), ([0, 0], { mapView.remove(marker) }), ([0, 0], { mapView.add(marker) }),
            // The layout of the letters stays; only their pixels change.
            ([0, 4], { mapView.pixelRatio = 2 }), ([0, 0], { mapView.pixelRatio = 1 }),
        ]
        for (index, (expected, change)) in changes.enumerated() {
            let done = try work(change)
            #expect(done == expected, "change \(index)")
        }
        // After all these changes the frame equals the frame of a new map.
        #expect(try mapView.frame() == mapView.afresh(source).frame())
    }

    @Test(arguments: Seeds.all) func afterAnyEditsTheFrameIsThatOfASceneBuiltAfresh(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let mapView = MapView(300, 200, Camera(zoom: 1))
        let keptBytes = random.one(of: [0, 20_000, 1 << 20])
        var nextId = 0
        for step in 0..<25 {
            for _ in 0..<random.integer(1...6) {
                let present = mapView.overlays.compactMap { $0 as? Marker }
                switch random.integer(0...9) {
                case 0, 1, 2:
                    let marker = Marker.random(&random)
                    for _ in 0..<3 { random.one(of: CaptionEdit.allCases).apply(to: marker, &random) }
                    if random.once(in: 2) { marker.captionText = "Hello" }
                    marker.id = "\(nextId)"
                    nextId += 1
                    mapView.add(marker)
                case 3 where !present.isEmpty: mapView.remove(random.one(of: present))
                case 4:
                    mapView.camera = Camera(
                        center: LatLng(lat: random.number(-50...50), lng: random.number(-180...180)), zoom: random.number(0...5),
                        bearing: random.one(of: [0, 90, random.number(0...360)]), tilt: random.number(0...70))
                case 5 where random.once(in: 3): mapView.pixelRatio = random.one(of: [1, 1.5, 2])
                case 6 where random.once(in: 3): mapView.language = random.one(of: ["ko", "ja"])
                case 7 where random.once(in: 3):
                    mapView.symbols = (0..<random.integer(0...5)).map { index in
                        Symbol(
                            position: LatLng(lat: random.number(-50...50), lng: random.number(-180...180)), captionText: "symbol \(index)",
                            rank: random.number(0...1))
                    }
                default:
                    guard !present.isEmpty else { break }
                    if random.once(in: 3) {
                        random.one(of: MarkerEdit.allCases).apply(to: random.one(of: present), &random, invalid: 5)
                    } else {
                        random.one(of: CaptionEdit.allCases).apply(to: random.one(of: present), &random, invalid: 5)
                    }
                }
            }
            let fresh = mapView.afresh()
            (fresh.language, fresh.symbols) = (mapView.language, mapView.symbols)
            let (placement, expected) = (try mapView.placement(), try fresh.placement())
            let (known, anew) = (placement.inspection(), expected.inspection())
            #expect(known.overlays.map(\.reason) == anew.overlays.map(\.reason), "step \(step)")
            // Details of overlays excluded for other reasons may differ.
            for (a, b) in zip(known.overlays, anew.overlays) where a.isVisible || a.reason == .collided || a.reason == .outOfView {
                #expect(a == b, "step \(step)")
            }
            #expect(known.symbols == anew.symbols, "step \(step)")
            #expect(placement.diagnostics == expected.diagnostics, "step \(step)")
            try #require(placement.frame == expected.frame, "step \(step)")
            Composer.of(mapView).keep(atMost: keptBytes)
        }
    }

    @Test func perspectiveCaptionsAreDrawnOnceForEachSize() throws {
        let mapView = MapView(city: 400, 400, tilt: 50)
        try mapView.put("a", 200, 300) {
            $0.captionText = "Hello"
            $0.captionPerspectiveEnabled = true
        }
        let composer = Composer.of(mapView)
        _ = try mapView.frame()
        let home = mapView.camera
        var drawn = composer.statistics.madeCaptionPieces
        mapView.camera.center.lat -= 0.004
        _ = try mapView.frame()
        #expect(composer.statistics.madeCaptionPieces > drawn)
        drawn = composer.statistics.madeCaptionPieces
        mapView.camera = home
        _ = try mapView.frame()
        #expect(composer.statistics.madeCaptionPieces == drawn)
    }

    @Test(arguments: [0, 8000, 1 << 20]) func evictedCaptionsAreRedrawnIdentically(bytes: Int) throws {
        let mapView = MapView(city: 400, 400)
        let composer = Composer.of(mapView)
        let columns = try (0..<12).map { index in
            try mapView.put("\(index)", 200 + Double(index) * 400, 200) {
                $0.captionText = "caption \(index) that is some pixels wide"
                $0.subCaptionText = index % 2 == 0 ? "" : "sub"
            }
        }
        var random = SplitMix64(seed: 7)
        for step in 0..<60 {
            mapView.camera.center = try #require(random.one(of: columns).position)
            mapView.camera.zoom = random.one(of: [14, 14, 13])
            if random.once(in: 4) { random.one(of: columns).captionColor = random.one(of: [.red, .black]) }
            #expect(try mapView.frame() == mapView.afresh().frame(), "step \(step)")
            composer.keep(atMost: bytes)
        }
        // The 24 different captions are each made once, unless some were evicted.
        #expect((composer.statistics.madeCaptionPieces > 24) == (bytes < 1 << 20))
    }

    @Test func theLanguageSelectsTheGlyphs() throws {
        let mapView = MapView(city: 200, 200)
        try mapView.put("a", 100, 100) { $0.captionText = "直骨海" }
        let korean = try mapView.frame()
        mapView.language = "ja"
        let japanese = try mapView.frame()
        #expect(korean != japanese)
        mapView.language = "zh-Hant"
        let chinese = try mapView.frame()
        #expect(chinese != korean && chinese != japanese)
        mapView.language = "ko"
        #expect(try mapView.frame() == korean)
    }
}

extension MapView {
    /// A new map with the same markers and another source of fonts.
    fileprivate func afresh(_ source: FontSource) -> MapView {
        let copy = afresh()
        copy.fontSource = source
        return copy
    }
}
