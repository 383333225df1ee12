import WaymarkImaging

/// An image on a quad, in the plane of the screen or parallel to the ground.
///
/// The quad is given by its upper left corner and the two edges that start there, which already include size, rotation and anchor. `Float`
/// is precise enough: below 16,384 px, it represents multiples of 1/1024 px exactly, and ground positions are relative to the view's
/// center.
public struct Sprite: Equatable, Sendable {
    /// The x coordinate of the image's upper left corner. In the screen plane, it is in device pixels from the picture's left edge; on the
    /// ground, in pt east of the view's center.
    public var x: Float
    /// The y coordinate of the image's upper left corner. In the screen plane, it is in device pixels from the picture's upper edge; on the
    /// ground, in pt south of the view's center.
    public var y: Float
    /// The image's height above the ground, in pt. Ignored in the screen plane.
    public var z: Float
    /// The x component of the vector from the upper left to the upper right corner, in the unit of `x`.
    public var acrossX: Float
    /// The y component of the vector from the upper left to the upper right corner, in the unit of `y`.
    public var acrossY: Float
    /// The x component of the vector from the upper left to the lower left corner, in the unit of `x`.
    public var downX: Float
    /// The y component of the vector from the upper left to the lower left corner, in the unit of `y`.
    public var downY: Float
    /// The opacity of the image, 0…1. Default 1.
    public var alpha: Float
    /// The color added to the image. Default: none.
    public var tint = Tint.none
    /// `plane` and `sampling` in one byte after the three bytes of `tint`. This keeps frames of a million sprites small.
    @usableFromInline var kind: UInt8
    /// The index of the image in `Frame.images`.
    public var image: UInt32
    /// The column of the image's pixel that appears at the quad's upper left corner. It is greater than 0 if the sprite is cropped on the
    /// left. It is used only with nearest sampling. Default 0.
    public var texelX: UInt16 = 0
    /// The row of the image's pixel that appears at the quad's upper left corner. It is greater than 0 if the sprite is cropped at the top.
    /// It is used only with nearest sampling. Default 0.
    public var texelY: UInt16 = 0

    public enum Plane: UInt8, Equatable, Sendable {
        case screen
        case ground
    }

    @inlinable public var plane: Plane {
        @inline(__always) get { kind & 1 == 0 ? .screen : .ground }
        @inline(__always) set { kind = kind & 2 | newValue.rawValue }
    }

    @inlinable public var sampling: Sampling {
        @inline(__always) get { kind & 2 == 0 ? .nearest : .linear }
        @inline(__always) set { kind = kind & 1 | newValue.rawValue << 1 }
    }

    /// The edges that this sprite shares with other images on the ground. Default: none. Only linearly sampled images have shared edges;
    /// the value is stored in `texelX`, which these images do not use.
    public var sharedEdges: SharedEdges {
        get { plane == .ground && sampling == .linear ? SharedEdges(bits: texelX) : .none }
        set { texelX = newValue.bits }
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
        kind = plane.rawValue | sampling.rawValue << 1
    }

    /// An image at whole device pixels of the picture, one texel per pixel.
    public init(x: Int, y: Int, width: Int, height: Int, alpha: Float = 1, image: Int) {
        self.init(
            x: Float(x), y: Float(y), across: (Float(width), 0), down: (0, Float(height)), alpha: alpha, image: image, sampling: .nearest)
    }
}

/// A color that is added to an image. Each color channel, not premultiplied, becomes `min(1, image + tint)`; alpha does not change.
public struct Tint: Hashable, Sendable {
    public var red: UInt8
    public var green: UInt8
    public var blue: UInt8

    /// The tint that adds nothing.
    public static let none = Tint(red: 0, green: 0, blue: 0)

    public init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// Creates a tint from a color, ignoring its alpha; `.clear` adds nothing.
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
