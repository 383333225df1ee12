import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkInteraction
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Where a tap goes: to a handler, to the selection, to the map; and which taps close the open window.
@Suite struct TapOrderTests {
    let mapView = MapView(city: 400, 400)
    let log = EventLog()
    private let middle = CGPoint(x: 200, y: 200)

    init() { mapView.delegate = log }

    private func take() -> [String] {
        defer { log.calls = [] }
        return log.calls
    }

    /// Opens the window of a marker away from the middle.
    private func open() throws -> Marker {
        let marker = try mapView.put("open", 60, 340) { $0.title = "Open" }
        mapView.selectedMarker = marker
        _ = take()
        return marker
    }

    /// Overlays without a handler over the middle of the map, by name.
    private func addShape(_ name: String) throws -> Overlay {
        let center = mapView.camera.center
        let overlay: Overlay
        switch name {
        case "polyline":
            let points = [center, LatLng(lat: center.lat + 1e-3, lng: center.lng)]
            overlay = Polyline(points: points)
        case "model":
            let model = LocalModel(.plate(100))
            model.coordinates = center
            overlay = model
        case "ground":
            let bounds = try #require(
                LatLngBounds(south: center.lat - 1e-3, west: center.lng - 1e-3, north: center.lat + 1e-3, east: center.lng + 1e-3))
            overlay = GroundOverlay(bounds: bounds, image: OverlayImage(bitmap: Bitmap(width: 4, height: 4, fill: .red)))
        default: overlay = Circle(center: center, radius: 500)
        }
        overlay.id = "shape"
        mapView.add(overlay)
        return overlay
    }

    @Test func aHandlerThatReturnsFalsePassesTheTapToTheMap() throws {
        let marker = try mapView.put("a", 200, 200) { $0.title = "A" }
        marker.touchHandler = { [log] _ in
            log.calls.append("touchHandler")
            return false
        }
        mapView.tap(at: middle)
        #expect(take() == ["touchHandler", "didTap a", "markerInfoWindow a", "markerInfoContents a", "didSelect a", "didTapMap"])
        // The map received the tap, but this tap opened the window.
        #expect(mapView.selectedMarker === marker && mapView.infoWindow?.marker === marker)
        // The delegate may still consume it.
        log.handles = { _ in true }
        mapView.tap(at: middle)
        #expect(take() == ["touchHandler", "didTap a"])
    }

    @Test func aHandlerThatReturnsTrueConsumesTheTap() throws {
        let open = try open()
        try addShape("circle").touchHandler = { _ in true }
        mapView.tap(at: middle)
        #expect(take().isEmpty && mapView.selectedMarker === open)
    }

    @Test(arguments: ["circle", "polyline", "model", "ground"])
    func anObjectWithoutAHandlerThatIsNoMarkerClusterOrSymbolIsSelectedAndNeverKeepsATapFromTheMap(name: String) throws {
        _ = try open()
        _ = try addShape(name)
        mapView.tap(at: middle)
        #expect(take() == ["didTap shape", "didSelect shape", "didTapMap", "didCloseInfoWindowOf open"])
        #expect(mapView.selectedMarker == nil)
    }

    @Test func aMarkerAClusterAndASymbolWithoutHandlersKeepTheTap() throws {
        try mapView.put("marker", 300, 200)
        let layer = ClusterLayer()
        for x in [198.0, 202] { layer.add(Marker(position: try #require(mapView.geoCoordinates(from: CGPoint(x: x, y: 200))))) }
        mapView.add(layer)
        mapView.symbols = [Symbol(position: try #require(mapView.geoCoordinates(from: CGPoint(x: 100, y: 100))), captionText: "Stop")]
        for point in [CGPoint(x: 300, y: 200), middle, CGPoint(x: 100, y: 100)] {
            mapView.tap(at: point)
            let calls = take()
            #expect(calls.contains { $0.hasPrefix("didSelect") } && !calls.contains("didTapMap"), "\(calls)")
        }
    }

    @Test func aTapOnAClusterClosesTheOpenWindow() throws {
        _ = try open()
        let layer = ClusterLayer()
        for x in [198.0, 202] { layer.add(Marker(position: try #require(mapView.geoCoordinates(from: CGPoint(x: x, y: 200))))) }
        mapView.add(layer)
        #expect(mapView.tap(at: middle).first is Cluster)
        #expect(take().last == "didCloseInfoWindowOf open" && mapView.selectedMarker == nil && mapView.infoWindow == nil)
    }

    @Test func aTapOnASymbolLeavesTheWindowOpen() throws {
        let open = try open()
        mapView.symbols = [Symbol(position: mapView.camera.center, captionText: "Stop")]
        mapView.tap(at: middle)
        #expect(take() == ["didTap symbol-0", "didSelect symbol-0"] && mapView.infoWindow?.marker === open)
    }

    @Test(arguments: ["didTap", "didSelect", "didTapMap"]) func aWindowThatACallbackOfTheTapOpenedStays(call: String) throws {
        _ = try open()
        let other = try mapView.put("other", 340, 340) { $0.title = "Other" }
        _ = try addShape("circle")
        log.heard = { [mapView, log] heard in
            guard heard.hasPrefix(call) else { return }
            log.heard = { _ in }
            mapView.selectedMarker = other
        }
        mapView.tap(at: middle)
        #expect(mapView.infoWindow?.marker === other)
    }

    @Test func aMarkerWithNothingToShowDoesNotCloseTheWindowThatACallbackOpened() throws {
        try mapView.put("plain", 200, 200)
        log.heard = { [mapView, log] heard in
            guard heard == "didTap plain" else { return }
            log.heard = { _ in }
            mapView.openInfoWindow(contents: .label("here"), at: mapView.camera.center)
        }
        mapView.tap(at: middle)
        #expect(mapView.infoWindow?.position == mapView.camera.center)
        // Without the callback, it closes.
        mapView.tap(at: CGPoint(x: 200, y: 206))
        #expect(mapView.infoWindow == nil)
    }

    @Test func aTapOnAMarkerThatItsHandlerRemovesClosesTheOpenWindow() throws {
        _ = try open()
        let marker = try mapView.put("a", 200, 200)
        marker.touchHandler = { [mapView] marker in
            mapView.remove(marker)
            return false
        }
        mapView.tap(at: middle)
        #expect(take() == ["didTap a", "didSelect a", "didTapMap", "didCloseInfoWindowOf open"])
    }

    @Test func aTouchHandlerOnAViewOverlayMakesItTappable() throws {
        var label = LabelContent()
        (label.width, label.height, label.backgroundColor) = (60, 40, .blue)
        let overlay = ViewOverlay(content: .label(label), coordinates: mapView.camera.center)
        overlay.id = "view"
        mapView.add(overlay)
        _ = try addShape("circle")
        // Without a handler, it is not there.
        mapView.tap(at: middle)
        #expect(take() == ["didTap shape", "didSelect shape", "didTapMap"])
        var (taps, isConsumed) = (0, true)
        overlay.touchHandler = { tapped in
            #expect(tapped === overlay)
            taps += 1
            return isConsumed
        }
        #expect(mapView.tap(at: middle).first === overlay)
        #expect(taps == 1 && take().isEmpty)
        // It is not selected, and is not found by queries.
        isConsumed = false
        mapView.tap(at: middle)
        #expect(taps == 2 && take() == ["didTap view", "didSelect shape", "didTapMap"])
        #expect(mapView.objects(at: middle).map { ($0 as? Overlay)?.id } == ["shape"])
        overlay.isSelectable = true
        mapView.tap(at: middle)
        #expect(taps == 3 && take() == ["didTap view", "didSelect view shape", "didTapMap"])
        overlay.touchHandler = nil
        overlay.isSelectable = false
        mapView.tap(at: middle)
        #expect(taps == 3 && take() == ["didTap shape", "didSelect shape", "didTapMap"])
    }

    @Test func aSelectableViewOverlayWithoutAHandlerDoesNotKeepATapFromTheMap() throws {
        var label = LabelContent()
        (label.width, label.height) = (60, 40)
        let overlay = ViewOverlay(content: .label(label), coordinates: mapView.camera.center)
        (overlay.id, overlay.isSelectable) = ("view", true)
        mapView.add(overlay)
        mapView.tap(at: middle)
        #expect(take() == ["didTap view", "didSelect view", "didTapMap"])
    }

    /// In scene files, `consumesTaps` stands for a handler.
    @Test func consumesTapsStandsForAHandler() throws {
        let marker = try mapView.put("a", 200, 200)
        marker.consumesTaps = true
        mapView.tap(at: middle)
        #expect(take().isEmpty)
        marker.consumesTaps = false
        mapView.tap(at: middle)
        #expect(take().suffix(2) == ["didSelect a", "didTapMap"])
        marker.touchHandler = { _ in true }
        mapView.tap(at: middle)
        #expect(take().isEmpty)
    }
}

/// Drags along paths.
@Suite struct DragPathTests {
    let mapView = MapView(city: 400, 400)
    let log = EventLog()

    init() { mapView.delegate = log }

    @Test func aDragHasADidDragForEachPointOfItsPath() throws {
        let marker = try mapView.put("a", 100, 100) { $0.isDraggable = true }
        var places: [CGPoint] = []
        log.heard = { [mapView] call in
            guard call == "didDrag a", let position = marker.position, let point = mapView.point(from: position) else { return }
            places.append(point)
        }
        let path = [CGPoint(x: 105, y: 98), CGPoint(x: 155, y: 98), CGPoint(x: 155, y: 198), CGPoint(x: 305, y: 298)]
        #expect(mapView.drag(along: path) === marker)
        #expect(log.calls == ["didBeginDragging a", "didDrag a", "didDrag a", "didDrag a", "didEndDragging a"])
        let expected = [CGPoint(x: 150, y: 100), CGPoint(x: 150, y: 200), CGPoint(x: 300, y: 300)]
        #expect(zip(places, expected).allSatisfy { abs($0.x - $1.x) < 0.01 && abs($0.y - $1.y) < 0.01 }, "\(places)")
    }

    @Test func ofOnePointItBeginsAndEnds() throws {
        let marker = try mapView.put("a", 100, 100) { $0.isDraggable = true }
        let position = marker.position
        mapView.send(.drag(along: [CGPoint(x: 100, y: 100)]))
        mapView.send(.drag(along: []))
        #expect(log.calls == ["didBeginDragging a", "didEndDragging a"] && marker.position == position)
    }

    @Test func aMarkerRemovedOnTheWayStops() throws {
        let marker = try mapView.put("a", 100, 100) { $0.isDraggable = true }
        log.heard = { [mapView] in if $0 == "didDrag a" { mapView.remove(marker) } }
        mapView.drag(along: [100, 150, 200].map { CGPoint(x: $0, y: 100) })
        #expect(log.calls == ["didBeginDragging a", "didDrag a", "didEndDragging a"])
    }

    /// A callback that moves the marker, for example onto a road, does not shift the rest of the drag.
    @Test func theMarkerReturnsToThePointer() throws {
        let marker = try mapView.put("a", 100, 100) { $0.isDraggable = true }
        log.heard = { [mapView, log] call in
            guard call == "didDrag a" else { return }
            log.heard = { _ in }
            marker.position = mapView.camera.center
        }
        mapView.drag(along: [CGPoint(x: 100, y: 100), CGPoint(x: 150, y: 100), CGPoint(x: 300, y: 300)])
        let position = try #require(marker.position)
        let end = try #require(mapView.point(from: position))
        #expect(abs(end.x - 300) < 0.01 && abs(end.y - 300) < 0.01)
    }

    @Test func aPointOutsideThePictureStopsItBeforeItBegins() throws {
        try mapView.put("a", 100, 100) { $0.isDraggable = true }
        #expect(mapView.drag(along: [CGPoint(x: 100, y: 100), CGPoint(x: 500, y: 100)]) == nil)
        #expect(log.calls.isEmpty)
    }
}
