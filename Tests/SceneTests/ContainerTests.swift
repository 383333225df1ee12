import Glibc
import Testing
import WaymarkGeo
import WaymarkScene
import WaymarkTestSupport

@Suite struct ContainerTests {
    private let mapView = MapView(size: .init(width: 10, height: 10))

    private func container(_ id: String, _ children: [Overlay] = []) -> Container {
        let container = Container(children)
        container.id = id
        return container
    }

    private var words: [String] { mapView.reports.map(\.description) }

    @Test func childrenAreOnTheMapOfTheirContainer() {
        let (a, b) = (Marker("a"), Marker("b"))
        let inner = container("inner", [b])
        let outer = container("outer", [a, inner])
        #expect(outer.children == [a, inner] && outer.count == 2 && b.parent === inner && inner.parent === outer && outer.parent == nil)
        #expect(a.mapView == nil && outer.type == .container && outer.zIndex == 0)
        mapView.add(outer)
        #expect([a, b, inner, outer].allSatisfy { $0.mapView === mapView })
        #expect(mapView.overlays == [outer] && mapView.store.count == 4)
        let c = Marker("c")
        #expect(inner.add(c) && c.mapView === mapView)
        inner.remove(c)
        #expect(c.mapView == nil && c.parent == nil && inner.children == [b])
        outer.mapView = nil
        #expect([a, b, inner, outer].allSatisfy { $0.mapView == nil } && mapView.store.count == 0)
        #expect(outer.children == [a, inner])
    }

    @Test func whatIsOnAMapByItselfMovesIn() {
        let (a, b) = (Marker("a"), Marker("b"))
        mapView.add([a, b])
        let group = container("group")
        #expect(group.add(a) && a.mapView == nil)
        mapView.add(group)
        #expect(mapView.overlays == [b, group])
        #expect(group.add(b) && b.mapView === mapView && mapView.overlays == [group])
        // Onto another map with its container.
        let other = MapView(size: .init(width: 10, height: 10))
        group.mapView = other
        #expect(a.mapView === other && mapView.overlays.isEmpty && mapView.store.count == 0)
        let inner = container("inner", [Marker("c")])
        mapView.add(inner)
        #expect(group.add(inner) && inner.children[0].mapView === other && mapView.store.count == 0)
    }

    @Test func aSecondParentIsRefused() {
        let a = Marker("a")
        let (first, second) = (container("first", [a]), container("second"))
        mapView.add(second)
        #expect(first.add(a) && first.children == [a])
        #expect(!second.add(a))
        #expect(
            words == [
                #"a: not added to the container "second", because the overlay is in the container "first"; remove it from there first"#
            ])
        #expect(a.parent === first && second.children.isEmpty)
        first.remove(a)
        #expect(second.add(a) && a.parent === second && words.count == 1)
    }

    @Test func cyclesAreRefused() {
        let inner = container("inner")
        let middle = container("middle", [inner])
        let outer = container("outer", [middle])
        mapView.add(outer)
        #expect(!inner.add(inner) && !inner.add(outer) && !middle.add(outer))
        #expect(
            words == [
                #"inner: not added to the container "inner", because the overlay is in the container "middle"; remove it from there first"#,
                #"outer: not added to the container "inner", because that container is inside it"#,
                #"outer: not added to the container "middle", because that container is inside it"#,
            ])
        #expect(outer.mapView === mapView && mapView.overlays == [outer])
        let alone = Container()
        #expect(!alone.add(alone))
        _ = mapView.takeReports()
        // The map to which it is added reports the refusal.
        mapView.add(alone)
        #expect(words == ["container: not added to a container, because a container cannot contain itself"])
    }

    @Test func whatHasNoPlaceIsRefused() {
        let group = container("group")
        mapView.add(group)
        #expect(!group.add([Marker(), Circle(), Marker("a")]))
        #expect(group.children.map(\.id) == ["a"])
        #expect(
            words == [
                #"marker: position: not added to the container "group", because the overlay has no position"#,
                #"circle: center: not added to the container "group", because the overlay has no center"#,
            ])
    }

    @Test func aChildGoesWhereItsContainerGoes() {
        let a = Marker("a")
        let group = container("group", [a])
        mapView.add(a)
        #expect(mapView.overlays.isEmpty && a.mapView == nil)
        #expect(words == [#"a: not added to the map, because the overlay is in the container "group"; remove it from there first"#])
        mapView.add(group)
        a.mapView = mapView
        #expect(words.count == 1)
        a.mapView = nil
        #expect(a.parent == nil && group.children.isEmpty && group.mapView === mapView)
        mapView.add(a)
        #expect(mapView.overlays == [group, a])
    }

    @Test func removingKeepsTheOrderOfTheRest() {
        let markers = (0..<100).map { Marker("\($0)") }
        let group = container("group", markers)
        mapView.add(group)
        for index in stride(from: 0, to: 100, by: 3) { group.remove(markers[index]) }
        for index in 70..<100 { group.remove(markers[index]) }
        let left = (0..<70).filter { $0 % 3 != 0 }.map { markers[$0] }
        #expect(group.children == left && group.count == left.count)
        group.add(markers[0])
        #expect(group.children == left + [markers[0]])
        group.remove(Marker("stranger"))
        mapView.removeAll()
        #expect(group.count == left.count + 1 && markers.allSatisfy { $0.mapView == nil })
        group.removeAll()
        #expect(group.children.isEmpty && markers.allSatisfy { $0.parent == nil })
    }

    @Test func overlaysOutliveTheirContainer() {
        let a = Marker("a")
        var group: Container? = container("group", [a])
        #expect(a.parent === group)
        group = nil
        #expect(a.parent == nil)
        mapView.add(a)
        #expect(mapView.overlays == [a] && words.isEmpty)
    }

    @Test func containersOutliveTheirMap() {
        let a = Marker("a")
        let group = container("group", [a])
        var map: MapView? = MapView(size: .init(width: 10, height: 10))
        map?.add(group)
        map = nil
        #expect(group.mapView == nil && a.mapView == nil && group.children == [a])
        mapView.add(group)
        #expect(a.mapView === mapView)
    }

    @Test func nestingHasNoBottom() {
        let bottom = Marker("bottom")
        let first = container("0", [bottom])
        var outer = first
        for level in 1...50_000 { outer = container("\(level)", [outer]) }
        mapView.add(outer)
        #expect(bottom.mapView === mapView && mapView.store.count == 50_002)
        #expect(!first.add(outer))
        mapView.remove(outer)
        #expect(bottom.mapView == nil)
        // Freeing them must not recurse as deeply: up to one that is still held, and all of them.
        outer = Container()
        #expect(first.parent == nil && bottom.parent === first)
        for _ in 1...50_000 { outer = Container([outer]) }
    }

    @Test func aMarkerTakes128Bytes() throws {
        let marker = Marker()
        // The size of a block from malloc is a multiple of 16, plus 8.
        let symbol = try #require(dlsym(nil, "malloc_usable_size"))
        let usableSize = unsafeBitCast(symbol, to: (@convention(c) (UnsafeMutableRawPointer?) -> Int).self)
        #expect(usableSize(Unmanaged.passUnretained(marker).toOpaque()) <= 120)
    }
}
