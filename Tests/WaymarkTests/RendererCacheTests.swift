import Foundation
import Testing
import Waymark
import WaymarkImaging
import WaymarkLayout
import WaymarkTestSupport

/// The data that a renderer keeps between pictures.
@Suite(.serialized) @MainActor struct RendererCacheTests {
    init() { PinnedRasterizer.pin }

    private func captioned(_ first: Int) -> MapView {
        let mapView = MapView(300, 200, Camera(zoom: 2))
        for index in 0..<40 {
            mapView.add(Double(index % 8) * 12 - 40, Double(index / 8) * 20 - 40) {
                $0.captionText = "caption \(first + index)"
                $0.iconImage = OverlayImage(bitmap: Bitmap(width: 20 + index, height: 20, fill: .red))
                // Upright icons would be drawn in memory.
                $0.angle = 5
            }
        }
        return mapView
    }

    @Test func purgingLetsGoOfEverything() throws {
        let renderer = try Renderer()
        let (first, second) = (captioned(0), captioned(1000))
        let expected = try [renderer.render(first), renderer.render(second)]
        #expect(renderer.ownKeptBytes > 300_000)
        renderer.purge()
        #expect(renderer.ownKeptBytes == 0)
        #expect(try [renderer.render(first), renderer.render(second)] == expected)
        #expect(renderer.ownKeptBytes > 300_000)
    }

    @Test(arguments: [0, 1, 200_000]) func aBudgetIsKept(bytes: Int) throws {
        let renderer = try Renderer(cacheBytes: bytes)
        #expect(renderer.cacheBytes == bytes)
        let usual = try Renderer()
        for round in 0..<6 {
            let mapView = captioned(100 * (round % 3))
            #expect(try renderer.render(mapView) == usual.render(mapView))
        }
        #expect(renderer.ownKeptBytes <= bytes)
    }

    @Test func aNegativeBudgetIsRefused() throws {
        let error = #expect(throws: RenderError.self) { try Renderer(cacheBytes: -1) }
        #expect(error?.description == "cacheBytes: -1 is less than 0")
        let opening = RendererOpening(cacheBytes: -1)
        #expect(throws: RenderError.self) { try opening.renderer() }
        opening.wait()
        #expect(Renderer.defaultCacheBytes == 256 << 20)
    }

    /// The pixels of views are in the budget, and are made again with the same picture.
    @Test func viewsKeepTheBudget() throws {
        let (renderer, usual) = (try Renderer(cacheBytes: 0), try Renderer())
        let mapView = MapView(300, 200, pixelRatio: 2, Camera(zoom: 4))
        var label = LabelContent(text: "view")
        (label.width, label.height) = (250, 150)
        for index in 0..<4 {
            label.backgroundColor = Color(red: Double(index) / 4, green: 0.5, blue: 1)
            mapView.add(ViewOverlay(content: .label(label), coordinates: LatLng(lat: 0, lng: Double(index) * 90)))
        }
        for round in 0..<6 {
            mapView.camera.center = LatLng(lat: 0, lng: Double(round % 4) * 90)
            let expected = try usual.render(mapView)
            let image = try #require(Composer.of(mapView).place(mapView).frame.images.first)
            #expect(try image.byteCount == 500 * 300 * 4 && renderer.render(mapView) == expected)
            #expect(renderer.ownKeptBytes == 0 && !PixelStore.shared.has(image.key))
        }
    }

    /// A map that moves to another renderer takes the memory of its layout with it.
    @Test func aMapBelongsToTheRendererThatDrewItLast() throws {
        let (first, second) = (try Renderer(), try Renderer())
        let mapView = captioned(0)
        let picture = try first.render(mapView)
        #expect(try second.render(mapView) == picture)
        first.purge()
        #expect(try second.render(mapView) == picture && first.render(mapView) == picture)
    }

    /// A frame is drawn as its map is: in the budget of the renderer, with its times.
    @Test func theLayoutOfAFrameBelongsToTheRendererThatDrewIt() throws {
        let renderer = try Renderer(cacheBytes: 0)
        let mapView = captioned(0)
        let frame = try mapView.makeFrame()
        let kept = Composer.of(mapView).keptBytes
        let picture = try renderer.render(frame)
        #expect(Composer.of(mapView).keptBytes < kept)
        #expect(renderer.lastDurations.layout > .zero && renderer.lastDurations.drawing > .zero)
        #expect(try picture == renderer.render(mapView))
    }
}
