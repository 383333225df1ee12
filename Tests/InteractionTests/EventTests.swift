import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkInteraction
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Records every call of a map to its delegate.
final class EventLog: MapViewDelegate {
    var calls: [String] = []
    var handles: (ViewObject) -> Bool = { _ in false }
    var window: (Marker) -> OverlayContent? = { _ in nil }
    var heard: (String) -> Void = { _ in }

    private func note(_ call: String) {
        calls.append(call)
        heard(call)
    }

    private func name(_ object: ViewObject) -> String {
        switch object {
        case let overlay as Overlay: overlay.id ?? "?"
        case let overlay as ViewOverlay: overlay.id ?? "?"
        case let symbol as SymbolObject: symbol.id
        case let cluster as Cluster: cluster.id
        default: "?"
        }
    }

    func mapView(_ mapView: MapView, didTap object: ViewObject) -> Bool {
        note("didTap \(name(object))")
        return handles(object)
    }
    func mapView(_ mapView: MapView, markerInfoWindow marker: Marker) -> OverlayContent? {
        note("markerInfoWindow \(name(marker))")
        return window(marker)
    }
    func mapView(_ mapView: MapView, markerInfoContents marker: Marker) -> OverlayContent? {
        note("markerInfoContents \(name(marker))")
        return nil
    }
    func mapView(_ mapView: MapView, didSelect objects: [ViewObject]) {
        note("didSelect \(objects.map(name).joined(separator: " "))")
    }
    func mapView(_ mapView: MapView, didTapMapAt coordinate: LatLng) { note("didTapMap") }
    func mapView(_ mapView: MapView, didLongPressAt coordinate: LatLng) { note("didLongPress") }
    func mapView(_ mapView: MapView, didTapInfoWindowOf marker: Marker) { note("didTapInfoWindowOf \(name(marker))") }
    func mapView(_ mapView: MapView, didLongPressInfoWindowOf marker: Marker) { note("didLongPressInfoWindowOf \(name(marker))") }
    func mapView(_ mapView: MapView, didCloseInfoWindowOf marker: Marker) { note("didCloseInfoWindowOf \(name(marker))") }
    func mapView(_ mapView: MapView, didBeginDragging marker: Marker) { note("didBeginDragging \(name(marker))") }
    func mapView(_ mapView: MapView, didDrag marker: Marker) { note("didDrag \(name(marker))") }
    func mapView(_ mapView: MapView, didEndDragging marker: Marker) { note("didEndDragging \(name(marker))") }
}

extension MapView {
    func visible(_ x: Double, _ y: Double) -> [String] { names(visibleObjects(at: CGPoint(x: x, y: y), tolerance: 0)) }
    func all(_ x: Double, _ y: Double) -> [String] { names(objects(at: CGPoint(x: x, y: y), tolerance: 0)) }

    private func names(_ objects: [ViewObject]) -> [String] {
        objects.map { object in
            switch object {
            case let overlay as Overlay: overlay.id ?? "?"
            case let overlay as ViewOverlay: overlay.id ?? "?"
            case let symbol as SymbolObject: symbol.id
            default: "?"
            }
        }
    }
}

/// The order of calls, for every kind of event.
@Suite struct EventTests {
    let mapView = MapView(city: 400, 400)
    let log = EventLog()

    init() { mapView.delegate = log }

    private func take() -> [String] {
        defer { log.calls = [] }
        return log.calls
    }

    @Test func tappingAMarkerAsksSelectsAndTells() throws {
        let marker = try mapView.put("a", 200, 200) { $0.title = "A" }
        mapView.tap(at: CGPoint(x: 205, y: 195))
        #expect(take() == ["didTap a", "markerInfoWindow a", "markerInfoContents a", "didSelect a"])
        #expect(mapView.selectedMarker === marker)
    }

    @Test func tappingAnotherMarkerClosesTheWindowFirst() throws {
        try mapView.put("a", 100, 200) { $0.title = "A" }
        try mapView.put("b", 300, 200) { $0.title = "B" }
        mapView.tap(at: CGPoint(x: 100, y: 200))
        _ = take()
        mapView.tap(at: CGPoint(x: 300, y: 200))
        #expect(take() == ["didTap b", "didCloseInfoWindowOf a", "markerInfoWindow b", "markerInfoContents b", "didSelect b"])
        // The selected marker again.
        mapView.tap(at: CGPoint(x: 300, y: 200))
        #expect(take() == ["didTap b", "didCloseInfoWindowOf b", "markerInfoWindow b", "markerInfoContents b", "didSelect b"])
        #expect(mapView.selectedMarker?.id == "b")
    }

    @Test func aMarkerWithoutTextsOpensNoWindow() throws {
        try mapView.put("a", 100, 200) { $0.title = "A" }
        try mapView.put("plain", 300, 200)
        mapView.tap(at: CGPoint(x: 100, y: 200))
        mapView.tap(at: CGPoint(x: 300, y: 200))
        #expect(mapView.selectedMarker == nil && mapView.infoWindow == nil)
        #expect(log.calls.last == "didSelect plain")
    }

    @Test func tappingTheMapTellsBeforeTheSelectionIsDropped() throws {
        let marker = try mapView.put("a", 100, 200) { $0.title = "A" }
        mapView.selectedMarker = marker
        _ = take()
        log.heard = { [mapView] in if $0 == "didTapMap" { #expect(mapView.selectedMarker === marker) } }
        mapView.tap(at: CGPoint(x: 300, y: 300))
        #expect(take() == ["didTapMap", "didCloseInfoWindowOf a"])
        #expect(mapView.selectedMarker == nil)
    }

    @Test func tappingTheWindowTellsOfItAlone() throws {
        let marker = try mapView.put("a", 200, 200) { $0.title = "A" }
        mapView.selectedMarker = marker
        _ = take()
        mapView.tap(at: CGPoint(x: 200, y: 165))
        mapView.longPress(at: CGPoint(x: 200, y: 165))
        #expect(take() == ["didTapInfoWindowOf a", "didLongPressInfoWindowOf a"])
        #expect(mapView.selectedMarker === marker)
    }

    @Test func aTouchHandlerConsumesOrLetsThrough() throws {
        let marker = try mapView.put("a", 200, 200) { $0.title = "A" }
        marker.touchHandler = { [log] in
            log.calls.append("touchHandler \($0.id ?? "?")")
            return true
        }
        mapView.tap(at: CGPoint(x: 200, y: 200))
        #expect(take() == ["touchHandler a"])
        marker.touchHandler = { _ in false }
        log.handles = { _ in true }
        mapView.tap(at: CGPoint(x: 200, y: 200))
        #expect(take() == ["didTap a"] && mapView.selectedMarker == nil)
    }

    @Test func ofTwoMarkersTheUpperOneHandlesTheTouch() throws {
        for (id, isConsumed) in [("low", true), ("high", false)] {
            try mapView.put(id, 200, 200) { marker in
                marker.zIndex = id == "high" ? 1 : 0
                marker.touchHandler = { [log] in
                    log.calls.append("touchHandler \($0.id ?? "?")")
                    return isConsumed
                }
            }
        }
        // A tap that the upper one passes on is reported to the delegate and the map, not to the marker beneath.
        mapView.tap(at: CGPoint(x: 200, y: 200))
        #expect(
            take() == [
                "touchHandler high", "didTap high", "markerInfoWindow high", "markerInfoContents high", "didSelect high low", "didTapMap",
            ])
    }

    @Test func allObjectsAtThePointAreToldOnce() throws {
        try mapView.put("low", 200, 200)
        try mapView.put("high", 205, 205) { $0.zIndex = 1 }
        let ring = Circle(center: mapView.camera.center, radius: 500)
        ring.id = "ring"
        mapView.add(ring)
        #expect(mapView.tap(at: CGPoint(x: 203, y: 203)).count == 3)
        #expect(log.calls.last == "didSelect high low ring")
    }

    @Test func clustersAreTappedAsObjects() throws {
        let layer = ClusterLayer()
        layer.id = "towns"
        for x in [198.0, 200, 202] {
            layer.add(Marker(position: try #require(mapView.geoCoordinates(from: CGPoint(x: x, y: 200)))))
        }
        let lone = Marker(position: try #require(mapView.geoCoordinates(from: CGPoint(x: 40, y: 40))))
        (lone.id, lone.title) = ("lone", "Lone")
        layer.add(lone)
        mapView.add(layer)
        let open = try mapView.put("a", 320, 200) { $0.title = "A" }
        mapView.selectedMarker = open
        _ = take()
        let objects = mapView.tap(at: CGPoint(x: 200, y: 200))
        let cluster = try #require(objects.first as? Cluster)
        #expect(cluster.count == 3 && cluster.layer === layer && objects.count == 1)
        // A cluster is not a marker: nothing is selected, but the open window closes.
        #expect(take() == ["didTap \(cluster.id)", "didSelect \(cluster.id)", "didCloseInfoWindowOf a"])
        #expect(mapView.selectedMarker == nil)
        mapView.selectedMarker = open
        _ = take()
        #expect(mapView.hits(at: CGPoint(x: 200, y: 200)).map(\.part) == [.cluster])
        // A delegate may handle it, for example by zooming in.
        log.handles = { $0 is Cluster }
        mapView.tap(at: CGPoint(x: 200, y: 200))
        #expect(take() == ["didTap \(cluster.id)"])
        // A long press on it is one on the map.
        mapView.longPress(at: CGPoint(x: 200, y: 200))
        #expect(take() == ["didLongPress"])
        // A marker that its layer shows alone is a marker like others.
        mapView.tap(at: CGPoint(x: 40, y: 30))
        #expect(take() == ["didTap lone", "didCloseInfoWindowOf a", "markerInfoWindow lone", "markerInfoContents lone", "didSelect lone"])
        #expect(mapView.selectedMarker === lone)
    }

    @Test func removingTheTappedMarkerInACallbackIsSafe() throws {
        let marker = try mapView.put("a", 200, 200) { $0.title = "A" }
        for call in ["didTap a", "markerInfoWindow a", "markerInfoContents a", "didSelect a"] {
            mapView.add(marker)
            log.heard = { [mapView] in if $0 == call { mapView.remove(marker) } }
            mapView.tap(at: CGPoint(x: 200, y: 200))
            #expect(mapView.selectedMarker == nil && mapView.infoWindow == nil && mapView.overlays.isEmpty)
        }
    }

    @Test func aLongPressIsOfTheMapOrADraggableMarker() throws {
        try mapView.put("fixed", 100, 200)
        try mapView.put("loose", 300, 200) { $0.isDraggable = true }
        mapView.longPress(at: CGPoint(x: 100, y: 200))
        mapView.longPress(at: CGPoint(x: 200, y: 300))
        mapView.longPress(at: CGPoint(x: 300, y: 200))
        #expect(take() == ["didLongPress", "didLongPress", "didBeginDragging loose", "didEndDragging loose"])
    }

    @Test(arguments: [(0.0, 0.0, 0.0), (60, 30, 0), (45, 200, 300), (80, 0, 0)])
    func aDraggedMarkerFollowsTheGround(tilt: Double, bearing: Double, altitude: Double) throws {
        (mapView.camera.tilt, mapView.camera.bearing) = (tilt, bearing)
        let marker = try mapView.put("a", 200, 260) {
            $0.isDraggable = true
            $0.altitude = altitude
        }
        func anchor() throws -> CGPoint {
            let position = try #require(marker.position)
            return try #require(mapView.point(from: LatLng(lat: position.lat, lng: position.lng, altitude: altitude)))
        }
        let before = try anchor()
        let from = CGPoint(x: before.x + 4, y: before.y - 3)
        #expect(mapView.drag(along: [from, CGPoint(x: 120, y: 330)]) === marker)
        #expect(take() == ["didBeginDragging a", "didDrag a", "didEndDragging a"])
        let after = try anchor()
        #expect(abs(after.x - 116) < 0.01 && abs(after.y - 333) < 0.01)
    }

    @Test func aDragAboveTheHorizonLeavesTheMarker() throws {
        mapView.camera.tilt = 80
        let marker = try mapView.put("a", 200, 300) { $0.isDraggable = true }
        let position = marker.position
        mapView.drag(along: [CGPoint(x: 200, y: 300), CGPoint(x: 200, y: 2)])
        #expect(take() == ["didBeginDragging a", "didEndDragging a"] && marker.position == position)
    }

    @Test func tapsAboveTheHorizonAndOutsideThePictureTellOfNothing() throws {
        mapView.camera.tilt = 80
        mapView.tap(at: CGPoint(x: 200, y: 2))
        mapView.longPress(at: CGPoint(x: 200, y: 2))
        mapView.tap(at: CGPoint(x: 401, y: 20))
        mapView.tap(at: CGPoint(x: Double.nan, y: 20))
        mapView.drag(along: [CGPoint(x: -1, y: 20), CGPoint(x: 20, y: 20)])
        #expect(take().isEmpty)
        let problems = try Composer.of(mapView).place(mapView).diagnostics.map(\.description)
        #expect(problems.count == 3 && problems[0] == "tap: (401, 20) is outside the picture of 400 × 400 pt")
    }

    @Test func observersHearAndResponsesEnd() throws {
        let observer = EventLog()
        mapView.addObserver(observer)
        var heard: [MapEvents] = []
        let marker = try mapView.put("a", 200, 200) { $0.isDraggable = true }
        let response = mapView.respond(to: [.dragBegan, .drag, .dragEnded]) { event, map, dragged in
            #expect(dragged === marker && map === marker.mapView)
            heard.append(event)
        }
        mapView.tap(at: CGPoint(x: 200, y: 200))
        #expect(observer.calls == ["didSelect a"] && heard.isEmpty)
        mapView.drag(along: [CGPoint(x: 200, y: 200), CGPoint(x: 100, y: 100)])
        #expect(heard == [.dragBegan, .drag, .dragEnded])
        response.cancel()
        mapView.removeObserver(observer)
        mapView.drag(along: [CGPoint(x: 100, y: 100), CGPoint(x: 200, y: 200)])
        #expect(heard.count == 3 && observer.calls.count == 4)
    }

    @Test func aResponseHearsOfATapOnce() throws {
        try mapView.put("a", 200, 200) {
            $0.title = "A"
            $0.touchHandler = { _ in false }
        }
        var heard: [String] = []
        mapView.respond(to: .tap) { _, _, marker in heard.append(marker?.id ?? "-") }
        mapView.tap(at: CGPoint(x: 200, y: 200))
        #expect(heard == ["a"] && take().suffix(2) == ["didSelect a", "didTapMap"])
        mapView.tap(at: CGPoint(x: 300, y: 300))
        #expect(heard == ["a", "-"])
    }

    @Test func responsesHearOfAWindowAtACoordinate() throws {
        var heard: [MapEvents] = []
        mapView.respond(to: [.tap, .longPress]) { event, map, marker in
            #expect(map === mapView && marker == nil)
            heard.append(event)
        }
        mapView.openInfoWindow(contents: .label("here"), at: mapView.camera.center)
        mapView.tap(at: CGPoint(x: 200, y: 180))
        mapView.longPress(at: CGPoint(x: 200, y: 180))
        #expect(heard == [.tap, .longPress] && log.calls.isEmpty)
    }

    @Test func whatTheDelegateSelectsWhenTheMapIsTappedStays() throws {
        let a = try mapView.put("a", 100, 200) { $0.title = "A" }
        let b = try mapView.put("b", 300, 200) { $0.title = "B" }
        mapView.selectedMarker = a
        log.heard = { [mapView] in if $0 == "didTapMap" { mapView.selectedMarker = b } }
        mapView.tap(at: CGPoint(x: 200, y: 300))
        #expect(mapView.selectedMarker === b && mapView.infoWindow?.marker === b)
        #expect(log.calls.filter { $0.hasPrefix("didClose") } == ["didCloseInfoWindowOf a"])
        // The same one again, and a window at the coordinate.
        mapView.tap(at: CGPoint(x: 200, y: 300))
        #expect(mapView.selectedMarker === b && mapView.infoWindow != nil)
        log.heard = { [mapView] in
            if $0 == "didTapMap" { mapView.openInfoWindow(contents: .label("here"), at: mapView.camera.center) }
        }
        mapView.tap(at: CGPoint(x: 200, y: 300))
        #expect(mapView.selectedMarker == nil && mapView.infoWindow?.position == mapView.camera.center)
        // A tap that opens nothing closes it.
        log.heard = { _ in }
        mapView.tap(at: CGPoint(x: 200, y: 300))
        #expect(mapView.infoWindow == nil)
    }

    @Test func theExampleOfPointsOfInterest() throws {
        // NMAPoiObject's example.
        var symbol = Symbol(position: mapView.camera.center, captionText: "Café Blau")
        (symbol.category, symbol.phone, symbol.fields) = ("cafe", "+82 2 120", ["opening_hours": "24/7"])
        var stop = Symbol(position: try #require(mapView.geoCoordinates(from: CGPoint(x: 100, y: 100))), captionText: "Stop")
        stop.kind = "transitStop"
        mapView.symbols = [symbol, stop]
        final class Delegate: MapViewDelegate {
            var places: [[String?]] = []
            func mapView(_ mapView: MapView, didSelect objects: [ViewObject]) {
                for object in objects {
                    if let poiObject = object as? PointOfInterest {
                        places.append([poiObject.placeName, poiObject.category, poiObject.phone, poiObject.fields["opening_hours"]])
                    }
                }
            }
        }
        let delegate = Delegate()
        mapView.delegate = delegate
        mapView.tap(at: CGPoint(x: 200, y: 200))
        mapView.tap(at: CGPoint(x: 100, y: 100))
        #expect(delegate.places == [["Café Blau", "cafe", "+82 2 120", "24/7"]])
        let other = try #require(mapView.objects(at: CGPoint(x: 100, y: 100)).first as? SymbolObject)
        #expect(other.kind == "transitStop" && !(other is PointOfInterest))
        #expect(mapView.objects(at: CGPoint(x: 100, y: 100)).first === other)
    }
}
