import WaymarkImaging

/// An image shown by sprites or meshes.
public struct FrameImage: Sendable {
    /// The cache key. Within a process, equal keys mean equal pixels.
    public var key: UInt64
    /// The image's name in printed frames.
    public var name: String
    /// The width in pixels.
    public let width: Int
    public let height: Int
    /// The kind of half-size copies (mipmaps) used where the image lies on the ground and appears smaller than its own size. Default: none.
    public private(set) var reduction = ImageReduction.none
    private let source: Source

    private enum Source: Sendable {
        case pixels(Bitmap)
        case made(any PixelSource)
        indirect case frame(Frame)
    }

    public init(key: UInt64, name: String, bitmap: Bitmap) {
        self.key = key
        self.name = name
        (width, height) = (bitmap.width, bitmap.height)
        source = .pixels(bitmap)
    }

    /// Creates an image whose pixels are made when they are first needed. A caption is an example: many captions are hidden, and never
    /// need their pixels.
    package init(key: UInt64, name: String, width: Int, height: Int, pixels: any PixelSource) {
        self.key = key
        self.name = name
        (self.width, self.height) = (width, height)
        source = .made(pixels)
    }

    /// Creates an image that shows a frame. The renderer draws that frame first; until then, the image has no pixels.
    package init(key: UInt64, name: String, frame: Frame) {
        (self.key, self.name) = (key, name)
        (width, height) = (frame.width, frame.height)
        source = .frame(frame)
    }

    /// The frame that the image shows; nil for other images.
    package var nestedFrame: Frame? {
        if case .frame(let nested) = source { nested } else { nil }
    }

    /// The image's pixels. They are created when they are first needed, and then cached for the process. Creating them may take time, for
    /// example if a caption must be drawn.
    public var bitmap: Bitmap {
        switch source {
        case .pixels(let bitmap): bitmap
        case .made(let source): PixelStore.shared.bitmap(of: key, source)
        case .frame: Bitmap(width: width, height: height)
        }
    }

    /// The image with reduced copies of itself, under a different key.
    package func reduced(_ reduction: ImageReduction, key: UInt64) -> FrameImage {
        var image = self
        (image.reduction, image.key) = (reduction, key)
        return image
    }

    /// The image without its pixels, for use when something else is drawn instead.
    package var withoutPixels: FrameImage { FrameImage(key: key, name: name, bitmap: Bitmap(width: 0, height: 0)) }
    /// Whether the pixels must be made before they can be used.
    package var isMade: Bool {
        if case .made = source { true } else { false }
    }
    /// The size of the pixels in bytes.
    package var byteCount: Int { width * height * 4 }
    package var isEmpty: Bool { width == 0 || height == 0 }
}

extension FrameImage: Equatable {
    /// Compares everything except the keys, which depend on what else this process has drawn.
    public static func == (a: FrameImage, b: FrameImage) -> Bool {
        a.name == b.name && a.width == b.width && a.height == b.height && a.reduction == b.reduction && a.nestedFrame == b.nestedFrame
            && a.bitmap == b.bitmap
    }
}

/// The copies of an image, each half the size of the previous one. They are used where the image appears smaller on the ground, so that no
/// pixels are skipped.
public enum ImageReduction: UInt8, Equatable, Sendable {
    /// No copies. The image is shown at its own size.
    case none
    /// Copies of an image with given pixels.
    case image
    /// Copies of a vector drawing. The drawing is rasterized with more pixels than needed, and shown as sharply as these pixels allow.
    case drawing
}
