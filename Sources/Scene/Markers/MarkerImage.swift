import WaymarkImaging

/// Waymark's built-in images: pins, and discs for clusters. They are rasterized for each size at which they are shown, and are therefore
/// sharp at any pixel ratio.
public enum MarkerImage {
    /// A blue pin, 26 × 36 pt.
    public static let blue = builtIn(.blue)
    /// A gray pin, 26 × 36 pt.
    public static let gray = builtIn(.gray)
    /// A green pin, 26 × 36 pt.
    public static let green = builtIn(.green)
    /// A light blue pin, 26 × 36 pt.
    public static let lightblue = builtIn(.lightblue)
    /// A pink pin, 26 × 36 pt.
    public static let pink = builtIn(.pink)
    /// A red pin, 26 × 36 pt.
    public static let red = builtIn(.red)
    /// A yellow pin, 26 × 36 pt.
    public static let yellow = builtIn(.yellow)
    /// A black pin, 26 × 36 pt, meant for tinting.
    public static let black = builtIn(.black)
    /// A disc for small clusters, 40 pt wide.
    public static let clusterLow = builtIn(.clusterLow)
    /// A disc for medium clusters, 48 pt wide.
    public static let clusterMedium = builtIn(.clusterMedium)
    /// A disc for large clusters, 56 pt wide.
    public static let clusterHigh = builtIn(.clusterHigh)
    /// The default icon of markers: the green pin.
    public static let `default` = green

    /// Creates a pin like the built-in ones, in any color, with a digit, a letter or a dot in its head. The pin's highlight and rim are
    /// derived from the color. On light colors such as yellow or white, the symbol or dot is dark instead of white. Returns nil if the
    /// color, the symbol or the width is invalid.
    /// - Parameters:
    ///   - color: The color of the body, rounded to 8 bits per channel. Its alpha is ignored.
    ///   - symbol: A digit 0…9, or a letter a…z or A…Z; letters are drawn as capitals. Default nil: a dot.
    ///   - width: The width in pt, 1…1000. Default 27. The height is 36/26 of the width, rounded to whole pt.
    public static func pin(color: Color, symbol: Character? = nil, width: Double = PinImage.defaultWidth) -> OverlayImage? {
        PinImage(color: color, symbol: symbol, width: width).map { OverlayImage(vector: .pin($0)) }
    }

    /// The built-in image with the given name, such as `red`; nil if there is none.
    public static func named(_ name: String) -> OverlayImage? {
        all[name]
    }

    /// The names of all built-in images.
    public static let names = BuiltInImage.allCases.map(\.rawValue)

    private static let all = [
        "blue": blue, "gray": gray, "green": green, "lightblue": lightblue, "pink": pink, "red": red, "yellow": yellow, "black": black,
        "clusterLow": clusterLow, "clusterMedium": clusterMedium, "clusterHigh": clusterHigh,
    ]

    private static func builtIn(_ image: BuiltInImage) -> OverlayImage {
        OverlayImage(vector: .builtIn(image))
    }
}

/// The built-in images, for short notations such as `marker.iconImage = .red`.
extension OverlayImage {
    /// The same image as `MarkerImage.blue`.
    public static var blue: OverlayImage { MarkerImage.blue }
    /// The same image as `MarkerImage.gray`.
    public static var gray: OverlayImage { MarkerImage.gray }
    /// The same image as `MarkerImage.green`.
    public static var green: OverlayImage { MarkerImage.green }
    /// The same image as `MarkerImage.lightblue`.
    public static var lightblue: OverlayImage { MarkerImage.lightblue }
    /// The same image as `MarkerImage.pink`.
    public static var pink: OverlayImage { MarkerImage.pink }
    /// The same image as `MarkerImage.red`.
    public static var red: OverlayImage { MarkerImage.red }
    /// The same image as `MarkerImage.yellow`.
    public static var yellow: OverlayImage { MarkerImage.yellow }
    /// The same image as `MarkerImage.black`.
    public static var black: OverlayImage { MarkerImage.black }
    /// The same image as `MarkerImage.clusterLow`.
    public static var clusterLow: OverlayImage { MarkerImage.clusterLow }
    /// The same image as `MarkerImage.clusterMedium`.
    public static var clusterMedium: OverlayImage { MarkerImage.clusterMedium }
    /// The same image as `MarkerImage.clusterHigh`.
    public static var clusterHigh: OverlayImage { MarkerImage.clusterHigh }
}
