import Foundation
import Testing
import Waymark
import WaymarkTestSupport

@Suite(.serialized) @MainActor struct RendererTests {
    init() { PinnedRasterizer.pin }

    @Test func drawsAMarker() throws {
        let mapView = MapView(64, 64, Camera(zoom: 3))
        mapView.add(0, 0)
        let picture = try Renderer().render(mapView)
        #expect(picture.bitmap[32, 20].alpha == 255)
        #expect(picture.bitmap[2, 2].alpha == 0)
        #expect(picture.camera == mapView.camera && picture.diagnostics.isEmpty)
    }

    /// Draws the map that it is a part of.
    private struct Recursion: ContentDrawing {
        final class Outcome {
            var body: () -> Void = {}
        }
        nonisolated(unsafe) static let outcome = Outcome()
        var width: Double { 4 }
        var height: Double { 4 }

        func bitmap(pixelRatio: Double) throws -> Bitmap {
            Self.outcome.body()
            return Bitmap(width: 4, height: 4, fill: .red)
        }
    }

    @Test func aDrawingThatRendersItsMapIsRefused() throws {
        let mapView = MapView(64, 64, Camera(zoom: 3))
        mapView.add(ViewOverlay(content: .drawing(Recursion()), coordinates: LatLng(lat: 0, lng: 0)))
        let renderer = try Renderer()
        var caught: [RenderError] = []
        Recursion.outcome.body = {
            do throws(RenderError) { _ = try renderer.render(mapView) } catch { caught.append(error) }
            do throws(RenderError) { _ = try mapView.inspection() } catch { caught.append(error) }
        }
        defer { Recursion.outcome.body = {} }
        // The picture itself is drawn.
        #expect(try renderer.render(mapView).bitmap[32, 32] == Color.red.premultipliedBytes)
        try #require(caught.count == 2)
        for error in caught {
            guard case .reentered = error else {
                Issue.record("\(error)")
                continue
            }
            #expect(error.description.hasPrefix("the map is being laid out"))
        }
    }

    @Test(arguments: [1.0, 2, 3, 1.5, 2.625]) func anUnscaledIconGivesItsFilesPixelsBack(ratio: Double) throws {
        var random = SplitMix64(seed: 7)
        let folder = ScratchFolder()
        let mapView = MapView(120, 90, pixelRatio: ratio)
        // Others in the atlas, before and after.
        for _ in 0..<8 {
            let bitmap = Bitmap.noise(random.integer(1...40), random.integer(1...40), &random)
            mapView.add(60, -170) {
                $0.iconImage = OverlayImage(bitmap: bitmap, scale: ratio)
                // Upright icons would be drawn in memory.
                $0.angle = 5
            }
        }
        let icon = Bitmap.noise(37, 23, &random)
        try icon.write(to: folder.path + "/icon.png")
        let marker = mapView.add(5.3, 11.7) { $0.iconImage = OverlayImage(path: folder.path + "/icon.png", scale: ratio) }
        marker.zIndex = 5
        let picture = try draw(mapView)
        let quad = try #require(try mapView.inspection().overlays.last?.icon?.quad)
        let (x, y) = (Int((quad[0].x * ratio).rounded()), Int((quad[0].y * ratio).rounded()))
        let drawn = picture.cropped(x, y, 37, 23)
        // The decoded file counts: straight bytes on disk, premultiplied here.
        let expected = try Bitmap(contentsOf: folder.path + "/icon.png")
        #expect(drawn.largestDifference(to: expected) <= 1)
        var opaque = 0
        for row in 0..<23 {
            for column in 0..<37 where expected[column, row].alpha == 255 {
                #expect(drawn[column, row] == expected[column, row])
                opaque += 1
            }
        }
        #expect(opaque > 200)
    }

    @Test(arguments: [1.0, 2]) func builtInPinsAreTheirOwnDrawing(ratio: Double) throws {
        for name in MarkerImage.names {
            let mapView = MapView(80, 80, pixelRatio: ratio)
            let icon = try #require(MarkerImage.named(name))
            mapView.add(0, 0) {
                $0.iconImage = icon
                $0.anchor = CGPoint(x: 0.5, y: 0.5)
            }
            let image = try #require(BuiltInImage(rawValue: name))
            let expected = image.bitmap(width: Int(image.naturalWidth * ratio), height: Int(image.naturalHeight * ratio))
            let picture = try draw(mapView)
            let corner = ((picture.width - expected.width) / 2, (picture.height - expected.height) / 2)
            #expect(picture.cropped(corner.0, corner.1, expected.width, expected.height).largestDifference(to: expected) <= 1)
        }
    }

    @Test func anchorOneOnePutsTheLowerRightPixelOnTheCoordinate() throws {
        let mapView = MapView(21, 21)
        let marker = mapView.add(0, 0) {
            $0.iconImage = OverlayImage(bitmap: Bitmap(width: 6, height: 4, fill: .red))
            $0.anchor = CGPoint(x: 1, y: 1)
        }
        // The coordinate is at (10.5, 10.5): the edge is rounded to 11.
        #expect(try draw(mapView).inked == [5, 7, 11, 11])
        mapView.size = CGSize(width: 20, height: 20)
        #expect(try draw(mapView).inked == [4, 6, 10, 10])
        marker.anchor = .zero
        #expect(try draw(mapView).inked == [10, 10, 16, 14])
    }

    @Test(arguments: [0.0, 30, 77, 90, 200, -45]) func aFlatIconLooksLikeABillboardTurnedTheOtherWay(bearing: Double) throws {
        var random = SplitMix64(seed: 3)
        let icon = OverlayImage(bitmap: .noise(31, 17, &random))
        func picture(_ change: (Marker) -> Void) throws -> Bitmap {
            let mapView = MapView(100, 100, Camera(zoom: 4, bearing: bearing))
            mapView.background = .white
            mapView.add(1, 1) {
                $0.iconImage = icon
                $0.anchor = CGPoint(x: 0.25, y: 0.75)
                $0.width = 45
                $0.height = 38
                change($0)
            }
            return try draw(mapView)
        }
        let flat = try picture {
            $0.isFlat = true
            $0.angle = 20
        }
        let standing = try picture { $0.angle = 20 - bearing }
        #expect(flat.inked != nil && flat != Bitmap(width: 100, height: 100, fill: .white))
        let comparison = PictureComparison(flat, standing, threshold: 8, allowed: 0.02)
        #expect(comparison.matches, "\(comparison)")
    }

    @Test func theOrderFollowsTheScreenBottomWhenTheBearingTurns() throws {
        let mapView = MapView(60, 60, Camera(zoom: 2))
        for (lat, lng, color) in [(1.0, 0.0, Color.red), (-1, 0, .blue), (0, 1, .green), (0, -1, .white)] {
            mapView.add(lat, lng) {
                $0.iconImage = OverlayImage(bitmap: Bitmap(width: 30, height: 30, fill: color))
                $0.anchor = CGPoint(x: 0.5, y: 0.5)
            }
        }
        for (bearing, top) in [(0.0, Bitmap.Pixel.opaqueBlue), (90, .white), (180, .opaqueRed), (270, .opaqueGreen)] {
            mapView.camera.bearing = bearing
            for tilt in [0.0, 50] {
                mapView.camera.tilt = tilt
                #expect(try draw(mapView)[30, 30] == top)
            }
        }
    }

    @Test func zIndexBeatsTheScreenBottomInPixelsToo() throws {
        let mapView = MapView(60, 60, Camera(zoom: 2))
        let red = mapView.add(1, 0) { $0.iconImage = OverlayImage(bitmap: Bitmap(width: 30, height: 30, fill: .red)) }
        mapView.add(-1, 0) { $0.iconImage = OverlayImage(bitmap: Bitmap(width: 30, height: 30, fill: .blue)) }
        #expect(try draw(mapView)[30, 20] == .opaqueBlue)
        red.zIndex = 1
        #expect(try draw(mapView)[30, 20] == .opaqueRed)
        red.alpha = 0
        #expect(try draw(mapView)[30, 20] == .opaqueBlue)
        red.alpha = 0.5
        #expect(try draw(mapView)[30, 20].isNear(.init(red: 128, green: 0, blue: 127, alpha: 255)))
    }

    @Test func theBackgroundIsPremultiplied() throws {
        let mapView = MapView(3, 2)
        mapView.background = Color(red: 1, green: 0.5, blue: 0, alpha: 0.5)
        #expect(try draw(mapView) == Bitmap(width: 3, height: 2, fill: mapView.background))
    }

    @Test func outOfRangeThrowsAndNothingIsClamped() throws {
        let mapView = MapView(10, 10, Camera(zoom: 99))
        do throws(RenderError) {
            _ = try Drawing.shared.get().render(mapView)
            Issue.record("zoom 99 was drawn")
        } catch {
            #expect(error.description == "camera.zoom: 99 is outside 0…24")
        }
    }

    @Test func aMissingImageIsADiagnosticAndTheRestIsDrawn() throws {
        let mapView = MapView(60, 60)
        mapView.add(0, 0) {
            $0.id = "lost"
            $0.iconImage = OverlayImage(path: "/nonexistent/icon.png")
        }
        mapView.add(0, 0)
        let picture = try Drawing.shared.get().render(mapView)
        #expect(
            picture.diagnostics.words == [
                "warning: lost: iconImage: /nonexistent/icon.png: cannot read the file: No such file or directory; "
                    + "the default icon is drawn in its place"
            ])
        #expect(picture.bitmap[30, 17].alpha == 255)
    }

    @Test func pictureMemoryIsUsedAgainAndNothingOfTheOldPictureStays() throws {
        let renderer = try Drawing.shared.get()
        let mapView = MapView(40, 40)
        let marker = mapView.add(0, 0)
        var picture = Picture()
        try renderer.render(mapView, into: &picture)
        #expect(picture.bitmap[20, 5].alpha == 255)
        marker.mapView = nil
        try renderer.render(mapView, into: &picture)
        #expect(picture.bitmap == Bitmap(width: 40, height: 40))
        mapView.size = CGSize(width: 30, height: 50)
        try renderer.render(mapView, into: &picture)
        #expect(picture.bitmap == Bitmap(width: 30, height: 50))
    }

    @Test func bigIconsAndVeryManyDifferentOnes() throws {
        var random = SplitMix64(seed: 11)
        let big = Bitmap.noise(600, 540, &random, isOpaque: true)
        let mapView = MapView(640, 600, Camera(zoom: 3))
        mapView.add(0, 0) {
            $0.iconImage = OverlayImage(bitmap: big)
            $0.zIndex = -1
            $0.anchor = CGPoint(x: 0.5, y: 0.5)
        }
        #expect(try draw(mapView).cropped(20, 30, 600, 540) == big)
        // Two thousand images on the map together, over the big one.
        let icons = (0..<2000).map { _ in Bitmap.noise(8, 8, &random, isOpaque: true) }
        let viewport = try mapView.viewport()
        for (index, icon) in icons.enumerated() {
            let corner = CGPoint(x: Double(index % 60) * 10 + 8, y: Double(index / 60) * 10 + 70)
            let place = try #require(viewport.geoCoordinates(from: corner))
            mapView.add(place.lat, place.lng) {
                $0.iconImage = OverlayImage(bitmap: icon)
                $0.anchor = .zero
            }
        }
        // A turned icon, because upright ones alone would be drawn in memory.
        mapView.add(80, 0) {
            $0.iconImage = OverlayImage(bitmap: Bitmap(width: 1, height: 1, fill: .red))
            $0.angle = 5
        }
        let picture = try draw(mapView)
        let wrong = icons.indices.filter { picture.cropped($0 % 60 * 10 + 8, $0 / 60 * 10 + 70, 8, 8) != icons[$0] }
        #expect(wrong == [])
    }

    @Test func whatElseWasDrawnChangesNoPixel() throws {
        var random = SplitMix64(seed: 13)
        let mapView = MapView(200, 150, pixelRatio: 1.5, Camera(zoom: 1, bearing: 20, tilt: 40))
        for _ in 0..<40 { mapView.add(Marker.random(&random)) }
        let renderer = try Renderer()
        let before = try renderer.render(mapView).bitmap
        let other = MapView(100, 100)
        for _ in 0..<300 {
            let bitmap = Bitmap.noise(random.integer(20...90), random.integer(20...90), &random)
            other.add(0, 0) {
                $0.iconImage = OverlayImage(bitmap: bitmap)
                $0.angle = 5
            }
        }
        _ = try renderer.render(other)
        #expect(try renderer.render(mapView).bitmap == before)
        #expect(try Renderer().render(mapView).bitmap == before)
        #expect(before.inked != nil)
    }
}
