import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// The caption, opacity and overlap snippets of Naver's marker documentation, translated to Waymark's names. Each test also checks the
/// statements of the accompanying text.
@Suite struct MarkerCaptionTests {
    let mapView = MapView(400, 400, Camera(center: LatLng(lat: 37.5670135, lng: 126.9783740), zoom: 14))

    /// A marker at an offset in pt to the right of and below the center.
    private func shown(_ x: Double = 0, _ y: Double = 0) -> Marker {
        let marker = Marker()
        marker.position = mapView.geoCoordinates(from: CGPoint(x: 200 + x, y: 200 + y))
        marker.mapView = mapView
        return marker
    }

    private func caption(_ index: Int = 0) throws -> Inspection.Caption {
        try #require(mapView.inspection().overlays[index].caption)
    }

    private func icon(_ index: Int = 0) throws -> [Inspection.Point] {
        try #require(mapView.inspection().overlays[index].icon?.quad)
    }

    @Test func text() throws {
        let marker = shown()
        #expect(try mapView.inspection().overlays[0].caption == nil)
        marker.captionText = "Hello"
        #expect(try caption().isVisible)
        #expect(try caption().lines == ["Hello"])
        #expect(try mapView.frame().images.count == 2)
        // "If the property is set to an empty string or nil, a caption does not appear". In Swift, it is only the empty string.
        marker.captionText = ""
        #expect(try mapView.inspection().overlays[0].caption == nil)
        #expect(try mapView.frame().images.count == 1)
    }

    @Test func lineBreak() throws {
        let marker = shown()
        marker.captionText = "Very very very very very very very very very long caption"
        #expect(try caption().lines.count == 1)
        marker.captionRequestedWidth = 100
        let caption = try caption()
        #expect(caption.lines.count > 2)
        #expect(try #require(caption.rect).width <= 100)
        // "Note that if text is written without spaces, it may not wrap".
        marker.captionText = "Veryveryveryveryveryveryveryverylongcaption"
        #expect(try self.caption().lines.count == 1)
        #expect(try #require(self.caption().rect).width > 100)
    }

    @Test func alignment() throws {
        let marker = shown()
        marker.captionText = "Hello"
        let icon = try icon()
        // "A caption is placed beneath an icon by default".
        #expect(try caption().align == .bottom)
        #expect(try #require(caption().rect).y == icon[2].y)
        marker.captionAligns = [AlignType.top]
        let rect = try #require(caption().rect)
        #expect(rect.y + rect.height == icon[0].y)
        // Centered above it, up to the half pixel of rounding to whole pixels.
        #expect(abs(rect.x + rect.width / 2 - 200) <= 0.5)
    }

    @Test func offset() throws {
        let marker = shown()
        marker.captionText = "Hello"
        marker.captionOffset = 15
        let below = try icon()[2].y + 15
        #expect(try #require(caption().rect).y == below)
        // "Note that the captionOffset will be ignored if the captionAlign property is NMFAlignCenter".
        marker.captionAlign = .center
        let centred = try #require(caption().rect)
        marker.captionOffset = 0
        #expect(try caption().rect == centred)
    }

    @Test func colourAndSize() throws {
        let marker = shown()
        marker.iconImage = .empty
        marker.captionText = "Hello"
        let small = try #require(caption().rect)
        // Large letters, so that strokes are wider than a pixel.
        marker.captionTextSize = 40
        marker.captionColor = .blue
        marker.captionHaloColor = Color(red: 200.0 / 255.0, green: 1, blue: 200.0 / 255.0)
        let colours = try colours()
        #expect(colours.contains([0, 0, 255, 255]))
        #expect(colours.contains([200, 255, 200, 255]))
        marker.captionTextSize = 16
        let large = try #require(caption().rect)
        // Line boxes are rounded to whole pixels.
        #expect(abs(large.width - small.width * 16 / 12) <= 1.2 && abs(large.height - small.height * 16 / 12) <= 1.2)
    }

    @Test func subCaption() throws {
        let marker = shown()
        marker.subCaptionText = "Sub caption\n(sub caption)"
        // Not drawn without a caption.
        #expect(try mapView.inspection().overlays[0].caption == nil)
        marker.captionText = "Hello"
        marker.subCaptionColor = .blue
        marker.subCaptionHaloColor = Color(red: 200.0 / 255.0, green: 1, blue: 200.0 / 255.0)
        marker.subCaptionTextSize = 10
        // "it is unconditionally placed beneath the main caption", and moves with it.
        #expect(try caption().lines == ["Hello", "Sub caption", "(sub caption)"])
        marker.captionAligns = [.topLeft]
        let rect = try #require(caption().rect)
        let corner = try icon()[0]
        #expect(rect.x + rect.width == corner.x && rect.y + rect.height == corner.y)
    }

    @Test func opacity() throws {
        let marker = shown()
        marker.captionText = "Hello"
        marker.captionOffset = 4
        marker.alpha = 0.5
        // "Opacity applies to both an icon and a caption".
        #expect(try mapView.frame().sprites.map(\.alpha) == [0.5, 0.5])
        // Where they overlap, they are composited as a group before the opacity is applied.
        marker.captionAligns = [.center]
        let frame = try mapView.frame()
        #expect(frame.sprites.map(\.alpha) == [1, 1])
        #expect(frame.commands.count == 3)
        // "Even though the alpha property is 0, the subjects are still considered to be on the screen".
        marker.alpha = 0
        marker.isHideCollidedMarkers = true
        let lower = shown(4, -4)
        #expect(try mapView.inspection().overlays[1].reason == .collided)
        marker.isVisible = false
        #expect(try mapView.inspection().overlays[1].isVisible)
        #expect(lower.mapView === mapView)
    }

    @Test func zIndex() throws {
        let yellowMarker = shown(0, -10)
        let greenMarker = shown(0, 0)
        let blueMarker = shown(0, 10)
        yellowMarker.zIndex = 100
        greenMarker.zIndex = 0
        blueMarker.zIndex = -10
        #expect(try mapView.inspection().overlays.map(\.order) == [2, 1, 0])
    }

    @Test func symbols() throws {
        let marker = shown()
        mapView.symbols = [Symbol(position: try #require(marker.position), captionText: "Town Hall")]
        // "Overlapping of markers and symbols makes the map more complex and less visible".
        #expect(try mapView.inspection().symbols.map(\.isVisible) == [true])
        marker.isHideCollidedSymbols = true
        let symbol = try mapView.inspection().symbols[0]
        #expect(!symbol.isVisible && symbol.hiddenBy == "marker-0")
    }

    @Test func markers() throws {
        let marker = shown()
        _ = shown(5, -5)
        #expect(try mapView.inspection().overlays.map(\.isVisible) == [true, true])
        marker.isHideCollidedMarkers = true
        let hidden = try mapView.inspection().overlays[1]
        #expect(!hidden.isVisible && hidden.reason == .collided && hidden.icon?.hiddenBy == "marker-0")
    }

    @Test func captions() throws {
        let marker = shown()
        let other = shown(5, -30)
        other.captionText = "Hello"
        marker.isHideCollidedCaptions = true
        #expect(try mapView.inspection().overlays.map(\.isVisible) == [true, true])
        let hidden = try caption(1)
        #expect(!hidden.isVisible && hidden.hiddenBy == "marker-0")
        // "if isHideCollidedMarkers is set to YES, isHideCollidedCaptions is ignored".
        marker.isHideCollidedMarkers = true
        #expect(try mapView.inspection().overlays.map(\.isVisible) == [true, false])
    }

    @Test func forceToAppear() throws {
        let importantMarkers = [shown(0, 0), shown(6, -3)]
        let normalMarkers = [shown(3, 5), shown(60, 5)]
        for marker in importantMarkers {
            marker.zIndex = 1
            marker.isHideCollidedMarkers = true
            marker.isForceShowIcon = true
        }
        for marker in normalMarkers {
            marker.zIndex = 0
            marker.isHideCollidedMarkers = true
            marker.isForceShowIcon = false
        }
        // Both important markers are shown although they overlap; of the others, the one that does not overlap them.
        #expect(try mapView.inspection().overlays.map(\.isVisible) == [true, true, false, true])
    }

    /// The colors of all pixels of the frame's images.
    private func colours() throws -> Set<[UInt8]> {
        var colours = Set<[UInt8]>()
        for image in try mapView.frame().images {
            let pixels = image.bitmap.pixels
            for start in stride(from: 0, to: pixels.count, by: 4) { colours.insert(Array(pixels[start..<start + 4])) }
        }
        return colours
    }
}
