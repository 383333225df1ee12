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
    /// What it has besides its own pixels for sprites on the ground that show it smaller. Default nothing.
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

    /// An image whose pixels are made when they are first needed, such as those of a caption: many of them are hidden by others.
    package init(key: UInt64, name: String, width: Int, height: Int, pixels: any PixelSource) {
        self.key = key
        self.name = name
        (self.width, self.height) = (width, height)
        source = .made(pixels)
    }

    /// The pixels. Those that have to be made are cached for the process, so this may take as long as drawing a caption.
    public var bitmap: Bitmap {
        switch source {
        case .pixels(let bitmap): bitmap
        case .made(let source): PixelStore.shared.bitmap(of: key, source)
        }
    }

    /// The image with reduced copies of itself, under a key of its own.
    package func reduced(_ reduction: ImageReduction, key: UInt64) -> FrameImage {
        var image = self
        (image.reduction, image.key) = (reduction, key)
        return image
    }

    /// The image without its pixels, where something else is drawn in its place.
    package var withoutPixels: FrameImage { FrameImage(key: key, name: name, bitmap: Bitmap(width: 0, height: 0)) }
    /// Whether its pixels have to be made.
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

/// The copies of an image of half its size, and half of that and so on, which show it smaller on the ground without skipping pixels.
public enum ImageReduction: UInt8, Equatable, Sendable {
    /// None: it is shown as it is.
    case none
    /// Of an image with pixels of its own.
    case image
    /// Of a drawing, which has more pixels than show it, and is as sharp as these can be.
    case drawing
}
