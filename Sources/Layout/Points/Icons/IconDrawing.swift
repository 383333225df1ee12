import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster

/// The shapes of an icon in drawing order, read from a text such as `O 10 10 6 - R 9 7 2 6 0`: a disc with a slot.
///
/// A word begins each shape, and numbers follow. Coordinates are on a grid of 20 × 20 units, x right and y down:
///
/// | shape | meaning |
/// |---|---|
/// | `M x y … Z` | an area: `L x y`, `H x` and `V y` add straight sides, `Q` and `C` quadratic and cubic Bézier curves with their control points |
/// | `O x y radius` | a disc |
/// | `E x y rx ry` | an ellipse |
/// | `R x y width height radius` | a rectangle with round corners |
/// | `S width x y x y …` | a stroke with round ends |
/// | `A width x y radius from to` | an arc with round ends; the angles are in degrees, clockwise from the right |
///
/// A `-` before a shape cuts it out of the shapes before it.
///
/// All drawings are constants of the program, and a test draws each of them. An invalid word is therefore a mistake in the program, and
/// ends it.
struct IconDrawing {
    /// The contours of a shape, in units. Its inside is determined by the nonzero rule.
    struct DrawnShape {
        var contours: Contours
        var isCutOut: Bool
    }

    private(set) var shapes: [DrawnShape] = []
    /// The largest error of curves in units.
    private let tolerance: Double

    /// The side of the grid in units.
    static let side = 20.0

    /// - Parameter pixelsPerUnit: The scale of the drawing. The error of curves is at most a twentieth of a pixel.
    /// - Precondition: The text is well-formed. All texts are in this module, and a test draws each of them.
    init(_ text: String, pixelsPerUnit: Double) {
        tolerance = 0.05 / pixelsPerUnit
        var words = IconWords(text)
        while let word = words.next() {
            let isCutOut = word == "-"
            shapes.append(DrawnShape(contours: contours(isCutOut ? words.next() : word, &words), isCutOut: isCutOut))
        }
    }

    private func contours(_ word: Substring?, _ words: inout IconWords) -> Contours {
        var contours = Contours()
        switch word {
        case "M": contours.append(area(&words))
        case "O":
            let (center, radius) = (words.point(), words.number())
            contours.append(ellipse(center, PlanePoint(radius, radius)))
        case "E":
            let (center, radii) = (words.point(), words.point())
            contours.append(ellipse(center, radii))
        case "R":
            let (corner, size, radius) = (words.point(), words.point(), words.number())
            contours.append(rectangle(corner, size, radius))
        case "S":
            let width = words.number()
            var points: [PlanePoint] = []
            while words.isNumberNext { points.append(words.point()) }
            contours = stroke(points, width: width)
        case "A":
            let (width, center, radius) = (words.number(), words.point(), words.number())
            let points = arc(center, PlanePoint(radius, radius), from: words.number(), to: words.number())
            contours = stroke(points, width: width)
        // Cannot occur: drawings are constants of the program, and a test draws each of them.
        default: fatalError("the drawing has the unknown word \(word ?? "")")
        }
        return contours
    }
}

extension IconDrawing {
    private func area(_ words: inout IconWords) -> [PlanePoint] {
        var points = [words.point()]
        while let word = words.next(), word != "Z", let last = points.last {
            switch word {
            case "L": points.append(words.point())
            case "H": points.append(PlanePoint(words.number(), last.y))
            case "V": points.append(PlanePoint(last.x, words.number()))
            case "Q":
                let (control, end) = (words.point(), words.point())
                // The quadratic curve is converted to a cubic curve.
                points += curve(last, last + (control - last) * 2 / 3, end + (control - end) * 2 / 3, end)
            case "C": points += curve(last, words.point(), words.point(), words.point())
            // Cannot occur, as above.
            default: fatalError("the drawing has the unknown word \(word)")
            }
        }
        // All contours turn in the same direction, so that none cuts another one of its shape.
        return Contours.signedArea(points[...]) < 0 ? points.reversed() : points
    }

    /// The points of a cubic curve after its first. The error of a chord of 1/n of a curve is at most |B″| / (8 n²), and |B″| is at most
    /// six times the larger second difference of the control points.
    private func curve(_ start: PlanePoint, _ a: PlanePoint, _ b: PlanePoint, _ end: PlanePoint) -> [PlanePoint] {
        let bend = max((start - 2 * a + b).length, (a - 2 * b + end).length)
        let steps = max(2, Int((0.75 * bend / tolerance).squareRoot().rounded(.up)))
        return (1...steps).map { step in
            let t = Double(step) / Double(steps)
            let u = 1 - t
            return u * u * u * start + 3 * u * u * t * a + 3 * u * t * t * b + t * t * t * end
        }
    }

    private func ellipse(_ center: PlanePoint, _ radii: PlanePoint) -> [PlanePoint] {
        arc(center, radii, from: 0, to: 360).dropLast()
    }

    private func rectangle(_ corner: PlanePoint, _ size: PlanePoint, _ radius: Double) -> [PlanePoint] {
        let radii = PlanePoint(radius, radius)
        let (low, high) = (corner + radii, corner + size - radii)
        return arc(PlanePoint(high.x, low.y), radii, from: -90, to: 0) + arc(high, radii, from: 0, to: 90)
            + arc(PlanePoint(low.x, high.y), radii, from: 90, to: 180) + arc(low, radii, from: 180, to: 270)
    }

    /// The points of an arc, including both ends; the center for a radius of 0.
    private func arc(_ center: PlanePoint, _ radii: PlanePoint, from: Double, to: Double) -> [PlanePoint] {
        let radius = max(radii.x, radii.y)
        guard radius > 0 else { return [center] }
        // The distance of a chord of the angle a from the circle is r (1 − cos(a / 2)).
        let angle = 2 * acos(1 - min(tolerance / radius, 0.5)) * 180 / .pi
        let steps = max(1, Int((abs(to - from) / angle).rounded(.up)))
        return (0...steps).map { step in
            let angle = (from + (to - from) * Double(step) / Double(steps)) * .pi / 180
            return center + radii * PlanePoint(cos(angle), sin(angle))
        }
    }

    private func stroke(_ points: [PlanePoint], width: Double) -> Contours {
        var stroker = Stroker(StrokeStyle(width: width, cap: .round, join: .round, tolerance: tolerance))
        points.withUnsafeBufferPointer { stroker.add($0, isClosed: false) }
        return stroker.contours
    }
}

/// The words of a drawing, read from the first to the last.
private struct IconWords {
    private var words: ArraySlice<Substring>

    init(_ text: String) { words = text.split(whereSeparator: \.isWhitespace)[...] }

    mutating func next() -> Substring? { words.popFirst() }

    var isNumberNext: Bool { words.first.flatMap { Double($0) } != nil }

    mutating func number() -> Double {
        // Cannot be missing: drawings are constants of the program, and a test draws each of them.
        guard let word = next(), let number = Double(word) else { fatalError("a number is missing in the drawing") }
        return number
    }

    mutating func point() -> PlanePoint {
        let x = number()
        return PlanePoint(x, number())
    }
}

extension PointOfInterestImage {
    /// The image with its icon.
    /// - Parameter disc: The disc alone, at the size at which the image is drawn.
    func withIcon(over disc: Bitmap) -> Bitmap {
        guard disc.width > 0, disc.height > 0 else { return disc }
        let scale = PlanePoint(Double(disc.width), Double(disc.height)) / IconDrawing.side
        var canvas = ContentCanvas(over: disc)
        for shape in IconDrawing(icon.drawing, pixelsPerUnit: max(scale.x, scale.y)).shapes {
            let contours = (0..<shape.contours.count).map { index in
                shape.contours[index].map { PathPoint(Float(quantized($0.x * scale.x)), Float(quantized($0.y * scale.y))) }
            }
            canvas.fill(contours, shape.isCutOut ? self.disc.fill : color, rule: .nonzero, clip: canvas.bounds)
        }
        return canvas.bitmap
    }
}
