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
        a.name == b.name && a.width == b.width && a.height == b.height && a.bitmap == b.bitmap
    }
}
