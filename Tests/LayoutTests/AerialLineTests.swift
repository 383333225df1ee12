import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Polylines whose points have altitudes: lines through the air.
@Suite struct AerialLineTests {
    private func line(_ points: [(lat: Double, lng: Double, altitude: Double)], width: Double = 4, _ change: (Polyline) -> Void = { _ in })
        -> Polyline
    {
        let line = Polyline(points: points.map { LatLng(lat: $0.lat, lng: $0.lng, altitude: $0.altitude) })
        line.width = width
        change(line)
        return line
    }

    private func map(_ camera: DesignCamera, _ overlays: Overlay...) -> MapView {
        let map = MapView(camera)
        map.add(overlays)
        return map
    }

    private func camera(zoom: Double = 8, bearing: Double = 0, tilt: Double = 60) -> DesignCamera {
        var camera = DesignCamera()
        (camera.width, camera.height, camera.zoom, camera.bearing, camera.tilt) = (400, 300, zoom, bearing, tilt)
        return camera
    }

    /// The place on the screen that the specified camera gives, in device pixels.
    private func seen(_ camera: DesignCamera, _ lat: Double, _ lng: Double, _ altitude: Double) -> (x: Double, y: Double, depth: Double) {
        camera.project(lat: lat, lng: lng, altitude: altitude)
    }

    /// The middle of the ends of a butt-capped stroke of one segment: its contour has two corners at each end.
    private func ends(_ frame: Frame) -> [(x: Double, y: Double)] {
        let points = frame.pathPoints.map { (x: Double($0.x), y: Double($0.y)) }
        guard points.count == 4 else { return [] }
        func middle(_ a: Int, _ b: Int) -> (x: Double, y: Double) { ((points[a].x + points[b].x) / 2, (points[a].y + points[b].y) / 2) }
        return [middle(0, 3), middle(1, 2)]
    }

    @Test(arguments: Seeds.all) func eachVertexIsAtItsHeight(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var camera = camera(bearing: random.number(0...360), tilt: random.number(0...70))
        (camera.lat, camera.lng) = (random.number(-60...60), random.number(-179...179))
        let points = (0..<2).map { _ in
            (lat: camera.lat + random.number(-0.2...0.2), lng: camera.lng + random.number(-0.2...0.2), altitude: random.number(1...30_000))
        }
        let expected = points.map { seen(camera, $0.lat, $0.lng, $0.altitude) }
        guard expected.allSatisfy({ (10...390).contains($0.x) && (10...290).contains($0.y) }) else { return }
        let found = ends(try map(camera, line(points)).frame())
        #expect(found.count == 2)
        for (end, place) in zip(found, expected) { #expect(hypot(end.x - place.x, end.y - place.y) < 0.01, "seed \(seed)") }
    }

    @Test func theAltitudeOfTheOverlayAndItsContainersIsAdded() throws {
        let camera = camera()
        let flight = line([(0, -0.3, 5000), (0.1, 0.3, 9000)])
        let map = map(camera)
        let group = Container([flight])
        map.add(group)
        func heights() throws -> [Double] {
            let found = ends(try map.frame())
            // The height that would put the end at its place on the screen.
            return zip(found, [(0.0, -0.3), (0.1, 0.3)]).map { end, place in
                var (low, high) = (0.0, 100_000.0)
                for _ in 0..<60 {
                    let middle = (low + high) / 2
                    if seen(camera, place.0, place.1, middle).y > end.y { low = middle } else { high = middle }
                }
                return (low / 10).rounded() * 10
            }
        }
        #expect(try heights() == [5000, 9000])
        flight.altitude = 2000
        #expect(try heights() == [7000, 11_000])
        group.altitude = 1000
        #expect(try heights() == [8000, 12_000])
        flight.color = .red
        #expect(try heights() == [8000, 12_000])
        #expect(Composer.of(map).statistics.shapeReads == 3)
    }

    @Test func aLineWithoutAltitudesLiesLevel() throws {
        let camera = camera()
        let level = line([(0, -0.3, 0), (0.1, 0.3, 0)]) { $0.altitude = 5000 }
        let found = ends(try map(camera, level).frame())
        for (end, place) in zip(found, [(0.0, -0.3), (0.1, 0.3)]) {
            let expected = seen(camera, place.0, place.1, 5000)
            #expect(hypot(end.x - expected.x, end.y - expected.y) < 0.02)
        }
        #expect(found.count == 2)
    }

    @Test func theWidthIsThatOfTheScreen() throws {
        let frame = try map(camera(), line([(-0.2, -0.2, 0), (0.5, 0.2, 20_000)], width: 6)).frame()
        let points = frame.pathPoints.map { (x: Double($0.x), y: Double($0.y)) }
        #expect(points.count == 4)
        for (a, b) in [(0, 3), (1, 2)] { #expect(abs(hypot(points[a].x - points[b].x, points[a].y - points[b].y) - 6) < 0.01) }
    }

    /// Straight up, then along, then down: the dashes extend as far along the ground as without the climb.
    @Test func dashesAreMeasuredOnTheGround() throws {
        let camera = camera(zoom: 8, tilt: 0)
        let flat = line([(0, -0.4, 0), (0, 0.4, 0)]) { $0.pattern = [20, 10] }
        let raised = line([(0, -0.4, 0), (0, -0.4, 1), (0, 0.4, 1), (0, 0.4, 0)]) { $0.pattern = [20, 10] }
        func dashes(_ line: Polyline) throws -> [ClosedRange<Double>] {
            let frame = try map(camera, line).frame()
            var (start, found): (Int, [ClosedRange<Double>]) = (0, [])
            for end in frame.contours {
                let xs = frame.pathPoints[start..<end].map { Double($0.x) }
                found.append(xs.min()!...xs.max()!)
                start = end
            }
            return found
        }
        let (expected, found) = (try dashes(flat), try dashes(raised))
        #expect(expected.count > 5 && expected.count == found.count)
        for (a, b) in zip(expected, found) {
            #expect(abs(a.lowerBound - b.lowerBound) < 0.1 && abs(a.upperBound - b.upperBound) < 0.1)
        }
    }

    @Test func whatIsBelowTheGroundIsNotDrawn() throws {
        let camera = camera(tilt: 60)
        // Down through the ground halfway: straight in space, so the ground is at the middle of the edge.
        let found = ends(try map(camera, line([(0, -0.2, 8000), (0, 0.2, -8000)])).frame())
        let (start, middle) = (seen(camera, 0, -0.2, 8000), seen(camera, 0, 0, 0))
        #expect(found.count == 2)
        #expect(hypot(found[0].x - start.x, found[0].y - start.y) < 0.01 && hypot(found[1].x - middle.x, found[1].y - middle.y) < 0.01)
        let map = map(camera, line([(0, -0.2, -1), (0, 0.2, -8000)]))
        #expect(try map.entry().reason == .underground)
        map.overlays[0].altitude = 10
        #expect(try map.entry().reason == nil)
        // Along the ground: nothing is lost to rounding.
        for bearing in [0.0, 33, 214] {
            let camera = self.camera(bearing: bearing, tilt: 71)
            let low = try self.map(camera, line([(0, -0.2, 0), (0, 0, 0), (0, 0.2, 1e-9)])).frame()
            let ends = [seen(camera, 0, -0.2, 0), seen(camera, 0, 0.2, 0)]
            let xs = low.pathPoints.map { Double($0.x) }
            #expect(abs(xs.min()! - ends.map(\.x).min()!) < 4 && abs(xs.max()! - ends.map(\.x).max()!) < 4)
        }
    }

    /// The near limit cuts a line that rises past the camera; nothing of it is drawn mirrored.
    @Test(arguments: [0.0, 20, 45, 80]) func aLineThatPassesTheCameraIsCutAtTheNearLimit(tilt: Double) throws {
        let camera = camera(zoom: 10, tilt: tilt)
        let top = 3 * 1.5 * camera.height / camera.pointsPerMeter(lat: 0)
        for target in [-0.3, 0, 0.02, 0.3] {
            let map = map(camera, line([(0, 0, 0), (target, target / 2, top)]))
            let frame = try map.frame()
            // Starting at the center of the picture, monotonically toward the vanishing point: all on one side of the start.
            let expected = seen(camera, target * 0.02, target * 0.01, top * 0.02)
            let direction = (x: expected.x - 200, y: expected.y - 150)
            for point in frame.pathPoints {
                let along = (Double(point.x) - 200) * direction.x + (Double(point.y) - 150) * direction.y
                #expect(along >= -3 * hypot(direction.x, direction.y), "tilt \(tilt), target \(target): \(point)")
                #expect(point.x > -60 && point.x < 460 && point.y > -60 && point.y < 360)
            }
        }
        // Wholly nearer than the near limit.
        let behind = map(camera, line([(0, 0, top), (0.001, 0.001, top)]))
        let depth = seen(camera, 0, 0, top).depth
        if depth < 0 { #expect(try behind.entry().reason == .behindCamera) }
    }

    /// A great circle keeps to its ground track, and its altitude changes uniformly along it.
    @Test func theAltitudeOfAGreatCircleChangesAlongIt() throws {
        var camera = camera(zoom: 1.5, tilt: 40)
        (camera.lat, camera.lng) = (45, -40)
        let high = line([(40.6, -73.8, 0), (51.5, -0.45, 1_000_000)]) { $0.isGeodesic = true }
        let frame = try map(camera, high).frame()
        func sphere(_ lat: Double, _ lng: Double) -> SIMD3<Double> {
            let (phi, lambda) = (lat * .pi / 180, lng * .pi / 180)
            return [cos(phi) * cos(lambda), cos(phi) * sin(lambda), sin(phi)]
        }
        let (a, b) = (sphere(40.6, -73.8), sphere(51.5, -0.45))
        let angle = acos((a * b).sum())
        for share in [0.1, 0.25, 0.5, 0.75, 0.9] {
            let point = (a * sin((1 - share) * angle) + b * sin(share * angle)) / sin(angle)
            let place = seen(camera, asin(point.z) * 180 / .pi, atan2(point.y, point.x) * 180 / .pi, 1_000_000 * share)
            #expect(contains(frame, place.x, place.y), "\(share)")
            // Its ground track is elsewhere.
            let ground = seen(camera, asin(point.z) * 180 / .pi, atan2(point.y, point.x) * 180 / .pi, 0)
            #expect(share < 0.2 || !contains(frame, ground.x, ground.y), "\(share)")
        }
    }

    /// Whether a stroke contains a point (even-odd rule over its contours, which do not overlap).
    private func contains(_ frame: Frame, _ x: Double, _ y: Double) -> Bool {
        var (start, isInside) = (0, false)
        for end in frame.contours {
            let ring = frame.pathPoints[start..<end].map { (x: Double($0.x), y: Double($0.y)) }
            for (p, q) in zip(ring, ring[1...] + ring[..<1]) where (p.y > y) != (q.y > y) {
                if x < p.x + (y - p.y) / (q.y - p.y) * (q.x - p.x) { isInside.toggle() }
            }
            start = end
        }
        return isInside
    }

    @Test func copiesOfTheWorld() throws {
        var camera = camera(zoom: 0, tilt: 0)
        (camera.width, camera.height) = (1400, 300)
        let flight = line([(10, 170, 0), (20, -170, 2_000_000)])
        let map = map(camera, flight)
        let entry = try map.entry()
        #expect(entry.copies == 2)
        let frame = try map.frame()
        let center = camera.world(lat: camera.lat, lng: camera.lng)
        for west in [-190.0, 170] {
            // Near its end, on the straight line in space.
            let (a, b) = (camera.world(lat: 10, lng: west), camera.world(lat: 20, lng: west + 20))
            let height = 2_000_000 * camera.pointsPerMeter(lat: 20)
            let place = camera.project(a.x + (b.x - a.x) * 0.95 - center.x, a.y + (b.y - a.y) * 0.95 - center.y, height: height * 0.95)
            #expect(contains(frame, place.x, place.y), "\(west)")
        }
    }

    @Test func thePassedPartOfARouteIsInTheAir() throws {
        let camera = camera()
        let route = Route(points: [
            LatLng(lat: 0, lng: -0.4, altitude: 0), LatLng(lat: 0, lng: 0, altitude: 10_000), LatLng(lat: 0, lng: 0.4, altitude: 0),
        ])
        route.progress = 0.25
        let frame = try map(camera, route).frame()
        let passed = try #require(frame.paths.last).contours
        let points = frame.pathPoints[frame.contours[passed.lowerBound - 1]..<frame.contours[passed.upperBound - 1]]
        let end = seen(camera, 0, -0.2, 5000)
        let right = points.filter { abs(Double($0.x) - end.x) < 3 }
        #expect(right.count == 2)
        let middle = right.reduce(0) { $0 + Double($1.y) } / 2
        #expect(abs(middle - end.y) < 0.05 && points.allSatisfy { Double($0.x) < end.x + 3 })
    }

    @Test func fitShowsTheHeights() throws {
        let map = map(camera(), line([(0, -0.2, 0), (0, 0, 60_000), (0, 0.2, 0)]))
        let extent = try #require(try map.extent())
        let viewport = try map.viewport()
        let box = try #require(extent.box(in: viewport, centerX: viewport.centerX))
        let top = seen(camera(), 0, 0, 60_000)
        #expect(abs(box.top - (top.y - 2)) < 0.01)
    }

    /// Many heights are fitted by the outermost ones, and checked with all.
    @Test func fitOfManyHeights() throws {
        let points = (0...400).map { index in
            let share = Double(index) / 400
            return (lat: 0.1 * sin(share * 40), lng: -0.2 + 0.4 * share, altitude: 60_000 * sin(share * .pi))
        }
        let map = map(camera(), line(points))
        var extent = try #require(try map.extent())
        let viewport = try map.viewport()
        while extent.extend(in: viewport, centerX: viewport.centerX) {}
        let box = try #require(extent.box(in: viewport, centerX: viewport.centerX))
        let places = points.map { self.seen(camera(), $0.lat, $0.lng, $0.altitude) }
        #expect(abs(box.top - (places.map(\.y).min()! - 2)) < 0.01 && abs(box.bottom - (places.map(\.y).max()! + 2)) < 0.01)
        #expect(abs(box.left - (places.map(\.x).min()! - 2)) < 0.01 && abs(box.right - (places.map(\.x).max()! + 2)) < 0.01)
    }

    @Test func whatHasNoEffectIsReported() throws {
        let map = map(camera(), line([(0, -0.2, 0), (0, 0.2, 9)]) { $0.isPerspectiveEnabled = true })
        #expect(
            try map.placement().diagnostics.map(\.message) == [
                "this property has no effect on a line whose points have altitudes; the width is the same everywhere on the screen"
            ])
        let area = Polygon(rings: [
            [LatLng(lat: 0, lng: 0), LatLng(lat: 0, lng: 0.1, altitude: 50), LatLng(lat: 0.1, lng: 0.1)]
        ])
        map.removeAll()
        map.add(area)
        #expect(
            try map.placement().diagnostics.map { "\($0.path ?? ""): \($0.message)" } == [
                "rings: the points have different altitudes; the area is drawn level, at the altitude of the first point"
            ])
        #expect(try map.entry().isVisible)
    }
}
