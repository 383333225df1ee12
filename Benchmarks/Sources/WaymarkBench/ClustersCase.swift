import Foundation
import Waymark
import WaymarkClustering

/// Workload W6: points into an index, and queries of views of 1024 × 1024 pt at zooms 0 to 16: the ids, counts and positions of all
/// clusters and single points.
struct ClustersCase {
    /// Longitude and latitude of each point as Float64.
    let points: String

    struct Figures: Encodable {
        var points: Int
        /// From longitudes and latitudes in memory to an index that is ready for queries.
        var build_ms: Times
        var view_0_ms: Double
        var view_slowest_ms: Double
        var view_mean_ms: Double
        var view_ms_by_zoom: [Double]
        /// With overlapping clusters merged.
        var merged_view_slowest_ms: Double
        var merged_view_mean_ms: Double
        var found_by_zoom: [Int]
        var most_found: Int
        /// Adding or removing one point.
        var edit_us: Double
        /// The memory of the index in addition to the points.
        var bytes_a_point: Double
        var peak_rss_mib: Double
    }

    private static let center = MarkersCase.center
    private static let side = Double(MarkersCase.side)
    /// The size of the grid's cells: the diameter of the peers' circles.
    private static let cellSize = 80.0
    /// The number of queries of a view for one timing, because views are small.
    private static let repeats = 20

    /// The widths of the default style's discs, and of a pin.
    private static func sizes(zoom: Int) -> DiscSizes {
        DiscSizes(worldSize: WebMercator.worldSize(zoom: Double(zoom)), widest: 56) { cluster in
            let count = cluster.count
            return count == 1 ? 26 : count < 10 ? 32 : count < 100 ? 40 : count < 1000 ? 48 : 56
        }
    }

    func run() throws -> Figures {
        let bytes = try Data(contentsOf: URL(filePath: points))
        let numbers = bytes.withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
        let count = numbers.count / 2
        let before = residentMemory()
        var index = Self.index(numbers)
        let after = residentMemory()
        let build = Times(runs: 5) { _ in index = Self.index(numbers) }
        var (views, merged, found): ([Double], [Double], [Int]) = ([], [], [])
        for zoom in 0...16 {
            let box = Self.box(zoom: zoom)
            func view() -> Int {
                index.clusters(west: box.west, north: box.north, east: box.east, south: box.south, zoom: zoom).count
            }
            found.append(view())
            let times = Times(runs: 13) { _ in for _ in 0..<Self.repeats { _ = view() } }
            views.append(times.median / Double(Self.repeats))
            let sizes = Self.sizes(zoom: zoom)
            let mergedTimes = Times(runs: 13) { _ in
                for _ in 0..<Self.repeats {
                    _ = index.mergedClusters(west: box.west, north: box.north, east: box.east, south: box.south, zoom: zoom, sizes).count
                }
            }
            merged.append(mergedTimes.median / Double(Self.repeats))
        }
        var watch = Stopwatch()
        let edits = min(count, 20_000)
        for number in 0..<edits { index.remove(Int32(number), at: Self.place(numbers, number)) }
        for number in 0..<edits { index.add(Int32(number), at: Self.place(numbers, number)) }
        let edit = watch.lap() * 1000 / Double(2 * edits)
        return Figures(
            points: count, build_ms: build, view_0_ms: views[0], view_slowest_ms: views.max() ?? 0,
            view_mean_ms: views.reduce(0, +) / Double(views.count), view_ms_by_zoom: views,
            merged_view_slowest_ms: merged.max() ?? 0, merged_view_mean_ms: merged.reduce(0, +) / Double(merged.count),
            found_by_zoom: found,
            most_found: found.max() ?? 0, edit_us: edit, bytes_a_point: (after - before) / Double(count), peak_rss_mib: peakMemory())
    }

    private static func place(_ numbers: [Double], _ number: Int) -> WorldSteps {
        WorldSteps(x: WebMercator.x(lng: numbers[2 * number]), y: WebMercator.y(lat: numbers[2 * number + 1]) ?? 0)
    }

    private static func index(_ numbers: [Double]) -> PointClusters {
        let count = numbers.count / 2
        let places = [WorldSteps](unsafeUninitializedCapacity: count) { places, filled in
            for number in 0..<count { places.initializeElement(at: number, to: place(numbers, number)) }
            filled = count
        }
        var index = PointClusters(.grid(cellSize: cellSize))
        index.setPoints((0..<Int32(count)).map { $0 }) { places[Int($0)] }
        return index
    }

    private static func box(zoom: Int) -> (west: Double, north: Double, east: Double, south: Double) {
        let half = min(side / WebMercator.worldSize(zoom: Double(zoom)), 1) / 2
        let (x, y) = (WebMercator.x(lng: center.lng), WebMercator.y(lat: center.lat) ?? 0)
        return (max(0, x - half), max(0, y - half), min(1, x + half), min(1, y + half))
    }

    private func residentMemory() -> Double {
        let statm = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return statm.split(separator: " ").dropFirst().first.flatMap { Double($0) }.map { $0 * 4096 } ?? 0
    }
}
