import WaymarkImaging

/// An image that sprites and meshes show.
public struct FrameImage: Sendable {
    /// The key of caches: within a process, equal keys mean equal pixels.
    public var key: UInt64
    /// The name in printed frames.
    public var name: String
    /// In pixels.
    public let width: Int
    public let height: Int
    /// The reduced copies that it needs for sprites on the ground that show it smaller. Default none.
    public private(set) var reduction = ImageReduction.none
    private let source: Source

    private enum Source: Sendable {
        case pixels(Bitmap)
        case made(any PixelSource)
    }

    public init(key: UInt64, name: String, bitmap: Bitmap) {
        self.key = key
        self.name = name
        (width, height) = (bitmap.width, bitmap.height)
        source = .pixels(bitmap)
    }

    /// An image whose pixels are made when first needed, such as a caption's: many captions are hidden by others.
    package init(key: UInt64, name: String, width: Int, height: Int, pixels: any PixelSource) {
        self.key = key
        self.name = name
        (self.width, self.height) = (width, height)
        source = .made(pixels)
    }

    /// The pixels. If they must be made, they are cached for the process, and this may take as long as drawing a caption.
    public var bitmap: Bitmap {
        switch source {
        case .pixels(let bitmap): bitmap
        case .made(let source): PixelStore.shared.bitmap(of: key, source)
        }
    }

    /// The image with reduced copies of itself, under a separate key.
    package func reduced(_ reduction: ImageReduction, key: UInt64) -> FrameImage {
        var image = self
        (image.reduction, image.key) = (reduction, key)
        return image
    }

    /// The image without its pixels, for when something else is drawn instead.
    package var withoutPixels: FrameImage { FrameImage(key: key, name: name, bitmap: Bitmap(width: 0, height: 0)) }
    /// Whether its pixels must be made.
    package var isMade: Bool {
        switch source {
        case .pixels: false
        case .made: true
        }
    }
    /// The bytes of its pixels.
    package var byteCount: Int { width * height * 4 }
    package var isEmpty: Bool { width == 0 || height == 0 }
}

extension FrameImage: Equatable {
    /// Ignores keys, which depend on what else the process has drawn.
    public static func == (a: FrameImage, b: FrameImage) -> Bool {
        a.name == b.name && a.width == b.width && a.height == b.height && a.reduction == b.reduction && a.bitmap == b.bitmap
    }
}

/// Copies of an image, each half the size of the previous one, which show it smaller on the ground without skipping pixels.
public enum ImageReduction: UInt8, Equatable, Sendable {
    /// No copies: the image is shown at its own size.
    case none
    /// For an image with given pixels.
    case image
    /// For a vector drawing, which has more pixels than needed to show it, and is as sharp as they allow.
    case drawing
}
