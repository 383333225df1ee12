import Foundation
import Testing
import WaymarkGeo
import WaymarkInteraction
import WaymarkScene
import WaymarkTestSupport

/// The snippets of HERE's page on clusters that are about events and picking.
@Suite struct ClusterEventTests {
    let mapView = MapView(city: 400, 400)

    init() throws {
        let layer = ClusterLayer()
        for (x, y) in [(198.0, 200.0), (200, 203), (203, 198), (40, 40)] {
            layer.add(Marker(position: try #require(mapView.geoCoordinates(from: CGPoint(x: x, y: y)))))
        }
        mapView.add(layer)
    }

    @Test func theDelegateHearsOfTheClusterThatIsTapped() {
        final class Delegate: MapViewDelegate {
            var lines: [String] = []

            func mapView(_ mapView: MapView, didSelect objects: [ViewObject]) {
                for object in objects {
                    if let cluster = object as? Cluster { lines.append("Cluster of \(cluster.markers.count) markers") }
                }
            }
        }
        let delegate = Delegate()
        mapView.delegate = delegate
        mapView.tap(at: CGPoint(x: 200, y: 200))
        mapView.tap(at: CGPoint(x: 40, y: 30))
        #expect(delegate.lines == ["Cluster of 3 markers"])
    }

    /// A cluster describes its picture: a marker that has since reused a slot was never in it.
    @Test func aClusterLeavesOutWhatWasAddedLater() throws {
        let cluster = try #require(mapView.objects(at: CGPoint(x: 200, y: 200)).compactMap { $0 as? Cluster }.first)
        let markers = cluster.markers
        #expect(markers.count == 3)
        #expect(cluster.layer.remove(markers[1]))
        let position = try #require(markers[0].position)
        cluster.layer.add(Marker(position: position))
        #expect(cluster.markers == [markers[0], markers[2]])
        // A marker that was removed and added again is another one to the picture.
        cluster.layer.remove(markers[0])
        cluster.layer.add(markers[0])
        #expect(cluster.markers == [markers[2]])
        cluster.layer.removeAll()
        #expect(cluster.markers.isEmpty)
    }

    @Test func theMarkersOfAClusterAreFoundAtItsCoordinates() throws {
        let coordinates = mapView.camera.center
        let point = try #require(mapView.point(from: coordinates))
        let clusters = mapView.objects(at: point).compactMap { $0 as? Cluster }
        #expect(clusters.map(\.markers.count) == [3])
        // The bounding box around all its markers.
        let box = try #require(clusters.first?.boundingBox)
        #expect(clusters[0].markers.allSatisfy { $0.position.map(box.contains) ?? false })
    }
}
