import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkInteraction
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Clusters as objects: "Working with Clusters" of the page on marker clustering, and the object's properties.
@Suite struct ClusterPickingTests {
    private let mapView = MapView(size: CGSize(width: 400, height: 300))
    private let layer = ClusterLayer()

    /// Three markers in one cell, and one that is alone.
    init() {
        mapView.camera = Camera(zoom: 3)
        layer.id = "shops"
        let places = [LatLng(2, 4), LatLng(4, 5), LatLng(3, 9), LatLng(-10, -12)]
        layer.add(places.map { Marker(position: $0) })
        mapView.add(layer)
    }

    private func inspection() throws -> Inspection { try Composer.of(mapView).place(mapView).inspection() }

    private func objects(at coordinates: LatLng) throws -> [ViewObject] {
        mapView.objects(at: try #require(mapView.point(from: coordinates)))
    }

    /// "You can get all markers inside one specific cluster", "You can also retrieve the bounding box around all markers".
    @Test func theObjectsAtAPointHoldTheCluster() throws {
        var clusterMarkers: [Marker] = []
        for object in try objects(at: LatLng(3, 6)) {
            if let object = object as? Cluster { clusterMarkers = object.markers }
        }
        #expect(clusterMarkers == Array(layer.markers[..<3]))
        let cluster = try #require(try objects(at: LatLng(3, 6)).first as? Cluster)
        #expect(cluster.boundingBox == LatLngBounds(south: 2, west: 4, north: 4, east: 9))
    }

    @Test func whatAClusterTells() throws {
        let cluster = try #require(try objects(at: LatLng(3, 6)).first as? Cluster)
        #expect(cluster.layer === layer && cluster.count == 3 && cluster.id == "shops/3/26/25")
        let y = [2.0, 4, 3].reduce(0) { $0 + WebMercator.y(lat: $1)! } / 3
        #expect(abs(cluster.position.lng - 6) < 1e-8 && abs(cluster.position.lat - WebMercator.latitude(fromY: y)) < 1e-8)
        // At zoom 3 the three are in one cell; the picture at its expansion zoom shows them apart, and the zoom before does not.
        let expansion = try #require(cluster.expansionZoom)
        for (zoom, areTogether) in [(expansion - 1, true), (expansion, false)] {
            mapView.camera = Camera(center: cluster.position, zoom: Double(zoom))
            #expect(try inspection().clusters.contains { $0.count == 3 } == areTogether)
        }
        // It describes its picture, even after the view has moved.
        #expect(cluster.count == 3 && cluster.markers.count == 3)
        layer.remove(cluster.markers[0])
        #expect(cluster.count == 3 && cluster.markers == Array(layer.markers[..<2]))
    }

    @Test func itIsPickedAsAMarkerIs() throws {
        let center = try #require(mapView.point(from: LatLng(3.0006, 6)))
        let hits = mapView.hits(at: center)
        #expect(hits.count == 1 && hits[0].object is Cluster)
        // A disc of 32 pt, and the tolerance.
        for (distance, isHit) in [(15.0, true), (17, true), (20, false)] {
            #expect((mapView.visibleObjects(at: CGPoint(x: center.x + distance, y: center.y)).first is Cluster) == isHit)
        }
        // A marker that the layer shows alone is that marker.
        #expect(try objects(at: LatLng(-10, -12)).first === layer.markers[3])
        // Topmost first, among the map's own markers.
        let marker = Marker(position: LatLng(3, 6))
        mapView.add(marker)
        marker.zIndex = 1
        #expect(try objects(at: LatLng(3, 6)).map { $0 is Cluster } == [false, true])
        marker.zIndex = -1
        #expect(try objects(at: LatLng(3, 6)).map { $0 is Cluster } == [true, false])
        layer.isHidden = true
        #expect(mapView.visibleObjects(at: center).map { $0 is Cluster } == [false])
    }

    /// Markers of two cells whose discs overlap are one cluster, for taps as in the picture.
    @Test func aMergedClusterIsPickedWithAllItsMarkers() throws {
        mapView.remove(layer)
        func place(_ x: Double) -> LatLng {
            LatLng(lat: WebMercator.latitude(fromY: 2050 / 4096), lng: WebMercator.longitude(fromX: x / 4096))
        }
        // At the border of two cells of 80 pt.
        let merged = ClusterLayer(([2072, 2074, 2086, 2087, 2088] as [Double]).map { Marker(position: place($0)) })
        merged.id = "merged"
        mapView.add(merged)
        let cluster = try #require(try objects(at: place(2081.4)).first as? Cluster)
        #expect(cluster.id == "merged/3/26/25" && cluster.count == 5 && cluster.markers == merged.markers)
        #expect(cluster.markers.allSatisfy { $0.position.map(cluster.boundingBox.contains) ?? false })
        #expect(try inspection().clusters.map(\.expansionZoom) == [cluster.expansionZoom])
        // Neither part is anywhere else, and its markers are found only in the cluster.
        #expect(try objects(at: place(2103)).isEmpty && objects(at: place(2060)).isEmpty)
        #expect(mapView.objects(at: try #require(mapView.point(from: place(2074)))).map { $0 is Cluster } == [true])
        // A marker in it can be selected, which changes nothing about the cluster.
        merged.markers[0].title = "first"
        mapView.selectedMarker = merged.markers[0]
        #expect(mapView.selectedMarker === merged.markers[0])
        #expect(try inspection().clusters.map(\.id) == ["merged/3/26/25"])
        // A fitted camera shows its markers.
        mapView.selectedMarker = nil
        let camera = try mapView.camera(fitting: FitOptions(.bounds(cluster.boundingBox)))
        #expect(abs(camera.center.lng - place(2080).lng) < 1e-6)
    }

    @Test func severalLayersShareAMap() throws {
        let other = ClusterLayer((0..<12).map { _ in Marker(position: LatLng(3, 6)) })
        other.id = "towns"
        other.zIndex = 1
        let theme = ClusterTheme()
        theme.setStyle(ImageClusterStyle(image: .pink), forDensityRange: 2...)
        other.theme = theme
        mapView.add(other)
        let clusters = try objects(at: LatLng(3, 6)).compactMap { $0 as? Cluster }
        #expect(clusters.map(\.layer.id) == ["towns", "shops"] && clusters.map(\.count) == [12, 3])
        // Each counts separately.
        #expect(try inspection().clusters.map(\.id) == ["shops/3/26/25", "towns/3/26/25"])
        #expect(clusters[0].expansionZoom == nil)
        mapView.remove(other)
        #expect(try objects(at: LatLng(3, 6)).count == 1)
    }

    /// All of its markers are fitted, in clusters or not, except hidden markers and those excluded from fitting.
    @Test(arguments: [0.0, 50]) func aFittedCameraShowsTheMarkersOfALayer(tilt: Double) throws {
        func alone(_ markers: [Marker]) throws -> Camera {
            let map = MapView(size: mapView.size)
            for marker in markers { map.add(Marker(position: try #require(marker.position))) }
            return try map.camera(fitting: FitOptions(tilt: tilt))
        }
        func isFitted(_ markers: [Marker], _ subject: FitSubject = .overlays) throws -> Bool {
            let (camera, expected) = (try mapView.camera(fitting: FitOptions(subject, tilt: tilt)), try alone(markers))
            return abs(camera.zoom - expected.zoom) < 1e-6 && abs(camera.center.lat - expected.center.lat) < 1e-6
                && abs(camera.center.lng - expected.center.lng) < 1e-6
        }
        let markers = layer.markers
        #expect(try isFitted(markers) && isFitted(markers, .ids(["shops"])))
        markers[3].isFitted = false
        #expect(try isFitted(Array(markers[..<3])))
        markers[3].isFitted = true
        markers[2].isHidden = true
        #expect(try isFitted([markers[0], markers[1], markers[3]]))
        let far = Marker(position: LatLng(50, 60))
        mapView.add(far)
        layer.isFitted = false
        #expect(try isFitted([far]))
        #expect(throws: PropertyError.self) { try mapView.camera(fitting: [markers[0]]) }
    }
}
