/// A color with straight (not premultiplied) red, green, blue and alpha in sRGB, each 0…1.
///
/// Components outside this range are accepted, but `isValid` is then false.
public struct Color: Hashable, Sendable {
    public var red: Double
    public var green: Double
    public var blue: Double
    /// The opacity: 0 is transparent, 1 opaque. Default 1.
    public var alpha: Double

    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Creates a gray: 0 is black, 1 white.
    public init(white: Double, alpha: Double = 1) {
        self.init(red: white, green: white, blue: white, alpha: alpha)
    }

    /// Creates a color from a number with 8 bits for each of red, green and blue, such as `0x3388ff`.
    /// - Precondition: The number is at most `0xffffff`.
    public init(hex: UInt32, alpha: Double = 1) {
        precondition(hex <= 0xffffff, "the color has more than six hexadecimal digits; alpha is a separate argument")
        self.init(
            red: Double(hex >> 16) / 255, green: Double(hex >> 8 & 255) / 255, blue: Double(hex & 255) / 255, alpha: alpha)
    }

    /// Creates a color from hexadecimal digits as in CSS, with or without `#`: `#38f`, `3388ff`, or, with alpha last, `#3388ff80`.
    /// Returns nil for anything else, including names; `init(css:)` accepts names.
    public init?(hex: String) {
        self.init(css: hex.hasPrefix("#") ? hex : "#" + hex)
    }
}

public extension Color {
    /// Whether all four components are numbers in 0…1.
    var isValid: Bool {
        [red, green, blue, alpha].allSatisfy { (0...1).contains($0) }
    }

    /// The same color with a different alpha, 0…1.
    func withAlpha(_ alpha: Double) -> Color {
        Color(red: red, green: green, blue: blue, alpha: alpha)
    }

    /// The color with 8 bits per channel. Each color channel is `component · alpha · 255`, and alpha is `alpha · 255`, rounded to
    /// nearest, with halves rounded up. If the color is invalid, components that are NaN or below 0 count as 0, and components above 1
    /// count as 1.
    var premultipliedBytes: Bitmap.Pixel {
        let alpha = Self.unit(alpha)
        return Bitmap.Pixel(
            red: Self.byte(Self.unit(red) * alpha), green: Self.byte(Self.unit(green) * alpha), blue: Self.byte(Self.unit(blue) * alpha),
            alpha: Self.byte(alpha))
    }
}

extension Color {
    /// Red, green and blue with 8 bits each, as 0xrrggbb.
    var packed: UInt32 {
        let bytes = withAlpha(1).premultipliedBytes
        return UInt32(bytes.red) << 16 | UInt32(bytes.green) << 8 | UInt32(bytes.blue)
    }
}

/// Colors with the names and values of UIKit.
public extension Color {
    static let clear = Color(white: 0, alpha: 0)
    static let black = Color(white: 0)
    static let darkGray = Color(white: 1 / 3.0)
    static let gray = Color(white: 0.5)
    static let lightGray = Color(white: 2 / 3.0)
    static let white = Color(white: 1)
    static let red = Color(red: 1, green: 0, blue: 0)
    static let green = Color(red: 0, green: 1, blue: 0)
    static let blue = Color(red: 0, green: 0, blue: 1)
    static let cyan = Color(red: 0, green: 1, blue: 1)
    static let magenta = Color(red: 1, green: 0, blue: 1)
    static let yellow = Color(red: 1, green: 1, blue: 0)
    static let orange = Color(red: 1, green: 0.5, blue: 0)
    static let purple = Color(red: 0.5, green: 0, blue: 0.5)
    static let brown = Color(red: 0.6, green: 0.4, blue: 0.2)
}

private extension Color {
    static func unit(_ value: Double) -> Double {
        value > 0 ? min(value, 1) : 0
    }

    static func byte(_ value: Double) -> UInt8 {
        UInt8((value * 255 + 0.5).rounded(.down))
    }
}
