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

/// Draws pictures of maps with EGL and OpenGL ES, without a screen.
///
/// Any thread may use a renderer, but only one thread at a time. A renderer caches uploaded data, so drawing many pictures with one
/// renderer is much faster than opening a renderer for each picture. A renderer does not retain the maps that it draws.
///
/// A single limit applies to the total size of all caches: the caches of the renderer, the layouts of the maps that it draws, and the
/// fonts, glyphs and decoded pixels that all renderers of the process share.
public final class Renderer {
    let frames: FrameRenderer
    /// The time that the layout and the drawing of the last picture took. Layout does not use the GPU. Drawing includes uploading data and
    /// reading back the pixels.
    public var lastDurations: (layout: Duration, drawing: Duration) {
        (lastStages.layout, lastStages.drawing + lastStages.readingBack)
    }

    /// The durations of the stages of the last picture: layout, upload and drawing, reading back, and, for a picture written band by
    /// band, encoding. Unless `frames.isTiming`, reading back is part of drawing.
    package internal(set) var lastStages = (
        layout: Duration.zero, drawing: Duration.zero, readingBack: Duration.zero, encoding: Duration.zero
    )

    /// Opens a device.
    /// - Parameters:
    ///   - device: The device. Default nil: the value of the environment variable `WAYMARK_DEVICE`, or `automatic` if that is unset.
    ///   - requireGPU: Whether to refuse a software rasterizer. Default false.
    ///   - cacheBytes: The maximum number of bytes cached between pictures, at least 0. If the caches exceed this number, the least
    ///     recently used data is evicted. A picture that needs more memory is still drawn. With 0, nothing is cached. The limit does not
    ///     affect the pixels of pictures. Default 256 MiB.
    /// - Throws: `RenderError.range` if the number of bytes is negative. `RenderError.device` if the device cannot be opened, with advice
    ///   on what to install. The reason is `notResponding` if the driver does not answer within 20 s (or `WAYMARK_DEVICE_TIMEOUT` seconds).
    ///   This can happen if the system limits threads or memory. One thread then remains inside the driver, so the process should end with
    ///   `_exit`, which does not shut the driver down.
    public init(
        device: Device? = nil, requireGPU: Bool = false, cacheBytes: Int = Renderer.defaultCacheBytes
    ) throws(RenderError) {
        if let error = Self.rangeError(ofCacheBytes: cacheBytes) { throw .range(error) }
        let budget = CacheBudget(byteLimit: cacheBytes)
        do throws(GPUError) {
            frames = try DriverThread.run { () throws(GPUError) in
                try Self.frames(device: device, requireGPU: requireGPU, budget: budget)
            }
        } catch {
            throw RenderError.device(error)
        }
    }

    /// The default limit on the bytes cached between pictures: 256 MiB.
    public static let defaultCacheBytes = CacheBudget.defaultByteLimit

    static func rangeError(ofCacheBytes cacheBytes: Int) -> PropertyError? {
        cacheBytes >= 0 ? nil : PropertyError(path: "cacheBytes", problem: "\(cacheBytes) is less than 0")
    }

    /// Opens the device on the calling thread, without a time limit.
    init(opening device: Device?, requireGPU: Bool, budget: CacheBudget) throws(GPUError) {
        frames = try Self.frames(device: device, requireGPU: requireGPU, budget: budget)
    }

    /// Opens a software rasterizer for the first picture that needs it. Errors of opening it are thrown by that picture.
    init(openingWhenNeeded device: Device, budget: CacheBudget) {
        frames = FrameRenderer(budget: budget) { () throws(GPUError) in try Context.make(device) }
    }

    private static func frames(device: Device?, requireGPU: Bool, budget: CacheBudget) throws(GPUError) -> FrameRenderer {
        try FrameRenderer(Context.make(.chosen(device), requireGPU: requireGPU), budget: budget)
    }

    /// The time in seconds that a picture waits for tile sources that do not answer. The picture first waits for vector tiles, during
    /// layout, and then for raster tiles, during drawing. Tiles that arrive later are missing from the picture, and a diagnostic reports
    /// this. When the time is used up, each further source still gets one second. Default 20.
    public var tileTimeout: Double {
        get { frames.tileTimeout }
        set { frames.tileTimeout = newValue }
    }

    /// The maximum number of bytes cached between pictures.
    public var cacheBytes: Int { frames.budget.byteLimit }

    /// The estimated number of cached bytes, on the device and in memory. It includes the layout of each map whose last picture this
    /// renderer drew, and the fonts, glyphs and decoded pixels that all renderers of the process share. It does not include the memory of
    /// the driver and of the maps themselves.
    public var keptBytes: Int { frames.keptBytes }

    /// Makes the device unusable, as a reset of the GPU does. Used by tests.
    package func loseDevice() { try? frames.context.lose() }

    /// The number of bytes in the caches of this renderer, for tests.
    package var ownKeptBytes: Int { frames.ownKeptBytes }

    /// Frees all caches, and returns free memory to the system. The next picture of each map then takes as long as the map's first picture
    /// did. The pixels of pictures do not change.
    public func purge() {
        frames.purge()
        ProcessHeap.trim()
    }

    /// Draws a few pixels on the device, so that the shaders are compiled before the first picture.
    func warmUp() throws(GPUError) {
        var frame = Frame(width: 8, height: 8)
        frame.images = [FrameImage(key: 0, name: "warm-up", bitmap: Bitmap(width: 2, height: 2, fill: .red))]
        // Not pixel for pixel, which would be drawn in memory.
        frame.sprites = [Sprite(x: 1.5, y: 1, across: (2, 0), down: (0, 2), image: 0, sampling: .nearest)]
        frame.commands = [.sprites(0..<1, .nearest)]
        _ = try frames.render(frame)
    }

    /// The name of the OpenGL renderer, such as `llvmpipe (LLVM 15.0.6, 256 bits)`.
    public var deviceName: String { (try? frames.context.info.renderer) ?? "" }

    /// Draws a map in its present state.
    /// - Throws: `RenderError.range` if the camera, the size or the pixel ratio is out of range; `RenderError.fonts` if the map has texts
    ///   but no fonts are available; `RenderError.device` if the GPU fails.
    public func render(_ mapView: MapView) throws(RenderError) -> Picture {
        var picture = Picture()
        try render(mapView, into: &picture)
        return picture
    }

    /// Draws a map in its present state into an existing picture. The picture's memory is reused if the size is the same, which saves
    /// about a millisecond per million pixels.
    public func render(_ mapView: MapView, into picture: inout Picture) throws(RenderError) {
        try render(MapFrame(mapView, tileTimeout: tileTimeout), into: &picture)
    }

    /// Draws a frame. The picture shows the map as it was when the frame was made.
    /// - Throws: `RenderError.device` if the GPU cannot draw it.
    public func render(_ frame: MapFrame) throws(RenderError) -> Picture {
        var picture = Picture()
        try render(frame, into: &picture)
        return picture
    }

    /// Draws a frame into an earlier picture. The picture's memory is reused if the size is the same.
    package func render(_ map: consuming MapFrame, into picture: inout Picture) throws(RenderError) {
        picture.camera = map.camera
        picture.diagnostics = map.diagnostics
        let found = try draw(map) { (frame: consuming Frame, number, waited) throws(GPUError) in
            try frames.render(frame, into: &picture.bitmap, picture: number, waited: waited)
        }
        picture.diagnostics += found
    }

    /// Draws a frame into a buffer of the frame's size.
    /// - Returns: The diagnostics of the picture.
    package func render(_ map: consuming MapFrame, into buffer: PixelBuffer) throws(RenderError) -> [Diagnostic] {
        let found = map.diagnostics
        return try found
            + draw(map) { (frame: consuming Frame, number, waited) throws(GPUError) in
                try frames.render(frame, into: buffer, picture: number, waited: waited)
            }
    }

    /// Draws a frame. Whole pictures, pictures in bands and tiles are all drawn by this function.
    /// - Parameter take: Draws the primitives of the picture with the given number, and takes the pixels. The last argument is the time
    ///   that the layout has waited for tiles in vain.
    /// - Returns: The diagnostics of drawing, without the layout's.
    func draw(
        _ map: consuming MapFrame, _ take: (consuming Frame, _ number: UInt64, _ waited: Duration) throws(GPUError) -> Void
    ) throws(RenderError) -> [Diagnostic] {
        let start = ContinuousClock.now
        map.caches?.move(to: frames.budget)
        do throws(GPUError) {
            // The frame is passed on as the only copy, so that sprites can be hidden in it without first copying a million of them.
            try take(map.frame.take(), map.number, map.waited)
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
    /// The pixels of the picture.
    public internal(set) var bitmap = Bitmap(width: 0, height: 0)
    /// The camera of the picture.
    public internal(set) var camera = Camera()
    /// Diagnostics about everything that could not be drawn as requested. Everything else is in the picture.
    public internal(set) var diagnostics: [Diagnostic] = []

    /// Creates an empty picture to draw into.
    public init() {}

    /// The width in device pixels.
    public var width: Int { bitmap.width }
    /// The height in device pixels.
    public var height: Int { bitmap.height }

    /// The picture encoded as a PNG file.
    public func pngData() throws(ImagingError) -> Data {
        Data(try encoded(as: .png))
    }

    /// Writes the picture to a file atomically. The extension of the file name determines the default format.
    /// - Throws: `ImagingError` if the file cannot be written, or if the URL is not a file URL.
    public func write(
        to url: URL, as format: ImageFormat? = nil, options: EncodingOptions = EncodingOptions()
    ) throws(ImagingError) {
        guard url.isFileURL else { throw ImagingError(.noFile, path: url.absoluteString) }
        try write(to: url.path, as: format, options: options)
    }

    /// Writes the picture to a file atomically. The extension of the file name determines the default format.
    /// - Throws: `ImagingError` if no format is given and the extension is unknown, if the format cannot hold the picture, or if the file
    ///   cannot be written.
    public func write(
        to path: String, as format: ImageFormat? = nil, options: EncodingOptions = EncodingOptions()
    ) throws(ImagingError) {
        try bitmap.write(to: path, as: format, options: Self.withThreads(options))
    }

    /// Encodes the picture as a file in the given format.
    public func encoded(as format: ImageFormat, options: EncodingOptions = EncodingOptions()) throws(ImagingError) -> [UInt8] {
        try bitmap.encoded(as: format, options: Self.withThreads(options))
    }

    /// The options with a number of encoding threads. If they have none, the number of drawing threads is used, so that one variable limits
    /// both in a batch.
    package static func withThreads(_ options: EncodingOptions) -> EncodingOptions {
        var options = options
        options.threadCount = options.threadCount ?? ProcessorCount.usualThreadCount
        return options
    }
}

/// The reason why a map could not be drawn.
public enum RenderError: Error, Sendable {
    /// The camera, the size, the pixel ratio or `cacheBytes` is out of range.
    case range(PropertyError)
    /// The map is already being laid out: a delegate or a `ContentDrawing` that was called during layout tried to render it.
    case reentered
    /// The map has texts, but no fonts are available.
    case fonts(FontError)
    /// The machine lacks a required component, such as a driver, or the GPU cannot draw the picture.
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
