/// An image without pixels of its own, drawn anew for exactly the pixels asked for: sharp at any size.
///
/// Equal images give equal pixels, so whoever keeps what was drawn may keep it under the image and its size.
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

    /// What prints call it; unequal images have unequal names.
    var name: String {
        switch self {
        case .builtIn(let image): "builtin:\(image.rawValue)"
        case .pin(let image): image.name
        }
    }

    /// The image in `width` by `height` device pixels, stretched when they are of another shape. Sides must not be negative.
    ///
    /// Every call draws: whoever needs it twice keeps it. The same pixels come out on every machine.
    func bitmap(width: Int, height: Int) -> Bitmap {
        switch self {
        case .builtIn(let image): image.bitmap(width: width, height: height)
        case .pin(let image): image.bitmap(width: width, height: height)
        }
    }
}
