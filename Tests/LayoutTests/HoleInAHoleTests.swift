import Foundation
import Testing
import WaymarkGeo
import WaymarkLayout
import WaymarkRaster
import WaymarkScene
import WaymarkTestSupport

/// GeoJSON (RFC 7946) makes an area inside a hole a separate polygon: as a further ring it would be a hole in a hole. It is filled, with a
/// diagnostic, and a lake in it is not.
@Suite struct HoleInAHoleTests {
    private func ring(_ reach: Double, lng: Double = 0, isReversed: Bool = false) -> [LatLng] {
        let corners = [(1.0, 1.0), (-1, 1), (-1, -1), (1, -1)].map { LatLng(lat: $0.0 * reach, lng: lng + $0.1 * reach) }
        return isReversed ? corners.reversed() : corners
    }

    private func map(_ change: (Polygon) -> Void) -> MapView {
        let mapView = MapView(200, 200, Camera(center: LatLng(lat: 0, lng: 0), zoom: 3))
        let polygon = Polygon()
        polygon.id = "land"
        change(polygon)
        mapView.add(polygon)
        return mapView
    }

    private func words(_ mapView: MapView) throws -> [String] { try mapView.placement().diagnostics.map(\.description) }

    /// Whether the polygon is filled at these longitudes on the equator.
    private func fills(_ mapView: MapView, _ lngs: [Double]) throws -> [Bool] {
        let frame = try mapView.frame()
        return try lngs.map { lng in
            let point = try #require(mapView.point(from: LatLng(lat: 0.01, lng: lng)))
            return frame.paths.contains { path in
                let found = path.contours.flatMap { crossings(Array(frame.points(ofContour: $0)), Float(point.x), Float(point.y)) }
                return path.rule == .evenOdd ? found.count % 2 == 1 : found.reduce(0, +) != 0
            }
        }
    }

    /// The edges of a contour to the right of a point, 1 downward and -1 upward.
    private func crossings(_ contour: [PathPoint], _ x: Float, _ y: Float) -> [Int] {
        zip(contour, contour.dropFirst() + contour.prefix(1)).compactMap { a, b in
            guard (a.y <= y) != (b.y <= y), a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x) > x else { return nil }
            return b.y > a.y ? 1 : -1
        }
    }

    @Test(arguments: [false, true]) func anIslandIsFilledAndTold(isReversed: Bool) throws {
        let mapView = map { $0.rings = [ring(4), ring(3, isReversed: isReversed), ring(2)] }
        #expect(
            try words(mapView) == [
                "land: rings[2]: this hole lies inside another, rings[1], and is filled by the even-odd rule; "
                    + "in GeoJSON, an area inside a hole is a separate polygon"
            ])
        #expect(try fills(mapView, [3.5, 2.5, 1]) == [true, false, true])
    }

    @Test func aLakeOnTheIslandIsNot() throws {
        let mapView = map { $0.polygons = [[ring(0.5, lng: 6)], [ring(4), ring(1), ring(3), ring(2)]] }
        #expect(try words(mapView).count == 1)
        #expect(try words(mapView)[0].hasPrefix("land: polygons[1]["))
        #expect(try fills(mapView, [3.5, 2.5, 1.5, 0.5, 6]) == [true, false, true, false, true])
    }

    @Test func anIslandOfItsOwnAndHolesSideBySideAreRight() throws {
        let island = map { $0.polygons = [[ring(4), ring(3)], [ring(2)]] }
        #expect(try words(island).isEmpty)
        #expect(try fills(island, [3.5, 2.5, 1]) == [true, false, true])
        // Within the box of the other, but not in it.
        let corner = [LatLng(lat: 3, lng: -3), LatLng(lat: 3, lng: 3), LatLng(lat: 2.9, lng: 3), LatLng(lat: 2.9, lng: -2.9)]
        let side = corner + [LatLng(lat: -3, lng: -2.9), LatLng(lat: -3, lng: -3)]
        let holes = map { $0.rings = [ring(4), side, ring(1), ring(0.5, lng: 2)] }
        #expect(try words(holes).isEmpty)
        #expect(try fills(holes, [-3.5, -2.5, 0, 2, 3.5]) == [true, true, false, false, true])
    }

    /// A square and the star that touches it from inside have one box.
    @Test func holesOfOneBox() throws {
        let corners = [(2.0, 0.0), (0.5, 0.5), (0, 2), (-0.5, 0.5), (-2, 0), (-0.5, -0.5), (0, -2), (0.5, -0.5)]
        let star = corners.map { LatLng(lat: $0.0, lng: $0.1) }
        for rings in [[ring(4), ring(2), star], [ring(4), star, ring(2)]] {
            let mapView = map { $0.rings = rings }
            let square = rings[1] == star ? 2 : 1
            #expect(
                try words(mapView).first?.hasPrefix("land: rings[\(3 - square)]: this hole lies inside another, rings[\(square)]") == true)
        }
    }

    /// Thousands of holes, as in a map of lakes, take little time.
    @Test func manyHoles() throws {
        func triangle(_ lat: Double, _ lng: Double, _ side: Double) -> [LatLng] {
            [LatLng(lat: lat, lng: lng), LatLng(lat: lat, lng: lng + side), LatLng(lat: lat + side, lng: lng + side)]
        }
        let holes: [[LatLng]] = (0..<3600).map { triangle(-3.5 + Double($0 / 60) / 10, -3.5 + Double($0 % 60) / 10, 0.05) }
        #expect(try words(map { $0.rings = [ring(4)] + holes }).isEmpty)
        let inner = triangle(holes[1234][0].lat + 0.01, holes[1234][0].lng + 0.02, 0.01)
        let word = try #require(try words(map { $0.rings = [ring(4)] + holes + [inner] }).first)
        #expect(word.contains("rings[3601]: this hole lies inside another, rings[1235]"), "\(word)")
    }
}
