import Foundation
import Testing
import WaymarkGeo
import WaymarkInteraction
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// The sentences about taps in the reference page about info windows, with a test for each. The others are in `InfoWindowTests`.
@Suite struct InfoWindowTapTests {
    let mapView = MapView(city: 400, 400)
    let log = EventLog()

    init() { mapView.delegate = log }

    private func tap(_ x: Double) { mapView.tap(at: CGPoint(x: x, y: 200)) }

    @Test func tappingAMarkerShowsItsInfoWindow() throws {
        try mapView.put("london", 100, 200) { $0.title = "London" }
        tap(100)
        #expect(try Composer.of(mapView).place(mapView).inspection().infoWindow?.id == "london")
    }

    @Test(arguments: [nil, "", " "] as [String?])
    func withoutTitleAndSnippetTappingShowsNoWindow(text: String?) throws {
        try mapView.put("london", 100, 200) { ($0.title, $0.snippet) = (text, text) }
        tap(100)
        #expect(mapView.infoWindow == nil && mapView.selectedMarker == nil)
    }

    @Test func tappingAnotherMarkerHidesTheWindowAndOpensANewOne() throws {
        try mapView.put("london", 100, 200) { $0.title = "London" }
        try mapView.put("paris", 300, 200) { $0.snippet = "Paris" }
        tap(100)
        tap(300)
        #expect(mapView.infoWindow?.marker?.id == "paris")
        #expect(log.calls.filter { $0.hasPrefix("didClose") } == ["didCloseInfoWindowOf london"])
    }

    @Test func tappingTheMarkerWhoseWindowIsShownClosesAndReopensIt() throws {
        try mapView.put("london", 100, 200) { $0.title = "London" }
        tap(100)
        log.calls = []
        tap(100)
        #expect(
            log.calls == [
                "didTap london", "didCloseInfoWindowOf london", "markerInfoWindow london", "markerInfoContents london", "didSelect london",
            ])
        #expect(mapView.infoWindow?.marker?.id == "london")
    }

    @Test func theWindowIsGivenWhenTheMarkerIsAboutToBeSelected() throws {
        try mapView.put("london", 100, 200)
        log.window = { [mapView] marker in
            #expect(mapView.selectedMarker == nil)
            return .label("a view for \(marker.id ?? "")")
        }
        tap(100)
        #expect(mapView.selectedMarker?.id == "london" && mapView.infoWindow?.view == .window(.label("a view for london")))
    }

    @Test func aTapThatChangesNothingDoesNotEndASelectionInProgress() throws {
        try mapView.put("london", 100, 200) { $0.title = "London" }
        try mapView.put("bare", 300, 200)
        let bare = try #require(mapView.overlay(withID: "bare") as? Marker)
        // As if the tap had opened a window.
        log.window = { [mapView] marker in
            if marker.id == "london" { mapView.selectByTap(bare, since: -1) }
            return nil
        }
        tap(100)
        #expect(log.calls.contains("markerInfoContents bare"))
        #expect(mapView.selectedMarker?.id == "london" && mapView.infoWindow?.marker?.id == "london")
    }

    /// A map has one window, and the tapped marker's comes later than that of a callback.
    @Test func theTappedMarkersWindowReplacesOneThatACallbackOpened() throws {
        try mapView.put("london", 100, 200) { $0.title = "London" }
        try mapView.put("bare", 300, 200)
        log.handles = { [mapView] _ in
            mapView.openInfoWindow(.label("tapped"), at: mapView.camera.center)
            return false
        }
        tap(100)
        #expect(mapView.infoWindow?.marker?.id == "london")
        tap(300)
        #expect(mapView.infoWindow?.position == mapView.camera.center && mapView.selectedMarker == nil)
    }

    @Test func aLongPressOnTheWindowIsTold() throws {
        try mapView.put("london", 100, 200) { $0.title = "London" }
        tap(100)
        mapView.longPress(at: CGPoint(x: 100, y: 170))
        #expect(log.calls.last == "didLongPressInfoWindowOf london")
    }
}
