import Foundation
import Testing
import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Names in inspection and diagnostics: given ids, and generated ones, which get a suffix on conflicts.
@Suite struct OverlayNameTests {
    private let mapView = MapView(100, 100, Camera(zoom: 3))

    private func names() throws -> [String] { try mapView.inspection().overlays.map(\.id) }

    @Test func namesByTypeAndIndexStepAside() throws {
        mapView.add([Marker(nil), Marker("marker-0"), Marker("marker-0~2"), Marker(nil)])
        #expect(try names() == ["marker-0~3", "marker-0", "marker-0~2", "marker-3"])
        // Diagnostics use the same names.
        (mapView.overlays[0] as? Marker)?.alpha = 2
        #expect(try mapView.placement().diagnostics.map(\.id) == ["marker-0~3"])
        mapView.remove(mapView.overlays[1])
        #expect(try names() == ["marker-0", "marker-0~2", "marker-2"])
        #expect(try mapView.placement().diagnostics.map(\.id) == ["marker-0"])
    }

    @Test func whatIsInAContainerFollowsItsName() throws {
        let inner = Container([Marker(nil)])
        mapView.add(Container([inner, Marker(nil)]))
        mapView.add(Marker("container-0"))
        mapView.add(Marker("container-0~2/marker-1"))
        #expect(
            try names() == [
                "container-0~2", "container-0~2/container-0", "container-0~2/container-0/marker-0", "container-0~2/marker-1~2",
                "container-0", "container-0~2/marker-1",
            ])
    }

    @Test func idsOfTwoFilesStepAside() throws {
        for lat in [0.0, 1] {
            let group = Container([Marker(nil, lat: lat)])
            group.children[0].setMadeUpID("container-0/marker-0")
            group.setMadeUpID("container-0")
            mapView.adopt(group)
        }
        #expect(try names() == ["container-0", "container-0/marker-0", "container-0~2", "container-0~2/marker-0"])
    }

    @Test func anOverlayWithTheIDOfAnotherIsLeftOut() throws {
        let (first, second) = (Marker("a"), Marker("b", lat: 1))
        mapView.add([first, second])
        #expect(try mapView.placement().diagnostics.isEmpty)
        second.id = "a"
        let inspection = try mapView.inspection()
        #expect(inspection.overlays.map(\.reason) == [nil, .invalid] && inspection.overlays.map(\.id) == ["a", "a"])
        #expect(inspection.diagnostics.map { "\($0)" } == [#"a: id: "a" is the id of another overlay"#])
        mapView.remove(first)
        #expect(try mapView.inspection().overlays.map(\.reason) == [nil] && mapView.placement().diagnostics.isEmpty)
    }

    @Test func aContainerWithTheIDOfAnotherOverlayIsLeftOutWithItsContents() throws {
        let group = Container([Marker("child")])
        mapView.add(Marker("a"))
        mapView.add(group)
        group.id = "a"
        #expect(try mapView.inspection().overlays.map(\.isVisible) == [true, false, false])
        group.id = "g"
        #expect(try mapView.inspection().overlays.map(\.isVisible) == [true, true, true])
    }

    @Test func aRefusedOverlayIsADiagnosticOfTheNextFrameAlone() throws {
        mapView.add(Marker("a"))
        #expect(!mapView.add(Marker("a")) && !mapView.add(Marker()))
        #expect(
            try mapView.placement().diagnostics.map { "\($0)" } == [
                "a: id: not added to the map, because another overlay has this id",
                "marker: position: not added to the map, because the overlay has no position",
            ])
        #expect(try mapView.placement().diagnostics.isEmpty)
    }
}
