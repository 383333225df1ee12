import Foundation
import Testing
import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRaster
import WaymarkRendering
import WaymarkTestSupport

/// Drawn paths: exact areas, composited once.
@Suite struct CoverageTests {
    private func draw(_ frame: Frame, threads: Int = 1) -> Bitmap {
        let painter = PathPainter(threadCount: threads)
        var bitmap = Bitmap(width: frame.width, height: frame.height)
        painter.draw(0..<frame.paths.count, of: frame, into: &bitmap)
        return bitmap
    }

    private func draw(
        _ contours: [[PathPoint]], _ width: Int = 5, _ height: Int = 5, rule: FillRule = .nonzero, color: Color = .black
    ) -> Bitmap {
        var frame = Frame(width: width, height: height)
        frame.add(contours, rule: rule, color: color)
        return draw(frame)
    }

    private func alphas(_ bitmap: Bitmap) -> [[Int]] {
        (0..<bitmap.height).map { y in (0..<bitmap.width).map { Int(bitmap[$0, y].alpha) } }
    }

    private func rectangle(_ left: Float, _ top: Float, _ right: Float, _ bottom: Float) -> [PathPoint] {
        [PathPoint(left, top), PathPoint(right, top), PathPoint(right, bottom), PathPoint(left, bottom)]
    }

    @Test func pixelsOfARectangle() {
        // Covering 1.25 to 3.5 across and 1.5 to 4 down: the columns are covered by 0.75, 1 and 0.5, the first row by 0.5.
        #expect(
            alphas(draw([rectangle(1.25, 1.5, 3.5, 4)])) == [
                [0, 0, 0, 0, 0], [0, 96, 128, 64, 0], [0, 191, 255, 128, 0], [0, 191, 255, 128, 0], [0, 0, 0, 0, 0],
            ])
    }

    @Test func pixelsOfATriangle() {
        // The diagonal halves its pixels.
        let triangle = [PathPoint(0, 0), PathPoint(4, 4), PathPoint(0, 4)]
        #expect(
            alphas(draw([triangle])) == [
                [128, 0, 0, 0, 0], [255, 128, 0, 0, 0], [255, 255, 128, 0, 0], [255, 255, 255, 128, 0], [0, 0, 0, 0, 0],
            ])
    }

    @Test func pixelsOfAFlatTriangle() {
        // One down over four across: of each pixel of the row 7/8, 5/8, 3/8 and 1/8 lie beneath.
        #expect(alphas(draw([[PathPoint(0, 1), PathPoint(4, 2), PathPoint(0, 2)]]))[1] == [223, 159, 96, 32, 0])
    }

    @Test func rulesDifferWhereContoursOverlap() {
        let squares = [rectangle(0, 0, 3, 3), rectangle(2, 2, 5, 5)]
        let backwards = [squares[0], squares[1].reversed()]
        #expect(alphas(draw(squares, rule: .nonzero))[2] == [255, 255, 255, 255, 255])
        #expect(alphas(draw(squares, rule: .evenOdd))[2] == [255, 255, 0, 255, 255])
        #expect(alphas(draw(backwards, rule: .nonzero))[2] == [255, 255, 0, 255, 255])
        #expect(alphas(draw(backwards, rule: .evenOdd))[2] == [255, 255, 0, 255, 255])
    }

    @Test func aPathIsAsStrongWhereItOverlapsItself() {
        let color = Color(red: 1, green: 0, blue: 0, alpha: 0.5)
        let bitmap = draw([rectangle(0, 0, 3, 3), rectangle(2, 2, 5, 5)], color: color)
        #expect(bitmap[2, 2] == bitmap[0, 0])
        #expect(bitmap[2, 2] == Bitmap.Pixel(red: 128, green: 0, blue: 0, alpha: 128))
        // Two paths are two.
        var frame = Frame(width: 5, height: 5)
        frame.add([rectangle(0, 0, 3, 3)], color: color)
        frame.add([rectangle(2, 2, 5, 5)], color: color)
        #expect(draw(frame)[2, 2].alpha == 192)
    }

    /// A translucent line on its translucent outline, computed: the outline is visible only next to the line, and a pixel shared by both is
    /// the sum of its parts.
    @Test func aKnockoutTakesThePlace() {
        var frame = Frame(width: 5, height: 1, background: .white)
        frame.add([rectangle(0, 0, 5, 1)], color: Color(red: 1, green: 0, blue: 0, alpha: 0.6))
        frame.add([rectangle(1.5, 0, 4, 1)], color: Color(red: 0, green: 0, blue: 1, alpha: 0.4), layering: .knockout)
        let bitmap = draw(frame)
        // Over white: 1 - alpha of each channel that the color lacks.
        #expect(bitmap[0, 0].isNear(Bitmap.Pixel(red: 255, green: 102, blue: 102, alpha: 255)))
        #expect(bitmap[2, 0].isNear(Bitmap.Pixel(red: 153, green: 153, blue: 255, alpha: 255)))
        #expect(bitmap[1, 0].isNear(Bitmap.Pixel(red: 204, green: 128, blue: 179, alpha: 255)))
        // A clear one cuts out.
        frame.paths[1].color = .clear
        #expect(draw(frame)[2, 0] == .white)
        // An opaque one is the same with and without a separate group.
        frame.paths[1].color = .blue
        #expect(draw(frame)[2, 0] == .opaqueBlue)
    }

    /// Dropping a part of a group does not join the rest with the group before.
    @Test func aKnockoutReachesNoFurtherThanItsGroup() {
        let translucent = Color(red: 1, green: 0, blue: 0, alpha: 0.4)
        let dropped: [([[PathPoint]], Color)] = [
            ([rectangle(0, 0, 5, 1)], Color(red: 0, green: 0, blue: 0, alpha: 0.001)), ([], .black),
            ([[PathPoint(.nan, 0), PathPoint(1, 0), PathPoint(1, 1)]], .black),
        ]
        for (contours, color) in dropped {
            var frame = Frame(width: 5, height: 1, background: .white)
            frame.add([rectangle(0, 0, 5, 1)], color: .blue)
            frame.add(contours, color: color)
            frame.add([rectangle(1, 0, 4, 1)], color: translucent, layering: .knockout)
            #expect(draw(frame)[2, 0].isNear(Bitmap.Pixel(red: 102, green: 0, blue: 153, alpha: 255)))
            frame.paths[2].color = .clear
            #expect(draw(frame)[2, 0] == .opaqueBlue)
            // Nor does a run reach into the one before.
            var bitmap = Bitmap(width: 5, height: 1)
            PathPainter(threadCount: 1).draw(2..<3, of: frame, into: &bitmap)
            #expect(bitmap[2, 0] == .white)
        }
    }

    /// Parts that overlap do not add up their edges, contours of one part do.
    @Test func theLargestCoverageOfPartsHolds() {
        let (a, b) = (rectangle(0, 0, 2.5, 1), rectangle(2.5, 0, 4, 1))
        func row(_ parts: [[[PathPoint]]], layering: Path.Layering = .over) -> [Int] {
            var frame = Frame(width: 5, height: 1)
            frame.add([rectangle(0, 0, 5, 1)], color: .clear)
            frame.add(parts: parts, color: .black, layering: layering)
            return alphas(draw(frame))[0]
        }
        for layering in [Path.Layering.over, .knockout] {
            #expect(row([[a, b]], layering: layering) == [255, 255, 255, 255, 0])
            #expect(row([[a, a]], layering: layering) == [255, 255, 255, 0, 0])
            #expect(row([[a], [a], [a]], layering: layering) == [255, 255, 128, 0, 0])
            #expect(row([[a], [b]], layering: layering) == [255, 255, 128, 255, 0])
            #expect(row([[a], [rectangle(3, 0, 4, 1)], [rectangle(2, 0, 2.25, 1)]], layering: layering) == [255, 255, 128, 255, 0])
        }
    }

    @Test(arguments: Seeds.slow) func partsApartAreAsOne(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var rings: [[[PathPoint]]] = []
        for y in 0..<6 {
            for x in 0..<10 {
                let center = PathPoint(Float(20 * x + 10), Float(20 * y + 10))
                rings.append([ring(random.integer(3...9), center, 2...9, &random)])
            }
        }
        var (one, several) = (Frame(width: 200, height: 120), Frame(width: 200, height: 120))
        one.add(rings.flatMap { $0 }, color: .black)
        several.add(parts: rings, color: .black)
        #expect(draw(several) == draw(one))
        #expect(draw(several, threads: 3) == draw(one))
    }

    /// A red piece of a white line on its black outline: along the edge nothing is white, at the seam both have their share.
    @Test(arguments: [1.0, 0.4]) func anInlayIsAPieceOfItsPath(alpha: Double) {
        let red = Color(red: 1, green: 0, blue: 0, alpha: alpha)
        var frame = Frame(width: 5, height: 3, background: .white)
        frame.add([rectangle(0, 0, 5, 3)], color: .black)
        frame.add([rectangle(0, 0, 5, 1.5)], color: .white, layering: .knockout)
        frame.add([rectangle(0, 0, 2.5, 1.5)], color: red, layering: .inlay)
        let bitmap = draw(frame)
        let beneath = UInt8((255 * (1 - alpha)).rounded())
        #expect(bitmap[0, 0].isNear(Bitmap.Pixel(red: 255, green: beneath, blue: beneath, alpha: 255)))
        #expect(bitmap[0, 1].isNear(Bitmap.Pixel(red: 128, green: beneath / 2, blue: beneath / 2, alpha: 255)))
        #expect(bitmap[2, 0].isNear(Bitmap.Pixel(red: 255, green: 128 + beneath / 2, blue: 128 + beneath / 2, alpha: 255)))
        #expect(bitmap[3, 1].isNear(Bitmap.Pixel(red: 128, green: 128, blue: 128, alpha: 255)))
        #expect(bitmap[0, 2] == Bitmap.Pixel(red: 0, green: 0, blue: 0, alpha: 255))
        // Without an outline, and where the path that it is a piece of does not show.
        frame.paths.removeFirst()
        frame.paths[0].layering = .over
        #expect(draw(frame)[0, 1].isNear(Bitmap.Pixel(red: 255, green: 128 + beneath / 2, blue: 128 + beneath / 2, alpha: 255)))
        frame.paths[0].color = .clear
        #expect(draw(frame)[0, 0].isNear(Bitmap.Pixel(red: 255, green: beneath, blue: beneath, alpha: 255)))
        #expect(draw(frame)[4, 0] == .white)
    }

    @Test func onePainterDrawsRunsOfAnyWidth() {
        let painter = PathPainter(threadCount: 1)
        for (width, height) in [(40, 3), (3, 40), (64, 64), (5, 5), (130, 20), (1, 600)] {
            let frame = scribbles(5, width, height, seed: UInt64(width))
            var bitmap = Bitmap(width: width, height: height)
            painter.draw(0..<5, of: frame, into: &bitmap)
            #expect(bitmap == draw(frame))
        }
    }

    @Test func whatLiesBesideThePictureCountsWhereItIsLeftOf() {
        #expect(alphas(draw([rectangle(-300, 1, 2.5, 2)]))[1] == [255, 255, 128, 0, 0])
        #expect(alphas(draw([rectangle(2.5, -90, 700, 90)]))[3] == [0, 0, 128, 255, 255])
        let slanted = [PathPoint(-10, -10), PathPoint(20, 20), PathPoint(-10, 20)]
        #expect(alphas(draw([slanted]))[2] == [255, 255, 128, 0, 0])
        #expect(alphas(draw([rectangle(9, 9, 20, 20)])).joined().allSatisfy { $0 == 0 })
        let notANumber = [PathPoint(0, 0), PathPoint(.nan, 1), PathPoint(3, 3)]
        #expect(alphas(draw([notANumber])).joined().allSatisfy { $0 == 0 })
    }

    /// A ring round a center, on the grid of the layout.
    private func ring(_ count: Int, _ center: PathPoint, _ radii: ClosedRange<Double>, _ random: inout SplitMix64) -> [PathPoint] {
        (0..<count).map { index in
            let angle = Double(index) / Double(count) * 2 * .pi
            let radius = random.number(radii)
            return PathPoint(
                Float(((Double(center.x) + radius * cos(angle)) * 1024).rounded() / 1024),
                Float(((Double(center.y) + radius * sin(angle)) * 1024).rounded() / 1024))
        }
    }

    private func area(_ ring: [PathPoint]) -> Double {
        var sum = 0.0
        for (a, b) in zip(ring, ring.dropFirst() + [ring[0]]) {
            sum += Double(a.x) * Double(b.y) - Double(b.x) * Double(a.y)
        }
        return sum / 2
    }

    /// Ten polygons a seed, so 10,000 in the full run: pixels come to the area.
    @Test(arguments: Seeds.all) func pixelsComeToTheArea(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<10 {
            let center = PathPoint(32 + Float(random.number(-1...1)), 32)
            let outer = ring(random.integer(3...60), center, 16...30, &random)
            // Inside the outer one: its chords stay beyond a cosine of the radius.
            let hole = ring(random.integer(3...20), center, 0...4, &random)
            let holeArea = outer.count > 5 ? area(hole) : 0
            let contours = outer.count > 5 ? [outer, hole.reversed()] : [outer]
            for rule in [FillRule.nonzero, .evenOdd] {
                let bitmap = draw(contours, 64, 64, rule: rule)
                let values = alphas(bitmap).joined()
                let sum = values.reduce(0, +)
                let edges = values.count { $0 > 0 && $0 < 255 }
                #expect(abs(Double(sum) / 255 - (area(outer) - holeArea)) <= 0.02 + Double(edges).squareRoot() * 0.004)
            }
        }
    }

    /// A slow count of 16 × 16 samples a pixel by the definition of the rules.
    @Test(arguments: Seeds.slow) func pixelsAreThoseOfManySamples(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let isSimple = random.once(in: 2)
        let side = 24
        let contours =
            isSimple
            ? [ring(12, PathPoint(12, 12), 6...14, &random)]
            : [(0..<9).map { _ in PathPoint(Float(random.integer(-4096...28_672)) / 1024, Float(random.integer(-4096...28_672)) / 1024) }]
        for rule in [FillRule.nonzero, .evenOdd] {
            let actual = alphas(draw(contours, side, side, rule: rule))
            var off = 0
            for y in 0..<side {
                for x in 0..<side {
                    var inside = 0
                    for sample in 0..<256 {
                        let point = (Double(x) + (Double(sample % 16) + 0.5) / 16, Double(y) + (Double(sample / 16) + 0.5) / 16)
                        let winding = contours.reduce(0) { $0 + self.winding($1, point) }
                        if rule == .nonzero ? winding != 0 : winding % 2 != 0 { inside += 1 }
                    }
                    if abs(Double(inside) / 256 * 255 - Double(actual[y][x])) > 12 { off += 1 }
                }
            }
            // Where edges cross within a pixel, the sum of areas is not the area of the sum.
            #expect(off <= (isSimple ? 2 : 40))
        }
    }

    private func winding(_ contour: [PathPoint], _ point: (x: Double, y: Double)) -> Int {
        contour.indices.reduce(0) { sum, index in
            let (a, b) = (contour[index], contour[(index + 1) % contour.count])
            let (ay, by) = (Double(a.y) - point.y, Double(b.y) - point.y)
            guard (ay <= 0) != (by <= 0) else { return sum }
            let x = Double(a.x) - point.x - ay * Double(b.x - a.x) / (by - ay)
            return x > 0 ? sum + (by > ay ? 1 : -1) : sum
        }
    }

    private func scribbles(_ count: Int, _ width: Int, _ height: Int, seed: UInt64) -> Frame {
        var random = SplitMix64(seed: seed)
        var frame = Frame(width: width, height: height, background: random.once(in: 2) ? .clear : .white)
        for number in 0..<count {
            let points = (0..<random.integer(3...200)).map { _ in
                PathPoint(
                    Float(random.integer(-20_000...(width + 20) * 1024)) / 1024,
                    Float(random.integer(-20_000...(height + 20) * 1024)) / 1024)
            }
            let color = Color(
                red: random.number(0...1), green: random.number(0...1), blue: random.number(0...1),
                alpha: random.once(in: 2) ? 1 : random.number(0...1))
            frame.add(
                [points], rule: random.once(in: 2) ? .nonzero : .evenOdd, color: color,
                layering: number > 0 && random.once(in: 4) ? (random.once(in: 2) ? .knockout : .inlay) : .over)
        }
        return frame
    }

    @Test(arguments: Seeds.slow) func threadsChangeNoByte(seed: UInt64) {
        let frame = scribbles(12, 211, 307, seed: seed)
        let one = draw(frame)
        for threads in [2, 3, 7] { #expect(draw(frame, threads: threads) == one) }
    }

    @Test(arguments: Seeds.slow) func theRestOfThePictureChangesNoPixel(seed: UInt64) {
        let frame = scribbles(8, 150, 120, seed: seed)
        let whole = draw(frame)
        var moved = frame
        moved.width = 90
        moved.height = 70
        for index in moved.pathPoints.indices { moved.pathPoints[index] -= PathPoint(37, 29) }
        let part = draw(moved)
        for y in 0..<70 {
            for x in 0..<90 { #expect(part[x, y] == whole[x + 37, y + 29]) }
        }
    }
}

/// Paths among sprites and groups, through the device.
@Suite(.serialized) struct PathLayerTests {
    init() { PinnedRasterizer.pin }

    private func rectangle(_ left: Float, _ top: Float, _ right: Float, _ bottom: Float) -> [[PathPoint]] {
        [[PathPoint(left, top), PathPoint(right, top), PathPoint(right, bottom), PathPoint(left, bottom)]]
    }

    /// A red square between two paths, one half across.
    private func frame(background: Color) -> Frame {
        var frame = Frame(width: 5, height: 5, background: background)
        frame.images = [FrameImage(key: 1, name: "red", bitmap: Bitmap(width: 3, height: 3, fill: .red))]
        frame.sprites = [Sprite(x: 1, y: 1, across: (3, 0), down: (0, 3), image: 0, sampling: .nearest)]
        frame.add(rectangle(0, 0, 5, 2), color: Color(red: 0, green: 0, blue: 1, alpha: 0.5))
        frame.add(rectangle(2.5, 2, 5, 4), color: Color(red: 0, green: 1, blue: 0, alpha: 1))
        frame.commands = [.paths(0..<1), .sprites(0..<1, .nearest), .paths(1..<2)]
        return frame
    }

    @Test(arguments: [Color.clear, .white], [4 << 20, 7, 1]) func pathsAndSpritesLieInOrder(background: Color, tile: Int) throws {
        let picture = try FrameRenderer(Context.make(), submission: nil, pathTilePixels: tile).render(frame(background: background))
        let beneath = background == .clear ? Bitmap.Pixel.clear : .white
        #expect(picture[0, 4] == beneath)
        #expect(
            picture[0, 0].isNear(
                background == .clear ? .init(red: 0, green: 0, blue: 128, alpha: 128) : .init(red: 127, green: 127, blue: 255, alpha: 255)))
        #expect(picture[1, 1] == .opaqueRed)
        #expect(picture[1, 3] == .opaqueRed)
        #expect(picture[2, 2].isNear(.init(red: 127, green: 128, blue: 0, alpha: 255)))
        #expect(picture[3, 3] == .opaqueGreen)
        #expect(picture[4, 3] == .opaqueGreen)
        #expect(picture[4, 4] == beneath)
    }

    @Test func groupsHoldPaths() throws {
        var frame = frame(background: .white)
        frame.commands = [
            .sprites(0..<1, .nearest), .beginGroup(Group(alpha: 0.5, bounds: PixelRect(x: 2, y: 1, width: 3, height: 3))), .paths(1..<2),
            .endGroup,
        ]
        let picture = try FrameRenderer(Context.make()).render(frame)
        #expect(picture[3, 3].isNear(.init(red: 127, green: 128, blue: 0, alpha: 255)))
        #expect(picture[4, 3].isNear(.init(red: 127, green: 255, blue: 127, alpha: 255)))
        #expect(picture[1, 1] == .opaqueRed)
    }

    /// Pictures do not depend on whether the device takes part.
    @Test func pathsAloneAreTheSameWithSpritesBeside() throws {
        var random = SplitMix64(seed: 3)
        var frame = Frame(width: 64, height: 64, background: Color(red: 0.9, green: 0.8, blue: 0.7))
        for _ in 0..<6 {
            let points = (0..<9).map { _ in PathPoint(Float(random.integer(0...65_536)) / 1024, Float(random.integer(0...65_536)) / 1024) }
            frame.add([points], rule: .evenOdd, color: Color(red: random.number(0...1), green: 0.2, blue: 0.4, alpha: random.number(0...1)))
        }
        frame.commands = [.paths(0..<6)]
        let renderer = try FrameRenderer(Context.make())
        let alone = try renderer.render(frame)
        #expect(renderer.drawCount == 0)
        frame.images = [FrameImage(key: 1, name: "red", bitmap: Bitmap(width: 3, height: 3, fill: .red))]
        // Not pixel for pixel, because such images are drawn in memory.
        frame.sprites = [Sprite(x: 61, y: 61, across: (3, 0), down: (0, 3), image: 0, sampling: .linear)]
        frame.commands.append(.sprites(0..<1, .linear))
        let together = try renderer.render(frame)
        for y in 0..<64 {
            for x in 0..<64 where x < 61 || y < 61 { #expect(alone[x, y] == together[x, y]) }
        }
        let isSoftware = try renderer.context.info.isSoftware
        #expect(!isSoftware || renderer.drawCount == 2)
    }
}
