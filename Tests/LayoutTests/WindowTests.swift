import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Info windows and view overlays: their positions, the overlays that hide them, and their errors.
@Suite struct WindowTests {
    let mapView = MapView(city: 400, 400)
    private let log = CallLog()

    private func box(_ width: Double, _ height: Double) -> OverlayContent {
        var label = LabelContent()
        (label.width, label.height, label.backgroundColor) = (width, height, .blue)
        return .label(label)
    }

    private func marker() throws -> Marker {
        try mapView.put("hall", 200, 200) { $0.infoWindow = box(60, 20) }
    }

    private func reason() throws -> Reason? { try #require(mapView.inspection().infoWindow).reason }

    @Test func aHiddenMarkerSuspendsItsWindowAndACollidedOneDoesNot() throws {
        let marker = try marker()
        mapView.selectedMarker = marker
        #expect(try reason() == nil)
        marker.isHidden = true
        #expect(try reason() == .hidden)
        marker.isHidden = false
        marker.minZoom = 15
        #expect(try reason() == .outOfZoom)
        marker.minZoom = 0
        try mapView.put("other", 205, 205) {
            $0.isHideCollidedMarkers = true; $0.zIndex = 1
        }
        #expect(try mapView.entry("hall").reason == .collided && reason() == nil)
        #expect(mapView.selectedMarker === marker)
    }

    @Test func aHiddenContainerSuspendsTheWindow() throws {
        let container = Container()
        mapView.add(container)
        let marker = try mapView.put("hall", 200, 200, in: container) { $0.title = "Hall" }
        mapView.selectedMarker = marker
        #expect(try reason() == nil)
        container.isHidden = true
        #expect(try reason() == .hidden)
    }

    @Test func theWindowFollowsItsMarker() throws {
        let marker = try marker()
        mapView.selectedMarker = marker
        marker.position = mapView.geoCoordinates(from: CGPoint(x: 120, y: 90))
        let window = try #require(mapView.inspection().infoWindow?.rect)
        #expect(window == .init(x: 90, y: 60, width: 60, height: 20))
        #expect(log.calls.isEmpty)
    }

    @Test func theWindowStandsOnTheImagePointOfATurnedIcon() throws {
        let marker = try marker()
        marker.angle = 90
        mapView.selectedMarker = marker
        // The middle of the top of the image is now at the right.
        #expect(try mapView.inspection().infoWindow?.anchor == .init(x: 210, y: 200))
        marker.angle = 180
        #expect(try mapView.inspection().infoWindow?.anchor == .init(x: 200, y: 210))
    }

    @Test func aWindowAtAPositionDropsTheSelectionAndTheOtherWayRound() throws {
        mapView.delegate = log
        let marker = try marker()
        mapView.selectedMarker = marker
        let place = try #require(mapView.geoCoordinates(from: CGPoint(x: 100, y: 100)))
        mapView.openInfoWindow(box(40, 10), at: place)
        #expect(mapView.selectedMarker == nil)
        #expect(try mapView.inspection().infoWindow?.rect == .init(x: 80, y: 90, width: 40, height: 10))
        mapView.selectedMarker = marker
        #expect(mapView.infoWindow?.position == nil && mapView.infoWindow?.marker === marker)
        #expect(log.calls.filter { $0.hasPrefix("didClose") }.count == 2)
    }

    @Test func aMarkerThatIsOnNoMapIsRefused() throws {
        let marker = Marker(position: LatLng(lat: 37, lng: 127))
        marker.title = "elsewhere"
        mapView.selectedMarker = marker
        #expect(mapView.selectedMarker == nil)
        #expect(
            try mapView.placement().diagnostics.map(\.description) == [
                "selectedMarker: not selected, because the marker is not on this map"
            ])
    }

    @Test func whatACallbackSelectsStays() throws {
        mapView.delegate = log
        let (first, second) = (try marker(), try mapView.put("second", 100, 100) { $0.title = "second" })
        let third = try mapView.put("third", 300, 100) { $0.title = "third" }
        mapView.selectedMarker = first
        log.closed = { [mapView, log] _ in
            log.closed = { _ in }
            mapView.selectedMarker = third
        }
        mapView.selectedMarker = second
        #expect(mapView.selectedMarker === third && mapView.infoWindow?.marker === third)
    }

    @Test func aDelegateThatSelectsWithoutEndIsStopped() throws {
        mapView.delegate = log
        let marker = try marker()
        log.window = { [mapView] marker in
            mapView.selectedMarker = marker
            return nil
        }
        mapView.selectedMarker = marker
        #expect(mapView.selectedMarker === marker)
        #expect(
            try mapView.placement().diagnostics.contains {
                $0.message.hasPrefix("not changed, because callbacks changed the selection 8 times")
            })
    }

    @Test func aMarkerRemovedByTheDelegateIsNotSelected() throws {
        mapView.delegate = log
        let marker = try marker()
        log.window = { [mapView] marker in
            mapView.remove(marker)
            return .label("gone")
        }
        mapView.selectedMarker = marker
        #expect(mapView.selectedMarker == nil && mapView.infoWindow == nil)
    }

    @Test func aDelegateThatRendersMeanwhileIsRefused() throws {
        mapView.delegate = log
        let marker = try marker()
        marker.tracksInfoWindowChanges = true
        mapView.selectedMarker = marker
        var caught: PlacementError?
        log.window = { [mapView] _ in
            do throws(PlacementError) { _ = try Composer.of(mapView).place(mapView) } catch { caught = error }
            return nil
        }
        _ = try mapView.placement()
        guard case .reentered? = caught else {
            Issue.record("the map was placed while it was being placed")
            return
        }
    }

    @Test(arguments: [
        (600.0, 20.0, "infoWindow: the content is 600 × 20 pt, but at most 500 × 500 are allowed; the window is not drawn"),
        (10_000, 10_000, "infoWindow: the content is 10000 × 10000 pt, but at most 500 × 500 are allowed; the window is not drawn"),
    ])
    func aWindowThatIsTooLargeIsNamed(width: Double, height: Double, message: String) throws {
        let marker = try marker()
        marker.infoWindow = box(width, height)
        mapView.selectedMarker = marker
        let placement = try mapView.placement()
        #expect(placement.diagnostics.map(\.description) == ["hall: " + message])
        #expect(placement.inspection().infoWindow?.reason == .empty)
    }

    @Test func emptyContentIsNamed() throws {
        mapView.add(ViewOverlay(content: .label(""), coordinates: LatLng(lat: 37.567, lng: 126.978)))
        let placement = try mapView.placement()
        #expect(
            placement.diagnostics.map(\.description) == [
                "viewOverlay-0: content: the content is empty: its size is 0 × 0 pt; the overlay is not drawn"
            ])
        #expect(placement.inspection().viewOverlays.map(\.reason) == [.empty])
    }
}
