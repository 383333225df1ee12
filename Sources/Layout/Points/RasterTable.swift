import WaymarkFrame
import WaymarkImaging
import WaymarkText

/// The images of a map at the sizes at which they are drawn, by index. The pixels of an icon are rendered when a frame first shows them.
struct RasterTable {
    private(set) var images: [FrameImage] = []
    /// The approximate size of this table in bytes, without the pixels. Images that no overlay shows stay in it.
    private(set) var byteCount = 0
    private var numbers: [IconPixelsKey: Int32] = [:]
    private var levels: [LevelsKey: IconLevels] = [:]
    /// The number of sizes at which each SVG was drawn for upright icons, keyed by texture key.
    private var svgSizes: [UInt64: Int] = [:]
    /// The number of sizes beyond which an SVG is drawn only at powers of two, from which other sizes are resampled. The limit exists
    /// because drawing an SVG takes milliseconds, and its pixels are kept.
    private static let svgSizeLimit = 32
    /// The longest side in pixels of a drawing whose scale depends on the view.
    private static let longestLevel = 2048

    /// Identifies an image kept at several sizes.
    fileprivate struct LevelsKey: Hashable {
        var origin: IconPixelsKey.Origin
        /// The vertical stretch of a drawing relative to its natural proportions, in steps of 2^(1/8).
        var stretch = 0
        /// Whether the images have reduced copies.
        var isFlat: Bool
    }

    /// An SVG, its texture key and its natural size in pt.
    struct SVG {
        var image: SVGImage
        var key: UInt64
        var width: Double
        var height: Double
    }
}

extension RasterTable {
    /// The index of an image, which is added if it is new.
    mutating func add(_ image: FrameImage) -> Int32 {
        let key = IconPixelsKey(origin: .image(image.key), width: image.width, height: image.height)
        if let known = numbers[key] { return known }
        let number = append(image, byteCount: (image.isMade ? 0 : image.byteCount) + 2 * MemoryLayout<FrameImage>.stride)
        numbers[key] = number
        return number
    }

    /// An image resampled to another size; the image itself if it has that size or no pixels.
    mutating func resampled(_ number: Int32, width: Int, height: Int) -> Int32 {
        let image = images[Int(number)]
        if image.isEmpty || image.width == width && image.height == height { return number }
        let key = IconPixelsKey(origin: .image(image.key), width: width, height: height)
        return self.number(key, image.name) { .resampled(image, width: width, height: height) }
    }

    /// A vector image drawn at a size, with `fonts` for its letter if it has one.
    mutating func drawn(_ image: VectorImage, _ fonts: FontLibrary?, width: Int, height: Int) -> Int32 {
        let key = IconPixelsKey(origin: .vector(image, fonts: fonts?.source), width: width, height: height)
        return number(key, image.name) { .vector(image, fonts, width: width, height: height) }
    }

    /// An SVG at a size for an upright icon or a texture.
    mutating func upright(_ svg: SVG, width: Int, height: Int) throws(ImagingError) -> Int32 {
        if svgSizes[svg.key, default: 0] >= Self.svgSizeLimit { return reduced(svg, width: width, height: height) }
        let count = images.count
        let number = try drawn(svg, width: width, height: height)
        if images.count > count { svgSizes[svg.key, default: 0] += 1 }
        return number
    }
}

extension RasterTable {
    /// The levels of an image with pixels: the image and its halves, or, if flat, only the image with reduced copies.
    mutating func levels(of number: Int32, isFlat: Bool) -> IconLevels {
        let image = images[Int(number)]
        let key = LevelsKey(origin: .image(image.key), isFlat: isFlat)
        if let known = levels[key] { return known }
        var sizes = [(image.width, image.height)]
        if isFlat { return append(sizes, key) { _, _, _ in image.flat(.image) } }
        while let (width, height) = sizes.last, max(width, height) > 2 { sizes.append((max(1, width / 2), max(1, height / 2))) }
        return append(sizes, key) { table, width, height in table.images[Int(table.resampled(number, width: width, height: height))] }
    }

    /// The levels of a vector image for icons with a ratio of height to width.
    mutating func levels(of image: VectorImage, _ fonts: FontLibrary?, aspect: Double, isFlat: Bool) -> IconLevels {
        let natural = image.naturalHeight / image.naturalWidth
        let key = LevelsKey(
            origin: .vector(image, fonts: fonts?.source), stretch: Self.stretch(aspect / natural), isFlat: isFlat)
        if let known = levels[key] { return known }
        return append(Self.drawnSizes(natural, key.stretch), key) { table, width, height in
            let drawn = table.images[Int(table.drawn(image, fonts, width: width, height: height))]
            return isFlat ? drawn.flat(.drawing) : drawn
        }
    }

    /// The levels of an SVG for icons of a size in device pixels, before the view scales them.
    /// - Throws: `ImagingError` if it cannot be drawn at that size.
    mutating func levels(of svg: SVG, width: Double, height: Double, isFlat: Bool) throws(ImagingError) -> IconLevels {
        let natural = svg.height / svg.width
        let key = LevelsKey(origin: .reducedSVG(svg.key), stretch: Self.stretch(height / width / natural), isFlat: isFlat)
        if let known = levels[key] { return known }
        // The SVG is drawn now, because an SVG that cannot be drawn must be reported.
        let texels = IconLevels.mostTexelsOfDrawings
        let most = Double(Self.longestLevel)
        let size = Self.master(of: svg, width: Int(min(width * texels, most)), height: Int(min(height * texels, most)))
        _ = try drawn(svg, width: size.width, height: size.height)
        return append(Self.drawnSizes(natural, key.stretch), key) { table, width, height in
            let drawn = table.images[Int(table.reduced(svg, width: width, height: height))]
            return isFlat ? drawn.flat(.drawing) : drawn
        }
    }
}

private extension RasterTable {
    mutating func append(_ image: FrameImage, byteCount: Int) -> Int32 {
        images.append(image)
        self.byteCount += byteCount
        return Int32(images.count - 1)
    }

    /// The index of an image whose pixels are rendered when they are first shown.
    mutating func number(_ key: IconPixelsKey, _ name: String, _ pixels: () -> IconPixels) -> Int32 {
        if let known = numbers[key] { return known }
        let image = FrameImage(key: key.textureKey, name: name, width: key.width, height: key.height, pixels: pixels())
        let number = append(image, byteCount: MemoryLayout<FrameImage>.stride + MemoryLayout<IconPixels>.stride + 64)
        numbers[key] = number
        return number
    }

    /// Appends levels, the largest first, and stores them under their key.
    mutating func append(
        _ sizes: [(width: Int, height: Int)], _ key: LevelsKey,
        _ image: (inout RasterTable, _ width: Int, _ height: Int) -> FrameImage
    ) -> IconLevels {
        // The images are made before they are appended in a row, because making them may append images, too.
        let made = sizes.map { image(&self, $0.width, $0.height) }
        let first = Int32(images.count)
        for image in made { _ = append(image, byteCount: MemoryLayout<FrameImage>.stride) }
        let appended = IconLevels(first: first, count: Int32(made.count), width: sizes[0].width, height: sizes[0].height)
        levels[key] = appended
        return appended
    }

    /// Draws an SVG now, to find errors.
    mutating func drawn(_ svg: SVG, width: Int, height: Int) throws(ImagingError) -> Int32 {
        let key = IconPixelsKey(origin: .image(svg.key), width: width, height: height)
        if let known = numbers[key] { return known }
        let drawn = try svg.image.rendered(width: width, height: height)
        PixelStore.shared.add(drawn, of: key.textureKey)
        return number(key, "svg") { .svg(svg.image, width: width, height: height) }
    }

    /// An SVG resampled from a power of two, so that few drawings, each in a separate process, serve all sizes.
    mutating func reduced(_ svg: SVG, width: Int, height: Int) -> Int32 {
        let size = Self.master(of: svg, width: width, height: height)
        let master = number(IconPixelsKey(origin: .image(svg.key), width: size.width, height: size.height), "svg") {
            .svg(svg.image, width: size.width, height: size.height)
        }
        if size == (width, height) { return master }
        let image = images[Int(master)]
        return number(IconPixelsKey(origin: .reducedSVG(svg.key), width: width, height: height), "svg") {
            .resampled(image, width: width, height: height)
        }
    }

    /// The size of the drawing of an SVG from which this size is resampled. The drawing has its own proportions. Its longer side is the
    /// lowest power of two that makes it at least twice as large, so that resampling does not blur, but at most `longestLevel`.
    static func master(of svg: SVG, width: Int, height: Int) -> (width: Int, height: Int) {
        var best = drawnSize(svg.height / svg.width, side: Double(longestLevel))
        var side = longestLevel / 2
        while side > 0 {
            let next = drawnSize(svg.height / svg.width, side: Double(side))
            if next.width < 2 * width || next.height < 2 * height { break }
            best = next
            side /= 2
        }
        return best
    }

    /// The sizes of a drawing, in steps of 2^(1/8) from `longestLevel` down to 2 pixels along the longer side.
    static func drawnSizes(_ naturalAspect: Double, _ stretch: Int) -> [(width: Int, height: Int)] {
        let steps = IconLevels.stepsOfDrawings * (longestLevel.trailingZeroBitCount - 1)
        let aspect = naturalAspect * IconLevels.power(stretch)
        return (0...steps).map { drawnSize(aspect, side: Double(longestLevel) * IconLevels.power(-$0)) }
    }

    static func drawnSize(_ aspect: Double, side: Double) -> (width: Int, height: Int) {
        let (width, height) = aspect > 1 ? (side / aspect, side) : (side, side * aspect)
        return (ImageCatalog.devicePixels(width), ImageCatalog.devicePixels(height))
    }

    /// A ratio in steps of 2^(1/8), rounded, within the range that images of `longestLevel` can show.
    static func stretch(_ ratio: Double) -> Int {
        let most = Double(longestLevel)
        return IconLevels.steps(min(max(ratio, 1 / most), most) / 1.0442737824274138, isDrawing: true)
    }
}

extension FrameImage {
    /// A part of the image with reduced copies, whose pixels are rendered when a frame shows it.
    func groundPart(_ rect: PixelRect) -> FrameImage {
        let key = IconPixelsKey(origin: .part(self.key, x: rect.x, y: rect.y), width: rect.width, height: rect.height).textureKey
        return FrameImage(key: key, name: name, width: rect.width, height: rect.height, pixels: IconPixels.part(self, rect)).flat(.image)
    }

    /// The image with reduced copies, for icons on the ground.
    fileprivate func flat(_ reduction: ImageReduction) -> FrameImage {
        reduced(reduction, key: IconPixelsKey(origin: .flat(key), width: width, height: height).textureKey)
    }
}
