/// A map pin, 26 points wide: a round head whose sides curve smoothly, in arcs, into a narrow rounded tip.
struct Pin {
    /// The body's color at the upper edge, fading into `body` at `lightEnd`.
    var light: UInt32
    var body: UInt32
    var rim: UInt32
    var lightEnd = 26.0
    /// The height from the upper edge to the tip.
    var height = Pin.height
    /// The color of the dot in the head; nil leaves the head empty.
    var dot: UInt32? = 0xffffff

    static let width = 26.0
    static let height = 36.0
    static let headRadius = 13.0
    static let dotRadius = 5.0
    /// The height of a capital letter in the head.
    static let capitalHeight = 12.5
    static let rimWidth = 0.9

    var layers: [NestedLayer] {
        let outline = PinOutline(headRadius: Self.headRadius, tipRadius: 1.1, sideRadius: 40, height: height)
        var layers = [
            NestedLayer(top: rim, bottom: rim) { outline.halfWidth(at: $0, inset: 0) },
            NestedLayer(top: light, bottom: body, to: lightEnd) { outline.halfWidth(at: $0, inset: Self.rimWidth) },
        ]
        if let dot {
            let circle = Circle(center: Self.headRadius, radius: Self.dotRadius)
            layers += [
                NestedLayer(top: body, bottom: body) { circle.halfWidth(at: $0, inset: -0.6) },
                NestedLayer(top: dot, bottom: dot) { circle.halfWidth(at: $0, inset: 0) },
            ]
        }
        return layers
    }
}

struct Circle {
    /// The distance of the head's center below the upper edge.
    var center: Double
    var radius: Double

    func halfWidth(at y: Double, inset: Double) -> Double {
        chord(radius - inset, at: y - center)
    }
}

/// The outline of a pin, made of tangent arcs: the head, a concave side of radius `sideRadius`, and the tip.
/// An inset of such an outline also consists of arcs around the same centers.
private struct PinOutline {
    let headRadius: Double
    let tipRadius: Double
    let sideRadius: Double
    let tipCenter: Double
    /// The center of the side arc: `sideX` from the axis, `sideY` below the upper edge.
    let sideX: Double
    let sideY: Double

    init(headRadius: Double, tipRadius: Double, sideRadius: Double, height: Double) {
        self.headRadius = headRadius
        self.tipRadius = tipRadius
        self.sideRadius = sideRadius
        tipCenter = height - tipRadius
        // The center of the side arc is at an intersection of two circles: headRadius + sideRadius around the head's center, and
        // tipRadius + sideRadius around the tip's center.
        let fromHead = headRadius + sideRadius
        let fromTip = tipRadius + sideRadius
        let apart = tipCenter - headRadius
        let below = (fromHead * fromHead - fromTip * fromTip + apart * apart) / (2 * apart)
        sideX = (fromHead * fromHead - below * below).squareRoot()
        sideY = headRadius + below
    }

    /// Half the width, `y` points below the upper edge, of the outline reduced by `inset`.
    func halfWidth(at y: Double, inset: Double) -> Double {
        // Two arcs meet on the line through their centers.
        let neck = headRadius + (headRadius - inset) * (sideY - headRadius) / (headRadius + sideRadius)
        if y < neck { return chord(headRadius - inset, at: y - headRadius) }
        let end = tipCenter + max(tipRadius - inset, 0) * (sideY - tipCenter) / (tipRadius + sideRadius)
        if y < end { return max(0, sideX - chord(sideRadius + inset, at: y - sideY)) }
        return chord(tipRadius - inset, at: y - tipCenter)
    }
}

/// Half the length of a circle's chord at a distance from its center; 0 outside.
private func chord(_ radius: Double, at distance: Double) -> Double {
    let square = radius * radius - distance * distance
    return radius > 0 && square > 0 ? square.squareRoot() : 0
}
