import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster

/// The default frame of info windows. It has round corners, a tail at the bottom and a soft shadow, and is white on a map without a theme.
/// Lengths are in pt unless noted.
struct InfoWindowFrame: Sendable {
    static let radius = 6.0
    static let tailWidth = 16.0
    static let tailHeight = 8.0
    static let paddingX = 12.0
    static let paddingY = 8.0
    /// The shadow's blur as in CSS. The standard deviation is half of it.
    static let blur = 6.0
    static let shadowDrop = 2.0
    static let shadowOpacity = 0.3
    /// The shadow is invisible beyond 3 standard deviations.
    private static let margin = 1.5 * blur

    let width: Double
    /// The height including the tail.
    let height: Double
    // The body and its surroundings, in device pixels.
    private let bodyWidth: Int
    private let bodyHeight: Int
    private let tail: Int
    private let drop: Int
    private let margin: Int

    init(around content: PointSize, _ painter: ContentPainter) {
        width = max(content.width + 2 * Self.paddingX, Self.tailWidth + 2 * Self.radius)
        let body = content.height + 2 * Self.paddingY
        height = body + Self.tailHeight
        (bodyWidth, bodyHeight) = (painter.pixels(width), painter.pixels(body))
        (tail, drop) = (painter.pixels(Self.tailHeight), painter.pixels(Self.shadowDrop))
        margin = painter.pixels(Self.margin) + 1
    }

    /// The size including the shadow, in device pixels.
    var canvasWidth: Int { bodyWidth + 2 * margin }
    var canvasHeight: Int { bodyHeight + tail + drop + 2 * margin }

    /// The image of a window with its measures.
    func contentImage(_ image: FrameImage) -> ContentImage {
        ContentImage(
            image: image, width: width, height: height, left: Double(margin), top: Double(margin),
            tipX: Double(margin) + Double(bodyWidth) / 2, tipY: Double(margin + bodyHeight + tail), tailHeight: Self.tailHeight)
    }

    /// Draws the frame and its content.
    func draw(_ node: ContentPainter.Node, _ painter: ContentPainter, into canvas: inout ContentCanvas) {
        let ratio = painter.pixelRatio
        /// - Parameter inset: The distance from the outline of the window, in device pixels.
        func outline(_ y: Int, inset: Double = 0) -> [PathPoint] {
            // The sides of the tail have a slope of 45 degrees. Its base is as far below the base of the inner outline as the tip is
            // moved up.
            let tip = inset * (2.0.squareRoot() - 1)
            return ContentOutline.bubble(
                Double(margin) + inset, Double(y) + inset, Double(bodyWidth) - 2 * inset, Double(bodyHeight) - 2 * inset,
                radius: Self.radius * ratio - inset, tailWidth: Self.tailWidth * ratio - 2 * tip, tailHeight: Double(tail) - tip)
        }
        canvas.fill([outline(margin + drop)], .black, clip: canvas.bounds)
        let theme = painter.theme
        canvas.makeShadow(deviation: Self.blur / 2 * ratio, opacity: theme?.shadowOpacity ?? Self.shadowOpacity)
        let border = theme?.infoWindowBorder ?? .clear
        if border.alpha > 0 { canvas.fill([outline(margin)], border, clip: canvas.bounds) }
        canvas.fill([outline(margin, inset: border.alpha > 0 ? 1 : 0)], theme?.infoWindow ?? .white, clip: canvas.bounds)
        let inner = width - 2 * Self.paddingX
        painter.draw(
            node, x: Double(margin) / ratio + Self.paddingX + max(0, (inner - node.size.width) / 2),
            y: Double(margin) / ratio + Self.paddingY, clip: canvas.bounds, into: &canvas)
    }
}
