import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// `Container.isOrderedAsOne`: a container that takes a single place in the drawing order.
@Suite struct OrderedAsOneTests {
    private let mapView = MapView(400, 400, Camera(zoom: 2))

    private func circle(_ id: String) -> Circle {
        let circle = Circle(center: LatLng(lat: 0, lng: 0), radius: 1_000_000)
        circle.id = id
        return circle
    }

    private func model(_ id: String) -> LocalModel {
        LocalModel(id: id) {
            $0.coordinates = LatLng(lat: 0, lng: 0)
            $0.isAutoscaled = true
        }
    }

    private func block(_ id: String, _ children: [Overlay]) -> Container {
        let container = Container(children)
        (container.id, container.isOrderedAsOne) = (id, true)
        return container
    }

    @Test func oneMixedGroupLiesOverAnother() throws {
        let lower = block("lower", [Marker("lower marker"), model("lower model"), circle("lower circle")])
        let upper = block("upper", [Marker("upper marker"), model("upper model"), circle("upper circle")])
        mapView.add([lower, upper])
        let order = ["lower circle", "lower model", "lower marker", "upper circle", "upper model", "upper marker"]
        #expect(try mapView.drawn() == order)
        // The same containers without it: each kind has its own place.
        lower.isOrderedAsOne = false
        upper.isOrderedAsOne = false
        #expect(
            try mapView.drawn() == ["lower circle", "upper circle", "lower model", "upper model", "lower marker", "upper marker"])
        (lower.isOrderedAsOne, upper.isOrderedAsOne) = (true, true)
        #expect(try mapView.drawn() == order)
        // Each group of models has a separate depth buffer.
        #expect(try mapView.frame().meshGroups.count == 2)
        lower.zIndex = 1
        #expect(try mapView.drawn() == Array(order[3...] + order[..<3]))
        upper.globalZIndex = 1
        #expect(try mapView.drawn() == order)
        lower.mapLayerType = .foreground
        upper.mapLayerType = .poi
        #expect(try mapView.drawn() == Array(order[3...] + order[..<3]))
    }

    /// What docs/scene.md says next to `zIndex`, and both ways around it.
    @Test func zIndexNeverRaisesAShapeOverAMarker() throws {
        let (marker, circle) = (Marker("marker"), circle("circle"))
        circle.zIndex = 1000
        mapView.add([marker, circle])
        #expect(try mapView.drawn() == ["circle", "marker"])
        circle.globalZIndex = Marker.defaultGlobalZIndex + 1
        #expect(try mapView.drawn() == ["marker", "circle"])
        circle.globalZIndex = Circle.defaultGlobalZIndex
        for overlay in [marker, circle] { mapView.remove(overlay) }
        let (lower, upper) = (block("lower", [marker]), block("upper", [circle]))
        (lower.zIndex, upper.zIndex) = (1, 2)
        mapView.add([upper, lower])
        #expect(try mapView.drawn() == ["marker", "circle"])
        upper.zIndex = 0
        #expect(try mapView.drawn() == ["circle", "marker"])
    }

    @Test func amongEqualKeysABlockIsAboveModelsAndBelowPoints() throws {
        for kind in [Marker("point"), circle("shape"), model("model"), block("block", [Marker("inside")])] as [Overlay] {
            kind.globalZIndex = 5
            mapView.add(kind)
        }
        #expect(try mapView.drawn() == ["shape", "model", "inside", "point"])
    }

    @Test func blocksOfEqualKeysAreOrderedByInsertion() throws {
        // Farther down the ground does not lift a block.
        let first = block("first", [Marker("a", lat: -20)])
        let second = block("second", [Marker("b", lat: 20)])
        mapView.add([first, second])
        #expect(try mapView.drawn() == ["a", "b"])
        mapView.remove(first)
        mapView.add(first)
        #expect(try mapView.drawn() == ["b", "a"])
    }

    @Test func aBlockInABlockIsOneInIt() throws {
        let inner = block("inner", [Marker("c", zIndex: 9), circle("d")])
        inner.globalZIndex = 200_000
        let outer = block("outer", [Marker("a", zIndex: 1), inner, Marker("b", zIndex: -1)])
        mapView.add([outer, Marker("outside")])
        #expect(try mapView.drawn() == ["b", "d", "c", "a", "outside"])
        outer.globalZIndex = 200_001
        #expect(try mapView.drawn() == ["outside", "b", "d", "c", "a"])
        inner.zIndex = 2
        #expect(try mapView.drawn() == ["outside", "b", "a", "d", "c"])
        inner.isOrderedAsOne = false
        #expect(try mapView.drawn() == ["outside", "d", "b", "a", "c"])
        outer.isOrderedAsOne = false
        #expect(try mapView.drawn() == ["d", "b", "outside", "a", "c"])
    }

    @Test func theLayerOfABlockDoesNotLimitWhatIsInIt() throws {
        let group = block("group", [circle("front"), Marker("road")])
        group.children[1].mapLayerType = .road
        group.mapLayerType = .area
        let area = Marker("area")
        area.mapLayerType = .area
        mapView.add([group, area])
        #expect(try mapView.drawn() == ["road", "front", "area"])
    }

    @Test func symbolsLieBetweenBlocks() throws {
        let below = block("below", [Marker("deep"), Marker("deeper", zIndex: -1)])
        below.globalZIndex = -1
        mapView.add([below, block("above", [circle("disc")])])
        var symbol = Symbol(position: LatLng(lat: 0, lng: 0))
        symbol.captionText = "Symbol"
        mapView.symbols = [symbol]
        #expect(try mapView.drawn() == ["deeper", "deep", "disc"])
        let frame = try mapView.frame()
        // The two icons, the symbol, then the disc.
        let ends = frame.commands.map { command -> String in
            switch command {
            case .sprites(let range, _): "sprites \(range.count)"
            case .paths(let range): "paths \(range.count)"
            default: "other"
            }
        }
        #expect(ends == ["sprites 3", "paths 1"])
        below.globalZIndex = 1
        #expect(try mapView.frame().commands.count == 3)
    }

    /// The rank of collisions is the chain of the enclosing blocks' keys: a low marker in a high block comes before a high marker outside
    /// of it.
    @Test func collisionsFollowTheBlocks() throws {
        let map = MapView(city: 200, 200)
        func hiding(_ marker: Marker) { marker.isHideCollidedMarkers = true }
        let group = block("group", [])
        map.add(group)
        try map.put("inside", 100, 100, in: group) {
            hiding($0)
            $0.globalZIndex = -1
        }
        try map.put("outside", 105, 105, hiding)
        #expect(try map.fates() == ["inside": "icon<outside collided", "outside": "icon"])
        group.globalZIndex = 200_001
        #expect(try map.fates() == ["inside": "icon", "outside": "icon<inside collided"])
        group.isOrderedAsOne = false
        #expect(try map.fates() == ["inside": "icon<outside collided", "outside": "icon"])
    }

    @Test func aGlobalZIndexWithoutEffectIsReported() throws {
        let group = block("group", [Marker("a")])
        group.globalZIndex = 5
        mapView.add(group)
        #expect(try mapView.placement().diagnostics.isEmpty)
        group.isOrderedAsOne = false
        #expect(
            try mapView.placement().diagnostics
                == [Diagnostic(path: "globalZIndex", id: "group", message: "globalZIndex has no effect, because isOrderedAsOne is false")])
        mapView.remove(group)
        #expect(try mapView.placement().diagnostics.isEmpty)
    }

    @Test func nestingMayBeAsDeepAsMemoryAllows() throws {
        var inner = block("innermost", [Marker("deepest")])
        for level in 0..<20_000 { inner = block("\(level)", [inner] + (level.isMultiple(of: 5000) ? [Marker("m\(level)")] : [])) }
        mapView.add(inner)
        #expect(try mapView.drawn() == ["deepest", "m0", "m5000", "m10000", "m15000"])
        inner.zIndex = 3
        #expect(try mapView.drawn().count == 5)
    }

    /// A block that moves back and forth leaves no keys behind.
    @Test func onlyWhatIsInABlockIsReadWhenItMoves() throws {
        let group = block("group", (0..<20).map { Marker("\($0)") })
        mapView.add(group)
        mapView.add((0..<200).map { Marker("peer \($0)") })
        _ = try mapView.placement()
        let composer = Composer.of(mapView)
        for step in 1...300 {
            let before = composer.statistics.refreshedOverlays
            group.zIndex = step
            #expect(try mapView.drawn().first == "0")
            #expect(composer.statistics.refreshedOverlays - before == 21)
        }
    }

    // MARK: Random scenes

    /// Sets of ids from bottom to top, as specified: each set is one overlay, or a group of models.
    private func expected(_ overlays: [Overlay], _ store: OverlayStore) -> [Set<String>] {
        struct Key: Equatable {
            var band: MapLayerType, globalZIndex: Int, path: [Int], content: Int
        }
        struct Item {
            var key: Key, u: Double, insertion: UInt32, sets: [Set<String>]
        }
        var items: [Item] = []
        func walk(_ overlays: [Overlay], _ path: [Int], _ band: MapLayerType) {
            for overlay in overlays {
                let (path, band) = (path + [overlay.zIndex], min(band, overlay.mapLayerType))
                var (content, u, sets) = (0, 0.0, [Set([overlay.id!])])
                switch overlay {
                case let marker as Marker: (content, u) = (3, marker.position!.lat)
                case is Model: content = 1
                case let container as Container where container.isOrderedAsOne:
                    (content, sets) = (2, expected(container.children, store))
                case let container as Container:
                    walk(container.children, path, band)
                    continue
                default: break
                }
                var trimmed = path
                while trimmed.last == 0 { trimmed.removeLast() }
                let key = Key(band: band, globalZIndex: overlay.globalZIndex, path: trimmed, content: content)
                if content == 1, let group = items.firstIndex(where: { $0.key == key }) {
                    items[group].sets[0].insert(overlay.id!)
                } else {
                    items.append(Item(key: key, u: u, insertion: store.insertions[Int(overlay.slot)], sets: sets))
                }
            }
        }
        walk(overlays, [], .foreground)
        func isBelow(_ a: Item, _ b: Item) -> Bool {
            if a.key.band != b.key.band { return a.key.band < b.key.band }
            if a.key.globalZIndex != b.key.globalZIndex { return a.key.globalZIndex < b.key.globalZIndex }
            for level in 0..<max(a.key.path.count, b.key.path.count) {
                let x = level < a.key.path.count ? a.key.path[level] : 0
                let y = level < b.key.path.count ? b.key.path[level] : 0
                if x != y { return x < y }
            }
            if a.key.content != b.key.content { return a.key.content < b.key.content }
            if a.u != b.u { return a.u > b.u }
            return a.insertion < b.insertion
        }
        // Selection of the lowest of the rest, which needs no transitivity.
        var result: [Set<String>] = []
        while let first = items.indices.min(by: { isBelow(items[$0], items[$1]) }) { result += items.remove(at: first).sets }
        return result.filter { !$0.isEmpty }
    }

    @Test(arguments: Seeds.all) func anyForestOfAllKinds(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        mapView.camera.zoom = 0.5
        var containers: [Container] = []
        for number in 0..<10 {
            let container = block("c\(number)", [])
            container.isOrderedAsOne = random.once(in: 2)
            if container.isOrderedAsOne, random.once(in: 2) { container.globalZIndex = random.one(of: [-200_000, 100_000, 200_000]) }
            if let outer = containers.last, random.once(in: 2) { outer.add(container) } else { mapView.add(container) }
            containers.append(container)
        }
        var all: [Overlay] = containers
        for number in 0..<60 {
            let lat = Double(random.integer(-2...2)) * 10
            let overlay: Overlay
            switch random.integer(0...2) {
            case 0: overlay = Marker("m\(number)", lat: lat)
            case 1: overlay = circle("s\(number)")
            default: overlay = model("g\(number)")
            }
            if random.once(in: 3) { overlay.globalZIndex = random.one(of: [-200_000, 0, 100_000, 200_000]) }
            if random.once(in: 4) { random.one(of: containers).add(overlay) } else { mapView.add(overlay) }
            if random.once(in: 2) { random.one(of: containers).add(overlay) }
            all.append(overlay)
        }
        for _ in 0..<6 {
            for overlay in all where random.once(in: 6) {
                switch random.integer(0...3) {
                case 0, 1: overlay.zIndex = random.integer(-1...1)
                case 2: overlay.mapLayerType = random.one(of: [.foreground, .foreground, .poi, .area])
                default: (overlay as? Container)?.isOrderedAsOne.toggle()
                }
            }
            let entries = try mapView.inspection().overlays.filter { $0.order != nil }
            let drawn = Dictionary(grouping: entries, by: { $0.order! }).sorted { $0.key < $1.key }
            #expect(drawn.map(\.key) == Array(0..<drawn.count))
            let top = mapView.overlays.filter { $0.parent == nil }
            #expect(drawn.map { Set($0.value.map(\.id)) } == expected(top, mapView.store), "seed \(seed)")
        }
    }
}
