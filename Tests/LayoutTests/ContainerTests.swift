import Foundation
import Testing
import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

@Suite struct ContainerTests {
    private let mapView = MapView(300, 200, Camera(zoom: 2))

    private func container(_ id: String?, z: Int = 0, _ children: [Overlay] = []) -> Container {
        let container = Container(children)
        container.id = id
        container.zIndex = z
        return container
    }

    private func entry(_ id: String) throws -> Inspection.OverlayEntry {
        try #require(mapView.inspection().overlays.first { $0.id == id })
    }

    private func reasons() throws -> [String: Reason?] {
        Dictionary(uniqueKeysWithValues: try mapView.inspection().overlays.map { ($0.id, $0.reason) })
    }

    // MARK: Order

    @Test func theContainersZIndexComesFirst() throws {
        mapView.add(container("high", z: 2, [Marker("a", zIndex: -5), Marker("b", zIndex: 5)]))
        mapView.add(container("low", z: 1, [Marker("c", zIndex: 100)]))
        mapView.add([Marker("d", zIndex: 1), Marker("e", zIndex: 2), Marker("f", zIndex: 3)])
        // Children with z index 0 are ordered among the container's siblings; lower ones are beneath these, higher ones above.
        #expect(try mapView.drawn() == ["d", "c", "a", "e", "b", "f"])
    }

    @Test func peersOfEqualZInterleave() throws {
        mapView.camera.zoom = 0.3
        mapView.add(Marker("north", lat: 40))
        mapView.add(container("group", [Marker("a", lat: 30), Marker("b", lat: -30)]))
        mapView.add(Marker("middle"))
        mapView.add(container("nest", [container("inner", [Marker("c", lat: -10)])]))
        mapView.add(Marker("south", lat: -40))
        #expect(try mapView.drawn() == ["north", "a", "middle", "c", "b", "south"])
    }

    @Test func theOuterContainerComesBeforeTheInner() throws {
        let inner = container("inner", z: 9, [Marker("a")])
        let outer = container("outer", z: -1, [inner, Marker("b", zIndex: 10)])
        mapView.add(outer)
        mapView.add(Marker("c"))
        #expect(try mapView.drawn() == ["a", "b", "c"])
        inner.zIndex = 11
        #expect(try mapView.drawn() == ["b", "a", "c"])
        outer.zIndex = 1
        #expect(try mapView.drawn() == ["c", "b", "a"])
        outer.remove(inner)
        inner.zIndex = 0
        mapView.add(inner)
        #expect(try mapView.drawn() == ["c", "a", "b"])
    }

    @Test func childrenKeepTheirGlobalZIndex() throws {
        let low = Marker("low", zIndex: 50)
        low.globalZIndex = 0
        let group = container("group", z: 50, [low, Marker("high")])
        group.globalZIndex = 1_000_000
        mapView.add(group)
        mapView.add(Marker("peer"))
        #expect(try mapView.drawn() == ["low", "peer", "high"])
    }

    @Test func childrenAreNotInAHigherBandThanTheirContainer() throws {
        let area = Marker("area")
        area.mapLayerType = .area
        let group = container("group", z: 9, [area, Marker("front")])
        mapView.add(group)
        mapView.add(Marker("peer"))
        #expect(try mapView.drawn() == ["area", "peer", "front"])
        group.mapLayerType = .poi
        #expect(try mapView.drawn() == ["area", "front", "peer"])
        group.mapLayerType = .background
        #expect(try mapView.drawn() == ["area", "front", "peer"])
    }

    // MARK: Visibility

    @Test func hiddenContainersHideEverythingInThem() throws {
        let inner = container("inner", [Marker("a")])
        let outer = container("outer", [inner, Marker("b")])
        mapView.add(outer)
        #expect(try reasons() == ["outer": nil, "inner": nil, "a": nil, "b": nil])
        inner.isHidden = true
        #expect(try reasons() == ["outer": nil, "inner": .hidden, "a": .hidden, "b": nil])
        outer.isVisible = false
        inner.isVisible = true
        #expect(try reasons() == ["outer": .hidden, "inner": .hidden, "a": .hidden, "b": .hidden])
        // Nothing is drawn while the container is hidden.
        let frame = try mapView.frame()
        #expect(frame.sprites.isEmpty)
        outer.isVisible = true
        #expect(try mapView.drawn() == ["a", "b"])
    }

    @Test func zoomRangesHoldForEverythingInside() throws {
        let (a, b) = (Marker("a"), Marker("b"))
        let inner = container("inner", [a])
        mapView.add(container("outer", [inner, b]))
        inner.minZoom = 1
        inner.parent?.maxZoom = 6
        a.minZoom = 0.5
        a.maxZoom = 3
        inner.setVisibility(false, atZoom: 2)
        var seen: [Double: [String]] = [:]
        for zoom in [0.25, 0.75, 1.5, 2.5, 3, 3.5, 7] {
            mapView.camera.zoom = zoom
            seen[zoom] = try mapView.drawn()
        }
        #expect(seen == [0.25: ["b"], 0.75: ["b"], 1.5: ["a", "b"], 2.5: ["b"], 3: ["a", "b"], 3.5: ["b"], 7: []])
        #expect(try reasons() == ["outer": .outOfZoom, "inner": .outOfZoom, "a": .outOfZoom, "b": .outOfZoom])
        mapView.camera.zoom = 2.5
        #expect(try reasons() == ["outer": nil, "inner": .outOfZoom, "a": .outOfZoom, "b": nil])
        inner.hiddenZooms = []
        #expect(try mapView.drawn() == ["a", "b"])
    }

    @Test func invalidContainersExcludeTheirContents() throws {
        let group = container("group", [Marker("a")])
        mapView.add(group)
        group.minZoom = 95
        let inspection = try mapView.inspection()
        #expect(inspection.overlays.map(\.reason) == [.invalid, .invalid])
        #expect(inspection.diagnostics.words == ["warning: group: minZoom: 95 is outside 0…24"])
        group.minZoom = 0
        group.altitude = .nan
        #expect(try mapView.inspection().diagnostics.words == ["warning: group: altitude: nan is outside -1000000…1000000000"])
        group.altitude = 0
        #expect(try mapView.drawn() == ["a"] && mapView.inspection().diagnostics.isEmpty)
    }

    @Test func altitudesAddUp() throws {
        mapView.camera.tilt = 50
        let (alone, inside) = (Marker("alone"), Marker("inside"))
        alone.altitude = 900_000
        inside.altitude = 300_000
        inside.position?.altitude = 100_000
        let inner = container("inner", [inside])
        let outer = container("outer", [inner])
        mapView.add(alone)
        mapView.add(outer)
        inner.altitude = 200_000
        outer.altitude = 300_000
        #expect(try entry("inside").icon?.quad == entry("alone").icon?.quad)
        outer.altitude = -700_000
        #expect(try entry("inside").reason == .underground)
    }

    // MARK: Names

    @Test func namesContainTheIndexInTheContainer() throws {
        mapView.add(Marker(position: LatLng(lat: 0, lng: 0)))
        let wrong = Marker(position: LatLng(lat: 0, lng: 0))
        wrong.alpha = 2
        let inner = Container([Marker(position: LatLng(lat: 0, lng: 0)), wrong])
        mapView.add(Container([Marker("own"), inner, container("named", [Marker(position: LatLng(lat: 0, lng: 0)), Container()])]))
        let inspection = try mapView.inspection()
        #expect(
            inspection.overlays.map(\.id) == [
                "marker-0", "container-1", "own", "container-1/container-1", "container-1/container-1/marker-0",
                "container-1/container-1/marker-1", "named", "named/marker-0", "named/container-1",
            ])
        #expect(inspection.diagnostics.words == ["warning: container-1/container-1/marker-1: alpha: 2 is outside 0…1"])
        let members = inspection.overlays.map(\.members)
        #expect(members[0] == nil && members[1] == ["own", "container-1/container-1", "named"] && members[8] == [])
        #expect(inspection.overlays[1].isVisible && inspection.overlays[1].order == nil && inspection.overlays[1].icon == nil)
        #expect(inspection.overlays[8].reason == .empty)
    }

    // MARK: Recomputation

    @Test func aChangeOfAContainerReadsOnlyWhatIsInIt() throws {
        let inner = container("inner", (0..<10).map { Marker("i\($0)") })
        let outer = container("outer", [inner] + (0..<10).map { Marker("o\($0)") })
        mapView.add(outer)
        for index in 0..<50 { mapView.add(Marker("\(index)")) }
        func work(_ change: () -> Void) throws -> Int {
            let composer = Composer.of(mapView)
            let before = composer.statistics.refreshedOverlays
            change()
            _ = try mapView.placement()
            return composer.statistics.refreshedOverlays - before
        }
        #expect(try work {} == 72)
        #expect(try work {} == 0)
        #expect(try work { inner.zIndex = 3 } == 11)
        #expect(try work { outer.isHidden = true } == 22)
        // The children are hidden already.
        #expect(try work { inner.isHidden = true } == 1)
        // The inner container is still hidden.
        #expect(try work { outer.isHidden = false } == 12)
        #expect(try work { inner.isHidden = false } == 11)
        #expect(try work { inner.id = "renamed" } == 1)
        #expect(try work { outer.globalZIndex = 7 } == 1)
        #expect(try work { outer.altitude = 5 } == 22)
        #expect(try work { inner.children[0].isHidden = true } == 1)
    }

    @Test func tenThousandLevels() throws {
        let bottom = Marker("bottom")
        var outer = container("0", z: 1, [bottom])
        for level in 1..<10_000 { outer = container("\(level)", [outer]) }
        mapView.add(outer)
        mapView.add(Marker("peer", lat: -10))
        #expect(try mapView.drawn() == ["peer", "bottom"])
        outer.isHidden = true
        #expect(try mapView.drawn() == ["peer"])
        outer.isHidden = false
        outer.zIndex = -1
        #expect(try mapView.drawn() == ["bottom", "peer"])
        mapView.remove(outer)
        #expect(try mapView.drawn() == ["peer"])
    }

    // MARK: Random forests

    /// The ids of the visible markers in the specified drawing order, computed by a recursive walk.
    private func expected(_ mapView: MapView) -> [String] {
        struct Key {
            var ids: [String], band: MapLayerType, globalZIndex: Int, path: [Int], isBlock: Bool, lat: Double, number: Int
        }
        func ordered(_ overlays: [Overlay], _ isShown: Bool) -> [String] {
            var keys: [Key] = []
            func walk(_ overlays: [Overlay], _ path: [Int], _ band: MapLayerType, _ isShown: Bool) {
                for overlay in overlays {
                    let path = path + [overlay.zIndex]
                    let band = min(band, overlay.mapLayerType)
                    let isShown = isShown && overlay.isVisible(atZoom: mapView.camera.zoom) && overlay.firstProblem() == nil
                    let order = Int(mapView.store.insertions[Int(overlay.slot)])
                    func add(_ ids: [String], lat: Double?) {
                        keys.append(
                            Key(
                                ids: ids, band: band, globalZIndex: overlay.globalZIndex, path: path, isBlock: lat == nil, lat: lat ?? 0,
                                number: order))
                    }
                    if let container = overlay as? Container {
                        if container.isOrderedAsOne {
                            add(ordered(container.children, isShown), lat: nil)
                        } else {
                            walk(container.children, path, band, isShown)
                        }
                    }
                    if let marker = overlay as? Marker, let position = marker.position, isShown { add([marker.id!], lat: position.lat) }
                }
            }
            walk(overlays, [], .foreground, isShown)
            return keys.sorted { a, b in
                if a.band != b.band { return a.band < b.band }
                if a.globalZIndex != b.globalZIndex { return a.globalZIndex < b.globalZIndex }
                for level in 0..<max(a.path.count, b.path.count) {
                    let (a, b) = (level < a.path.count ? a.path[level] : 0, level < b.path.count ? b.path[level] : 0)
                    if a != b { return a < b }
                }
                if a.isBlock != b.isBlock { return a.isBlock }
                return a.lat != b.lat ? a.lat > b.lat : a.number < b.number
            }.flatMap(\.ids)
        }
        return ordered(mapView.overlays, true)
    }

    @Test(arguments: Seeds.all) func anyForestAfterAnyChange(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let mapView = MapView(400, 400, Camera(zoom: 1))
        let containers = (0..<8).map { container("c\($0)") }
        let markers = (0..<30).map { Marker("m\($0)", lat: Double(random.integer(-3...3)) * 10) }
        let all: [Overlay] = containers + markers
        mapView.add(all.filter { _ in random.once(in: 2) })
        for _ in 0..<25 {
            for _ in 0..<random.integer(1...8) {
                let overlay = random.one(of: all)
                switch random.integer(0...12) {
                case 9: random.one(of: containers).isOrderedAsOne.toggle()
                case 10: overlay.globalZIndex = random.one(of: [200_000, 200_000, 0, 7])
                case 11: random.one(of: containers).zIndex = random.integer(-1...1)
                case 0: mapView.add(overlay)
                case 1: mapView.remove(overlay)
                case 2...4: random.one(of: containers).add(overlay)
                case 5: overlay.parent?.remove(overlay)
                case 6: overlay.zIndex = random.integer(-1...1)
                case 7: overlay.isHidden = random.once(in: 4)
                case 8: overlay.minZoom = random.one(of: [0, 0, 1, 2, 30])
                default: overlay.mapLayerType = random.one(of: [.foreground, .foreground, .poi, .area])
                }
            }
            mapView.camera.zoom = random.one(of: [0.5, 1, 1.5])
            if random.once(in: 3) { random.one(of: containers).altitude = random.number(0...1000) }
            let drawn = try mapView.drawn()
            #expect(drawn == expected(mapView))
            let afresh = mapView.afresh()
            #expect(try mapView.frame().description == afresh.frame().description)
            #expect(Set(try mapView.inspection().overlays.map(\.id)).count == mapView.store.count)
        }
    }
}
