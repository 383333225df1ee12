import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// Strips of pictures of the examples: while the map turns, tilts or zooms, no cluster jumps.
@Suite struct ClusterStripTests {
    private static let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Examples")

    /// A cluster on the map, whatever the picture.
    private struct Seen: Equatable {
        var position: LatLng
        var markers: [String]
        var text: String
    }

    private func map(_ name: String) throws -> MapView {
        let file = try SceneFile(contentsOf: Self.examples.appendingPathComponent("\(name).json").path)
        if let fit = file.fit { file.mapView.camera = try file.mapView.camera(fitting: fit) }
        return file.mapView
    }

    /// The clusters of a picture by id.
    private func seen(_ map: MapView) throws -> [String: Seen] {
        let clusters = try map.inspection().clusters
        return Dictionary(
            uniqueKeysWithValues: clusters.map { ($0.id, Seen(position: $0.position, markers: $0.markers, text: $0.text)) })
    }

    @Test(arguments: ["city", "clusters", "world"]) func turningAndTiltingMoveNoCluster(_ name: String) throws {
        let map = try map(name)
        var known = try seen(map)
        #expect(known.isEmpty == (name != "clusters"))
        for turn in stride(from: 0.0, to: 360, by: 5) {
            map.camera.bearing = turn
            map.camera.tilt = turn.truncatingRemainder(dividingBy: 60)
            for (id, cluster) in try seen(map) {
                #expect(known[id] ?? cluster == cluster, "\(id) at \(turn)°")
                known[id] = cluster
            }
        }
        // No marker is in two of them.
        let markers = known.values.flatMap(\.markers)
        #expect(Set(markers).count == markers.count)
    }

    @Test(arguments: ["city", "clusters", "world"]) func zoomingMovesNoClusterThatKeepsItsMarkers(_ name: String) throws {
        let map = try map(name)
        let first = map.camera.zoom
        // By markers: where a cluster is, at whatever zoom.
        var known: [[String]: LatLng] = [:]
        for step in 0...30 {
            map.camera.zoom = first + Double(step) / 10
            for cluster in try map.inspection().clusters where cluster.markers.count == cluster.count {
                #expect(known[cluster.markers] ?? cluster.position == cluster.position, "\(cluster.id) at zoom \(map.camera.zoom)")
                known[cluster.markers] = cluster.position
            }
        }
    }
}
