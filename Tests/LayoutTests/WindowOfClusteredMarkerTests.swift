import Foundation
import Testing
import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// The info window of a marker in a cluster layer is suspended with the layer, and named after its marker.
@Suite struct WindowOfClusteredMarkerTests {
    private let mapView = MapView(city: 400, 400)
    private let layer = ClusterLayer()
    private let container = Container()
    private let marker = Marker(position: LatLng(lat: 37.5670135, lng: 126.9783740))

    init() {
        marker.title = "Hall"
        layer.add(Marker(position: LatLng(lat: 10, lng: 10)))
        layer.add(marker)
        container.add(layer)
        mapView.add(container)
        mapView.selectedMarker = marker
    }

    private func window() throws -> Inspection.ViewEntry { try #require(mapView.inspection().infoWindow) }

    @Test func whatHidesTheMarkerSuspendsItsWindow() throws {
        #expect(try window().isVisible)
        layer.isHidden = true
        #expect(try window().reason == .hidden && !window().isVisible)
        layer.isHidden = false
        container.isHidden = true
        #expect(try window().reason == .hidden)
        container.isHidden = false
        layer.hiddenZooms = ZoomLevels(from: 14, through: 14)
        #expect(try window().reason == .outOfZoom && !window().isVisible)
        layer.hiddenZooms = []
        container.maxZoom = 13
        #expect(try window().reason == .outOfZoom)
        container.maxZoom = 24
        marker.minZoom = 15
        #expect(try window().reason == .outOfZoom)
        marker.minZoom = 0
        layer.cellSize = 1
        #expect(try window().reason == .invalid)
        layer.cellSize = 80
        #expect(try window().isVisible)
    }

    @Test(arguments: [ClusterStrategy.grid, .hierarchical(radius: 40)])
    func aMarkerInsideAClusterSuspendsItsWindow(strategy: ClusterStrategy) throws {
        layer.strategy = strategy
        #expect(try window().isVisible)
        let neighbor = Marker(position: LatLng(lat: 37.5671, lng: 126.9783))
        layer.add(neighbor)
        #expect(try window().reason == .hidden && !window().isVisible)
        #expect(try !mapView.frame().images.contains { $0.name.hasPrefix("info window") })
        #expect(mapView.selectedMarker === marker && mapView.infoWindow != nil)
        // A neighbor that is hidden forms no cluster.
        neighbor.isHidden = true
        #expect(try window().isVisible)
        neighbor.isHidden = false
        #expect(try !window().isVisible)
        // Where they part, it is there again.
        layer.maxZoom = 13
        #expect(try window().isVisible)
        layer.maxZoom = 24
        mapView.camera.zoom = 20
        #expect(try window().isVisible)
        mapView.camera.zoom = 14
        #expect(try window().reason == .hidden)
        // The reason that counts more is reported.
        marker.minZoom = 15
        #expect(try window().reason == .outOfZoom)
    }

    @Test func outsideTheZoomsOfClusteringItStays() throws {
        layer.maxZoom = 10
        #expect(try window().isVisible)
    }

    @Test func theWindowHasTheNameOfItsMarker() throws {
        #expect(try window().id == "container-0/clusterLayer-0/marker-1")
        marker.id = "hall"
        #expect(try window().id == "hall")
    }
}
