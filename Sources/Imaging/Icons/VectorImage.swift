/// An image without stored pixels. It is rasterized for the exact pixel size at which it is shown, and is therefore sharp at any size.
///
/// Equal images of the same size have equal pixels, so rasterized images can be cached by image and size.
public enum VectorImage: Hashable, Sendable {
    case builtIn(BuiltInImage)
    case pin(PinImage)
    case disc(DiscImage)
    case pointOfInterest(PointOfInterestImage)
}

public extension VectorImage {
    /// The natural width in points.
    var naturalWidth: Double {
        switch self {
        case .builtIn(let image): image.naturalWidth
        case .pin(let image): image.naturalWidth
        case .disc(let image): image.diameter
        case .pointOfInterest(let image): image.disc.diameter
        }
    }

    /// The natural height in points.
    var naturalHeight: Double {
        switch self {
        case .builtIn(let image): image.naturalHeight
        case .pin(let image): image.naturalHeight
        case .disc(let image): image.diameter
        case .pointOfInterest(let image): image.disc.diameter
        }
    }

    /// The image's name in printed frames. Different images have different names.
    var name: String {
        switch self {
        case .builtIn(let image): "builtin:\(image.rawValue)"
        case .pin(let image): image.name
        case .disc(let image): image.name
        case .pointOfInterest(let image): image.name
        }
    }

    /// The image, without the symbol of a pin or the icon of a point of interest, in `width` by `height` device pixels, stretched if the
    /// aspect ratio differs from the natural one. Sides must not be negative.
    ///
    /// The bitmap is not cached. Its pixels are the same on every machine.
    func bitmap(width: Int, height: Int) -> Bitmap {
        switch self {
        case .builtIn(let image): image.bitmap(width: width, height: height)
        case .pin(let image): image.bitmap(width: width, height: height)
        case .disc(let image): image.bitmap(width: width, height: height)
        case .pointOfInterest(let image): image.disc.bitmap(width: width, height: height)
        }
    }
}
