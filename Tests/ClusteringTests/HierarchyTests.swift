import Testing
import WaymarkClustering
import WaymarkTestSupport

@Suite struct HierarchyTests {
    /// The greedy method, literally: at each level from the deepest, the items in order of their places, each joining all near ones.
    private func reference(_ points: [WorldSteps], radius: Double, zooms: ClosedRange<Int>) -> [Int: [[Int32]]] {
        struct Item {
            var x: Double
            var y: Double
            var members: [Int32]
        }
        func item(_ members: [Int32]) -> Item {
            let (x, y) = members.reduce((Int64(0), Int64(0))) { ($0.0 + points[Int($1)].x, $0.1 + points[Int($1)].y) }
            return Item(x: Double(x) / Double(members.count), y: Double(y) / Double(members.count), members: members.sorted())
        }
        var items = points.indices.map { item([Int32($0)]) }
        var levels: [Int: [[Int32]]] = [:]
        for zoom in zooms.reversed() {
            let radius = radius * Double(1 << 27) / Double(1 << zoom)
            items.sort { ($0.y, $0.x, $0.members[0]) < ($1.y, $1.x, $1.members[0]) }
            var isTaken = [Bool](repeating: false, count: items.count)
            var next: [Item] = []
            for index in items.indices where !isTaken[index] {
                var members: [Int32] = []
                for other in items.indices where !isTaken[other] {
                    let (dx, dy) = (items[other].x - items[index].x, items[other].y - items[index].y)
                    guard dx * dx + dy * dy <= radius * radius else { continue }
                    isTaken[other] = true
                    members += items[other].members
                }
                next.append(item(members))
            }
            items = next
            levels[zoom] = items.map(\.members).sorted { $0[0] < $1[0] }
        }
        return levels
    }

    @Test(arguments: Seeds.all) func clustersAreThoseOfTheGreedyMethod(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let set = PointSet(random.integer(1...200), &random)
        let radius = random.number(10...100)
        let zooms = 0...random.integer(0...24)
        let expected = reference(set.places, radius: radius, zooms: zooms)
        // In another order of insertion, too.
        var edited = PointClusters(.hierarchical(radius: radius))
        for number in set.places.indices.shuffled(using: &random) { edited.add(Int32(number), at: set.places[number]) }
        edited.add(1000, at: set.places[0])
        edited.remove(1000, at: set.places[0])
        var built = PointClusters(.hierarchical(radius: radius))
        built.setPoints(set.places.indices.map { Int32($0) }) { set.places[Int($0)] }
        built.prepare(groups: [0], zooms: zooms)
        edited.prepare(groups: [0], zooms: zooms)
        for zoom in zooms {
            let found = built.clusters(west: 0, north: 0, east: 1, south: 1, zoom: zoom)
            #expect(found == edited.clusters(west: 0, north: 0, east: 1, south: 1, zoom: zoom))
            #expect(found.map { built.members(of: $0) }.sorted { $0[0] < $1[0] } == expected[zoom])
            for cluster in found {
                let members = built.members(of: cluster)
                #expect(cluster.count == members.count)
                #expect(cluster.lone == (members.count == 1 ? members[0] : -1))
                #expect(cluster.sumX == members.reduce(0) { $0 + set.places[Int($1)].x })
                let parting = (zoom...zooms.upperBound).dropFirst().first { expected[$0]?.contains(members) != true }
                #expect(built.expansionZoom(of: cluster, deepest: zooms.upperBound) == parting)
            }
        }
    }

    @Test func pointsOfOnePlaceNeverPart() {
        var clusters = PointClusters(.hierarchical(radius: 40))
        clusters.setPoints([0, 1, 2]) { _ in WorldSteps(x: 0.3, y: 0.4) }
        clusters.prepare(groups: [0], zooms: 0...24)
        for zoom in 0...24 {
            let found = clusters.clusters(west: 0, north: 0, east: 1, south: 1, zoom: zoom)
            #expect(found.map(\.count) == [3])
            #expect(found.map { clusters.expansionZoom(of: $0, deepest: 24) } == [nil])
        }
    }
}
