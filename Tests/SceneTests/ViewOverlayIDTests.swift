import Foundation
import Testing
import WaymarkGeo
import WaymarkScene
import WaymarkTestSupport

/// Ids are unique among overlays and view overlays together.
@Suite struct ViewOverlayIDTests {
    private let mapView = MapView(size: CGSize(width: 10, height: 10))

    private func view(_ id: String?) -> ViewOverlay {
        let view = ViewOverlay(content: .label("a"), coordinates: LatLng(lat: 0, lng: 0))
        view.id = id
        return view
    }

    @Test func overlaysWithTheIDOfAViewOverlayAreRefused() {
        #expect(mapView.add(view("a")) && !mapView.add(Marker("a")))
        #expect(!mapView.add(Container([Marker("a")])) && mapView.overlays.isEmpty)
        let layer = ClusterLayer()
        #expect(mapView.add(layer) && !layer.add(Marker("a")) && layer.count == 0)
        #expect(mapView.add(Marker("b")) && !mapView.add(view("b")) && mapView.viewOverlays.count == 1)
        mapView.remove(mapView.viewOverlays[0])
        #expect(mapView.add(Marker("a")))
    }

    @Test func aViewOverlayWhoseIDBecomesOneInUseIsInvalidAsLongAsItIs() {
        let (other, first, second) = (Marker("a"), view("b"), view(nil))
        #expect(mapView.add(other) && mapView.add(first) && mapView.add(second))
        second.id = "a"
        #expect(second.firstProblem()?.description == "id: \"a\" is the id of another overlay" && other.firstProblem() == nil)
        second.id = "b"
        #expect(second.firstProblem() != nil && first.firstProblem() == nil)
        let revision = mapView.windows.revision
        mapView.remove(first)
        #expect(second.firstProblem() == nil && mapView.windows.revision > revision)
        second.id = "a"
        #expect(second.firstProblem() != nil)
        mapView.remove(other)
        #expect(second.firstProblem() == nil)
    }

    @Test func anOverlayWhoseIDBecomesThatOfAViewOverlayIsInvalid() {
        let (marker, view) = (Marker("a"), view("b"))
        #expect(mapView.add(marker) && mapView.add(view))
        marker.id = "b"
        #expect(marker.firstProblem() != nil && view.firstProblem() == nil)
        view.id = "c"
        #expect(marker.firstProblem() == nil && mapView.overlay(withID: "b") === marker && mapView.viewOverlay(withID: "c") === view)
    }

    @Test func madeUpIDsStepAside() {
        let view = view(nil)
        view.setMadeUpID("v")
        #expect(mapView.add(view) && mapView.add(Marker("v")))
        #expect(view.id == "v~2" && mapView.viewOverlay(withID: "v~2") === view)
    }
}
