import WaymarkImaging

/// A caption and the sub-caption beneath it, with all lines aligned in one box.
package struct TextBlock: Hashable, Sendable {
    package struct Part: Sendable {
        package var layout: TextLayout
        /// Device pixels per pt.
        package var pixelsPerPoint: Double
        package var color: Color
        /// The color of the halo. A transparent halo is not drawn or measured.
        package var haloColor: Color
        /// The width of the halo in device pixels.
        package var haloRadius: Double
        /// The distance over which the halo's edge fades on each side of its width, in device pixels.
        package var haloBlur: Double

        package init(
            layout: TextLayout, pixelsPerPoint: Double, color: Color, haloColor: Color = .clear, haloRadius: Double = 0,
            haloBlur: Double = 0
        ) {
            self.layout = layout
            self.pixelsPerPoint = pixelsPerPoint
            self.color = color
            self.haloColor = haloColor
            self.haloRadius = haloRadius
            self.haloBlur = haloBlur
        }
    }

    /// The parts from top to bottom.
    package var parts: [Part]
    /// The position of lines in the box: 0 at its left edge, 1 at its right edge. Default 0.5: centered.
    package var alignment = 0.5

    package init(parts: [Part]) {
        self.parts = parts
    }
}

extension TextBlock {
    /// The width of the widest line in device pixels, not rounded; halos do not count.
    package var width: Double {
        parts.reduce(0) { max($0, $1.layout.width * $1.pixelsPerPoint) }
    }

    /// The height of all lines in device pixels, not rounded.
    package var height: Double {
        parts.reduce(0) { $0 + $1.layout.height * $1.pixelsPerPoint }
    }
}

/// Parts are compared by the identity of their layouts, because a cached layout is the same object while it is in use.
extension TextBlock.Part: Hashable {
    package static func == (a: Self, b: Self) -> Bool {
        a.layout === b.layout && a.pixelsPerPoint == b.pixelsPerPoint && a.color == b.color && a.haloColor == b.haloColor
            && a.haloRadius == b.haloRadius && a.haloBlur == b.haloBlur
    }

    // The blur is left out, because hardly any two parts differ only in it.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(layout))
        hasher.combine(pixelsPerPoint)
        hasher.combine(color)
        hasher.combine(haloColor)
        hasher.combine(haloRadius)
    }
}

/// A rectangle of whole device pixels, from the upper left corner of a block's box, y down. Coordinates may be negative.
package struct InkBounds: Equatable, Hashable, Sendable {
    package var x: Int
    package var y: Int
    package var width: Int
    package var height: Int

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    package static let nothing = InkBounds(x: 0, y: 0, width: 0, height: 0)
    package var isEmpty: Bool { width <= 0 || height <= 0 }

    func union(_ other: InkBounds) -> InkBounds {
        if isEmpty { return other }
        if other.isEmpty { return self }
        let left = min(x, other.x)
        let top = min(y, other.y)
        return InkBounds(
            x: left, y: top, width: max(x + width, other.x + other.width) - left, height: max(y + height, other.y + other.height) - top)
    }

    package func intersection(_ other: InkBounds) -> InkBounds {
        let left = max(x, other.x)
        let top = max(y, other.y)
        let right = min(x + width, other.x + other.width)
        let bottom = min(y + height, other.y + other.height)
        return left < right && top < bottom ? InkBounds(x: left, y: top, width: right - left, height: bottom - top) : .nothing
    }

    func moved(x dx: Int, y dy: Int) -> InkBounds {
        InkBounds(x: x + dx, y: y + dy, width: width, height: height)
    }
}
