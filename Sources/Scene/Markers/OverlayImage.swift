import Foundation
import Synchronization
import WaymarkGeo
import WaymarkImaging

/// An image for overlays. It is immutable, and any number of overlays can share it.
public final class OverlayImage: Sendable {
    package enum Source: Sendable {
        case vector(VectorImage)
        case bitmap(Bitmap)
        /// A file, and its name in messages.
        case file(String, name: String)
        case bytes([UInt8])
        /// A name that is looked up in the map's image folders, then among the program's resources.
        case named(String)
        /// A name that is looked up in only one folder.
        case inFolder(String, name: String)
        /// A view, drawn for the map's pixel ratio.
        case content(OverlayContent)
        case empty
    }

    package let source: Source
    /// The number of image pixels per pt: an image of 40 × 40 pixels with a scale of 2 measures 20 × 20 pt.
    public let scale: Double
    /// An identifier of the content. Images with the same identifier are equal: only one of them is decoded and cached. Images
    /// without an identifier are equal only if they are the same object, or if both show equal `OverlayContent`.
    public let reuseIdentifier: String?

    /// The key that identifies the image's pixels to the renderers of this process.
    package let textureKey: UInt64
    private let decoding = Mutex<Result<DecodedImage, ImagingError>?>(nil)
    // The pixels of files and bytes are in the process's `PixelStore`, and are decoded again if they have been evicted.

    package init(source: Source, scale: Double, reuseIdentifier: String?) {
        self.source = source
        self.scale = scale
        self.reuseIdentifier = reuseIdentifier
        textureKey = Self.nextTextureKey()
    }

    /// Creates an image from a file, which is read when the image is first drawn. If the file cannot be read, a diagnostic of the frame
    /// reports it.
    /// - Parameter scale: The number of image pixels per pt. Default nil: the scale in the file name (2 for `pin@2x.png`), or 1 if the
    ///   name has none.
    public convenience init(path: String, scale: Double? = nil) {
        let scale = scale ?? Self.scale(inName: path)
        self.init(source: .file(path, name: path), scale: scale, reuseIdentifier: "file:\(path)@\(scale)")
    }

    /// Creates an image from a file that a scene refers to by name. Printed frames show the name, so that they do not depend on the
    /// folder.
    /// - Parameter shownPath: The path of the file in messages.
    package convenience init(path: String, scale: Double?, name: String, shownPath: String) {
        let scale = scale ?? Self.scale(inName: path)
        self.init(source: .file(path, name: shownPath), scale: scale, reuseIdentifier: "\(name)\(scale == 1 ? "" : "@\(plain(scale))x")")
    }

    /// Creates an image from the bytes of an image file, which are decoded when the image is first drawn.
    public convenience init(bytes: [UInt8], scale: Double = 1, reuseIdentifier: String? = nil) {
        self.init(source: .bytes(bytes), scale: scale, reuseIdentifier: reuseIdentifier)
    }

    /// Creates an image from the data of an image file (PNG, JPEG, WebP, SVG or BMP), which is decoded when the image is first drawn. If
    /// the data is not an image, a diagnostic of the frame reports it.
    /// - Parameters:
    ///   - scale: The number of image pixels per pt. Default 1.
    ///   - reuseIdentifier: An identifier of the content. Images with the same identifier are equal: only one of them is decoded and
    ///     cached.
    public convenience init(data: Data, scale: Double = 1, reuseIdentifier: String? = nil) {
        self.init(bytes: [UInt8](data), scale: scale, reuseIdentifier: reuseIdentifier)
    }

    /// Creates an image from a name, with or without a file extension. The name is looked up in the map's `imageFolders`, and then among
    /// the program's resources. These are the main bundle and, in alphabetical order, the resource bundles of packages (`*.resources`) in
    /// the program's folder.
    ///
    /// If there are several files, such as `pin.png`, `pin@2x.png` and `pin@3x.png`, Waymark uses the file whose scale is the map's pixel
    /// ratio, rounded up. If that file is missing, Waymark uses the next larger scale or, if there is none, the next smaller scale.
    public convenience init(name: String) {
        self.init(source: .named(name), scale: 1, reuseIdentifier: "name:\(name)")
    }

    /// Creates an image from a name, like `init(name:)`, but looks it up only among the resources of a bundle such as `Bundle.module`.
    public convenience init(name: String, in bundle: Bundle) {
        let folder = bundle.resourcePath ?? bundle.bundlePath
        self.init(source: .inFolder(folder, name: name), scale: 1, reuseIdentifier: "name:\(name) in \(folder)")
    }

    /// Creates an image with the given pixels.
    public convenience init(bitmap: Bitmap, scale: Double = 1, reuseIdentifier: String? = nil) {
        self.init(source: .bitmap(bitmap), scale: scale, reuseIdentifier: reuseIdentifier)
    }

    /// Creates an image from content, which is drawn for the map's pixel ratio. Images with equal content are equal, so the content is
    /// drawn only once.
    public convenience init(content: OverlayContent) {
        self.init(source: .content(content), scale: 1, reuseIdentifier: nil)
    }

    /// Creates an image that is rasterized for each size at which it is shown.
    package convenience init(vector image: VectorImage) {
        self.init(source: .vector(image), scale: 1, reuseIdentifier: image.name)
    }

    /// An image of size 0, for overlays that show no image.
    public static let empty = OverlayImage(source: .empty, scale: 1, reuseIdentifier: "empty")

    /// The scale in a file name: the whole number between `@` and `x` at the end of the name's stem, or 1 if there is none.
    package static func scale(inName path: String) -> Double {
        let name = path.split(separator: "/").last ?? ""
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name
        guard stem.hasSuffix("x"), let at = stem.lastIndex(of: "@"),
            let scale = Int(stem[stem.index(after: at)...].dropLast()), (1...8).contains(scale)
        else { return 1 }
        return Double(scale)
    }
}

extension OverlayImage {
    /// Whether the file to use depends on the map's folders and pixel ratio.
    package var isFoundByName: Bool {
        switch source {
        case .named, .inFolder: true
        case .vector, .bitmap, .file, .bytes, .content, .empty: false
        }
    }

    private static let lastTextureKey = Atomic<UInt64>(0)

    package static func nextTextureKey() -> UInt64 {
        lastTextureKey.add(1, ordering: .relaxed).newValue
    }

    /// The content of the file, bytes or bitmap, which is read and decoded on the first call. For an image without stored pixels, this is
    /// an empty raster.
    package func decoded() throws(ImagingError) -> DecodedImage {
        let result = decoding.withLock { known in
            let result = known ?? Result { () throws(ImagingError) in try decode().image }
            known = result
            return result
        }
        return try result.get()
    }

    /// The stored pixels of the image; empty for an image without stored pixels.
    package var bitmap: Bitmap {
        switch source {
        case .bitmap(let bitmap): bitmap
        case .file, .bytes: PixelStore.shared.bitmap(of: textureKey, self)
        case .vector, .named, .inFolder, .content, .empty: Bitmap(width: 0, height: 0)
        }
    }

    /// Decodes the image, and caches its pixels.
    private func decode() throws(ImagingError) -> (image: DecodedImage, bitmap: Bitmap?) {
        switch source {
        case .bitmap(let bitmap): return (.raster(width: bitmap.width, height: bitmap.height, warnings: []), bitmap)
        case .vector, .named, .inFolder, .content, .empty: return (.raster(width: 0, height: 0, warnings: []), nil)
        case .bytes(let bytes): return try decode(bytes)
        case .file(let path, let name):
            do throws(ImagingError) { return try decode(ImageFile.read(path)) } catch { throw error.at(name) }
        }
    }

    private func decode(_ bytes: [UInt8]) throws(ImagingError) -> (image: DecodedImage, bitmap: Bitmap?) {
        if ImageSignature(of: bytes) == .svg { return (.svg(try SVGImage(bytes)), nil) }
        let (bitmap, warnings) = try Bitmap.decode(bytes)
        PixelStore.shared.add(bitmap, of: textureKey)
        return (.raster(width: bitmap.width, height: bitmap.height, warnings: warnings), bitmap)
    }
}

extension OverlayImage: PixelSource {
    /// Decodes the image again. If the file has changed since the image was first decoded, it is drawn at its previous size. If the file is
    /// missing, nothing is drawn.
    package func makePixels() -> Bitmap {
        guard case .raster(let width, let height, _)? = try? decoded() else { return Bitmap(width: 0, height: 0) }
        guard let bitmap = try? decode().bitmap else { return Bitmap(width: width, height: height) }
        return bitmap.width == width && bitmap.height == height ? bitmap : bitmap.scaled(toWidth: width, height: height)
    }
}

/// The decoded content of an image file.
package enum DecodedImage: Sendable {
    /// An image made of pixels: the size in pixels, and warnings about problems that did not prevent decoding.
    case raster(width: Int, height: Int, warnings: [String])
    /// An SVG, rasterized for each size at which it is shown.
    case svg(SVGImage)
}

extension OverlayImage: Equatable, Hashable {
    /// Whether two images are identical, have the same reuse identifier, or show equal content.
    public static func == (a: OverlayImage, b: OverlayImage) -> Bool {
        if a === b { return true }
        if case .content(let content) = a.source, case .content(let other) = b.source { return content == other }
        return a.reuseIdentifier != nil && a.reuseIdentifier == b.reuseIdentifier
    }

    public func hash(into hasher: inout Hasher) {
        if let reuseIdentifier {
            hasher.combine(reuseIdentifier)
        } else if case .content(let content) = source {
            hasher.combine(content)
        } else {
            hasher.combine(ObjectIdentifier(self))
        }
    }
}
