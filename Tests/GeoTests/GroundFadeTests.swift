import Foundation
import Testing
import WaymarkGeo
import WaymarkTestSupport

/// The edges at which the ground ends.
@Suite struct GroundFadeTests {
    private func viewport(
        _ width: Double = 300, _ height: Double = 200, ratio: Double = 1, lat: Double = 0, lng: Double = 0, zoom: Double = 10,
        bearing: Double = 0, tilt: Double = 0
    ) throws -> Viewport {
        try Viewport(
            camera: Camera(center: LatLng(lat: lat, lng: lng), zoom: zoom, bearing: bearing, tilt: tilt),
            size: PointSize(width: width, height: height), pixelRatio: ratio)
    }

    @Test func withoutAnEdgeInThePictureNothingFades() throws {
        #expect(try viewport().groundFade == nil)
        #expect(try viewport(tilt: 70.6).groundFade == nil)
        // A picture exactly as large as the world, and one of 3 copies on each side.
        #expect(try viewport(512, 512, zoom: 0).groundFade == nil)
        #expect(try viewport(7 * 512, 300, lng: -180, zoom: 0).groundFade != nil)
        #expect(try viewport(6 * 512, 300, zoom: 0).groundFade == nil)
        // The pole is beyond the far limit.
        let fade = try #require(try viewport(lat: 60, zoom: 9, tilt: 80).groundFade)
        #expect(fade.edges.count == 1)
    }

    @Test func theFadeIsTheLastTenthOfTheGroundsHeightAndAtLeast12Points() throws {
        for (height, tilt, ratio) in [(400.0, 80.0, 1.0), (400, 75, 2), (100, 80, 1), (60, 71.5, 1.5)] {
            let view = try viewport(300, height, ratio: ratio, tilt: tilt)
            let fade = try #require(view.groundFade)
            let far = try #require(view.farLimitY)
            let expected = max(12, (height - far) / 10)
            #expect(abs(fade.rise(7, far * ratio / 3) - far * ratio * 2 / 3) < 1e-3 && fade.rise(7, far * ratio) < 1e-3)
            #expect(abs(fade.share(7, far * ratio) - 1) < 1e-3)
            #expect(fade.share(70, 0) == 1)
            #expect(abs(fade.share(7, (far + expected / 2) * ratio) - 0.5) < 1e-3)
            #expect(fade.share(7, (far + expected) * ratio + 0.01) == 0)
            #expect(fade.lastRow.map { abs($0 - (far + expected) * ratio) < 1e-3 } == true)
        }
        // Straight down, at both edges of the world: 44 pt of sky, 512 pt of ground.
        let fade = try #require(try viewport(300, 600, zoom: 0).groundFade)
        #expect(fade.edges.count == 2 && fade.thinning == nil)
        for (row, share) in [(20.0, 1.0), (44, 1), (44 + 25.6, 0.5), (96, 0), (300, 0), (504, 0), (556 - 25.6, 0.5), (580, 1)] {
            #expect(abs(fade.share(100, row) - share) < 1e-9, "row \(row)")
            #expect(abs(fade.rise(100, row) - max(0, 44 - row)) < 1e-9, "row \(row)")
        }
    }

    /// The heights above the ground at points of the picture, as shares of the row, from which the colors of the sky result.
    private func heights(_ view: Viewport) -> [Double] {
        let fade = view.groundFade
        let (width, height) = (view.size.width * view.pixelRatio, view.size.height * view.pixelRatio)
        return (1...9).flatMap { row in
            (0...10).map { column in
                let y = height * Double(row) / 10
                return y / (y + (fade?.rise(width * Double(column) / 10, y) ?? 0))
            }
        }
    }

    /// While the map turns, an edge of the world at the left of the picture becomes vertical on the screen and leans to the other side.
    @Test func theSkyDoesNotJumpWhereAnEdgeIsVertical() throws {
        func view(_ bearing: Double) throws -> Viewport {
            try viewport(1000, 600, lat: 25, lng: 10, zoom: 1, bearing: bearing, tilt: 80)
        }
        for bearing in [118.5, 118.8] {
            let edges = try #require(view(bearing).groundFade).edges
            #expect(edges.contains { $0.x < 0 && ($0.y < 0) == (bearing < 118.6) && abs($0.y) < -0.02 * $0.x })
        }
        var before = try heights(view(118.5))
        for step in 1...300 {
            let after = try heights(view(118.5 + Double(step) / 1000))
            for (a, b) in zip(before, after) { #expect(abs(a - b) < 2e-4, "bearing \(118.5 + Double(step) / 1000)") }
            before = after
        }
    }

    /// Wherever the sky changes most while the camera moves, it changes by ever less in ever shorter moves.
    @Test(arguments: Seeds.all) func theSkyIsContinuousWhileTheCameraMoves(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for number in 0..<40 {
            let (lat, lng, zoom) = (random.number(-84...84), random.number(-180...180), random.number(0...3))
            let (bearing, tilt) = (random.number(0...360), random.one(of: [0, 79, random.number(0...79)]))
            func heights(_ share: Double) throws -> [Double] {
                func moved(_ value: Double, by distance: Double, _ kind: Int) -> Double {
                    number % 4 == kind ? value + share * distance : value
                }
                return try self.heights(
                    viewport(
                        lat: moved(lat, by: 1, 0), lng: lng, zoom: moved(zoom, by: 0.2, 1), bearing: moved(bearing, by: 5, 2),
                        tilt: moved(tilt, by: 1, 3)))
            }
            func change(_ a: Double, _ b: Double) throws -> Double {
                try zip(heights(a), heights(b)).map { abs($0 - $1) }.max() ?? 0
            }
            let starts = (0..<20).map { Double($0) / 20 }
            let changes = try starts.map { try change($0, $0 + 0.05) }
            guard let most = changes.max(), most > 0.001, let first = changes.firstIndex(of: most) else { continue }
            var (low, high) = (starts[first], starts[first] + 0.05)
            for _ in 0..<12 {
                let middle = (low + high) / 2
                (low, high) = try change(low, middle) > change(middle, high) ? (low, middle) : (middle, high)
            }
            let least = try change(low, high)
            #expect(least < 0.001, "\(least) of \(most), \(lat) \(lng) \(zoom) \(bearing) \(tilt), \(number % 4) at \(low)")
        }
    }

    /// Beyond every edge, however slanted, the height begins at 0.
    @Test(arguments: Seeds.all) func theHeightIsAtMostTheDistanceFromTheGround(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let view = try viewport(
                lat: random.number(-85...85), lng: random.number(-180...180), zoom: random.number(0...4), bearing: random.number(0...360),
                tilt: random.one(of: [0, random.number(0...80)]))
            guard let fade = view.groundFade else { continue }
            for _ in 0..<50 {
                let (x, y) = (random.number(0...300), random.number(0...200))
                let distance = fade.edges.map { ($0.x * x + $0.y * y + $0.offset - 1) / hypot($0.x, $0.y) }.max() ?? 0
                #expect((0...max(0, distance) + 1e-9).contains(fade.rise(x, y)))
            }
        }
    }

    /// No line suddenly gets thinner in a sweep of tilts.
    @Test(arguments: [100.0, 400, 512, 2000], [1.0, 2]) func linesGetThinnerGradually(height: Double, ratio: Double) throws {
        func share(_ row: Double, _ view: Viewport) -> Double {
            guard let thinning = view.groundFade?.thinning else { return 1 }
            return min(1, max(0, (row - thinning.vanishing) / (thinning.center - thinning.vanishing)))
        }
        var before = try viewport(300, height, ratio: ratio, tilt: 70)
        for step in 701...800 {
            let view = try viewport(300, height, ratio: ratio, tilt: Double(step) / 10)
            for tenth in 0...9 {
                let row = height * ratio * Double(tenth) / 10
                guard row > (view.farLimitY ?? 0) * ratio else { continue }
                #expect(abs(share(row, view) - share(row, before)) < 0.05, "row \(row), tilt \(view.camera.tilt)")
            }
            before = view
        }
        // Near the horizon, widths shrink like lengths across the view.
        #expect(try abs(#require(before.groundFade?.thinning).vanishing - #require(before.horizonY) * ratio) < 1e-9)
    }

    @Test(arguments: Seeds.all) func theSkyBeginsExactlyWhereTheWorldEnds(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let view = try viewport(
                random.number(50...800), random.number(50...600), ratio: random.one(of: [1, 2]), lat: random.number(-85...85),
                lng: random.number(-180...180), zoom: random.number(0...8), bearing: random.number(0...360),
                tilt: random.one(of: [0, random.number(0...80)]))
            let fade = view.groundFade
            for _ in 0..<50 {
                let (x, y) = (random.number(0...view.size.width), random.number(0...view.size.height))
                let share = fade?.share(x * view.pixelRatio, y * view.pixelRatio) ?? 0
                guard let offset = view.groundOffset(at: CGPoint(x: x, y: y)) else {
                    #expect(share == 1)
                    continue
                }
                let depth = view.project(offsetX: offset.x, offsetY: offset.y, height: 0).depth
                let (worldX, worldY) = (view.centerX + offset.x / view.worldSize, view.centerY + offset.y / view.worldSize)
                let isGround = depth < view.farDepth && (0...1).contains(worldY) && (-3...4).contains(worldX)
                // Within a pixel of an edge, rounding decides.
                let isNear = fade.map { abs($0.share(x * view.pixelRatio, y * view.pixelRatio) - 1) < 1e-3 } ?? false
                if !isNear { #expect((share < 1) == isGround, "\(x) \(y) \(view)") }
            }
        }
    }
}
