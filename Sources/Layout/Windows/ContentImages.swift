import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster
import WaymarkScene
import WaymarkText

/// A drawn view.
struct ContentImage: Sendable {
    var image: FrameImage
    /// Its size in pt, with the tail, without the shadow.
    var width: Double
    var height: Double
    /// Its upper left, and the point at the middle of its lower edge or at the tip of its tail, in device pixels from the image's upper left.
    var left: Double
    var top: Double
    var tipX: Double
    var tipY: Double
    /// The height in pt of the tail, at the bottom.
    var tailHeight = 0.0
}

/// What is drawn of a view.
enum ContentForm: Hashable {
    /// The content alone.
    case alone(OverlayContent)
    case infoWindow(InfoWindowView)
}

/// The drawn views of a map: equal ones are drawn once for a pixel ratio. Evicts the least recently used beyond a limit.
final class ContentImages {
    private struct Key: Hashable {
        var form: ContentForm
        var pixelRatio: Double
    }

    private static let byteLimit = 64 << 20
    private var images = LRUCache<Key, Result<ContentImage, PropertyError>>()
    /// For each script with characters that no font has: the first such character.
    private(set) var gaps: [String: FontGap] = [:]
    /// Why labels are not drawn.
    private(set) var fontError: FontError?
    /// Rises when everything has to be drawn again.
    private(set) var generation = 0
    /// The number of views drawn; tests count it.
    private(set) var draws = 0

    var byteCount: Int { images.byteCount }

    /// Forgets everything, since other fonts or images are shown now. Returns whether there was anything.
    func forget() -> Bool {
        guard images.count > 0 else { return false }
        images.removeAll()
        (gaps, fontError) = ([:], nil)
        generation += 1
        return true
    }

    /// The drawn view.
    /// - Parameters:
    ///   - path: The property that holds the content, for errors.
    ///   - openFonts: Called when there is text.
    /// - Throws: `PropertyError` when it cannot be drawn, or is empty or too large.
    func image(
        _ form: ContentForm, _ path: String, pixelRatio: Double, language: String, _ catalog: inout ImageCatalog,
        openFonts: () -> Result<FontLibrary, FontError>
    ) throws(PropertyError) -> ContentImage {
        let key = Key(form: form, pixelRatio: pixelRatio)
        if let known = images.value(for: key) { return try known.get() }
        var fonts: FontLibrary?
        if form.hasText {
            switch openFonts() {
            case .success(let library): fonts = library
            case .failure(let error): fontError = error
            }
        }
        draws += 1
        var painter = ContentPainter(pixelRatio: pixelRatio, language: language, fonts: fonts)
        let result = Result { () throws(PropertyError) in try form.drawn(path, &painter, &catalog) }
        for gap in painter.gaps where gaps[gap.script].map({ gap.character < $0.character }) ?? true { gaps[gap.script] = gap }
        let bytes = (try? result.get())?.image.bitmap.pixels.count ?? 0
        images.insert(result, for: key, byteCount: 512 + bytes)
        if images.byteCount > Self.byteLimit { images.evict(through: .max, bytes: images.byteCount - Self.byteLimit * 3 / 4) }
        return try result.get()
    }
}

extension ContentForm {
    fileprivate var hasText: Bool {
        switch self {
        case .alone(let content), .infoWindow(.window(let content)), .infoWindow(.contents(let content)): content.hasText
        }
    }

    /// Measures and draws it.
    fileprivate func drawn(
        _ path: String, _ painter: inout ContentPainter, _ catalog: inout ImageCatalog
    ) throws(PropertyError) -> ContentImage {
        switch self {
        case .alone(let content):
            return try Self.drawnAlone(content, path, limit: OverlayContent.sideLimit, &painter, &catalog)
        case .infoWindow(.window(let content)):
            return try Self.drawnAlone(content, path, limit: InfoWindow.sideLimit, &painter, &catalog)
        case .infoWindow(.contents(let content)):
            return try InfoWindowFrame.drawn(
                Self.measured(content, path, &painter, &catalog), path, painter, name: "info window \(content.brief)")
        }
    }

    private static func measured(
        _ content: OverlayContent, _ path: String, _ painter: inout ContentPainter, _ catalog: inout ImageCatalog
    ) throws(PropertyError) -> ContentPainter.Node {
        if let problem = content.firstProblem(path) { throw problem }
        let node = try painter.measure(content, path, &catalog)
        guard node.size.width > 0, node.size.height > 0 else {
            throw PropertyError(
                path: path, problem: "the content is \(plain(node.size.width)) × \(plain(node.size.height)) pt; nothing is drawn")
        }
        return node
    }

    private static func drawnAlone(
        _ content: OverlayContent, _ path: String, limit: Double, _ painter: inout ContentPainter, _ catalog: inout ImageCatalog
    ) throws(PropertyError) -> ContentImage {
        let node = try measured(content, path, &painter, &catalog)
        try OverlayContent.check(width: node.size.width, height: node.size.height, limit: limit, path)
        let (width, height) = (max(1, painter.pixels(node.size.width)), max(1, painter.pixels(node.size.height)))
        var canvas = ContentCanvas(width: width, height: height)
        painter.draw(node, x: 0, y: 0, clip: canvas.bounds, into: &canvas)
        return ContentImage(
            image: FrameImage(key: OverlayImage.nextTextureKey(), name: content.brief, bitmap: canvas.bitmap), width: node.size.width,
            height: node.size.height, left: 0, top: 0, tipX: Double(width) / 2, tipY: Double(height))
    }
}

extension OverlayContent {
    /// Whether there is a label with text in it.
    fileprivate var hasText: Bool {
        switch self {
        case .label(let label): !label.text.isEmpty
        case .image(let image): if case .content(let inner) = image.image.source { inner.hasText } else { false }
        case .stack(let stack): stack.contents.contains(where: \.hasText)
        case .drawing: false
        }
    }

    /// Its name in frame listings.
    var brief: String {
        switch self {
        case .label(let label):
            let shown = label.text.prefix(32)
            let printable = shown.unicodeScalars.map { $0.properties.generalCategory == .control ? "␤" : String($0) }.joined()
            return "label “\(printable)\(shown.count < label.text.count ? "…" : "")”"
        case .image: return "image"
        case .stack(let stack): return "stack of \(stack.contents.count)"
        case .drawing: return "drawing"
        }
    }
}

/// The default frame of info windows: white, with round corners, a tail at the bottom and a soft shadow. Lengths in pt.
enum InfoWindowFrame {
    static let radius = 6.0
    static let tailWidth = 16.0
    static let tailHeight = 8.0
    static let paddingX = 12.0
    static let paddingY = 8.0
    /// The shadow: a blur as in CSS, whose standard deviation is half of it.
    static let blur = 6.0
    static let shadowDrop = 2.0
    static let shadowOpacity = 0.3
    /// Beyond 3 standard deviations there is nothing of the shadow.
    private static let margin = 1.5 * blur

    fileprivate static func drawn(
        _ node: ContentPainter.Node, _ path: String, _ painter: ContentPainter, name: String
    ) throws(PropertyError) -> ContentImage {
        let bodyWidth = max(node.size.width + 2 * paddingX, tailWidth + 2 * radius)
        let bodyHeight = node.size.height + 2 * paddingY
        try OverlayContent.check(width: bodyWidth, height: bodyHeight + tailHeight, limit: InfoWindow.sideLimit, path)
        let margin = painter.pixels(margin) + 1
        let (width, height) = (painter.pixels(bodyWidth), painter.pixels(bodyHeight))
        let (tail, drop) = (painter.pixels(tailHeight), painter.pixels(shadowDrop))
        let (canvasWidth, canvasHeight) = (width + 2 * margin, height + tail + drop + 2 * margin)
        let ratio = painter.pixelRatio
        func outline(_ y: Int) -> [PathPoint] {
            ContentOutline.bubble(
                Double(margin), Double(y), Double(width), Double(height), radius: radius * ratio, tailWidth: tailWidth * ratio,
                tailHeight: Double(tail))
        }
        var canvas = ContentCanvas(width: canvasWidth, height: canvasHeight)
        canvas.fill([outline(margin + drop)], .black, clip: canvas.bounds)
        canvas.makeShadow(deviation: blur / 2 * ratio, opacity: shadowOpacity)
        canvas.fill([outline(margin)], .white, clip: canvas.bounds)
        let inner = ContentPainter.Size(width: bodyWidth - 2 * paddingX, height: node.size.height)
        painter.draw(
            node, x: Double(margin) / ratio + paddingX + max(0, (inner.width - node.size.width) / 2), y: Double(margin) / ratio + paddingY,
            clip: canvas.bounds, into: &canvas)
        return ContentImage(
            image: FrameImage(key: OverlayImage.nextTextureKey(), name: name, bitmap: canvas.bitmap), width: bodyWidth,
            height: bodyHeight + tailHeight, left: Double(margin), top: Double(margin), tipX: Double(margin) + Double(width) / 2,
            tipY: Double(margin + height + tail), tailHeight: tailHeight)
    }
}
