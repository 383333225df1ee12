import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkInteraction
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Picking and tapping map elements.
@Suite struct ElementPickingTests {
    private func map() throws -> MapView {
        let mapView = MapView(city: 200, 200)
        try mapView.put("a", 20, 20)
        var logo = ImageElement(.solid(30, 30))
        (logo.place, logo.margins) = (.topLeft, EdgeInsets())
        mapView.elements = [.scaleBar(ScaleBarElement()), .image(logo)]
        return mapView
    }

    @Test func anElementIsAboveTheOverlays() throws {
        let mapView = try map()
        let hits = mapView.hits(at: CGPoint(x: 20, y: 20))
        #expect(hits.map(\.part) == [.element, .icon] && hits.allSatisfy(\.isVisible))
        let element = try #require(hits[0].object as? ElementObject)
        #expect(
            element.type == .image && element.index == 1 && element.id == "image-1" && element.description == "ElementObject \"image-1\"")
        #expect(mapView.hits(at: CGPoint(x: 100, y: 100)).isEmpty)
        // Other elements: no old layout is used.
        mapView.elements = []
        #expect(mapView.hits(at: CGPoint(x: 20, y: 20)).map(\.part) == [.icon])
    }

    /// An inset that cannot be laid out is neither drawn nor hit, and leaves its place to the next element.
    @Test func anInvalidInsetIsNotHit() throws {
        let mapView = MapView(city: 200, 200)
        let inset = InsetElement(MapView(city: 80, 80))
        mapView.elements = [.inset(inset), .northArrow(NorthArrowElement())]
        func hit() -> String? { (mapView.hits(at: CGPoint(x: 170, y: 30)).first?.object as? ElementObject)?.id }
        #expect(hit() == "inset-0")
        inset.map.camera.zoom = 30
        #expect(hit() == "northArrow-1")
        inset.map.camera.zoom = 3
        #expect(hit() == "inset-0")
    }

    /// Credits and legends appear and vanish without a change of the elements.
    @Test func aChangeOfScalesIsNoticed() throws {
        let mapView = MapView(city: 200, 200)
        func count() -> Int { mapView.hits(at: CGPoint(x: 170, y: 170)).filter { $0.part == .element }.count }
        #expect(count() == 0)
        var scale = MapScale(
            overlay: "a", template: "marker", property: "iconTintColor", given: .colors(Scale(by: "v", steps: [1], [.red, .blue])),
            resolved: .colors(Scale(by: "v", steps: [1], [.red, .blue])))
        var element = LegendElement()
        element.legend = Legend(of: scale)
        scale.legend = element
        mapView.scales = [scale]
        #expect(count() == 1)
    }

    /// A legend without a title of its own shows the name of its scale.
    @Test func theNameOfALegendIsTheTitleThatItShows() throws {
        let mapView = MapView(city: 200, 200)
        let colors = Scale(by: "v", steps: [1], [Color.red, .blue])
        mapView.scales = [
            MapScale(overlay: "a", template: "polygon", property: "fillColor", given: .colors(colors), resolved: .colors(colors))
        ]
        func name(_ title: String?) -> String? {
            var element = LegendElement()
            element.legend.title = title
            mapView.elements = [.legend(element)]
            return (mapView.hits(at: CGPoint(x: 170, y: 170)).first?.object as? ElementObject)?.name
        }
        #expect(name(nil) == "v" && name("Values") == "Values" && name("") == "")
    }

    private final class Log: MapViewDelegate {
        var calls: [String] = []

        func mapView(_ mapView: MapView, didTap object: ViewObject) -> Bool {
            calls.append("didTap \(object)")
            return false
        }

        func mapView(_ mapView: MapView, didSelect objects: [ViewObject]) { calls.append("didSelect") }
        func mapView(_ mapView: MapView, didTapMapAt coordinate: LatLng) { calls.append("didTapMap") }
        func mapView(_ mapView: MapView, didLongPressAt coordinate: LatLng) { calls.append("didLongPress") }
    }

    @Test func anElementKeepsTapsFromEverythingBeneath() throws {
        let mapView = try map()
        let log = Log()
        mapView.delegate = log
        let marker = try #require(mapView.overlay(withID: "a") as? Marker)
        (marker.title, marker.isDraggable) = ("A", true)
        #expect(mapView.tap(at: CGPoint(x: 20, y: 20)).count == 2)
        #expect(log.calls == ["didTap ElementObject \"image-1\""] && mapView.selectedMarker == nil)
        log.calls = []
        mapView.longPress(at: CGPoint(x: 20, y: 20))
        #expect(log.calls == [] && mapView.drag(along: [CGPoint(x: 20, y: 20), CGPoint(x: 60, y: 60)]) == nil)
        mapView.tap(at: CGPoint(x: 150, y: 100))
        #expect(log.calls == ["didTapMap"])
    }

    @Test func hitMapsListElementsFirst() throws {
        let mapView = try map()
        let map = try Composer.of(mapView).place(mapView).hitMap(on: mapView)
        #expect(map.areas.map(\.part) == [.element, .element, .icon])
        #expect(map.areas[0].polygons == [[CGPoint(x: 0, y: 0), CGPoint(x: 30, y: 0), CGPoint(x: 30, y: 30), CGPoint(x: 0, y: 30)]])
    }
}
