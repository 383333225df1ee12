import WaymarkClustering
import WaymarkTestSupport

/// Random points of the world, some in towns, some at the same place as another, some at the world's edges.
struct PointSet {
    var places: [WorldSteps] = []

    init(_ count: Int, _ random: inout SplitMix64) {
        let most = WorldSteps.perWorld - 1
        let towns = (0..<8).map { _ in (random.number(0...0x1p36), random.number(0...0x1p36)) }
        for _ in 0..<count {
            switch random.integer(0...9) {
            case 0 where !places.isEmpty: places.append(random.one(of: places))
            case 1: places.append(WorldSteps(x: random.one(of: [0, most]), y: Int64(random.integer(0...Int(most)))))
            case 2...7:
                let town = random.one(of: towns)
                let spread = 0x1p36 / random.one(of: [1e2, 1e4, 1e6, 1e8])
                let (x, y) = (town.0 + random.number(-spread...spread), town.1 + random.number(-spread...spread))
                places.append(WorldSteps(x: min(max(Int64(x), 0), most), y: min(max(Int64(y), 0), most)))
            default: places.append(WorldSteps(x: Int64(random.integer(0...Int(most))), y: Int64(random.integer(0...Int(most)))))
            }
        }
    }
}

/// The expected clusters of the grid, computed in integers from each point: cells whose sizes in pt are whole eighths.
struct ReferenceGrid {
    /// A cell's width at zoom 24 in steps.
    var width: Int64

    func cell(_ steps: Int64, zoom: Int) -> Int64 {
        // floor(512 · 2^zoom · steps / 2^36 / (width / 8))
        let (quotient, _) = (steps << Int64(zoom)).quotientAndRemainder(dividingBy: width << 24)
        return quotient
    }

    /// By cell: the numbers of its points, ascending.
    func clusters(_ points: [Int32: WorldSteps], zoom: Int) -> [ClusterCell: [Int32]] {
        var cells: [ClusterCell: [Int32]] = [:]
        for (number, place) in points.sorted(by: { $0.key < $1.key }) {
            cells[ClusterCell(x: cell(place.x, zoom: zoom), y: cell(place.y, zoom: zoom)), default: []].append(number)
        }
        return cells
    }
}

struct ClusterCell: Hashable {
    var x: Int64
    var y: Int64
}
