import Glibc
import WaymarkFrame
import WaymarkGPU
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkRendering
import WaymarkScene
import WaymarkText

/// Draws maps into pictures, through EGL and OpenGL ES, without a screen.
///
/// A renderer is exclusive but bound to no thread: use it from one thread at a time. It keeps what it has uploaded, so one
/// renderer for many pictures is much faster than one for each. It does not hold on to a map.
public final class Renderer {
    let frames: FrameRenderer
    /// How long the picture drawn last took: placing, which needs no GPU; then upload, drawing and reading back.
    public private(set) var lastDurations = (layout: Duration.zero, drawing: Duration.zero)

    /// How long the stages of the last picture took when `isTiming`: placing, upload and drawing, reading back; and of one that was
    /// written band by band, making the file.
    package private(set) var lastStages = (
        layout: Duration.zero, drawing: Duration.zero, readingBack: Duration.zero, encoding: Duration.zero
    )
    /// Whether `lastStages` are measured. Default false.
    package var isTiming: Bool {
        get { frames.isTiming }
        set { frames.isTiming = newValue }
    }

    /// Opens a device.
    /// - Parameters:
    ///   - device: `auto` (a GPU, else Mesa's software rasteriser), a device's number, `drm:PATH`, `cuda:N`, `surfaceless` or
    ///     `software`; nil takes the environment's `WAYMARK_DEVICE`, else `auto`.
    ///   - requireGPU: Whether a software rasteriser is refused. Default false.
    /// - Throws: `RenderError.device` with what is wrong with the machine and what to install.
    public convenience init(device: String? = nil, requireGPU: Bool = false) throws(RenderError) {
        try self.init(device: device, requireGPU: requireGPU, imageByteLimit: Self.imageByteLimit)
    }

    /// The most bytes of images on the device when nothing else is said; as much again is kept of them in memory.
    package static let imageByteLimit = 256 << 20

    package init(device: String?, requireGPU: Bool, imageByteLimit: Int) throws(RenderError) {
        do throws(GPUError) {
            let selection = try DeviceSelection(device ?? Self.deviceOfEnvironment ?? "auto")
            frames = try FrameRenderer(
                Context.make(selection, requireGPU: requireGPU), submission: nil, imageByteLimit: imageByteLimit)
        } catch {
            throw RenderError.device(error)
        }
    }

    /// `WAYMARK_DEVICE`; empty counts as not set.
    private static var deviceOfEnvironment: String? {
        getenv("WAYMARK_DEVICE").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Draws a few pixels, so that shaders are compiled before the first picture.
    func warmUp() throws(RenderError) {
        var frame = Frame(width: 8, height: 8)
        frame.images = [FrameImage(key: 0, name: "warm-up", bitmap: Bitmap(width: 2, height: 2, fill: .red))]
        frame.sprites = [Sprite(x: 1, y: 1, across: (2, 0), down: (0, 2), image: 0, sampling: .nearest)]
        frame.commands = [.sprites(0..<1, .nearest)]
        do throws(GPUError) {
            _ = try frames.render(frame)
        } catch {
            throw .device(error)
        }
    }

    /// The name of the renderer that draws, as the driver tells it.
    public var deviceName: String { frames.context.info.renderer }

    /// Draws a map as it stands.
    /// - Throws: `RenderError.range` for a camera, size or pixel ratio out of range, `RenderError.fonts` when there are texts and
    ///   no fonts, `RenderError.device` for what the GPU cannot do.
    public func render(_ mapView: MapView) throws(RenderError) -> Picture {
        var picture = Picture()
        try render(mapView, into: &picture)
        return picture
    }

    /// Draws a map as it stands into a picture that was drawn before, whose memory is used again when it has the same size:
    /// about a millisecond less for each million pixels.
    public func render(_ mapView: MapView, into picture: inout Picture) throws(RenderError) {
        let start = ContinuousClock.now
        let placement = try mapView.placement()
        let placed = ContinuousClock.now
        picture.camera = mapView.camera
        picture.diagnostics = placement.diagnostics
        let frame = placement.frame()
        let framed = isTiming ? ContinuousClock.now : placed
        do throws(GPUError) {
            try frames.render(frame, into: &picture.bitmap)
        } catch {
            throw .device(error)
        }
        let end = ContinuousClock.now
        note(layout: framed - start, drawing: end - framed)
        lastDurations = (placed - start, end - placed)
    }

    /// Keeps the times of a picture. Reading back is part of drawing.
    func note(layout: Duration, drawing: Duration, encoding: Duration = .zero) {
        lastDurations = (layout, drawing)
        lastStages = (layout, drawing - frames.readBackTime, frames.readBackTime, encoding)
    }
}

/// A picture of a map.
public struct Picture: Equatable, Sendable {
    /// The pixels.
    public internal(set) var bitmap = Bitmap(width: 0, height: 0)
    /// Where the map was seen from.
    public internal(set) var camera = Camera()
    /// What could not be drawn as asked. The rest is in the picture.
    public internal(set) var diagnostics: [Diagnostic] = []

    /// A picture of no size, to be drawn into.
    public init() {}

    /// Writes the picture to a file, whole or not at all; the format is the one that the name ends in.
    public func write(
        to path: String, as format: ImageFormat? = nil, options: EncodingOptions = EncodingOptions()
    ) throws(ImagingError) {
        try bitmap.write(to: path, as: format, options: Self.withThreads(options))
    }

    /// The bytes of such a file.
    public func encoded(as format: ImageFormat, options: EncodingOptions = EncodingOptions()) throws(ImagingError) -> [UInt8] {
        try bitmap.encoded(as: format, options: Self.withThreads(options))
    }

    /// Where it is not said how many threads encode, as many as draw: batches of many processes tell each to use no further ones.
    static func withThreads(_ options: EncodingOptions) -> EncodingOptions {
        var options = options
        options.threadCount = options.threadCount ?? FrameRenderer.usualThreadCount
        return options
    }
}

/// Why a map could not be drawn.
public enum RenderError: Error, Sendable {
    /// A number of the camera, the size or the pixel ratio is out of range.
    case range(PropertyError)
    /// There are captions, and no fonts for them.
    case fonts(FontError)
    /// The machine lacks something, or the GPU cannot do what was asked.
    case device(GPUError)
    /// The picture's file cannot be made.
    case writing(ImagingError)
}

extension RenderError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .range(let error): error.description
        case .fonts(let error): error.description
        case .device(let error): error.description
        case .writing(let error): error.description
        }
    }
}
