/// A pin like the built-in ones in any colour, with a digit or a letter in place of its dot, or with the dot.
///
/// Light and rim follow from the colour of the body; dot and symbol are white, and dark where white would not show.
public struct PinImage: Hashable, Sendable {
    /// The body's colour, 0xrrggbb.
    public let color: UInt32
    /// One of `symbols`; nil for the dot.
    public let symbol: Character?
    /// Points across.
    public let naturalWidth: Double

    /// Of the body, in 256 steps a channel; the alpha of `color` is ignored. Letters become small ones, which are drawn as capitals.
    /// - Parameters:
    ///   - symbol: 0…9, a…z or A…Z.
    ///   - width: Points across, in `widthRange`.
    /// - Returns: nil for an invalid colour, or a symbol or width that cannot be.
    public init?(color: Color, symbol: Character? = nil, width: Double = defaultWidth) {
        guard color.isValid, Self.widthRange.contains(width) else { return nil }
        let bytes = color.withAlpha(1).premultipliedBytes
        self.color = UInt32(bytes.red) << 16 | UInt32(bytes.green) << 8 | UInt32(bytes.blue)
        if let symbol {
            guard symbol.isASCII, let small = symbol.lowercased().first, Self.symbols.contains(small) else { return nil }
            self.symbol = small
        } else {
            self.symbol = nil
        }
        naturalWidth = width
    }
}

public extension PinImage {
    /// What can stand on a pin.
    static let symbols = "0123456789abcdefghijklmnopqrstuvwxyz"
    /// Points across unless told otherwise.
    static let defaultWidth = 27.0
    static let widthRange = 1.0...1000.0

    /// Points down: the shape of the built-in pins, in whole points.
    var naturalHeight: Double {
        max(1, (naturalWidth * Pin.height / Pin.width).rounded())
    }

    /// `pin:7e7e7e-27`, `pin:ff0000-a-27`.
    var name: String {
        let hex = String(color, radix: 16)
        let width = Int(exactly: naturalWidth).map { "\($0)" } ?? "\(naturalWidth)"
        return "pin:\(String(repeating: "0", count: 6 - hex.count))\(hex)\(symbol.map { "-\($0)" } ?? "")-\(width)"
    }

    /// The image in `width` by `height` device pixels, stretched when they are of another shape. Sides must not be negative.
    ///
    /// Every call draws: whoever needs it twice keeps it. The same pixels come out on every machine.
    func bitmap(width: Int, height: Int) -> Bitmap {
        let palette = PinPalette(body: color)
        // In a pin's own points, so that the head stays a circle though the height is rounded.
        let pinHeight = naturalHeight * Pin.width / naturalWidth
        let pin = Pin(
            light: palette.light, body: color, rim: palette.rim, height: pinHeight, dot: symbol == nil ? palette.symbol : nil)
        var bitmap = pin.layers.drawn(naturalWidth: Pin.width, naturalHeight: pinHeight, width: width, height: height)
        if let symbol, width > 0, height > 0 {
            let letterform = Letterform(
                symbol, centerX: Double(width) / 2, centerY: Pin.headRadius * Double(height) / pinHeight,
                pixelsPerUnitX: Double(width) / Pin.width, pixelsPerUnitY: Double(height) / pinHeight)
            letterform.draw(in: palette.symbol, on: &bitmap)
        }
        return bitmap
    }
}

/// The colours of a pin that follow from its body's. Only +, −, ×, ÷ are used, so every machine finds the same.
struct PinPalette {
    let light: UInt32
    let rim: UInt32
    /// Of the dot or symbol.
    let symbol: UInt32

    init(body: UInt32) {
        let channels = [16, 8, 0].map { Double(body >> UInt32($0) & 255) / 255 }
        // Squares stand for the sRGB curve: near enough to tell light from dark.
        let luminance = 0.2126 * channels[0] * channels[0] + 0.7152 * channels[1] * channels[1] + 0.0722 * channels[2] * channels[2]
        light = Self.packed(channels.map { $0 + 0.22 * (1 - $0) })
        // Darker than the body, the more so for a light one, which else were lost on a light map; a nearly black body has a
        // lighter rim, that it may be seen on a dark one.
        let paleness = max(0, (luminance - 0.5) / 0.5)
        let darkness = max(0, 1 - luminance / 0.03)
        rim = Self.packed(
            channels.map { channel in
                let dark = max(0, channel * (0.88 - 0.16 * paleness) - 0.04)
                return dark + darkness * (channel + 0.26 * (1 - channel) - dark)
            })
        symbol = luminance > 0.5 ? Self.packed(channels.map { 0.05 + 0.16 * $0 }) : 0xffffff
    }

    private static func packed(_ channels: [Double]) -> UInt32 {
        channels.reduce(0) { $0 << 8 | UInt32(min(max($1, 0), 1) * 255 + 0.5) }
    }
}
