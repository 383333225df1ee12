import WaymarkImaging

/// Content with a size in pt that is drawn once for a pixel ratio, like a view in other map libraries. View overlays, `iconView` of markers
/// and info windows show it.
///
/// It is a value: equal contents are drawn once. A side is at most ``sideLimit`` pt, and in an info window at most `InfoWindow.sideLimit`;
/// content that is empty or larger is not drawn, with a diagnostic.
public indirect enum OverlayContent: Hashable, Sendable {
    /// Text on a background.
    case label(LabelContent)
    /// An image.
    case image(ImageContent)
    /// Contents in a row or a column.
    case stack(StackContent)
    /// A custom drawing.
    case drawing(DrawnContent)

    /// The largest width and height of contents in pt.
    public static let sideLimit = 1000.0
}

extension OverlayContent {
    /// A text in one style, in its natural size.
    public static func label(_ text: String, color: Color = .black, size: Double = LabelContent.defaultTextSize) -> OverlayContent {
        var label = LabelContent(text: text)
        label.textColor = color
        label.textSize = size
        return .label(label)
    }

    /// An image.
    /// - Parameters:
    ///   - width: The width in pt, 0…10,000; `Marker.sizeAuto` (0, the default) follows the image.
    ///   - height: The height in pt, likewise.
    public static func image(_ image: OverlayImage, width: Double = Marker.sizeAuto, height: Double = Marker.sizeAuto) -> OverlayContent {
        .image(ImageContent(image, width: width, height: height))
    }

    /// A drawing in SVG, sharp at any pixel ratio.
    /// - Parameters:
    ///   - svg: The document: `<svg xmlns="http://www.w3.org/2000/svg" …>…</svg>`.
    ///   - width: The width in pt, 0…10,000; `Marker.sizeAuto` (0, the default) follows the document.
    ///   - height: The height in pt, likewise.
    public static func svg(_ svg: String, width: Double = Marker.sizeAuto, height: Double = Marker.sizeAuto) -> OverlayContent {
        .image(ImageContent(OverlayImage(bytes: Array(svg.utf8), reuseIdentifier: "svg:" + svg), width: width, height: height))
    }

    /// A custom drawing.
    public static func drawing(_ drawing: some ContentDrawing) -> OverlayContent { .drawing(DrawnContent(drawing)) }
}

/// An image as content.
public struct ImageContent: Hashable, Sendable {
    /// The image to show.
    public var image: OverlayImage
    /// The width in pt, valid in 0…10,000; `Marker.sizeAuto` (0, the default) follows the image.
    public var width: Double
    /// The height in pt, valid in 0…10,000; `Marker.sizeAuto` (0, the default) follows the image.
    public var height: Double

    public init(_ image: OverlayImage, width: Double = Marker.sizeAuto, height: Double = Marker.sizeAuto) {
        (self.image, self.width, self.height) = (image, width, height)
    }
}

/// Custom content that supplies its pixels.
///
/// Equal drawings must have the same pixels: only one of them is called. A drawing is called while a picture is laid out, so it must not
/// render the map itself: that throws `RenderError.reentered`.
public protocol ContentDrawing: Hashable, Sendable {
    /// The width in pt.
    var width: Double { get }
    /// The height in pt.
    var height: Double { get }
    /// The pixels, premultiplied. A bitmap of another size than `width` · `pixelRatio` × `height` · `pixelRatio`, each rounded to the
    /// nearest pixel, is scaled.
    /// - Parameter pixelRatio: Device pixels per pt.
    /// - Throws: Any error; its description becomes a diagnostic, and nothing is drawn.
    func bitmap(pixelRatio: Double) throws -> Bitmap
}

/// A ``ContentDrawing`` of any type, compared by its type and value.
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
