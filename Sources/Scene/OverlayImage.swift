import Synchronization
import WaymarkGeo
import WaymarkImaging

/// An image for overlays. It is immutable and can be shared by any number of overlays.
public final class OverlayImage: Sendable {
    package enum Source: Sendable {
        case vector(VectorImage)
        case bitmap(Bitmap)
        case file(String)
        case bytes([UInt8])
        /// A name that is looked up in the image folders of a map, then in the program's bundle.
        case named(String)
        case empty
    }

    package let source: Source
    /// Image pixels per pt: an image of 40 × 40 pixels at scale 2 is 20 × 20 pt.
    public let scale: Double
    /// Images with the same identifier are equal: only one is decoded and cached. nil for an image that is equal only to itself.
    public let reuseIdentifier: String?

    /// The key that identifies its pixels to the renderers of this process.
    package let textureKey: UInt64
    private let decoding = Mutex<Result<DecodedImage, ImagingError>?>(nil)

    package init(source: Source, scale: Double, reuseIdentifier: String?) {
        self.source = source
        self.scale = scale
        self.reuseIdentifier = reuseIdentifier
        textureKey = Self.nextTextureKey()
    }

    /// An image file, read when it is first drawn. If it cannot be read, the frame has a diagnostic.
    /// - Parameter scale: Pixels per pt; nil takes it from the file name (`pin@2x.png` is 2), or 1.
    public convenience init(path: String, scale: Double? = nil) {
        let scale = scale ?? Self.scale(inName: path)
        self.init(source: .file(path), scale: scale, reuseIdentifier: "file:\(path)@\(scale)")
    }

    /// An image file that a scene refers to by name. Printed frames show the name, so that they do not depend on the folder.
    package convenience init(path: String, scale: Double?, name: String) {
        let scale = scale ?? Self.scale(inName: path)
        self.init(source: .file(path), scale: scale, reuseIdentifier: "\(name)\(scale == 1 ? "" : "@\(plain(scale))x")")
    }

    /// The bytes of an image file, decoded when it is first drawn.
    public convenience init(bytes: [UInt8], scale: Double = 1, reuseIdentifier: String? = nil) {
        self.init(source: .bytes(bytes), scale: scale, reuseIdentifier: reuseIdentifier)
    }

    /// An image by name, with or without file extension, looked up in the map's `imageFolders`, then among the program's resources.
    /// Of `pin.png`, `pin@2x.png` and `pin@3x.png`, the one made for the map's pixel ratio is used, or the nearest.
    public convenience init(name: String) {
        self.init(source: .named(name), scale: 1, reuseIdentifier: "name:\(name)")
    }

    /// An image with the given pixels.
    public convenience init(bitmap: Bitmap, scale: Double = 1, reuseIdentifier: String? = nil) {
        self.init(source: .bitmap(bitmap), scale: scale, reuseIdentifier: reuseIdentifier)
    }

    /// An image that is rasterized at every size at which it is shown.
    package convenience init(vector image: VectorImage) {
        self.init(source: .vector(image), scale: 1, reuseIdentifier: image.name)
    }

    /// An image of size 0, for overlays that show something else.
    public static let empty = OverlayImage(source: .empty, scale: 1, reuseIdentifier: "empty")

    /// The scale in a file name: the whole number between `@` and `x` at the end of its stem, or 1.
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
    private static let lastTextureKey = Atomic<UInt64>(0)

    package static func nextTextureKey() -> UInt64 {
        lastTextureKey.add(1, ordering: .relaxed).newValue
    }

    /// The content of the file, bytes or bitmap, read and decoded at the first call; an empty bitmap for an image without pixels
    /// of its own.
    package func decoded() throws(ImagingError) -> DecodedImage {
        let result = decoding.withLock { known in
            let result = known ?? decode()
            known = result
            return result
        }
        return try result.get()
    }

    private func decode() -> Result<DecodedImage, ImagingError> {
        Result { () throws(ImagingError) in
            switch source {
            case .bitmap(let bitmap):
                return .raster(bitmap, warnings: [])
            case .file(let path):
                do throws(ImagingError) {
                    return try DecodedImage(ImageFile.read(path))
                } catch {
                    throw error.at(path)
                }
            case .bytes(let bytes):
                return try DecodedImage(bytes)
            case .vector, .named, .empty:
                return .raster(Bitmap(width: 0, height: 0), warnings: [])
            }
        }
    }
}

/// The content of an image file.
package enum DecodedImage: Sendable {
    /// Pixels, and warnings about problems that did not prevent decoding.
    case raster(Bitmap, warnings: [String])
    /// Rasterized at the size at which it is shown.
    case svg(SVGImage)

    init(_ bytes: [UInt8]) throws(ImagingError) {
        if ImageSignature(of: bytes) == .svg {
            self = .svg(try SVGImage(bytes))
        } else {
            let (bitmap, warnings) = try Bitmap.decode(bytes)
            self = .raster(bitmap, warnings: warnings)
        }
    }
}

extension OverlayImage: Equatable, Hashable {
    /// Images are equal when they are identical or have the same reuse identifier.
    public static func == (a: OverlayImage, b: OverlayImage) -> Bool {
        a === b || a.reuseIdentifier != nil && a.reuseIdentifier == b.reuseIdentifier
    }

    public func hash(into hasher: inout Hasher) {
        if let reuseIdentifier {
            hasher.combine(reuseIdentifier)
        } else {
            hasher.combine(ObjectIdentifier(self))
        }
    }
}

/// The images that come with Waymark: pins, and discs for clusters. They are rasterized at every size at which they are shown, so
/// they are sharp at any pixel ratio.
public enum MarkerImage {
    /// A blue pin of 26 × 36 pt.
    public static let blue = builtIn(.blue)
    /// A gray pin of 26 × 36 pt.
    public static let gray = builtIn(.gray)
    /// A green pin of 26 × 36 pt.
    public static let green = builtIn(.green)
    /// A light blue pin of 26 × 36 pt.
    public static let lightblue = builtIn(.lightblue)
    /// A pink pin of 26 × 36 pt.
    public static let pink = builtIn(.pink)
    /// A red pin of 26 × 36 pt.
    public static let red = builtIn(.red)
    /// A yellow pin of 26 × 36 pt.
    public static let yellow = builtIn(.yellow)
    /// A black pin of 26 × 36 pt, meant for tinting.
    public static let black = builtIn(.black)
    /// A disc of 40 pt for a small cluster.
    public static let clusterLow = builtIn(.clusterLow)
    /// A disc of 48 pt for a medium cluster.
    public static let clusterMedium = builtIn(.clusterMedium)
    /// A disc of 56 pt for a large cluster.
    public static let clusterHigh = builtIn(.clusterHigh)
    /// The green pin.
    public static let `default` = green

    /// A pin like the built-in ones in any color, with a digit, a letter or a dot in its head. Its highlight and its rim are derived
    /// from the color; on light colors such as yellow or white, the symbol or dot is dark instead of white. Returns nil, which as an
    /// icon means the default pin, for an invalid symbol or width.
    /// - Parameters:
    ///   - color: The color of the body, rounded to 256 steps per channel; its alpha is ignored.
    ///   - symbol: 0…9, a…z or A…Z; letters are drawn as capitals. Default none: the dot.
    ///   - width: Width in pt, 1…1000. Default 27. The height is 36/26 of it, rounded to whole pt.
    public static func pin(color: Color, symbol: Character? = nil, width: Double = PinImage.defaultWidth) -> OverlayImage? {
        PinImage(color: color, symbol: symbol, width: width).map { OverlayImage(vector: .pin($0)) }
    }

    /// The built-in image with the given name, such as `red`, or nil.
    public static func named(_ name: String) -> OverlayImage? {
        all[name]
    }

    /// The names of all built-in images.
    public static let names = BuiltInImage.allCases.map(\.rawValue)

    private static let all = [
        "blue": blue, "gray": gray, "green": green, "lightblue": lightblue, "pink": pink, "red": red, "yellow": yellow, "black": black,
        "clusterLow": clusterLow, "clusterMedium": clusterMedium, "clusterHigh": clusterHigh,
    ]

    private static func builtIn(_ image: BuiltInImage) -> OverlayImage {
        OverlayImage(vector: .builtIn(image))
    }
}
