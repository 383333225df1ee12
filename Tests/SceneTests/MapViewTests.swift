import Foundation
import Testing
import WaymarkGeo
import WaymarkScene
import WaymarkTestSupport

@Suite struct MapViewTests {
    @Test func overlaysStandInTheOrderOfAdding() {
        let mapView = MapView(size: .init(width: 10, height: 10))
        let markers = ["a", "b", "c"].map { Marker($0) }
        mapView.add(markers)
        mapView.add(markers[0])
        #expect(mapView.overlays.map(\.id) == ["a", "b", "c"])
        mapView.remove(markers[1])
        mapView.add(Marker("d"))
        #expect(mapView.overlays.map(\.id) == ["a", "c", "d"])
        mapView.add(markers[1])
        #expect(mapView.overlays.map(\.id) == ["a", "c", "d", "b"])
        mapView.removeAll()
        #expect(mapView.overlays.isEmpty && markers.allSatisfy { $0.mapView == nil })
    }

    @Test func anOverlayIsOnOneMapOnly() {
        let (a, b) = (MapView(size: .init(width: 10, height: 10)), MapView(size: .init(width: 10, height: 10)))
        let marker = Marker("m")
        a.add(marker)
        b.remove(marker)
        #expect(a.overlays == [marker])
        marker.mapView = b
        #expect(a.overlays.isEmpty && b.overlays == [marker] && marker.mapView === b)
    }

    @Test func overlaysOutliveTheirMap() {
        var mapView: MapView? = MapView(size: .init(width: 10, height: 10))
        let marker = Marker("m")
        mapView?.add(marker)
        mapView = nil
        #expect(marker.mapView == nil)
        marker.alpha = 0.5
        let other = MapView(size: .init(width: 10, height: 10))
        other.add(marker)
        #expect(other.overlays == [marker])
    }

    @Test func objectsAreEqualWhenTheyAreTheSameAndHaveTheirNumbers() {
        let (a, b) = (Marker("m"), Marker("m"))
        #expect(a != b && a == a && a.uniqueId != b.uniqueId)
        #expect(Set([a, b, a]).count == 2)
    }

    @Test func queriesAskTheCamera() throws {
        let mapView = MapView(size: .init(width: 300, height: 200))
        mapView.camera = Camera(center: LatLng(lat: 60, lng: 10), zoom: 3, bearing: 20, tilt: 30)
        let position = try #require(mapView.geoCoordinates(from: CGPoint(x: 30, y: 40)))
        let point = try #require(mapView.point(from: position))
        #expect(abs(point.x - 30) < 1e-6 && abs(point.y - 40) < 1e-6)
        let metres = 2 * Double.pi * 6_378_137 / 4096
        #expect(abs(mapView.metersPerPoint(atLatitude: 0) - metres) < 1e-6)
        #expect(abs(mapView.metersPerPoint(atLatitude: 60) - metres / 2) < 1e-6)
        #expect(mapView.visibleBounds?.contains(position) == true)
        mapView.camera.zoom = 99
        #expect(mapView.point(from: position) == nil && mapView.geoCoordinates(from: .zero) == nil && mapView.visibleBounds == nil)
        #expect(throws: PropertyError(path: "camera.zoom", problem: "99 is outside 0…24")) { try mapView.viewport() }
    }
}
