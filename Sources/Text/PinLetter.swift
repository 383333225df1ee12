import CWaymarkText
import WaymarkImaging

extension FontLibrary {
    /// A vector image in `width` by `height` device pixels. A pin with a symbol includes the symbol, as a bold capital or digit from the
    /// fonts. The symbol is left out if no font has it as an outline.
    ///
    /// Every call draws again; equal fonts give equal pixels.
    package func bitmap(of image: VectorImage, width: Int, height: Int) -> Bitmap {
        var bitmap = image.bitmap(width: width, height: height)
        guard width > 0, height > 0, case .pin(let pin) = image, let symbol = pin.symbol else { return bitmap }
        let place = pin.symbolPlace(width: width, height: height)
        guard let letter = PinLetter(symbol, self) else { return bitmap }
        letter.draw(
            in: pin.symbolColor, centerX: place.centerX, centerY: place.centerY, capitalHeight: place.capitalHeight, over: &bitmap)
        return bitmap
    }
}

/// One glyph in the head of a pin, fitted to the pixels: its upper and lower edges lie on pixel edges, and it is centered optically.
struct PinLetter {
    private let face: FontFace
    private let glyph: UInt32
    /// The height of an H, in em.
    private let capitalHeight: Double
    /// The optical middle of the glyph, in em to the right of the pen.
    private let middle: Double

    /// Returns nil if no font has the symbol as an outline.
    init?(_ symbol: Character, _ fonts: FontLibrary) {
        func find(_ text: String) -> (face: FontFace, glyph: UInt32)? {
            // Any size works: only the glyph's number is needed.
            let layout = fonts.layout(TextRequest(text: text, size: 1, weight: .bold, language: "en"))
            guard layout.missing.isEmpty, let glyph = layout.glyphs.first else { return nil }
            let face = layout.face(glyph.font)
            return face.isColor ? nil : (face, glyph.id)
        }
        guard let (face, glyph) = find(symbol.uppercased()), let capital = find("H") else { return nil }
        (self.face, self.glyph) = (face, glyph)
        let measured = GlyphPainter.shared.withLock { painter in
            let height = painter.drawOnce(capital.glyph, capital.face, Self.measuring).bounds.height
            let ink = painter.drawOnce(glyph, face, Self.measuring)
            return (height: height, middle: Self.opticalMiddle(ink.bounds, ink.coverage))
        }
        guard measured.height > 0, let middle = measured.middle else { return nil }
        capitalHeight = Double(measured.height) / Self.measuringPixels
        self.middle = middle / Self.measuringPixels
    }

    /// The pixels per em for measuring a letter, which are far finer than the pixels of a pin.
    private static let measuringPixels = 256.0
    private static let measuring = wm_text_place(size: Int32(measuringPixels * 64), dx: 0, dy: 0, radius: 0, blur: 0)

    /// The position halfway between the middle of the ink's box and its center of mass, in pixels from the pen; nil without ink. An F or
    /// an L centered by its box looks too far left. Centered by its mass, it looks too far right.
    private static func opticalMiddle(_ bounds: InkBounds, _ coverage: [UInt8]) -> Double? {
        var (mass, moment, columns) = (0, 0, (first: bounds.width, last: -1))
        for (index, value) in coverage.enumerated() where value > 0 {
            let column = index % bounds.width
            mass += Int(value)
            moment += Int(value) * (2 * column + 1)
            columns = (min(columns.first, column), max(columns.last, column))
        }
        guard mass > 0 else { return nil }
        let box = Double(columns.first + columns.last + 1) / 2
        return Double(bounds.x) + (box + Double(moment) / Double(2 * mass)) / 2
    }
}

extension PinLetter {
    /// Draws the letter over pixels that may be translucent. Lengths are in device pixels. The center is the center of a capital letter,
    /// measured from the upper left.
    func draw(in color: Color, centerX: Double, centerY: Double, capitalHeight: Double, over bitmap: inout Bitmap) {
        let height = Self.fitted(capitalHeight, about: centerY)
        let baseline = (centerY + height / 2 + 0.5).rounded(.down)
        let size = height / self.capitalHeight
        // The pen is in steps of 1/64 pixel, the finest resolution of FreeType's outlines.
        let pen = Int(((centerX - middle * size) * 64).rounded())
        let place = wm_text_place(
            size: Int32(min((size * 64).rounded(), Double(WM_TEXT_MOST_SIZE))), dx: Int32(pen & 63), dy: 0, radius: 0, blur: 0)
        let ink = GlyphPainter.shared.withLock { $0.drawOnce(glyph, face, place) }
        let bounds = ink.bounds.moved(x: pen >> 6, y: Int(baseline))
        let seen = bounds.intersection(InkBounds(x: 0, y: 0, width: bitmap.width, height: bitmap.height))
        let (bytes, width) = (color.premultipliedBytes, bitmap.width)
        bitmap.withUnsafeMutablePixels { pixels in
            guard let target = pixels.baseAddress else { return }
            for y in seen.y..<seen.y + seen.height {
                for x in seen.x..<seen.x + seen.width {
                    let coverage = ink.coverage[(y - bounds.y) * bounds.width + x - bounds.x]
                    if coverage > 0 {
                        Blend.over(target + (y * width + x) * 4, bytes.red, bytes.green, bytes.blue, bytes.alpha, coverage: coverage)
                    }
                }
            }
        }
    }

    /// The whole number of pixels nearest to a height. It is odd or even, so that both ends lie on pixel edges around a center that is
    /// rounded to half pixels.
    private static func fitted(_ height: Double, about center: Double) -> Double {
        let isOdd = (center * 2 + 0.5).rounded(.down).truncatingRemainder(dividingBy: 2) == 1
        let half = height / 2
        return max(1, isOdd ? 2 * half.rounded(.down) + 1 : 2 * (half + 0.5).rounded(.down))
    }
}
