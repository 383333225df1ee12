import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkRaster
import WaymarkScene
import WaymarkTestSupport

/// Arrows at the ends of lines.
@Suite struct LineArrowTests {
    private func camera(zoom: Double = 8, bearing: Double = 0, tilt: Double = 0) -> DesignCamera {
        var camera = DesignCamera()
        (camera.width, camera.height, camera.zoom, camera.bearing, camera.tilt) = (400, 300, zoom, bearing, tilt)
        return camera
    }

    private func line(_ points: [(lat: Double, lng: Double)], altitude: Double = 0, _ change: (Polyline) -> Void = { _ in }) -> Polyline {
        let line = Polyline(points: points.map { LatLng(lat: $0.lat, lng: $0.lng, altitude: altitude) })
        (line.width, line.startArrow, line.endArrow) = (4, .filled, .filled)
        change(line)
        return line
    }

    private func frame(_ camera: DesignCamera, _ overlays: Overlay...) throws -> Frame {
        let map = MapView(camera)
        map.add(overlays)
        return try map.frame()
    }

    /// The distances of the nearest point of a path from a place, and of its farthest point beyond it in a direction.
    private func tip(_ frame: Frame, path: Int = 0, _ place: (x: Double, y: Double), along: (x: Double, y: Double)) -> (Double, Double) {
        var (nearest, beyond) = (Double.infinity, -Double.infinity)
        for contour in frame.paths[path].contours {
            for point in frame.points(ofContour: contour) {
                let (x, y) = (Double(point.x) - place.x, Double(point.y) - place.y)
                nearest = min(nearest, hypot(x, y))
                beyond = max(beyond, (x * along.x + y * along.y) / hypot(along.x, along.y))
            }
        }
        return (nearest, beyond)
    }

    /// Compared with the camera's formulas.
    @Test(arguments: Seeds.all) func tipsAreAtTheEndsOfTheLine(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for tilt in [0.0, 60] {
            var camera = camera(zoom: random.number(4...22), bearing: random.number(0...360), tilt: tilt)
            (camera.lat, camera.lng) = (random.number(-60...60), random.number(-179...179))
            let degree = 360 / camera.worldSize
            let altitude = random.once(in: 3) ? random.number(0...20) * degree * 100 : 0
            let line = line(
                (0..<2).map { _ in (camera.lat + random.number(-60...60) * degree, camera.lng + random.number(-120...120) * degree) },
                altitude: altitude)
            line.startArrow = random.one(of: [.open, .filled])
            line.endArrow = random.one(of: [.open, .filled])
            line.arrowSize = random.number(1...8)
            line.isPerspectiveEnabled = random.once(in: 2)
            line.outlineWidth = random.one(of: [0, 2])
            line.pattern = random.one(of: [[], [6, 3]])
            let frame = try frame(camera, line)
            let ends = line.points.map { camera.project(lat: $0.lat, lng: $0.lng, altitude: $0.altitude) }
            for (end, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                let direction = (x: end.x - other.x, y: end.y - other.y)
                guard hypot(direction.x, direction.y) > 20 else { continue }
                let found = tip(frame, path: frame.paths.count - 1, (end.x, end.y), along: direction)
                #expect(found.0 < 0.1, "seed \(seed), tilt \(tilt)")
                // A wide arrow may lie across the direction in which the tip points in perspective.
                #expect(found.1 < (line.isPerspectiveEnabled && tilt > 0 ? 40 : 0.1), "seed \(seed), tilt \(tilt)")
            }
        }
    }

    /// A filled arrow is as long as it is wide, and the line ends at its base.
    @Test func aFilledArrowIsATriangle() throws {
        let frame = try frame(camera(), line([(0, -0.4), (0, 0.4)]) { $0.startArrow = .none })
        let end = camera().project(lat: 0, lng: 0.4)
        let corners = frame.points(ofContour: 0).map { (Double($0.x) - end.x, Double($0.y) - end.y) }
        let expected = [(0.0, 0.0), (-16, 8), (-16, -8), (-16, 2), (-16, -2)]
        #expect(frame.paths[0].contours.count == 1)
        for corner in expected { #expect(corners.contains { hypot($0.0 - corner.0, $0.1 - corner.1) < 0.01 }, "\(corner): \(corners)") }
    }

    /// The bars of an open arrow are as wide as the line, and lie in the same outline as a filled one.
    @Test func theBarsOfAnOpenArrowAreAsWideAsTheLine() throws {
        let frame = try frame(camera(), line([(0, -0.4), (0, 0.4)]) { ($0.startArrow, $0.endArrow) = (.none, .open) })
        let end = camera().project(lat: 0, lng: 0.4)
        let corners = frame.points(ofContour: 0).map { PlanePoint(Double($0.x) - end.x, Double($0.y) - end.y) }
        let bar = PlanePoint(-2, 1) / 5.0.squareRoot()
        let outer = bar * (16 * 5.0.squareRoot() / 2)
        let inner = outer - PlanePoint(1, 2) / 5.0.squareRoot() * 4
        for corner in [outer, inner] { #expect(corners.contains { ($0 - corner).length < 0.01 }, "\(corner): \(corners)") }
    }

    /// The outline's arrow surrounds the line's by its width, and both point in the same direction although the line is curved.
    @Test(arguments: [LineArrow.open, .filled]) func outlinesSurroundArrows(kind: LineArrow) throws {
        let points = (0...40).map { step in
            let angle = Double(step) / 40 * .pi
            return (lat: 0.3 * sin(angle), lng: -0.3 * cos(angle))
        }
        let line = line(points) { ($0.startArrow, $0.endArrow, $0.outlineWidth, $0.arrowSize) = (.none, kind, 3, 6) }
        let frame = try frame(camera(), line)
        let (outer, inner) = (Array(frame.points(ofContour: 0)), Array(frame.points(ofContour: 1)))
        let end = camera().project(lat: points[40].lat, lng: points[40].lng)
        func near(_ contour: [PathPoint]) -> [PlanePoint] {
            contour.map { PlanePoint(Double($0.x) - end.x, Double($0.y) - end.y) }.filter { $0.length < 40 }
        }
        func distance(_ point: PlanePoint, _ a: PlanePoint, _ b: PlanePoint) -> Double {
            let step = b - a
            let square = step.x * step.x + step.y * step.y
            let share = square > 0 ? min(1, max(0, ((point - a).x * step.x + (point - a).y * step.y) / square)) : 0
            return (point - a - step * share).length
        }
        let edges = near(outer)
        let distances = near(inner).filter { $0.length < 28 }.map { corner in
            zip(edges, edges.dropFirst()).map { distance(corner, $0, $1) }.min() ?? 0
        }
        // Where an open arrow meets its line, their outlines meet farther out.
        #expect(distances.allSatisfy { $0 > 2.95 })
        #expect(distances.count { $0 < 3.05 } >= 3)
    }

    @Test func arrowsShrinkOnShortLines() throws {
        for (length, kinds) in [(10.0, (LineArrow.none, LineArrow.filled)), (18, (.filled, .filled)), (3, (.open, .open))] {
            let degree = 360 / camera().worldSize
            let short = line([(0, 0), (0, length * degree)]) { ($0.startArrow, $0.endArrow) = kinds }
            let frame = try frame(camera(), short)
            let xs = frame.pathPoints.map { Double($0.x) }
            #expect(abs(xs.min()! - 200) < 0.01 && abs(xs.max()! - 200 - length) < 0.01, "\(length)")
        }
        // A line without length has no direction.
        let dot = line([(0, 0), (0, 0)]) { $0.capType = .round }
        #expect(try frame(camera(), dot).paths.count == 1)
    }

    /// No arrow is drawn where the picture, the far limit or the map's edge cuts a line, and its tip may lie outside of the picture.
    @Test func onlyEndsHaveArrows() throws {
        func width(_ line: Polyline, _ camera: DesignCamera, right: Double = .infinity) throws -> Double {
            let ys = try frame(camera, line).pathPoints.filter { Double($0.x) < right && $0.x > -30 }.map { Double($0.y) }
            return (ys.max() ?? 0) - (ys.min() ?? 0)
        }
        let degree = 360 / camera().worldSize
        #expect(abs(try width(line([(0, -900 * degree), (0, 900 * degree)]), camera()) - 4) < 0.01)
        // The tip is 5 pt outside, and the base of 16 pt inside.
        #expect(abs(try width(line([(0, 0), (0, 205 * degree)]) { $0.startArrow = .none }, camera()) - 16) < 0.01)
        #expect(abs(try width(line([(0, 0), (0, 205 * degree), (0, 400 * degree)]) { $0.startArrow = .none }, camera()) - 4) < 0.01)
        var pole = camera(zoom: 2)
        pole.lat = 85
        let beyond = line([(80, 0), (88, 0)]) { $0.startArrow = .none }
        let xs = try frame(pole, beyond).pathPoints.map { Double($0.x) }
        #expect(abs(xs.max()! - xs.min()! - 4) < 0.01)
    }

    /// The traveled section has the line's arrows: the last one only when all of the line is traveled.
    @Test func theTraveledSectionHasTheArrowsOfTheLine() throws {
        let degree = 360 / camera().worldSize
        func paths(_ progress: Double, pattern: [Double] = []) throws -> (line: [PathPoint], traveled: [PathPoint]) {
            let route = Route(points: [LatLng(lat: 0, lng: -100 * degree), LatLng(lat: 0, lng: 100 * degree)])
            (route.width, route.outlineWidth, route.startArrow, route.endArrow) = (4, 0, .filled, .filled)
            (route.progress, route.pattern) = (progress, pattern)
            let frame = try frame(camera(), route)
            func points(_ path: Int) -> [PathPoint] { frame.paths[path].contours.flatMap { Array(frame.points(ofContour: $0)) } }
            return (points(0), points(1))
        }
        func extent(_ points: [PathPoint]) -> [Double] {
            let (xs, ys) = (points.map { Double($0.x) }, points.map { Double($0.y) })
            return [xs.min()!, xs.max()!, ys.max()! - ys.min()!]
        }
        for pattern in [[], [5.0, 2]] {
            let whole = try paths(1, pattern: pattern)
            #expect(whole.line == whole.traveled)
            let half = extent(try paths(0.5, pattern: pattern).traveled)
            #expect(abs(half[0] - 100) < 0.01 && half[1] < 200.1 && abs(half[2] - 16) < 0.01)
            // It ends within the last arrow, or within the first.
            let most = extent(try paths(0.97, pattern: pattern).traveled)
            #expect(abs(most[0] - 100) < 0.01 && most[1] <= 286 && most[1] > 275 && abs(most[2] - 16) < 0.01)
            let least = extent(try paths(0.03, pattern: pattern).traveled)
            #expect(abs(least[0] - 100) < 0.01 && abs(least[1] - 116) < 0.01 && abs(least[2] - 16) < 0.01)
            let back = extent(try paths(-0.97, pattern: pattern).traveled)
            #expect(abs(back[1] - 300) < 0.01 && back[0] >= 114 && back[0] < 125)
        }
    }

    @Test func arrowsArePickedAndInHitMaps() throws {
        let map = MapView(camera())
        let degree = 360 / camera().worldSize
        map.add([line([(0, -50 * degree), (0, 50 * degree)])])
        let placement = try map.placement()
        func hits(_ x: Double, _ y: Double) -> Int { placement.hits(PickRequest(CGPoint(x: x, y: y), tolerance: 0)).count }
        #expect(hits(236, 155) == 1 && hits(200, 155) == 0 && hits(164, 144) == 1 && hits(251, 150) == 0)
    }

    @Test func fitHoldsArrows() throws {
        let map = MapView(camera())
        map.add([line([(0, 0), (0, 10)]) { ($0.startArrow, $0.arrowSize) = (.none, 10) }])
        let extent = try #require(try map.extent())
        let camera = Camera(center: LatLng(lat: 0, lng: 5), zoom: 4)
        let box = try #require(extent.box(in: Viewport(camera: camera, size: PointSize(width: 300, height: 200)), centerX: 185 / 360))
        #expect(abs(box.height - 40) < 0.01)
    }

    @Test func invalidSizesAreReported() throws {
        for size in [0, 101, Double.nan] {
            let map = MapView(camera())
            let bad = line([(0, 0), (0, 1)])
            bad.arrowSize = size
            map.add([bad])
            #expect(try map.entry().reason == .invalid)
        }
    }
}
