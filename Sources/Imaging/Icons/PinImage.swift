/// A pin like the built-in ones, in any color, with a digit, a letter or a dot in its head.
///
/// The highlight and the rim are derived from the color of the body. The dot or symbol is white, or dark on a light body. The symbol is
/// text: maps draw it with their fonts, and this module only determines its position and color.
public struct PinImage: Hashable, Sendable {
    /// The color of the body, as 0xrrggbb.
    public let color: UInt32
    /// The symbol, one of `symbols`; nil for the dot.
    public let symbol: Character?
    /// The width in pt.
    public let naturalWidth: Double

    /// - Parameters:
    ///   - color: The color of the body, rounded to 8 bits per channel. Its alpha is ignored.
    ///   - symbol: A digit 0…9, or a letter a…z or A…Z. Letters are stored in lower case and drawn as capitals. Default nil: the dot.
    ///   - width: The width in pt, in `widthRange`. Default 27.
    /// - Returns: A pin, or nil if the color or the symbol is invalid, or the width is out of range.
    public init?(color: Color, symbol: Character? = nil, width: Double = defaultWidth) {
        guard color.isValid, Self.widthRange.contains(width) else { return nil }
        self.color = color.packed
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
    /// The symbols that a pin can have.
    static let symbols = "0123456789abcdefghijklmnopqrstuvwxyz"
    /// The default width in points.
    static let defaultWidth = 27.0
    /// The valid widths in points.
    static let widthRange = 1.0...1000.0

    /// The height in points, at least 1. It is in the same proportion to the width as in the built-in pins, rounded to whole points.
    var naturalHeight: Double {
        max(1, (naturalWidth * Pin.height / Pin.width).rounded())
    }

    /// The image's name, such as `pin:7e7e7e-27` or `pin:ff0000-a-27`.
    var name: String {
        let width = Int(exactly: naturalWidth).map { "\($0)" } ?? "\(naturalWidth)"
        return "pin:\(Color(hex: color).description.dropFirst())\(symbol.map { "-\($0)" } ?? "")-\(width)"
    }

    /// The pin without its symbol, in `width` by `height` device pixels, stretched if the aspect ratio differs from the natural one.
    /// Sides must not be negative.
    ///
    /// The bitmap is not cached. Its pixels are the same on every machine.
    func bitmap(width: Int, height: Int) -> Bitmap {
        let palette = PinPalette(body: color)
        let pin = Pin(
            light: palette.light, body: color, rim: palette.rim, height: pinHeight, dot: symbol == nil ? palette.symbol : nil)
        return pin.layers.drawn(naturalWidth: Pin.width, naturalHeight: pinHeight, width: width, height: height)
    }
}

package extension PinImage {
    /// The color of the symbol.
    var symbolColor: Color { Color(hex: PinPalette(body: color).symbol) }

    /// The placement of the symbol in a pin of `width` by `height` device pixels: the center of the symbol, from the upper left, and the
    /// height of a capital letter. The symbol is not stretched with the pin.
    func symbolPlace(width: Int, height: Int) -> (centerX: Double, centerY: Double, capitalHeight: Double) {
        let (across, down) = (Double(width) / Pin.width, Double(height) / pinHeight)
        return (Double(width) / 2, Pin.headRadius * down, Pin.capitalHeight * min(across, down))
    }
}

private extension PinImage {
    /// The pin's height in units in which the pin is 26 wide. With these units, the head is a circle although `naturalHeight` is rounded.
    var pinHeight: Double { naturalHeight * Pin.width / naturalWidth }
}

/// The colors of a pin, derived from the color of its body. Only +, −, ×, ÷ are used, so every machine computes the same.
struct PinPalette {
    let light: UInt32
    let rim: UInt32
    /// The color of the dot or symbol.
    let symbol: UInt32

    init(body: UInt32) {
        let channels = [16, 8, 0].map { Double(body >> UInt32($0) & 255) / 255 }
        // The weights of sRGB's luminance (IEC 61966-2-1). Squares approximate its curve well enough to distinguish light from dark.
        let luminance = 0.2126 * channels[0] * channels[0] + 0.7152 * channels[1] * channels[1] + 0.0722 * channels[2] * channels[2]
        light = Self.packed(channels.map { $0 + 0.22 * (1 - $0) })
        // The rim is darker than the body, especially for a light body, which would otherwise disappear on a light map. A nearly black
        // body has a lighter rim, so that it is visible on a dark map.
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
