import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkText

/// The images of a map, decoded once and kept as rasters of the sizes at which they are drawn. Rasters are identified by index.
final class ImageCatalog {
    /// A decoded image.
    enum Content {
        /// A built-in image or a pin, rasterized for each size.
        case vector(VectorImage)
        /// An SVG, rasterized for each size.
        case svg(RasterTable.SVG)
        /// A raster and its size in pt.
        case raster(Int32, width: Double, height: Double)
        case empty
        /// The reason why the image could not be loaded.
        case failed(String)
    }

    /// An icon at a size.
    struct Icon {
        /// The size in pt; for upright icons, whole device pixels.
        var width: Double
        var height: Double
        /// The index of the raster in the catalog.
        var raster: Int32
        /// Whether the raster of an upright icon has another size, because the icon has too many pixels.
        var isStretched = false
        /// The rasters of an icon that is not upright; the first is the largest.
        var levels: IconLevels?
        /// Whether the levels belong to a drawing, and therefore have finer steps.
        var isDrawing = false
        /// Whether one side is automatic and distorts the image by more than a tenth.
        var isDistorted = false
    }

    /// A raster and the size in pt at which an icon shows it.
    struct ShownRaster: Hashable {
        var raster: Int32
        var width: Float
        var height: Float
    }

    private var table = RasterTable()
    var rasters: [FrameImage] { table.images }
    private var contents: [OverlayImage: Content] = [:]
    /// The reasons why SVGs could not be drawn, keyed by SVG. They are not tried again, because a failure may take seconds.
    private var svgFailures: [UInt64: String] = [:]
    /// A cache of icons by image and size, because thousands of markers share few icons.
    // Unchecked, because it is read for every marker; no code that runs while it is being modified calls back into the layout.
    @exclusivity(unchecked) private var icons: [IconKey: Icon?] = [:]
    /// The number of cached icons beyond which all are dropped.
    private static let mostIcons = 1 << 14
    /// Whether a raster used as a texture is opaque, keyed by raster.
    private var opaqueTextures: [Int32: Bool] = [:]
    /// The longer side, in pixels, of a texture rasterized from a vector image.
    private static let vectorTextureSide = 1024.0

    private struct DecodingWarnings {
        var order: Int
        var name: String
        var messages: [String]
        /// Whether the image is also shown by itself, not only as a piece of content, whose overlay reports the warnings.
        var isListed = false
    }

    struct IconKey: Hashable {
        var image: UInt64
        var width: Double
        var height: Double
        var pixelRatio: Double
        var pose: IconPose
    }

    /// Problems that did not prevent images from being decoded.
    private var decodingWarnings: [OverlayImage: DecodingWarnings] = [:]
    /// The number of times that an image had such problems, which determines their order.
    private var warnedImages = 0
    /// The warning that the letters of pins are not drawn: the name of the first such pin, and a message.
    private var letterWarning: (name: String, message: String)?
    /// The advice about icons whose automatic side distorts the image by more than a tenth.
    private(set) var distortions: [ShownRaster: Diagnostic] = [:]
    /// The problems of SVGs that were read but cannot be drawn as large as they are shown.
    private(set) var undrawable: Set<String> = []
    /// Finds the files of named images.
    private(set) var finder: ImageFinder
    /// The fonts for the letters of pins.
    private let fonts: MapFonts
    /// Whether a pin with a letter has been drawn.
    private var hasLetters = false

    init(_ finder: ImageFinder, _ fonts: MapFonts) {
        (self.finder, self.fonts) = (finder, fonts)
    }

    /// The fonts for the letter of an image. Nil without a letter, or, with a warning, without fonts.
    private func letterFonts(for image: VectorImage) -> FontLibrary? {
        guard case .pin(let pin) = image, pin.symbol != nil else { return nil }
        let library = fonts.open()
        if !hasLetters, let error = fonts.error { letterWarning = (image.name, "the letters of pins are not drawn: \(error)") }
        hasLetters = true
        return library
    }

    /// The cached icon of an image and a size. It may be a known empty icon.
    @inline(__always)
    func icon(_ key: IconKey) -> Icon?? { icons[key] }

    /// Makes the icon of an image at a size; nil for an empty image.
    /// - Parameter path: The property that holds the image, for the error.
    /// - Throws: `PropertyError` if the image could not be loaded.
    func makeIcon(_ key: IconKey, of content: Content, _ image: OverlayImage, _ path: String) throws(PropertyError) -> Icon? {
        var icon = try icon(of: content, path, width: key.width, height: key.height, pixelRatio: key.pixelRatio, key.pose)
        if let drawn = icon, let natural = naturalSize(of: content),
            let side = DistortingSide(width: key.width, height: key.height, of: natural)
        {
            icon?.isDistorted = true
            let message = side.advice(otherSide: side.name == "height" ? drawn.width : drawn.height)
            let name = if case .vector(let vector) = image.source { vector.name } else { image.reuseIdentifier ?? "image" }
            let shown = ShownRaster(raster: drawn.raster, width: Float(drawn.width), height: Float(drawn.height))
            distortions[shown] = Diagnostic(path: side.name, id: name, message: message)
        }
        if icons.count >= Self.mostIcons { icons = [:] }
        icons[key] = .some(icon)
        return icon
    }

    /// The decoded content of an image, which must not be a view.
    /// - Parameter isPiece: Whether it is shown as a piece of content, whose overlay reports its warnings.
    func content(of image: OverlayImage, isPiece: Bool = false) -> Content {
        let content = contents[image] ?? load(image, shownAs: image)
        contents[image] = content
        if !isPiece, !decodingWarnings.isEmpty { decodingWarnings[image]?.isListed = true }
        return content
    }

    /// The problems that did not prevent an image from being decoded.
    func warnings(of image: OverlayImage) -> [String] { decodingWarnings[image]?.messages ?? [] }

    /// The warnings about images, except those that are only pieces of content: the image's name, and a message.
    var warnings: [(name: String, message: String)] {
        let listed = decodingWarnings.values.filter(\.isListed).sorted { $0.order < $1.order }
        return listed.flatMap { warnings in warnings.messages.map { (warnings.name, $0) } } + (letterWarning.map { [$0] } ?? [])
    }

    private func warn(_ messages: [String], name: String, about image: OverlayImage) {
        guard !messages.isEmpty else { return }
        warnedImages += 1
        decodingWarnings[image] = DecodingWarnings(order: warnedImages, name: name, messages: messages)
    }

    /// The content of an image that is a view.
    func content(showing view: ContentImage) -> Content { .raster(table.add(view.image), width: view.width, height: view.height) }

    /// An image as a texture at its full resolution, regardless of its scale and the pixel ratio; nil for an empty image. The longer side
    /// of a vector image is rasterized at 1024 pixels.
    /// - Parameter path: The property that holds the image, for the error.
    /// - Throws: `PropertyError` if the image cannot be loaded.
    func texture(_ content: Content, _ path: String) throws(PropertyError) -> (raster: Int32, isOpaque: Bool)? {
        guard let number = try fullRaster(content, path) else { return nil }
        let isOpaque = opaqueTextures[number] ?? table.images[Int(number)].bitmap.isOpaque
        opaqueTextures[number] = isOpaque
        return (number, isOpaque)
    }

    /// A ground image as a texture with reduced copies; nil for an empty image.
    /// - Throws: `PropertyError` if the image cannot be loaded.
    func groundImage(_ content: Content, _ path: String) throws(PropertyError) -> Int32? {
        guard let number = try fullRaster(content, path) else { return nil }
        return table.levels(of: number, isFlat: true).first
    }

    private func fullRaster(_ content: Content, _ path: String) throws(PropertyError) -> Int32? {
        if case .failed(let reason) = content { throw PropertyError(path: path, problem: reason) }
        guard let natural = naturalSize(of: content) else { return nil }
        let number: Int32
        if case .raster(let raster, _, _) = content {
            number = raster
        } else {
            let scale = Self.vectorTextureSide / max(natural.width, natural.height)
            let (width, height) = (Self.devicePixels(natural.width * scale), Self.devicePixels(natural.height * scale))
            number = try upright(content, path, width: width, height: height).raster
        }
        return table.images[Int(number)].isEmpty ? nil : number
    }

    /// The icon of a decoded image at a size in pt, where 0 on an axis means the image's own size; nil for an empty image. An upright icon
    /// covers whole device pixels, and its raster has the same size.
    /// - Parameter path: The property that holds the image, for the error.
    /// - Throws: `PropertyError` if the image could not be loaded.
    func icon(
        of content: Content, _ path: String, width: Double, height: Double, pixelRatio: Double, _ pose: IconPose
    ) throws(PropertyError) -> Icon? {
        if case .failed(let reason) = content { throw PropertyError(path: path, problem: reason) }
        guard let natural = naturalSize(of: content) else { return nil }
        let (width, height) = (width == 0 ? natural.width : width, height == 0 ? natural.height : height)
        if pose == .upright {
            // An image without pixels has the size 0 × 0.
            let across = width == 0 ? 0 : Self.devicePixels(width * pixelRatio)
            let down = height == 0 ? 0 : Self.devicePixels(height * pixelRatio)
            var icon = try upright(content, path, width: across, height: down)
            (icon.width, icon.height) = (Double(across) / pixelRatio, Double(down) / pixelRatio)
            return icon
        }
        return try leveled(content, path, width: width, height: height, pixelRatio: pixelRatio, isFlat: pose == .flat)
    }

    /// The natural size of an image in pt; nil when it is empty or could not be loaded.
    func naturalSize(of content: Content) -> (width: Double, height: Double)? {
        switch content {
        case .empty, .failed: nil
        case .svg(let svg): (svg.width, svg.height)
        case .raster(_, let width, let height): (width, height)
        case .vector(let image): (image.naturalWidth, image.naturalHeight)
        }
    }

    /// An icon of whole device pixels, before its size in pt is set.
    private func upright(_ content: Content, _ path: String, width: Int, height: Int) throws(PropertyError) -> Icon {
        var icon = Icon(width: 0, height: 0, raster: -1)
        switch content {
        case .empty, .failed:
            break
        case .raster(let raster, _, _):
            let image = table.images[Int(raster)]
            let size = DrawnSize(resampling: image.width, image.height, to: width, height)
            icon.raster = table.resampled(raster, width: size.width, height: size.height)
            icon.isStretched = !size.isExact || image.isEmpty
        case .vector(let image):
            let size = DrawnSize(Double(width), Double(height))
            icon.raster = table.drawn(image, letterFonts(for: image), width: size.width, height: size.height)
            icon.isStretched = !size.isExact
        case .svg(let svg):
            let size = DrawnSize(Double(width), Double(height))
            icon.raster = try drawing(svg, path) { table throws(ImagingError) in
                try table.upright(svg, width: size.width, height: size.height)
            }
            icon.isStretched = !size.isExact
        }
        return icon
    }

    /// An icon whose scale depends on the view.
    private func leveled(
        _ content: Content, _ path: String, width: Double, height: Double, pixelRatio: Double, isFlat: Bool
    ) throws(PropertyError) -> Icon {
        var icon = Icon(width: width, height: height, raster: -1)
        switch content {
        case .empty, .failed:
            return icon
        case .raster(let raster, _, _):
            icon.raster = raster
            if table.images[Int(raster)].isEmpty || width == 0 || height == 0 { return icon }
            icon.levels = table.levels(of: raster, isFlat: isFlat)
        case .vector(let image):
            icon.levels = table.levels(of: image, letterFonts(for: image), aspect: height / width, isFlat: isFlat)
            icon.isDrawing = true
        case .svg(let svg):
            icon.levels = try drawing(svg, path) { table throws(ImagingError) in
                try table.levels(of: svg, width: width * pixelRatio, height: height * pixelRatio, isFlat: isFlat)
            }
            icon.isDrawing = true
        }
        if let levels = icon.levels { icon.raster = levels.first }
        return icon
    }

    /// A length in device pixels, rounded to whole pixels; at least 1.
    static func devicePixels(_ length: Double) -> Int {
        max(1, Int((length + 0.5).rounded(.down)))
    }

    /// - Parameter shown: The image that an overlay shows, which is this image or an image that names it.
    private func load(_ image: OverlayImage, shownAs shown: OverlayImage) -> Content {
        switch image.source {
        case .empty:
            return .empty
        case .vector(let image):
            return .vector(image)
        case .named(let name):
            guard let path = finder.path(of: name) else {
                return .failed("the map's image folders have no image \"\(name)\"")
            }
            return load(OverlayImage(path: path), shownAs: shown)
        case .inFolder(let folder, let name):
            guard let path = finder.path(of: name, in: [folder]) else {
                return .failed("\(folder) has no image \"\(name)\"")
            }
            return load(OverlayImage(path: path), shownAs: shown)
        case .content:
            // Unreachable, because views are measured.
            return .empty
        case .bitmap, .file, .bytes:
            do throws(ImagingError) {
                return try load(image.decoded(), of: image, shownAs: shown)
            } catch {
                return .failed("\(error)")
            }
        }
    }

    private func load(_ decoded: DecodedImage, of image: OverlayImage, shownAs shown: OverlayImage) -> Content {
        let name = image.reuseIdentifier
        switch decoded {
        case .raster(let width, let height, let problems):
            warn(problems, name: name ?? "bitmap", about: shown)
            let raster = table.add(FrameImage(key: image.textureKey, name: name ?? "bitmap", width: width, height: height, pixels: image))
            return .raster(raster, width: Double(width) / image.scale, height: Double(height) / image.scale)
        case .svg(let svg):
            // The identifier of a document in a scene is the document itself.
            warn(svg.warnings, name: image.isSVGDocument ? "svg" : name ?? "svg", about: shown)
            let (width, height) = (svg.width / image.scale, svg.height / image.scale)
            guard Marker.sizeRange.contains(width), Marker.sizeRange.contains(height) else {
                let most = plain(Marker.sizeRange.upperBound)
                let problem =
                    (name.map { "\($0): " } ?? "")
                    + "the SVG is \(plain(width)) × \(plain(height)) pt, but at most \(most) × \(most) are allowed"
                undrawable.insert(problem)
                return .failed(problem)
            }
            return .svg(RasterTable.SVG(image: svg, key: image.textureKey, width: width, height: height))
        }
    }

    /// Draws an SVG, unless that has failed before.
    /// - Parameter path: The property that holds the image, for the error.
    private func drawing<Result>(
        _ svg: RasterTable.SVG, _ path: String, _ draw: (inout RasterTable) throws(ImagingError) -> Result
    ) throws(PropertyError) -> Result {
        if let failure = svgFailures[svg.key] { throw PropertyError(path: path, problem: failure) }
        do throws(ImagingError) {
            return try draw(&table)
        } catch {
            if case .undrawable = error.reason { svgFailures[svg.key] = error.description }
            undrawable.insert("\(error)")
            throw PropertyError(path: path, problem: "\(error)")
        }
    }
}

/// The pixels of an icon's raster.
private struct DrawnSize {
    var width: Int
    var height: Int
    /// Whether the raster has the size of the icon. Very large icons have smaller rasters and are stretched, because the largest sizes and
    /// pixel ratios would take gigabytes.
    var isExact = true

    /// The maximum side of a drawing in pixels.
    private static let longestSide = 2048.0
    /// The maximum side of an enlarged image, and the maximum number of its pixels.
    private static let longestEnlarged = 4096
    private static let mostEnlargedPixels = 1 << 22

    /// The raster of a drawing shown at this size in device pixels.
    init(_ width: Double, _ height: Double) {
        let scale = min(1, Self.longestSide / max(width, height))
        self.width = ImageCatalog.devicePixels(width * scale)
        self.height = ImageCatalog.devicePixels(height * scale)
        isExact = scale == 1
    }

    /// The raster of an image with pixels shown at this size in device pixels.
    init(resampling ownWidth: Int, _ ownHeight: Int, to width: Int, _ height: Int) {
        isExact =
            width <= max(ownWidth, Self.longestEnlarged) && height <= max(ownHeight, Self.longestEnlarged)
            && width * height <= max(ownWidth * ownHeight, Self.mostEnlargedPixels)
        (self.width, self.height) = isExact ? (width, height) : (min(width, ownWidth), min(height, ownHeight))
    }
}

extension ImageCatalog {
    /// The approximate size of everything cached, in bytes, without the pixels. Images that no overlay shows stay cached.
    var byteCount: Int { table.byteCount + 2 * icons.count * MemoryLayout<(IconKey, Icon?)>.stride }

    /// Forgets the icons, because the pixel ratio has changed, or views are measured again.
    func removeIcons() { (icons, distortions) = ([:], [:]) }

    /// Forgets the letters of pins, because different fonts are used now.
    /// - Returns: Whether there was any.
    func removeLetters() -> Bool {
        guard hasLetters else { return false }
        (icons, hasLetters, letterWarning) = ([:], false, nil)
        return true
    }

    /// Sets the finder of named images.
    /// - Returns: Whether an image may change.
    func find(with finder: ImageFinder) -> Bool {
        self.finder = finder
        let named = contents.keys.filter(\.isFoundByName)
        for image in named {
            contents[image] = nil
            decodingWarnings[image] = nil
        }
        icons = [:]
        return !named.isEmpty
    }
}

/// The problem of an image, and its replacement.
struct ImageProblem: Equatable, Sendable {
    let error: PropertyError
    /// The description of the replacement; nil if the image itself is drawn, with a warning.
    private let instead: String?
    /// Whether the problem concerns a part of a view.
    let isOfView: Bool

    init(_ error: PropertyError, instead: String?, isOfView: Bool = false) {
        (self.error, self.instead, self.isOfView) = (error, instead, isOfView)
    }

    var isWarning: Bool { instead == nil }

    /// This problem of a view, with the path of the property that holds the view.
    func within(_ path: String) -> ImageProblem {
        ImageProblem(PropertyError(path: path + error.path, problem: error.problem), instead: instead, isOfView: isOfView)
    }

    /// The problem for a diagnostic.
    /// - Parameter isDrawn: Whether the overlay is drawn, so that a replacement is drawn instead of the image.
    func reported(isDrawn: Bool = true) -> PropertyError {
        guard isDrawn, let instead else { return error }
        return PropertyError(path: error.path, problem: "\(error.problem); \(instead)")
    }
}

extension OverlayImage {
    /// Whether this is an SVG document given as text. Its identifier is the document itself.
    var isSVGDocument: Bool { reuseIdentifier?.hasPrefix("svg:") ?? false }
}
