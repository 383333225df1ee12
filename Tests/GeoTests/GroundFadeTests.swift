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
            #expect(abs(fade.horizon - far * ratio) < 1e-3)
            #expect(abs(fade.share(7, far * ratio) - 1) < 1e-3)
            #expect(fade.share(70, 0) == 1)
            #expect(abs(fade.share(7, (far + expected / 2) * ratio) - 0.5) < 1e-3)
            #expect(fade.share(7, (far + expected) * ratio + 0.01) == 0)
            #expect(fade.lastRow.map { abs($0 - (far + expected) * ratio) < 1e-3 } == true)
        }
        // Straight down, at both edges of the world: 44 pt of sky, 512 pt of ground.
        let fade = try #require(try viewport(300, 600, zoom: 0).groundFade)
        #expect(fade.edges.count == 2 && abs(fade.horizon - 44) < 1e-9 && fade.thinning == nil)
        for (row, share) in [(20.0, 1.0), (44, 1), (44 + 25.6, 0.5), (96, 0), (300, 0), (504, 0), (556 - 25.6, 0.5), (580, 1)] {
            #expect(abs(fade.share(100, row) - share) < 1e-9, "row \(row)")
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
