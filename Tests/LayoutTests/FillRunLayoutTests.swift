import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkRaster
import WaymarkScene
import WaymarkTestSupport

/// Which fills are one run, and that areas which share a border draw it alike.
@Suite struct FillRunLayoutTests {
    private func square(_ column: Double, _ row: Double = 0) -> WaymarkScene.Polygon {
        Polygon(
            points: [(0, 0), (0, 1), (1, 1), (1, 0)].map { LatLng(lat: row + $0.0, lng: column + $0.1) })
    }

    private func map(_ overlays: Overlay...) -> MapView {
        let map = MapView(300, 200, Camera(zoom: 5))
        map.add(overlays)
        return map
    }

    /// For each path its run, negative for outlines.
    private func runs(_ map: MapView) throws -> [Int32] {
        try map.frame().paths.map { $0.layering == .over ? -$0.run : $0.run }
    }

    @Test func areasOfOneRankAreOneRun() throws {
        let (a, b, c) = (square(-1), square(0), square(1))
        b.outlineWidth = 2
        let map = map(a, b, c)
        #expect(try runs(map) == [1, 1, -1, 1])
        // An area above begins another run, where it is alone.
        c.zIndex = 1
        #expect(try runs(map) == [1, 1, -1, 0])
        c.zIndex = 0
        c.globalZIndex += 1
        #expect(try runs(map) == [1, 1, -1, 0])
        map.add(
            [square(2), square(3)].map {
                $0.globalZIndex = c.globalZIndex; return $0
            })
        #expect(try runs(map) == [1, 1, -1, 2, 2, 2])
        // A container's contents are among its siblings of the same rank.
        c.globalZIndex -= 1
        map.remove(c)
        map.add(Container([c]))
        #expect(try runs(map) == [1, 1, -1, 1, 2, 2])
    }

    @Test func aLineBetweenTwoFillsOfOneRankDoesNotEndTheirRun() throws {
        let points = [LatLng(lat: 0, lng: -1), LatLng(lat: 1, lng: 1)]
        func line() -> Polyline { Polyline(points: points) }
        func route() -> Route {
            let route = Route(points: points)
            route.globalZIndex = Polyline.defaultGlobalZIndex
            (route.outlineWidth, route.progress, route.passedColor) = (2, 0.5, .red)
            return route
        }
        let map = map(line(), square(-1), route(), square(0), line(), square(1), route())
        // A line before the first area or after the last belongs to no run.
        let paths = try map.frame().paths
        #expect(paths.map(\.run) == [0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0])
        #expect(paths[2...4].map(\.layering) == [.over, .knockout, .inlay])
        // Without a second area there is none, and the layering of lines remains.
        let alone = try self.map(square(-1), route(), line()).frame().paths
        #expect(alone.map(\.run) == [0, 0, 0, 0, 0])
        #expect(alone.map(\.layering) == [.over, .over, .knockout, .inlay, .over])
        // An area out of view does not count.
        let far = square(100)
        let hidden = try self.map(square(-1), square(0), line(), far).frame().paths
        #expect(hidden.map(\.run) == [1, 1, 0])
    }

    @Test func onlyOutlinesAndLinesMayLieBetween() throws {
        let line = Polyline(points: [LatLng(lat: 0, lng: -1), LatLng(lat: 1, lng: 1)])
        let map = map(square(-1), line, square(0))
        #expect(try runs(map) == [1, -1, 1])
        line.isHidden = true
        #expect(try runs(map) == [1, 1])
        line.isHidden = false
        line.points = line.points.map { LatLng(lat: $0.lat + 60, lng: $0.lng) }
        // It is out of view, and nothing lies between.
        #expect(try runs(map) == [1, 1])
        map.remove(line)
        let ring = square(0)
        (ring.fillColor, ring.outlineWidth) = (.clear, 1)
        let circle = Circle(center: LatLng(lat: 1, lng: 1), radius: 50_000)
        map.add([ring, circle])
        #expect(try runs(map) == [1, 1, -1, 1])
        // A marker of the same rank is drawn after all shapes of the rank.
        map.add(0, 0) { $0.globalZIndex = ring.globalZIndex }
        #expect(try runs(map) == [1, 1, -1, 1])
    }

    @Test func severalFillsOfOneOverlayAreOne() throws {
        let tie = [(0, 0), (1, 1), (1, 0), (0, 1)].map { LatLng(lat: $0.0, lng: $0.1) }
        let polygon = WaymarkScene.Polygon()
        polygon.polygons = [[square(-1).rings[0]], [tie]]
        for color in [Color.red, Color(red: 1, green: 0, blue: 0, alpha: 0.5)] {
            polygon.fillColor = color
            let paths = try map(polygon).frame().paths
            #expect(paths.map(\.layering) == [.beside, .joined])
            #expect(paths.map(\.run) == [1, 1])
        }
    }

    /// A border that continues in ever smaller zigzags: far more points than a picture shows.
    private func border(_ from: LatLng, _ to: LatLng, _ random: inout SplitMix64, depth: Int = 9) -> [LatLng] {
        guard depth > 0 else { return [to] }
        let off = random.number(-0.25...0.25)
        let (north, east) = (to.lat - from.lat, to.lng - from.lng)
        let middle = LatLng(lat: (from.lat + to.lat) / 2 + east * off, lng: (from.lng + to.lng) / 2 - north * off)
        return border(from, middle, &random, depth: depth - 1) + border(middle, to, &random, depth: depth - 1)
    }

    /// The sides of a ring, each a separate border, in either direction.
    private func ring(_ sides: [LatLng]..., from corner: LatLng) -> [LatLng] {
        sides.reduce([corner]) { ring, side in ring.last == side.last ? ring + side.dropLast().reversed() : ring + side }
    }

    /// Three areas that meet in two points, and an enclave: rings that begin anywhere and go either way keep the same points.
    @Test(arguments: Seeds.all) func sharedBordersAreSimplifiedAlike(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (north, south) = (LatLng(lat: 4, lng: 0.5), LatLng(lat: -4, lng: 0.25))
        let middle = border(north, south, &random)
        let west = [LatLng(lat: -4, lng: -6), LatLng(lat: 4, lng: -6)]
        let east = [LatLng(lat: -4, lng: 6), LatLng(lat: 4, lng: 6)]
        let start = LatLng(lat: 1, lng: -2)
        let lake = border(start, LatLng(lat: -1, lng: -3), &random) + border(LatLng(lat: -1, lng: -3), start, &random).dropLast()
        func turned(_ ring: [LatLng]) -> [LatLng] {
            let first = random.integer(0...ring.count - 1)
            let turned = Array(ring[first...] + ring[..<first])
            return random.once(in: 2) ? turned.reversed() : turned
        }
        let ringOfMiddle = [north] + middle
        let areas = [Polygon(), Polygon(), Polygon()]
        areas[0].rings = [turned(ringOfMiddle + west), turned([start] + lake)]
        areas[1].rings = [turned(ringOfMiddle + east)]
        areas[2].rings = [turned([start] + lake)]
        let map = MapView(300, 200, pixelRatio: random.one(of: [1, 2]), Camera(zoom: random.number(0.5...1.5)))
        map.add(areas)
        /// The points of each ring between north and south, and the lake's points.
        func shared(_ frame: Frame, _ order: [Int] = [0, 1, 2]) throws -> [[Set<PathPoint>]] {
            let points = frame.paths.map { path in path.contours.map { Set(frame.points(ofContour: $0)) } }
            let (first, second, third) = (points[order[0]], points[order[1]][0], points[order[2]][0])
            let lake = try #require(first.first { !$0.isDisjoint(with: third) })
            let outer = try #require(first.first { !$0.isDisjoint(with: second) })
            return [[outer, second], [lake, third]]
        }
        let frame = try map.frame()
        let sets = try shared(frame)
        // All except the two corners of each.
        #expect(sets[0][0].symmetricDifference(sets[0][1]).count == 4)
        #expect(sets[1][0] == sets[1][1])
        // Far fewer than all points, or the test proves nothing.
        #expect(sets[0][0].count < middle.count * 3 / 4)
        // And after a change of one of them.
        map.remove(areas[1])
        _ = try map.frame()
        areas[1].rings = [areas[1].rings[0].reversed()]
        map.add(areas[1])
        let changed = try shared(try map.frame(), [0, 2, 1])
        #expect(changed[0][0].symmetricDifference(changed[0][1]).count == 4)
        // The same as on a map to which they were added in this order.
        let fresh = MapView(300, 200, pixelRatio: map.pixelRatio, map.camera)
        fresh.add(
            [0, 2, 1].map { index in
                let area = Polygon()
                area.rings = areas[index].rings
                return area
            })
        #expect(try map.frame() == fresh.frame())
    }

    /// An area without shared borders is simplified as a whole, whatever other areas exist.
    @Test func anIslandIsSimplifiedAsAWhole() throws {
        var random = SplitMix64(seed: 4)
        let start = LatLng(lat: 1, lng: -2)
        let island = Polygon(
            points: [start] + border(start, LatLng(lat: -1, lng: 3), &random) + border(LatLng(lat: -1, lng: 3), start, &random))
        let map = map(island)
        map.camera.zoom = 1
        let alone = try map.frame()
        map.add(square(-1))
        let both = try map.frame()
        #expect(Array(both.points(ofContour: 0)) == Array(alone.points(ofContour: 0)))
        #expect(alone.points(ofContour: 0).count < 600)
    }
}
