import Foundation
import Testing
import WaymarkFrame
import WaymarkImaging
import WaymarkRaster
import WaymarkRendering
import WaymarkTestSupport

/// Fills that share borders: nothing shines through.
@Suite struct FillRunTests {
    private func draw(_ frame: Frame, threads: Int = 1) -> Bitmap {
        let painter = PathPainter(threadCount: threads)
        var bitmap = Bitmap(width: frame.width, height: frame.height)
        painter.draw(0..<frame.paths.count, of: frame, into: &bitmap)
        return bitmap
    }

    private func rectangle(_ left: Float, _ top: Float, _ right: Float, _ bottom: Float) -> [PathPoint] {
        [PathPoint(left, top), PathPoint(right, top), PathPoint(right, bottom), PathPoint(left, bottom)]
    }

    private func color(_ red: Double, _ green: Double, _ blue: Double, _ alpha: Double = 1) -> Color {
        Color(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// The same frame with its fills composited one after the other, whatever they share.
    private func withoutRuns(_ frame: Frame) -> Frame {
        var frame = frame
        for index in frame.paths.indices { (frame.paths[index].run, frame.paths[index].layering) = (0, .over) }
        return frame
    }

    /// Cells that tile a rectangle: a grid with moved corners, of which some cells are cut in two, in any order. Corners are moved by less
    /// than a quarter of a cell, so that cells stay convex and their halves do not overlap.
    private func tiling(_ columns: Int, _ rows: Int, _ cell: Float, at corner: PathPoint, _ random: inout SplitMix64) -> [[PathPoint]] {
        func moved(_ column: Int, _ row: Int) -> PathPoint {
            let reach = Int(cell * 1024 * 0.24)
            func shift(_ isInner: Bool) -> Float { isInner ? Float(random.integer(-reach...reach)) / 1024 : 0 }
            return corner
                + PathPoint(
                    Float(column) * cell + shift(column > 0 && column < columns), Float(row) * cell + shift(row > 0 && row < rows))
        }
        let corners = (0...rows).map { row in (0...columns).map { moved($0, row) } }
        var cells: [[PathPoint]] = []
        for row in 0..<rows {
            for column in 0..<columns {
                let (a, b) = (corners[row][column], corners[row][column + 1])
                let (c, d) = (corners[row + 1][column + 1], corners[row + 1][column])
                switch random.integer(0...2) {
                case 0: cells.append([a, b, c, d])
                case 1: cells += [[a, b, c], [a, c, d]]
                // The other way round: the winding does not matter.
                default: cells += [[a, b, d], [b, d, c]]
                }
            }
        }
        cells.shuffle(using: &random)
        return cells
    }

    @Test(arguments: Seeds.all) func tilesOfOneColorAreOneArea(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let cell = random.one(of: [0.25, 0.7, 3, 9.3] as [Float])
        let side = Int(24 / cell)
        let tiles = tiling(side, side, cell, at: PathPoint(3.375, 2.5), &random)
        let fill = color(random.number(0...1), random.number(0...1), random.number(0...1), random.one(of: [1, random.number(0.05...0.99)]))
        for background in [Color.clear, .white, .black, color(0.3, 0.9, 0.1, 0.5)] {
            var frame = Frame(width: 32, height: 32, background: background)
            for tile in tiles { frame.add([tile], color: fill, layering: .beside, run: 7) }
            var whole = Frame(width: 32, height: 32, background: background)
            let end = Float(side) * cell
            whole.add([rectangle(3.375, 2.5, 3.375 + end, 2.5 + end)], color: fill)
            let (drawn, expected) = (draw(frame), draw(whole))
            for y in 0..<32 {
                for x in 0..<32 {
                    let isInside = x > 3 && y > 2 && Float(x + 1) <= 3.375 + end && Float(y + 1) <= 2.5 + end
                    if isInside {
                        #expect(drawn[x, y] == expected[x, y], "\(x), \(y) of cells of \(cell) px")
                    } else {
                        // The edge of the whole: its coverage was rounded once for the one, and for the other for each tile.
                        #expect(drawn[x, y].isNear(expected[x, y], within: 2))
                    }
                }
            }
            // And without runs, it shines through; unless the fill is hardly there.
            if background == .black, fill.alpha == 1, fill.red > 0.5 { #expect(draw(withoutRuns(frame)) != drawn) }
        }
    }

    /// The contract's formula in floating point: P, A and w of each pixel, with the exact area of each polygon.
    private func reference(_ frame: Frame) -> [[SIMD4<Double>]] {
        let background = SIMD4<Double>(frame.background)
        return (0..<frame.height).map { y in
            (0..<frame.width).map { x in
                var (sum, covered) = (SIMD4<Double>.zero, 0.0)
                for path in frame.paths {
                    let s = path.contours.reduce(0) { $0 + area(Array(frame.points(ofContour: $1)), x, y) }
                    let over = max(0, covered + s - 1)
                    let color = SIMD4<Double>(path.color)
                    sum = color * s + sum * (covered > 0 ? 1 - over * color.w / covered : 1)
                    covered = min(1, covered + s)
                }
                return (sum + background * (1 - sum.w)) * 255
            }
        }
    }

    /// The area of a convex polygon in a pixel: cut by its four sides (Sutherland and Hodgman, 1974).
    private func area(_ polygon: [PathPoint], _ x: Int, _ y: Int) -> Double {
        var points = polygon.map { SIMD2(Double($0.x) - Double(x), Double($0.y) - Double(y)) }
        for side in [{ $0.x }, { 1 - $0.x }, { $0.y }, { 1 - $0.y }] as [(SIMD2<Double>) -> Double] {
            var cut: [SIMD2<Double>] = []
            for index in points.indices {
                let (a, b) = (points[index], points[(index + 1) % points.count])
                let (inA, inB) = (side(a), side(b))
                if inA >= 0 { cut.append(a) }
                if (inA >= 0) != (inB >= 0) { cut.append(a + (b - a) * (inA / (inA - inB))) }
            }
            points = cut
        }
        var sum = 0.0
        for index in points.indices {
            let (a, b) = (points[index], points[(index + 1) % points.count])
            sum += a.x * b.y - b.x * a.y
        }
        return abs(sum) / 2
    }

    /// Tiles of many colors, and fills that overlap them and one another at random.
    @Test(arguments: Seeds.slow) func everyPixelIsThatOfTheFormula(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var frame = Frame(width: 16, height: 16, background: random.one(of: [.clear, .white, color(0.2, 0.4, 0.6, 0.7)]))
        func anyColor() -> Color {
            color(random.number(0...1), random.number(0...1), random.number(0...1), random.one(of: [1, random.number(0.1...1)]))
        }
        var polygons = tiling(4, 4, random.one(of: [0.6, 3.1]), at: PathPoint(1.25, 1.75), &random)
        for _ in 0..<random.integer(0...12) {
            let center = PathPoint(Float(random.number(2...14)), Float(random.number(2...14)))
            polygons.append(
                (0..<3).map { corner in
                    let angle = Double(corner) * 2.1 + random.number(0...2)
                    let point = center + PathPoint(Float(cos(angle)), Float(sin(angle))) * Float(random.number(0.2...6))
                    return (point * 1024).rounded(.toNearestOrEven) / 1024
                })
        }
        polygons.shuffle(using: &random)
        for polygon in polygons { frame.add([polygon], color: anyColor(), layering: .beside, run: 1) }
        let (drawn, expected) = (draw(frame), reference(frame))
        for y in 0..<16 {
            for x in 0..<16 {
                let off = abs(SIMD4<Double>(drawn[x, y]) - expected[y][x]).max()
                // Each fill that covers a pixel fully rounds it by at most 0.5 levels, as without runs; the fills above it reduce the error.
                #expect(off <= 3, "\(x), \(y): \(drawn[x, y]) and \(expected[y][x])")
            }
        }
    }

    @Test func fillsBesideEachOtherByNumbers() {
        var frame = Frame(width: 3, height: 1, background: .black)
        let (white, red) = (Color.white, Color(red: 1, green: 0, blue: 0, alpha: 1))
        frame.add([rectangle(0, 0, 1.5, 1)], color: white, layering: .beside, run: 1)
        frame.add([rectangle(1.5, 0, 3, 1)], color: white, layering: .beside, run: 1)
        #expect(draw(frame)[1, 0] == .white)
        // One after the other, a quarter of the black remains.
        #expect(draw(withoutRuns(frame))[1, 0].isNear(Bitmap.Pixel(red: 191, green: 191, blue: 191, alpha: 255)))
        // The numbers of runs differ: a fill over a border lies above it.
        frame.paths[1].run = 2
        #expect(draw(frame) == draw(withoutRuns(frame)))
        // A quarter of it overlaps: half is covered, three quarters come, so a quarter of the pixel lies over the white.
        frame.paths[1] = Path(contours: frame.paths[1].contours, color: red, layering: .beside, run: 1)
        frame.pathPoints.replaceSubrange(4..<8, with: rectangle(1.25, 0, 3, 1))
        #expect(draw(frame)[1, 0].isNear(Bitmap.Pixel(red: 255, green: 64, blue: 64, alpha: 255)))
        // Of two that overlap, the later one is above: the order counts there, and only there.
        frame.paths.swapAt(0, 1)
        #expect(draw(frame)[1, 0].isNear(Bitmap.Pixel(red: 255, green: 128, blue: 128, alpha: 255)))
        // A pixel that is covered wholly is laid over plainly.
        frame.add([rectangle(0, 0, 3, 1)], color: .blue, layering: .beside, run: 1)
        frame.add([rectangle(0, 0, 1.5, 1)], color: white, layering: .beside, run: 1)
        frame.add([rectangle(1.5, 0, 3, 1)], color: white, layering: .beside, run: 1)
        #expect(draw(frame)[1, 0].isNear(Bitmap.Pixel(red: 191, green: 191, blue: 255, alpha: 255)))
    }

    /// An outline lies over the fills so far, and the next fill over half of it: the half that the border leaves free.
    @Test func outlinesLieOverFillsAndAreCovered() {
        let (red, blue) = (Color(red: 1, green: 0, blue: 0, alpha: 1), Color(red: 0, green: 0, blue: 1, alpha: 1))
        var frame = Frame(width: 3, height: 1, background: .white)
        frame.add([rectangle(0, 0, 1.5, 1)], color: red, layering: .beside, run: 1)
        frame.add([rectangle(1, 0, 2, 1)], color: .black, run: 1)
        frame.add([rectangle(1.5, 0, 3, 1)], color: blue, layering: .beside, run: 1)
        #expect(draw(frame)[1, 0].isNear(Bitmap.Pixel(red: 0, green: 0, blue: 128, alpha: 255)))
        // A translucent one that covers half of the pixel: of each part a quarter is black.
        frame.paths[1].color = color(0, 0, 0, 0.5)
        frame.pathPoints.replaceSubrange(4..<8, with: rectangle(1.25, 0, 1.75, 1))
        #expect(draw(frame)[1, 0].isNear(Bitmap.Pixel(red: 96, green: 0, blue: 128, alpha: 255)))
        // Once the pixel is covered, the outline of the second is plain; and so is a second outline before.
        frame.add([rectangle(1.25, 0, 1.75, 1)], color: color(0, 0, 0, 0.5), run: 1)
        #expect(draw(frame)[1, 0].isNear(Bitmap.Pixel(red: 72, green: 0, blue: 96, alpha: 255)))
        frame.paths.swapAt(2, 3)
        #expect(draw(frame)[1, 0].isNear(Bitmap.Pixel(red: 72, green: 0, blue: 128, alpha: 255)))
        // Never more than opaque, whatever the order of outlines and fills.
        frame.background = .clear
        #expect(draw(frame)[1, 0].isNear(Bitmap.Pixel(red: 72, green: 0, blue: 128, alpha: 255)))
    }

    /// A line between two fills leaves no seam where it does not touch the border's pixels, however it is drawn.
    @Test(arguments: [1, 0.5]) func aLineBetweenFillsLeavesNoSeamWhereItDoesNotTouchTheBorder(alpha: Double) {
        let red = Color(red: 1, green: 0, blue: 0, alpha: 1)
        func add(_ line: [(left: Float, right: Float, layering: Path.Layering)], to frame: inout Frame) {
            for piece in line {
                frame.add([rectangle(piece.left, 0, piece.right, 2)], color: color(0, 0, 1, alpha), layering: piece.layering, run: 1)
            }
        }
        func frame(_ line: [(left: Float, right: Float, layering: Path.Layering)]) -> Frame {
            var frame = Frame(width: 8, height: 2, background: .black)
            frame.add([rectangle(0, 0, 1.5, 2)], color: red, layering: .beside, run: 1)
            add(line, to: &frame)
            frame.add([rectangle(1.5, 0, 5.5, 2)], color: red, layering: .beside, run: 1)
            return frame
        }
        let plain = draw(frame([]))
        #expect(plain[1, 0] == .opaqueRed)
        for line in [
            [(2.25, 3.75, .over)], [(5.25, 7.5, .over)], [(4.5, 7.5, .over), (5, 7, .knockout)],
            [(4.5, 7.5, .over), (5, 7, .knockout), (6, 7, .inlay)], [(4.5, 7.5, .over), (5, 7, .inlay)],
        ] as [[(left: Float, right: Float, layering: Path.Layering)]] {
            let (runs, single) = (draw(frame(line)), draw(withoutLayering(frame(line))))
            // The border is seamless, and the line is as without a run.
            #expect((0..<2).allSatisfy { runs[1, $0] == plain[1, $0] }, "\(line)")
            for x in 2..<8 { #expect(runs[x, 0].isNear(single[x, 0], within: 1), "\(line) at \(x)") }
        }
    }

    /// The same frame with its fills composited one after the other; lines keep their groups.
    private func withoutLayering(_ frame: Frame) -> Frame {
        var frame = frame
        for index in frame.paths.indices {
            frame.paths[index].run = 0
            if frame.paths[index].layering == .beside { frame.paths[index].layering = .over }
        }
        return frame
    }

    /// The pieces of one fill are one area, in one color, whatever they cover twice.
    @Test(arguments: [1, 0.5]) func joinedFillsAreOne(alpha: Double) {
        let fill = color(1, 0, 0, alpha)
        var frame = Frame(width: 4, height: 1, background: .white)
        frame.add([rectangle(0, 0, 1.5, 1)], color: fill, layering: .beside, run: 1)
        frame.add([rectangle(1.5, 0, 3, 1)], rule: .evenOdd, color: fill, layering: .joined, run: 1)
        frame.add([rectangle(0, 0, 2.5, 1)], color: fill, layering: .joined, run: 1)
        let drawn = draw(frame)
        #expect((0..<3).allSatisfy { drawn[$0, 0] == drawn[0, 0] })
        #expect(drawn[3, 0] == .white)
        #expect(drawn[0, 0].isNear(Bitmap.Pixel(red: 255, green: alpha == 1 ? 0 : 128, blue: alpha == 1 ? 0 : 128, alpha: 255)))
        // Where the first of them is not visible, the rest does not change.
        frame.paths[0].contours = 0..<0
        #expect(draw(frame) == drawn)
    }

    @Test(arguments: [1, 0.37]) func aThousandFillsMeetInAPixel(alpha: Double) {
        let center = PathPoint(4.4375, 4.6875)
        let corners = (0..<1000).map { index in
            let angle = Double(index) / 1000 * 2 * .pi
            return ((center + PathPoint(Float(cos(angle)), Float(sin(angle))) * 20) * 1024).rounded(.toNearestOrEven) / 1024
        }
        var frame = Frame(width: 9, height: 9, background: .black)
        for index in corners.indices {
            frame.add([[center, corners[index], corners[(index + 1) % 1000]]], color: color(1, 1, 1, alpha), layering: .beside, run: 1)
        }
        var whole = Frame(width: 9, height: 9, background: .black)
        whole.add([rectangle(0, 0, 9, 9)], color: color(1, 1, 1, alpha))
        #expect(draw(frame) == draw(whole))
        // The same thousand times: all but the first lie over it.
        frame = Frame(width: 2, height: 1, background: .white)
        for _ in 0..<1000 { frame.add([rectangle(0, 0, 1.5, 1)], color: .black, layering: .beside, run: 1) }
        #expect(draw(frame)[1, 0] == Bitmap.Pixel(red: 0, green: 0, blue: 0, alpha: 255))
    }

    @Test(arguments: Seeds.slow) func threadsAndTheRestOfThePictureChangeNoByte(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var frame = Frame(width: 211, height: 157, background: random.one(of: [.clear, .white]))
        var run: Int32 = 1
        // To the previous path, if it is a fill: only pieces of one fill are joined.
        var lastRun: Int32?
        for polygon in tiling(9, 6, 23, at: PathPoint(3.5, 5.25), &random) {
            let fill = color(random.number(0...1), random.number(0...1), random.number(0...1), random.one(of: [1, random.number(0...1)]))
            let layering = lastRun == run && random.once(in: 6) ? Path.Layering.joined : .beside
            frame.add([polygon], color: fill, layering: layering, run: run)
            lastRun = run
            if random.once(in: 3) {
                let inner = polygon.map { ($0 * 0.99 * 1024).rounded(.toNearestOrEven) / 1024 }
                frame.add([inner, polygon], rule: .evenOdd, color: .black, run: run)
                lastRun = nil
            }
            if run > 0, random.once(in: 5) {
                frame.add([polygon.map { $0 + 0.5 }], color: .black, run: run)
                frame.add([polygon], color: fill, layering: random.one(of: [.over, .knockout, .inlay]), run: run)
                lastRun = nil
            }
            if random.once(in: 9) { run = random.once(in: 2) ? 0 : run + 1 }
            if run == 0 {
                // Knockouts and inlays follow paths of no run.
                frame.add([polygon], color: .black)
                frame.add([polygon.map { $0 + 0.5 }], color: fill, layering: random.one(of: [.over, .knockout, .inlay]))
                lastRun = nil
                run = frame.paths.count > 0 ? Int32(frame.paths.count) : 1
            }
        }
        let one = draw(frame)
        for threads in [2, 3, 7] { #expect(draw(frame, threads: threads) == one) }
        var moved = frame
        (moved.width, moved.height) = (90, 70)
        for index in moved.pathPoints.indices { moved.pathPoints[index] -= PathPoint(37, 29) }
        let part = draw(moved)
        for y in 0..<70 {
            for x in 0..<90 { #expect(part[x, y] == one[x + 37, y + 29]) }
        }
        // Like a crop, which omits paths outside of it.
        frame.commands = [.paths(0..<frame.paths.count)]
        let crop = frame.cropped(to: PixelRect(x: 37, y: 29, width: 90, height: 70))
        #expect(draw(crop) == part)
    }
}

extension SIMD4<Double> {
    /// Premultiplied bytes.
    fileprivate init(_ pixel: Bitmap.Pixel) {
        self.init(Double(pixel.red), Double(pixel.green), Double(pixel.blue), Double(pixel.alpha))
    }

    /// Premultiplied, 0…1, as stored.
    fileprivate init(_ color: Color) {
        let bytes = color.premultipliedBytes
        self.init(Double(bytes.red) / 255, Double(bytes.green) / 255, Double(bytes.blue) / 255, Double(bytes.alpha) / 255)
    }
}

private func abs(_ vector: SIMD4<Double>) -> SIMD4<Double> { vector.replacing(with: -vector, where: vector .< 0) }
