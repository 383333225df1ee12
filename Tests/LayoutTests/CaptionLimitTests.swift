import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport
import WaymarkText

/// Captions at the limits of their values, and invalid ones.
@Suite struct CaptionLimitTests {
    @Test func oneWarningForEachScript() throws {
        let (folder, source) = try someFonts()
        defer { withExtendedLifetime(folder) {} }
        let mapView = MapView(city: 200, 200)
        mapView.fontSource = source
        for (index, text) in ["나", "가", "กข", "ขก"].enumerated() {
            try mapView.put("\(index)", 50, 20 + 40 * Double(index)) { $0.captionText = text }
        }
        #expect(
            try mapView.inspection().diagnostics.words == [
                "warning: captionText: no font has U+AC00 (Hangul) or other characters of its script; boxes are drawn instead",
                "warning: captionText: no font has U+0E01 (Thai) or other characters of its script; boxes are drawn instead",
            ])
    }

    @Test func unknownFontsAndLanguagesAreReported() throws {
        let mapView = MapView(city: 200, 200)
        let marker = try mapView.put("a", 100, 100) {
            $0.captionText = "Hello"
            $0.captionFont = "No Such Family"
        }
        #expect(
            try mapView.inspection().diagnostics.words == [
                "warning: captionFont: the font family \"No Such Family\" is not installed; Noto is used instead"
            ])
        marker.captionFont = "noto sans"
        mapView.language = "!!"
        #expect(
            try mapView.inspection().diagnostics.words == ["warning: language: \"!!\" is not a language tag such as \"ko\" or \"zh-Hant\""])
    }

    /// A halo that extends beyond its caption's box is drawn where it reaches into the picture, but hides nothing.
    @Test func halosReachIntoThePicture() throws {
        let mapView = MapView(city: 200, 200)
        try mapView.put("a", 100, 0) {
            $0.iconImage = .empty
            $0.captionText = "jjj"
            $0.captionAligns = [.top]
            $0.isHideCollidedMarkers = true
        }
        #expect(try mapView.entry("a").caption?.rect.map { $0.y + $0.height } == 0)
        #expect(try mapView.entry("a").isVisible == false)
        #expect(try mapView.frame().sprites.count == 1)
        // A marker inside the picture takes precedence.
        try mapView.put("b", 100, 2) { $0.isHideCollidedMarkers = true }
        #expect(try mapView.entry("b").isVisible)
        #expect(try mapView.frame().sprites.count == 1)
    }

    @Test func withoutAnIconTheCaptionsZoomRangeIsTheMarkers() throws {
        let mapView = MapView(city: 200, 200)
        try mapView.put("a", 100, 100) {
            $0.iconImage = .empty
            $0.captionText = "Hello"
            $0.captionMaxZoom = 13
        }
        #expect(try mapView.entry("a").isVisible == false)
        #expect(try mapView.entry("a").reason == .outOfZoom)
    }

    @Test func oversizedLettersAreNotDrawn() throws {
        let mapView = MapView(city: 400, 400, pixelRatio: 8)
        let marker = try mapView.put("a", 200, 200) {
            $0.captionText = "Hello"
            $0.captionTextSize = 512
            $0.captionPerspectiveEnabled = true
        }
        #expect(try mapView.inspection().diagnostics.isEmpty)
        // The camera is 600 pt above the ground.
        marker.altitude = 500 * mapView.metersPerPoint(atLatitude: 37.5670135)
        #expect(
            try mapView.inspection().diagnostics.words == [
                "warning: captionTextSize: 1 caption with letters larger than 16384 device pixels, or an outline wider than 1024, "
                    + "is left out"
            ])
        #expect(try mapView.entry("a").caption?.isVisible == false)
    }

    /// Captions far larger than the cache are described, and not rasterized before they are drawn.
    @Test func hugeCaptionsTakeNoMemoryBeforeTheyAreDrawn() throws {
        let mapView = MapView(city: 1000, 1000, pixelRatio: 4)
        for index in 0..<14 {
            try mapView.put("\(index)", 500, 500) {
                $0.captionText = "Ever so wide a caption \(index)"
                $0.captionTextSize = 512
                $0.captionRequestedWidth = 1000
                $0.captionAligns = [.center]
            }
        }
        let frame = try mapView.frame()
        #expect(frame.images.reduce(0) { $0 + $1.byteCount } > 300 << 20)
        #expect(frame.images.allSatisfy { $0.isMade && !PixelStore.shared.has($0.key) })
        #expect(try mapView.inspection().diagnostics.isEmpty)
    }

    @Test func removedCaptionsLeaveNothing() throws {
        let (folder, source) = try someFonts()
        defer { withExtendedLifetime(folder) {} }
        let mapView = MapView(city: 200, 200)
        mapView.fontSource = source
        let marker = try mapView.put("a", 100, 100) { $0.captionText = "서울" }
        let warning = ["warning: captionText: no font has U+C11C (Hangul); a box is drawn instead"]
        #expect(try mapView.inspection().diagnostics.words == warning)
        mapView.remove(marker)
        #expect(try mapView.inspection().diagnostics.isEmpty)
        // Another marker in the same slot inherits nothing.
        let other = try mapView.put("b", 100, 100)
        #expect(try mapView.entry("b").caption == nil)
        #expect(try mapView.frame().sprites.count == 1)
        mapView.remove(other)
        mapView.add(marker)
        #expect(try mapView.inspection().diagnostics.words == warning)
        marker.captionText = "Seoul"
        #expect(try mapView.inspection().diagnostics.isEmpty)
        mapView.symbols = [Symbol(position: try #require(marker.position), captionText: "서울")]
        #expect(try mapView.inspection().diagnostics.words == warning)
        mapView.symbols = []
        #expect(try mapView.inspection().diagnostics.isEmpty)
    }

    @Test func withoutFontsOnlyTextsFail() throws {
        let folder = ScratchFolder()
        let mapView = MapView(city: 200, 200)
        mapView.fontSource = .folder(folder.path)
        let marker = try mapView.put("a", 100, 100)
        #expect(try mapView.frame().sprites.count == 1)
        marker.captionText = "Hello"
        #expect(throws: PlacementError.self) { try mapView.frame() }
        marker.captionText = ""
        #expect(try mapView.frame().sprites.count == 1)
        marker.captionText = "Hello"
        mapView.fontSource = .default
        #expect(try mapView.frame().sprites.count == 2)
    }

    @Test func invalidValuesAreReported() throws {
        let mapView = MapView(city: 200, 200)
        let edits: [((Marker) -> Void, String)] = [
            ({ $0.captionTextSize = 0 }, "captionTextSize: 0 is outside 1…512"),
            ({ $0.captionTextSize = -1 }, "captionTextSize: -1 is outside 1…512"),
            ({ $0.captionTextSize = 10_000 }, "captionTextSize: 10000 is outside 1…512"),
            ({ $0.captionTextSize = .nan }, "captionTextSize: nan is outside 1…512"),
            ({ $0.subCaptionTextSize = .infinity }, "subCaptionTextSize: inf is outside 1…512"),
            ({ $0.captionRequestedWidth = -1 }, "captionRequestedWidth: -1 is outside 0…10000"),
            ({ $0.subCaptionRequestedWidth = .nan }, "subCaptionRequestedWidth: nan is outside 0…10000"),
            ({ $0.captionOffset = .nan }, "captionOffset: nan is outside -10000…10000"),
            ({ $0.captionHaloWidth = 8.01 }, "captionHaloWidth: 8.01 is outside 0…8"),
            ({ $0.captionHaloWidth = -1 }, "captionHaloWidth: -1 is outside 0…8"),
            ({ $0.captionHaloWidth = .nan }, "captionHaloWidth: nan is outside 0…8"),
            ({ $0.captionHaloBlur = 4.01 }, "captionHaloBlur: 4.01 is outside 0…4"),
            ({ $0.captionHaloBlur = -1 }, "captionHaloBlur: -1 is outside 0…4"),
            ({ $0.captionPadding = -0.1 }, "captionPadding: -0.1 is outside 0…100"),
            ({ $0.captionPadding = .infinity }, "captionPadding: inf is outside 0…100"),
            ({ $0.captionLetterSpacing = 2.5 }, "captionLetterSpacing: 2.5 is outside -0.25…2"),
            ({ $0.captionLetterSpacing = -.infinity }, "captionLetterSpacing: -inf is outside -0.25…2"),
            ({ $0.captionLetterSpacing = .nan }, "captionLetterSpacing: nan is outside -0.25…2"),
            ({ $0.captionMinZoom = -0.5 }, "captionMinZoom: -0.5 is outside 0…24"),
            ({ $0.subCaptionMaxZoom = 24.5 }, "subCaptionMaxZoom: 24.5 is outside 0…24"),
            ({ $0.captionAligns = [] }, "captionAligns: at least one alignment is required"),
            ({ $0.captionAligns = .init(repeating: .top, count: 10) }, "captionAligns: 10 alignments are given, but there are only 9"),
            ({ $0.captionColor = Color(white: .nan) }, "captionColor: a channel is outside 0…1"),
            ({ $0.subCaptionHaloColor = Color(white: 2) }, "subCaptionHaloColor: a channel is outside 0…1"),
        ]
        for (edit, message) in edits {
            mapView.removeAll()
            try mapView.put("bad", 100, 100) {
                $0.captionText = "Hello"
                $0.isHideCollidedMarkers = true
                edit($0)
            }
            try mapView.put("good", 100, 95)
            let inspection = try mapView.inspection()
            #expect(inspection.diagnostics.words == ["warning: bad: \(message)"])
            #expect(inspection.overlays.map(\.reason) == [.invalid, nil])
        }
    }

    @Test(arguments: [0.0, 50]) func hostileTexts(width: Double) throws {
        let mapView = MapView(city: 200, 200)
        let texts = [
            String(repeating: "word ", count: 20_000), String(repeating: "x", count: 100_000), String(repeating: "\n", count: 20_000),
            "a" + String(repeating: "\u{301}", count: 10_000), String(repeating: "a\u{202E}b\u{2066}c\u{202A}", count: 500),
            "\u{0}\u{1}\u{1B}[31m\u{7F}\u{85}", "\u{200B}\u{200D}\u{FEFF}\u{2060}", "\u{202E}\u{2067}",
            "\u{1F468}\u{200D}\u{200D}\u{1F3FF}\u{FE0F}",
        ]
        for (number, text) in texts.enumerated() {
            mapView.removeAll()
            try mapView.put("a", 100, 100) {
                $0.captionText = text
                $0.captionRequestedWidth = width
            }
            let rect = try mapView.captionRect("a")
            #expect(rect.width.isFinite && rect.width >= 0 && rect.height >= 10, "\(number)")
            if number == 0 { #expect(width == 0 ? rect.width > 100_000 : rect.width <= 50 && rect.height > 100_000) }
            let frame = try mapView.frame()
            // Only visible pieces are drawn.
            #expect(frame.sprites.count <= 10 && frame.images.allSatisfy { $0.bitmap.width <= 512 && $0.bitmap.height <= 512 }, "\(number)")
        }
    }
}
