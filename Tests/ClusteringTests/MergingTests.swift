import Foundation
import Testing
import WaymarkClustering
import WaymarkTestSupport

/// Overlapping clusters and single points, merged and compared with the rule, pair by pair.
@Suite struct MergingTests {
    /// Widths in pt by count; the first is that of a single point.
    private struct Widths {
        var widths: [Double]

        init(_ random: inout SplitMix64) {
            let most = random.one(of: [60.0, 60, 300])
            widths = (0..<4).map { _ in random.once(in: 8) ? 0 : random.number(5...most) }
        }

        func width(_ count: Int) -> Double { count == 1 ? widths[0] : count < 5 ? widths[1] : count < 20 ? widths[2] : widths[3] }

        func sizes(worldSize: Double) -> DiscSizes {
            DiscSizes(worldSize: worldSize, widest: widths.max() ?? 0) { $0.lone >= 0 ? widths[0] : width($0.count) }
        }
    }

    /// A cluster or a single point of the reference.
    private struct Item {
        var members: [Int32]
        var mean: (x: Double, y: Double)
        /// The cell, and the order among items with equal counts.
        var cell: ClusterCell
        var rank: [Int64]
    }

    /// Which items are together: each joins its largest neighbor, if their discs overlap by more than a quarter of the smaller one's width
    /// and that neighbor has no larger overlapping neighbor itself.
    /// - Parameter columns: The number of columns of the grid; nil if all items are neighbors.
    private func merged(_ items: [Item], _ widths: Widths, worldSize: Double, columns: Int64?) -> [[Int32]] {
        func areNeighbors(_ a: Item, _ b: Item) -> Bool {
            guard let columns else { return true }
            let across = abs(a.cell.x - b.cell.x)
            return min(across, columns - across) <= 1 && abs(a.cell.y - b.cell.y) <= 1
        }
        func overlap(_ a: Item, _ b: Item) -> Bool {
            let across = abs(a.mean.x - b.mean.x)
            let (dx, dy) = (min(across, 1 - across) * worldSize, (a.mean.y - b.mean.y) * worldSize)
            let distance = ((dx * dx + dy * dy).squareRoot() * 1024).rounded() / 1024
            let (first, second) = (widths.width(a.members.count), widths.width(b.members.count))
            return first / 2 + second / 2 - distance > min(first, second) / 4
        }
        func isLarger(_ a: Item, _ b: Item) -> Bool {
            a.members.count != b.members.count ? a.members.count > b.members.count : a.rank.lexicographicallyPrecedes(b.rank)
        }
        func largest(_ item: Int) -> Int? {
            items.indices.filter { $0 != item && areNeighbors(items[$0], items[item]) && overlap(items[$0], items[item]) }
                .filter { isLarger(items[$0], items[item]) }.max { isLarger(items[$1], items[$0]) }
        }
        let larger = items.indices.map(largest)
        var groups: [Int: [Int32]] = [:]
        for item in items.indices {
            let owner = larger[item].flatMap { larger[$0] == nil ? $0 : nil } ?? item
            groups[owner, default: []] += items[item].members
        }
        return groups.values.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    }

    /// The mean of points, each in the middle of its step.
    private func mean(_ members: [Int32], _ places: [WorldSteps]) -> (x: Double, y: Double) {
        let (x, y) = members.reduce((Int64(0), Int64(0))) { ($0.0 + places[Int($1)].x, $0.1 + places[Int($1)].y) }
        return ((Double(x) / Double(members.count) + 0.5) * 0x1p-36, (Double(y) / Double(members.count) + 0.5) * 0x1p-36)
    }

    private func members(_ cluster: MergedCluster, _ clusters: PointClusters) -> [Int32] {
        var members: [Int32] = []
        clusters.forEachMember(of: cluster) { members.append($0) }
        return members.sorted()
    }

    private func worldSize(_ zoom: Double) -> Double { 512 * exp2(zoom) }

    /// The merged clusters of the whole world, checked one by one.
    private func all(_ clusters: PointClusters, _ places: [WorldSteps], zoom: Int, _ sizes: DiscSizes) -> [MergedCluster] {
        let all = clusters.mergedClusters(west: 0, north: 0, east: 1, south: 1, zoom: zoom, sizes)
        for cluster in all {
            let members = members(cluster, clusters)
            #expect(cluster.count == members.count && cluster.lone == (members.count == 1 ? members[0] : -1))
            #expect(cluster.joined.allSatisfy { $0.count <= cluster.largest.count })
            // The mean of the places; a part beyond the world's edge counts there.
            let sum = cluster.parts.reduce(0.0) { sum, part in
                sum + (part.mean.x + (cluster.largest.mean.x - part.mean.x).rounded()) * Double(part.count)
            }
            let off = cluster.mean.x - sum / Double(cluster.count)
            #expect(abs(off - off.rounded()) < 1e-9 && cluster.mean.x >= 0 && cluster.mean.x < 1)
            #expect(abs(cluster.mean.y - mean(members, places).y) < 1e-12)
        }
        return all
    }

    /// Every view shows the clusters of the whole world, whatever its place.
    private func checkViews(
        _ clusters: PointClusters, _ all: [MergedCluster], zoom: Int, _ sizes: DiscSizes, _ random: inout SplitMix64
    ) {
        for _ in 0..<10 {
            let middle = random.once(in: 4) ? nil : all.isEmpty ? nil : random.one(of: all).mean
            let (x, y) = middle ?? (random.one(of: [0, 1, random.number(0...1)]), random.number(0...1))
            let half = random.number(0...1) * 300 / sizes.worldSize
            let (west, east) = (max(0, x - half), min(1, x + half))
            let (north, south) = (max(0, y - half), min(1, y + half))
            let found = clusters.mergedClusters(west: west, north: north, east: east, south: south, zoom: zoom, sizes)
            #expect(
                found
                    == all.filter { $0.mean.x >= west && $0.mean.x <= east && $0.mean.y >= north && $0.mean.y <= south })
        }
    }

    @Test(arguments: Seeds.all) func aClusterJoinsItsLargestNeighborWhateverTheView(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let width = Int64(random.one(of: [16, 64, 640, 2000, 8192]) * random.integer(1...2))
        let reference = ReferenceGrid(width: width)
        let set = PointSet(random.integer(1...120), &random)
        var clusters = PointClusters(.grid(cellSize: Double(width) / 8))
        clusters.setPoints(set.places.indices.map { Int32($0) }) { set.places[Int($0)] }
        let points = Dictionary(uniqueKeysWithValues: set.places.enumerated().map { (Int32($0), $1) })
        let widths = Widths(&random)
        func expected(_ zoom: Int, worldSize: Double) -> [[Int32]] {
            let items = reference.clusters(points, zoom: zoom).map { cell, members in
                Item(members: members, mean: mean(members, set.places), cell: cell, rank: [cell.x, cell.y])
            }
            let columns = reference.cell(WorldSteps.perWorld - 1, zoom: zoom) + 1
            return merged(items, widths, worldSize: worldSize, columns: columns)
        }
        let whole = (0...24).map { expected($0, worldSize: worldSize(Double($0))) }
        for zoom in 0...24 {
            let sizes = widths.sizes(worldSize: worldSize(Double(zoom) + random.one(of: [0, random.number(0...0.999)])))
            let all = all(clusters, set.places, zoom: zoom, sizes)
            #expect(all.map { members($0, clusters) }.sorted { $0[0] < $1[0] } == expected(zoom, worldSize: sizes.worldSize))
            checkViews(clusters, all, zoom: zoom, sizes, &random)
            for cluster in all {
                let members = members(cluster, clusters)
                let parting = (zoom..<24).map { $0 + 1 }.first { deeper in
                    !whole[deeper].contains { Set(members).isSubset(of: $0) }
                }
                #expect(clusters.expansionZoom(of: cluster, deepest: 24, sizes) == parting)
                if let parting { #expect(clusters.expansionZoom(of: cluster, deepest: parting - 1, sizes) == nil) }
            }
        }
    }

    @Test(arguments: Seeds.all) func clustersByDistanceAreMergedToo(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let set = PointSet(random.integer(1...100), &random)
        var clusters = PointClusters(.hierarchical(radius: random.number(10...80)))
        clusters.setPoints(set.places.indices.map { Int32($0) }) { set.places[Int($0)] }
        let deepest = random.integer(0...24)
        clusters.prepare(groups: [0], zooms: 0...deepest)
        let widths = Widths(&random)
        func expected(_ zoom: Int, worldSize: Double) -> [[Int32]] {
            let items = clusters.clusters(west: 0, north: 0, east: 1, south: 1, zoom: zoom).map { cluster in
                let members = clusters.members(of: cluster)
                return Item(members: members, mean: mean(members, set.places), cell: ClusterCell(x: 0, y: 0), rank: [Int64(cluster.key)])
            }
            return merged(items, widths, worldSize: worldSize, columns: nil)
        }
        let whole = (0...deepest).map { expected($0, worldSize: worldSize(Double($0))) }
        for zoom in 0...deepest {
            let sizes = widths.sizes(worldSize: worldSize(Double(zoom) + random.one(of: [0, random.number(0...0.999)])))
            let all = all(clusters, set.places, zoom: zoom, sizes)
            #expect(all.map { members($0, clusters) }.sorted { $0[0] < $1[0] } == expected(zoom, worldSize: sizes.worldSize))
            checkViews(clusters, all, zoom: zoom, sizes, &random)
            for cluster in all {
                let members = members(cluster, clusters)
                let parting = (zoom..<deepest).map { $0 + 1 }.first { deeper in
                    !whole[deeper].contains { Set(members).isSubset(of: $0) }
                }
                #expect(clusters.expansionZoom(of: cluster, deepest: deepest, sizes) == parting)
            }
        }
    }

    /// The index of two points in neighboring cells, and their merged clusters at a distance in pt at zoom 10.
    private func pair(distance: Double, counts: (Int, Int) = (2, 2), width: Double = 32) -> [MergedCluster] {
        let step = 1 / worldSize(10)
        // A border between two cells of 80 pt.
        let middle = 80.0 * 3000 * step
        var clusters = PointClusters(.grid(cellSize: 80))
        clusters.setPoints((0..<Int32(counts.0 + counts.1)).map { $0 }) { number in
            WorldSteps(x: middle + (Int(number) < counts.0 ? -distance / 2 : distance / 2) * step, y: 0.5 + 40 * step)
        }
        return clusters.mergedClusters(
            west: 0, north: 0, east: 1, south: 1, zoom: 10, DiscSizes(worldSize: worldSize(10), widest: width) { _ in width })
    }

    @Test func discsOverlapByMoreThanAQuarter() {
        #expect(pair(distance: 23.9).map(\.count) == [4])
        #expect(pair(distance: 24.1).map(\.count) == [2, 2])
        // Exactly a quarter is not more.
        #expect(pair(distance: 24).map(\.count) == [2, 2])
        #expect(pair(distance: 10, width: 10).map(\.count) == [2, 2])
    }

    @Test func theLargestKeepsItsKey() {
        let (left, right) = (pair(distance: 100)[0].key, pair(distance: 100)[1].key)
        #expect(pair(distance: 10, counts: (2, 3)).map(\.key) == [right])
        #expect(pair(distance: 10, counts: (3, 2)).map(\.key) == [left])
        // Of equal counts, the one that is first by its cell.
        #expect(pair(distance: 10, counts: (2, 2)).map(\.key) == [left])
        #expect(pair(distance: 10, counts: (1, 1)).map(\.lone) == [-1])
    }

    @Test func nothingIsMergedWithoutWidths() {
        #expect(pair(distance: 0.5, width: 0).map(\.count) == [2, 2])
    }
}
