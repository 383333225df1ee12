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
/// Use a renderer from one thread at a time, but from any thread. It caches uploaded data, so one renderer for many pictures is much faster
/// than a new one for each. It does not retain maps.
///
/// One budget limits its caches, together with the layouts of the maps that it draws and the process's fonts, glyphs and pixels.
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
    ///   - device: `auto` (a GPU if possible, otherwise Mesa's software rasterizer), a device's number, `drm:PATH`, `cuda:N`, `surfaceless`
    ///     or `software`. Nil uses the environment variable `WAYMARK_DEVICE`, or `auto` if it is unset.
    ///   - requireGPU: Whether a software rasterizer is refused. Default false.
    ///   - cacheBytes: The maximum number of bytes cached between pictures, at least 0; the least recently used are evicted first. A
    ///     picture that needs more is still drawn. 0 caches nothing. Pictures do not depend on it. Default 256 MiB.
    /// - Throws: `RenderError.range` for a negative number of bytes; `RenderError.device` with the fault of the machine and advice on what
    ///   to install. If the driver does not answer within 20 s (or `WAYMARK_DEVICE_TIMEOUT` seconds), as happens where the system limits
    ///   threads or memory, the reason is `notResponding`. A thread then stays inside the driver, so the process should end with `_exit`,
    ///   which does not tear the driver down.
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

    /// The default for the number of bytes cached between pictures: 256 MiB.
    public static let defaultCacheBytes = CacheBudget.defaultByteLimit

    static func check(cacheBytes: Int) throws(PropertyError) {
        guard cacheBytes >= 0 else { throw PropertyError(path: "cacheBytes", problem: "\(cacheBytes) is less than 0") }
    }

    /// Opens the device on the calling thread, without a time limit.
    init(opening device: String?, requireGPU: Bool, budget: CacheBudget) throws(GPUError) {
        frames = try Self.frames(device: device, requireGPU: requireGPU, budget: budget)
    }

    private static func frames(device: String?, requireGPU: Bool, budget: CacheBudget) throws(GPUError) -> FrameRenderer {
        let selection = try DeviceSelection(named: device)
        return try FrameRenderer(Context.make(selection, requireGPU: requireGPU), submission: nil, budget: budget)
    }

    /// How long the tiles of a picture may take to load, in seconds. Late tiles are left out, with a diagnostic. Default 20.
    public var tileTimeout: Double {
        get { frames.tileTimeout }
        set { frames.tileTimeout = newValue }
    }

    /// The maximum number of bytes cached between pictures.
    public var cacheBytes: Int { frames.budget.byteLimit }

    /// The number of cached bytes: on the device and in memory, including the layouts of the maps last drawn by this renderer, and the
    /// fonts, glyphs and decoded pixels that all renderers of the process share. It is an estimate, and does not include the driver or the
    /// maps.
    public var keptBytes: Int { frames.keptBytes }

    /// Loses the device, like a reset of the GPU, for tests.
    package func loseDevice() { frames.context.lose() }

    /// The bytes in this renderer's own caches, for tests.
    package var ownKeptBytes: Int { frames.ownKeptBytes }

    /// Frees all caches, and returns free memory to the system. The next picture of each map takes as long as its first; its pixels are the
    /// same.
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
    /// - Throws: `RenderError.range` for a camera, size or pixel ratio out of range, `RenderError.fonts` for texts without fonts,
    ///   `RenderError.device` if the GPU fails.
    public func render(_ mapView: MapView) throws(RenderError) -> Picture {
        var picture = Picture()
        try render(mapView, into: &picture)
        return picture
    }

    /// Draws a map in its present state into an earlier picture, whose memory is reused if the size is the same. This saves about a
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
    /// Diagnostics for everything that could not be drawn as requested. The rest is in the picture.
    public internal(set) var diagnostics: [Diagnostic] = []

    /// An empty picture to draw into.
    public init() {}

    /// The width in device pixels.
    public var width: Int { bitmap.width }
    /// The height in device pixels.
    public var height: Int { bitmap.height }

    /// The picture in the form of a PNG file.
    public func pngData() throws(ImagingError) -> Data {
        Data(try encoded(as: .png))
    }

    /// Writes the picture to a file, atomically. The extension of the name sets the default format.
    /// - Throws: `ImagingError`, also if the URL is not a file URL.
    public func write(
        to url: URL, as format: ImageFormat? = nil, options: EncodingOptions = EncodingOptions()
    ) throws(ImagingError) {
        guard url.isFileURL else { throw ImagingError(.noFile, path: url.absoluteString) }
        try write(to: url.path, as: format, options: options)
    }

    /// Writes the picture to a file, atomically. The extension of the name sets the default format.
    public func write(
        to path: String, as format: ImageFormat? = nil, options: EncodingOptions = EncodingOptions()
    ) throws(ImagingError) {
        try bitmap.write(to: path, as: format, options: Self.withThreads(options))
    }

    /// Encodes the picture.
    public func encoded(as format: ImageFormat, options: EncodingOptions = EncodingOptions()) throws(ImagingError) -> [UInt8] {
        try bitmap.encoded(as: format, options: Self.withThreads(options))
    }

    /// Sets the number of encoding threads, unless given, to the number of drawing threads: a batch limits both with one variable.
    package static func withThreads(_ options: EncodingOptions) -> EncodingOptions {
        var options = options
        options.threadCount = options.threadCount ?? FrameRenderer.usualThreadCount
        return options
    }
}

/// The reason why a map could not be drawn.
public enum RenderError: Error, Sendable {
    /// The camera, the size or the pixel ratio is out of range.
    case range(PropertyError)
    /// The map is being laid out: a delegate or a drawing that was called meanwhile tried to render it.
    case reentered
    /// The map has texts, but no fonts are available.
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
