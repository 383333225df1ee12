import Foundation
import Testing
import WaymarkGeo
import WaymarkScene
import WaymarkTestSupport

/// When the selected marker of a cluster layer leaves the map, in any way, its window closes and the selection is cleared.
@Suite struct SelectionRemovalTests {
    private let mapView = MapView(city: 400, 400)
    private let log = EventLog()
    private let layer = ClusterLayer()
    private let marker = Marker(position: LatLng(lat: 37.567, lng: 126.978))

    init() {
        (marker.id, marker.title) = ("a", "A")
        layer.add(marker)
        mapView.delegate = log
    }

    private func isClosed(by removal: () -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
        mapView.selectedMarker = marker
        #expect(mapView.infoWindow != nil, sourceLocation: sourceLocation)
        log.calls = []
        removal()
        #expect(mapView.selectedMarker == nil && mapView.infoWindow == nil, sourceLocation: sourceLocation)
        #expect(log.calls == ["didCloseInfoWindowOf a"], sourceLocation: sourceLocation)
    }

    @Test func everyRemovalClosesTheWindow() {
        mapView.add(layer)
        isClosed { layer.remove(marker) }
        layer.add(marker)
        isClosed { mapView.remove(marker) }
        layer.add(marker)
        isClosed { layer.removeAll() }
        layer.add(marker)
        isClosed { mapView.remove(layer) }
        mapView.add(layer)
        isClosed { mapView.removeAll() }
        let container = Container([layer])
        mapView.add(container)
        isClosed { container.remove(layer) }
        container.add(layer)
        isClosed { mapView.remove(container) }
    }

    /// Delegates are called about a removal of many after all are removed.
    @Test func removingAllIsToldWhenAllAreRemoved() {
        let others = (0..<3).map { _ in Marker(position: LatLng(lat: 37.567, lng: 126.978)) }
        layer.removeAll()
        let container = Container(others.dropLast() + [marker] + others.suffix(1))
        mapView.add(container)
        mapView.selectedMarker = marker
        var counts: [Int] = []
        log.heard = { [marker] call in
            guard call.hasPrefix("didClose") else { return }
            let all = others + [marker]
            counts.append(all.count { $0.mapView == nil && $0.parent == nil && $0.clusterLayer == nil })
        }
        container.removeAll()
        layer.add(others.dropLast() + [marker] + others.suffix(1))
        mapView.add(layer)
        mapView.selectedMarker = marker
        layer.removeAll()
        container.add([marker])
        mapView.add(container)
        mapView.selectedMarker = marker
        container.remove(marker)
        #expect(counts == [4, 4, 4] && container.count == 0 && layer.count == 0)
    }

    @Test func aDelegateThatRemovesWhatIsBeingRemovedIsSafe() {
        mapView.add(layer)
        let others = (0..<3).map { _ in Marker(position: LatLng(lat: 37.567, lng: 126.978)) }
        layer.add(others)
        mapView.selectedMarker = marker
        log.heard = { [layer, mapView] _ in
            for other in others { layer.remove(other) }
            mapView.removeAll()
        }
        layer.removeAll()
        #expect(layer.count == 0 && mapView.overlays.isEmpty)
        // The same for the overlays of a map.
        log.heard = { _ in }
        for other in [marker] + others { mapView.add(other) }
        mapView.selectedMarker = marker
        log.heard = { [mapView] _ in mapView.remove(others[2]) }
        mapView.removeAll()
        #expect(mapView.overlays.isEmpty && mapView.selectedMarker == nil)
    }

    @Test func theRemovalOfAnotherLeavesTheWindowOpen() {
        let other = Marker(position: LatLng(lat: 37.56, lng: 126.97))
        layer.add(other)
        mapView.add(layer)
        mapView.selectedMarker = marker
        layer.remove(other)
        #expect(mapView.selectedMarker === marker && mapView.infoWindow != nil)
    }
}
