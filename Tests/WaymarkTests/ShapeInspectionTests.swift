import Foundation
import Testing
import Waymark

/// The geometry of shapes on the screen, and the one encoding of inspections.
@Suite struct ShapeInspectionTests {
    private func mapView(_ overlays: [Overlay], tilt: Double = 0, zoom: Double = 4) -> MapView {
        let mapView = MapView(size: CGSize(width: 400, height: 300), pixelRatio: 2)
        mapView.camera = Camera(center: LatLng(lat: 0, lng: 0), zoom: zoom, bearing: 20, tilt: tilt)
        mapView.add(overlays)
        return mapView
    }

    private func line(_ points: [LatLng]) -> Polyline {
        let line = Polyline()
        line.points = points
        return line
    }

    private func distance(_ a: Inspection.Point, _ b: CGPoint) -> Double { hypot(a.x - b.x, a.y - b.y) }

    @Test func linesAreTheirProjectedPoints() throws {
        let points = [LatLng(lat: 1, lng: -3), LatLng(lat: 2, lng: 4), LatLng(lat: -3, lng: 6)]
        for tilt in [0.0, 60] {
            let mapView = mapView([line(points)], tilt: tilt)
            let entry = try mapView.inspection().overlays[0]
            let lines = try #require(entry.lines)
            #expect(lines.count == 1 && lines[0].count == 3 && entry.rings == nil && entry.quad == nil)
            for (seen, point) in zip(lines[0], points) {
                #expect(distance(seen, try #require(mapView.point(from: point))) < 0.01)
            }
            let rect = try #require(entry.rect)
            #expect(rect.x == lines[0].map(\.x).min() && rect.y == lines[0].map(\.y).min())
            #expect(abs(rect.x + rect.width - (lines[0].map(\.x).max() ?? 0)) < 1e-9)
        }
    }

    @Test func linesEndWhereTheCameraDoesNotSeeOn() throws {
        // From behind the camera into the distance.
        let mapView = mapView([line([LatLng(lat: -80, lng: 0), LatLng(lat: 80, lng: 0)])], tilt: 70, zoom: 5)
        mapView.camera.bearing = 0
        let entry = try mapView.inspection().overlays[0]
        let seen = try #require(entry.lines)
        #expect(seen.count == 1 && seen[0].count == 2)
        #expect(seen[0].allSatisfy { abs($0.x - 200) < 0.01 } && seen[0][0].y > 300 && seen[0][1].y < 150)
    }

    @Test func ringsOfPolygonsAndCircles() throws {
        let polygon = Polygon()
        let outer = [LatLng(lat: -2, lng: -2), LatLng(lat: -2, lng: 2), LatLng(lat: 2, lng: 2), LatLng(lat: 2, lng: -2)]
        let hole = [LatLng(lat: -1, lng: -1), LatLng(lat: 1, lng: -1), LatLng(lat: 1, lng: 1)]
        polygon.rings = [outer + [outer[0]], hole]
        let circle = Circle()
        circle.center = LatLng(lat: 10, lng: 5)
        circle.radius = 200_000
        let mapView = mapView([polygon, circle], tilt: 30)
        let entries = try mapView.inspection().overlays
        let rings = try #require(entries[0].rings)
        #expect(rings.map(\.count).sorted() == [3, 4] && entries[0].lines == nil)
        for point in outer + hole {
            let seen = try #require(mapView.point(from: point))
            #expect(rings.joined().contains { distance($0, seen) < 0.01 })
        }
        let ring = try #require(entries[1].rings?.first)
        #expect(entries[1].rings?.count == 1 && ring.count >= 16)
        // The outermost points north and south.
        let metersPerDegree = 6_378_137 * Double.pi / 180
        for lat in [10 - 200_000 / metersPerDegree, 10 + 200_000 / metersPerDegree] {
            let seen = try #require(mapView.point(from: LatLng(lat: lat, lng: 5)))
            #expect((ring.map { distance($0, seen) }.min() ?? .infinity) < 0.1)
        }
    }

    @Test func thePointsAreBoundedInNumber() throws {
        let wave = (0..<20_000).map { LatLng(lat: sin(Double($0) / 40), lng: Double($0) / 2000 - 5) }
        let specks = Polygon()
        specks.polygons = (0..<2000).map { number in
            let (lat, lng) = (Double(number / 50) / 10 - 2, Double(number % 50) / 10 - 2)
            let size = number == 777 ? 0.09 : 0.02
            return [[LatLng(lat: lat, lng: lng), LatLng(lat: lat, lng: lng + size), LatLng(lat: lat + size, lng: lng)]]
        }
        let mapView = mapView([line(wave), specks], zoom: 7)
        let entries = try mapView.inspection().overlays
        let lines = try #require(entries[0].lines)
        #expect(lines.count == 1 && (100...1000).contains(lines[0].count))
        #expect(distance(lines[0][0], try #require(mapView.point(from: wave[0]))) < 0.01)
        let rings = try #require(entries[1].rings)
        #expect(rings.count == 333 && rings.joined().count <= 1000)
        let largest = try #require(mapView.point(from: specks.polygons[777][0][0]))
        #expect(rings.joined().contains { distance($0, largest) < 0.1 })
        #expect((entries[1].rect?.width ?? 0) > 400)
    }

    @Test func oneEncodingForAll() throws {
        let polyline = line([LatLng(lat: 0, lng: 0), LatLng(lat: 1, lng: 1)])
        polyline.id = "way"
        let marker = Marker(position: LatLng(lat: 1, lng: 1))
        marker.alpha = 2
        let inspection = try mapView([polyline, marker]).inspection()
        let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(inspection)) as? NSDictionary
        let printed = try JSONSerialization.jsonObject(with: Data(inspection.json.text.utf8)) as? NSDictionary
        #expect(encoded != nil && encoded == printed)
        let overlays = try #require(encoded?["overlays"] as? [[String: Any]])
        #expect(overlays[0]["id"] as? String == "way" && (overlays[0]["lines"] as? [[[Double]]])?[0].count == 2)
        #expect(overlays[1]["reason"] as? String == "invalid" && overlays[1]["lines"] == nil && overlays[1]["anchor"] is NSNull)
    }
}
