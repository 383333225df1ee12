import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// The input for drawing elements: the view, the colors, and the maximum size.
struct ElementContext {
    let viewport: Viewport
    let theme: ThemeDefaults
    let scales: (Legend) throws(PropertyError) -> MapScale
    /// The maximum size in pt of the content inside a panel.
    var limit = PointSize(width: 0, height: 0)
    /// The height in pt that legends leave free because some texts are higher than a line of Latin letters.
    var excess = 0.0
}

extension MapElement {
    /// The content inside the panel; nil for an inset, which is a picture of its own.
    /// - Throws: `PropertyError` if there is nothing to show.
    func content(_ context: ElementContext) throws(PropertyError) -> OverlayContent? {
        switch self {
        case .title(let title): title.content(context)
        case .legend(let element): try element.content(context)
        case .scaleBar(let bar): bar.content(bar.measure(in: context.viewport), context)
        case .northArrow(let arrow): .drawing(NorthArrowDrawing(arrow, context))
        case .image(let element): .image(element.image, width: element.width, height: element.height)
        case .text(let element): element.content
        case .inset: nil
        }
    }

    /// The content with its panel.
    func paneled(_ content: OverlayContent, _ theme: ThemeDefaults) -> OverlayContent {
        let frame = frame
        var stack = StackContent([content])
        stack.frame.insets = frame.insets
        stack.frame.backgroundColor = frame.backgroundColor ?? (type.hasThemePanel ? theme.panel : .clear)
        stack.frame.borderColor = frame.borderColor ?? theme.hairline
        stack.frame.borderWidth = frame.borderWidth ?? (type.hasThemePanel && frame.backgroundColor == nil ? theme.hairlineWidth : 0)
        stack.frame.cornerRadius = frame.cornerRadius ?? (type == .northArrow ? ContentFrame.lengthRange.upperBound : 4)
        let isPlain = stack.backgroundColor.alpha == 0 && stack.borderWidth == 0 && stack.insets == EdgeInsets()
        return isPlain ? content : .stack(stack)
    }

    /// A readable name for hit maps.
    func name(_ scales: (Legend) throws(PropertyError) -> MapScale) -> String {
        switch self {
        case .title(let title): title.text
        case .legend(let element): (try? scales(element.legend)).map(element.legend.shownTitle) ?? element.legend.title ?? ""
        case .scaleBar, .northArrow, .image, .text, .inset: ""
        }
    }
}

extension ElementType {
    /// Whether the theme's panel is behind elements of the type unless they have a background of their own.
    var hasThemePanel: Bool {
        switch self {
        case .title, .legend, .scaleBar, .northArrow: true
        case .image, .text, .inset: false
        }
    }

    /// The type in messages.
    var phrase: String {
        switch self {
        case .title: "the title"
        case .legend: "the legend"
        case .scaleBar: "the scale bar"
        case .northArrow: "the north arrow"
        case .image: "the image"
        case .text: "the text"
        case .inset: "the inset"
        }
    }
}

extension TitleElement {
    fileprivate func content(_ context: ElementContext) -> OverlayContent {
        let alignment: (LabelContent.Alignment, StackContent.Alignment) =
            switch place {
            case .topLeft, .left, .bottomLeft: (.left, .start)
            case .top, .bottom: (.center, .center)
            case .topRight, .right, .bottomRight: (.right, .end)
            }
        func label(_ text: String, size: Double, color: Color) -> LabelContent {
            var label = LabelContent(text: text)
            (label.textSize, label.textColor, label.font, label.textAlignment) = (size, color, font, alignment.0)
            label.maxWidth = max(1, min(context.limit.width, OverlayContent.sideLimit - insets.left - insets.right))
            return label
        }
        var title = label(text, size: textSize, color: textColor ?? context.theme.text)
        title.fontWeight = fontWeight
        guard !subtitle.isEmpty else { return .label(title) }
        let second = label(subtitle, size: subtitleSize, color: textColor ?? context.theme.secondaryText)
        var stack = StackContent(text.isEmpty ? [.label(second)] : [.label(title), .label(second)], spacing: 1)
        stack.alignment = alignment.1
        return .stack(stack)
    }
}

extension LegendElement {
    fileprivate func content(_ context: ElementContext) throws(PropertyError) -> OverlayContent {
        let scale = try context.scales(legend)
        guard let content = legend.content(of: scale, theme: context.theme, limit: context.limit, excess: context.excess) else {
            throw PropertyError(path: "", problem: "the scale has nothing that a legend can show")
        }
        return content
    }
}
