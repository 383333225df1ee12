import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// One missing image, or a drawing that failed, took away everything else that a view shows.
@Suite struct ContentWithoutImageTests {
    private let mapView = MapView(city: 400, 400)
    private var here: LatLng { LatLng(lat: 37.5670135, lng: 126.9783740) }
    private static let missing = OverlayContent.image(OverlayImage(path: "/nonexistent/photo.png"))

    private struct Failing: ContentDrawing {
        var width: Double { 10 }
        var height: Double { 10 }
        func bitmap(pixelRatio: Double) throws -> Bitmap { throw Failure() }
        struct Failure: Error, CustomStringConvertible { let description = "out of ink" }
    }

    private func stack(_ contents: OverlayContent...) -> OverlayContent { .stack(StackContent(contents)) }

    private func messages() throws -> [String] { try mapView.placement().diagnostics.map(\.description) }

    @Test func aViewOverlayShowsTheRest() throws {
        mapView.add(ViewOverlay(content: stack(.label("label")), coordinates: here))
        let alone = try mapView.inspection().viewOverlays[0].rect
        mapView.viewOverlays[0].content = stack(Self.missing, .label("label"), .drawing(Failing()))
        #expect(try mapView.inspection().viewOverlays[0].rect == alone && alone != nil)
        #expect(try mapView.frame().sprites.count == 1)
        let diagnostics = try messages()
        try #require(diagnostics.count == 2)
        #expect(diagnostics[0].hasPrefix("viewOverlay-0: content.stack[0].image: /nonexistent/photo.png: "))
        #expect(diagnostics[0].hasSuffix("; only the rest of the content is drawn"))
        #expect(diagnostics[1] == "viewOverlay-0: content.stack[2]: the drawing failed: out of ink; only the rest of the content is drawn")
        // Also in a stack in a stack.
        mapView.viewOverlays[0].content = stack(stack(Self.missing, .label("label")))
        #expect(try mapView.inspection().viewOverlays[0].rect == alone)
        #expect(try messages()[0].hasPrefix("viewOverlay-0: content.stack[0].stack[0].image: "))
        // Where nothing is left, nothing is drawn.
        mapView.viewOverlays[0].content = stack(Self.missing)
        #expect(try mapView.inspection().viewOverlays[0].reason == .empty && messages()[0].hasSuffix("; the overlay is not drawn"))
    }

    @Test func anInfoWindowShowsTheRest() throws {
        let marker = try mapView.put("hall", 200, 200) { $0.infoContents = stack(.label("label")) }
        mapView.selectedMarker = marker
        let alone = try mapView.inspection().infoWindow?.rect
        marker.infoContents = stack(Self.missing, .label("label"))
        mapView.selectedMarker = marker
        #expect(try mapView.inspection().infoWindow?.rect == alone && alone != nil)
        let diagnostics = try messages()
        #expect(diagnostics.count == 1 && diagnostics[0].hasPrefix("hall: infoContents.stack[0].image: /nonexistent/photo.png: "))
    }

    @Test func anIconShowsTheRestInTheLayerAndAsASymbolToo() throws {
        let view = stack(Self.missing, .label("label"))
        let marker = try mapView.put("hall", 200, 200) { $0.iconView = view }
        let layer = ClusterLayer()
        let lone = Marker(position: try #require(mapView.geoCoordinates(from: CGPoint(x: 60, y: 60))))
        (lone.id, lone.iconView) = ("lone", view)
        layer.add(lone)
        mapView.add(layer)
        var symbol = Symbol(position: try #require(mapView.geoCoordinates(from: CGPoint(x: 300, y: 300))))
        symbol.iconImage = OverlayImage(content: view)
        mapView.symbols = [symbol]
        let frame = try mapView.frame()
        #expect(frame.sprites.count == 3 && Set(frame.images.map(\.name)) == ["stack of 2"])
        let diagnostics = try messages()
        #expect(diagnostics.map { $0.hasSuffix("; only the rest of the content is drawn") } == [true, true, true])
        #expect(diagnostics.filter { $0.hasPrefix("hall: iconView.stack[0].image: /nonexistent/photo.png: ") }.count == 1)
        #expect(diagnostics.filter { $0.contains("\"lone\"") }.count == 1 && diagnostics.filter { $0.hasPrefix("symbol-0: ") }.count == 1)
        marker.iconView = .label("label")
        #expect(try messages().count == 2)
    }

    /// Equal contents are measured once; each problem names the property that holds the content.
    @Test func aProblemNamesTheOverlayAndThePropertyThatHasIt() throws {
        let marker = try mapView.put("hall", 200, 200) { ($0.iconView, $0.infoWindow) = (Self.missing, Self.missing) }
        mapView.selectedMarker = marker
        mapView.add(ViewOverlay(content: Self.missing, coordinates: here))
        let paths = try mapView.placement().diagnostics.map(\.path)
        #expect(Set(paths) == ["iconView.image", "infoWindow.image", "content.image"] && paths.count == 3)
    }

    @Test(arguments: [(95.0, Reason.invalid), (88, .outOfProjection), (-88, .outOfProjection)])
    func aWindowBeyondTheMapIsToldOf(latitude: Double, reason: Reason) throws {
        mapView.openInfoWindow(contents: .label("here"), at: LatLng(lat: latitude, lng: 0))
        let placement = try mapView.placement()
        #expect(placement.inspection().infoWindow?.reason == reason)
        #expect(placement.diagnostics.map(\.path) == ["infoWindow.position.lat"])
        mapView.openInfoWindow(contents: .label("here"), at: here)
        #expect(try mapView.placement().diagnostics.isEmpty)
    }
}

/// The reasons of overlays outside of the picture; they used to be the reasons of other overlays.
@Suite struct ReasonTests {
    @Test func whatIsFarIsOutOfViewAndNotBehindTheCamera() throws {
        let map = MapView(300, 200, Camera(center: LatLng(lat: 0, lng: 0), zoom: 5, tilt: 80))
        for latitude in [84.0, -60] {
            map.add(ViewOverlay(content: .label("x"), coordinates: LatLng(lat: latitude, lng: 0)))
            map.add(latitude, 0)
        }
        let inspection = try map.inspection()
        let reasons: [Reason?] = [.outOfView, .behindCamera]
        #expect(inspection.viewOverlays.map(\.reason) == reasons && inspection.overlays.map(\.reason) == reasons)
        for (latitude, reason) in zip([84.0, -60], reasons) {
            map.openInfoWindow(contents: .label("x"), at: LatLng(lat: latitude, lng: 0))
            #expect(try map.inspection().infoWindow?.reason == reason)
        }
    }

    @Test func groupsWhoseContentsAreHiddenByOthersAreCollided() throws {
        let map = MapView(city: 400, 400)
        try map.put("king", 200, 200) { ($0.zIndex, $0.isHideCollidedMarkers) = (2, true) }
        let here = LatLng(lat: 37.5670135, lng: 126.9783740)
        func marker() -> Marker { Marker(position: here) }
        let (pair, lone) = (ClusterLayer([marker(), marker()]), ClusterLayer([marker()]))
        let (container, outer) = (Container(), Container())
        container.add(marker())
        outer.add(ClusterLayer([marker(), marker()]))
        for overlay in [pair, lone, container, outer] as [Overlay] { map.add(overlay) }
        let groups = try map.inspection().overlays.filter { $0.type != .marker }
        #expect(groups.count == 5 && groups.allSatisfy { $0.reason == .collided && !$0.isVisible })
        // A visible one makes its group visible, and a far one makes no group collided.
        container.add(Marker(position: try #require(map.geoCoordinates(from: CGPoint(x: 60, y: 60)))))
        outer.children[0].isHidden = true
        let after = try map.inspection().overlays.filter { $0.type == .container }
        #expect(after.map(\.reason) == [nil, .outOfView])
    }
}
