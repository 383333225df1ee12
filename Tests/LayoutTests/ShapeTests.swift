import Foundation
import Testing
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkRaster
import WaymarkScene
import WaymarkTestSupport

@Suite struct ShapeTests {
    private func line(_ points: (lat: Double, lng: Double)..., width: Double = 4) -> Polyline {
        let line = Polyline(points: points.map { LatLng(lat: $0.lat, lng: $0.lng) })
        line.width = width
        return line
    }

    private func square(_ lat: Double, _ lng: Double, _ side: Double = 2) -> WaymarkScene.Polygon {
        Polygon(
            points: [(0, 0), (0, side), (side, side), (side, 0)].map { LatLng(lat: lat - side / 2 + $0, lng: lng - side / 2 + $1) })
    }

    private func map(_ camera: Camera = Camera(zoom: 4), _ overlays: Overlay...) -> MapView {
        let map = MapView(300, 200, camera)
        map.add(overlays)
        return map
    }

    /// The points of the path with the given index.
    private func points(_ frame: Frame, path: Int = 0) -> [PathPoint] {
        frame.paths[path].contours.flatMap { Array(frame.points(ofContour: $0)) }
    }

    @Test func anAreaIsItsCorners() throws {
        let map = map(Camera(zoom: 4), square(0, 0))
        let frame = try map.frame()
        #expect(frame.commands == [.paths(0..<1)])
        // At zoom 4, a degree is 8192 / 360 pt; points are quantized to 1/1024 px.
        let degree = Float(8192.0 / 360)
        for point in points(frame) {
            #expect(abs(abs(point.x - 150) - degree) < 0.001)
            #expect(abs(abs(point.y - 100) - degree) < 0.01)
            #expect((point.x * 1024).rounded() == point.x * 1024)
        }
    }

    @Test func shapesAndMarkersShareOneDrawingOrder() throws {
        let map = map()
        map.add(0, 0) {
            $0.id = "low"; $0.globalZIndex = -300_000
        }
        map.add(0, 0) { $0.id = "marker" }
        let area = square(0, 0)
        area.id = "area"
        let route = Route(points: [LatLng(lat: -1, lng: -1), LatLng(lat: 1, lng: 1)])
        route.id = "route"
        let high = line((-1, 1), (1, -1))
        high.id = "high"
        high.globalZIndex = 200_000
        let top = line((0, 1), (0, -1))
        top.id = "top"
        top.globalZIndex = 500_000
        map.add([top, high, route, area])
        map.add(0.1, 0) { $0.id = "behind" }
        #expect(try map.drawn() == ["low", "area", "route", "high", "behind", "marker", "top"])
        let commands = try map.frame().commands
        // The route has a separate path for its outline.
        #expect(commands == [.sprites(0..<1, .nearest), .paths(0..<4), .sprites(1..<3, .nearest), .paths(4..<5)])
        area.zIndex = 1
        area.globalZIndex = -100_000
        #expect(try map.drawn() == ["low", "route", "area", "high", "behind", "marker", "top"])
        map.remove(high)
        #expect(try map.drawn() == ["low", "route", "area", "behind", "marker", "top"])
    }

    @Test func shapesNotDrawnHaveAReason() throws {
        let map = map(Camera(zoom: 4, tilt: 70))
        func expect(_ reason: Reason?, _ overlay: Overlay, line: Int = #line) throws {
            map.add(overlay)
            let entry = try #require(try map.inspection().overlays.last)
            #expect(entry.reason == reason, "line \(line)")
            #expect(entry.isVisible == (reason == nil))
            map.remove(overlay)
        }
        try expect(nil, square(0, 0))
        try expect(.outOfView, square(0, 60))
        try expect(.behindCamera, square(-60, 0))
        try expect(.outOfProjection, square(88, 0))
        let hidden = square(0, 0)
        hidden.isHidden = true
        try expect(.hidden, hidden)
        let zoomed = square(0, 0)
        zoomed.minZoom = 5
        try expect(.outOfZoom, zoomed)
        let low = square(0, 0)
        low.altitude = -1
        try expect(.underground, low)
        let bad = square(0, 0)
        bad.outlineWidth = -1
        try expect(.invalid, bad)
        try expect(.empty, Circle(center: LatLng(lat: 0, lng: 0), radius: 0))
        let thin = line((0, 0), (1, 1), width: 0)
        try expect(.empty, thin)
        // Rejected overlays leave nothing in the frame.
        #expect(try map.frame().paths.isEmpty)
    }

    @Test func containersHideShapes() throws {
        let map = map()
        let group = Container([square(0, 0)])
        map.add(group)
        #expect(try map.frame().paths.count == 1)
        group.isHidden = true
        #expect(try map.frame().paths.isEmpty)
        #expect(try map.inspection().overlays[1].reason == .hidden)
        group.isHidden = false
        group.altitude = 20_000
        #expect(try map.inspection().overlays[1].reason == nil)
    }

    @Test func aMapThatMovesReadsAndSimplifiesNothing() throws {
        var random = SplitMix64(seed: 7)
        let map = map(Camera(zoom: 4))
        let walk = Polyline(points: (0..<5000).map { LatLng(lat: Double($0) * 0.001, lng: random.number(-0.01...0.01)) })
        let circle = Circle(center: LatLng(lat: 0, lng: 0), radius: 200_000)
        map.add([walk, circle, square(0, 0)])
        _ = try map.frame()
        let composer = Composer.of(map)
        let (reads, simplifications, refreshed) = (
            composer.statistics.shapeReads, composer.statistics.simplifications, composer.statistics.refreshedOverlays
        )
        #expect(reads == 3)
        for step in 1...20 {
            map.camera.center.lng = Double(step) * 0.01
            map.camera.bearing = Double(step)
            #expect(try map.frame().paths.count == 3)
        }
        walk.color = .red
        circle.outlineWidth = 2
        _ = try map.frame()
        #expect(composer.statistics.shapeReads == reads)
        #expect(composer.statistics.simplifications == simplifications)
        #expect(composer.statistics.refreshedOverlays == refreshed + 2)
        circle.radius = 1000
        _ = try map.frame()
        #expect(composer.statistics.shapeReads == reads + 1)
    }

    @Test func linesTakeTheShorterWayAround() throws {
        for center in [180.0, -180, 179, -179, 540] {
            let map = map(Camera(center: LatLng(lat: 0, lng: center), zoom: 4), line((0, 175), (0, -175)))
            let frame = try map.frame()
            let xs = points(frame).map { Double($0.x) }
            let middle = 150 + (180 - (center - 360 * ((center - 180) / 360).rounded())) * 8192 / 360
            #expect(abs((xs.min()! + xs.max()!) / 2 - middle) < 4.5)
            #expect(try map.entry().copies == 1)
        }
    }

    @Test func copiesOfTheWorldAreCounted() throws {
        let map = MapView(2048, 256, Camera(zoom: 0))
        map.add(line((0, 170), (0, -170)))
        #expect(try map.entry().copies == 4)
        map.removeAll()
        map.add(square(0, 10))
        #expect(try map.entry().copies == 4)
        #expect(try map.frame().paths.count == 1)
    }

    @Test func crossingRingsAreReported() throws {
        let tie = Polygon(points: [(0, 0), (1, 1), (1, 0), (0, 1)].map { LatLng(lat: $0.0, lng: $0.1) })
        tie.id = "tie"
        let map = map(Camera(zoom: 4), square(0, 0), tie)
        let placement = try map.placement()
        #expect(placement.diagnostics.map(\.id) == ["tie"])
        #expect(placement.diagnostics.first?.path == "rings")
        #expect(placement.frame.paths.map(\.rule) == [.nonzero, .evenOdd])
    }

    @Test func eachPolygonIsFilledByItsOwnRule() throws {
        let places = [(0, 0), (1, 1), (1, 0), (0, 1)].map { LatLng(lat: $0.0, lng: $0.1 + 3) }
        let area = Polygon()
        area.polygons = [square(0, 0).polygons[0], [places], square(1, 1).polygons[0]]
        let map = map(Camera(zoom: 4), area)
        let placement = try map.placement()
        #expect(placement.diagnostics.count == 1)
        var paths = placement.frame.paths
        #expect(paths.map(\.rule) == [.nonzero, .evenOdd])
        #expect(paths.map(\.contours.count) == [2, 1])
        #expect(paths.map(\.layering) == [.beside, .joined])
        // One fill in any color: where they overlap, they are no more opaque.
        area.fillColor = Color.red.withAlpha(0.5)
        paths = try map.frame().paths
        #expect(paths.map(\.layering) == [.beside, .joined])
    }

    @Test func tooManyEdgesToCompareAreReported() throws {
        // Slanted teeth that span the whole height.
        let comb = (0..<65_536).map { index in
            let (end, shift) = (Double(index % 2) * 40, Double(index) * 1e-5)
            return LatLng(lat: end - shift, lng: end + shift)
        }
        let placement = try map(Camera(zoom: 2), Polygon(points: comb)).placement()
        #expect(placement.diagnostics.first?.path == "rings")
        #expect(placement.frame.paths.map(\.rule) == [.evenOdd])
    }

    @Test func fitHoldsShapesWithTheirWidths() throws {
        let map = map(Camera(), line((0, 0), (0, 10), width: 20))
        let extent = try #require(try Composer.of(map).extent(of: map, pixelRatio: 1))
        let camera = Camera(center: LatLng(lat: 0, lng: 5), zoom: 4)
        let box = try #require(extent.box(in: Viewport(camera: camera, size: PointSize(width: 300, height: 200)), centerX: 185 / 360))
        #expect(abs(box.height - 20) < 0.01)
        #expect(abs(box.width - (10 * 8192 / 360.0 + 20)) < 0.01)
    }

    @Test func fitTakesTheShortArcOverLongEdges() throws {
        // The edge from -90 to 80 spans the widest gap between points.
        let map = map(Camera(), line((0, -90), (0, 80)))
        map.add(0, 170)
        let extent = try #require(try Composer.of(map).extent(of: map, pixelRatio: 1))
        #expect(abs(extent.centerX - 220 / 360) < 1e-9)
    }

    /// Points that return to within a pixel of the first, twice.
    @Test func ringsThatCloseMoreThanOnceAreRings() throws {
        let map = map(Camera(zoom: 4))
        let step = 360 / 8192.0
        let area = Polygon(
            points: [(0, 0), (0, 20), (20, 20), (0, 0), (0.04, 0), (-0.04, 0), (0, 0)].map { LatLng(lat: $0.0 * step, lng: $0.1 * step) })
        area.outlineWidth = 4
        map.add(area)
        #expect(try map.frame().pathPoints.allSatisfy { abs($0.x) < 400 && abs($0.y) < 400 })
    }

    @Test func areasOnOneParallelOrMeridianAreHarmless() throws {
        for isMeridian in [false, true] {
            let places = (0..<40).map { (number: Int) -> LatLng in
                let along = Double(number % 20)
                return isMeridian ? LatLng(lat: along, lng: 5) : LatLng(lat: 5, lng: along)
            }
            let area = Polygon(points: places)
            let map = map(Camera(zoom: 2), area)
            #expect(try map.frame().pathPoints.allSatisfy { $0.x.isFinite && $0.y.isFinite })
            #expect(try Composer.of(map).extent(of: map, pixelRatio: 1) != nil)
        }
        // Longitudes so large that no digits are left for a position.
        let far = Polygon(points: [(0, 1e300), (10, -1e300), (20, 5e300)].map { LatLng(lat: $0.0, lng: $0.1) })
        let map = map(Camera(zoom: 2), far)
        _ = try map.frame()
        _ = try Composer.of(map).extent(of: map, pixelRatio: 1)
    }

    @Test func routesThatComeBackKeepTheirTurns() throws {
        func frame(_ progress: Double) throws -> Frame {
            let route = Route(points: [(0, 0), (0, 2), (0, 0), (2, 0), (2, 2)].map { LatLng(lat: $0.0, lng: $0.1) })
            route.progress = progress
            route.outlineWidth = 0
            return try map(Camera(zoom: 4), route).frame()
        }
        for progress in [0.8, -0.8, 1, -1] {
            let frame = try frame(progress)
            // Along the equator and back: no edge connects one end directly to the far corner.
            let degree = Float(8192.0 / 360)
            let contour = points(frame, path: frame.paths.count - 1)
            for (point, next) in zip(contour, contour.dropFirst()) {
                // The midpoint of each edge of the stroke.
                let (x, y) = (((point.x + next.x) / 2 - 150) / degree, (100 - (point.y + next.y) / 2) / degree)
                #expect(abs(y) < 0.3 || abs(x) < 0.3 || abs(y - 2) < 0.3 || abs(x - 2) < 0.3, "\(x), \(y)")
            }
            #expect(
                points(frame, path: frame.paths.count - 1).contains { ($0.x - 150) / degree > 1.5 && abs($0.y - 100) < 5 || progress < 0 })
        }
    }

    @Test func dashesAreBoundedInNumberAndPoints() throws {
        let zigzag = Polyline(points: (0..<20_000).map { LatLng(lat: Double($0 % 2), lng: Double($0) * 1e-4) })
        zigzag.color = .black
        // Half a million dashes, and dots of 222 points each.
        for (pattern, width) in [(Array(repeating: 0.5, count: 1024), 1.0), ([0, 4], 1000)] {
            zigzag.pattern = pattern
            zigzag.width = width
            zigzag.capType = .round
            let map = map(Camera(zoom: 4), zigzag)
            let frame = try map.frame()
            #expect(frame.pathPoints.count < 2_500_000)
            // One part at each sharp turn, none for dashes.
            #expect(frame.contours.count <= 20_000)
            #expect(frame.paths[0].color.alpha < 1)
            map.removeAll()
        }
    }

    /// Lines above the top of a tilted picture, wide enough to reach into it.
    @Test(arguments: [0, 30, 60, 65, 66, 67]) func wideLinesAboveThePictureReachIntoIt(tilt: Double) throws {
        let camera = Camera(center: LatLng(lat: 10, lng: 20), zoom: 10, tilt: tilt)
        let viewport = try Viewport(camera: camera, size: PointSize(width: 300, height: 200))
        for (y, isSeen) in [(-20.0, true), (-45, true), (-300, false)] {
            guard let offset = viewport.groundOffset(at: CGPoint(x: 150, y: y)) else { continue }
            let depth = viewport.project(offsetX: offset.x, offsetY: offset.y, height: 0).depth
            guard depth < viewport.farDepth else { continue }
            let lat = WebMercator.latitude(fromY: viewport.centerY + offset.y / viewport.worldSize)
            let wide = line((lat, 10), (lat, 30), width: 100)
            wide.joinType = .bevel
            #expect(try map(camera, wide).entry().isVisible == isSeen, "\(y)")
        }
    }

    @Test func dashesOfGreatCirclesStayWhereTheyAre() throws {
        // The northernmost point of the great circle.
        let top = atan(tan(40 * Double.pi / 180) / cos(30 * Double.pi / 180)) * 180 / .pi
        for zoom in [12.0, 16, 19] {
            var phases: [Double] = []
            for pan in stride(from: 0.0, through: 3000, by: 171) {
                let route = Route(points: [LatLng(lat: 40, lng: -30), LatLng(lat: 40, lng: 30)])
                route.isGeodesic = true
                route.outlineWidth = 0
                route.pattern = [30, 20]
                route.progress = -0.501
                let lng = pan / (512 * exp2(zoom)) * 360
                let frame = try map(Camera(center: LatLng(lat: top, lng: lng), zoom: zoom), route).frame()
                // The line, and its traveled part.
                #expect(frame.paths.count == 2)
                for path in frame.paths {
                    let lefts = path.contours.compactMap { frame.points(ofContour: $0).map(\.x).min() }.filter { $0 > 60 && $0 < 240 }
                    #expect(!lefts.isEmpty)
                    phases += lefts.map { (Double($0) + pan).truncatingRemainder(dividingBy: 50) }
                }
            }
            let first = phases[0]
            #expect(phases.allSatisfy { abs(($0 - first) - 50 * (($0 - first) / 50).rounded()) < 0.5 }, "\(zoom): \(phases)")
        }
    }

    @Test(arguments: [(80, 0.5, 40), (80, -0.25, 60), (89, 0.5, 44.5), (-88, 0.75, -66)])
    func progressIsAShareOfMeters(far: Double, progress: Double, lat: Double) throws {
        for isGeodesic in [false, true] {
            let route = Route(points: [LatLng(lat: 0, lng: 0), LatLng(lat: far, lng: 0)])
            route.outlineWidth = 0
            route.progress = progress
            route.isGeodesic = isGeodesic
            let frame = try map(Camera(center: LatLng(lat: lat, lng: 0), zoom: 8), route).frame()
            let ys = points(frame, path: frame.paths.count - 1).map { Double($0.y) }
            let end = (far > 0) == (progress > 0) ? ys.min() : ys.max()
            #expect(abs(try #require(end) - 100) < 0.5)
        }
    }

    @Test(arguments: [1.0, -1]) func linesThatWindKeepAllTurns(direction: Double) throws {
        func lat(_ number: Int) -> Double { Double(number) * 0.5 + (number.isMultiple(of: 2) ? 0 : 3) }
        let spiral = Polyline(points: (0...120).map { LatLng(lat: lat($0), lng: Double($0) * 120 * direction) })
        spiral.width = 4
        for number in [3, 40, 80, 117] {
            let center = LatLng(lat: lat(number), lng: Double(number) * 120 * direction + 360)
            let frame = try map(Camera(center: center, zoom: 5), spiral).frame()
            // A corner is at the center of the picture.
            #expect(frame.pathPoints.contains { abs($0.x - 150) < 6 && abs($0.y - 100) < 6 }, "\(number)")
        }
    }

    /// Widths of 0 and 1,000 pt, repeated points, spikes and rings without area, with random cameras: nothing crashes, and all points of
    /// the frame are near the picture.
    // Seed 498 has a ring whose ends meet twice.
    @Test(arguments: Seeds.all + [498]) func hostileShapesGiveValidFrames(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<8 {
            let camera = DesignCamera(random: &random)
            let map = MapView(camera)
            let spread = random.one(of: [1e-9, 1e-4, 1, 90, 400])
            func place() -> LatLng {
                LatLng(
                    lat: min(90, max(-90, camera.lat + random.number(-spread...spread))), lng: camera.lng + random.number(-spread...spread))
            }
            func places(_ count: Int) -> [LatLng] {
                var result: [LatLng] = []
                for _ in 0..<count {
                    result.append(random.once(in: 4) ? result.last ?? place() : random.once(in: 5) ? result.first ?? place() : place())
                }
                return result
            }
            for _ in 0..<6 {
                let line = Polyline(points: places(random.integer(2...60)))
                line.width = random.one(of: [0, 1e-9, 1, 1000])
                line.joinType = random.one(of: LineJoin.allCases)
                line.capType = random.one(of: LineCap.allCases)
                line.outlineWidth = random.one(of: [0, 3, 1000])
                line.pattern = random.one(of: [[], [5, 3], [0, 0.1], [0.1], [10_000, 0, 0, 1]])
                line.isGeodesic = random.once(in: 3)
                line.isPerspectiveEnabled = random.once(in: 3)
                line.altitude = random.one(of: [0, 0, 100, 1e8])
                let area = Polygon(rings: (0..<random.integer(1...3)).map { _ in places(random.integer(3...40)) })
                area.outlineWidth = random.one(of: [0, 1, 1000])
                area.altitude = random.one(of: [0, 0, 5000])
                let circle = Circle(center: place(), radius: random.one(of: [0, 1e-9, 1, 1e4, 1e6, 1e7, 2e7]))
                circle.outlineWidth = random.one(of: [0, 1, 1000])
                map.add([line, area, circle])
            }
            let placement = try map.placement()
            let entries = placement.inspection().overlays
            #expect(entries.allSatisfy { $0.isVisible == ($0.reason == nil) })
            let frame = placement.frame
            #expect(frame.contours.last ?? 0 == frame.pathPoints.count)
            // Widths of 1,000 pt, and miters of up to four times half of that and of the outline.
            #expect(frame.pathPoints.allSatisfy { abs($0.x) < 40_000 && abs($0.y) < 40_000 })
        }
    }
}
