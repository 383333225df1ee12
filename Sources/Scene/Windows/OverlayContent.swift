import WaymarkImaging

/// Content with a size in pt, for view overlays, info windows, and markers with an `iconView`. It is drawn once for each pixel ratio, and
/// corresponds to a view in other map libraries.
///
/// Content is a value, and equal content is drawn only once. The width and the height are at most ``sideLimit`` pt or, in an info window,
/// `InfoWindow.sideLimit` pt. Content that is empty or exceeds these limits is not drawn, and a diagnostic reports it.
public indirect enum OverlayContent: Hashable, Sendable {
    /// Text on a background.
    case label(LabelContent)
    /// An image.
    case image(ImageContent)
    /// Several pieces of content in a row, in a column, or on top of one another.
    case stack(StackContent)
    /// A custom drawing.
    case drawing(DrawnContent)

    /// The maximum width and height of content in pt.
    public static let sideLimit = 1000.0
}

extension OverlayContent {
    /// Creates a label: text in one style and at its natural size.
    /// - Parameter color: The color of the text; nil, the default, for the default of ``LabelContent/textColor``.
    public static func label(_ text: String, color: Color? = nil, size: Double = LabelContent.defaultTextSize) -> OverlayContent {
        var label = LabelContent(text: text)
        label.ownTextColor = color
        label.textSize = size
        return .label(label)
    }

    /// Creates content that shows an image.
    /// - Parameters:
    ///   - image: The image to show.
    ///   - width: The width in pt, 0…10,000; `Marker.sizeAuto` (0, the default) uses the image's width. Content wider than `sideLimit` is
    ///     not drawn.
    ///   - height: The height in pt, 0…10,000; `Marker.sizeAuto` (0, the default) uses the image's height. Content taller than `sideLimit`
    ///     is not drawn.
    public static func image(_ image: OverlayImage, width: Double = Marker.sizeAuto, height: Double = Marker.sizeAuto) -> OverlayContent {
        .image(ImageContent(image, width: width, height: height))
    }

    /// Creates content that shows an SVG drawing, sharp at any pixel ratio.
    /// - Parameters:
    ///   - svg: The document: `<svg xmlns="http://www.w3.org/2000/svg" …>…</svg>`.
    ///   - width: The width in pt, 0…10,000; `Marker.sizeAuto` (0, the default) uses the document's width.
    ///   - height: The height in pt, 0…10,000; `Marker.sizeAuto` (0, the default) uses the document's height.
    public static func svg(_ svg: String, width: Double = Marker.sizeAuto, height: Double = Marker.sizeAuto) -> OverlayContent {
        .image(ImageContent(OverlayImage(bytes: Array(svg.utf8), reuseIdentifier: "svg:" + svg), width: width, height: height))
    }

    /// Creates content from a custom drawing.
    public static func drawing(_ drawing: some ContentDrawing) -> OverlayContent { .drawing(DrawnContent(drawing)) }
}

/// Content that shows an image.
public struct ImageContent: Hashable, Sendable {
    /// The image to show.
    public var image: OverlayImage
    /// The width in pt, valid in 0…10,000; `Marker.sizeAuto` (0, the default) uses the image's width.
    public var width: Double
    /// The height in pt, valid in 0…10,000; `Marker.sizeAuto` (0, the default) uses the image's height.
    public var height: Double
    /// The changes to the image, for legends.
    package var look = ImageLook()

    public init(_ image: OverlayImage, width: Double = Marker.sizeAuto, height: Double = Marker.sizeAuto) {
        (self.image, self.width, self.height) = (image, width, height)
    }
}

/// Changes to an image that is used as content.
package struct ImageLook: Hashable, Sendable {
    /// A color that is added to the image in the same way as a marker's `iconTintColor`.
    package var tint = Color.clear
    /// The opacity, 0…1.
    package var alpha = 1.0
    /// The maximum width and height in pt; a larger image is scaled down. 0 means no limit.
    package var sideLimit = 0.0

    package init() {}
}

/// Custom content that supplies its own pixels.
///
/// Equal drawings must have the same pixels, because the bitmap of only one of them is requested. The bitmap is requested while a picture
/// is laid out. The drawing must therefore not render the map itself; an attempt throws `RenderError.reentered`.
public protocol ContentDrawing: Hashable, Sendable {
    /// The width of the drawing in pt.
    var width: Double { get }
    /// The height of the drawing in pt.
    var height: Double { get }
    /// Draws the content, with premultiplied pixels. The bitmap should measure `width` · `pixelRatio` by `height` · `pixelRatio`, each
    /// rounded to the nearest pixel; a bitmap of a different size is scaled.
    /// - Parameter pixelRatio: The number of device pixels per pt.
    /// - Throws: Any error. Nothing is then drawn, and a diagnostic contains the error's description.
    func bitmap(pixelRatio: Double) throws -> Bitmap
}

/// A ``ContentDrawing`` of any type. Two drawings are equal if both their types and their values are equal.
public struct DrawnContent: Hashable, Sendable {
    /// The drawing that supplies the pixels.
    public let drawing: any ContentDrawing

    public init(_ drawing: some ContentDrawing) { self.drawing = drawing }

    public static func == (a: DrawnContent, b: DrawnContent) -> Bool { a.drawing.isEqual(to: b.drawing) }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type(of: drawing)))
        drawing.hash(into: &hasher)
    }
}

extension ContentDrawing {
    fileprivate func isEqual(to other: any ContentDrawing) -> Bool { (other as? Self) == self }
}
