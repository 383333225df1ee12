import Foundation
import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRendering
import WaymarkTestSupport

/// Images on surfaces that are seen at a slant keep the detail that an ideal filter keeps: the mean over the area of each pixel.
@Suite(.serialized) struct SlantedTextureTests {
    init() { PinnedRasterizer.pin }

    enum Subject: CaseIterable { case sprite, mesh }

    private static let (width, height, side) = (160, 128, 256)

    /// Squares of the given number of texels, slightly off the middle between black and white.
    private static func checker(_ cell: Int) -> Bitmap {
        var image = Bitmap(width: side, height: side, fill: Color(red: 0.1, green: 0.1, blue: 0.1))
        let light = Bitmap.Pixel(red: 230, green: 230, blue: 230, alpha: 255)
        for y in 0..<side { for x in 0..<side where (x / cell + y / cell) % 2 == 0 { image[x, y] = light } }
        return image
    }

    /// The image on a level square around the view's center.
    private func scene(_ subject: Subject, _ image: Bitmap, texelsPerPoint: Float, tilt: Double) -> MeshScene {
        var scene = MeshScene(Self.width, Self.height, tilt: tilt, bearing: 20, background: .white)
        let half = Float(Self.side) / texelsPerPoint / 2
        switch subject {
        case .sprite:
            scene.frame.images = [FrameImage(key: 0, name: "image", bitmap: image).reduced(.image, key: 1)]
            scene.frame.sprites = [
                Sprite(x: -half, y: -half, across: (2 * half, 0), down: (0, 2 * half), image: 0, plane: .ground)
            ]
            scene.frame.commands = [.sprites(0..<1, .linear)]
        case .mesh:
            let texture = scene.add(image)
            let mesh = scene.add(square(half), texture: { [($0.x / half + 1) / 2, (1 - $0.y / half) / 2] })
            scene.frame.meshInstances = [MeshInstance(mesh: mesh, texture: texture)]
            scene.group()
        }
        return scene
    }

    /// The mean of 10 × 10 points of a pixel, between texels as a bilinear filter has them; nil where the image does not cover all of it.
    private func ideal(_ scene: MeshScene, _ image: Bitmap, texelsPerPoint: Double, _ x: Int, _ y: Int) -> Double? {
        let steps = 10
        var sum = 0.0
        for step in 0..<steps * steps {
            let screen = SIMD2(
                Double(x) + (Double(step % steps) + 0.5) / Double(steps), Double(y) + (Double(step / steps) + 0.5) / Double(steps))
            let (near, far) = (scene.onRay(screen, depth: 0), scene.onRay(screen, depth: 1))
            let depth = near.z / (near.z - far.z)
            guard depth > scene.camera.height / 50, depth < 18 * scene.camera.distance else { return nil }
            let place = near + (far - near) * depth
            let texel = SIMD2(place.x, place.y) * texelsPerPoint + Double(Self.side) / 2 - 0.5
            guard texel.min() > 1, texel.max() < Double(Self.side - 3) else { return nil }
            let (column, row) = (Int(texel.x), Int(texel.y))
            let share = SIMD2(texel.x - Double(column), texel.y - Double(row))
            func value(_ x: Int, _ y: Int) -> Double { Double(image[column + x, row + y].red) }
            let upper = value(0, 0) * (1 - share.x) + value(1, 0) * share.x
            let lower = value(0, 1) * (1 - share.x) + value(1, 1) * share.x
            sum += upper * (1 - share.y) + lower * share.y
        }
        return sum / Double(steps * steps)
    }

    /// Of a picture and the ideal one in a block of pixels: the sums of squared differences of neighbors, and the sums of values.
    private struct BlockSums {
        var (energy, idealEnergy, value, idealValue, count) = (0.0, 0.0, 0.0, 0.0, 0)
        var share: Double { energy / idealEnergy }
    }

    /// Grouped by rows of 8 pixels, and within them by columns of 32.
    private func compare(_ scene: MeshScene, _ image: Bitmap, texelsPerPoint: Double) throws -> [[BlockSums]] {
        let picture = try scene.drawn()
        let ideal: [Double?] = (0..<Self.width * Self.height).map {
            self.ideal(scene, image, texelsPerPoint: texelsPerPoint, $0 % Self.width, $0 / Self.width)
        }
        var blocks = [[BlockSums]](repeating: [BlockSums](repeating: BlockSums(), count: Self.width / 32), count: Self.height / 8)
        for y in 0..<Self.height - 1 {
            for x in 0..<Self.width - 1 {
                let place = y * Self.width + x
                guard let here = ideal[place], let right = ideal[place + 1], let below = ideal[place + Self.width] else { continue }
                let (drawn, drawnRight, drawnBelow) = (
                    Double(picture[x, y].red), Double(picture[x + 1, y].red), Double(picture[x, y + 1].red)
                )
                blocks[y / 8][x / 32].energy += pow(drawnRight - drawn, 2) + pow(drawnBelow - drawn, 2)
                blocks[y / 8][x / 32].idealEnergy += pow(right - here, 2) + pow(below - here, 2)
                blocks[y / 8][x / 32].value += drawn
                blocks[y / 8][x / 32].idealValue += here
                blocks[y / 8][x / 32].count += 1
            }
        }
        return blocks
    }

    private func sum(_ blocks: [BlockSums]) -> BlockSums {
        blocks.reduce(into: BlockSums()) { sum, block in
            sum.energy += block.energy
            sum.idealEnergy += block.idealEnergy
            sum.value += block.value
            sum.idealValue += block.idealValue
            sum.count += block.count
        }
    }

    @Test(arguments: Subject.allCases, [45.0, 60, 75, 80]) func detailIsKeptAtEveryDistance(subject: Subject, tilt: Double) throws {
        // Squares of at least a pixel in the middle of the picture: smaller ones are more than pixels can show.
        let cases = [(4, 1.0), (4, 1.6), (8, 1), (8, 2.5), (16, 1.6), (16, 2.5), (32, 4)]
        for (cell, texelsPerPoint) in cases where Double(cell) * cos(tilt * .pi / 180) >= texelsPerPoint {
            let image = Self.checker(cell)
            let scene = scene(subject, image, texelsPerPoint: Float(texelsPerPoint), tilt: tilt)
            let rows = try compare(scene, image, texelsPerPoint: texelsPerPoint)
            // Where the ideal picture shows the squares: neighbors differ by 20 on average. Where it has a trace of them in gray, its energy
            // is too little to compare with.
            func isDetailed(_ sums: BlockSums) -> Bool { sums.count >= 128 && sums.idealEnergy > 400 * Double(sums.count) }
            var last: Double?
            var seen = 0
            for blocks in rows {
                let row = sum(blocks)
                guard isDetailed(row) else {
                    last = nil
                    continue
                }
                let what: Comment = "\(cell) texels, \(texelsPerPoint) per pt: \(blocks.map(\.share))"
                #expect((0.9...1.5).contains(row.share), what)
                // No mipmap begins or ends with a jump.
                if let last { #expect(abs(row.share - last) < 0.2, what) }
                for block in blocks where isDetailed(block) { #expect(abs(block.share - row.share) < 0.3, what) }
                #expect(abs(row.value - row.idealValue) / Double(row.count) < 6, what)
                last = row.share
                seen += 1
            }
            #expect(seen >= 2, "\(cell) texels, \(texelsPerPoint) per pt")
            let all = sum(rows.flatMap(\.self))
            #expect(abs(all.value - all.idealValue) / Double(all.count) < 1.5)
        }
    }

    /// Without a filter along the view, one mipmap for both axes made this gray.
    @Test(arguments: Subject.allCases) func squaresAreNotGrayAtTilt75(subject: Subject) throws {
        let picture = try scene(subject, Self.checker(8), texelsPerPoint: 2, tilt: 75).drawn()
        let values = (20..<140).map { Int(picture[$0, 64].red) }
        #expect(values.max()! - values.min()! > 120, "\(values)")
    }

    /// Neighboring images on a page, and the reduced copies of others, are not visible at its edges or far away.
    @Test(arguments: [(1, 1), (2, 2), (3, 200), (7, 31), (33, 33), (64, 64), (200, 3), (511, 130), (600, 40), (40, 1100)])
    func nothingElseOfThePageShows(width: Int, height: Int) throws {
        let renderer = try FrameRenderer(Context.make())
        for scale: Float in [4, 1, 0.3, 0.05] {
            for tilt in [0.0, 50, 78] {
                var scene = MeshScene(96, 96, tilt: tilt, bearing: 33)
                let (across, down) = (Float(width) * scale, Float(height) * scale)
                for (index, color) in [Color.white, .red, .white].enumerated() {
                    let size = index == 1 ? (width, height) : (64, 64)
                    let key = UInt64(width * 4096 + height) * 4 + UInt64(index)
                    let image = FrameImage(key: 0, name: "", bitmap: Bitmap(width: size.0, height: size.1, fill: color))
                    scene.frame.images.append(image.reduced(.image, key: key))
                }
                scene.frame.sprites = [1, 0, 2].map { image in
                    Sprite(
                        x: image == 1 ? -across / 2 : 9000, y: -down / 2, across: (across, 0), down: (0, down), image: image,
                        plane: .ground)
                }
                scene.frame.commands = [.sprites(0..<3, .linear)]
                let picture = try renderer.render(scene.frame)
                var isSeen = false
                for y in 0..<96 {
                    for x in 0..<96 {
                        let pixel = picture[x, y]
                        isSeen = isSeen || pixel.alpha > 0
                        #expect(pixel.green == 0 && pixel.blue == 0 && pixel.red == pixel.alpha, "\(x), \(y): \(pixel)")
                    }
                }
                #expect(isSeen || min(across, down) < 3)
            }
        }
    }

    /// With others in the same draw, sprites on the screen are filtered as without any on the ground.
    @Test func spritesOnTheScreenDoNotDependOnThoseOnTheGround() throws {
        var random = SplitMix64(seed: 11)
        let renderer = try FrameRenderer(Context.make())
        var frame = Frame(width: 96, height: 96, ground: GroundCamera(width: 96, height: 96, tilt: 40))
        frame.images = [FrameImage(key: 1, name: "", bitmap: .noise(40, 30, &random, isOpaque: false))]
        for number in 0..<12 {
            let (size, angle) = (Float(8 + 6 * number), Float(number) * 0.4)
            frame.sprites.append(
                Sprite(
                    x: Float(number) * 6 + 10.3, y: 20, across: (size * cos(angle), size * sin(angle)),
                    down: (-size * sin(angle), size * cos(angle)), image: 0))
        }
        frame.commands = [.sprites(0..<12, .linear)]
        let alone = try renderer.render(frame)
        // Far outside the picture.
        frame.sprites.append(Sprite(x: 9000, y: 0, across: (1, 0), down: (0, 1), image: 0, plane: .ground))
        frame.commands = [.sprites(0..<13, .linear)]
        #expect(try renderer.render(frame).largestDifference(to: alone) <= 1)
    }
}
