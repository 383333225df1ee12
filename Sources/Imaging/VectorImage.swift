/// An image without pixels of its own, drawn for exactly the pixels in which it shows: sharp at any size.
///
/// Equal images of one size have equal pixels, so drawn images can be cached by image and size.
public enum VectorImage: Hashable, Sendable {
    case builtIn(BuiltInImage)
    case pin(PinImage)
}

public extension VectorImage {
    /// Points across at natural size.
    var naturalWidth: Double {
        switch self {
        case .builtIn(let image): image.naturalWidth
        case .pin(let image): image.naturalWidth
        }
    }

    /// Points down at natural size.
    var naturalHeight: Double {
        switch self {
        case .builtIn(let image): image.naturalHeight
        case .pin(let image): image.naturalHeight
        }
    }

    /// Its name in printed frames; unequal images have unequal names.
    var name: String {
        switch self {
        case .builtIn(let image): "builtin:\(image.rawValue)"
        case .pin(let image): image.name
        }
    }

    /// The image without the symbol of a pin, in `width` by `height` device pixels, stretched when they are of another shape. Sides must
    /// not be negative.
    ///
    /// Every call draws again; the pixels are the same on every machine.
    func bitmap(width: Int, height: Int) -> Bitmap {
        switch self {
        case .builtIn(let image): image.bitmap(width: width, height: height)
        case .pin(let image): image.bitmap(width: width, height: height)
        }
    }
}
