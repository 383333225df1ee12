import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkInteraction
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Among the areas around a point, the first belongs to the picked object.
@Suite struct HitMapTests {
    @Test(arguments: Seeds.all) func areasAndPicksAgree(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let (tilt, bearing) = (random.one(of: [0.0, 50, 70]), random.one(of: [0.0, 30]))
        let mapView = MapView(city: 300, 300, bearing: bearing, tilt: tilt)
        mapView.pixelRatio = random.one(of: [1, 2])
        func place() -> LatLng {
            mapView.geoCoordinates(from: CGPoint(x: random.number(0...300), y: random.number(100...300))) ?? mapView.camera.center
        }
        for number in 0..<12 {
            let overlay: Overlay
            switch number % 4 {
            case 0:
                let marker = Marker(position: place())
                marker.iconImage = OverlayImage(bitmap: Bitmap(width: 30, height: 20, fill: .red))
                (marker.angle, marker.isFlat) = (random.number(0...360), random.once(in: 2))
                if random.once(in: 2) { marker.captionText = "A caption" }
                overlay = marker
            case 1:
                let line = Polyline(points: [place(), place(), place()])
                line.width = random.number(2...12)
                (line.startArrow, line.endArrow) = (random.one(of: [.none, .open]), random.one(of: [.none, .filled]))
                overlay = line
            case 2:
                let circle = Circle(center: place(), radius: random.number(50...400))
                circle.outlineWidth = random.one(of: [0, 3])
                overlay = circle
            default:
                let center = place()
                func ring(_ reach: Double, _ turn: Double) -> [LatLng] {
                    [(1, 1), (-1, 1), (-1, -1), (1, -1)].map {
                        LatLng(lat: center.lat + reach * $0.0 * turn, lng: center.lng + reach * $0.1)
                    }
                }
                let polygon = Polygon()
                // Holes that turn in either direction, and an island.
                polygon.rings = [ring(0.01, 1), ring(0.006, random.one(of: [1, -1])), ring(0.003, 1)]
                overlay = polygon
            }
            overlay.id = "\(number)"
            overlay.zIndex = random.integer(0...2)
            mapView.add(overlay)
        }
        let areas = try Composer.of(mapView).place(mapView).areas(lineTolerance: 0)
        var compared = 0
        for _ in 0..<400 {
            let point = SIMD2(random.number(0...300), random.number(0...300))
            // Polygons are exact to a quarter of a pixel.
            guard areas.allSatisfy({ $0.polygons.allSatisfy { distance(point, $0) > 0.4 } }) else { continue }
            let first = areas.first { area in area.polygons.contains { isInside(point, $0) } }
            let expected = mapView.visible(point.x, point.y).first
            let found = first.flatMap { area -> String? in
                guard case .overlay(let slot) = area.hit.target else { return nil }
                return mapView.store.slots[Int(slot)]?.id
            }
            #expect(found == expected, "at \(point)")
            compared += expected == nil ? 0 : 1
        }
        #expect(compared > 20)
    }

    /// By both rules, since browsers differ.
    private func isInside(_ point: SIMD2<Double>, _ polygon: [SIMD2<Double>]) -> Bool {
        var (winding, crossings) = (0, 0)
        var a = polygon[polygon.count - 1]
        for b in polygon {
            if (a.y <= point.y) != (b.y <= point.y), (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x > point.x {
                winding += b.y > a.y ? 1 : -1
                crossings += 1
            }
            a = b
        }
        // Lines that run over themselves are wound twice there; holes are holes by both.
        #expect(abs(winding) > 1 || (winding != 0) == (crossings % 2 == 1))
        return winding != 0
    }

    private func distance(_ point: SIMD2<Double>, _ polygon: [SIMD2<Double>]) -> Double {
        var a = polygon[polygon.count - 1]
        return polygon.reduce(.infinity) { nearest, b in
            let (way, off) = (b - a, point - a)
            let square = (way * way).sum()
            let along = square > 0 ? min(1, max(0, (way * off).sum() / square)) : 0
            let beside = off - way * along
            a = b
            return min(nearest, (beside * beside).sum().squareRoot())
        }
    }

    /// Distant lines are thinner, but can be hit from as far away.
    @Test func theToleranceDoesNotShrinkWithTheDistance() throws {
        let mapView = MapView(300, 400, Camera(center: LatLng(lat: 0, lng: 0), zoom: 10, tilt: 80))
        let line = Polyline(points: [LatLng(lat: -1, lng: 0), LatLng(lat: 60, lng: 0)])
        line.width = 8
        mapView.add(line)
        let placement = try Composer.of(mapView).place(mapView)
        func halfAtFarLimit(tolerance: Double) throws -> Double {
            let points = placement.areas(lineTolerance: tolerance).flatMap { $0.polygons.flatMap { $0 } }
            let top = try #require(points.map(\.y).min())
            return points.filter { $0.y == top }.map { abs($0.x - 150) }.max() ?? 0
        }
        let own = try halfAtFarLimit(tolerance: 0)
        #expect(own > 0 && own < 1)
        #expect(try abs(halfAtFarLimit(tolerance: 5) - own - 5) < 0.01)
    }

    @Test func clustersAndWindowsAreAreas() throws {
        let mapView = MapView(city: 400, 400)
        let layer = ClusterLayer()
        layer.id = "towns"
        for number in 0..<5 {
            let marker = Marker(position: try #require(mapView.geoCoordinates(from: CGPoint(x: 200 + Double(number), y: 200))))
            layer.add(marker)
        }
        mapView.add(layer)
        let marker = try mapView.put("a", 100, 300) { $0.title = "A" }
        mapView.selectedMarker = marker
        let map = try Composer.of(mapView).place(mapView).hitMap(on: mapView)
        #expect(map.size == CGSize(width: 400, height: 400))
        #expect(map.areas.map(\.part).contains(.cluster) && map.areas.first?.part == .infoWindow && map.areas.first?.object === marker)
        // Seven corners: the tail is at the bottom.
        let window = try #require(map.areas.first?.polygons.first)
        #expect(window.count == 7 && window[4] == CGPoint(x: 100, y: 290))
        let cluster = try #require(map.areas.first { $0.part == .cluster }?.object as? Cluster)
        #expect(cluster.count == 5 && cluster.layer === layer)
    }
}
