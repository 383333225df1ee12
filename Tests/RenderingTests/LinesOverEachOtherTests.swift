import Testing
import WaymarkFrame
import WaymarkImaging
import WaymarkRaster
import WaymarkRendering
import WaymarkTestSupport

/// Many opaque paths of one color: where the picture already has their color, they are left out.
@Suite struct LinesOverEachOtherTests {
    private static let height = 90

    /// Lines of four segments that cross themselves, each segment a part of its own. Each color is used for a series of lines.
    private func frame(_ count: Int, width: Int, colors: [Color], _ random: inout SplitMix64) -> Frame {
        var frame = Frame(width: width, height: Self.height, background: .white)
        func corner() -> PlanePoint {
            PlanePoint(Double(random.integer(-40...width + 40)), Double(random.integer(-40...Self.height + 40)))
        }
        for number in 0..<count {
            var stroker = Stroker(StrokeStyle(width: random.number(3...9), cap: .round))
            let corners = (0..<5).map { _ in corner() }
            for (a, b) in zip(corners, corners.dropFirst()) where a != b { stroker.add([a, b]) }
            let contours = (0..<stroker.contours.count).map { contour in
                stroker.contours[contour].map { PathPoint(Float(($0.x * 1024).rounded() / 1024), Float(($0.y * 1024).rounded() / 1024)) }
            }
            frame.add(parts: contours.map { [$0] }, color: colors[number * colors.count / count])
        }
        return frame
    }

    private func draw(_ frame: Frame, threads: Int = 1) -> Bitmap {
        var bitmap = Bitmap(width: frame.width, height: frame.height)
        PathPainter(threadCount: threads).draw(0..<frame.paths.count, of: frame, into: &bitmap)
        return bitmap
    }

    /// Each path is drawn by itself, so that none is left out.
    private func drawOneByOne(_ frame: Frame) -> Bitmap {
        var bitmap = Bitmap(width: frame.width, height: frame.height)
        let painter = PathPainter(threadCount: 1)
        painter.draw(0..<0, of: frame, into: &bitmap)
        bitmap.withUnsafeMutablePixels { bytes in
            bytes.withMemoryRebound(to: UInt32.self) { pixels in
                guard let first = pixels.baseAddress else { return }
                for index in frame.paths.indices {
                    let box = painter.prepare(
                        frame.paths[index...index], frame.pathGeometry, columns: 0..<frame.width, rows: 0..<frame.height)
                    guard let box else { continue }
                    let start = first + box.rows.lowerBound * frame.width + box.columns.lowerBound
                    painter.paint(frame.pathGeometry, into: start, columns: box.columns, rows: box.rows, stride: frame.width)
                }
            }
        }
        return bitmap
    }

    @Test(arguments: Seeds.slow) func whatIsLeftOutChangesNoByte(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let (orange, blue) = (Color(red: 0.937, green: 0.413, blue: 0.071), Color(red: 0.11, green: 0.3, blue: 0.9))
        // A width of whole blocks, widths of a pixel more and less, and a narrow picture.
        for width in [128, 129, 159, 20] {
            for colors in [[orange], [orange, blue, orange], [blue.withAlpha(0.5), orange]] {
                let frame = frame(240, width: width, colors: colors, &random)
                let expected = drawOneByOne(frame)
                #expect(draw(frame) == expected)
                #expect(draw(frame, threads: 3) == expected)
                // Most pixels have the last color, so paths are left out.
                let last = colors[colors.count - 1].premultipliedBytes
                let count = (0..<width * Self.height).count { expected[$0 % width, $0 / width] == last }
                #expect(count > width * Self.height / 2)
            }
        }
    }

    /// Shapes that are not left out: a hole in a polygon, and everything after a path of another color.
    @Test func aPathOfAnotherColorEndsTheSeries() {
        var frame = Frame(width: 64, height: 32)
        func rectangle(_ left: Float, _ right: Float) -> [PathPoint] {
            [PathPoint(left, 0), PathPoint(right, 0), PathPoint(right, 32), PathPoint(left, 32)]
        }
        for _ in 0..<40 { frame.add([rectangle(0, 64)], color: .black) }
        frame.add([rectangle(10, 20)], color: .white)
        frame.add([rectangle(15, 30)], color: .black)
        let bitmap = draw(frame)
        #expect(bitmap[5, 5] == bitmap[25, 5])
        #expect((0..<64).filter { bitmap[$0, 9].red == 255 } == Array(10..<15))
    }
}
