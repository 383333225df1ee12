import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// A placement made before an edit of the map continues to describe, fit and draw the map in its earlier state.
@Suite struct PlacementValueTests {
    private let mapView = MapView(size: CGSize(width: 300, height: 200))
    private let marker = Marker(position: LatLng(lat: 37.5, lng: 127))
    private let circle = Circle(center: LatLng(lat: 37.51, lng: 127.01), radius: 800)
    private let line = Polyline(points: [LatLng(lat: 37.49, lng: 126.98), LatLng(lat: 37.52, lng: 127.02)])
    private let model: LocalModel
    private let container = Container()

    init() {
        let mesh = FloatMesh()
        mesh.vertices = [[-200, -200, 0], [200, -200, 0], [0, 200, 300]]
        mesh.triangles = [[0, 1, 2]]
        model = LocalModel(mesh: mesh, coordinates: LatLng(lat: 37.5, lng: 126.99))
        mapView.camera = Camera(center: LatLng(lat: 37.5, lng: 127), zoom: 12, tilt: 30)
        marker.captionText = "서울"
        marker.isHideCollidedSymbols = true
        marker.id = "seoul"
        container.add(line)
        mapView.symbols = [Symbol(position: LatLng(lat: 37.505, lng: 127.005), captionText: "town")]
        mapView.add([marker, circle, container, model])
    }

    private var edits: [(name: String, body: () -> Void)] {
        [
            ("rename", { marker.id = "other" }),
            ("say", { marker.captionText = "another text" }),
            ("turn", { marker.angle = 45 }),
            ("grow", { circle.radius = 3 }),
            ("bend", { line.points = [LatLng(lat: 0, lng: 0), LatLng(lat: 1, lng: 1)] }),
            ("lift", { container.altitude = 500 }),
            ("hide", { container.isHidden = true }),
            ("move", { marker.position = LatLng(lat: 10, lng: 10) }),
            ("mesh", { model.mesh.vertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0]] }),
            ("symbols", { mapView.symbols = [] }),
            ("camera", { mapView.camera.zoom = 3 }),
            ("remove", { mapView.removeAll() }),
        ]
    }

    @Test func describesTheMapBeforeEachEdit() throws {
        for edit in edits {
            let placement = try Composer.of(mapView).place(mapView)
            let (inspection, frame) = (placement.inspection(), placement.frame)
            edit.body()
            let after = try Composer.of(mapView).place(mapView)
            #expect(placement.inspection() == inspection, "\(edit.name)")
            #expect(placement.frame == frame, "\(edit.name)")
            #expect(after.inspection() != inspection || after.frame != frame, "\(edit.name)")
        }
    }

    /// So does an extent.
    @Test func fitsWhatWasVisibleBeforeAnEdit() throws {
        let viewport = try mapView.viewport()
        let extent = try #require(try mapView.extent())
        func box() -> ScreenBox? { extent.box(in: viewport, centerX: extent.centerX) }
        let before = try #require(box())
        mapView.removeAll()
        #expect(try mapView.extent() == nil)
        #expect(box() == before)
    }

    @Test func crossesToAnotherThread() async throws {
        let placement = try Composer.of(mapView).place(mapView)
        let inspection = placement.inspection()
        let detached = await Task.detached { placement.inspection() }.value
        #expect(detached == inspection)
    }
}
