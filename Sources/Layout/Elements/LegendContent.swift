import WaymarkGeo
import WaymarkImaging
import WaymarkScene

// The content of legends. All lengths are in pt.
extension Legend {
    /// The legend inside its panel; nil if there is nothing to show.
    /// - Parameters:
    ///   - limit: The maximum size. A higher list is divided into columns.
    ///   - excess: The height that is left free because some texts are higher than a line of Latin letters.
    package func content(of scale: MapScale, theme: ThemeDefaults, limit: PointSize, excess: Double = 0) -> OverlayContent? {
        var legend = self
        if scale.hasDates, format == .compact { legend.format = .date }
        return legend.shown(of: scale, LegendStyle(theme: theme, limit: limit), height: limit.height - excess)
    }

    /// The title that is drawn above a scale; empty for none.
    func shownTitle(of scale: MapScale) -> String { title ?? scale.resolved.by }

    private func shown(of scale: MapScale, _ style: LegendStyle, height: Double) -> OverlayContent? {
        let title = shownTitle(of: scale)
        var parts: [OverlayContent] = []
        var height = height
        if !title.isEmpty {
            parts.append(style.title(title))
            height -= LegendStyle.titleHeight + LegendStyle.titleSpacing
        }
        let rest = LegendEntry.extra(of: scale, self)
        if let bar = LegendBar(scale, self) {
            let restHeight = Double(rest.count) * (LegendStyle.textHeight + LegendStyle.rowSpacing) + LegendStyle.titleSpacing
            parts.append(bar.content(style, maxHeight: height - (rest.isEmpty ? 0 : restHeight)))
            if !rest.isEmpty { parts.append(style.list(rest, columns: 1, height: height)) }
        } else {
            let entries = LegendEntry.list(of: scale, self)
            if isNested, let nested = LegendNest(entries, style, height: height) {
                parts.append(nested.content)
                if !rest.isEmpty { parts.append(style.list(rest, columns: columns, height: height)) }
            } else {
                guard !entries.isEmpty || !rest.isEmpty else { return nil }
                parts.append(style.list(entries + rest, columns: columns, height: height))
            }
        }
        return .stack(StackContent(parts, spacing: LegendStyle.titleSpacing))
    }
}

/// The sizes and colors of legends.
struct LegendStyle {
    let theme: ThemeDefaults
    let limit: PointSize

    static let titleSize = 12.0
    static let textSize = 11.0
    /// The heights of a line of the title and of a line of other text, in whole pt.
    static let titleHeight = 15.0
    static let textHeight = 14.0
    static let titleSpacing = 6.0
    static let rowSpacing = 3.0
    static let columnSpacing = 14.0
    static let labelSpacing = 7.0
    static let areaWidth = 20.0
    static let areaHeight = 12.0
    /// The maximum width in pt of an outline around an area of that size, and the maximum width of all outlines.
    static let plainOutline = 5.0
    static let mostOutline = 20.0
    static let lineLength = 26.0
    /// The size of icons if the legend does not show the icons' size.
    static let iconLimit = 16.0
    static let plainIconSize = 12.0
    /// The maximum width of a label. A longer label is cut off.
    static let labelWidth = 240.0

    /// The color of the edges of swatches, which keep light colors apart from the panel.
    var edgeColor: Color { theme.text.withAlpha(0.3) }

    func title(_ text: String) -> OverlayContent {
        var label = LabelContent(text: text)
        (label.textColor, label.textSize, label.fontWeight) = (theme.text, Self.titleSize, .bold)
        (label.maxWidth, label.maxLines) = (min(Self.labelWidth, max(40, limit.width)), 3)
        return .label(label)
    }

    func label(_ text: String) -> OverlayContent {
        var label = LabelContent(text: text)
        (label.textColor, label.textSize) = (theme.text, Self.textSize)
        (label.maxWidth, label.maxLines) = (Self.labelWidth, 1)
        return .label(label)
    }

    /// A rectangle filled with a color.
    static func box(_ width: Double, _ height: Double, _ color: Color = .clear) -> LabelContent {
        var box = LabelContent()
        (box.width, box.height, box.backgroundColor) = (width, height, color)
        return box
    }

    /// A list of entries from the top down, divided into columns if it is higher than `height`.
    /// - Parameter columns: The number of columns; 0 for as many as the height requires.
    func list(_ entries: [LegendEntry], columns: Int, height: Double) -> OverlayContent {
        let symbols = entries.map { $0.symbol.map(content) ?? (.label(Self.box(1, 1)), PointSize(width: 1, height: 1)) }
        let cell = symbols.reduce(0) { max($0, $1.size.width) }
        let rows = zip(entries, symbols).map { entry, symbol -> (content: OverlayContent, height: Double) in
            var frame = StackContent([symbol.content])
            (frame.width, frame.alignment) = (cell, .center)
            var row = StackContent([.stack(frame), label(entry.label)], axis: .horizontal, spacing: Self.labelSpacing)
            row.alignment = .center
            return (.stack(row), max(Self.textHeight, symbol.size.height))
        }
        let parts = Self.split(rows.map(\.height), columns: columns, height: height).map { range in
            OverlayContent.stack(StackContent(rows[range].map(\.content), spacing: Self.rowSpacing))
        }
        return parts.count == 1 ? parts[0] : .stack(StackContent(parts, axis: .horizontal, spacing: Self.columnSpacing))
    }

    /// The rows of each column, evenly distributed.
    private static func split(_ heights: [Double], columns: Int, height: Double) -> [Range<Int>] {
        let highest = heights.reduce(textHeight, max) + rowSpacing
        let total = heights.reduce(0) { $0 + $1 + rowSpacing } - rowSpacing
        let fitting = max(1, Int((height + rowSpacing) / highest))
        let needed = total <= height ? 1 : (heights.count + fitting - 1) / fitting
        // A stack has a limited number of pieces, and so does the row of columns. A legend with more pieces is too large in any case.
        let most = StackContent.countLimit
        let least = (heights.count + most - 1) / most
        let count = min(max(columns > 0 ? columns : needed, least, 1), max(heights.count, 1), most)
        let length = (heights.count + count - 1) / count
        return stride(from: 0, to: heights.count, by: max(length, 1)).map { $0..<min($0 + length, heights.count) }
    }
}

// Symbols.
extension LegendStyle {
    /// The content that shows a feature in a legend.
    func content(_ symbol: LegendSymbol) -> (content: OverlayContent, size: PointSize) {
        var symbol = symbol
        if symbol.hasVariousOutlines { symbol.outlineColor = theme.secondaryText }
        switch symbol.shape {
        case .area:
            var box = Self.box(Self.areaWidth, Self.areaHeight, symbol.color ?? theme.area)
            box.cornerRadius = 1.5
            (box.borderColor, box.borderWidth) = (edgeColor, theme.hairlineWidth)
            if symbol.property.hasPrefix("outline") {
                let width = min(max(symbol.outlineWidth, 0), Self.mostOutline)
                (box.borderColor, box.borderWidth, box.cornerRadius) = (symbol.outlineColor, width, 0)
                // An area with a wider outline is enlarged, so that the same part of it stays visible.
                let more = 2 * max(0, width - Self.plainOutline)
                (box.width, box.height) = (box.width + more, box.height + more)
            }
            return (.label(box), PointSize(width: box.width, height: box.height))
        case .line:
            let line = LegendLine(symbol, color: symbol.color ?? theme.secondaryText)
            guard line.height > 0 else { return (.label(Self.box(line.width, 1)), PointSize(width: line.width, height: 1)) }
            return (.drawing(line), PointSize(width: line.width, height: line.height))
        case .icon(let image): return icon(image, symbol)
        case .text:
            var label = LabelContent(text: "Aa")
            (label.textColor, label.textSize) = (symbol.color ?? theme.text, min(max(symbol.width ?? Self.textSize, 1), 512))
            return (.label(label), PointSize(width: label.textSize * 1.4, height: (label.textSize * 1.2).rounded(.up)))
        }
    }

    private func icon(_ image: OverlayImage, _ symbol: LegendSymbol) -> (content: OverlayContent, size: PointSize) {
        var content = ImageContent(image)
        content.look.tint = symbol.color ?? theme.secondaryText
        content.look.alpha = symbol.alpha
        guard symbol.property == "width" || symbol.property == "height" else {
            let width = symbol.width.map { $0 > 0 ? $0 : Self.iconLimit } ?? Self.plainIconSize
            let height = symbol.height.map { $0 > 0 ? $0 : Self.iconLimit } ?? Self.plainIconSize
            let limit = min(max(width, height), Self.iconLimit)
            (content.width, content.height) = (symbol.width ?? 0, symbol.height ?? 0)
            content.look.sideLimit = limit
            return (.image(content), PointSize(width: limit, height: limit))
        }
        let side = min(limit.width, limit.height, OverlayContent.sideLimit)
        func length(_ value: Double?) -> Double { min(max(value ?? Self.plainIconSize, 0), side) }
        (content.width, content.height) = (length(symbol.width), length(symbol.height))
        // Content of size 0 has the size of its image, but features for which a scale computes 0 have no icon.
        if let size = symbol.property == "width" ? symbol.width : symbol.height, size <= 0 {
            return (.label(Self.box(1, 1)), PointSize(width: 1, height: 1))
        }
        let width = content.width > 0 ? content.width : content.height
        let height = content.height > 0 ? content.height : content.width
        return (.image(content), PointSize(width: width, height: height))
    }
}
