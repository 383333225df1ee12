import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkInteraction
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// The objects at a point of the picture.
@Suite struct SelectionTests {
    let mapView = MapView(city: 400, 400)

    private func place(_ x: Double, _ y: Double) throws -> LatLng { try #require(mapView.geoCoordinates(from: CGPoint(x: x, y: y))) }

    private func places(_ points: [(Double, Double)]) throws -> [LatLng] { try points.map { try place($0.0, $0.1) } }

    @Test func iconsAreHitWhereTheyAreDrawn() throws {
        try mapView.put("a", 200, 200)
        #expect(mapView.visible(191, 191) == ["a"] && mapView.visible(209, 209) == ["a"])
        #expect(mapView.visible(188, 200).isEmpty && mapView.visible(200, 211).isEmpty)
        #expect(mapView.visibleObjects(at: CGPoint(x: 188.5, y: 200)).count == 1)
        #expect(mapView.visibleObjects(at: CGPoint(x: 187, y: 200)).isEmpty)
    }

    @Test func turnedIconsAreHitExactly() throws {
        try mapView.put("a", 200, 200) {
            $0.angle = 45
            ($0.width, $0.height) = (60, 10)
        }
        #expect(mapView.visible(218, 218) == ["a"] && mapView.visible(182, 182) == ["a"])
        #expect(mapView.visible(218, 182).isEmpty && mapView.visible(218, 200).isEmpty)
    }

    @Test func flatIconsAreHitAsTheyLie() throws {
        mapView.camera.tilt = 60
        try mapView.put("a", 200, 200) {
            $0.isFlat = true
            ($0.width, $0.height) = (40, 40)
        }
        #expect(mapView.visible(218, 200) == ["a"] && mapView.visible(200, 208) == ["a"])
        #expect(mapView.visible(200, 213).isEmpty && mapView.visible(200, 188).isEmpty)
    }

    @Test func transparentPixelsAreNoPartWhenAsked() throws {
        var bitmap = Bitmap(width: 20, height: 20)
        for y in 0..<20 {
            for x in 0..<20 where (x - 10) * (x - 10) + (y - 10) * (y - 10) < 81 { bitmap[x, y] = Color.red.premultipliedBytes }
        }
        try mapView.put("disc", 200, 200) { $0.iconImage = OverlayImage(bitmap: bitmap) }
        let corner = CGPoint(x: 191.5, y: 191.5)
        #expect(mapView.hits(at: corner, HitOptions(tolerance: 0)).count == 1)
        #expect(mapView.hits(at: corner, HitOptions(ignoresTransparentPixels: true)).isEmpty)
        #expect(mapView.hits(at: CGPoint(x: 200, y: 200), HitOptions(ignoresTransparentPixels: true)).count == 1)
    }

    @Test func captionsAreParts() throws {
        try mapView.put("a", 200, 200) { $0.captionText = "A caption" }
        #expect(mapView.hits(at: CGPoint(x: 200, y: 200)).map(\.part) == [.icon])
        #expect(mapView.hits(at: CGPoint(x: 200, y: 218)).map(\.part) == [.caption])
    }

    @Test func hiddenAndCollidedOnesAreObjectsAndNotVisible() throws {
        try mapView.put("hidden", 100, 100) { $0.isHidden = true }
        try mapView.put("zoomed", 200, 100) { $0.minZoom = 15 }
        try mapView.put("collided", 300, 100)
        try mapView.put("winner", 305, 105) {
            $0.isHideCollidedMarkers = true
            $0.zIndex = 1
        }
        try mapView.put("clear", 100, 200) { $0.alpha = 0 }
        for (name, x, y) in [("hidden", 100.0, 100.0), ("zoomed", 200, 100)] {
            #expect(mapView.all(x, y) == [name] && mapView.visible(x, y).isEmpty)
        }
        #expect(mapView.all(300, 100) == ["winner", "collided"] && mapView.visible(300, 100) == ["winner"])
        #expect(mapView.visible(100, 200) == ["clear"])
    }

    @Test func hiddenOnesAreFoundAmongMarkersWithoutCaptions() throws {
        try mapView.put("hidden", 100, 100) { $0.isHidden = true }
        try mapView.put("shown", 105, 105)
        #expect(mapView.all(102, 102) == ["shown", "hidden"] && mapView.visible(102, 102) == ["shown"])
    }

    @Test func theTopmostComesFirstWhateverTheBearing() throws {
        try mapView.put("a", 200, 195)
        try mapView.put("b", 200, 205)
        #expect(mapView.visible(200, 200) == ["b", "a"])
        mapView.camera.bearing = 180
        #expect(mapView.visible(200, 200) == ["a", "b"])
    }

    @Test func linesAreAsWideAsTheyAreDrawn() throws {
        let line = Polyline(points: try places([(50, 200), (350, 200)]))
        (line.id, line.width) = ("line", 12)
        mapView.add(line)
        #expect(mapView.visible(200, 205) == ["line"] && mapView.visible(200, 207).isEmpty)
        #expect(mapView.visibleObjects(at: CGPoint(x: 200, y: 207)).count == 1)
        line.isHidden = true
        #expect(mapView.visible(200, 205).isEmpty && mapView.all(200, 205) == ["line"])
    }

    @Test func holesAreNoPartOfAPolygon() throws {
        let polygon = Polygon()
        polygon.rings = [
            try places([(100, 100), (300, 100), (300, 300), (100, 300)]), try places([(150, 150), (250, 150), (250, 250), (150, 250)]),
        ]
        polygon.id = "ring"
        mapView.add(polygon)
        #expect(mapView.visible(120, 200) == ["ring"] && mapView.visible(200, 200).isEmpty && mapView.visible(320, 200).isEmpty)
        // A transparent area is one.
        polygon.fillColor = .clear
        polygon.outlineWidth = 2
        #expect(mapView.visible(120, 200) == ["ring"] && mapView.visible(200, 200).isEmpty)
    }

    @Test func trianglesOfModelsAreHit() throws {
        let model = LocalModel(mesh: FloatMesh(vertices: [[-100, -100, 0], [100, -100, 0], [0, 100, 0]], triangles: [[0, 1, 2]]))
        (model.coordinates, model.id) = (mapView.camera.center, "model")
        mapView.add(model)
        #expect(mapView.visible(200, 202) == ["model"] && mapView.visible(180, 180).isEmpty)
        #expect(mapView.hits(at: CGPoint(x: 200, y: 202)).map(\.part) == [.model])
    }

    @Test func hiddenModelsAreObjectsAndNotVisible() throws {
        let mesh = FloatMesh(vertices: [[-100, -100, 0], [100, -100, 0], [0, 100, 0]], triangles: [[0, 1, 2]])
        let model = LocalModel(mesh: mesh)
        (model.coordinates, model.id) = (mapView.camera.center, "model")
        mapView.add(model)
        let over = LocalModel(mesh: mesh)
        (over.coordinates, over.id) = (mapView.camera.center, "over")
        over.altitude = 20
        mapView.add(over)
        #expect(mapView.all(200, 202) == ["over", "model"])
        over.isHidden = true
        #expect(mapView.visible(200, 202) == ["model"] && mapView.all(200, 202) == ["over", "model"])
        #expect(mapView.hits(at: CGPoint(x: 200, y: 202), HitOptions(includesInvisible: true)).map(\.isVisible) == [false, true])
        over.isHidden = false
        over.minZoom = 15
        #expect(mapView.visible(200, 202) == ["model"] && mapView.all(200, 202) == ["over", "model"])
        #expect(mapView.all(180, 180).isEmpty)
        // On every copy of the world.
        let world = MapView(size: CGSize(width: 1600, height: 400))
        let large = LocalModel(mesh: mesh)
        (large.coordinates, large.id, large.isAutoscaled, large.scale) = (LatLng(lat: 0, lng: 0), "large", true, 0.2)
        large.isHidden = true
        world.add(large)
        for x in [288.0, 800, 1312] { #expect(world.all(x, 202) == ["large"] && world.visible(x, 202).isEmpty) }
    }

    @Test func theOrderIsThatOfTheDrawing() throws {
        let ring = Circle(center: mapView.camera.center, radius: 500)
        ring.id = "ring"
        mapView.add(ring)
        try mapView.put("marker", 200, 200) { $0.title = "A" }
        let under = try mapView.put("under", 200, 200) { $0.globalZIndex = -400_000 }
        #expect(mapView.visible(200, 200) == ["marker", "ring", "under"])
        mapView.symbols = [Symbol(position: mapView.camera.center, captionText: "symbol")]
        #expect(mapView.visible(200, 200) == ["marker", "symbol-0", "ring", "under"])
        let view = ViewOverlay(content: .label("view"), coordinates: mapView.camera.center)
        (view.id, view.isSelectable) = ("view", true)
        mapView.add(view)
        #expect(mapView.visible(200, 200) == ["view", "marker", "symbol-0", "ring", "under"])
        view.isSelectable = false
        #expect(mapView.visible(200, 200) == ["marker", "symbol-0", "ring", "under"])
        under.globalZIndex = 900_000
        #expect(mapView.visible(200, 200).first == "under")
    }

    @Test func nothingIsFoundBesideTheTailOfAWindow() throws {
        let marker = try mapView.put("a", 200, 200) { $0.title = "A long title of a window" }
        mapView.selectedMarker = marker
        #expect(mapView.hits(at: CGPoint(x: 200, y: 187), HitOptions(tolerance: 0)).map(\.part) == [.infoWindow])
        #expect(mapView.hits(at: CGPoint(x: 150, y: 187), HitOptions(tolerance: 0)).isEmpty)
        #expect(mapView.hits(at: CGPoint(x: 150, y: 170), HitOptions(tolerance: 0)).map(\.part) == [.infoWindow])
    }

    @Test func aChangeIsFoundAtOnce() throws {
        let marker = try mapView.put("a", 100, 100)
        #expect(mapView.visible(100, 100) == ["a"])
        marker.position = try place(300, 300)
        #expect(mapView.visible(100, 100).isEmpty && mapView.visible(300, 300) == ["a"])
        mapView.camera.center = try place(300, 300)
        #expect(mapView.visible(200, 200) == ["a"])
        marker.iconImage = OverlayImage(bitmap: Bitmap(width: 60, height: 60, fill: .red))
        _ = try Composer.of(mapView).place(mapView)
        #expect(mapView.visible(225, 225) == ["a"])
    }

    @Test func copiesOfTheWorldAreHit() throws {
        let mapView = MapView(size: CGSize(width: 1600, height: 400))
        let marker = Marker(position: LatLng(lat: 0, lng: 10))
        marker.id = "a"
        mapView.add(marker)
        let x = 800 + 10 / 360 * 512.0
        for copy in [-1.0, 0, 1] { #expect(mapView.visible(x + copy * 512, 190) == ["a"]) }
    }

    @Test func aToleranceOutOfRangeFindsNothingAndIsNamed() throws {
        try mapView.put("a", 200, 200)
        #expect(mapView.visibleObjects(at: CGPoint(x: 200, y: 200), tolerance: -1).isEmpty)
        #expect(try Composer.of(mapView).place(mapView).diagnostics.map(\.description) == ["tolerance: -1 is outside 0…100"])
    }

    /// Thousands of points, which are found by the spatial index, against all of them.
    @Test(arguments: [0.0, 55]) func theIndexFindsWhatAllPointsGive(tilt: Double) throws {
        mapView.camera.tilt = tilt
        mapView.camera.bearing = 33
        var markers: [Marker] = []
        for index in 0..<6_000 {
            let (x, y) = (Double((index * 7919) % 400), Double((index * 104_729) % 300) + 100)
            let marker = try mapView.put("\(index)", x, y) { $0.angle = Double(index % 7) * 13 }
            markers.append(marker)
        }
        var points: [CGPoint] = []
        for index in 0..<12 { points.append(CGPoint(x: Double(index * 31 % 400 + 3), y: Double(index * 67 % 280 + 110))) }
        let indexed = points.map { mapView.visibleObjects(at: $0) }
        // An altitude makes the index useless, and everything is visited.
        try mapView.put("raised", 5, 395) { $0.altitude = 1e-6 }
        #expect(points.map { mapView.visibleObjects(at: $0) } == indexed && indexed.contains { $0.count > 20 })
    }
}
