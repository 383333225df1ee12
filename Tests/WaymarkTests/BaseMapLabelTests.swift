import Foundation
import Testing
import Waymark
import WaymarkFrame
import WaymarkTestSupport
import WaymarkTiles

/// The labels of a base map of vector tiles.
@Suite struct BaseMapLabelTests {
    private typealias Value = HandmadeValue

    /// Tiles of zoom 10 with random places, waters and points of interest. Each tile also has those in a buffer around it.
    private static func tiles(seed: UInt64, perTile: Int = 60) -> HandmadeTiles {
        var random = SplitMix64(seed: seed)
        let (columns, rows) = (512..<518, 510..<515)
        var places: [(x: Int, y: Int, layer: String, attributes: KeyValuePairs<String, [UInt8]>)] = []
        for number in 0..<columns.count * rows.count * perTile {
            let (x, y) = (
                random.integer(columns.lowerBound * 4096...columns.upperBound * 4096 - 1),
                random.integer(rows.lowerBound * 4096...rows.upperBound * 4096 - 1)
            )
            let name = Value.text(["Oulu", "Vaasa", "Kuopio Market", "Tornio", "Lahti"][random.integer(0...4)] + " \(number % 40)")
            let rank = Value.integer(Int64(random.integer(1...12)))
            switch random.integer(0...5) {
            case 0: places.append((x, y, "place", ["class": Value.text("city"), "name": name, "rank": rank]))
            case 1, 2: places.append((x, y, "place", ["class": Value.text("town"), "name": name, "rank": rank]))
            case 3: places.append((x, y, "water_name", ["class": Value.text("lake"), "name": name]))
            default: places.append((x, y, "park", ["class": Value.text("national_park"), "name": name, "rank": rank]))
            }
        }
        var tiles: [TileAddress: HandmadeTile] = [:]
        for column in columns {
            for row in rows {
                var layers = ["place", "water_name", "park"].map { HandmadeLayer($0) }
                for place in places {
                    let (x, y) = (place.x - column * 4096, place.y - row * 4096)
                    guard -300...4396 ~= x, -300...4396 ~= y else { continue }
                    let index = layers.firstIndex { $0.name == place.layer } ?? 0
                    layers[index].add(.points([(x, y)]), place.attributes)
                }
                var tile = HandmadeTile()
                tile.layers = layers
                tiles[TileAddress(zoom: 10, x: column, y: row)] = tile
            }
        }
        return HandmadeTiles(tiles, layers: ["place", "water_name", "park", "transportation"])
    }

    /// One tile of zoom 10 southeast of latitude 0 and longitude 0.
    private static func tile(_ layers: HandmadeLayer...) -> HandmadeTiles {
        var tile = HandmadeTile()
        tile.layers = layers
        return HandmadeTiles([TileAddress(zoom: 10, x: 512, y: 512): tile], layers: ["place", "poi", "transportation"])
    }

    private static func layer(_ name: String, _ points: [(Int, Int, KeyValuePairs<String, [UInt8]>)]) -> HandmadeLayer {
        var layer = HandmadeLayer(name)
        for (x, y, attributes) in points { layer.add(.points([(x, y)]), attributes) }
        return layer
    }

    private func map(
        _ source: HandmadeTiles, _ width: Double = 400, _ height: Double = 300, zoom: Double = 10, bearing: Double = 0, tilt: Double = 0,
        pixelRatio: Double = 1
    ) -> MapView {
        let center = LatLng(lat: WebMercator.latitude(fromY: 512.5 / 1024), lng: WebMercator.longitude(fromX: 512.5 / 1024))
        let map = MapView(
            width, height, pixelRatio: pixelRatio, Camera(center: center, zoom: zoom, bearing: bearing, tilt: tilt))
        map.baseMap = [BaseMapLayer(source: source)]
        map.showsAttribution = false
        return map
    }

    private func shown(_ map: MapView) throws -> [Inspection.SymbolEntry] {
        try map.inspection(listsBaseMapSymbols: true).symbols.filter(\.isVisible)
    }

    private func overlaps(_ a: Inspection.Rect, _ b: Inspection.Rect) -> Bool {
        min(a.x + a.width, b.x + b.width) - max(a.x, b.x) > 0.02 && min(a.y + a.height, b.y + b.height) - max(a.y, b.y) > 0.02
    }

    /// A label of a place in the buffers of several tiles appears once, and no label overlaps another.
    @Test(arguments: [(10.0, 0.0, 0.0, 1.0), (10.4, 33, 0, 2), (10.9, 0, 60, 1), (11.6, 200, 45, 1.5)])
    func labelsAppearOnce(zoom: Double, bearing: Double, tilt: Double, pixelRatio: Double) throws {
        let map = map(Self.tiles(seed: 3), 900, 700, zoom: zoom, bearing: bearing, tilt: tilt, pixelRatio: pixelRatio)
        let all = try map.inspection(listsBaseMapSymbols: true).symbols
        #expect(Set(all.map(\.id)).count == all.count)
        let anchors = Set(all.map { "\($0.anchor?.x ?? 0) \($0.anchor?.y ?? 0) \($0.role ?? "")" })
        #expect(anchors.count == all.count)
        let shown = all.filter(\.isVisible)
        #expect(shown.count > 15 && shown.count < all.count)
        // The box of a point of interest has free corners beside its icon, so only its icon is compared.
        let rects = try shown.map { entry in
            guard entry.role == "poiLabel" else { return try #require(entry.rect) }
            let anchor = try #require(entry.anchor)
            return Inspection.Rect(x: anchor.x - 9, y: anchor.y - 9, width: 18, height: 18)
        }
        for (index, rect) in rects.enumerated() {
            for other in rects[..<index] { #expect(!overlaps(rect, other), "\(shown[index].id)") }
        }
        // What hides a label is in the picture's surroundings and is drawn itself.
        let ids = Set(shown.map(\.id))
        #expect(all.filter { !$0.isVisible }.allSatisfy { $0.hiddenBy.map { ids.contains($0) || $0.hasPrefix("basemap-0/") } ?? false })
    }

    /// A picture that is cut from a larger one has the same labels at the same places more than 512 pt inside.
    @Test(arguments: [10.0, 10.7]) func cutsHaveTheSameLabels(zoom: Double) throws {
        let source = Self.tiles(seed: 8)
        let whole = map(source, 2600, 2400, zoom: zoom)
        let cut = map(source, 1900, 1800, zoom: zoom)
        // Whole device pixels between the two.
        cut.camera.center = try #require(whole.geoCoordinates(from: CGPoint(x: 1300 + 260, y: 1200 - 170)))
        let offset = try #require(whole.point(from: cut.camera.center))
        let (dx, dy) = (offset.x - 950, offset.y - 900)
        func inside(_ map: MapView, _ dx: Double, _ dy: Double) throws -> [String] {
            try shown(map).compactMap { entry in
                guard let rect = entry.rect else { return nil }
                let (x, y) = ((rect.x - dx).rounded(), (rect.y - dy).rounded())
                guard x > 512, y > 512, x + rect.width < 1900 - 512, y + rect.height < 1800 - 512 else { return nil }
                return "\(entry.id) \(Int(x)) \(Int(y)) \(Int(rect.width)) \(Int(rect.height))"
            }.sorted()
        }
        let expected = try inside(whole, dx, dy)
        #expect(expected.count > 8)
        #expect(try inside(cut, 0, 0) == expected)
    }

    /// The same place has the same labels whatever was drawn before, and in whatever order tiles are stored.
    @Test func labelsDoNotDependOnHistory() throws {
        let source = Self.tiles(seed: 5)
        let used = map(source, 700, 500)
        for (index, zoom) in [10.9, 8, 10.3, 10].enumerated() {
            used.camera.zoom = zoom
            used.baseMap[0].theme = index % 2 == 0 ? .dark : .light
            _ = try used.inspection()
        }
        #expect(try shown(used) == shown(map(source, 700, 500)))
    }

    /// Labels of the base map keep off elements only if captions do, and then the others stay where they are.
    @Test func labelsAvoidElements() throws {
        let map = map(Self.tiles(seed: 3), 700, 500, zoom: 10.4)
        let without = try shown(map)
        var title = TitleElement("A title over labels", subtitle: "with a second line")
        (title.textSize, title.place) = (40, .left)
        var arrow = NorthArrowElement()
        arrow.size = 120
        map.elements = [.title(title), .northArrow(arrow)]
        func covered(_ labels: [Inspection.SymbolEntry]) throws -> Int {
            let boxes = try map.inspection().elements.map { try #require($0.rect) }
            return labels.count { label in label.rect.map { rect in boxes.contains { overlaps($0, rect) } } ?? false }
        }
        let beneath = try shown(map)
        #expect(beneath == without)
        #expect(try covered(beneath.filter { $0.role != "poiLabel" }) >= 3)
        map.captionsAvoidElements = true
        let beside = try shown(map)
        // Elements may cover icons.
        #expect(try covered(beside.filter { $0.role != "poiLabel" }) == 0)
        #expect(beside.count > 8)
    }

    /// A marker hides labels only if it is set to do so; symbols of the map come before labels.
    @Test func markersAndSymbolsHideLabels() throws {
        let source = Self.tile(
            Self.layer("place", [(2048, 2048, ["class": Value.text("city"), "name": Value.text("Center"), "rank": Value.integer(1)])]))
        let map = map(source)
        let marker = Marker(position: map.camera.center)
        marker.id = "pin"
        map.add(marker)
        #expect(try shown(map).map(\.role) == ["cityLabel"])
        marker.isHideCollidedSymbols = true
        let hidden = try map.inspection(listsBaseMapSymbols: true).symbols
        #expect(hidden.map(\.isVisible) == [false] && hidden[0].hiddenBy == "pin")
        map.remove(marker)
        var symbol = Symbol(position: map.camera.center, captionText: "Symbol", rank: 1000)
        symbol.id = "own"
        map.symbols = [symbol]
        let both = try map.inspection(listsBaseMapSymbols: true).symbols
        #expect(both.map(\.isVisible) == [true, false] && both[1].hiddenBy == "own")
        // Without the request, only the map's own symbols are listed.
        #expect(try map.inspection().symbols.map(\.id) == ["own"])
    }

    private static func cafe(_ x: Int, _ y: Int) -> (Int, Int, KeyValuePairs<String, [UInt8]>) {
        (
            x, y,
            [
                "class": Value.text("cafe"), "subclass": Value.text("cafe"), "name": Value.text("Kahvila"), "name:en": Value.text("Coffee"),
                "rank": Value.integer(3), "indoor": Value.boolean(true),
            ]
        )
    }

    @Test func labelsArePicked() throws {
        let source = Self.tile(
            Self.layer("poi", [Self.cafe(2048, 2048)]),
            Self.layer("place", [(2060, 2048, ["class": Value.text("suburb"), "name": Value.text("Kallio")])]))
        let map = map(source, zoom: 16.4)
        let entries = try shown(map)
        #expect(entries.map(\.role).sorted { ($0 ?? "") < ($1 ?? "") } == ["poiLabel", "suburbLabel"])
        let rect = try #require(entries.first { $0.role == "poiLabel" }?.rect)
        let point = CGPoint(x: rect.x + rect.width / 2, y: rect.y + rect.height - 3)
        let found = try #require(map.hits(at: point).first?.object as? PointOfInterest)
        #expect(found.placeName == "Kahvila" && found.category == "cafe" && found.id == "basemap-0/10/512/512/poi/0")
        #expect(found.fields["indoor"] == "true" && found.fields["name:en"] == "Coffee" && found.fields["rank"] == "3")
        #expect(abs(found.position.lat - map.camera.center.lat) < 1e-4 && abs(found.position.lng - map.camera.center.lng) < 1e-4)
        // The same object, until the base map changes.
        #expect(map.hits(at: point).first?.object === found)
        map.baseMap[0].languages = ["en"]
        #expect((map.hits(at: point).first?.object as? PointOfInterest)?.placeName == "Coffee")
        map.baseMap[0].pois = false
        #expect(map.hits(at: point).isEmpty)
    }

    @Test func switches() throws {
        let source = Self.tile(
            Self.layer("poi", [Self.cafe(2040, 2048)]),
            Self.layer("place", [(2056, 2048, ["class": Value.text("suburb"), "name": Value.text("Kallio")])]))
        let map = map(source, zoom: 16.4)
        func roles() throws -> Set<String> { Set(try shown(map).compactMap(\.role)) }
        #expect(try roles() == ["poiLabel", "suburbLabel"])
        map.baseMap[0].pois = false
        #expect(try roles() == ["suburbLabel"])
        (map.baseMap[0].pois, map.baseMap[0].labels) = (true, false)
        #expect(try roles() == ["poiLabel"])
        map.baseMap[0].pois = false
        #expect(try roles().isEmpty)
        map.baseMap[0].languages = ["a b"]
        #expect(try map.inspection().diagnostics.contains { $0.path == "basemap.languages" })
    }

    /// The lines of a name beside its icon begin, or end, 3 pt from the icon.
    @Test(arguments: [(1.0, true), (2, true), (1, false), (2, false)]) func namesBesideIconsAreFlush(pixelRatio: Double, isRight: Bool)
        throws
    {
        PinnedRasterizer.pin
        let source = Self.tile(
            Self.layer("poi", [(2048, 2048, ["class": Value.text("cafe"), "name": Value.text("Iso Hammmmmmmmmmmmm")])]))
        let map = map(source, zoom: 16.4, pixelRatio: pixelRatio)
        let center = try #require(map.point(from: map.camera.center))
        for (x, y) in [(0.0, 40.0), (0, -40)] + (isRight ? [] : [(36, 0)]) {
            let marker = Marker(position: try #require(map.geoCoordinates(from: CGPoint(x: center.x + x, y: center.y + y))))
            (marker.anchor, marker.isHideCollidedSymbols) = (.center, true)
            map.add(marker)
        }
        func picture() throws -> Bitmap { try Renderer(device: .software).render(map).bitmap }
        let drawn = try picture()
        #expect(try shown(map).count == 1)
        map.baseMap[0].pois = false
        let bare = try picture()
        // The letters of each line: what differs much from the map, beyond the icon and its surroundings.
        func reach(_ rows: Range<Int>) -> Double? {
            let columns = (0..<drawn.width).filter { column in
                let offset = (Double(column) + 0.5) / pixelRatio - center.x
                guard isRight ? offset > 11 : offset < -11 else { return false }
                return rows.contains { Int(bare[column, $0].green) - Int(drawn[column, $0].green) > 100 }
            }
            let edge = isRight ? columns.min() : columns.max().map { $0 + 1 }
            return edge.map { abs(Double($0) / pixelRatio - center.x) - PointOfInterestDisc.radius }
        }
        let middle = Int(center.y * pixelRatio)
        let (upper, lower) = (reach(middle - Int(13 * pixelRatio)..<middle - 1), reach(middle + 1..<middle + Int(13 * pixelRatio)))
        let (first, second) = (try #require(upper), try #require(lower))
        // Letters have a little space of their own.
        #expect(abs(first - second) <= 1.5 && (3...5.5).contains(first) && (3...5.5).contains(second), "\(first) \(second)")
    }

    private enum PointOfInterestDisc {
        static let radius = 10.0
    }

    /// What has a transparent color is not drawn, nor its halo, nor the icon of a point of interest.
    @Test func transparentNames() throws {
        let source = Self.tile(
            Self.layer("poi", [Self.cafe(2040, 2048)]),
            Self.layer("place", [(2056, 2048, ["class": Value.text("suburb"), "name": Value.text("Kallio")])]))
        let map = map(source, zoom: 16.4)
        func poi() throws -> Inspection.SymbolEntry { try #require(try shown(map).first { $0.role == "poiLabel" }) }
        let named = try #require(try poi().rect)
        map.baseMap[0].roleColors = [.suburbLabel: Color.red.withAlpha(0)]
        #expect(try shown(map).map(\.role) == ["poiLabel"] && poi().rect == named)
        map.baseMap[0].roleColors = [.poiLabel: Color.red.withAlpha(0)]
        #expect(try shown(map).map(\.role) == ["suburbLabel"])
    }

    /// Labels far away on a tilted map are those of a lower zoom.
    @Test func farLabelsAreThinnedOut() throws {
        let map = map(Self.tiles(seed: 11, perTile: 120), 900, 700, zoom: 10.6, tilt: 65)
        let shown = try shown(map)
        func count(_ range: Range<Double>) -> Int { shown.count { range.contains($0.anchor?.y ?? -1) } }
        #expect(count(350..<700) > 5)
        let roles = Set(shown.filter { ($0.anchor?.y ?? 0) < 120 }.compactMap(\.role))
        #expect(!roles.contains("poiLabel"))
    }
}
