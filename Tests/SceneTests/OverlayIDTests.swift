import Foundation
import Testing
import WaymarkGeo
import WaymarkScene
import WaymarkTestSupport

/// Ids are unique on a map: an overlay with the id of another one is refused, or invalid as long as both have it.
@Suite struct OverlayIDTests {
    private let mapView = MapView(size: CGSize(width: 10, height: 10))

    private var words: [String] { mapView.reports.map { "\($0)" } }

    @Test func twoOverlaysOfOneIDAreRefused() {
        let (first, second) = (Marker("a"), Marker("a"))
        #expect(mapView.add(first) && !mapView.add(second))
        #expect(mapView.overlays == [first] && second.mapView == nil)
        #expect(words == ["a: id: not added to the map, because another overlay has this id"])
        #expect(mapView.add(first) && mapView.add([Marker("b"), Marker(nil), Marker(nil)]) && !mapView.add([Marker("b"), Marker("c")]))
        mapView.remove(first)
        #expect(mapView.add(second) && mapView.overlays.count == 5)
    }

    @Test func overlaysAreFoundByID() {
        let (hall, inside) = (Marker("hall"), Marker("inside"))
        mapView.add([hall, Container([inside]), Marker(nil)])
        #expect(mapView.overlay(withID: "hall") === hall && mapView.overlay(withID: "inside") === inside)
        #expect(mapView.overlay(withID: "gone") == nil)
        hall.id = "gone"
        #expect(mapView.overlay(withID: "hall") == nil && mapView.overlay(withID: "gone") === hall)
        mapView.remove(hall)
        #expect(mapView.overlay(withID: "gone") == nil)
    }

    @Test func idsInContainersCountToo() {
        let group = Container([Marker("a"), Container([Marker("b")])])
        #expect(mapView.add(Marker("b")) && !mapView.add(group) && mapView.overlays.count == 1)
        #expect(!mapView.add(Container([Marker("c"), Marker("c")])))
        #expect(
            words == [
                #"container: id: not added to the map, because it contains an overlay with the id "b", which another overlay already has"#,
                #"container: id: not added to the map, because it contains an overlay with the id "c", which another overlay already has"#,
            ])
        let other = Container()
        #expect(mapView.add(other) && !other.add(Marker("b")) && other.add(Marker("d")) && !mapView.add(Marker("d")))
        #expect(words[2] == "b: id: not added to a container, because another overlay has this id")
        // An overlay on the map may move into a container.
        let first = mapView.overlays[0]
        #expect(other.add(first) && first.parent === other && other.children.count == 2)
    }

    @Test func anOverlayOfAnotherMapStaysThereWhenItIsRefused() {
        let other = MapView(size: CGSize(width: 10, height: 10))
        let moved = Marker("a")
        #expect(other.add(moved) && mapView.add(Marker("a")))
        moved.mapView = mapView
        #expect(moved.mapView === other && other.overlays == [moved] && words.count == 1)
    }

    @Test func anIDChangedIntoOneInUseIsInvalid() {
        let overlays = ["a", "b", "c"].map { Marker($0) }
        mapView.add(overlays)
        overlays[1].id = "a"
        overlays[2].id = "a"
        func problems() -> [String?] { overlays.map { $0.firstProblem()?.description } }
        #expect(problems() == [nil, #"id: "a" is the id of another overlay"#, #"id: "a" is the id of another overlay"#])
        // The overlay that has waited longest gets the id next; until then it can take a free id.
        overlays[0].id = "z"
        #expect(problems().map { $0 == nil } == [true, true, false])
        overlays[1].id = nil
        #expect(problems().allSatisfy { $0 == nil } && mapView.store.overlay(withID: "a") === overlays[2])
        overlays[0].id = "a"
        #expect(problems().map { $0 == nil } == [false, true, true])
        mapView.remove(overlays[2])
        #expect(problems().allSatisfy { $0 == nil } && mapView.store.overlay(withID: "a") === overlays[0])
        #expect(mapView.store.overlay(withID: "b") == nil)
    }

    @Test func aMadeUpIDStepsAside() {
        let (first, second) = (Marker(nil), Marker(nil))
        first.setMadeUpID("marker-0")
        second.setMadeUpID("marker-0~2")
        mapView.adopt(first)
        mapView.adopt(second)
        let given = Marker("marker-0")
        #expect(mapView.add(given) && given.id == "marker-0" && first.id == "marker-0~3" && second.id == "marker-0~2")
        #expect([first, second, given].allSatisfy { $0.firstProblem() == nil } && words.isEmpty)
        first.id = "marker-0"
        #expect(first.firstProblem() != nil && given.firstProblem() == nil)
    }

    @Test func nilTakesAChildOutOfAContainerThatIsOnNoMap() {
        let child = Marker("a")
        let group = Container([child])
        child.mapView = nil
        #expect(group.children.isEmpty && child.parent == nil && mapView.add(child))
    }

    @Test func idsAreSoughtOnlyWhenThereAreSome() {
        mapView.add((0..<10).map { _ in Marker(nil) })
        #expect(!mapView.store.hasIDIndex && mapView.add(Marker("a")) && mapView.store.hasIDIndex)
    }
}
