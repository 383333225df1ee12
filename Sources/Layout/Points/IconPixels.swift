import Synchronization
import WaymarkFrame
import WaymarkImaging
import WaymarkScene
import WaymarkText

/// The source of an icon's pixels at one size, rendered when a frame first shows them.
enum IconPixels: PixelSource {
    /// Another image, resampled from its own pixels.
    case resampled(FrameImage, width: Int, height: Int)
    /// An image without stored pixels, with the fonts of its letter; nil when no letter is drawn.
    case vector(VectorImage, FontLibrary?, width: Int, height: Int)
    case svg(SVGImage, width: Int, height: Int)
    /// A part of another image.
    case part(FrameImage, PixelRect)
    /// A bitmap, such as an emoji, that is scaled to a size.
    case picture(Bitmap, width: Int, height: Int)

    func makePixels() -> Bitmap {
        switch self {
        case .resampled(let image, let width, let height):
            return image.bitmap.scaled(toWidth: width, height: height)
        case .part(let image, let rect):
            return image.bitmap.part(rect)
        case .picture(let bitmap, let width, let height):
            return bitmap.scaled(toWidth: width, height: height)
        case .vector(let image, let fonts, let width, let height):
            let bitmap = fonts?.bitmap(of: image, width: width, height: height) ?? image.bitmap(width: width, height: height)
            guard case .pointOfInterest(let point) = image else { return bitmap }
            return point.withIcon(over: bitmap)
        case .svg(let svg, let width, let height):
            // The SVG could be drawn at one size when it was read. A larger size may take too long, and half of it takes a quarter of the
            // time.
            if let bitmap = try? svg.rendered(width: width, height: height) { return bitmap }
            guard width > 1 || height > 1 else { return Bitmap(width: width, height: height) }
            let half = IconPixels.svg(svg, width: max(1, width / 2), height: max(1, height / 2)).makePixels()
            return half.scaled(toWidth: width, height: height)
        }
    }
}

/// Identifies the pixels of an icon. Equal keys have one texture key, so the maps of a process share textures.
struct IconPixelsKey: Hashable {
    enum Origin: Hashable {
        /// `fonts`: the source of the letter's font; nil when no letter is drawn.
        case vector(VectorImage, fonts: FontSource?)
        /// An image with pixels, or an SVG drawn at this size, by its texture key.
        case image(UInt64)
        /// An SVG drawn larger, by its texture key.
        case reducedSVG(UInt64)
        /// An image with reduced copies, by the texture key of the image without them.
        case flat(UInt64)
        /// A part of an image, by the texture key of the image and the part's upper left.
        case part(UInt64, x: Int, y: Int)
        /// A glyph that is a picture.
        case glyph(GlyphName)
    }

    var origin: Origin
    var width: Int
    var height: Int

    private static let known = Mutex<[IconPixelsKey: UInt64]>([:])
    /// The maximum number of known keys. Beyond it, keys are assigned again, and the textures with the old keys are made again.
    private static let mostKnown = 1 << 16

    var textureKey: UInt64 {
        Self.known.withLock { known in
            if let key = known[self] { return key }
            if known.count >= Self.mostKnown { known = [:] }
            let key = OverlayImage.nextTextureKey()
            known[self] = key
            return key
        }
    }
}

/// The pose of an icon, which determines its rasters.
enum IconPose: Hashable {
    /// Unrotated, not flat, and not scaled by perspective. The icon lies on whole device pixels.
    case upright
    /// Parallel to the screen, but rotated or scaled by perspective.
    case scaled
    /// On the ground.
    case flat
}

/// The sizes, in descending order, at which an icon is kept if the view decides its scale or angle.
///
/// An image with pixels is kept at its own size and at halves of it. A drawing is rasterized in steps of 2^(1/8), each more than twice as
/// fine as the pixels that show it. Sampled four times per pixel, each step keeps at least 0.91 of the gradient energy of a drawing made
/// for its exact size, place and angle; a raster only as fine as the pixels keeps 0.7. The rasters of a drawing serve every place, angle
/// and size.
///
/// A flat icon may need several sizes in one picture, and other sizes across the view than along it. Its rasters therefore have reduced
/// copies, among which the shader chooses for each pixel. An image with pixels is then kept only at its own size.
struct IconLevels {
    /// The index of the first raster in the catalog; the smaller ones follow it.
    var first: Int32
    var count: Int32
    /// The size of the largest raster in pixels.
    var width: Int
    var height: Int

    /// The number of steps to half the size of a drawing.
    static let stepsOfDrawings = 8
    /// The maximum number of texels per device pixel along an axis, for images with pixels and for drawings.
    static let mostTexels = 2.0
    static let mostTexelsOfDrawings = 2.48
    /// The same maximum across the view, for drawings on the ground.
    static let mostTexelsOfFlatDrawings = 1.86

    /// 2^(n/8) for n from 0 to 7.
    private static let roots = [
        1, 1.0905077326652577, 1.189207115002721, 1.2968395546510096, 1.4142135623730951, 1.5422108254079407, 1.681792830507429,
        1.8340080864093424,
    ]

    /// The least integer n for which 2^n ≥ ratio, or 2^(n/8) ≥ ratio if `isDrawing`. Uses only comparisons, so that every processor gets
    /// the same result.
    @inline(__always)
    static func steps(_ ratio: Double, isDrawing: Bool) -> Int {
        let (exponent, significand) = (Int(ratio.exponent), ratio.significand)
        guard isDrawing else { return exponent + (significand > 1 ? 1 : 0) }
        var step = significand > 1.4142135623730951 ? 4 : 0
        step += significand > roots[step + 2] ? 2 : 0
        step += significand > roots[step + 1] ? 1 : 0
        step += significand > roots[step] ? 1 : 0
        return exponent * stepsOfDrawings + step
    }

    /// 2^(n/8).
    static func power(_ steps: Int) -> Double {
        roots[steps & 7] * Double(sign: .plus, exponent: steps >> 3, significand: 1)
    }
}
