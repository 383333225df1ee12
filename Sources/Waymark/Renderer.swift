import Foundation
import WaymarkFrame
import WaymarkGPU
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkRendering
import WaymarkScene
import WaymarkSystem
import WaymarkText

/// Draws maps into pictures through EGL and OpenGL ES, without a screen.
///
/// Use a renderer from one thread at a time, but from any thread. It caches what it has uploaded, so one renderer for many pictures is
/// much faster than one for each. It does not retain maps.
///
/// What it keeps, with the layouts of the maps that it draws and the process's fonts, glyphs and pixels, is limited by one budget.
public final class Renderer {
    let frames: FrameRenderer
    /// How long the last picture took: layout, which needs no GPU; then upload, drawing and reading back.
    public var lastDurations: (layout: Duration, drawing: Duration) {
        (lastStages.layout, lastStages.drawing + lastStages.readingBack)
    }

    /// How long the stages of the last picture took: layout, upload and drawing, reading back, and, for a picture written band by band,
    /// encoding. Unless `frames.isTiming`, reading back is part of drawing.
    package internal(set) var lastStages = (
        layout: Duration.zero, drawing: Duration.zero, readingBack: Duration.zero, encoding: Duration.zero
    )

    /// Opens a device.
    /// - Parameters:
    ///   - device: `auto` (a GPU, else Mesa's software rasterizer), a device's number, `drm:PATH`, `cuda:N`, `surfaceless` or
    ///     `software`; nil takes the environment's `WAYMARK_DEVICE`, else `auto`.
    ///   - requireGPU: Whether a software rasterizer is refused. Default false.
    ///   - cacheBytes: The most bytes kept between pictures, at least 0; what was not used for longest goes first. A picture that needs more
    ///     is drawn all the same. 0 keeps nothing. The pictures do not depend on it. Default 256 MiB.
    /// - Throws: `RenderError.range` for a negative number of bytes; `RenderError.device` with what is wrong with the machine and what to install. If the driver does not answer within 20 s
    ///   (the environment's `WAYMARK_DEVICE_TIMEOUT`, in seconds), as happens where the system limits threads or memory, the reason is
    ///   `notResponding`; a thread then stays inside the driver, so the process should end with `_exit`, which tears no driver down.
    public init(
        device: String? = nil, requireGPU: Bool = false, cacheBytes: Int = Renderer.defaultCacheBytes
    ) throws(RenderError) {
        do throws(PropertyError) { try Self.check(cacheBytes: cacheBytes) } catch { throw RenderError.range(error) }
        let budget = CacheBudget(byteLimit: cacheBytes)
        do throws(GPUError) {
            frames = try DriverThread.run { () throws(GPUError) in
                try Self.frames(device: device, requireGPU: requireGPU, budget: budget)
            }
        } catch {
            throw RenderError.device(error)
        }
    }

    /// The bytes kept between pictures unless another number is given: 256 MiB.
    public static let defaultCacheBytes = CacheBudget.defaultByteLimit

    static func check(cacheBytes: Int) throws(PropertyError) {
        guard cacheBytes >= 0 else { throw PropertyError(path: "cacheBytes", problem: "\(cacheBytes) is less than 0") }
    }

    /// Opens the device on the calling thread, however long that takes.
    init(opening device: String?, requireGPU: Bool, budget: CacheBudget) throws(GPUError) {
        frames = try Self.frames(device: device, requireGPU: requireGPU, budget: budget)
    }

    private static func frames(device: String?, requireGPU: Bool, budget: CacheBudget) throws(GPUError) -> FrameRenderer {
        let selection = try DeviceSelection(named: device)
        return try FrameRenderer(Context.make(selection, requireGPU: requireGPU), submission: nil, budget: budget)
    }

    /// How long the tiles of a picture may take to load, in seconds. What is late is left out, with a diagnostic. Default 20.
    public var tileTimeout: Double {
        get { frames.tileTimeout }
        set { frames.tileTimeout = newValue }
    }

    /// The most bytes kept between pictures.
    public var cacheBytes: Int { frames.budget.byteLimit }

    /// The bytes kept now: on the device and in memory, with the layouts of the maps drawn last by this renderer, and with the fonts,
    /// glyphs and decoded pixels of the process, which its renderers share. It is an estimate, and includes neither the driver nor what a
    /// map holds itself.
    public var keptBytes: Int { frames.keptBytes }

    /// Loses the device as a reset of the GPU does, for tests.
    package func loseDevice() { frames.context.lose() }

    /// Those of its own, for tests.
    package var ownKeptBytes: Int { frames.ownKeptBytes }

    /// Lets go of everything that is kept between pictures, and gives free memory back to the system. The next picture of each map takes
    /// as long as its first; its pixels are the same.
    public func purge() {
        frames.purge()
        ProcessHeap.trim()
    }

    /// Draws a few pixels, so that the shaders are compiled before the first picture.
    func warmUp() throws(GPUError) {
        var frame = Frame(width: 8, height: 8)
        frame.images = [FrameImage(key: 0, name: "warm-up", bitmap: Bitmap(width: 2, height: 2, fill: .red))]
        frame.sprites = [Sprite(x: 1, y: 1, across: (2, 0), down: (0, 2), image: 0, sampling: .nearest)]
        frame.commands = [.sprites(0..<1, .nearest)]
        _ = try frames.render(frame)
    }

    /// The name of the OpenGL renderer, such as `llvmpipe (LLVM 15.0.6, 256 bits)`.
    public var deviceName: String { frames.context.info.renderer }

    /// Draws a map in its present state.
    /// - Throws: `RenderError.range` for a camera, size or pixel ratio out of range, `RenderError.fonts` when there are texts and
    ///   no fonts, `RenderError.device` for what the GPU cannot do.
    public func render(_ mapView: MapView) throws(RenderError) -> Picture {
        var picture = Picture()
        try render(mapView, into: &picture)
        return picture
    }

    /// Draws a map in its present state into an earlier picture, whose memory is reused when it has the same size. That saves about a
    /// millisecond per million pixels.
    public func render(_ mapView: MapView, into picture: inout Picture) throws(RenderError) {
        try render(MapFrame(mapView), into: &picture)
    }

    /// Draws a frame: the same pixels as the map at the time when it was laid out.
    /// - Throws: `RenderError.device` if the GPU cannot draw it.
    public func render(_ frame: MapFrame) throws(RenderError) -> Picture {
        var picture = Picture()
        try render(frame, into: &picture)
        return picture
    }

    /// Draws a frame into an earlier picture, whose memory is reused when it has the same size.
    package func render(_ map: consuming MapFrame, into picture: inout Picture) throws(RenderError) {
        picture.camera = map.camera
        picture.diagnostics = map.diagnostics
        let found = try draw(map) { (frame: consuming Frame, number) throws(GPUError) in
            try frames.render(frame, into: &picture.bitmap, picture: number)
        }
        picture.diagnostics += found
    }

    /// Draws a frame: whole pictures, pictures in bands and tiles all come here.
    /// - Parameter take: Draws the primitives of the picture with this number, and takes the pixels.
    /// - Returns: The diagnostics of drawing, without the layout's.
    func draw(
        _ map: consuming MapFrame, _ take: (consuming Frame, _ number: UInt64) throws(GPUError) -> Void
    ) throws(RenderError) -> [Diagnostic] {
        let start = ContinuousClock.now
        map.caches?.move(to: frames.budget)
        do throws(GPUError) {
            // Given away, so that what hides sprites need not copy a million of them first.
            try take(map.frame.take(), map.number)
        } catch {
            throw .device(error)
        }
        let readingBack = frames.readBackTime
        lastStages = (map.duration, ContinuousClock.now - start - readingBack, readingBack, .zero)
        return drawingDiagnostics
    }
}

/// A picture of a map.
public struct Picture: Equatable, Sendable {
    /// The pixels.
    public internal(set) var bitmap = Bitmap(width: 0, height: 0)
    /// The camera of the picture.
    public internal(set) var camera = Camera()
    /// What could not be drawn as requested. The rest is in the picture.
    public internal(set) var diagnostics: [Diagnostic] = []

    /// An empty picture, to be drawn into.
    public init() {}

    /// The width in device pixels.
    public var width: Int { bitmap.width }
    /// The height in device pixels.
    public var height: Int { bitmap.height }

    /// The picture as the content of a PNG file.
    public func pngData() throws(ImagingError) -> Data {
        Data(try encoded(as: .png))
    }

    /// Writes the picture to a file, whole or not at all. The format defaults to that of the name's extension.
    /// - Throws: `ImagingError`, also when the URL is not that of a file.
    public func write(
        to url: URL, as format: ImageFormat? = nil, options: EncodingOptions = EncodingOptions()
    ) throws(ImagingError) {
        guard url.isFileURL else { throw ImagingError(.noFile, path: url.absoluteString) }
        try write(to: url.path, as: format, options: options)
    }

    /// Writes the picture to a file, whole or not at all. The format defaults to that of the name's extension.
    public func write(
        to path: String, as format: ImageFormat? = nil, options: EncodingOptions = EncodingOptions()
    ) throws(ImagingError) {
        try bitmap.write(to: path, as: format, options: Self.withThreads(options))
    }

    /// Encodes the picture.
    public func encoded(as format: ImageFormat, options: EncodingOptions = EncodingOptions()) throws(ImagingError) -> [UInt8] {
        try bitmap.encoded(as: format, options: Self.withThreads(options))
    }

    /// Unless given, the number of encoding threads is that of drawing threads: a batch limits both by one variable.
    package static func withThreads(_ options: EncodingOptions) -> EncodingOptions {
        var options = options
        options.threadCount = options.threadCount ?? FrameRenderer.usualThreadCount
        return options
    }
}

/// Why a map could not be drawn.
public enum RenderError: Error, Sendable {
    /// The camera, the size or the pixel ratio is out of range.
    case range(PropertyError)
    /// The map is being laid out: a delegate or a drawing that was asked meanwhile tried to render it.
    case reentered
    /// The map has captions, but there are no fonts.
    case fonts(FontError)
    /// The machine lacks something, or the GPU cannot draw the picture.
    case device(GPUError)
    /// The picture's file cannot be written.
    case writing(ImagingError)
}

extension RenderError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .range(let error): error.description
        case .reentered: PlacementError.reentrance
        case .fonts(let error): error.description
        case .device(let error): error.description
        case .writing(let error): error.description
        }
    }
}
