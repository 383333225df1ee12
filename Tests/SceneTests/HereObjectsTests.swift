import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// What the page on map objects says of them, as far as nothing is drawn.
@Suite struct HereObjectsTests {
    private let mapView = MapView(size: .init(width: 100, height: 100))
    private let corner = LatLng(lat: 49.2652, lng: -123.1333)
    private let east = LatLng(lat: 49.2652, lng: -123.1278)
    private let south = LatLng(lat: 49.2618, lng: -123.1333)

    @Test func propertiesOfEveryMapObject() {
        let objects: [Overlay] = [
            Marker(position: corner), Circle(center: corner, radius: 50), Polyline(points: [corner, east]),
            Polygon(points: [corner, east, south]), Route(points: [corner, east]), Container(),
        ]
        #expect(objects.map(\.type) == [.marker, .circle, .polyline, .polygon, .route, .container])
        for object in objects {
            // "By default map objects are assigned to the foreground."
            #expect(object.mapLayerType == .foreground && object.zIndex == 0 && object.isVisible && object.parent == nil)
        }
        #expect(Set(objects.map(\.uniqueId)).count == objects.count)
    }

    /// "To use a map container, create one or more map objects and add them to the container using addMapObject method. To show the
    /// objects on a map, add the map container to the map with addMapObject method of NMAMapView."
    @Test func containers() {
        let container = Container()
        let objects: [Overlay] = [
            Marker(position: corner), Circle(center: corner, radius: 50), Polygon(points: [corner, east, south]),
            Polyline(points: [corner, east]),
        ]
        for object in objects { container.add(object) }
        mapView.add(container)
        #expect(objects.allSatisfy { $0.parent === container && $0.mapView === mapView })
        // "A container may also hold other instances of NMAMapContainer."
        let outer = Container()
        mapView.remove(container)
        outer.add(container)
        mapView.add(outer)
        #expect(objects.allSatisfy { $0.mapView === mapView })
    }

    /// "The first and last points of the line are automatically joined to create a closed shape."
    @Test func polygonsCloseThemselves() {
        let open = Polygon(points: [corner, east, south])
        let closed = Polygon(points: [corner, east, south, corner])
        #expect(open.firstProblem() == nil && closed.firstProblem() == nil)
        (open.fillColor, open.outlineColor, open.outlineWidth) = (Color.blue.withAlpha(0.3), .red, 2)
        mapView.add(open)
        #expect(mapView.overlays == [open] && open.firstProblem() == nil)
    }
}
