import Synchronization
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkText

/// The images of a map: decoded once, known by a number, and as rasters of the size in which they are drawn.
struct ImageCatalog {
    /// What an image is once it is decoded.
    enum Content {
        /// Drawn anew for each size; the natural size in pt.
        case vector(VectorImage, width: Double, height: Double)
        /// An SVG, drawn anew for each size; the natural size in pt.
        case svg(SVGImage, key: UInt64, width: Double, height: Double)
        /// A raster and its size in pt.
        case raster(Int32, width: Double, height: Double)
        case empty
        /// Why it cannot be had.
        case failed(String)
    }

    /// An icon as it is drawn: size in pt, and the raster.
    struct Icon {
        var width: Double
        var height: Double
        var raster: Int32
        /// Whether one raster pixel is one device pixel.
        var isExact: Bool
        /// The raster's size in pt, when that is so.
        var exactWidth = 0.0
        var exactHeight = 0.0
    }

    /// Smaller copies of a raster, each half as large as the one before: read where a map makes an icon small, so that it
    /// neither flickers nor loses its thin lines.
    struct Levels {
        /// The raster of half the size; the others follow it.
        var first: Int32
        var count: Int32
    }

    private(set) var rasters: [FrameImage] = []
    private var contents: [OverlayImage: Content] = [:]
    private var vectorRasters: [VectorRasters.Key: Int32] = [:]
    private var svgRasters: [SVGRaster: Int32] = [:]
    /// How many sizes of an SVG are kept.
    private var svgSizes: [UInt64: Int] = [:]
    private static let svgSizeLimit = 32
    private var scaledRasters: [ScaledRaster: Int32] = [:]
    private var levelsOfRasters: [Int32: Levels] = [:]
    /// Icons by what asks for them, at one pixel ratio: markers come by the thousand with few of them.
    private var icons: [IconKey: Icon?] = [:]
    private var iconsRatio = 0.0
    /// About how many bytes it has taken in: it keeps what no overlay shows any more.
    private(set) var byteCount = 0

    /// Which rasters that are textures are opaque.
    private var opaqueTextures: [Int32: Bool] = [:]
    /// Pixels of the longer side of a texture that is drawn from a vector image.
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

    /// What was read of images despite a problem: the image's name, and a sentence.
    private(set) var warnings: [(name: String, message: String)] = []
    /// Where images are found that are known by name.
    private var finder = ImageFinder(folders: [], pixelRatio: 1)
    /// Where the letters of pins come from.
    private var fontSource = FontSource.system
    /// Opened when the first pin with a letter is drawn.
    private var fonts: Result<FontLibrary, FontError>?

    /// From now on images known by name are looked up with `finder`, and letters drawn with the fonts of `fontSource`.
    /// - Returns: Whether that may change an image.
    mutating func find(with finder: ImageFinder, fontSource: FontSource) -> Bool {
        var isAnyChanged = false
        if finder != self.finder {
            self.finder = finder
            let named = contents.keys.filter { if case .named = $0.source { true } else { false } }
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

    /// The fonts for the letter of an image; nil when it has none, and, with a warning, when there are no fonts.
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

    /// An image as an icon of a size in pt; 0 for an axis means the image's own size. nil for an image of no size.
    /// - Throws: Why the image cannot be had.
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

    /// An image as a texture: all of its pixels, whatever its scale and the pixel ratio; vector images are drawn 1024 pixels long.
    /// nil for an image of no size.
    /// - Throws: Why the image cannot be had.
    mutating func texture(_ image: OverlayImage) throws(PropertyError) -> (raster: Int32, isOpaque: Bool)? {
        let content = contents[image] ?? load(image)
        contents[image] = content
        let number: Int32
        switch content {
        case .empty: return nil
        case .failed(let reason): throw PropertyError(path: "texture", problem: reason)
        case .raster(let raster, _, _): number = raster
        case .svg(let svg, let key, let width, let height):
            let scale = Self.vectorTextureSide / max(width, height)
            number = try raster(of: svg, key, Drawn(width * scale, height * scale))
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

    /// The raster for an icon of a size in pt; 0 for an axis means the image's own size. nil for an image of no size or
    /// one that cannot be had.
    /// - Parameter isPlain: Whether nothing but its size changes the icon: then a smaller one is filtered down once, to the
    ///   very pixels that it is drawn in.
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
            // Drawing an SVG takes milliseconds and its pixels are kept, so of one in very many sizes only some are drawn.
            if svgSizes[key, default: 0] >= Self.svgSizeLimit { drawn.roundUp() }
            let raster = try raster(of: svg, key, drawn)
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
                exactWidth: Double(drawn.width) / pixelRatio,
                exactHeight: Double(drawn.height) / pixelRatio)
        }
    }

    /// The smaller copies of a raster.
    mutating func levels(of raster: Int32) -> Levels {
        if let known = levelsOfRasters[raster] { return known }
        let image = rasters[Int(raster)]
        var levels = Levels(first: Int32(rasters.count), count: 0)
        var bitmap = image.bitmap
        while max(bitmap.width, bitmap.height) > 2 {
            bitmap = bitmap.scaled(toWidth: max(1, bitmap.width / 2), height: max(1, bitmap.height / 2))
            _ = add(FrameImage(key: OverlayImage.nextTextureKey(), name: image.name, bitmap: bitmap))
            levels.count += 1
        }
        levelsOfRasters[raster] = levels
        return levels
    }

    /// A raster filtered down to the device pixels of an icon; itself when the icon is larger.
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

    /// Whether a length is so many pixels: divided by a scale and multiplied by an equal ratio, a number is not always itself.
    private static func isSame(_ length: Double, _ pixels: Int) -> Bool {
        abs(length - Double(pixels)) < 1e-6
    }

    /// Whole device pixels for a length in them, at least one.
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
                return .failed("\(name): the SVG is \(plain(width)) × \(plain(height)) pt, and at most \(most) × \(most) are allowed")
            }
            return .svg(svg, key: image.textureKey, width: width, height: height)
        }
    }

    private mutating func raster(of svg: SVGImage, _ key: UInt64, _ drawn: Drawn) throws(PropertyError) -> Int32 {
        let size = SVGRaster(key: key, width: drawn.width, height: drawn.height)
        if let known = svgRasters[size] { return known }
        do throws(ImagingError) {
            let bitmap = try svg.rendered(width: drawn.width, height: drawn.height)
            let raster = add(FrameImage(key: OverlayImage.nextTextureKey(), name: "svg", bitmap: bitmap))
            svgRasters[size] = raster
            svgSizes[key, default: 0] += 1
            return raster
        } catch {
            throw PropertyError(path: "iconImage", problem: "\(error)")
        }
    }

    private mutating func add(_ image: FrameImage) -> Int32 {
        rasters.append(image)
        byteCount += image.bitmap.pixels.count
        return Int32(rasters.count - 1)
    }
}

/// The pixels in which a vector image is drawn for an icon of a size in device pixels.
private struct Drawn {
    var width: Int
    var height: Int
    /// Whether they are those of the icon: very large ones are drawn smaller, and stretched.
    var isExact = true

    /// The longest side that is drawn: more would be gigabytes at the largest sizes and ratios.
    static let longestSide = 2048.0

    init(_ width: Double, _ height: Double) {
        let scale = min(1, Self.longestSide / max(width, height))
        self.width = ImageCatalog.devicePixels(width * scale)
        self.height = ImageCatalog.devicePixels(height * scale)
        isExact = scale == 1
    }

    /// To powers of two.
    mutating func roundUp() {
        func up(_ pixels: Int) -> Int {
            var power = 1
            while power < pixels { power *= 2 }
            return power
        }
        (width, height, isExact) = (up(width), up(height), false)
    }
}

/// The vector images at the sizes in which the process has drawn them, shared by all maps.
final class VectorRasters: Sendable {
    struct Key: Hashable {
        var image: VectorImage
        var width: Int
        var height: Int
        /// Of the letter; nil when none is drawn.
        var fonts: FontSource?
    }

    static let shared = VectorRasters()
    /// Pins of many explicit sizes would otherwise stay for the life of the process.
    private static let byteLimit = 32 << 20

    private struct State {
        var images: [Key: FrameImage] = [:]
        var bytes = 0
    }

    private let state = Mutex(State())

    /// - Parameter fonts: Those of the key.
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
