import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// The calls on the page about map objects, without drawing.
@Suite struct MapObjectTests {
    private let mapView = MapView(size: .init(width: 100, height: 100))
    private let corner = LatLng(lat: 49.2652, lng: -123.1333)
    private let east = LatLng(lat: 49.2652, lng: -123.1278)
    private let south = LatLng(lat: 49.2618, lng: -123.1333)

    @Test func propertiesOfEveryMapObject() {
        let objects: [Overlay] = [
            Marker(position: corner), Circle(center: corner, radius: 50), Polyline(points: [corner, east]),
            Polygon(points: [corner, east, south]), Route(points: [corner, east]), Container(), LocalModel(mesh: FloatMesh()),
            GeoModel(mesh: GeoMesh()),
        ]
        #expect(objects.map(\.type) == [.marker, .circle, .polyline, .polygon, .route, .container, .localModel, .geoModel])
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

    /// "NMAMapLocalModel is an arbitrary 3D map object that is drawn using a local coordinate (as opposed to a geocoordinate) mesh."
    @Test func diamond() {
        let geoCoordCenter = corner
        let mesh = FloatMesh()
        let size: Float = 40
        let vertices: [Float] = [
            0, 0, 0,
            -size, -size, 2 * size,
            size, -size, 2 * size,
            size, size, 2 * size,
            -size, size, 2 * size,
            0, 0, 4 * size,
        ]
        mesh.setVertices(vertices, count: 6)
        let textureCoordinates: [Float] = [
            0.5, 0.5,
            0.5, 1,
            1, 0.5,
            0.5, 0,
            0, 0.5,
            0.5, 0.5,
        ]
        mesh.setTextureCoordinates(textureCoordinates, count: 6)
        let triangles: [Int16] = [
            0, 2, 1,
            0, 3, 2,
            0, 4, 3,
            0, 1, 4,
            5, 1, 2,
            5, 2, 3,
            5, 3, 4,
            5, 4, 1,
        ]
        mesh.setTriangles(triangles, count: 8)
        let diamond = LocalModel(mesh: mesh)
        let image = OverlayImage(name: "flag.png")
        diamond.texture = image
        diamond.coordinates = geoCoordCenter
        mapView.add(diamond)
        #expect(mapView.overlays == [diamond] && diamond.firstProblem() == nil)
        #expect(mesh.vertices.count == 6 && mesh.vertices[5] == [0, 0, 160] && mesh.triangles[7] == [5, 4, 1])
        // "You can further control the size of the 3D model mesh by setting a scaling factor with scale property."
        diamond.scale = 2

        // The page says: "This light shines from above in the Z axis".
        var vector = SIMD3<Double>.zero
        (vector.x, vector.y, vector.z) = (0, 0.5, -1)
        let light = DirectionalLight(direction: vector)
        // "Assume 'model' is an NMAMapLocalModel that is already on the map."
        let model = diamond
        model.addLight(light)
        #expect(model.lights.count == 1 && model.lights.first === light && model.firstProblem() == nil)
    }

    /// "NMAMapGeoModel is an arbitrary 3D map object that is drawn using geocoordinate vertices."
    @Test func pyramid() {
        let geoMesh = GeoMesh()
        let vertices: [Double] = [
            -123.133392, 49.265275, 0,
            -123.127813, 49.265275, 0,
            -123.133392, 49.261803, 0,
            -123.127813, 49.261803, 0,
            -123.130903, 49.263931, 1250,
        ]
        geoMesh.setVertices(vertices, count: 5)
        let textureCoordinates: [Float] = [
            0.0, 0.0,
            1.0, 0.0,
            0.0, 1.0,
            1.0, 1.0,
            0.5, 0.5,
        ]
        geoMesh.setTextureCoordinates(textureCoordinates, count: 5)
        let triangles: [Int16] = [
            0, 4, 1,
            2, 3, 4,
            0, 2, 4,
            1, 4, 3,
        ]
        geoMesh.setTriangles(triangles, count: 4)
        let textureOverArea = GeoModel(mesh: geoMesh)
        let image = OverlayImage(name: "flag.png")
        textureOverArea.texture = image
        mapView.add(textureOverArea)
        #expect(mapView.overlays == [textureOverArea] && textureOverArea.firstProblem() == nil)
        #expect(geoMesh.vertices.count == 5 && geoMesh.vertices[4] == [-123.130903, 49.263931, 1250])
        // "As with NMAMapLocalModel, you can set the lighting for an NMAMapGeoModel using addLight: method."
        #expect(textureOverArea.addLight(DirectionalLight(direction: [0, 0.5, -1])))
    }
}
