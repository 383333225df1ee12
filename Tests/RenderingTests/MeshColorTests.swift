import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRendering
import WaymarkTestSupport

@Suite(.serialized) struct MeshColorTests {
    init() { PinnedRasterizer.pin }

    /// The formula: of a straight color.
    private func expected(
        _ base: SIMD3<Double>, normal: SIMD3<Double>, _ lighting: Lighting?, alpha: Double = 1
    ) -> Bitmap.Pixel {
        var lit = base
        if let lighting {
            var sum = SIMD3<Double>(lighting.ambient)
            for light in lighting.lights {
                sum += max(0, (SIMD3<Double>(light.source) * normal.unit).sum()) * SIMD3<Double>(light.color)
            }
            lit = base * sum
        }
        func byte(_ value: Double) -> UInt8 { UInt8((min(1, value) * alpha * 255).rounded()) }
        return .init(red: byte(lit.x), green: byte(lit.y), blue: byte(lit.z), alpha: UInt8((alpha * 255).rounded()))
    }

    private static let sources: [SIMD3<Float>] = [[0, 0, 1], [0.6, 0, 0.8], [-0.48, 0.64, 0.6], [0, -0.96, -0.28]]

    /// A square that fills the picture, seen from its front or its back, with a normal that leans.
    private func drawn(
        source: SIMD3<Float>, normal: SIMD3<Float>, isBack: Bool, samples: Int, instance change: (inout MeshInstance) -> Void = { _ in }
    ) throws -> (Bitmap, MeshInstance, Lighting) {
        var scene = MeshScene(8, 8)
        scene.add(square(20), normal: normal)
        scene.frame.lightings = [
            Lighting(ambient: [0.3, 0.2, 0.1], lights: [.init(source: source, color: [0.9, 0.7, 1.5])])
        ]
        var instance = MeshInstance(mesh: 0, lighting: 0, diffuse: [0.8, 0.5, 0.25, 1])
        // Half a turn about east: the direction north and up becomes south and down.
        if isBack { (instance.axisY, instance.axisZ) = ([0, 1, 0], [0, 0, -1]) }
        change(&instance)
        scene.frame.meshInstances = [instance]
        scene.group(samples: samples)
        return (try scene.drawn(), instance, scene.frame.lightings[0])
    }

    @Test(arguments: sources, [false, true]) func theFormulaOnBothSides(source: SIMD3<Float>, isBack: Bool) throws {
        for samples in [1, 4] {
            // Not of length 1, as between corners.
            let normal: SIMD3<Float> = [0.2, 0.3, 0.7]
            let (picture, instance, lighting) = try drawn(source: source, normal: normal, isBack: isBack, samples: samples)
            // Turned to the side seen: with the mesh turned over, it points up again.
            let seen: SIMD3<Double> = isBack ? [-0.2, 0.3, 0.7] : [0.2, 0.3, 0.7]
            let diffuse = SIMD3<Double>(SIMD3(instance.diffuse.x, instance.diffuse.y, instance.diffuse.z))
            let wanted = expected(diffuse, normal: seen, lighting)
            for y in 0..<8 { for x in 0..<8 { #expect(picture[x, y].isNear(wanted), "\(picture[x, y]) \(wanted)") } }
        }
    }

    @Test func turningTheModelTurnsItsShading() throws {
        for (yaw, pitch) in [(0.0, 20.0), (90, 35), (200, 50), (-45, 10)] {
            let (picture, instance, lighting) = try drawn(source: [0.6, 0, 0.8], normal: [0, 0, 1], isBack: false, samples: 1) {
                $0 = $0.turned(yaw: yaw, pitch: pitch, scale: 7)
            }
            let up = instance.axisZ.unit
            let wanted = expected([0.8, 0.5, 0.25], normal: [Double(up.x), -Double(up.y), Double(up.z)], lighting)
            #expect(picture[4, 4].isNear(wanted), "yaw \(yaw) pitch \(pitch)")
        }
    }

    @Test func turningTheCameraTurnsNoShading() throws {
        var pixels: Set<Bitmap.Pixel> = []
        for (tilt, bearing) in [(0.0, 0.0), (0, 130), (40, 0), (65, -77)] {
            var scene = MeshScene(8, 8, tilt: tilt, bearing: bearing)
            scene.add(square(100), normal: [0.1, 0.2, 0.9])
            scene.frame.lightings = [Lighting(ambient: [0.1, 0.1, 0.1], lights: [.init(source: [0.6, 0, 0.8], color: [0.8, 0.8, 0.8])])]
            scene.frame.meshInstances = [MeshInstance(mesh: 0, lighting: 0)]
            scene.group()
            pixels.insert(try scene.drawn()[4, 5])
        }
        #expect(pixels.count == 1 && pixels.first?.alpha == 255)
    }

    @Test func severalLightsAddUpAndAreClampedAtTheEnd() throws {
        for count in 0...8 {
            var random = SplitMix64(seed: UInt64(count))
            var scene = MeshScene(4, 4)
            scene.add(square(20))
            let lights = (0..<count).map { _ in
                Lighting.Light(
                    source: SIMD3<Float>(Float(random.number(-1...1)), Float(random.number(-1...1)), Float(random.number(-0.3...1))).unit,
                    color: [Float(random.number(0...0.6)), Float(random.number(0...0.6)), 0.4])
            }
            scene.frame.lightings = [Lighting(ambient: [0.2, 0.1, 0], lights: lights)]
            // More light than 1 on a base below 1: it is the product that is clamped.
            scene.frame.meshInstances = [MeshInstance(mesh: 0, lighting: 0, diffuse: [0.5, 0.4, 0.9, 1])]
            scene.group()
            let wanted = expected([0.5, 0.4, 0.9], normal: [0, 0, 1], scene.frame.lightings[0])
            #expect(try scene.drawn()[1, 2].isNear(wanted), "\(count) lights")
        }
    }

    @Test func withoutLightTheColourIsAsItIs() throws {
        var scene = MeshScene(4, 4)
        scene.add(square(20), normal: [0, 0, -1])
        scene.frame.meshInstances = [MeshInstance(mesh: 0, diffuse: [0.2, 0.6, 1, 1])]
        scene.group()
        #expect(try scene.drawn() == Bitmap(width: 4, height: 4, fill: Color(red: 0.2, green: 0.6, blue: 1)))
    }

    @Test func translucentTexturesStayStraight() throws {
        var scene = MeshScene(4, 4)
        scene.add(square(20))
        let image = scene.add(Bitmap(width: 3, height: 5, fill: Color(red: 0.9, green: 0.4, blue: 0.1, alpha: 0.5)))
        scene.frame.lightings = [Lighting(ambient: [0.5, 1, 2], lights: [.init(source: [0, 0, 1], color: [1, 1, 1])])]
        scene.frame.meshInstances = [MeshInstance(mesh: 0, texture: image, lighting: 0, diffuse: [0.5, 1, 1, 0.8], alpha: 0.5)]
        scene.group(.translucent)
        // The image as stored: alpha 128.
        let stored = 128.0 / 255
        let base = SIMD3<Double>((115 / 255) / stored * 0.5, 51 / 255 / stored, 13 / 255 / stored)
        let wanted = expected(base, normal: [0, 0, 1], scene.frame.lightings[0], alpha: stored * 0.8 * 0.5)
        let pixel = try scene.drawn()[2, 2]
        #expect(pixel.isNear(wanted), "\(pixel) \(wanted)")
    }

    @Test func normalsAreOfLengthOneInEachPixel() throws {
        // From leaning left to leaning right: in the middle it points up, and is short before it is made 1 long.
        var scene = MeshScene(33, 5)
        scene.add(square(40))
        for index in scene.frame.meshes[0].vertices.indices {
            let side = scene.frame.meshes[0].vertices[index].x < 0 ? -1 as Float : 1
            scene.frame.meshes[0].vertices[index].normalX = side * 0.96
            scene.frame.meshes[0].vertices[index].normalZ = 0.28
        }
        scene.frame.lightings = [Lighting(ambient: .zero, lights: [.init(source: [0, 0, 1], color: [1, 1, 1])])]
        scene.frame.meshInstances = [MeshInstance(mesh: 0, lighting: 0)]
        scene.group()
        let picture = try scene.drawn()
        for x in 0..<33 {
            let place = (Double(x) + 0.5 - 16.5) / 40
            let normal = SIMD3<Double>(0.96 * place, 0, 0.28)
            #expect(picture[x, 2].isNear(expected([1, 1, 1], normal: normal, scene.frame.lightings[0])), "\(x)")
        }
    }
}
