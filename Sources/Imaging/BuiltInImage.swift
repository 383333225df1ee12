/// Waymark's own icons: eight map pins and three discs for clusters, drawn for exactly the pixels asked for.
///
/// A pin's tip is at the middle of its lower edge, so that the anchor (0.5, 1) is what it points at.
/// `black` is for tinting: it is pure black, but for a faint grey light over the head, so adding a colour gives that colour.
public enum BuiltInImage: String, CaseIterable, Sendable {
    case blue, gray, green, lightblue, pink, red, yellow, black
    case clusterLow, clusterMedium, clusterHigh
}

public extension BuiltInImage {
    /// Points across at natural size.
    var naturalWidth: Double {
        switch self {
        case .blue, .gray, .green, .lightblue, .pink, .red, .yellow, .black: Pin.width
        case .clusterLow: 40
        case .clusterMedium: 48
        case .clusterHigh: 56
        }
    }

    /// Points down at natural size.
    var naturalHeight: Double {
        switch self {
        case .blue, .gray, .green, .lightblue, .pink, .red, .yellow, .black: Pin.height
        case .clusterLow, .clusterMedium, .clusterHigh: naturalWidth
        }
    }

    /// The image in `width` by `height` device pixels, stretched when they are of another shape. Sides must not be negative.
    ///
    /// Every call draws: whoever needs it twice keeps it. The same pixels come out on every machine.
    func bitmap(width: Int, height: Int) -> Bitmap {
        let layers =
            switch self {
            case .blue: Pin(light: 0x5a9bff, body: 0x2e7df6, rim: 0x1f66d6).layers
            case .gray: Pin(light: 0x98a1ae, body: 0x76808f, rim: 0x606a79).layers
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

/// A pin in points: a round head whose sides run in arcs, without a corner, into a narrow rounded tip, and a white dot in the head.
private struct Pin {
    /// The body's colour at the upper edge; it runs into `body` at `lightEnd`.
    var light: UInt32
    var body: UInt32
    var rim: UInt32
    var lightEnd = 26.0

    static let width = 26.0
    static let height = 36.0
    static let headRadius = 13.0
    static let dotRadius = 5.0
    static let rimWidth = 0.9

    var layers: [NestedLayer] {
        let outline = PinOutline(headRadius: Self.headRadius, tipRadius: 1.1, sideRadius: 40, height: Self.height)
        let dot = Circle(center: Self.headRadius, radius: Self.dotRadius)
        return [
            NestedLayer(top: rim, bottom: rim) { outline.halfWidth(at: $0, inset: 0) },
            NestedLayer(top: light, bottom: body, to: lightEnd) { outline.halfWidth(at: $0, inset: Self.rimWidth) },
            NestedLayer(top: body, bottom: body) { dot.halfWidth(at: $0, inset: -0.6) },
            NestedLayer(top: 0xffffff, bottom: 0xffffff) { dot.halfWidth(at: $0, inset: 0) },
        ]
    }
}

/// A cluster's disc in points: a translucent ring around a solid disc with a thin white edge; the middle is free for a number.
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

private struct Circle {
    /// Where its middle lies below the upper edge.
    var center: Double
    var radius: Double

    func halfWidth(at y: Double, inset: Double) -> Double {
        chord(radius - inset, at: y - center)
    }
}

/// The outline of a pin as arcs that meet in common tangents: the head, a hollow side of radius `sideRadius`, the tip.
/// Such an outline moved inward is again made of arcs about the same centres.
private struct PinOutline {
    let headRadius: Double
    let tipRadius: Double
    let sideRadius: Double
    let tipCenter: Double
    /// The side arc's centre: `sideX` beside the axis, `sideY` below the upper edge.
    let sideX: Double
    let sideY: Double

    init(headRadius: Double, tipRadius: Double, sideRadius: Double, height: Double) {
        self.headRadius = headRadius
        self.tipRadius = tipRadius
        self.sideRadius = sideRadius
        tipCenter = height - tipRadius
        // The side's centre is headRadius + sideRadius from the head's centre and tipRadius + sideRadius from the tip's: two circles meet there.
        let fromHead = headRadius + sideRadius
        let fromTip = tipRadius + sideRadius
        let apart = tipCenter - headRadius
        let below = (fromHead * fromHead - fromTip * fromTip + apart * apart) / (2 * apart)
        sideX = (fromHead * fromHead - below * below).squareRoot()
        sideY = headRadius + below
    }

    /// Half the width, `y` points below the upper edge, of the outline moved inward by `inset`.
    func halfWidth(at y: Double, inset: Double) -> Double {
        // Arcs meet on the line between their centres.
        let neck = headRadius + (headRadius - inset) * (sideY - headRadius) / (headRadius + sideRadius)
        if y < neck { return chord(headRadius - inset, at: y - headRadius) }
        let end = tipCenter + max(tipRadius - inset, 0) * (sideY - tipCenter) / (tipRadius + sideRadius)
        if y < end { return max(0, sideX - chord(sideRadius + inset, at: y - sideY)) }
        return chord(tipRadius - inset, at: y - tipCenter)
    }
}

/// Half the length of a circle's chord at a distance from its middle; 0 outside.
private func chord(_ radius: Double, at distance: Double) -> Double {
    let square = radius * radius - distance * distance
    return radius > 0 && square > 0 ? square.squareRoot() : 0
}
