import Foundation
import Testing
import WaymarkGeo
import WaymarkInteraction
import WaymarkScene
import WaymarkTestSupport

/// A drag that begins on a copy of the world moved the marker as if it had begun on the copy nearest the view's center.
@Suite struct DragOnWorldCopyTests {
    private let mapView = MapView(size: CGSize(width: 1800, height: 400))

    init() {
        mapView.camera = Camera(center: LatLng(lat: 20, lng: 0), zoom: 0, bearing: 0, tilt: 60)
    }

    /// Where a marker is on a copy of the world.
    private func point(_ position: LatLng, altitude: Double, copy: Double) throws -> CGPoint {
        let viewport = try mapView.viewport()
        let offset = try #require(viewport.worldOffset(of: position))
        let screen = viewport.project(
            offsetX: offset.x + copy * viewport.worldSize, offsetY: offset.y,
            height: altitude * viewport.pointsPerMeter(atLatitude: position.lat))
        return CGPoint(x: screen.x, y: screen.y)
    }

    @Test(arguments: [-1.0, 0, 1], [0.0, 400_000])
    func theMarkerFollowsThePointerOnItsCopy(copy: Double, altitude: Double) throws {
        let marker = try mapView.put("a", 900, 200) {
            $0.isDraggable = true
            $0.altitude = altitude
        }
        let before = try point(try #require(marker.position), altitude: altitude, copy: copy)
        let end = CGPoint(x: before.x + 100, y: before.y + 60)
        #expect(mapView.drag(along: [before, end]) === marker)
        let position = try #require(marker.position)
        // On one copy or another, it is where the pointer is.
        let distances = try [-2.0, -1, 0, 1, 2].map { other in
            let after = try point(position, altitude: altitude, copy: other)
            return hypot(after.x - end.x, after.y - end.y)
        }
        #expect(try #require(distances.min()) < 0.01)
        if altitude == 0 {
            let ground = try #require(mapView.geoCoordinates(from: end))
            #expect(abs(position.lat - ground.lat) < 1e-6 && abs(position.lng - ground.lng) < 1e-6)
        }
        #expect(mapView.visibleObjects(at: end).first === marker)
    }

    @Test func aMarkerOfAClusterLayerFollowsOnItsCopy() throws {
        let marker = Marker(position: try #require(mapView.geoCoordinates(from: CGPoint(x: 900, y: 200))))
        marker.isDraggable = true
        let layer = ClusterLayer([marker])
        mapView.add(layer)
        let before = try point(try #require(marker.position), altitude: 0, copy: -1)
        let end = CGPoint(x: before.x + 50, y: before.y + 40)
        #expect(mapView.drag(along: [before, end]) === marker)
        let ground = try #require(mapView.geoCoordinates(from: end))
        let position = try #require(marker.position)
        #expect(abs(position.lat - ground.lat) < 1e-6 && abs(position.lng - ground.lng) < 1e-6)
    }
}
