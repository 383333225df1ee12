import Foundation
import Testing
import WaymarkGPU
import WaymarkGeo
import WaymarkTestSupport

@Suite struct ViewportTests {
    /// A random point in a picture or slightly outside.
    private func screenPoint(_ camera: DesignCamera, _ random: inout SplitMix64) -> CGPoint {
        CGPoint(x: random.number(-0.2...1.2) * camera.width, y: random.number(-0.2...1.2) * camera.height)
    }

    @Test(arguments: Seeds.all) func projectUndoesUnproject(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var compared = 0
        for _ in 0..<200 {
            let design = DesignCamera(random: &random)
            let viewport = try design.viewport()
            let point = screenPoint(design, &random)
            guard let offset = viewport.groundOffset(at: point) else { continue }
            let back = viewport.project(offsetX: offset.x, offsetY: offset.y, height: 0)
            guard back.depth < viewport.farDepth else { continue }
            #expect(abs(back.x - point.x) < 1e-6 && abs(back.y - point.y) < 1e-6, "\(design) \(point)")
            compared += 1
        }
        #expect(compared > 100)
    }

    @Test(arguments: Seeds.all) func coordinatesComeBack(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var compared = 0
        for _ in 0..<200 {
            let design = DesignCamera(random: &random)
            let viewport = try design.viewport()
            let point = screenPoint(design, &random)
            guard let position = viewport.geoCoordinates(from: point) else { continue }
            #expect(position.isValid && position.lng >= -180 && position.lng < 180)
            // Far from the center, another copy of the world is the nearest.
            guard let offset = viewport.groundOffset(at: point), abs(offset.x) < 0.49 * viewport.worldSize else { continue }
            let back = try #require(viewport.point(from: position))
            // Longitudes in degrees have a resolution of up to 2^-45, and near the poles the projection stretches latitudes sixfold. Such a
            // step is 0.7e-6 pt at zoom 24, before perspective magnifies it.
            let step = viewport.worldSize / 360 * 0x1p-45 * 12
            let enlarged = viewport.cameraDistance / viewport.project(offsetX: offset.x, offsetY: offset.y, height: 0).depth
            // Far to the side of a low picture, a small change in depth is magnified sideways.
            let aside = 1 + abs(point.x - viewport.opticalX) / viewport.cameraDistance
            let tolerance = 1e-6 + step * max(1, enlarged) * aside
            #expect(abs(back.x - point.x) < tolerance && abs(back.y - point.y) < tolerance, "\(design) \(point) \(back)")
            compared += 1
        }
        #expect(compared > 50)
    }

    @Test(arguments: Seeds.all) func projectionMatchesTheReferenceCamera(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let design = DesignCamera(random: &random)
            let viewport = try design.viewport()
            let reach = 2 * design.height
            let (x, y, a) = (random.number(-reach...reach), random.number(-reach...reach), random.number(0...design.height))
            let expected = design.project(x, y, height: a)
            guard expected.depth > viewport.nearDepth else { continue }
            let point = viewport.project(offsetX: x, offsetY: y, height: a)
            #expect(abs(point.depth - expected.depth) < 1e-6)
            #expect(abs(point.x - expected.x) < 1e-6 && abs(point.y - expected.y) < 1e-6)
        }
    }

    @Test(arguments: Seeds.all) func coordinatesAreProjectedAsByTheReferenceCamera(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var compared = 0
        for _ in 0..<200 {
            // The logarithm of a tangent loses digits of latitudes: at deep zooms the reference would be less precise.
            var design = DesignCamera(random: &random, zoom: 0...14)
            design.lat = random.number(-70...70)
            design.lng = random.number(-100...100)
            let viewport = try design.viewport()
            let spread = min(60, 400 / viewport.worldSize * 360)
            let position = LatLng(
                lat: design.lat + random.number(-0.2...0.2) * spread, lng: design.lng + random.number(-1...1) * spread,
                altitude: random.once(in: 2) ? 0 : random.number(0...0.3) * design.height / design.pointsPerMeter(lat: design.lat))
            let expected = design.project(lat: position.lat, lng: position.lng, altitude: position.altitude)
            let point = viewport.point(from: position)
            if expected.depth > viewport.nearDepth + 1e-6, expected.depth < viewport.farDepth - 1e-6 {
                let point = try #require(point)
                #expect(abs(point.x - expected.x) < 1e-5 && abs(point.y - expected.y) < 1e-5)
                compared += 1
            } else if expected.depth < viewport.nearDepth - 1e-6 || expected.depth > viewport.farDepth + 1e-6 {
                #expect(point == nil)
            }
        }
        #expect(compared > 100)
    }

    @Test(arguments: Seeds.all) func theMatrixOfTheGPUIsTheSameCamera(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let design = DesignCamera(random: &random)
            let viewport = try design.viewport()
            let matrix = Matrix4.viewProjection(
                width: design.width, height: design.height, distance: 1.5 * design.height, tilt: design.tilt, bearing: design.bearing,
                offset: [viewport.opticalX - design.width / 2, viewport.opticalY - design.height / 2], near: viewport.nearDepth,
                far: viewport.farDepth)
            let reach = 2 * design.height
            let (x, y, a) = (random.number(-reach...reach), random.number(-reach...reach), random.number(0...design.height))
            let point = viewport.project(offsetX: x, offsetY: y, height: a)
            guard point.depth > viewport.nearDepth else { continue }
            let clip = matrix * [x, y, a, 1]
            #expect(abs(clip.w - point.depth) < 1e-8)
            #expect(abs((clip.x / clip.w + 1) / 2 * design.width - point.x) < 1e-6)
            #expect(abs((clip.y / clip.w + 1) / 2 * design.height - point.y) < 1e-6)
        }
    }

    /// 300 × 200 pt at zoom 0, so D is 300 pt and the world 512 pt wide: 50 pt east is 35.15625 degrees.
    private func simple(bearing: Double = 0, tilt: Double = 0) throws -> Viewport {
        var design = DesignCamera()
        design.bearing = bearing
        design.tilt = tilt
        return try design.viewport()
    }

    private let east = LatLng(lat: 0, lng: 35.15625)

    private func expect(_ point: CGPoint?, _ x: Double, _ y: Double, location: SourceLocation = #_sourceLocation) {
        #expect(
            point.map { abs($0.x - x) < 1e-9 && abs($0.y - y) < 1e-9 } == true, "\(String(describing: point))", sourceLocation: location)
    }

    @Test func theBearingIsWhatIsUp() throws {
        let north = LatLng(lat: WebMercator.latitude(fromY: 0.5 - 50 / 512.0), lng: 0)
        expect(try simple().point(from: east), 200, 100)
        expect(try simple().point(from: north), 150, 50)
        // East is up: places to the east are at the top, those to the north on the left.
        expect(try simple(bearing: 90).point(from: east), 150, 50)
        expect(try simple(bearing: 90).point(from: north), 100, 100)
        expect(try simple(bearing: 180).point(from: east), 100, 100)
        expect(try simple(bearing: 270).point(from: east), 150, 150)
        expect(try simple(bearing: -90).point(from: east), 150, 150)
        expect(try simple(bearing: 30).point(from: east), 150 + 50 * cos(.pi / 6), 100 - 25)
    }

    @Test func tiltMovesTheFarSideAway() throws {
        let viewport = try simple(tilt: 60)
        let far = viewport.project(offsetX: 0, offsetY: -50, height: 0)
        let near = viewport.project(offsetX: 0, offsetY: 50, height: 0)
        let rise = 50 * 3.0.squareRoot() / 2
        #expect(abs(far.depth - (300 + rise)) < 1e-9 && abs(far.y - (100 - 7500 / (300 + rise))) < 1e-9)
        #expect(abs(near.depth - (300 - rise)) < 1e-9 && abs(near.y - (100 + 7500 / (300 - rise))) < 1e-9)
        #expect(far.x == 150 && near.x == 150)
    }

    @Test func raisedPointsAreNearerAndHigherOnTheScreen() throws {
        // The meters of 100 pt of height at the equator and zoom 0.
        let metres = 100 * 2 * Double.pi * 6_378_137 / 512
        expect(try simple().point(from: LatLng(lat: 0, lng: 35.15625, altitude: metres)), 150 + 300 * 50 / 200, 100)
        let depth = 300 - 50 * 3.0.squareRoot()
        expect(try simple(tilt: 30).point(from: LatLng(lat: 0, lng: 0, altitude: metres)), 150, 100 - 300 * 50 / depth)
        #expect(try simple().point(from: LatLng(lat: 0, lng: 0, altitude: -1)) == nil)
        // The camera is at a height of 300 pt.
        #expect(try simple().point(from: LatLng(lat: 0, lng: 0, altitude: 3 * metres)) == nil)
        #expect(try simple().point(from: LatLng(lat: 0, lng: 0, altitude: 2.9 * metres)) != nil)
    }

    @Test func aboveTheHorizonThereIsNothing() throws {
        var design = DesignCamera()
        design.zoom = 16
        design.tilt = 80
        let viewport = try design.viewport()
        let horizon = 100 - 300 / tan(80 * Double.pi / 180)
        #expect(abs(try #require(viewport.horizonY) - horizon) < 1e-9)
        #expect(viewport.groundOffset(at: CGPoint(x: 150, y: horizon - 0.01)) == nil)
        #expect(viewport.groundOffset(at: CGPoint(x: 150, y: horizon + 0.01)) != nil)
        #expect(viewport.geoCoordinates(from: CGPoint(x: 150, y: horizon + 0.01)) == nil)
        // The far limit is at a depth of 20 D.
        let u = 19 * 300 / sin(80 * Double.pi / 180)
        let limit = 100 - 300 * u * cos(80 * Double.pi / 180) / 6000
        #expect(abs(try #require(viewport.farLimitY) - limit) < 1e-9)
        #expect(viewport.geoCoordinates(from: CGPoint(x: 150, y: limit - 1e-6)) == nil)
        #expect(viewport.geoCoordinates(from: CGPoint(x: 150, y: limit + 1e-6)) != nil)
        let degrees = 360 / viewport.worldSize
        #expect(viewport.point(from: LatLng(lat: 0.001, lng: 0)) != nil)
        #expect(viewport.point(from: LatLng(lat: u * degrees * 1.001, lng: 0)) == nil)
        #expect(viewport.point(from: LatLng(lat: u * degrees * 0.999, lng: 0)) != nil)
        #expect(try simple().horizonY == nil && simple().farLimitY == nil)
    }

    @Test func contentInsetMovesOnlyTheOpticalCenter() throws {
        var design = DesignCamera()
        (design.left, design.right, design.top, design.bottom) = (100, 40, 10, 50)
        let viewport = try design.viewport()
        #expect(viewport.opticalX == 180 && viewport.opticalY == 80)
        #expect(viewport.cameraDistance == 300)
        expect(viewport.point(from: LatLng(lat: 0, lng: 0)), 180, 80)
        expect(viewport.point(from: east), 230, 80)
    }

    @Test func theWorldEndsAtItsEdges() throws {
        let viewport = try simple()
        #expect(viewport.geoCoordinates(from: CGPoint(x: 150, y: 100 - 256.001)) == nil)
        let top = try #require(viewport.geoCoordinates(from: CGPoint(x: 150, y: 100 - 255.999)))
        #expect(abs(top.lat - 85.0511) < 1e-3)
        #expect(viewport.point(from: LatLng(lat: 89, lng: 0)) == nil)
        #expect(viewport.point(from: LatLng(lat: 85.051129, lng: 0)) != nil)
        #expect(viewport.point(from: LatLng(lat: 95, lng: 0)) == nil)
    }

    @Test func aCoordinateIsSeenOnItsNearestCopy() throws {
        var design = DesignCamera()
        design.lng = 179
        let viewport = try design.viewport()
        expect(viewport.point(from: LatLng(lat: 0, lng: -179)), 150 + 2 / 360.0 * 512, 100)
        expect(viewport.point(from: LatLng(lat: 0, lng: 181)), 150 + 2 / 360.0 * 512, 100)
        #expect(abs(try #require(viewport.geoCoordinates(from: CGPoint(x: 150 + 2 / 360.0 * 512, y: 100))).lng + 179) < 1e-9)
    }

    @Test func visibleBoundsStraightDown() throws {
        var design = DesignCamera()
        (design.zoom, design.width, design.height, design.lng) = (1, 256, 256, 170)
        let bounds = try design.viewport().visibleBounds
        #expect(abs(bounds.west - 125) < 1e-9 && abs(bounds.east + 145) < 1e-9)
        #expect(abs(bounds.north - WebMercator.latitude(fromY: 0.375)) < 1e-9 && abs(bounds.south + bounds.north) < 1e-9)
        design.zoom = 0
        design.width = 600
        let whole = try design.viewport().visibleBounds
        #expect(whole.west == -180 && whole.east == 180)
    }

    @Test(arguments: Seeds.all) func visibleBoundsAreTight(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            var design = DesignCamera(random: &random, zoom: 5...20, tilt: 0...75)
            design.lat = random.number(-60...60)
            let viewport = try design.viewport()
            let bounds = viewport.visibleBounds
            guard bounds.west > -180, bounds.east < 180, viewport.groundCorners.count == 4 else { continue }
            let slack = 1e-7
            var (south, north) = (90.0, -90.0)
            for _ in 0..<300 {
                let edge = random.one(of: [0.0, 1.0])
                let along = random.number(0...1)
                let (x, y) = random.one(of: [(edge, along), (along, edge), (edge, random.one(of: [0, 1]))])
                let top = max(0, viewport.farLimitY ?? 0) + 1e-9
                let point = CGPoint(x: x * design.width, y: top + y * (design.height - top))
                guard let position = viewport.geoCoordinates(from: point) else { continue }
                let isIn =
                    position.lat >= bounds.south - slack && position.lat <= bounds.north + slack
                    && (bounds.west <= bounds.east
                        ? position.lng >= bounds.west - slack && position.lng <= bounds.east + slack
                        : position.lng >= bounds.west - slack || position.lng <= bounds.east + slack)
                #expect(isIn, "\(design) \(position) \(bounds)")
                (south, north) = (min(south, position.lat), max(north, position.lat))
            }
            // At the map's edge, no corner of the picture is on the map.
            guard bounds.north < 85, bounds.south > -85 else { continue }
            #expect(north > bounds.north - 0.02 * (bounds.north - bounds.south) - slack)
            #expect(south < bounds.south + 0.02 * (bounds.north - bounds.south) + slack)
        }
    }

    @Test func metersPerPointDependOnTheLatitude() throws {
        let viewport = try simple()
        let equator = 2 * Double.pi * 6_378_137 / 512
        #expect(abs(viewport.metersPerPoint(atLatitude: 0) / equator - 1) < 1e-12)
        #expect(abs(viewport.metersPerPoint(atLatitude: 60) / equator - 0.5) < 1e-12)
        #expect(abs(viewport.metersPerPoint(atLatitude: 60) * viewport.pointsPerMeter(atLatitude: 60) - 1) < 1e-12)
    }

    @Test func deviceSizeRoundsHalvesUp() throws {
        let sizes = [(10.0, 1.0, 10), (10.5, 1, 11), (3, 0.5, 2), (3, 1.5, 5), (333, 1.1, 366), (0.5, 1, 1)]
        for (points, ratio, pixels) in sizes {
            let viewport = try Viewport(camera: Camera(), size: PointSize(width: points, height: 7), pixelRatio: ratio)
            #expect(viewport.deviceWidth == pixels)
        }
    }

    @Test func lengthsAreQuantizedTo1024thsHalvesUp() {
        #expect(quantized(1) == 1)
        #expect(quantized(0.5 / 1024) == 1 / 1024.0)
        #expect(quantized(0.499 / 1024) == 0)
        #expect(quantized(-0.5 / 1024) == 0)
        #expect(quantized(-0.51 / 1024) == -1 / 1024.0)
        var random = SplitMix64(seed: 1)
        for _ in 0..<1000 {
            let value = random.number(-5000...5000)
            #expect(abs(quantized(value) - value) <= 0.5 / 1024 && (quantized(value) * 1024).rounded() == quantized(value) * 1024)
        }
    }

    @Test func quarterTurnsAreExact() throws {
        for (turns, expected) in zip(-4...4, [(0.0, 1.0), (1, 0), (0, -1), (-1, 0), (0, 1), (1, 0), (0, -1), (-1, 0), (0, 1)]) {
            let turn = sinCos(degrees: Double(turns) * 90)
            #expect(turn.sin == expected.0 && turn.cos == expected.1)
        }
    }
}
