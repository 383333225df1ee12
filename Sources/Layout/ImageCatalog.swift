import Synchronization
import WaymarkFrame
import WaymarkImaging
import WaymarkScene

/// The images of a map: decoded once, known by a number, and as rasters of the size in which they are drawn.
struct ImageCatalog {
    /// What an image is once it is decoded.
    enum Content {
        /// Drawn anew for each size; the natural size in pt.
        case vector(VectorImage, width: Double, height: Double)
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

    private(set) var rasters: [FrameImage] = []
    private var contents: [OverlayImage: Content] = [:]
    private var vectorRasters: [VectorRasters.Key: Int32] = [:]
    private var last: (image: OverlayImage, content: Content)?

    /// What an image is; decoded at the first call.
    mutating func content(of image: OverlayImage) -> Content {
        if let last, last.image === image { return last.content }
        let content = contents[image] ?? load(image)
        contents[image] = content
        last = (image, content)
        return content
    }

    /// The raster for an icon of a size in pt; 0 for an axis means the image's own size. nil for an image of no size or
    /// one that cannot be had.
    mutating func icon(of content: Content, width: Double, height: Double, pixelRatio: Double) -> Icon? {
        switch content {
        case .empty, .failed:
            return nil
        case .raster(let raster, let naturalWidth, let naturalHeight):
            let width = width == 0 ? naturalWidth : width
            let height = height == 0 ? naturalHeight : height
            let bitmap = rasters[Int(raster)].bitmap
            let isExact = Self.isSame(width * pixelRatio, bitmap.width) && Self.isSame(height * pixelRatio, bitmap.height)
            return Icon(width: width, height: height, raster: raster, isExact: isExact, exactWidth: width, exactHeight: height)
        case .vector(let image, let naturalWidth, let naturalHeight):
            let width = width == 0 ? naturalWidth : width
            let height = height == 0 ? naturalHeight : height
            let key = VectorRasters.Key(
                image: image, width: Self.devicePixels(width * pixelRatio), height: Self.devicePixels(height * pixelRatio))
            let raster = vectorRasters[key] ?? add(VectorRasters.shared.raster(key))
            vectorRasters[key] = raster
            return Icon(
                width: width, height: height, raster: raster, isExact: true, exactWidth: Double(key.width) / pixelRatio,
                exactHeight: Double(key.height) / pixelRatio)
        }
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
        case .bitmap, .file, .bytes:
            do {
                let bitmap = try image.decoded()
                let raster = add(FrameImage(key: image.textureKey, name: image.reuseIdentifier ?? "bitmap", bitmap: bitmap))
                return .raster(raster, width: Double(bitmap.width) / image.scale, height: Double(bitmap.height) / image.scale)
            } catch {
                return .failed("\(error)")
            }
        }
    }

    private mutating func add(_ image: FrameImage) -> Int32 {
        rasters.append(image)
        return Int32(rasters.count - 1)
    }
}

/// The vector images at the sizes in which the process has drawn them, shared by all maps.
final class VectorRasters: Sendable {
    struct Key: Hashable {
        var image: VectorImage
        var width: Int
        var height: Int
    }

    static let shared = VectorRasters()
    /// Pins of many explicit sizes would otherwise stay for the life of the process.
    private static let byteLimit = 32 << 20

    private struct State {
        var images: [Key: FrameImage] = [:]
        var bytes = 0
    }

    private let state = Mutex(State())

    func raster(_ key: Key) -> FrameImage {
        state.withLock { state in
            if let known = state.images[key] { return known }
            let bitmap = key.image.bitmap(width: key.width, height: key.height)
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
