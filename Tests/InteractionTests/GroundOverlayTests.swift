import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkInteraction
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

@Suite struct GroundOverlayTests {
    private let mapView = MapView(size: CGSize(width: 300, height: 200))

    private func add(_ west: Double, _ south: Double, _ east: Double, _ north: Double) throws -> GroundOverlay {
        let image = OverlayImage(bitmap: Bitmap(width: 8, height: 8, fill: .red))
        let overlay = GroundOverlay(bounds: try #require(LatLngBounds(south: south, west: west, north: north, east: east)), image: image)
        mapView.add(overlay)
        return overlay
    }

    /// Compares picks at many points with the quad that is inspected.
    @Test(arguments: [0.0, 60], [0.0, 30]) func itIsPickedInItsQuad(tilt: Double, bearing: Double) throws {
        let overlay = try add(-20, -10, 25, 15)
        overlay.bearing = bearing
        mapView.camera = Camera(center: LatLng(lat: 0, lng: 0), zoom: 1.5, bearing: 15, tilt: tilt)
        let quad = try #require(try Composer.of(mapView).place(mapView).inspection().overlays[0].quad)
        var inside = 0
        for y in stride(from: 1.5, to: 200, by: 7) {
            for x in stride(from: 1.5, to: 300, by: 7) {
                let sides = quad.indices.map { index in
                    let (a, b) = (quad[index], quad[(index + 1) % 4])
                    return ((b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x)) / hypot(b.x - a.x, b.y - a.y)
                }
                let depth = sides.min() ?? 0
                guard abs(depth) > 0.01 else { continue }
                let hits = mapView.hits(at: CGPoint(x: x, y: y), HitOptions(tolerance: 0))
                #expect(hits.count == (depth > 0 ? 1 : 0))
                if depth > 0 { inside += 1 }
                if depth > -2, depth < 0, sides.count(where: { $0 < 0 }) == 1 {
                    #expect(mapView.objects(at: CGPoint(x: x, y: y)).count == 1)
                }
                #expect(hits.allSatisfy { $0.object === overlay && $0.part == .shape && $0.isVisible })
            }
        }
        #expect(inside > 20)
        let areas = try Composer.of(mapView).place(mapView).areas(lineTolerance: 0)
        #expect(areas.count == 1 && areas[0].polygons.count == 1)
    }

    @Test func itIsTappedAndFoundWhenHidden() throws {
        let overlay = try add(-20, -10, 25, 15)
        mapView.camera = Camera(center: LatLng(lat: 0, lng: 0), zoom: 1)
        var taps = 0
        overlay.touchHandler = { _ in
            taps += 1
            return true
        }
        mapView.tap(at: CGPoint(x: 150, y: 100))
        mapView.tap(at: CGPoint(x: 10, y: 10))
        #expect(taps == 1)
        overlay.isHidden = true
        #expect(mapView.visibleObjects(at: CGPoint(x: 150, y: 100)).isEmpty && mapView.objects(at: CGPoint(x: 150, y: 100)).count == 1)
    }

    @Test(arguments: [0.0, 50], [0.0, 40]) func aFittedCameraShowsAllCorners(tilt: Double, turn: Double) throws {
        let overlay = try add(170, -10, -160, 15)
        overlay.bearing = turn
        mapView.camera = try mapView.camera(fitting: FitOptions(padding: 20, bearing: 10, tilt: tilt))
        let quad = try #require(try Composer.of(mapView).place(mapView).inspection().overlays[0].quad)
        let (xs, ys) = (quad.map(\.x), quad.map(\.y))
        let room = [xs.min()! - 20, 280 - xs.max()!, ys.min()! - 20, 180 - ys.max()!]
        #expect(room.allSatisfy { $0 > -0.01 } && room.min()! < 0.01, "\(room)")
    }
}
