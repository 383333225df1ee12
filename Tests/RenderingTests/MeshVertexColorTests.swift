import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRendering
import WaymarkTestSupport

/// Colors of vertices, and alpha cutoffs.
@Suite(.serialized) struct MeshVertexColorTests {
    init() { PinnedRasterizer.pin }

    /// A square over the whole picture whose colors at its left and right are interpolated.
    private func scene(_ side: Int, left: SIMD4<UInt8>, right: SIMD4<UInt8>, background: Color = .clear) -> MeshScene {
        var scene = MeshScene(side, side, background: background)
        scene.add(square(Float(side) / 2))
        scene.frame.meshes[0].colors = scene.frame.meshes[0].vertices.map { $0.x < 0 ? left : right }
        return scene
    }

    private func mixed(_ a: SIMD4<UInt8>, _ b: SIMD4<UInt8>, _ share: Double) -> SIMD4<Double> {
        (SIMD4<Double>(a) * (1 - share) + SIMD4<Double>(b) * share) / 255
    }

    /// The pixel of a straight color over a background.
    private func pixel(_ color: SIMD4<Double>, over background: SIMD3<Double> = .zero, isOpaque: Bool = true) -> Bitmap.Pixel {
        func byte(_ value: Double) -> UInt8 { UInt8((min(1, value) * 255).rounded()) }
        let straight = SIMD3(min(1, color.x), min(1, color.y), min(1, color.z))
        let shown = straight * color.w + background * (1 - color.w)
        return .init(red: byte(shown.x), green: byte(shown.y), blue: byte(shown.z), alpha: isOpaque ? 255 : byte(color.w))
    }

    private func share(_ x: Int, of side: Int) -> Double { (Double(x) + 0.5) / Double(side) }

    @Test(arguments: [1, 3]) func colorsAreInterpolatedAndMultiplyTheBase(copies: Int) throws {
        let (left, right): (SIMD4<UInt8>, SIMD4<UInt8>) = ([255, 0, 80, 255], [0, 200, 160, 255])
        var scene = scene(16, left: left, right: right)
        let texture = scene.add(Bitmap(width: 2, height: 2, fill: Color(red: 0.8, green: 0.6, blue: 1)))
        scene.frame.lightings = [Lighting(ambient: [0.5, 1, 1.5], lights: [])]
        // Several instances are drawn together, each with its own attributes.
        for number in 0..<copies {
            scene.frame.meshInstances.append(
                MeshInstance(
                    mesh: 0, texture: texture, lighting: 0, origin: [0, 0, -Float(number)],
                    diffuse: [1, number == 0 ? 0.5 : 0, 1, 1]))
        }
        scene.group()
        let picture = try scene.drawn()
        for x in 0..<16 {
            let base = mixed(left, right, share(x, of: 16)) * SIMD4(204 / 255, 153 / 255, 1, 1)
            let wanted = pixel(base * SIMD4(0.5, 0.5, 1.5, 1))
            for y in [0, 9] { #expect(picture[x, y].isNear(wanted, within: 2), "\(x): \(picture[x, y]) \(wanted)") }
        }
    }

    @Test func theirAlphaIsTranslucent() throws {
        let (left, right): (SIMD4<UInt8>, SIMD4<UInt8>) = ([255, 100, 0, 0], [255, 100, 0, 255])
        var scene = scene(16, left: left, right: right, background: .blue)
        scene.frame.meshInstances = [MeshInstance(mesh: 0, diffuse: [1, 1, 1, 0.8], alpha: 0.5)]
        scene.group(.translucent)
        let picture = try scene.drawn()
        for x in 0..<16 {
            let color = mixed(left, right, share(x, of: 16)) * SIMD4(1, 1, 1, 0.4)
            let wanted = pixel(color, over: [0, 0, 1])
            #expect(picture[x, 3].isNear(wanted, within: 2), "\(x): \(picture[x, 3]) \(wanted)")
        }
    }

    /// Fully transparent parts are not a surface that could hide another.
    @Test func whereTheyAreTransparentNothingIsHidden() throws {
        var scene = scene(8, left: [255, 0, 0, 0], right: [255, 0, 0, 0])
        scene.add(square(4, z: -1))
        scene.frame.meshInstances = [
            MeshInstance(mesh: 0, alpha: 0.5), MeshInstance(mesh: 1, diffuse: [0, 1, 0, 1], alpha: 0.5, isJoined: true),
        ]
        scene.group(.translucent)
        #expect(try scene.drawn()[4, 4].isNear(.init(red: 0, green: 128, blue: 0, alpha: 128)))
    }

    @Test func meshesWithAndWithoutColorsInTurn() throws {
        var scene = MeshScene(24, 8)
        scene.add(square(4))
        scene.add(square(4))
        scene.frame.meshes[1].colors = scene.frame.meshes[1].vertices.map { _ in [255, 0, 0, 255] }
        for number in 0..<3 {
            scene.frame.meshInstances.append(MeshInstance(mesh: number == 1 ? 1 : 0, origin: [Float(number * 8 - 8), 0, 0]))
        }
        scene.group()
        let picture = try scene.drawn()
        #expect([4, 12, 20].map { picture[$0, 4] } == [.white, .opaqueRed, .white])
    }

    @Test func aColorForEveryVertexOrNone() {
        var scene = scene(8, left: [0, 0, 0, 255], right: [0, 0, 0, 255])
        scene.frame.meshes[0].colors.removeLast()
        scene.frame.meshInstances = [MeshInstance(mesh: 0)]
        scene.group()
        #expect(throws: GPUError.self) { try scene.drawn() }
    }

    // MARK: Cutoffs

    /// Alpha rises from 0 at the left to 1 at the right; of the texture, or of the vertices.
    private func ramp(ofTexture: Bool, background: Color = .clear) -> (MeshScene, UInt32?) {
        guard ofTexture else { return (scene(20, left: [200, 100, 0, 0], right: [200, 100, 0, 255], background: background), nil) }
        var scene = MeshScene(20, 20, background: background)
        var pixels: [UInt8] = []
        for _ in 0..<20 { for x in 0..<20 { pixels += [200, 100, 0, UInt8((share(x, of: 20) * 255).rounded())] } }
        let image = Bitmap(width: 20, height: 20, straightPixels: pixels) ?? Bitmap(width: 1, height: 1)
        scene.add(square(10), texture: { [($0.x / 10 + 1) / 2, (1 - $0.y / 10) / 2] })
        let texture = scene.add(image)
        return (scene, texture)
    }

    @Test(arguments: [true, false], [1, 2]) func whatIsBelowTheCutoffIsNotDrawnAndTheRestIsOpaque(ofTexture: Bool, copies: Int) throws {
        for (cutoff, first) in [(0.5 as Float, 10), (0.25, 5), (0.9, 18), (0, 0)] {
            var (scene, texture) = ramp(ofTexture: ofTexture)
            scene.frame.meshInstances = Array(
                repeating: MeshInstance(mesh: 0, texture: texture, alphaCutoff: cutoff, diffuse: [1, 0.5, 1, 1]), count: copies)
            scene.group()
            let picture = try scene.drawn()
            for x in 0..<20 {
                let wanted = x < first ? Bitmap.Pixel.clear : .init(red: 200, green: 50, blue: 0, alpha: 255)
                // Premultiplied bytes of a small alpha hold few levels of a color.
                #expect(picture[x, 7].isNear(wanted, within: x < 3 && ofTexture ? 20 : 2), "\(cutoff) at \(x): \(picture[x, 7])")
            }
        }
    }

    @Test func aCutoffOfOneLeavesWhatIsOpaque() throws {
        var random = SplitMix64(seed: 4)
        for _ in 0..<20 {
            var scene = scene(9, left: [0, 255, 0, 255], right: [0, 255, 0, 255])
            scene.frame.meshInstances = [
                MeshInstance(mesh: 0, alphaCutoff: 1).turned(yaw: random.number(0...360), pitch: random.number(-50...50), scale: 9)
            ]
            scene.group()
            #expect(try scene.drawn() == Bitmap(width: 9, height: 9, fill: .green))
        }
    }

    @Test func throughHolesOneSeesWhatIsBehind() throws {
        var (scene, texture) = ramp(ofTexture: true)
        scene.add(square(10, z: -1))
        // The one in front first: its holes write no depth.
        scene.frame.meshInstances = [
            MeshInstance(mesh: 0, texture: texture, alphaCutoff: 0.5), MeshInstance(mesh: 1, diffuse: [0, 0, 1, 1]),
        ]
        scene.group()
        let picture = try scene.drawn()
        for x in 0..<20 {
            #expect(
                picture[x, 3].isNear(
                    x < 10 ? .init(red: 0, green: 0, blue: 255, alpha: 255) : .init(red: 200, green: 100, blue: 0, alpha: 255)))
        }
    }

    @Test(arguments: [true, false]) func aTranslucentModelIsCutOutTheSame(ofTexture: Bool) throws {
        var (scene, texture) = ramp(ofTexture: ofTexture, background: .blue)
        scene.frame.meshInstances = [MeshInstance(mesh: 0, texture: texture, alphaCutoff: 0.5, alpha: 0.5)]
        scene.group(.translucent)
        let picture = try scene.drawn()
        for x in 0..<20 {
            #expect(
                picture[x, 3].isNear(
                    x < 10 ? .init(red: 0, green: 0, blue: 255, alpha: 255) : .init(red: 100, green: 50, blue: 128, alpha: 255)))
        }
    }
}
