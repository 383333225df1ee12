import Foundation
import Waymark
import WaymarkFrame
import WaymarkLayout

/// Pictures as numbers, and the result of an ideal filter for an icon: the mean over each pixel's area.
struct IconMeasure {
    /// Red, green, blue and alpha of each pixel, premultiplied, 0…255.
    var values: [SIMD4<Double>]
    var width: Int
    var height: Int

    init(_ bitmap: Bitmap) {
        (width, height) = (bitmap.width, bitmap.height)
        let bytes = bitmap.pixels
        values = stride(from: 0, to: bytes.count, by: 4).map { offset -> SIMD4<Double> in
            let pixel = SIMD4<UInt8>(bytes[offset], bytes[offset + 1], bytes[offset + 2], bytes[offset + 3])
            return SIMD4<Double>(pixel)
        }
    }

    /// An image reduced to a size by the exact mean over the area of each pixel.
    init(mean image: Bitmap, width: Int, height: Int) {
        let source = IconMeasure(image)
        func spans(_ old: Int, _ new: Int) -> [[(Int, Double)]] {
            (0..<new).map { pixel in
                let (from, to) = (Double(pixel * old) / Double(new), Double((pixel + 1) * old) / Double(new))
                return (Int(from)..<Int(to.rounded(.up))).map { ($0, min(to, Double($0 + 1)) - max(from, Double($0))) }
            }
        }
        let (columns, rows) = (spans(image.width, width), spans(image.height, height))
        let area = Double(image.width * image.height) / Double(width * height)
        values = (0..<width * height).map { index in
            var sum = SIMD4<Double>()
            for (y, down) in rows[index / width] {
                for (x, across) in columns[index % width] { sum += source.values[y * image.width + x] * (across * down) }
            }
            return sum / area
        }
        (self.width, self.height) = (width, height)
    }

    /// A large image on a quad of device pixels, clockwise from its upper left: the mean of 12 × 12 points of each pixel.
    init(_ image: Bitmap, on quad: [CGPoint], width: Int, height: Int) {
        let (source, steps) = (IconMeasure(image), 12)
        let unproject = Self.unitSquare(of: quad)
        (self.width, self.height) = (width, height)
        values = (0..<width * height).map { index in
            var sum = SIMD4<Double>()
            for step in 0..<steps * steps {
                let x = Double(index % width) + (Double(step % steps) + 0.5) / Double(steps)
                let y = Double(index / width) + (Double(step / steps) + 0.5) / Double(steps)
                let (u, v) = unproject(x, y)
                guard u >= 0, v >= 0, u < 1, v < 1 else { continue }
                sum += source.values[Int(v * Double(image.height)) * image.width + Int(u * Double(image.width))]
            }
            return sum / Double(steps * steps)
        }
    }

    /// The root mean square of the differences of all channels.
    func distance(to other: IconMeasure) -> Double {
        let sum = zip(values, other.values).reduce(0.0) { sum, pair in
            let difference = pair.0 - pair.1
            return sum + (difference * difference).sum()
        }
        return (sum / Double(4 * values.count)).squareRoot()
    }

    /// The sum of the squared differences between neighboring pixels, which blurring lowers.
    var gradientEnergy: Double {
        var sum = 0.0
        for y in 0..<height {
            for x in 0..<width {
                let value = values[y * width + x]
                if x + 1 < width {
                    let step = values[y * width + x + 1] - value
                    sum += (step * step).sum()
                }
                if y + 1 < height {
                    let step = values[(y + 1) * width + x] - value
                    sum += (step * step).sum()
                }
            }
        }
        return sum
    }

    /// From a point to its coordinates in the unit square that is projected on a quad (Heckbert, "Fundamentals of Texture Mapping and Image
    /// Warping", 1989, section 2.2.3).
    private static func unitSquare(of quad: [CGPoint]) -> (Double, Double) -> (Double, Double) {
        let (p, q, r, s) = (quad[0], quad[1], quad[2], quad[3])
        let (dx1, dx2, dx3) = (q.x - r.x, s.x - r.x, p.x - q.x + r.x - s.x)
        let (dy1, dy2, dy3) = (q.y - r.y, s.y - r.y, p.y - q.y + r.y - s.y)
        let determinant = dx1 * dy2 - dx2 * dy1
        let (g, h) = ((dx3 * dy2 - dx2 * dy3) / determinant, (dx1 * dy3 - dx3 * dy1) / determinant)
        let (a, b, c) = (q.x - p.x + g * q.x, s.x - p.x + h * s.x, p.x)
        let (d, e, f) = (q.y - p.y + g * q.y, s.y - p.y + h * s.y, p.y)
        // The adjugate of the matrix (a b c, d e f, g h 1).
        return { x, y in
            let u = (e - f * h) * x + (c * h - b) * y + (b * f - c * e)
            let v = (f * g - d) * x + (a - c * g) * y + (c * d - a * f)
            let w = (d * h - e * g) * x + (b * g - a * h) * y + (a * e - b * d)
            return (u / w, v / w)
        }
    }
}

extension Bitmap {
    /// A detailed icon of 64 px: a checker of 4 px in a disc.
    static var detailed: Bitmap {
        var bitmap = Bitmap(width: 64, height: 64)
        for y in 0..<64 {
            for x in 0..<64 {
                let (dx, dy) = (Double(x) - 31.5, Double(y) - 31.5)
                guard dx * dx + dy * dy < 31 * 31 else { continue }
                bitmap[x, y] = (x / 4 + y / 4) % 2 == 0 ? .opaqueBlue : .init(red: 255, green: 224, blue: 32, alpha: 255)
            }
        }
        return bitmap
    }
}

extension MapView {
    /// The quad of the only icon in device pixels, clockwise from the image's upper left.
    @MainActor func iconQuad() throws -> [CGPoint] {
        let quad = try inspection().overlays[0].icon?.quad ?? []
        return quad.map { CGPoint(x: $0.x * pixelRatio, y: $0.y * pixelRatio) }
    }

    @MainActor func frame() throws -> Frame { try Composer.of(self).place(self).frame }

    /// A degree of longitude, and of latitude at the equator, in device pixels at the view's center.
    var pixelsPerDegree: Double { 512 * pow(2, camera.zoom) / 360 * pixelRatio }
}
