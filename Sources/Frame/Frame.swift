import WaymarkImaging

/// What is to be drawn, and nothing of what it meant: runs over flat arrays of primitives, in order from bottom to top.
///
/// A frame is a value: it may be kept, sent to another thread, compared and printed. It knows no overlay, no camera
/// but its matrix's numbers, and no OpenGL.
public struct Frame: Equatable, Sendable {
    /// The picture in device pixels.
    public var width: Int
    public var height: Int
    /// What the picture is cleared to.
    public var background: Color
    /// The camera of everything that lies on the ground.
    public var ground: GroundCamera
    /// The images that sprites name by their index here.
    public var images: [FrameImage] = []
    public var sprites: [Sprite] = []
    /// The points of all contours, one contour after another.
    public var pathPoints: [PathPoint] = []
    /// Where in `pathPoints` each contour ends; it begins where the one before it ends.
    public var contours: [Int] = []
    /// Where in `contours` each part of a path ends; it begins where the one before it ends, or where the path begins.
    public var parts: [Int] = []
    public var paths: [Path] = []
    /// The meshes that instances name by their index here.
    public var meshes: [FrameMesh] = []
    /// The lights that instances name by their index here.
    public var lightings: [Lighting] = []
    public var meshInstances: [MeshInstance] = []
    /// What is drawn, first to last.
    public var commands: [Command] = []

    public init(width: Int, height: Int, background: Color = .clear, ground: GroundCamera = GroundCamera()) {
        self.width = width
        self.height = height
        self.background = background
        self.ground = ground
    }
}

/// The numbers of the camera from which the matrix for things on the ground is made. Lengths in pt.
public struct GroundCamera: Equatable, Sendable {
    /// The picture's size in pt; the camera stands 1.5 times the height away from the centre.
    public var width: Double
    public var height: Double
    public var pixelRatio: Double
    /// Degrees clockwise, and degrees from straight down.
    public var bearing: Double
    public var tilt: Double
    /// From the middle of the picture to the optical centre, x to the right, y down.
    public var opticalOffsetX: Double
    public var opticalOffsetY: Double
    /// Device pixels from the upper left of what the camera sees to the frame's: other than 0 where the frame is a piece of it.
    public var originX: Double = 0
    public var originY: Double = 0

    public init(
        width: Double = 1, height: Double = 1, pixelRatio: Double = 1, bearing: Double = 0, tilt: Double = 0,
        opticalOffsetX: Double = 0, opticalOffsetY: Double = 0
    ) {
        self.width = width
        self.height = height
        self.pixelRatio = pixelRatio
        self.bearing = bearing
        self.tilt = tilt
        self.opticalOffsetX = opticalOffsetX
        self.opticalOffsetY = opticalOffsetY
    }
}

/// One step of a frame.
public enum Command: Equatable, Sendable {
    /// Draws a range of `Frame.sprites`, the first at the bottom.
    case sprites(Range<Int>, Sampling)
    /// Draws a range of `Frame.paths`, the first at the bottom.
    case paths(Range<Int>)
    /// Draws a range of `Frame.meshInstances`, in a group that has depth.
    case meshes(Range<Int>, MeshBlending)
    /// Everything up to the matching `endGroup` is drawn by itself and then laid on what is beneath, once.
    case beginGroup(Group)
    case endGroup
}

/// How the images of a run of sprites are read.
public enum Sampling: UInt8, Equatable, Sendable {
    /// One texel for one device pixel: corners lie on whole pixels, and pixels come back as they are in the image.
    case nearest
    /// Bilinear, with edges antialiased by coverage.
    case linear
}

/// An isolated group: what is in it blends with itself first, so that parts do not shine through one another.
public struct Group: Equatable, Sendable {
    /// What the whole group is multiplied with, 0…1.
    public var alpha: Float
    /// The device pixels that it may touch; what lies outside is cut off.
    public var bounds: PixelRect
    /// Samples for every pixel: 1, or 4 for multisampled edges.
    public var samples: Int
    /// The depths in pt between which its meshes lie: nearer and farther is cut off. Nil: the group has no depth buffer.
    public var depths: ClosedRange<Double>?

    public init(alpha: Float = 1, bounds: PixelRect, samples: Int = 1, depths: ClosedRange<Double>? = nil) {
        self.alpha = alpha
        self.bounds = bounds
        self.samples = samples
        self.depths = depths
    }
}

/// An image that sprites show.
public struct FrameImage: Sendable {
    /// Equal keys are the same pixels, in one process; textures are cached by it.
    public var key: UInt64
    /// What it is called in print.
    public var name: String
    public var bitmap: Bitmap

    public init(key: UInt64, name: String, bitmap: Bitmap) {
        self.key = key
        self.name = name
        self.bitmap = bitmap
    }
}

extension FrameImage: Equatable {
    /// Keys play no part: they depend on what else the process has drawn.
    public static func == (a: FrameImage, b: FrameImage) -> Bool {
        a.name == b.name && a.bitmap == b.bitmap
    }
}
