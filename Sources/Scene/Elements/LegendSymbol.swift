import WaymarkImaging

/// The symbol that a legend shows beside a label: a small sample of the features.
public struct LegendSymbol: Hashable, Sendable {
    /// The kind of the feature.
    public enum Shape: Hashable, Sendable {
        /// An area of a fixed size.
        case area
        /// A piece of a line.
        case line
        /// An image, drawn like a marker's icon.
        case icon(OverlayImage)
        /// A sample of text.
        case text
    }

    public var shape: Shape
    /// The color of the area, the line or the text, or the tint of the icon; nil if it differs among the features. Default nil.
    public var color: Color?
    /// The color of the outline of an area or a line. Default black.
    public var outlineColor = Color.black
    /// The width in pt of the outline of an area, or of the outline on each side of a line. Default 0.
    public var outlineWidth = 0.0
    /// The width of a line or an icon, or the size of text, in pt; `Marker.sizeAuto` uses the width of the icon's image. Nil if it differs
    /// among the features. Default nil.
    public var width: Double?
    /// The height of an icon in pt; `Marker.sizeAuto` uses the height of its image. Nil if it differs among the features. Default nil.
    public var height: Double?
    /// Whether the height of an icon changes with its width. Default false.
    public var isProportional = false
    /// The opacity of an icon, 0…1. Default 1.
    public var alpha = 1.0
    /// The lengths in pt of the dashes and gaps of a line. Default: empty, for a solid line.
    public var pattern: [Double] = []
    /// Whether the color of the outline differs among the features.
    package var hasVariousOutlines = false
    /// The property that differs among the entries of a legend.
    package var property = ""

    public init(_ shape: Shape, color: Color? = nil, width: Double? = nil) {
        (self.shape, self.color, self.width) = (shape, color, width)
    }
}

extension LegendSymbol {
    /// The symbol of the features of a template.
    /// - Parameters:
    ///   - overlay: An overlay with the constant properties of the template.
    ///   - property: The property that a scale determines.
    ///   - standard: The color of features without an output, if the property is a color.
    ///   - varying: The other properties that differ among the features.
    ///   - isProportional: Whether the same scale determines the width and the height.
    package init(of overlay: AnyObject, showing property: String, standard: Color? = nil, varying: Set<String>, isProportional: Bool) {
        let isOfText = property.lowercased().contains("caption") || property.hasPrefix("lineText")
        switch overlay {
        case let polygon as Polygon where !isOfText:
            self.init(.area, color: polygon.fillColor)
            (outlineColor, outlineWidth) = (polygon.outlineColor, polygon.outlineWidth)
        case let line as Polyline where !isOfText:
            self.init(.line, color: line.color, width: line.width)
            (outlineColor, outlineWidth, pattern) = (line.outlineColor, line.outlineWidth, line.pattern)
        case let marker as Marker where !isOfText:
            self.init(.icon(marker.iconImage), color: marker.iconTintColor, width: marker.width)
            (height, alpha) = (marker.height, marker.alpha)
        case let symbol as Box<Symbol> where !isOfText:
            self.init(.icon(symbol.value.iconImage ?? .empty), color: .clear, width: symbol.value.width)
            height = symbol.value.height
        case let marker as Marker where property == "captionTextSize": self.init(.text, color: marker.captionColor)
        case let symbol as Box<Symbol> where property == "captionTextSize": self.init(.text, color: symbol.value.captionColor)
        // The color of a text is easier to see in an area.
        default:
            self.init(.area, color: standard)
            return
        }
        self.isProportional = isProportional
        if !varying.isDisjoint(with: ["fillColor", "color", isOfText ? "captionColor" : "iconTintColor"]) { color = nil }
        if varying.contains("width") { width = nil }
        if varying.contains("height") { height = nil }
        hasVariousOutlines = varying.contains("outlineColor")
        if varying.contains("iconImage"), case .icon = shape {
            shape = .icon(MapScale.disc)
            (width, height) = (nil, nil)
            // Icons without a tint have colors of their own.
            if color == .clear { color = nil }
        }
    }

    /// The numeric properties that legends show.
    package static let numberNames = ["width", "height", "outlineWidth", "alpha", "captionTextSize"]

    /// The same symbol with a different value of a property.
    package func setting(_ property: String, to color: Color) -> LegendSymbol {
        var symbol = self
        symbol.property = property
        if property == "outlineColor" { symbol.outlineColor = color } else { symbol.color = color }
        return symbol
    }

    /// The same symbol with a different value of a property.
    package func setting(_ property: String, to number: Double) -> LegendSymbol {
        var symbol = self
        symbol.property = property
        switch property {
        case "height":
            symbol.height = number
            if isProportional || width == nil { symbol.width = number }
        case "outlineWidth": symbol.outlineWidth = number
        case "alpha": symbol.alpha = number
        default:
            symbol.width = number
            if isProportional || height == nil { symbol.height = number }
        }
        return symbol
    }
}
