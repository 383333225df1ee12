/// A disc with a ring around it, and optionally a second ring around the first, as used for clusters. The center is left free for a number.
public struct DiscImage: Hashable, Sendable {
    /// The color of the disc.
    public let fill: Color
    /// The color of the ring.
    public let stroke: Color
    /// The width of the ring in pt. The ring lies inside the diameter.
    public let strokeWidth: Double
    /// The color of the outer ring.
    public let halo: Color
    /// The width of the outer ring in pt; 0 for none. This ring, too, lies inside the diameter.
    public let haloWidth: Double
    /// The diameter in pt, including the rings.
    public let diameter: Double

    /// Creates a disc; returns nil if a color is invalid, the diameter is outside `diameterRange`, a width is negative, or the rings are
    /// wider than half the diameter.
    public init?(fill: Color, stroke: Color, strokeWidth: Double, diameter: Double, halo: Color = .clear, haloWidth: Double = 0) {
        guard fill.isValid, stroke.isValid, halo.isValid, Self.diameterRange.contains(diameter), strokeWidth >= 0, haloWidth >= 0,
            2 * (strokeWidth + haloWidth) <= diameter
        else { return nil }
        self.fill = fill
        self.stroke = stroke
        self.strokeWidth = strokeWidth
        self.halo = halo
        self.haloWidth = haloWidth
        self.diameter = diameter
    }

    /// The valid diameters in pt.
    public static let diameterRange = 1.0...1000.0
}

public extension DiscImage {
    /// The image's name, such as `disc:1f6fd6-ffffff-3-40`.
    var name: String {
        func hex(_ color: Color) -> Substring { color.description.dropFirst() }
        func plain(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }
        let outer = haloWidth > 0 ? "-\(hex(halo))-\(plain(haloWidth))" : ""
        return "disc:\(hex(fill))-\(hex(stroke))-\(plain(strokeWidth))\(outer)-\(plain(diameter))"
    }

    /// The disc in `width` by `height` device pixels, stretched if the sides differ. Sides must not be negative.
    ///
    /// The bitmap is not cached. Its pixels are the same on every machine.
    func bitmap(width: Int, height: Int) -> Bitmap {
        let circle = Circle(center: diameter / 2, radius: diameter / 2)
        var layers: [NestedLayer] = []
        let outer = haloWidth
        if outer > 0 { layers.append(Self.layer(halo) { circle.halfWidth(at: $0, inset: 0) }) }
        if strokeWidth > 0 { layers.append(Self.layer(stroke) { circle.halfWidth(at: $0, inset: outer) }) }
        let inset = outer + strokeWidth
        layers.append(Self.layer(fill) { circle.halfWidth(at: $0, inset: inset) })
        return layers.drawn(naturalWidth: diameter, naturalHeight: diameter, width: width, height: height)
    }
}

private extension DiscImage {
    static func layer(_ color: Color, _ halfWidth: @escaping (Double) -> Double) -> NestedLayer {
        NestedLayer(top: color.packed, bottom: color.packed, alpha: Int(color.premultipliedBytes.alpha), halfWidth: halfWidth)
    }
}
