import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkInteraction
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Cameras fitted to a part of the overlays.
@Suite struct FitSubjectTests {
    private let mapView = MapView(size: CGSize(width: 400, height: 300))
    private let near = Marker(position: LatLng(1, 2))
    private let middle = Marker(position: LatLng(3, 4))
    private let far = Marker(position: LatLng(50, 60))

    init() {
        for (marker, id) in [(near, "near"), (middle, "middle"), (far, "far")] {
            marker.id = id
            mapView.add(marker)
        }
    }

    private func alone(_ markers: [Marker], _ options: FitOptions = FitOptions()) throws -> Camera {
        let map = MapView(size: mapView.size)
        for marker in markers.map({ $0.copy() }) {
            marker.isFitted = true
            map.add(marker)
        }
        return try map.camera(fitting: options)
    }

    @Test(arguments: [0.0, 50]) func idsAndOverlaysChooseTheSameCamera(tilt: Double) throws {
        let expected = try alone([near, middle], FitOptions(tilt: tilt))
        #expect(try mapView.camera(fitting: FitOptions(.ids(["middle", "near"]), tilt: tilt)) == expected)
        #expect(try mapView.camera(fitting: [near, middle], options: FitOptions(tilt: tilt)) == expected)
        #expect(try mapView.camera(fitting: FitOptions(tilt: tilt)) != expected)
    }

    @Test func idsNameViewOverlaysToo() throws {
        let view = ViewOverlay(content: .drawing(Square(side: 60)), coordinates: LatLng(lat: 20, lng: 30))
        (view.id, view.isFitted) = ("view", false)
        mapView.add(view)
        let without = try mapView.camera(fitting: FitOptions(.ids(["near"])))
        let camera = try mapView.camera(fitting: FitOptions(.ids(["view", "near"])))
        #expect(camera.zoom < without.zoom)
        mapView.camera = camera
        // All of its content is within the padding.
        let point = try #require(mapView.point(from: view.coordinates))
        #expect(point.x + 30 <= 400 - 32 + 1 && point.y - 30 >= 32 - 1)
        // Alone, it is in the middle, at the highest zoom.
        let alone = try mapView.camera(fitting: FitOptions(.ids(["view"])))
        #expect(abs(alone.center.lat - 20) < 1e-6 && abs(alone.center.lng - 30) < 1e-6 && alone.zoom == 17)
        #expect(throws: PropertyError.self) { try mapView.camera(fitting: FitOptions(.ids(["view", "absent"]))) }
    }

    @Test func whatIsNotFittedIsLeftOut() throws {
        far.isFitted = false
        #expect(try mapView.camera() == alone([near, middle]))
        // Asked for by name, it counts.
        #expect(try mapView.camera(fitting: [far]) == alone([far]))
        far.isFitted = true
        #expect(try mapView.camera() == alone([near, middle, far]))
    }

    @Test func aContainerDecidesForItsContents() throws {
        mapView.removeAll()
        let inner = Container([middle])
        let outer = Container([near, inner])
        outer.id = "outer"
        mapView.add([outer, far])
        outer.isFitted = false
        #expect(try mapView.camera() == alone([far]))
        outer.isFitted = true
        inner.isFitted = false
        #expect(try mapView.camera() == alone([near, far]))
        #expect(try mapView.camera(fitting: FitOptions(.ids(["outer"]))) == alone([near]))
        #expect(try mapView.camera(fitting: [outer, inner]) == alone([near, middle]))
    }

    @Test func shapesAndModelsAreChosenToo() throws {
        let line = Polyline(points: [LatLng(10, 10), LatLng(11, 12)])
        let tower = LocalModel(
            mesh: FloatMesh(vertices: [[0, 0, 0], [900_000, 0, 0], [0, 900_000, 0]], triangles: [[0, 1, 2]]))
        tower.coordinates = LatLng(-20, -30)
        mapView.add([line, tower])
        for overlay in [line, tower] as [Overlay] {
            let camera = try mapView.camera(fitting: [overlay])
            let map = MapView(size: mapView.size)
            map.add(overlay)
            #expect(try camera == map.camera())
            mapView.add(overlay)
        }
        (line.isFitted, tower.isFitted) = (false, false)
        #expect(try mapView.camera() == alone([near, middle, far]))
    }

    @Test func boundsFillTheFreeRectangle() throws {
        let bounds = try #require(LatLngBounds(south: -10, west: 170, north: 10, east: -160))
        mapView.camera = try mapView.camera(fitting: bounds, options: FitOptions(padding: 20))
        let corners = try [(10.0, 170.0), (-10, -160)].map { try #require(mapView.point(from: LatLng($0.0, $0.1))) }
        #expect(abs(corners[0].x - 20) < 0.01 && abs(corners[1].x - 380) < 0.01)
        #expect(abs(corners[0].y + corners[1].y - 300) < 0.01 && corners[0].y > 20)
        // The poles are the map's edges.
        let world = try #require(LatLngBounds(south: -90, west: -180, north: 90, east: 180))
        #expect(try mapView.camera(fitting: world, options: FitOptions(padding: 0)).zoom == 0)
    }

    @Test(arguments: [(-180.0, 180.0, 0.0), (-175, 175, 0), (-178, 178, 0), (-176, 176, 0), (0, 360, 180), (10, 5, -172.5), (10, 10, 10)])
    func wideBoundsAreAsWideAsTheySay(west: Double, east: Double, middle: Double) throws {
        let mapView = MapView(size: CGSize(width: 1200, height: 600))
        let bounds = try #require(LatLngBounds(south: -30, west: west, north: 30, east: east))
        let camera = try mapView.camera(fitting: bounds, options: FitOptions(padding: 0))
        let off = camera.center.lng - middle
        #expect(abs(off - 360 * (off / 360).rounded()) < 1e-6)
        // In width, or, where they are narrow, in height.
        let wide = bounds.width / 360 * 512 * exp2(camera.zoom)
        #expect(west == east ? wide == 0 : abs(wide - 1200) < 0.01, "\(wide)")
    }

    @Test func pointsFillTheFreeRectangle() throws {
        let points = [LatLng(40, -100), LatLng(42, -90)]
        mapView.camera = try mapView.camera(fitting: FitOptions(.points(points), padding: 50))
        let screen = try points.map { try #require(mapView.point(from: $0)) }
        #expect(abs(screen[0].x - 50) < 0.01 && abs(screen[1].x - 350) < 0.01)
        let center = try mapView.camera(fitting: FitOptions(.points([LatLng(5, 6)]))).center
        #expect(abs(center.lat - 5) < 1e-9 && abs(center.lng - 6) < 1e-9)
    }

    @Test func wrongSubjectsAreRefused() throws {
        func problem(_ body: () throws -> Camera) -> String {
            do {
                _ = try body()
                return "accepted"
            } catch {
                return "\(error)"
            }
        }
        let stranger = Marker(position: LatLng(0, 0))
        stranger.id = "stranger"
        #expect(
            problem { try mapView.camera(fitting: FitOptions(.ids(["near", "gone"]))) } == "camera.fit[1]: no overlay has the id \"gone\"")
        let layer = ClusterLayer([Marker(position: LatLng(lat: 0, lng: 0))])
        layer.markers[0].id = "lone"
        mapView.add(layer)
        #expect(
            problem { try mapView.camera(fitting: FitOptions(.ids(["lone"]))) }
                == "camera.fit[0]: no overlay has the id \"lone\"; a marker of a cluster layer cannot be fitted by itself")
        #expect(problem { try mapView.camera(fitting: [near, stranger]) } == "camera.fit[1]: the marker \"stranger\" is not on this map")
        #expect(
            problem { try mapView.camera(fitting: FitOptions(.points([LatLng(86, 0)]))) }
                == "camera.fit.points[0].lat: 86 is outside -85.051129…85.051129")
        #expect(problem { try mapView.camera(fitting: FitOptions(.points([LatLng(0, .nan)]))) }.contains("not finite"))
    }

    @Test func nothingChosenIsTheWholeWorldWithAWarning() throws {
        near.isHidden = true
        for options in [FitOptions(.ids([])), FitOptions(.points([])), FitOptions(.ids(["near"]))] {
            #expect(try mapView.camera(fitting: options).zoom == 0)
            #expect(try Composer.of(mapView).place(mapView).diagnostics.map(\.path) == ["camera.fit"])
        }
    }

    @Test func whatIsFittedMayChange() throws {
        far.isFitted = false
        let camera = try mapView.camera()
        far.isFitted = true
        middle.isFitted = false
        #expect(try mapView.camera() != camera)
    }
}

/// A square of one color.
private struct Square: ContentDrawing {
    let side: Double

    var width: Double { side }
    var height: Double { side }

    func bitmap(pixelRatio: Double) throws -> Bitmap {
        Bitmap(width: Int(side * pixelRatio), height: Int(side * pixelRatio), fill: .red)
    }
}
