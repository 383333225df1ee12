import Foundation
import Waymark

/// Picking at a point among the markers of W2: the first query after a change, which lays out the map, and later ones.
struct PickCase {
    let markers: MarkersCase

    struct Figures: Encodable {
        var markers: Int
        /// The first pick, with the layout.
        var first_ms: Double
        /// Picks at other points of the same map.
        var pick_ms: Times
        /// The same, including hidden objects.
        var all_ms: Times
        /// The mean number of objects found at a point.
        var found: Double
        var peak_rss_mib: Double
    }

    private static let runs = 200

    func run() throws -> Figures {
        let (mapView, count) = try markers.map()
        var watch = Stopwatch()
        _ = mapView.visibleObjects(at: CGPoint(x: 512, y: 512))
        let first = watch.lap()
        // Points all over the picture, not aligned with the icons.
        func point(_ number: Int) -> CGPoint {
            CGPoint(x: 1024 * (Double(number) * 0.618_034).truncatingRemainder(dividingBy: 1), y: 5 * Double(number))
        }
        var found = 0
        let picks = Times(runs: Self.runs) { found += mapView.visibleObjects(at: point($0)).count }
        let all = Times(runs: Self.runs) { _ = mapView.objects(at: point($0)) }
        return Figures(
            markers: count, first_ms: first, pick_ms: picks, all_ms: all, found: Double(found) / Double(Self.runs),
            peak_rss_mib: peakMemory())
    }
}
