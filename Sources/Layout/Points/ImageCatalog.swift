import Synchronization
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkText

/// The images of a map: decoded once, then kept as rasters of the sizes at which they are drawn. Rasters are identified by index.
struct ImageCatalog {
    /// A decoded image.
    enum Content {
        /// A built-in vector image, rasterized for each size; the natural size in pt.
        case vector(VectorImage, width: Double, height: Double)
        /// An SVG, rasterized for each size; the natural size in pt.
        case svg(SVGImage, key: UInt64, width: Double, height: Double)
        /// A raster and its size in pt.
        case raster(Int32, width: Double, height: Double)
        case empty
        /// The image could not be loaded; the reason.
        case failed(String)
    }

    /// An icon at a size: the size in pt, and the raster to draw.
    struct Icon {
        var width: Double
        var height: Double
        var raster: Int32
        /// Whether one raster pixel is one device pixel.
        var isExact: Bool
        /// The raster's size in pt; meaningful when `isExact`.
        var exactWidth = 0.0
        var exactHeight = 0.0
    }

    /// Mipmap levels of a raster, each half the size of the one before. They are sampled where the view makes an icon small, so that it
    /// neither flickers nor loses thin lines.
    struct MipmapLevels {
        /// The raster of half the size; the smaller ones follow it.
        var first: Int32
        var count: Int32
    }

    private(set) var rasters: [FrameImage] = []
    private var contents: [OverlayImage: Content] = [:]
    private var vectorRasters: [VectorRasters.Key: Int32] = [:]
    private var svgRasters: [SVGRaster: Int32] = [:]
    /// By SVG key: the number of cached sizes.
    private var svgSizes: [UInt64: Int] = [:]
    private static let svgSizeLimit = 32
    /// By SVG key: why it is not drawn again. Finding that out may have taken seconds.
    private var svgFailures: [UInt64: String] = [:]
    private var scaledRasters: [ScaledRaster: Int32] = [:]
    private var levelsOfRasters: [Int32: MipmapLevels] = [:]
    /// A cache of icons by image and size, for one pixel ratio: thousands of markers share few icons.
    private var icons: [IconKey: Icon?] = [:]
    private var iconsRatio = 0.0
    /// The approximate size of everything cached, in bytes. Images that no overlay shows any more are kept.
    private(set) var byteCount = 0

    /// By raster used as a texture: whether it is opaque.
    private var opaqueTextures: [Int32: Bool] = [:]
    /// The longer side, in pixels, of a texture rasterized from a vector image.
    private static let vectorTextureSide = 1024.0

    private struct IconKey: Hashable {
        var image: UInt64
        var width: Double
        var height: Double
        var isPlain: Bool
    }

    private struct SVGRaster: Hashable {
        var key: UInt64
        var width: Int
        var height: Int
    }

    private struct ScaledRaster: Hashable {
        var raster: Int32
        var width: Int
        var height: Int
    }

    /// Problems that did not prevent an image from being decoded: the image's name, and a message.
    private(set) var warnings: [(name: String, message: String)] = []
    /// The problems of SVGs that were read but cannot be drawn as large as they are shown.
    private(set) var undrawable: Set<String> = []
    /// Finds the files of images referred to by name.
    private var finder = ImageFinder(folders: [], pixelRatio: 1)
    /// The source of the fonts for the letters of pins.
    private var fontSource = FontSource.system
    /// These fonts; opened when the first pin with a letter is drawn.
    private var fonts: Result<FontLibrary, FontError>?

    /// Sets how named images are found and which fonts draw the letters of pins.
    /// - Returns: Whether that may change an image.
    mutating func find(with finder: ImageFinder, fontSource: FontSource) -> Bool {
        var isAnyChanged = false
        if finder != self.finder {
            self.finder = finder
            let named = contents.keys.filter(\.isFoundByName)
            for image in named { contents[image] = nil }
            icons = [:]
            isAnyChanged = !named.isEmpty
        }
        if fontSource != self.fontSource {
            self.fontSource = fontSource
            if case .failure? = fonts { warnings.removeAll { $0.message.hasPrefix(Self.noLetter) } }
            if fonts != nil {
                icons = [:]
                isAnyChanged = true
            }
            fonts = nil
        }
        return isAnyChanged
    }

    private static let noLetter = "the letters of pins are not drawn: "

    /// The fonts for the letter of an image; nil when it has no letter, and, with a warning, when there are no fonts.
    private mutating func letterFonts(for image: VectorImage) -> FontLibrary? {
        guard case .pin(let pin) = image, pin.symbol != nil else { return nil }
        if fonts == nil {
            let opened = Result { () throws(FontError) in try FontLibrary.of(fontSource) }
            if case .failure(let error) = opened { warnings.append((image.name, Self.noLetter + error.description)) }
            fonts = opened
        }
        return try? fonts?.get()
    }

    private mutating func raster(of image: VectorImage, _ drawn: Drawn) -> Int32 {
        let fonts = letterFonts(for: image)
        let key = VectorRasters.Key(image: image, width: drawn.width, height: drawn.height, fonts: fonts?.source)
        let number = vectorRasters[key] ?? add(VectorRasters.shared.raster(key, fonts))
        vectorRasters[key] = number
        return number
    }

    /// The icon of an image at a size in pt; 0 on an axis means the image's own size. nil for an empty image.
    /// - Throws: `PropertyError` when the image cannot be loaded.
    mutating func icon(
        _ image: OverlayImage, width: Double, height: Double, pixelRatio: Double, isPlain: Bool
    ) throws(PropertyError) -> Icon? {
        let key = IconKey(image: image.textureKey, width: width, height: height, isPlain: isPlain)
        if pixelRatio == iconsRatio, let known = icons[key] { return known }
        if pixelRatio != iconsRatio { icons = [:] }
        iconsRatio = pixelRatio
        let content = contents[image] ?? load(image)
        contents[image] = content
        if case .failed(let reason) = content { throw PropertyError(path: "iconImage", problem: reason) }
        let icon = try icon(of: content, width: width, height: height, pixelRatio: pixelRatio, isPlain: isPlain)
        icons[key] = .some(icon)
        byteCount += 2 * MemoryLayout<(IconKey, Icon?)>.stride
        return icon
    }

    /// An image as a texture at its full resolution, whatever its scale and the pixel ratio; the longer side of a vector image is
    /// rasterized at 1024 pixels. nil for an empty image.
    /// - Parameter path: The property that holds the image, for the error.
    /// - Throws: `PropertyError` when the image cannot be loaded.
    mutating func texture(_ image: OverlayImage, _ path: String) throws(PropertyError) -> (raster: Int32, isOpaque: Bool)? {
        let content = contents[image] ?? load(image)
        contents[image] = content
        let number: Int32
        switch content {
        case .empty: return nil
        case .failed(let reason): throw PropertyError(path: path, problem: reason)
        case .raster(let raster, _, _): number = raster
        case .svg(let svg, let key, let width, let height):
            let scale = Self.vectorTextureSide / max(width, height)
            number = try raster(of: svg, key, Drawn(width * scale, height * scale), path)
        case .vector(let image, let width, let height):
            let scale = Self.vectorTextureSide / max(width, height)
            number = raster(of: image, Drawn(width * scale, height * scale))
        }
        let bitmap = rasters[Int(number)].bitmap
        guard bitmap.width > 0, bitmap.height > 0 else { return nil }
        let isOpaque = opaqueTextures[number] ?? bitmap.isOpaque
        opaqueTextures[number] = isOpaque
        return (number, isOpaque)
    }

    /// The icon of a decoded image at a size in pt; 0 on an axis means the image's own size. nil for an image that is empty or
    /// could not be loaded.
    /// - Parameter isPlain: Whether the icon is neither rotated, flat nor scaled by perspective: then a larger image is downsampled
    ///   once, to the device pixels in which the icon is drawn.
    private mutating func icon(
        of content: Content, width: Double, height: Double, pixelRatio: Double, isPlain: Bool
    ) throws(PropertyError) -> Icon? {
        switch content {
        case .empty, .failed:
            return nil
        case .svg(let svg, let key, let naturalWidth, let naturalHeight):
            let width = width == 0 ? naturalWidth : width
            let height = height == 0 ? naturalHeight : height
            var drawn = Drawn(width * pixelRatio, height * pixelRatio)
            // Rasterizing an SVG takes milliseconds and its pixels are cached, so beyond a number of sizes it is rasterized only at
            // powers of two.
            if svgSizes[key, default: 0] >= Self.svgSizeLimit { drawn.roundUp() }
            let raster = try raster(of: svg, key, drawn, "iconImage")
            return Icon(
                width: width, height: height, raster: raster, isExact: drawn.isExact, exactWidth: Double(drawn.width) / pixelRatio,
                exactHeight: Double(drawn.height) / pixelRatio)
        case .raster(let raster, let naturalWidth, let naturalHeight):
            let width = width == 0 ? naturalWidth : width
            let height = height == 0 ? naturalHeight : height
            let bitmap = rasters[Int(raster)].bitmap
            let isExact = Self.isSame(width * pixelRatio, bitmap.width) && Self.isSame(height * pixelRatio, bitmap.height)
            let shown = isExact || !isPlain ? raster : scaledDown(raster, width * pixelRatio, height * pixelRatio)
            return Icon(width: width, height: height, raster: shown, isExact: isExact, exactWidth: width, exactHeight: height)
        case .vector(let image, let naturalWidth, let naturalHeight):
            let width = width == 0 ? naturalWidth : width
            let height = height == 0 ? naturalHeight : height
            let drawn = Drawn(width * pixelRatio, height * pixelRatio)
            return Icon(
                width: width, height: height, raster: raster(of: image, drawn), isExact: drawn.isExact,
                exactWidth: Double(drawn.width) / pixelRatio, exactHeight: Double(drawn.height) / pixelRatio)
        }
    }

    /// The mipmap levels of a raster, and the raster's size in pixels.
    mutating func levels(of raster: Int32) -> (levels: MipmapLevels, width: Int, height: Int) {
        let image = rasters[Int(raster)]
        let (width, height) = (image.bitmap.width, image.bitmap.height)
        if let known = levelsOfRasters[raster] { return (known, width, height) }
        var levels = MipmapLevels(first: Int32(rasters.count), count: 0)
        var bitmap = image.bitmap
        while max(bitmap.width, bitmap.height) > 2 {
            bitmap = bitmap.scaled(toWidth: max(1, bitmap.width / 2), height: max(1, bitmap.height / 2))
            _ = add(FrameImage(key: OverlayImage.nextTextureKey(), name: image.name, bitmap: bitmap))
            levels.count += 1
        }
        levelsOfRasters[raster] = levels
        return (levels, width, height)
    }

    /// A raster downsampled to the device pixels of an icon; the raster itself when the icon is at least as large.
    private mutating func scaledDown(_ raster: Int32, _ width: Double, _ height: Double) -> Int32 {
        let image = rasters[Int(raster)]
        let (width, height) = (
            min(Self.devicePixels(width), image.bitmap.width), min(Self.devicePixels(height), image.bitmap.height)
        )
        guard width < image.bitmap.width || height < image.bitmap.height else { return raster }
        let key = ScaledRaster(raster: raster, width: width, height: height)
        if let known = scaledRasters[key] { return known }
        let scaled = image.bitmap.scaled(toWidth: width, height: height)
        let number = add(FrameImage(key: OverlayImage.nextTextureKey(), name: image.name, bitmap: scaled))
        scaledRasters[key] = number
        return number
    }

    /// Whether a length equals a number of pixels up to rounding: dividing by a scale and multiplying by an equal ratio is not exact.
    private static func isSame(_ length: Double, _ pixels: Int) -> Bool {
        abs(length - Double(pixels)) < 1e-6
    }

    /// A length in device pixels, rounded to whole pixels; at least 1.
    static func devicePixels(_ length: Double) -> Int {
        max(1, Int((length + 0.5).rounded(.down)))
    }

    private mutating func load(_ image: OverlayImage) -> Content {
        switch image.source {
        case .empty:
            return .empty
        case .vector(let image):
            return .vector(image, width: image.naturalWidth, height: image.naturalHeight)
        case .named(let name):
            guard let path = finder.path(of: name) else {
                return .failed("there is no image of the name \"\(name)\" in the map's image folders")
            }
            return load(OverlayImage(path: path))
        case .inFolder(let folder, let name):
            guard let path = finder.path(of: name, in: [folder]) else {
                return .failed("there is no image of the name \"\(name)\" in \(folder)")
            }
            return load(OverlayImage(path: path))
        case .bitmap, .file, .bytes:
            do throws(ImagingError) {
                return try load(image.decoded(), of: image)
            } catch {
                return .failed("\(error)")
            }
        }
    }

    private mutating func load(_ decoded: DecodedImage, of image: OverlayImage) -> Content {
        let name = image.reuseIdentifier ?? "bitmap"
        switch decoded {
        case .raster(let bitmap, let problems):
            warnings += problems.map { (name, $0) }
            let raster = add(FrameImage(key: image.textureKey, name: name, bitmap: bitmap))
            return .raster(raster, width: Double(bitmap.width) / image.scale, height: Double(bitmap.height) / image.scale)
        case .svg(let svg):
            let (width, height) = (svg.width / image.scale, svg.height / image.scale)
            guard Marker.sizeRange.contains(width), Marker.sizeRange.contains(height) else {
                let most = plain(Marker.sizeRange.upperBound)
                let problem = "\(name): the SVG is \(plain(width)) × \(plain(height)) pt, and at most \(most) × \(most) are allowed"
                undrawable.insert(problem)
                return .failed(problem)
            }
            return .svg(svg, key: image.textureKey, width: width, height: height)
        }
    }

    private mutating func raster(of svg: SVGImage, _ key: UInt64, _ drawn: Drawn, _ path: String) throws(PropertyError) -> Int32 {
        let size = SVGRaster(key: key, width: drawn.width, height: drawn.height)
        if let known = svgRasters[size] { return known }
        if let failure = svgFailures[key] { throw PropertyError(path: path, problem: failure) }
        do throws(ImagingError) {
            let bitmap = try svg.rendered(width: drawn.width, height: drawn.height)
            let raster = add(FrameImage(key: OverlayImage.nextTextureKey(), name: "svg", bitmap: bitmap))
            svgRasters[size] = raster
            svgSizes[key, default: 0] += 1
            return raster
        } catch {
            if case .undrawable = error.reason { svgFailures[key] = error.description }
            undrawable.insert("\(error)")
            throw PropertyError(path: path, problem: "\(error)")
        }
    }

    private mutating func add(_ image: FrameImage) -> Int32 {
        rasters.append(image)
        byteCount += image.bitmap.pixels.count
        return Int32(rasters.count - 1)
    }
}

/// The pixel size at which a vector image is rasterized for an icon.
private struct Drawn {
    var width: Int
    var height: Int
    /// Whether that is the icon's size in device pixels: very large icons are rasterized smaller and stretched.
    var isExact = true

    /// The maximum side in pixels: without it, the largest sizes and pixel ratios would take gigabytes.
    static let longestSide = 2048.0

    init(_ width: Double, _ height: Double) {
        let scale = min(1, Self.longestSide / max(width, height))
        self.width = ImageCatalog.devicePixels(width * scale)
        self.height = ImageCatalog.devicePixels(height * scale)
        isExact = scale == 1
    }

    /// Rounds the size up to powers of two.
    mutating func roundUp() {
        func up(_ pixels: Int) -> Int {
            var power = 1
            while power < pixels { power *= 2 }
            return power
        }
        (width, height, isExact) = (up(width), up(height), false)
    }
}

/// A process-wide cache of rasterized vector images, shared by all maps.
final class VectorRasters: Sendable {
    struct Key: Hashable {
        var image: VectorImage
        var width: Int
        var height: Int
        /// The source of the letter's font; nil when no letter is drawn.
        var fonts: FontSource?
    }

    static let shared = VectorRasters()
    /// The limit at which the cache is emptied: pins of many explicit sizes would otherwise stay for the life of the process.
    private static let byteLimit = 32 << 20

    private struct State {
        var images: [Key: FrameImage] = [:]
        var bytes = 0
    }

    private let state = Mutex(State())

    /// - Parameter fonts: The fonts of the key's source; nil when no letter is drawn.
    func raster(_ key: Key, _ fonts: FontLibrary?) -> FrameImage {
        state.withLock { state in
            if let known = state.images[key] { return known }
            let bitmap =
                fonts?.bitmap(of: key.image, width: key.width, height: key.height)
                ?? key.image.bitmap(width: key.width, height: key.height)
            let image = FrameImage(key: OverlayImage.nextTextureKey(), name: key.image.name, bitmap: bitmap)
            if state.bytes + bitmap.pixels.count > Self.byteLimit {
                state = State()
            }
            state.images[key] = image
            state.bytes += bitmap.pixels.count
            return image
        }
    }
}
