import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRendering
import WaymarkTestSupport

@Suite(.serialized) struct MeshDrawTests {
    init() { PinnedRasterizer.pin }

    /// Many instances of one mesh, lit.
    private func crowd(_ count: Int, seed: UInt64 = 3) -> MeshScene {
        var random = SplitMix64(seed: seed)
        var scene = MeshScene(120, 100, tilt: 40, bearing: 10, background: .white)
        scene.frame.meshes = [ball(6)]
        _ = scene.add(Bitmap.noise(16, 16, &random, isOpaque: true))
        scene.frame.lightings = [Lighting(ambient: [0.2, 0.2, 0.2], lights: [.init(source: [0.6, 0, 0.8], color: [0.8, 0.8, 0.8])])]
        for _ in 0..<count {
            var instance = MeshInstance(mesh: 0, texture: 0, lighting: 0)
                .turned(yaw: random.number(0...360), pitch: random.number(0...360), scale: random.number(1...6))
            // Within the picture: where one crosses its edge, the software rasterizer interpolates all of its draw with other last bits.
            instance.origin = [Float(random.number(-30...30)), Float(random.number(-25...25)), Float(random.number(0...10))]
            instance.diffuse = [Float(random.number(0...1)), Float(random.number(0...1)), Float(random.number(0...1)), 1]
            scene.frame.meshInstances.append(instance)
        }
        scene.group()
        return scene
    }

    @Test func aThousandInstancesAreOneDraw() throws {
        var scene = crowd(1000)
        let renderer = try FrameRenderer(Context.make())
        let picture = try renderer.render(scene.frame)
        #expect(renderer.drawCount == 1)
        let colorful = scene
        // One by one, it is the same picture.
        var apart = scene
        apart.frame.commands =
            [scene.frame.commands[0]] + scene.frame.meshInstances.indices.map { .meshes($0..<$0 + 1, .opaque) } + [.endGroup]
        #expect(try renderer.render(apart.frame) == picture)
        #expect(renderer.drawCount == 1000)
        // With one color, too.
        for index in scene.frame.meshInstances.indices { scene.frame.meshInstances[index].diffuse = [0.3, 0.7, 1, 1] }
        let plain = try renderer.render(scene.frame)
        #expect(renderer.drawCount == 1 && plain != picture)
        var last = scene
        last.frame.meshInstances.append(scene.frame.meshInstances[999])
        last.frame.meshInstances[1000].origin.x = 9999
        last.frame.meshInstances[1000].diffuse = [1, 1, 1, 1]
        last.group()
        #expect(try renderer.render(last.frame) == plain)
        // Attributes that they do not share separate them.
        var mixed = scene
        for index in 300..<600 { mixed.frame.meshInstances[index].faces = .front }
        for index in 600..<700 { mixed.frame.meshInstances[index].texture = nil }
        for index in 700..<800 { mixed.frame.meshInstances[index].lighting = nil }
        _ = try renderer.render(mixed.frame)
        #expect(renderer.drawCount == 5)
        // As a separate layer: one more draw to composite it.
        var layered = colorful
        layered.isolate()
        #expect(try renderer.render(layered.frame) == picture)
        #expect(renderer.drawCount == 2)
    }

    @Test func whatMovesUploadsNoMesh() throws {
        var scene = crowd(10)
        let context = try Context.make()
        let renderer = try FrameRenderer(context)
        func uploaded() throws -> Int {
            let before = context.uploadedByteCount
            _ = try renderer.render(scene.frame)
            return context.uploadedByteCount - before
        }
        #expect(try uploaded() > scene.frame.meshes[0].vertices.count * 32)
        let bound = 10 * 160
        #expect(try uploaded() <= bound)
        scene.frame.ground.bearing = 77
        scene.frame.ground.tilt = 20
        #expect(try uploaded() <= bound)
        for index in 0..<10 { scene.frame.meshInstances[index].origin.x += 3 }
        #expect(try uploaded() <= bound)
        scene.frame.lightings[0].lights.append(.init(source: [0, 1, 0], color: [1, 0, 0]))
        #expect(try uploaded() <= bound)
        // A mesh of another key is another mesh.
        scene.frame.meshes[0].key += 1
        #expect(try uploaded() > scene.frame.meshes[0].vertices.count * 32)
    }

    @Test func whatIsKeptHasABound() throws {
        let context = try Context.make()
        let limit = 1 << 20
        var renderer: FrameRenderer? = try FrameRenderer(
            context, submission: nil, budget: CacheBudget(byteLimit: limit, isAlone: true))
        let oneMesh = crowd(1).frame.meshes[0]
        let meshBytes = oneMesh.vertices.count * 32 + oneMesh.indices.count * 2
        var expected: [Bitmap] = []
        for round in 0..<3 {
            for key in 0..<30 {
                var scene = crowd(3, seed: UInt64(key))
                scene.frame.meshes[0].key = UInt64(key)
                let image = scene.frame.images[0]
                scene.frame.images[0] = FrameImage(
                    key: UInt64(key), name: image.name, bitmap: image.bitmap.scaled(toWidth: 200, height: 200))
                let picture = try renderer?.render(scene.frame)
                if round == 0 { expected.append(try #require(picture)) } else { #expect(picture == expected[key]) }
                #expect((meshBytes...limit).contains(try #require(renderer).meshByteCount))
                #expect(try #require(renderer).keptBytes <= limit)
            }
        }
        // One frame may need more than the bound; it is not kept.
        var many = crowd(30)
        for index in 0..<30 {
            var mesh = oneMesh
            mesh.key = UInt64(500 + index)
            many.frame.meshes.append(mesh)
            many.frame.meshInstances[index].mesh = UInt32(index + 1)
        }
        _ = try renderer?.render(many.frame)
        #expect(try #require(renderer).keptBytes <= limit)
        renderer = nil
        #expect(try context.liveResources().total == 0)
    }

    @Test func everyKindLeavesNothingBehind() throws {
        let context = try Context.make()
        var renderer: FrameRenderer? = try FrameRenderer(context)
        for samples in [1, 4] {
            for blending in [MeshBlending.opaque, .translucent] {
                var scene = crowd(5)
                scene.group(blending, samples: samples)
                _ = try renderer?.render(scene.frame)
                scene.isolate()
                _ = try renderer?.render(scene.frame)
            }
        }
        #expect(try context.liveResources().total > 0)
        renderer = nil
        #expect(try context.liveResources().total == 0)
    }

    @Test func translucentMeshesShowOnceWhateverTheyAreMadeOf() throws {
        for (samples, isDirect) in [(1, true), (1, false), (4, false)] {
            var scene = MeshScene(60, 60, tilt: 35, bearing: 30, background: .white)
            // Every face twice, once from either side, and a smaller cube within.
            scene.add(cube + cube.map { [$0[0], $0[2], $0[1]] } + cube.map { $0.map { $0 / 2 } })
            scene.frame.meshInstances = [MeshInstance(mesh: 0, diffuse: [1, 0, 0, 1], alpha: 0.5).turned(yaw: 20, pitch: 0, scale: 12)]
            scene.group(.translucent, samples: samples)
            if !isDirect { scene.isolate() }
            let picture = try scene.drawn()
            let half = Bitmap.Pixel(red: 255, green: 127, blue: 127, alpha: 255)
            var (count, between) = (0, 0)
            for y in 0..<60 {
                for x in 0..<60 where picture[x, y] != .white {
                    if picture[x, y].isNear(half) { count += 1 } else { between += 1 }
                }
            }
            #expect(count > 400 && (samples == 4 || between == 0))
            #expect(between < 120)
        }
    }

    @Test func translucentInstancesLieOnOneAnotherInOrder() throws {
        var scene = MeshScene(20, 10)
        scene.add(square(1))
        for (index, color) in [SIMD4<Float>(1, 0, 0, 0.5), [0, 1, 0, 0.5], [0, 0, 1, 1]].enumerated() {
            var instance = MeshInstance(mesh: 0, diffuse: color)
            (instance.axisX, instance.axisY, instance.axisZ) = ([5, 0, 0], [0, -5, 0], [0, 0, 5])
            instance.origin = [Float(index) * 4 - 5, 0, Float(index)]
            scene.frame.meshInstances.append(instance)
        }
        // Red beneath green; the blue one is opaque, and nearer.
        scene.group()
        scene.frame.commands = [scene.frame.commands[0], .meshes(2..<3, .opaque), .meshes(0..<2, .translucent), .endGroup]
        let picture = try scene.drawn()
        #expect(picture[2, 5].isNear(.init(red: 128, green: 0, blue: 0, alpha: 128)))
        #expect(picture[6, 5].isNear(.init(red: 64, green: 128, blue: 0, alpha: 191)))
        #expect(picture[9, 5] == .opaqueBlue && picture[12, 5] == .opaqueBlue)
        #expect(picture[19, 5] == .clear)
    }

    @Test func joinedInstancesShowAsOne() throws {
        var scene = MeshScene(20, 10)
        scene.add(square(1))
        // The lower one comes last, so that the order alone would not do.
        for (index, color) in [SIMD4<Float>(0, 1, 0, 0.5), [1, 0, 0, 0.5]].enumerated() {
            var instance = MeshInstance(mesh: 0, diffuse: color, isJoined: index > 0)
            (instance.axisX, instance.axisY, instance.axisZ) = ([5, 0, 0], [0, -5, 0], [0, 0, 5])
            instance.origin = [-1 - Float(index) * 4, 0, 1 - Float(index)]
            scene.frame.meshInstances.append(instance)
        }
        scene.group(.translucent)
        let picture = try scene.drawn()
        let (red, green) = (Bitmap.Pixel(red: 128, green: 0, blue: 0, alpha: 128), Bitmap.Pixel(red: 0, green: 128, blue: 0, alpha: 128))
        #expect(picture[2, 5].isNear(red) && picture[6, 5].isNear(green) && picture[12, 5].isNear(green))
        scene.frame.meshInstances[1].isJoined = false
        #expect(try scene.drawn()[6, 5] == picture[6, 5])
        scene.frame.meshInstances.reverse()
        #expect(try scene.drawn()[6, 5].isNear(.init(red: 64, green: 128, blue: 0, alpha: 191)))
    }

    @Test func textureTexelsThatAreNotThereHideNothing() throws {
        var image = Bitmap(width: 2, height: 1)
        image[0, 0] = .opaqueRed
        var scene = MeshScene(40, 20)
        let texture = scene.add(image)
        scene.add(square(20).map { $0.map { [$0.x, $0.y, 5] } }, texture: { [$0.x / 40 + 0.5, 0.5] })
        scene.add(square(20))
        scene.frame.meshInstances = [
            MeshInstance(mesh: 0, texture: texture), MeshInstance(mesh: 1, diffuse: [0, 1, 0, 0.5]),
        ]
        // The nearer one first: its empty half must not hide the other, its red half does.
        scene.group(.translucent)
        let picture = try scene.drawn()
        #expect(picture[1, 10] == .opaqueRed)
        #expect(picture[38, 10].isNear(.init(red: 0, green: 128, blue: 0, alpha: 128)))
    }

    @Test func boundsCutMeshesOff() throws {
        for isDirect in [true, false] {
            var scene = MeshScene(30, 20, background: .white)
            scene.add(square(30))
            scene.frame.meshInstances = [MeshInstance(mesh: 0, diffuse: [1, 0, 0, 1])]
            for bounds in [PixelRect(x: 3, y: 4, width: 10, height: 9), .init(x: -5, y: 11, width: 12, height: 30)] {
                scene.frame.commands = [.beginGroup(Group(bounds: bounds, depths: 10...60)), .meshes(0..<1, .opaque), .endGroup]
                if !isDirect { scene.isolate() }
                let picture = try scene.drawn()
                for y in 0..<20 {
                    for x in 0..<30 {
                        let isInside =
                            (bounds.x..<bounds.x + bounds.width).contains(x) && (bounds.y..<bounds.y + bounds.height).contains(y)
                        #expect(picture[x, y] == (isInside ? .opaqueRed : .white))
                    }
                }
            }
        }
    }

    @Test func groupsOneAfterTheOtherDoNotHideOneAnother() throws {
        // The lower group is nearer to the camera; the upper one lies on it all the same.
        for samples in [1, 4] {
            var scene = MeshScene(10, 10)
            scene.add(square(10, z: 2))
            scene.add(square(2))
            scene.frame.meshInstances = [MeshInstance(mesh: 0, diffuse: [1, 0, 0, 1]), MeshInstance(mesh: 1, diffuse: [0, 1, 0, 1])]
            let group = Group(bounds: scene.whole, samples: samples, depths: 5...30)
            scene.frame.commands = [
                .beginGroup(group), .meshes(0..<1, .opaque), .endGroup, .beginGroup(group), .meshes(1..<2, .opaque), .endGroup,
            ]
            let picture = try scene.drawn()
            #expect(picture[1, 1] == .opaqueRed && picture[5, 5] == .opaqueGreen)
        }
    }

    @Test func nothingIsDrawnOfNothing() throws {
        var scene = MeshScene(6, 6, background: .white)
        scene.add([])
        scene.add(square(9))
        let empty = scene.add(Bitmap(width: 0, height: 3))
        scene.frame.meshInstances = [MeshInstance(mesh: 0), MeshInstance(mesh: 1, texture: empty)]
        scene.group()
        #expect(try scene.drawn() == Bitmap(width: 6, height: 6, fill: .white))
        // An index beyond the vertices is refused before the driver sees it.
        scene.frame.meshes[0].indices = [0, 1, 2]
        let error = #expect(throws: GPUError.self) { try scene.drawn() }
        #expect(error?.reason == .badArgument)
    }
}
