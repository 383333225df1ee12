import Synchronization
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster
import WaymarkScene
import WaymarkText

/// A measured view, whose pixels are rendered when a frame first shows them.
struct ContentImage: Sendable {
    var image: FrameImage
    /// The view's size in pt, with the tail and without the shadow.
    var width: Double
    var height: Double
    /// The view's upper left, and the middle of its lower edge or the tip of its tail, in device pixels from the image's upper left.
    var left: Double
    var top: Double
    var tipX: Double
    var tipY: Double
    /// The height in pt of the tail, at the bottom.
    var tailHeight = 0.0
    /// The parts that cannot be drawn; the rest is drawn. Paths are relative to the property that holds the content.
    var problems: [PropertyError] = []
    /// Warnings about parts that are drawn nevertheless. Their paths are relative, too.
    var warnings: [PropertyError] = []

    /// The problems and warnings with full paths.
    /// - Parameter path: The property that holds the content.
    func problems(at path: String) -> [PropertyError] {
        problems.map { PropertyError(path: path + $0.path, problem: "\($0.problem); \(Self.withoutProblem)") }
            + warnings.map { PropertyError(path: path + $0.path, problem: $0.problem) }
    }

    /// The end of a message about a part that cannot be drawn.
    static let withoutProblem = "only the rest of the content is drawn"
}

/// A view in the form in which it is displayed.
enum ContentForm: Hashable {
    /// Only the content.
    case alone(OverlayContent)
    case infoWindow(InfoWindowView)
}

/// The measured views of a map. Equal views are measured once per pixel ratio, and share their pixels. Pixels are kept only for drawings by
/// the user. Beyond a limit, the least recently used views are evicted.
final class ContentImages {
    private struct FormKey: Hashable {
        var form: ContentForm
        var pixelRatio: Double
    }

    private static let byteLimit = 64 << 20
    /// The cache. Paths of errors are relative to the property that holds a content.
    private var images = LRUCache<FormKey, Result<ContentImage, PropertyError>>()
    /// The first character that no font has, for each script with such characters.
    private(set) var gaps: [String: FontGap] = [:]
    /// Whether a label could not be measured for lack of fonts.
    private(set) var needsFonts = false
    /// A counter that rises when everything must be drawn again.
    private(set) var generation = 0
    /// The numbers of measured views and of rendered views, for tests.
    private(set) var measurements = 0
    private let drawCount = ContentPixels.Count()
    var draws: Int { drawCount.value.load(ordering: .relaxed) }

    var byteCount: Int { images.byteCount }

    /// Evicts everything.
    func removeAll() {
        images.removeAll()
        (gaps, needsFonts) = ([:], false)
    }

    /// Drops everything because fonts or images have changed. Returns false if nothing was cached.
    func forget() -> Bool {
        guard images.count > 0 else { return false }
        removeAll()
        generation += 1
        return true
    }

    /// Measures a view, unless it is cached.
    /// - Parameter path: The property that holds the content, for errors.
    /// - Throws: `PropertyError` if the view cannot be drawn, is empty, or is too large.
    func image(
        _ form: ContentForm, _ path: String, pixelRatio: Double, _ resources: MapResources
    ) throws(PropertyError) -> ContentImage {
        do throws(PropertyError) {
            return try image(form, pixelRatio: pixelRatio, resources)
        } catch {
            throw PropertyError(path: path + error.path, problem: error.problem)
        }
    }

    private func image(_ form: ContentForm, pixelRatio: Double, _ resources: MapResources) throws(PropertyError) -> ContentImage {
        let key = FormKey(form: form, pixelRatio: pixelRatio)
        if let known = images.value(for: key) { return try known.get() }
        let fonts = form.hasText ? resources.fonts.open() : nil
        if form.hasText, fonts == nil { needsFonts = true }
        measurements += 1
        var painter = ContentPainter(pixelRatio: pixelRatio, language: resources.fonts.language, fonts: fonts, theme: resources.theme)
        var result = Result { () throws(PropertyError) in try form.measured(&painter, resources, drawCount) }
        if case .success(var image) = result {
            (image.problems, image.warnings) = (painter.problems, painter.warnings)
            result = .success(image)
        }
        for gap in painter.gaps where gaps[gap.script].map({ gap.character < $0.character }) ?? true { gaps[gap.script] = gap }
        images.insert(result, for: key, byteCount: 512 + painter.keptBytes)
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

    /// Measures the view. Paths of errors are relative to the property that holds the content.
    fileprivate func measured(
        _ painter: inout ContentPainter, _ resources: MapResources, _ count: ContentPixels.Count
    ) throws(PropertyError) -> ContentImage {
        switch self {
        case .alone(let content):
            return try Self.measuredAlone(content, limit: OverlayContent.sideLimit, &painter, resources, count)
        case .infoWindow(.window(let content)):
            return try Self.measuredAlone(content, limit: InfoWindow.sideLimit, &painter, resources, count)
        case .infoWindow(.contents(let content)):
            let node = try Self.measured(content, &painter, resources)
            let frame = InfoWindowFrame(around: node.size, painter)
            try OverlayContent.check(
                width: frame.width, height: frame.height, limit: InfoWindow.sideLimit, "", "the window, with its frame,")
            let pixels = ContentPixels(node: node, painter: painter, frame: frame, count: count)
            return frame.contentImage(FrameImage(pixels, name: "info window \(content.brief)"))
        }
    }

    private static func measured(
        _ content: OverlayContent, _ painter: inout ContentPainter, _ resources: MapResources
    ) throws(PropertyError) -> ContentPainter.Node {
        if let problem = content.firstProblem("") { throw problem }
        let node = painter.measure(content, "", resources)
        guard node.size.width > 0, node.size.height > 0 else {
            throw painter.problems.first
                ?? PropertyError(
                    path: "", problem: "the content is empty: its size is \(plain(node.size.width)) × \(plain(node.size.height)) pt")
        }
        return node
    }

    private static func measuredAlone(
        _ content: OverlayContent, limit: Double, _ painter: inout ContentPainter, _ resources: MapResources,
        _ count: ContentPixels.Count
    ) throws(PropertyError) -> ContentImage {
        let node = try measured(content, &painter, resources)
        try OverlayContent.check(width: node.size.width, height: node.size.height, limit: limit, "")
        let image = FrameImage(ContentPixels(node: node, painter: painter, frame: nil, count: count), name: content.brief)
        return ContentImage(
            image: image, width: node.size.width, height: node.size.height, left: 0, top: 0, tipX: Double(image.width) / 2,
            tipY: Double(image.height))
    }
}

extension OverlayContent {
    /// Whether the content contains a label with text.
    fileprivate var hasText: Bool {
        switch self {
        case .label(let label): !label.text.isEmpty
        case .image(let image): if case .content(let inner) = image.image.source { inner.hasText } else { false }
        case .stack(let stack): stack.contents.contains(where: \.hasText)
        case .drawing: false
        }
    }

    /// The content's name in frame listings.
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

/// Draws a measured view.
struct ContentPixels: PixelSource {
    let node: ContentPainter.Node
    let painter: ContentPainter
    /// The frame around the content; nil for the content alone.
    let frame: InfoWindowFrame?
    let count: Count

    /// Counts the views drawn.
    final class Count: Sendable {
        let value = Atomic<Int>(0)
    }

    /// The width in device pixels.
    var width: Int { frame?.canvasWidth ?? max(1, painter.pixels(node.size.width)) }
    var height: Int { frame?.canvasHeight ?? max(1, painter.pixels(node.size.height)) }

    func makePixels() -> Bitmap {
        count.value.add(1, ordering: .relaxed)
        var canvas = ContentCanvas(width: width, height: height)
        if let frame {
            frame.draw(node, painter, into: &canvas)
        } else {
            painter.draw(node, x: 0, y: 0, clip: canvas.bounds, into: &canvas)
        }
        return canvas.bitmap
    }
}

extension FrameImage {
    /// The image of a view. A view that is a single image shares its pixels.
    init(_ pixels: ContentPixels, name: String) {
        if pixels.frame == nil, case .image(let image, _, ImageLook()) = pixels.node, image.width == pixels.width,
            image.height == pixels.height
        {
            self = image
            self.name = name
        } else {
            self.init(key: OverlayImage.nextTextureKey(), name: name, width: pixels.width, height: pixels.height, pixels: pixels)
        }
    }
}
