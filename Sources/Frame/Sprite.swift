import WaymarkImaging

/// An image on a quad, in the plane of the screen or parallel to the ground.
///
/// The quad is its upper left corner and the two edges that leave it, so that size, rotation and anchor are already in
/// it. `Float` is enough: screen positions are multiples of 1/1024 px below 16,384, ground positions are relative to the
/// view's centre.
public struct Sprite: Equatable, Sendable {
    /// The image's upper left corner. On the screen: device pixels from the picture's upper left, y down, z unused.
    /// On the ground: pt east and south of the view's centre, z pt above the ground.
    public var x: Float
    public var y: Float
    public var z: Float
    /// From the upper left to the upper right corner, in the same units.
    public var acrossX: Float
    public var acrossY: Float
    /// From the upper left to the lower left corner, in the same units.
    public var downX: Float
    public var downY: Float
    /// Multiplies the image, 0…1.
    public var alpha: Float
    /// Added to the image's colour.
    public var tint = Tint.none
    /// Index in `Frame.images`.
    public var image: UInt32
    /// Where in the image the quad's upper left is, in its pixels: above 0 when it is cut down to what shows of it. Read
    /// texel for pixel alone.
    public var texelX: UInt16 = 0
    public var texelY: UInt16 = 0
    public var plane: Plane
    public var sampling: Sampling

    public enum Plane: UInt8, Equatable, Sendable {
        case screen
        case ground
    }

    public init(
        x: Float, y: Float, z: Float = 0, across: (x: Float, y: Float), down: (x: Float, y: Float), alpha: Float = 1,
        image: Int, plane: Plane = .screen, sampling: Sampling = .linear
    ) {
        self.x = x
        self.y = y
        self.z = z
        acrossX = across.x
        acrossY = across.y
        downX = down.x
        downY = down.y
        self.alpha = alpha
        self.image = UInt32(image)
        self.plane = plane
        self.sampling = sampling
    }
}

/// A colour that is added to an image's: of each straight channel `min(1, image + tint)`, the alpha staying the image's.
public struct Tint: Hashable, Sendable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    /// Adds nothing.
    public static let none = Tint(red: 0, green: 0, blue: 0)

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// The colour without its alpha; `.clear` adds nothing.
    public init(_ color: Color) {
        guard color != .clear else {
            self = .none
            return
        }
        let opaque = color.withAlpha(1).premultipliedBytes
        self.init(red: opaque.red, green: opaque.green, blue: opaque.blue)
    }
}

extension Tint: CustomStringConvertible {
    public var description: String {
        "\(Color(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255))"
    }
}
