import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// A drawing is asked for its pixels while the map is laid out. If it changes the map, that picture still shows the unchanged map, and the next
/// one shows the change.
@Suite struct CustomDrawingTests {
    private final class Edit: @unchecked Sendable {
        var body: () -> Void = {}
    }

    private struct EditingDrawing: ContentDrawing {
        let edit: Edit
        var width: Double { 10 }
        var height: Double { 10 }

        static func == (a: Self, b: Self) -> Bool { a.edit === b.edit }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(edit)) }

        func bitmap(pixelRatio: Double) -> Bitmap {
            edit.body()
            return Bitmap(width: 10, height: 10, fill: .red)
        }
    }

    private let mapView = MapView(200, 200)
    private let edit = Edit()

    @Test func theNextPictureShowsTheChange() throws {
        let marker = Marker(position: LatLng(0, 0))
        marker.id = "drawn"
        marker.iconImage = OverlayImage(content: .drawing(EditingDrawing(edit: edit)))
        let circle = Circle(center: LatLng(0, 0), radius: 1e6)
        circle.id = "circle"
        let layer = ClusterLayer([Marker(position: LatLng(10, 10))])
        layer.id = "layer"
        mapView.add([marker, circle, layer])
        edit.body = { [mapView] in
            mapView.remove(circle)
            for index in 0..<20 { mapView.add(Marker(position: LatLng(Double(index), 20))) }
        }
        let during = try mapView.inspection()
        #expect(during.overlays.map(\.id) == ["drawn", "circle", "layer", "layer/marker-0"])
        #expect(!during.overlays.contains { !$0.isVisible })
        let after = try mapView.inspection()
        #expect(after.overlays.count == 23 && !after.overlays.contains { $0.id == "circle" })
    }
}
