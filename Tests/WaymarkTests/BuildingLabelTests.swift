import Foundation
import Testing
import Waymark
import WaymarkTestSupport
import WaymarkTiles

/// Labels of a base map whose buildings are extruded. The tile is one of zoom 14 in Helsinki.
@Suite(.serialized) @MainActor struct BuildingLabelTests {
    init() { PinnedRasterizer.pin }

    private static let (column, row) = (9327, 4741)
    private static let land = Color(hex: 0x0000FF)

    /// Buildings as boxes in the tile, 4096 units wide, which are 0.3 m each: x, y, width, depth and the height in meters.
    private typealias Box = (Int, Int, Int, Int, Double)

    private func tiles(_ boxes: [Box], _ change: (inout [HandmadeLayer]) -> Void) -> HandmadeTiles {
        var buildings = HandmadeLayer("building")
        for (x, y, width, depth, height) in boxes {
            buildings.add(
                .polygons([(x, y), (x + width, y), (x + width, y + depth), (x, y + depth)]), ["render_height": HandmadeValue.double(height)]
            )
        }
        var tile = HandmadeTile()
        tile.layers = [buildings]
        change(&tile.layers)
        let address = TileAddress(zoom: 14, x: Self.column, y: Self.row)
        return HandmadeTiles([address: tile], layers: ["building", "transportation", "poi", "place"])
    }

    private func layer(_ name: String, _ points: [(x: Int, y: Int)], _ kind: String) -> HandmadeLayer {
        var layer = HandmadeLayer(name)
        for (number, point) in points.enumerated() {
            layer.add(
                .points([point]), ["name": HandmadeValue.text("P\(number)"), "class": HandmadeValue.text(kind)])
        }
        return layer
    }

    private static func place(_ x: Double, _ y: Double) -> LatLng {
        let side = 4096 * exp2(14.0)
        let (worldX, worldY) = ((Double(column) * 4096 + x) / side, (Double(row) * 4096 + y) / side)
        return LatLng(lat: atan(sinh(.pi * (1 - 2 * worldY))) * 180 / .pi, lng: worldX * 360 - 180)
    }

    private func map(
        _ source: HandmadeTiles, zoom: Double = 17, bearing: Double = 0, tilt: Double = 60, size: (Double, Double) = (300, 240),
        _ change: (inout BaseMapLayer) -> Void = { _ in }
    ) -> MapView {
        let map = MapView(size.0, size.1, Camera(center: Self.place(2048, 2048), zoom: zoom, bearing: bearing, tilt: tilt))
        var layer = BaseMapLayer(source: source)
        layer.buildings = .extruded
        layer.roleColors = [.building: Color(hex: 0xFF0000), .land: Self.land]
        change(&layer)
        map.baseMap = [layer]
        map.showsAttribution = false
        return map
    }

    private func labels(_ map: MapView) throws -> [String: Inspection.SymbolEntry] {
        let entries = try map.inspection(listsBaseMapSymbols: true).symbols
        return Dictionary(uniqueKeysWithValues: entries.map { ($0.text ?? "", $0) })
    }

    /// A point of interest in a building is on its roof, by the formula of the contract; outside, or if buildings are flat, on the ground.
    @Test(arguments: [(16.6, 0.0, 60.0), (17.0, 40.0, 45.0), (17.0, 0.0, 0.0)])
    func pointsOfInterestStandOnRoofs(zoom: Double, bearing: Double, tilt: Double) throws {
        // The lower one of two buildings does not count where a higher one is.
        let boxes: [Box] = [(2000, 2000, 100, 90, 20), (2000, 2000, 60, 90, 8)]
        let points = [(x: 2040, y: 2060), (x: 2040, y: 2140)]
        let source = tiles(boxes) { $0.append(layer("poi", points, "cafe")) }
        for style in [BuildingStyle.extruded, .flat] {
            let labels = try labels(map(source, zoom: zoom, bearing: bearing, tilt: tilt) { $0.buildings = style })
            var design = DesignCamera()
            let center = Self.place(2048, 2048)
            (design.lat, design.lng, design.zoom, design.bearing, design.tilt) = (center.lat, center.lng, zoom, bearing, tilt)
            (design.width, design.height) = (300, 240)
            for (number, point) in points.enumerated() {
                let place = Self.place(Double(point.x), Double(point.y))
                let altitude: Double = number == 0 && style == .extruded ? 20 : 0
                let expected = design.project(lat: place.lat, lng: place.lng, altitude: altitude)
                let anchor = try #require(labels["P\(number)"]?.anchor)
                // A unit of the tile is up to 1 pt.
                #expect(abs(anchor.x - expected.x) < 1 && abs(anchor.y - expected.y) < 1, "\(style) \(number): \(anchor) \(expected)")
            }
        }
    }

    /// A point of interest on the ground is left out exactly where a building is drawn over its place.
    @Test(arguments: [(0.0, 60.0), (70.0, 70.0), (200.0, 50.0), (0.0, 0.0)]) func buildingsHidePointsOfInterest(
        bearing: Double, tilt: Double
    ) throws {
        var random = SplitMix64(seed: 9)
        let boxes: [Box] = (0..<14).map { number in
            (
                1880 + number % 4 * 100, 1900 + number / 4 * 100, random.integer(20...60), random.integer(20...60),
                Double(random.integer(4...40))
            )
        }
        var points: [(x: Int, y: Int)] = []
        while points.count < 60 {
            let (x, y) = (random.integer(1850...2250), random.integer(1850...2250))
            if boxes.allSatisfy({ x < $0.0 - 2 || y < $0.1 - 2 || x > $0.0 + $0.2 + 2 || y > $0.1 + $0.3 + 2 }) { points.append((x, y)) }
        }
        let source = tiles(boxes) { $0.append(layer("poi", points, "cafe")) }
        let map = map(source, zoom: 16.8, bearing: bearing, tilt: tilt)
        let labels = try labels(map)
        map.baseMap[0].pois = false
        map.baseMap[0].labels = false
        let ground = try Renderer(device: .software).render(map).bitmap
        var counts = (hidden: 0, free: 0)
        for (text, label) in labels {
            guard let anchor = label.anchor, 2..<298 ~= anchor.x, 2..<238 ~= anchor.y else { continue }
            let pixels = (-1...1).flatMap { dy in
                (-1...1).map { ground[Int(anchor.x) + $0, Int(anchor.y) + dy] == Self.land.premultipliedBytes }
            }
            // At edges of buildings, less than a pixel decides.
            guard Set(pixels).count == 1 else { continue }
            #expect(label.isOccluded == !pixels[0], "\(text) at \(anchor)")
            #expect(!label.isVisible || pixels[0])
            if pixels[0] { counts.free += 1 } else { counts.hidden += 1 }
        }
        #expect(counts.free > 8 && (counts.hidden > 3 || tilt == 0), "\(counts)")
    }

    /// What is hidden takes no place, and cannot be picked. The names of areas stay.
    @Test func hiddenLabels() throws {
        let boxes: [Box] = [(1990, 2030, 120, 40, 20)]
        let source = tiles(boxes) {
            $0.append(layer("poi", [(2048, 2020)], "cafe"))
            var places = HandmadeLayer("place")
            places.add(.points([(2046, 2020)]), ["name": HandmadeValue.text("Kallio"), "class": HandmadeValue.text("suburb")])
            $0.append(places)
        }
        let map = map(source, zoom: 16.4) { $0.labels = false }
        let hidden = try labels(map)
        #expect(hidden["P0"]?.isVisible == false && hidden["P0"]?.isOccluded == true && hidden["P0"]?.hiddenBy == nil)
        let anchor = try #require(hidden["P0"]?.anchor)
        let point = CGPoint(x: anchor.x, y: anchor.y)
        #expect(map.visibleObjects(at: point).isEmpty)
        #expect(map.objects(at: point).count == 1)
        map.baseMap[0].labels = true
        #expect(try labels(map)["Kallio"]?.isVisible == true)
        map.camera.bearing = 180
        map.baseMap[0].labels = false
        #expect(try labels(map)["P0"]?.isVisible == true)
        #expect(map.visibleObjects(at: point).isEmpty)
        (map.camera.bearing, map.baseMap[0].buildings) = (0, .flat)
        #expect(try labels(map)["P0"]?.isOccluded == false && map.visibleObjects(at: point).count == 1)
    }

    /// The name of a road behind a building moves along the road to where it can be seen, or is left out.
    @Test func namesOfRoads() throws {
        func names(width: Int, _ style: BuildingStyle = .extruded) throws -> [Inspection.SymbolEntry] {
            let boxes: [Box] = [(2048 - width / 2, 2030, width, 40, 25)]
            let source = tiles(boxes) {
                var roads = HandmadeLayer("transportation_name")
                roads.add(
                    .lines([(1600, 2022), (2496, 2022)]),
                    ["name": HandmadeValue.text("Elm Street"), "class": HandmadeValue.text("primary")])
                $0.append(roads)
            }
            return try map(source, size: (400, 300)) { $0.buildings = style }.inspection(listsBaseMapSymbols: true).symbols
        }
        func middle(_ name: Inspection.SymbolEntry) -> Double { abs((name.anchor?.x ?? 0) - 200) }
        let flat = try names(width: 120, .flat)
        #expect(flat.count == 1 && flat[0].isVisible && middle(flat[0]) < 20)
        let moved = try names(width: 120)
        let seen = try #require(moved.first { $0.isVisible })
        #expect(middle(seen) > 60, "\(moved)")
        let hidden = try names(width: 800)
        #expect(hidden.count == 1 && !hidden[0].isVisible && hidden[0].isOccluded == true, "\(hidden)")
    }
}
