import Testing
import WaymarkClustering
import WaymarkTestSupport

@Suite struct GridTests {
    @Test(arguments: Seeds.all) func clustersAreThoseOfAReference(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let width = Int64(random.integer(16...8192))
        let set = PointSet(random.integer(1...600), &random)
        var clusters = PointClusters(.grid(cellSize: Double(width) / 8))
        clusters.setPoints(set.places.indices.map { Int32($0) }) { set.places[Int($0)] }
        let points = Dictionary(uniqueKeysWithValues: set.places.enumerated().map { (Int32($0), $1) })
        for zoom in 0...24 { check(clusters, points, ReferenceGrid(width: width), zoom: zoom, &random) }
    }

    @Test(arguments: Seeds.all) func editsEndWhereBuildingBegins(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let width = Int64(random.integer(16...8192))
        let set = PointSet(1500, &random)
        var clusters = PointClusters(.grid(cellSize: Double(width) / 8))
        var points: [Int32: WorldSteps] = [:]
        // Some are there from the start; the others are added, removed and moved in a random order.
        for number in set.places.indices where random.once(in: 2) { points[Int32(number)] = set.places[number] }
        clusters.setPoints(points.keys.sorted()) { points[$0] ?? WorldSteps(x: Int64(0), y: 0) }
        for _ in 0..<4000 {
            let number = Int32(random.integer(0...set.places.count - 1))
            if let place = points.removeValue(forKey: number) {
                clusters.remove(number, at: place)
            } else {
                let place = random.once(in: 4) ? random.one(of: set.places) : set.places[Int(number)]
                points[number] = place
                clusters.add(number, at: place)
            }
        }
        #expect(clusters.count == points.count)
        var built = PointClusters(clusters.strategy)
        built.setPoints(points.keys.sorted()) { points[$0] ?? WorldSteps(x: Int64(0), y: 0) }
        for zoom in 0...24 {
            let all = clusters.clusters(west: 0, north: 0, east: 1, south: 1, zoom: zoom)
            #expect(all == built.clusters(west: 0, north: 0, east: 1, south: 1, zoom: zoom))
            for cluster in all {
                #expect(clusters.members(of: cluster) == built.members(of: cluster))
                #expect(
                    clusters.expansionZoom(of: cluster, deepest: 24) == built.expansionZoom(of: cluster, deepest: 24))
            }
        }
        for zoom in [3, 9, 20] { check(clusters, points, ReferenceGrid(width: width), zoom: zoom, &random) }
        #expect(clusters.points(west: 0, north: 0, east: 1, south: 1) == points.keys.sorted())
    }

    @Test(arguments: Seeds.all) func groupsAreCountedTogether(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let set = PointSet(700, &random)
        let groups = set.places.map { _ in random.integer(0...2) }
        var clusters = PointClusters(.grid(cellSize: 80))
        for group in 0...2 {
            clusters.setPoints(set.places.indices.filter { groups[$0] == group }.map { Int32($0) }, inGroup: group) {
                set.places[Int($0)]
            }
        }
        for active in [[0], [1, 2], [0, 1, 2], []] {
            var points: [Int32: WorldSteps] = [:]
            for (number, place) in set.places.enumerated() where active.contains(groups[number]) { points[Int32(number)] = place }
            var alone = PointClusters(.grid(cellSize: 80))
            alone.setPoints(points.keys.sorted()) { set.places[Int($0)] }
            for zoom in [0, 5, 11, 24] {
                let found = clusters.clusters(west: 0, north: 0, east: 1, south: 1, zoom: zoom, groups: active)
                #expect(found == alone.clusters(west: 0, north: 0, east: 1, south: 1, zoom: zoom))
                for cluster in found { #expect(clusters.members(of: cluster, groups: active) == alone.members(of: cluster)) }
            }
        }
    }

    @Test func borderOfCellsIsExact() {
        // Widths that are not whole numbers of steps, at positions next to borders of cells: width is m/4 steps, so 4 · steps / m decides.
        var random = SplitMix64(seed: 4)
        for _ in 0..<2000 {
            let quarters = Int64(random.integer(64...40_000))
            let grid = CellGrid(cellSize: Double(quarters) / 32)
            let cell = Int64(random.integer(1...Int(WorldSteps.perWorld * 4 / quarters) - 1))
            let border = cell * quarters / 4
            for steps in border - 2...border + 2 where (0..<WorldSteps.perWorld).contains(steps) {
                let code = grid.code(WorldSteps(x: steps, y: 0))
                #expect(Int64(Morton.x(code)) == 4 * steps / quarters)
            }
        }
    }

    /// Cells of 2 pt: 16 device pixels at pixel ratio 8.
    @Test func theWholeWorldInTheSmallestCellsOfTheDeepestZoom() {
        var clusters = PointClusters(.grid(cellSize: 2))
        let places = [WorldSteps(x: Int64(0), y: 0), WorldSteps(x: WorldSteps.perWorld - 1, y: WorldSteps.perWorld - 1)]
        clusters.setPoints([0, 1]) { places[Int($0)] }
        #expect(clusters.clusters(west: 0, north: 0, east: 1, south: 1, zoom: 24).map(\.lone) == [0, 1])
    }

    @Test func emptyGridHasNoClusters() {
        var clusters = PointClusters(.grid(cellSize: 80))
        #expect(clusters.clusters(west: 0, north: 0, east: 1, south: 1, zoom: 3) == [])
        clusters.setPoints([]) { _ in WorldSteps(x: Int64(0), y: 0) }
        #expect(clusters.clusters(west: 0, north: 0, east: 1, south: 1, zoom: 3) == [])
        clusters.add(7, at: WorldSteps(x: Int64(0), y: 0))
        #expect(clusters.clusters(west: 0, north: 0, east: 1, south: 1, zoom: 3).map(\.lone) == [7])
        clusters.remove(7, at: WorldSteps(x: Int64(0), y: 0))
        #expect(clusters.clusters(west: 0, north: 0, east: 1, south: 1, zoom: 3) == [])
        #expect(clusters.clusters(west: 1.5, north: 0, east: 1.75, south: 1, zoom: 3) == [])
    }

    /// Compares all clusters, and the clusters in a random box, with the reference.
    private func check(
        _ clusters: PointClusters, _ points: [Int32: WorldSteps], _ reference: ReferenceGrid, zoom: Int, _ random: inout SplitMix64
    ) {
        let expected = reference.clusters(points, zoom: zoom)
        let found = clusters.clusters(west: 0, north: 0, east: 1, south: 1, zoom: zoom)
        #expect(found.count == expected.count)
        #expect(found.reduce(0) { $0 + $1.count } == points.count)
        for cluster in found {
            let cell = ClusterCell(x: Int64(cluster.cell.x), y: Int64(cluster.cell.y))
            let members = clusters.members(of: cluster)
            #expect(members == expected[cell])
            #expect(members.count == cluster.count)
            #expect(cluster.lone == (members.count == 1 ? members[0] : -1))
            #expect(cluster.sumX == members.reduce(0) { $0 + (points[$1]?.x ?? 0) })
            #expect(cluster.sumY == members.reduce(0) { $0 + (points[$1]?.y ?? 0) })
            let parting = (zoom + 1..<25).first { zoom in
                Set(
                    members.compactMap { points[$0] }.map {
                        ClusterCell(x: reference.cell($0.x, zoom: zoom), y: reference.cell($0.y, zoom: zoom))
                    }
                )
                .count > 1
            }
            #expect(clusters.expansionZoom(of: cluster, deepest: 24) == parting)
            if let parting { #expect(clusters.expansionZoom(of: cluster, deepest: parting - 1) == nil) }
        }
        let (west, north) = (random.number(0...1), random.number(0...1))
        let (east, south) = (west + random.number(0...0.3), north + random.number(0...0.3))
        let box = clusters.clusters(west: west, north: north, east: east, south: south, zoom: zoom)
        func cell(_ fraction: Double) -> Int64 { reference.cell(WorldSteps(x: fraction, y: 0).x, zoom: zoom) }
        let (xs, ys) = (cell(west)...cell(east), cell(north)...cell(south))
        #expect(box == found.filter { xs.contains(Int64($0.cell.x)) && ys.contains(Int64($0.cell.y)) })
    }
}
