import Foundation
import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRendering
import WaymarkTestSupport

@Suite(.serialized) struct MeshShapeTests {
    init() { PinnedRasterizer.pin }

    @Test(arguments: [0.0, 30, 60, 80]) func silhouettesAreTheProjectedTriangles(tilt: Double) throws {
        for (index, isDirect) in [true, false, true].enumerated() {
            var random = SplitMix64(seed: UInt64(tilt) + UInt64(index))
            var scene = MeshScene(120, 90, tilt: tilt, bearing: random.number(0...360))
            scene.frame.meshes = [ball(8)]
            scene.add(cube)
            for mesh in [0, 1, 0] as [UInt32] {
                var instance = MeshInstance(mesh: mesh)
                    .turned(yaw: random.number(0...360), pitch: random.number(-90...90), scale: random.number(5...20))
                instance.origin = [Float(random.number(-40...40)), Float(random.number(-30...30)), Float(random.number(0...30))]
                scene.frame.meshInstances.append(instance)
            }
            scene.group()
            if !isDirect { scene.isolate() }
            let picture = try scene.drawn()
            let triangles = scene.frame.meshInstances.flatMap { scene.projected($0) }
            var (covered, wrong) = (0, 0)
            for y in 0..<90 {
                for x in 0..<120 {
                    let deepest = triangles.map { inside($0, [Double(x) + 0.5, Double(y) + 0.5]) }.max() ?? -1
                    if deepest > 0 { covered += 1 }
                    // On edges it is the rasterizer's choice.
                    if abs(deepest) > 0.02, (deepest > 0) != (picture[x, y].alpha == 255) { wrong += 1 }
                }
            }
            #expect(covered > 200)
            // The inner edges of a closed mesh count as inner for each of its triangles, so no edge may be missed.
            #expect(wrong == 0, "tilt \(tilt)")
        }
    }

    @Test(arguments: [1, 4]) func planesThatCrossHideOneAnotherPixelByPixel(samples: Int) throws {
        for seed in Seeds.slow {
            var random = SplitMix64(seed: seed)
            var scene = MeshScene(70, 60, tilt: random.number(0...75), bearing: random.number(0...360))
            let colors: [SIMD4<Float>] = [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]]
            for color in colors {
                let mesh = scene.add(square(1))
                var instance = MeshInstance(mesh: mesh, diffuse: color)
                    .turned(yaw: random.number(0...360), pitch: random.number(0...360), scale: random.number(15...40))
                instance.origin = SIMD3(Float(random.number(-8...8)), Float(random.number(-8...8)), Float(random.number(-8...8)))
                scene.frame.meshInstances.append(instance)
            }
            scene.group(samples: samples)
            let picture = try scene.drawn()
            // The owner of the pixel: -1 for none, nil where it is the rasterizer's choice.
            var owners: [Int?] = []
            let rim = samples == 1 ? 0.05 : 1.5
            let triangles = scene.frame.meshInstances.flatMap { scene.projected($0) }
            for y in 0..<60 {
                for x in 0..<70 {
                    let hits = scene.frame.meshInstances.map { instance in scene.hits(x, y, instance).max { $0.margin < $1.margin } }
                    let met = hits.indices.filter { (hits[$0]?.margin ?? -1) > 0 }
                    let depths = met.compactMap { hits[$0]?.depth }.sorted()
                    let isClose = depths.count > 1 && depths[1] - depths[0] < 0.01
                    let owner = met.first { hits[$0]?.depth == depths.first } ?? -1
                    let isAtEdge = triangles.contains { abs(inside($0, [Double(x) + 0.5, Double(y) + 0.5])) < rim }
                    owners.append(isClose || isAtEdge ? nil : owner)
                }
            }
            var (checked, wrong) = (0, 0)
            for y in 1..<59 {
                for x in 1..<69 {
                    guard let owner = owners[y * 70 + x] else { continue }
                    // With several samples a pixel is one's alone where those around it are, too.
                    let around = samples == 1 ? [0] : [-71, -70, -69, -1, 1, 69, 70, 71]
                    guard around.allSatisfy({ owners[y * 70 + x + $0] == owner }) else { continue }
                    checked += 1
                    let color: SIMD4<Float> = owner < 0 ? .zero : colors[owner]
                    let bytes = SIMD4<UInt8>(color * 255)
                    if picture[x, y] != .init(red: bytes.x, green: bytes.y, blue: bytes.z, alpha: bytes.w) { wrong += 1 }
                }
            }
            #expect(checked > 900 && wrong == 0, "seed \(seed): \(wrong) of \(checked)")
        }
    }

    @Test(arguments: [0.0, 55, 80]) func theNearAndFarPlanesCutWithoutHoles(tilt: Double) throws {
        // Ground to beyond the horizon and to behind the camera, and walls through the near plane.
        var scene = MeshScene(80, 80, tilt: tilt, bearing: 33)
        scene.add(square(4000))
        scene.add(square(900).map { $0.map { [$0.x, 3, $0.y] } })
        scene.frame.meshInstances = [MeshInstance(mesh: 0), MeshInstance(mesh: 1)]
        let depths = 20.0...700.0
        scene.group(depths: depths)
        let picture = try scene.drawn()
        var (covered, wrong) = (0, 0)
        for y in 0..<80 {
            for x in 0..<80 {
                let hits = scene.frame.meshInstances.flatMap { scene.hits(x, y, $0) }
                if hits.contains(where: { abs($0.depth - 20) < 0.1 || abs($0.depth - 700) < 2 }) { continue }
                let isCovered = hits.contains { $0.margin > 0 && depths.contains($0.depth) }
                if isCovered { covered += 1 }
                if isCovered != (picture[x, y].alpha == 255) { wrong += 1 }
            }
        }
        #expect(covered > 1000)
        #expect(wrong == 0)
    }

    @Test func thingsFarAwayDoNotFightWithThoseBehindThem() throws {
        // Between 50 m and 50 km: 1 : 1000. Pairs of level squares, the upper one 1/5000 of the depth higher.
        for tilt in [0.0, 60, 80] {
            var scene = MeshScene(100, 100, tilt: tilt)
            for depth in [60.0, 500, 4000, 20_000, 45_000] {
                for isUpper in [true, false] {
                    let distance = depth * (isUpper ? 1 : 1.0002)
                    let mesh = scene.add(quad([-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]))
                    // Facing the camera, each in a separate column.
                    let column = [60.0, 500, 4000, 20_000, 45_000].firstIndex(of: depth) ?? 0
                    let centre = scene.onRay([Double(column) * 20 + 10, 50], depth: distance)
                    let size = distance / 150 * 8
                    let (t, up) = (tilt * .pi / 180, SIMD3<Double>(0, -1, 0))
                    var instance = MeshInstance(mesh: mesh, diffuse: isUpper ? [0, 1, 0, 1] : [1, 0, 0, 1])
                    instance.axisX = [Float(size), 0, 0]
                    instance.axisY = SIMD3<Float>((up * cos(t) + [0, 0, 1] * sin(t)) * size)
                    instance.axisZ = SIMD3<Float>(([0, 1, 0] * sin(t) + [0, 0, 1] * cos(t)) * size)
                    instance.origin = SIMD3<Float>(centre)
                    scene.frame.meshInstances.append(instance)
                }
            }
            scene.group(depths: 50...50_000)
            let picture = try scene.drawn()
            var (green, red) = (0, 0)
            for y in 0..<100 {
                for x in 0..<100 where picture[x, y].alpha > 0 {
                    // The lower one shows nowhere but at its rim.
                    if picture[x, y] == .opaqueGreen { green += 1 } else { red += 1 }
                }
            }
            #expect(green > 5 * 13 * 13 && red < 5 * 16, "tilt \(tilt): \(green) \(red)")
        }
    }

    @Test func ofLevelMeshesTheHigherTierIsOnTop() throws {
        for seed in Seeds.slow {
            var random = SplitMix64(seed: seed)
            var scene = MeshScene(90, 70, tilt: random.number(0...80), bearing: random.number(0...360))
            let count = 4
            for tier in 0..<count {
                // A separate fan of triangles, which overlaps another plane at the same height repeatedly.
                let middle: SIMD3<Float> = [Float(random.number(-1...1)), Float(random.number(-1...1)), 0]
                let corners: [SIMD3<Float>] = (0..<7).map {
                    let angle = Double($0) / 7 * 2 * .pi
                    return [Float(cos(angle)) * 3, Float(sin(angle)) * 3, 0]
                }
                let mesh = scene.add((0..<7).map { [middle, corners[$0], corners[($0 + 1) % 7]] })
                var instance = MeshInstance(mesh: mesh, diffuse: [Float(tier + 1) / 5, 1, 1, 1], depthBiasStep: UInt16(tier))
                    .turned(yaw: random.number(0...360), pitch: 0, scale: random.number(20...300))
                instance.origin = [Float(random.number(-60...60)), Float(random.number(-60...60)), 3]
                scene.frame.meshInstances.append(instance)
            }
            // In any drawing order.
            if random.once(in: 2) { scene.frame.meshInstances.reverse() }
            scene.group(depths: random.number(3...40)...random.number(900...3000))
            let picture = try scene.drawn()
            let instances = scene.frame.meshInstances.sorted { $0.depthBiasStep < $1.depthBiasStep }
            let areas = instances.map { scene.projected($0) }
            // Near the camera projected triangles turn inside out.
            guard areas.allSatisfy({ $0.allSatisfy { turn($0) > 0 } }) else { continue }
            var wrong = 0
            for y in 0..<70 {
                for x in 0..<90 where picture[x, y].alpha > 0 {
                    let margins = areas.map { $0.map { inside($0, [Double(x) + 0.5, Double(y) + 0.5]) }.max() ?? -1 }
                    guard margins.allSatisfy({ abs($0) > 0.05 }), let top = margins.lastIndex(where: { $0 > 0 }) else { continue }
                    if picture[x, y].red != UInt8((Double(top + 1) / 5 * 255).rounded()) { wrong += 1 }
                }
            }
            #expect(wrong == 0, "seed \(seed)")
        }
    }

    /// Their depths are interpolated from corners that lie far outside of the picture.
    @Test(arguments: [1, 4]) func levelMeshesThatReachBehindTheCameraStayInOrder(samples: Int) throws {
        for seed in Seeds.slow {
            var random = SplitMix64(seed: seed)
            var scene = MeshScene(90, 70, tilt: random.number(60...80), bearing: random.number(0...360))
            for (tier, reach) in [random.number(3000...60_000), random.number(100...400)].enumerated() {
                let half = Float(reach)
                let mesh = scene.add([
                    [[-half, -half, 0], [half, -half, 0], [half, half, 0]], [[-half, -half, 0], [half, half, 0], [-half, half, 0]],
                ])
                var instance = MeshInstance(mesh: mesh, diffuse: [Float(tier), 1, 1, 1], depthBiasStep: UInt16(tier))
                    .turned(yaw: random.number(0...360), pitch: 0, scale: 1)
                instance.origin = [Float(random.number(-9...9)), Float(random.number(-9...9)), 0]
                scene.frame.meshInstances.append(instance)
            }
            scene.group(samples: samples)
            let picture = try scene.drawn()
            let upper = scene.frame.meshInstances[1]
            let near = scene.camera.height / 50
            var (covered, wrong) = (0, 0)
            for y in 0..<70 {
                for x in 0..<90 where scene.hits(x, y, upper).contains(where: { $0.margin > 1 && $0.depth > near * 1.1 }) {
                    covered += 1
                    if picture[x, y].red != 255 { wrong += 1 }
                }
            }
            #expect(covered > 1000 && wrong == 0, "seed \(seed)")
        }
    }

    @Test func meshesFarFromTheCentreAreWhereTheyBelong() throws {
        // The far end of a mesh of 2^18 pt is in the picture: its edge decides between pixels within 0.05.
        for (offset, isCovered) in [(Float(0.5 + 0.0625), true), (0.5 - 0.0625, false)] {
            var scene = MeshScene(40, 40, bearing: 0)
            scene.add(quad([0, -1, 0], [1, -1, 0], [1, 1, 0], [0, 1, 0]))
            let length = Float(1 << 18)
            var instance = MeshInstance(mesh: 0)
            (instance.axisX, instance.axisY, instance.axisZ) = ([length, 0, 0], [0, -length, 0], [0, 0, length])
            instance.origin = [offset - length, 0, 0]
            scene.frame.meshInstances = [instance]
            scene.group()
            let picture = try scene.drawn()
            for y in 0..<40 {
                #expect((picture[20, y].alpha == 255) == isCovered && picture[19, y].alpha == 255 && picture[21, y].alpha == 0)
            }
        }
    }

    @Test func facesThatCannotBeSeenMayBeLeftOut() throws {
        var random = SplitMix64(seed: 4)
        for samples in [1, 4] {
            for (insideOut, faces) in [(false, VisibleFaces.front), (true, .back)] {
                var scene = MeshScene(100, 80, tilt: 50, bearing: 20)
                scene.frame.meshes = [ball(12)]
                if insideOut {
                    scene.frame.meshes[0].indices = scene.frame.meshes[0].indices.reversed()
                    scene.frame.meshes[0].key = 77
                }
                scene.frame.lightings = [Lighting(ambient: [0.2, 0.2, 0.2], lights: [.init(source: [0.6, 0, 0.8], color: [1, 1, 1])])]
                for _ in 0..<6 {
                    var instance = MeshInstance(mesh: 0, lighting: 0)
                        .turned(yaw: random.number(0...360), pitch: random.number(0...360), scale: random.number(5...15))
                    instance.origin = [Float(random.number(-40...40)), Float(random.number(-30...30)), 9]
                    scene.frame.meshInstances.append(instance)
                }
                scene.group(samples: samples)
                let all = try scene.drawn()
                for index in scene.frame.meshInstances.indices { scene.frame.meshInstances[index].faces = faces }
                let some = try scene.drawn()
                // Where a face turns away within a pixel, samples of it may be of the other side.
                #expect(samples == 1 ? some == all : some.largestDifference(to: all) <= 64)
                for index in scene.frame.meshInstances.indices {
                    scene.frame.meshInstances[index].faces = faces == .front ? .back : .front
                }
                #expect(try scene.drawn() != all)
            }
        }
    }
}
