import Synchronization
import WaymarkFrame
import WaymarkImaging
import WaymarkScene
import WaymarkText

/// Makes the pixels of an icon at one size, when a frame first shows them.
enum IconPixels: PixelSource {
    /// Another image, resampled from its own pixels.
    case resampled(FrameImage, width: Int, height: Int)
    /// A built-in image or a pin, with the fonts of its letter; nil when no letter is drawn.
    case vector(VectorImage, FontLibrary?, width: Int, height: Int)
    case svg(SVGImage, width: Int, height: Int)

    func makePixels() -> Bitmap {
        switch self {
        case .resampled(let image, let width, let height):
            return image.bitmap.scaled(toWidth: width, height: height)
        case .vector(let image, let fonts, let width, let height):
            return fonts?.bitmap(of: image, width: width, height: height) ?? image.bitmap(width: width, height: height)
        case .svg(let svg, let width, let height):
            // When it was read, it was drawn at one size. A larger one may take too long; half of it takes a quarter of the time.
            if let bitmap = try? svg.rendered(width: width, height: height) { return bitmap }
            guard width > 1 || height > 1 else { return Bitmap(width: width, height: height) }
            let half = IconPixels.svg(svg, width: max(1, width / 2), height: max(1, height / 2)).makePixels()
            return half.scaled(toWidth: width, height: height)
        }
    }
}

/// Identifies the pixels of an icon. Equal ones have one texture key, so that the maps of a process share textures.
struct IconPixelsKey: Hashable {
    enum Origin: Hashable {
        /// `fonts`: the source of the letter's font; nil when no letter is drawn.
        case vector(VectorImage, fonts: FontSource?)
        /// An image with pixels, or an SVG drawn at this size, by its texture key.
        case image(UInt64)
        /// An SVG drawn larger, by its texture key.
        case reducedSVG(UInt64)
    }

    var origin: Origin
    var width: Int
    var height: Int

    private static let known = Mutex<[IconPixelsKey: UInt64]>([:])
    /// Beyond this number, keys are given anew, and what is drawn with them is made again.
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

/// The sizes at which an icon is kept whose scale or angle the view decides, from the largest down.
///
/// What has pixels is kept at its own size and at halves of it. A drawing is drawn in steps of 2^(1/4), each more than twice as fine as the
/// pixels that show it: sampled four times in each of these, it keeps 0.93 to 0.98 of the gradient energy of a drawing made for its exact
/// size, place and angle, where one drawn as fine as the pixels kept 0.7. The rasters of a drawing serve every place, angle and size.
struct IconLevels {
    /// Index in the catalog's rasters; the smaller ones follow it.
    var first: Int32
    var count: Int32
    /// The pixels of the largest one.
    var width: Int
    var height: Int

    /// The steps to half the size: of what has pixels, and of drawings.
    static let stepsOfDrawings = 4
    /// The most texels for one device pixel along an axis.
    static let mostTexels = 2.0
    static let mostTexelsOfDrawings = 2.48

    /// 2^(n/4) for n from 0 to 3.
    private static let quarters = [1, 1.189207115002721, 1.4142135623730951, 1.681792830507429]

    /// The least whole number n for which 2^n ≥ ratio, or with `isDrawing` 2^(n/4) ≥ ratio. By comparisons alone, so that every processor
    /// finds the same.
    @inline(__always)
    static func steps(_ ratio: Double, isDrawing: Bool) -> Int {
        let (exponent, significand) = (Int(ratio.exponent), ratio.significand)
        guard isDrawing else { return exponent + (significand > 1 ? 1 : 0) }
        let part =
            significand > 1.681792830507429
            ? 4 : significand > 1.4142135623730951 ? 3 : significand > 1.189207115002721 ? 2 : significand > 1 ? 1 : 0
        return exponent * stepsOfDrawings + part
    }

    /// 2^(n/4).
    static func power(_ steps: Int) -> Double {
        quarters[steps & 3] * Double(sign: .plus, exponent: steps >> 2, significand: 1)
    }
}
