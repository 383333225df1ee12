import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkLayout
import WaymarkRaster
import WaymarkScene
import WaymarkTestSupport

/// The points of circles: computed for each picture rather than kept.
@Suite struct CircleRingTests {
    private static func random(_ random: inout SplitMix64) -> CircleRing {
        let lat = random.number(-85...85)
        return CircleRing(
            center: SpherePoint(lat: lat, lng: random.number(-180...180)), angle: exp(random.number(-16 ... -2)),
            x: random.number(-1...2))
    }

    /// The ring of 64 chords, each divided where it is farther from the circle than the tolerance: the definition.
    private func divided(_ ring: CircleRing, tolerance: Double) -> [PlanePoint] {
        let circle = SmallCircle(center: ring.center, angle: ring.angle)
        var points = [circle.point(bearing: 0, near: ring.x)]
        for number in 1...64 {
            let (first, second) = (Double(number - 1) / 64 * 2 * .pi, Double(number) / 64 * 2 * .pi)
            let a = points[points.count - 1]
            let b = circle.point(bearing: number == 64 ? 0 : second, near: a.x)
            circle.subdivide(a, first, b, second, tolerance, { _, _, _ in true }, &points)
            points.append(b)
        }
        return points.dropLast()
    }

    @Test(arguments: Seeds.all) func chordsThatNeedNoDivisionAreFoundWithoutTrying(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var plain = 0
        for _ in 0..<200 {
            let ring = Self.random(&random)
            let tolerance = 0.05 / exp2(random.number(8...26))
            let expected = divided(ring, tolerance: tolerance)
            #expect(ring.points(tolerance: tolerance).points == expected, "\(ring), \(tolerance)")
            #expect(ring.refined(tolerance: tolerance, 0.05 / 16384) { _, _, _ in true }.count >= 64)
            plain += expected.count == 64 ? 1 : 0
        }
        #expect((20...180).contains(plain))
    }

    @Test func aMapDrawnOnceKeepsNoPointsOfItsCircles() throws {
        let count = 500
        func circles() -> MapView {
            let mapView = MapView(city: 400, 400)
            for index in 0..<count {
                let circle = Circle()
                circle.center = LatLng(
                    lat: 37.5670135 + Double(index % 25 - 12) * 1e-4, lng: 126.978374 + Double(index / 25 - 10) * 1e-4)
                circle.radius = 30
                circle.fillColor = .blue
                circle.outlineWidth = 1
                mapView.add(circle)
            }
            return mapView
        }
        let mapView = circles()
        let composer = Composer.of(mapView)
        let first = try mapView.frame()
        #expect(first.pathPoints.count >= 64 * count)
        #expect(composer.statistics.keptShapePoints == 0)
        #expect(try mapView.frame() == first)
        // Starting with the second picture at a zoom, they are cached, and not computed again.
        #expect((64 * count...80 * count).contains(composer.statistics.keptShapePoints))
        #expect(try mapView.frame() == first)
        let other = circles()
        mapView.camera.zoom += 3
        other.camera = mapView.camera
        #expect(try mapView.frame() == other.frame())
        #expect(composer.statistics.keptShapePoints < 64 * count)
    }
}
