import Foundation
import Waymark

/// A hundred cards of one scene, as many in parallel as the machine draws well.
@main struct Cards {
    static func main() async throws {
        // Comes first: the pool starts this program as its workers, too.
        WaymarkHelper.runIfAsked()

        let pool = try await RenderPool()
        let scene = SceneData(
            Data(
                #"""
                {"waymark": 1, "size": {"width": 300, "height": 200}, "background": "#f2efe9", "camera": {"center": [126.978, 37.567], "zoom": 14},
                "overlays": [{"type": "marker", "id": "shop", "position": [126.978, 37.567], "iconImage": "builtin:red"}]}
                """#.utf8))
        let start = ContinuousClock.now
        var bytes = 0
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...100 {
                group.addTask {
                    var change = SceneChange()
                    change.view.bearing = Double(number)
                    try change.set(\Marker.captionText, to: "Shop \(number)", of: "shop")
                    return try await pool.render(scene, changing: change).bytes.count
                }
            }
            for try await count in group { bytes += count }
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let workers = "\(pool.workerCount) \(pool.usesProcesses ? "processes" : "threads")"
        print("\(pool.statistics.finished) cards of \(bytes / 100) bytes each, on \(workers): \(Int(100 / seconds)) per second")
        await pool.close()
    }
}
