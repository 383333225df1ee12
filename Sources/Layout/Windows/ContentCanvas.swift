import Foundation
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster

/// Draws contents into memory: areas by exact coverage, bitmaps blended over the existing pixels. Lengths are in device pixels.
struct ContentCanvas {
    private(set) var bitmap: Bitmap

    init(width: Int, height: Int) {
        bitmap = Bitmap(width: width, height: height)
    }

    /// Draws over a bitmap.
    init(over bitmap: Bitmap) { self.bitmap = bitmap }

    /// The rectangle of all its pixels.
    var bounds: PixelRect { PixelRect(x: 0, y: 0, width: bitmap.width, height: bitmap.height) }

    /// Fills contours with a color.
    /// - Parameter clip: The pixels that may change.
    mutating func fill(_ contours: [[PathPoint]], _ color: Color, rule: FillRule = .evenOdd, clip: PixelRect) {
        let clip = clip.intersection(bounds)
        guard color.alpha > 0, !clip.isEmpty else { return }
        var geometry = PathGeometry(points: [], contours: [], parts: [])
        for contour in contours {
            geometry.points += contour
            geometry.contours.append(geometry.points.count)
        }
        let paths = [Path(contours: 0..<contours.count, rule: rule, color: color)]
        let painter = PathPainter(threadCount: 1)
        let width = bitmap.width
        let seen = (columns: clip.x..<clip.x + clip.width, rows: clip.y..<clip.y + clip.height)
        guard let (columns, rows) = painter.prepare(paths[...], geometry, columns: seen.columns, rows: seen.rows) else { return }
        bitmap.withUnsafeMutablePixels { bytes in
            UnsafeMutableRawBufferPointer(bytes).withMemoryRebound(to: UInt32.self) { pixels in
                guard let first = pixels.baseAddress else { return }
                painter.paint(
                    geometry, into: first + rows.lowerBound * width + columns.lowerBound, columns: columns, rows: rows, stride: width)
            }
        }
    }

    /// Draws a bitmap with its upper left at a pixel.
    /// - Parameter clip: The pixels that may change.
    mutating func draw(_ other: Bitmap, x: Int, y: Int, clip: PixelRect) {
        let seen = clip.intersection(bounds).intersection(PixelRect(x: x, y: y, width: other.width, height: other.height))
        guard !seen.isEmpty else { return }
        let (left, right, top, bottom) = (seen.x, seen.x + seen.width, seen.y, seen.y + seen.height)
        let width = bitmap.width
        bitmap.withUnsafeMutablePixels { target in
            other.pixels.withUnsafeBufferPointer { source in
                for row in top..<bottom {
                    var from = ((row - y) * other.width + left - x) * 4
                    var to = (row * width + left) * 4
                    for _ in left..<right {
                        let rest = 255 - source[from + 3]
                        if rest == 0 {
                            for channel in 0..<4 { target[to + channel] = source[from + channel] }
                        } else if rest < 255 {
                            for channel in 0..<4 {
                                // Colors above their alpha, which drawings may contain, add light.
                                let (sum, overflow) = source[from + channel].addingReportingOverflow(
                                    Alpha.premultiply(target[to + channel], by: rest))
                                target[to + channel] = overflow ? 255 : sum
                            }
                        }
                        from += 4
                        to += 4
                    }
                }
            }
        }
    }

    /// Blurs the alpha of everything and colors it black.
    ///
    /// Three box blurs are within 3 % of a Gaussian (Scalable Vector Graphics 1.1, 15.17, "feGaussianBlur").
    /// - Parameters:
    ///   - deviation: The standard deviation of the Gaussian.
    ///   - opacity: 0…1, multiplied to the alpha.
    mutating func makeShadow(deviation: Double, opacity: Double) {
        let (width, height) = (bitmap.width, bitmap.height)
        let box = max(1, Int((deviation * 3 * (2 * Double.pi).squareRoot() / 4 + 0.5).rounded(.down)) | 1)
        var plane = [Int](repeating: 0, count: width * height)
        for index in plane.indices { plane[index] = Int(bitmap.pixels[index * 4 + 3]) << 8 }
        for _ in 0..<3 {
            Self.blur(&plane, box, lines: height, length: width, lineStep: width, step: 1)
            Self.blur(&plane, box, lines: width, length: height, lineStep: 1, step: width)
        }
        let share = Int((opacity * 256).rounded())
        bitmap.withUnsafeMutablePixels { pixels in
            for index in plane.indices {
                for channel in 0..<3 { pixels[index * 4 + channel] = 0 }
                pixels[index * 4 + 3] = UInt8(min(255, (plane[index] * share + 1 << 15) >> 16))
            }
        }
    }

    /// Averages every value with its neighbors along one axis.
    private static func blur(_ plane: inout [Int], _ box: Int, lines: Int, length: Int, lineStep: Int, step: Int) {
        let half = box / 2
        var line = [Int](repeating: 0, count: length)
        for number in 0..<lines {
            let start = number * lineStep
            for index in 0..<length { line[index] = plane[start + index * step] }
            var sum = 0
            for index in 0..<min(half, length) { sum += line[index] }
            for index in 0..<length {
                if index + half < length { sum += line[index + half] }
                if index - half - 1 >= 0 { sum -= line[index - half - 1] }
                plane[start + index * step] = (sum + box / 2) / box
            }
        }
    }
}

/// The outlines of contents, in device pixels.
enum ContentOutline {
    /// A rectangle with round corners, clockwise. Unless `tailHeight` is 0, a tail is at the middle of the rectangle's lower edge.
    static func bubble(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double, tailWidth: Double, tailHeight: Double
    ) -> [PathPoint] {
        let radius = max(0, min(radius, width / 2, height / 2))
        var points: [PathPoint] = []
        func add(_ px: Double, _ py: Double) { points.append(PathPoint(Float(quantized(px)), Float(quantized(py)))) }
        // A chord of the angle a is off the circle by r (1 − cos(a / 2)); here at most a twentieth of a pixel.
        let steps = radius > 0.1 ? max(2, Int((Double.pi / 4 / acos(1 - min(0.05 / radius, 0.5))).rounded(.up))) : 0
        func corner(_ centerX: Double, _ centerY: Double, from degrees: Double) {
            guard steps > 0 else { return add(centerX, centerY) }
            for step in 0...steps {
                let angle = (degrees + 90 * Double(step) / Double(steps)) * .pi / 180
                add(centerX + radius * cos(angle), centerY + radius * sin(angle))
            }
        }
        corner(x + radius, y + radius, from: 180)
        corner(x + width - radius, y + radius, from: 270)
        corner(x + width - radius, y + height - radius, from: 0)
        if tailHeight > 0 {
            add(x + (width + tailWidth) / 2, y + height)
            add(x + width / 2, y + height + tailHeight)
            add(x + (width - tailWidth) / 2, y + height)
        }
        corner(x + radius, y + height - radius, from: 90)
        return points
    }
}
