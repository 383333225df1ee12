import WaymarkGeo
import WaymarkImaging
import WaymarkRaster

/// The primitives of a picture, stored in flat arrays, and the commands that draw ranges of them in order from bottom to top.
///
/// A frame is a value: it can be kept, sent to another thread, compared and printed. It knows nothing about overlays or OpenGL, and
/// contains only those camera parameters that the projection matrix needs.
public struct Frame: Equatable, Sendable {
    /// The picture's width in device pixels.
    public var width: Int
    /// The picture's height in device pixels.
    public var height: Int
    /// The color to which the picture is cleared. Default: transparent.
    public var background: Color
    /// The camera for primitives on the ground.
    public var ground: GroundCamera
    /// The images. Sprites and mesh instances refer to them by index.
    public var images: [FrameImage] = []
    public var sprites: [Sprite] = []
    /// The points of all contours, concatenated.
    public var pathPoints: [PathPoint] = []
    /// The end index of each contour in `pathPoints`. A contour begins where the previous one ends.
    public var contours: [Int] = []
    /// The end index of each part of a path in `contours`. A part begins where the previous one ends, or where the path begins.
    public var parts: [Int] = []
    public var paths: [Path] = []
    /// The shades of paths whose color changes along them.
    public var shades: [PathShade] = []
    /// The meshes. Instances refer to them by index.
    public var meshes: [FrameMesh] = []
    /// The lighting setups of the mesh instances, which refer to them by index.
    public var lightings: [Lighting] = []
    public var meshInstances: [MeshInstance] = []
    /// The sets of tiles. Runs of ground tiles refer to them by index.
    public var tileSets: [FrameTileSet] = []
    public var tiles: [GroundTile] = []
    /// The commands, in drawing order.
    public var commands: [Command] = []

    public init(width: Int, height: Int, background: Color = .clear, ground: GroundCamera = GroundCamera()) {
        self.width = width
        self.height = height
        self.background = background
        self.ground = ground
    }

    /// Whether another frame draws the same picture, judged by the keys of its images and meshes. No pixels are made.
    package func isSame(as other: Frame) -> Bool {
        (width, height, background, ground) == (other.width, other.height, other.background, other.ground) && commands == other.commands
            && sprites == other.sprites && tiles == other.tiles && tileSets == other.tileSets && lightings == other.lightings
            && (pathPoints, contours, parts) == (other.pathPoints, other.contours, other.parts)
            && (paths, shades, meshInstances) == (other.paths, other.shades, other.meshInstances)
            && images.elementsEqual(other.images) { $0.key == $1.key && $0.name == $1.name }
            && meshes.elementsEqual(other.meshes) { $0.key == $1.key }
    }

    /// Returns the frame and leaves an empty one. The caller then has the only reference, and can change the frame without copying it.
    package mutating func take() -> Frame {
        defer { self = Frame(width: 0, height: 0) }
        return self
    }
}

/// The camera parameters that determine the matrix for primitives on the ground. Lengths are in pt.
public struct GroundCamera: Equatable, Sendable {
    /// The picture's width in pt.
    public var width: Double
    /// The picture's height in pt. The camera's distance from the view's center is 1.5 times this height.
    public var height: Double
    public var pixelRatio: Double
    /// The bearing in degrees clockwise from north.
    public var bearing: Double
    /// The tilt in degrees from straight down.
    public var tilt: Double
    /// The distance in pt by which the optical center lies to the right of the picture's center.
    public var opticalOffsetX: Double
    /// The distance in pt by which the optical center lies below the picture's center.
    public var opticalOffsetY: Double
    /// The x offset in device pixels from the upper left corner of the camera's picture to the frame's upper left corner. It may differ
    /// from 0 if the frame shows only a part of the camera's picture.
    public var originX: Double = 0
    /// The y offset in device pixels from the upper left corner of the camera's picture to the frame's upper left corner.
    public var originY: Double = 0

    /// The distance in pt from the camera to the view's center.
    public var distance: Double { ViewProjection.distance(pictureHeight: height) }
    /// The near limit: only primitives with a depth in pt greater than this are drawn.
    public var nearDepth: Double { ViewProjection.nearDepth(pictureHeight: height) }
    /// The far limit: only primitives with a depth in pt less than this are drawn.
    public var farDepth: Double { ViewProjection.farDepth(pictureHeight: height) }

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

/// A drawing command.
public enum Command: Equatable, Sendable {
    /// Draws a range of `Frame.sprites`, beginning with the bottommost.
    case sprites(Range<Int>, Sampling)
    /// Draws a range of `Frame.paths`, beginning with the bottommost.
    case paths(Range<Int>)
    /// Draws a range of `Frame.meshInstances`. This command is allowed only in a group with a depth buffer.
    case meshes(Range<Int>, MeshBlending)
    /// Draws a range of `Frame.tiles`, no two of which overlap.
    case tiles(Range<Int>, TileDrawing)
    /// Draws the sky beyond the edges of the ground. Near these edges, everything drawn so far fades into the sky, whether it lies on the
    /// ground or not. Primitives on the ground that are drawn later fade as they are drawn.
    case sky(FrameSky)
    /// Begins a group: everything up to the matching `endGroup` is drawn separately and then composited once.
    case beginGroup(Group)
    case endGroup
}

/// How the images of a run of sprites are sampled.
public enum Sampling: UInt8, Equatable, Sendable {
    /// One texel per device pixel. Corners lie on whole pixels, and the image's pixels are reproduced exactly.
    case nearest
    /// Bilinear filtering, with edges antialiased by coverage.
    case linear
}

/// An isolated group. Its contents are drawn separately, and the result is then blended into the picture as one layer, so that no element
/// of a translucent group shows through another.
public struct Group: Equatable, Sendable {
    /// The opacity of the whole group, 0…1.
    public var alpha: Float
    /// The device pixels that the group may touch; its contents are clipped to this rectangle.
    public var bounds: PixelRect
    /// The number of samples per pixel: 1, or 4 for multisampled edges.
    public var samples: Int
    /// The depth range in pt to which the group's meshes are clipped; nil for a group without a depth buffer.
    public var depths: ClosedRange<Double>?

    public init(alpha: Float = 1, bounds: PixelRect, samples: Int = 1, depths: ClosedRange<Double>? = nil) {
        self.alpha = alpha
        self.bounds = bounds
        self.samples = samples
        self.depths = depths
    }
}

extension Frame {
    /// The geometry of all paths.
    package var pathGeometry: PathGeometry { PathGeometry(points: pathPoints, contours: contours, parts: parts, shades: shades) }

    /// The points of a contour, which is closed implicitly.
    public func points(ofContour index: Int) -> ArraySlice<PathPoint> {
        pathPoints[(index == 0 ? 0 : contours[index - 1])..<contours[index]]
    }

    /// Adds a path of several parts.
    package mutating func add(parts: [[[PathPoint]]], color: Color, layering: Path.Layering = .over) {
        add(parts.flatMap(\.self), color: color, layering: layering)
        var end = paths[paths.count - 1].contours.lowerBound
        let first = self.parts.count
        for part in parts {
            end += part.count
            self.parts.append(end)
        }
        paths[paths.count - 1].parts = first..<self.parts.count
    }

    /// Adds a path.
    package mutating func add(
        _ contours: [[PathPoint]], rule: FillRule = .nonzero, color: Color, layering: Path.Layering = .over, run: Int32 = 0
    ) {
        let first = self.contours.count
        for contour in contours {
            pathPoints += contour
            self.contours.append(pathPoints.count)
        }
        paths.append(Path(contours: first..<self.contours.count, rule: rule, color: color, layering: layering, run: run))
    }
}
