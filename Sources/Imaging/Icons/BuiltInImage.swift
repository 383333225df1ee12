/// Waymark's own icons: eight map pins, and three discs for clusters. They are rasterized for the exact pixel size at which they are
/// shown.
///
/// The tip of a pin is at the center of the image's lower edge. With the anchor (0.5, 1), the tip therefore points to the marker's
/// position. The `black` pin is meant for tinting. It is pure black except for a faint gray highlight on the head, so that it takes on the
/// color of a tint.
public enum BuiltInImage: String, CaseIterable, Sendable {
    case blue, gray, green, lightblue, pink, red, yellow, black
    case clusterLow, clusterMedium, clusterHigh
}

public extension BuiltInImage {
    /// The natural width in points.
    var naturalWidth: Double {
        switch self {
        case .blue, .gray, .green, .lightblue, .pink, .red, .yellow, .black: Pin.width
        case .clusterLow: 40
        case .clusterMedium: 48
        case .clusterHigh: 56
        }
    }

    /// The natural height in points.
    var naturalHeight: Double {
        switch self {
        case .blue, .gray, .green, .lightblue, .pink, .red, .yellow, .black: Pin.height
        case .clusterLow, .clusterMedium, .clusterHigh: naturalWidth
        }
    }

    /// The image in `width` by `height` device pixels, stretched if the aspect ratio differs from the natural one. Sides must not be
    /// negative.
    ///
    /// The bitmap is not cached. Its pixels are the same on every machine.
    func bitmap(width: Int, height: Int) -> Bitmap {
        let layers =
            switch self {
            case .blue: Pin(light: 0x5a9bff, body: 0x2e7df6, rim: 0x1f66d6).layers
            case .gray: Pin(light: 0xa0a0a0, body: 0x7f7f7f, rim: 0x696969).layers
            case .green: Pin(light: 0x3fcf85, body: 0x16b364, rim: 0x0d9a55).layers
            case .lightblue: Pin(light: 0x6ccdfa, body: 0x38b6f1, rim: 0x209bd6).layers
            case .pink: Pin(light: 0xff82b8, body: 0xf2569b, rim: 0xd63f84).layers
            case .red: Pin(light: 0xf96f60, body: 0xea4335, rim: 0xc93024).layers
            case .yellow: Pin(light: 0xffd04a, body: 0xfbb90a, rim: 0xde9b00).layers
            case .black: Pin(light: 0x2a2a2a, body: 0x000000, rim: 0x000000, lightEnd: Pin.headRadius).layers
            case .clusterLow: Disc(diameter: naturalWidth, light: 0x4f93fb, body: 0x2e7df6).layers
            case .clusterMedium: Disc(diameter: naturalWidth, light: 0xfba62c, body: 0xf08a0c).layers
            case .clusterHigh: Disc(diameter: naturalWidth, light: 0xf2655a, body: 0xe5433a).layers
            }
        return layers.drawn(naturalWidth: naturalWidth, naturalHeight: naturalHeight, width: width, height: height)
    }
}

/// The disc of a cluster, in points: a translucent ring around a solid disc with a thin white edge. The center is left free for a number.
private struct Disc {
    var diameter: Double
    var light: UInt32
    var body: UInt32

    var layers: [NestedLayer] {
        let circle = Circle(center: diameter / 2, radius: diameter / 2)
        return [
            NestedLayer(top: body, bottom: body, alpha: 72) { circle.halfWidth(at: $0, inset: 0) },
            NestedLayer(top: 0xffffff, bottom: 0xffffff) { circle.halfWidth(at: $0, inset: 4) },
            NestedLayer(top: light, bottom: body, to: diameter) { circle.halfWidth(at: $0, inset: 6) },
        ]
    }
}
