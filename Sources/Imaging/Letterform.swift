/// A digit or a capital of Waymark's own: a bold geometric sans, drawn for pins.
///
/// Its box and its strokes are fitted to whole pixels before anything is drawn, so that stems and bars are crisp where a letter is
/// ten pixels high; from then on coverage is computed from areas, as ``NestedLayer`` does. Only +, −, ×, ÷ and square roots are used, so
/// every machine draws the same.
struct Letterform {
    private let strokes: [LetterStroke]
    private let left: Double
    private let top: Double
    private let right: Double
    private let bottom: Double

    /// One of `PinImage.symbols`, its box about a point in pixels; a unit is a 26th of a pin's width.
    init(_ symbol: Character, centerX: Double, centerY: Double, pixelsPerUnitX: Double, pixelsPerUnitY: Double) {
        let height = Self.fitted(Self.capitalHeight * pixelsPerUnitY, about: centerY)
        let width = Self.fitted(Self.width(of: symbol) * height * pixelsPerUnitX / pixelsPerUnitY, about: centerX)
        let pen = LetterPen(
            left: (centerX - width / 2 + 0.25).rounded(.down), top: (centerY - height / 2 + 0.25).rounded(.down), width: width,
            height: height,
            stem: max(1, (Self.stem * pixelsPerUnitX + 0.5).rounded(.down)), bar: max(1, (Self.bar * pixelsPerUnitY + 0.5).rounded(.down)))
        strokes = pen.strokes(of: symbol)
        left = pen.left
        top = pen.top
        right = pen.left + width
        bottom = pen.top + height + max(1, (LetterPen.descent * height).rounded(.up))
    }
}

extension Letterform {
    private static let capitalHeight = 13.0
    /// Across an upright stroke.
    private static let stem = 2.7
    /// Across a level one: thinner, since it looks thicker than it is.
    private static let bar = 2.35

    /// The width for a height of 1.
    private static func width(of symbol: Character) -> Double {
        switch symbol {
        case "1": 0.46
        case "i": 0.52
        case "j": 0.6
        case "e", "f", "l": 0.62
        case "0", "2", "3", "5", "6", "7", "8", "9", "p", "s": 0.72
        case "b", "r", "t", "z", "4": 0.76
        case "h", "n", "u": 0.78
        case "c", "d", "k": 0.8
        case "a", "g", "v", "x", "y": 0.88
        case "o", "q": 0.9
        case "m": 0.98
        default: 1.2
        }
    }

    /// The whole number of pixels next to a length that lies evenly about a middle, when that is on a pixel's edge or centre.
    private static func fitted(_ length: Double, about middle: Double) -> Double {
        let isOdd = (middle * 2 + 0.5).rounded(.down).truncatingRemainder(dividingBy: 2) == 1
        let half = length / 2
        return max(1, isOdd ? 2 * half.rounded(.down) + 1 : 2 * (half + 0.5).rounded(.down))
    }

    private static let linesPerPixel = 16

    /// Lays it in an opaque 0xrrggbb over what is there.
    func draw(in color: UInt32, on bitmap: inout Bitmap) {
        let rows = max(0, Int(top))..<max(0, min(bitmap.height, Int(bottom.rounded(.up))))
        let columns = max(0, Int(left))..<max(0, min(bitmap.width, Int(right.rounded(.up))))
        let width = bitmap.width
        guard !columns.isEmpty else { return }
        let ink = [Int(color >> 16 & 255), Int(color >> 8 & 255), Int(color & 255), 255]
        var coverage = [Int](repeating: 0, count: columns.count)
        var spans: [(left: Double, right: Double)] = []
        bitmap.withUnsafeMutablePixels { pixels in
            for y in rows {
                for index in coverage.indices { coverage[index] = 0 }
                for line in 0..<Self.linesPerPixel {
                    spans.removeAll(keepingCapacity: true)
                    for stroke in strokes {
                        stroke.appendSpans(at: Double(y) + (Double(line) + 0.5) / Double(Self.linesPerPixel), to: &spans)
                    }
                    spans.sort { $0.left < $1.left }
                    // Strokes overlap; a place counts once.
                    var done = Double(columns.lowerBound)
                    for span in spans {
                        let start = max(span.left, done)
                        let end = min(span.right, Double(columns.upperBound))
                        guard start < end else { continue }
                        done = end
                        for x in Int(start)..<Int(end.rounded(.up)) {
                            let covered = min(end, Double(x + 1)) - max(start, Double(x))
                            coverage[x - columns.lowerBound] += Int(covered * 256 + 0.5)
                        }
                    }
                }
                for x in columns {
                    let share = min(coverage[x - columns.lowerBound], 4096)
                    guard share > 0 else { continue }
                    for channel in 0..<4 {
                        let offset = (y * width + x) * 4 + channel
                        pixels[offset] = UInt8((Int(pixels[offset]) * (4096 - share) + ink[channel] * share + 2048) >> 12)
                    }
                }
            }
        }
    }
}
