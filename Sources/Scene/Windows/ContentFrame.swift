import WaymarkGeo
import WaymarkImaging
import WaymarkText

/// The frame of a label or a stack: its background, its border, and the space between the border and the content. All lengths are in pt.
public struct ContentFrame: Hashable, Sendable {
    /// The color behind the content. Default: transparent.
    public var backgroundColor = Color.clear
    /// The color of the border. Default black.
    public var borderColor = Color.black
    /// The width of the border, valid in 0…100. The border is drawn inside the edges, over the content. Default 0.
    public var borderWidth = 0.0
    /// The radius of the corners, valid in 0…1,000. A radius larger than half of the shorter side is drawn as half of that side. Default
    /// 0.
    public var cornerRadius = 0.0
    /// The spaces between the edges and the content, each valid in 0…1,000. Default: none.
    public var insets = EdgeInsets()
    /// The width including the insets, valid in 0…10,000; `Marker.sizeAuto` (0, the default) uses the width of the content and the
    /// insets, rounded up to whole pt.
    public var width = Marker.sizeAuto
    /// The height including the insets, valid in 0…10,000; `Marker.sizeAuto` (0, the default) uses the height of the content and the
    /// insets, rounded up to whole pt.
    public var height = Marker.sizeAuto

    public init() {}

    /// The valid widths of borders in pt.
    public static let borderRange = 0.0...100.0
    /// The valid corner radii and insets in pt. They are also the valid values of `LabelContent.maxWidth` and `StackContent.spacing`.
    public static let lengthRange = 0.0...OverlayContent.sideLimit
}

/// Content with a ``ContentFrame``.
public protocol FramedContent: Sendable {
    var frame: ContentFrame { get set }
}

// The properties of the frame, as properties of the content.
extension FramedContent {
    /// The color behind the content. Default: transparent.
    public var backgroundColor: Color {
        get { frame.backgroundColor }
        set { frame.backgroundColor = newValue }
    }

    /// The color of the border. Default black.
    public var borderColor: Color {
        get { frame.borderColor }
        set { frame.borderColor = newValue }
    }

    /// The width of the border in pt. The border lies inside the edges. Default 0.
    public var borderWidth: Double {
        get { frame.borderWidth }
        set { frame.borderWidth = newValue }
    }

    /// The radius of the corners in pt. Default 0.
    public var cornerRadius: Double {
        get { frame.cornerRadius }
        set { frame.cornerRadius = newValue }
    }

    /// The spaces in pt between the edges and the content. Default: none.
    public var insets: EdgeInsets {
        get { frame.insets }
        set { frame.insets = newValue }
    }

    /// The width in pt; `Marker.sizeAuto` (0, the default) uses the width of the content.
    public var width: Double {
        get { frame.width }
        set { frame.width = newValue }
    }

    /// The height in pt; `Marker.sizeAuto` (0, the default) uses the height of the content.
    public var height: Double {
        get { frame.height }
        set { frame.height = newValue }
    }
}

/// Text on a background.
public struct LabelContent: Hashable, Sendable, FramedContent {
    /// The edge to which lines of text are aligned.
    public enum Alignment: String, Sendable, CaseIterable, Hashable {
        /// The right edge if the text's first letter belongs to a script that runs from right to left, such as Arabic or Hebrew; otherwise
        /// the left edge.
        case natural
        case left, center, right
    }

    /// The text; `\n` begins a new line.
    public var text: String
    /// The color of the text. Default: black. On a map with a theme, the default is the theme's text color if neither the label nor a stack
    /// around it has a background.
    public var textColor: Color {
        get { ownTextColor ?? .black }
        set { ownTextColor = newValue }
    }
    /// The color of the text that was set; nil for the default.
    package var ownTextColor: Color?
    /// Whether the text has the theme's color for less important text if no color is set.
    package var isSecondary = false
    /// The size of the text in pt, valid in 1…512. Default 12.
    public var textSize = defaultTextSize
    /// The weight of the text. Default regular.
    public var fontWeight = FontWeight.regular
    /// The font family to try before Noto. Default nil: only Noto is used.
    public var font: String?
    /// The horizontal alignment of the lines. If the label is taller than its text, the text is centered vertically. Default natural.
    public var textAlignment = Alignment.natural
    /// The width in pt at which lines wrap, valid in 0…1,000; 0, the default, means no wrapping. If `width` is not `Marker.sizeAuto`, lines
    /// wrap to fit into `width` instead. A word that is too long is broken between two characters. The text has as few lines as possible,
    /// and its longest line is as short as possible. If the text is cut off, however, each line is as long as possible.
    public var maxWidth = 0.0
    /// The maximum number of lines, valid in 0…100; 0, the default, means no limit. Further text is cut off, and an ellipsis is added.
    public var maxLines = 0
    /// The frame around the text.
    public var frame = ContentFrame()

    public init(text: String = "") { self.text = text }

    /// The default size of text in pt.
    public static let defaultTextSize = 12.0
    /// The valid numbers of lines.
    public static let lineRange = 0...100
}

/// Several pieces of content in a row, in a column, or on top of one another.
public struct StackContent: Hashable, Sendable, FramedContent {
    /// The direction in which pieces of content follow one another.
    public enum Axis: String, Sendable, CaseIterable, Hashable {
        /// The pieces follow one another from left to right.
        case horizontal
        /// The pieces follow one another from top to bottom.
        case vertical
        /// The pieces lie on top of one another, like subviews of a view. The first piece is at the bottom. The `spacing` has no effect. To
        /// place a piece at a distance from its aligned position, wrap it in a stack with `insets`.
        case depth
    }

    /// How pieces of content are aligned across the axis. With the axis `depth`, this applies both horizontally and vertically.
    public enum Alignment: String, Sendable, CaseIterable, Hashable {
        /// The pieces are aligned at the top in a row, at the left in a column, and at the upper left with the axis `depth`. Except in a
        /// row, a label is aligned at the right if its ``LabelContent/textAlignment`` is `natural` and its text begins in a script that
        /// runs from right to left.
        case start
        /// The pieces are centered.
        case center
        /// The pieces are aligned at the bottom in a row, at the right in a column, and at the lower right with the axis `depth`.
        case end
    }

    /// The pieces of content, in order.
    public var contents: [OverlayContent]
    /// The direction in which the pieces of content follow one another. Default `vertical`.
    public var axis = Axis.vertical
    /// The space in pt between neighboring pieces of content, valid in 0…1,000. Default 0.
    public var spacing = 0.0
    /// The alignment of the pieces of content across the axis. Default `start`.
    public var alignment = Alignment.start
    /// The frame around all the content.
    public var frame = ContentFrame()

    public init(_ contents: [OverlayContent] = [], axis: Axis = .vertical, spacing: Double = 0) {
        (self.contents, self.axis, self.spacing) = (contents, axis, spacing)
    }

    /// The maximum number of pieces of content in a stack.
    public static let countLimit = 100
    /// The maximum nesting depth of content: a stack of stacks of labels has a depth of 3.
    public static let depthLimit = 16
}
