import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRaster
import WaymarkSystem
import WaymarkTiles

/// Draws frames into bitmaps. It knows primitives and OpenGL, but no overlays.
///
/// A renderer of a software rasterizer opens it for the first frame that needs it. Many frames consist of paths, and images pixel for pixel,
/// which are drawn in memory.
package final class FrameRenderer {
    let paths: PathPainter
    let caches: RendererCaches
    private let opacities: ImageOpacities
    private let options: Options
    private let open: OpenParts
    /// The parts on the device, if it is open.
    private(set) var opened: DeviceParts?
    /// Whether the device is a software rasterizer, for which drawing is tuned.
    private(set) var isSoftware: Bool
    /// Whether hidden sprites are culled before drawing. Default: only on a software rasterizer.
    package var isCulling: Bool
    /// The number of draw calls in the last frame, for tests.
    package var drawCount: Int { opened?.drawCount ?? 0 }
    /// The bytes of meshes and their textures on the GPU, for tests.
    package var meshByteCount: Int { opened?.meshes.resources.byteCount ?? 0 }
    /// The number of times that the atlas was repacked, for tests.
    package var atlasRepacks: Int { opened?.atlas.repacks ?? 0 }
    /// Whether to wait for drawing before reading back, so that both can be timed. Default false.
    package var isTiming = false
    /// The time for reading back the last frame, if `isTiming`.
    package internal(set) var readBackTime = Duration.zero
    /// The parts of the last frame that the device draws with lower quality than the frame requests.
    package internal(set) var shortfalls: [Shortfall] = []
    /// The tiles of the last frame that could not be drawn because of their source or image.
    package internal(set) var refusedTiles: [RefusedTile] = []
    /// The time limit for loading the tiles of a frame, in seconds; late tiles are left out. Default 20.
    package var tileTimeout = TileDeadline.usualSeconds
    /// The deadline for the tiles of the current frame.
    var tileDeadline = TileDeadline(seconds: 0)

    /// Makes the parts on the device.
    private typealias OpenParts = (RendererCaches, PathPainter, Options) throws(GPUError) -> DeviceParts

    /// Settings for tests.
    struct Options {
        var submission: SpriteSubmission?
        var imageBytesAtOnce = 64 << 20
        var pathTilePixels = 4 << 20
    }

    /// Creates a renderer of an open device.
    /// - Parameters:
    ///   - submission: How sprites are submitted; nil for the faster way on the device.
    ///   - budget: The limit for the renderer's caches, including the layouts of the maps that it draws.
    ///   - imageBytesAtOnce: The maximum number of bytes of sprite images that are on the device together. More images are uploaded in
    ///     turn. Default 64 MiB.
    ///   - pathTilePixels: The maximum number of pixels of paths rasterized in one piece. Default 4 Mi.
    package convenience init(
        _ context: Context, submission: SpriteSubmission? = nil, budget: CacheBudget = CacheBudget(), imageBytesAtOnce: Int? = nil,
        pathTilePixels: Int? = nil
    ) throws(GPUError) {
        var options = Options(submission: submission)
        if let imageBytesAtOnce { options.imageBytesAtOnce = imageBytesAtOnce }
        if let pathTilePixels { options.pathTilePixels = pathTilePixels }
        self.init(isSoftware: context.isTunedForSoftware, budget, options) { (caches, paths, options) throws(GPUError) in
            try DeviceParts(context, caches, paths, options)
        }
        _ = try device
    }

    /// Creates a renderer that opens a software rasterizer for the first frame that needs it, with the time limit of `DriverThread`.
    /// - Parameter open: Opens the context, on another thread. It is called again for the next such frame if opening fails.
    package convenience init(
        budget: CacheBudget, openingSoftwareWhenNeeded open: @escaping @Sendable () throws(GPUError) -> Context
    ) {
        self.init(isSoftware: true, budget, Options()) { (caches, paths, options) throws(GPUError) in
            // Unchecked: the parts only keep these objects while they are made, and use them later on the renderer's thread.
            nonisolated(unsafe) let (caches, paths) = (caches, paths)
            return try DriverThread.run { () throws(GPUError) in
                let parts = try DeviceParts(open(), caches, paths, options)
                try parts.tryDrawing()
                return parts
            }
        }
    }

    private init(isSoftware: Bool, _ budget: CacheBudget, _ options: Options, _ open: @escaping OpenParts) {
        let caches = RendererCaches(budget)
        self.caches = caches
        self.options = options
        self.open = open
        self.isSoftware = isSoftware
        opacities = ImageOpacities { [unowned caches] in caches.makeRoom(for: $0) }
        caches.add(opacities)
        isCulling = isSoftware
        paths = PathPainter(threadCount: ProcessorCount.usualThreadCount)
    }

    /// The context. The device is opened if it is not yet open.
    package var context: Context {
        get throws(GPUError) { try device.context }
    }

    /// The parts on the device, which is opened if it is not yet open.
    var device: DeviceParts {
        get throws(GPUError) {
            if let opened { return opened }
            let parts = try open(caches, paths, options)
            parts.evictable.forEach(caches.add)
            opened = parts
            if parts.context.isTunedForSoftware != isSoftware {
                isSoftware = parts.context.isTunedForSoftware
                isCulling = isSoftware
            }
            return parts
        }
    }

    /// The number of bytes kept between frames, including the layouts in the budget and the process's caches.
    package var keptBytes: Int { caches.keptBytes }
    /// The bytes in the caches of this renderer, for tests.
    package var ownKeptBytes: Int { caches.ownKeptBytes }

    /// The limit on the bytes kept between frames.
    package var budget: CacheBudget { caches.budget }

    /// Frees all caches.
    package func purge() {
        caches.purge()
        // Errors of the driver are thrown by the next frame.
        try? opened?.context.finish()
    }

    /// Adds a cache to the budget.
    package func keep(_ cache: any BudgetedCache) { caches.add(cache) }

    /// Removes a cache from the budget.
    package func release(_ cache: any BudgetedCache) { caches.remove(cache) }

    /// Draws a frame that the device can draw in one piece.
    /// - Parameter buffer: A picture of the frame's size; its pixels are replaced.
    func renderWhole(_ frame: consuming Frame, into buffer: PixelBuffer) throws(GPUError) {
        // Hidden pixels cost the software rasterizer time. A GPU draws them faster than they can be found, unless there are more images
        // than fit on it together.
        let isOverfull = !ImageAtlas.fit(frame.images, in: options.imageBytesAtOnce)
        var frame = isCulling || isOverfull ? frame.culled(density: isOverfull ? 0 : Frame.cullingDensity, opacities) : frame
        opened?.resetDrawCounts()
        let bottom = frame.bottom
        let limits = MemoryLimits(isSoftware: isSoftware)
        let isOfManyImages = isSoftware && frame.hasOnlyManyImages && frame.isDrawnInMemory(from: 0, .forManyImages)
        // Meshes alone are drawn into the device's picture, which is faster than compositing them.
        let hasMeshes = !frame.meshInstances.isEmpty
        if isOfManyImages || (bottom.count > 0 || isSoftware && !hasMeshes) && frame.isDrawnInMemory(from: bottom.count, limits) {
            if hasMeshes { frame.adapt(to: try context.info, &shortfalls) }
            paths.draw(bottom.paths, of: frame, under: bottom.sky, into: buffer)
            return try draw(frame, from: bottom.count, under: bottom.sky, into: buffer)
        }
        let device = try device
        frame.adapt(to: device.context.info, &shortfalls)
        let shownTiles = try device.tileTextures.find(frame, deadline: tileDeadline)
        refusedTiles += device.tileTextures.refusals
        let tilted = frame.tiltedTiles
        if !tilted.runs.isEmpty, device.tileTextures.paintsTiles(.mipmapped), frame.isDrawnInMemory(from: tilted.count, limits) {
            return try draw(tilted, of: frame, try device.tileTextures.place(shownTiles), into: buffer)
        }
        try device.context.withCurrent { () throws(GPUError) in
            // Images that do not fit on the GPU together are uploaded in turn.
            let shown = frame.shownImages
            let images = ImageAtlas.fit(shown, in: options.imageBytesAtOnce) ? try device.atlas.prepare(shown) : nil
            caches.makeRoom(for: frame.width * frame.height * 8)
            let target = try device.targets.take(
                width: frame.width, height: frame.height, isSwapped: device.context.prefersSwappedTargets)
            defer { device.targets.give(back: target) }
            // Paths at the bottom are composited onto the background in memory. They are rounded only once, and are the same on every
            // device.
            if bottom.count > 0 { try target.clear() } else { try target.clear(SIMD4(frame.background)) }
            var painter = FramePainter(device, frame, images, try device.tileTextures.place(shownTiles), target)
            try painter.paint()
            try read(target, device.context, into: UnsafeMutableRawBufferPointer(buffer.pixels))
        }
    }

    /// Reads the pixels of a target, and measures how long that takes if requested.
    private func read(_ target: Target, _ context: Context, into memory: UnsafeMutableRawBufferPointer) throws(GPUError) {
        guard isTiming else { return try target.read(into: memory) }
        try context.finish()
        let start = ContinuousClock.now
        try target.read(into: memory)
        readBackTime += ContinuousClock.now - start
    }
}

extension FrameRenderer {
    /// Draws a frame that consists of tilted tiles and of what is drawn in memory above them.
    private func draw(
        _ tilted: Frame.TiltedTiles, of frame: Frame, _ regions: [TileRegion?], into buffer: PixelBuffer
    ) throws(GPUError) {
        guard let first = buffer.pixels.baseAddress else { return }
        let whole = PixelRect(x: 0, y: 0, width: frame.width, height: frame.height)
        let painter = TilePainter(tilted.runs, of: frame, regions, in: whole)
        painter.paint(first, background: UInt32(premultiplied: frame.background), under: tilted.sky, threads: paths.threadCount)
        try draw(frame, from: tilted.count, under: tilted.sky, into: buffer)
    }

    /// Draws a group of meshes by itself.
    /// - Parameter memory: Receives the premultiplied pixels of the group.
    func draw(
        _ group: Group, _ commands: ArraySlice<Command>, of frame: Frame, under sky: FrameSky?, into memory: UnsafeMutableRawBufferPointer
    ) throws(GPUError) {
        guard let depths = group.depths else { return }
        let device = try device
        let (meshes, context) = (device.meshes, device.context)
        try context.withCurrent { () throws(GPUError) in
            let target = try device.targets.take(
                width: group.bounds.width, height: group.bounds.height, samples: group.samples > 1 ? group.samples : 0,
                depth: meshes.depthBuffer)
            defer { device.targets.give(back: target) }
            try target.clear()
            let state = MeshPassState(
                target: target, camera: FrameCamera(frame, region: group.bounds), depths: depths,
                sky: sky.map { SkyUniforms($0, of: frame, group.bounds) })
            for case .meshes(let range, let blending) in commands { try meshes.draw(range, blending, of: frame, state) }
            try read(target, context, into: memory)
        }
    }
}

extension Frame {
    /// The images that sprites show, by index. Images that are hidden, or that only meshes show, are empty here.
    fileprivate var shownImages: [FrameImage] {
        var isShown = [Bool](repeating: false, count: images.count)
        for sprite in sprites { isShown[Int(sprite.image)] = true }
        return zip(images, isShown).map { image, isShown in isShown ? image : image.withoutPixels }
    }
}

extension SIMD4<Float> {
    /// A color as stored: premultiplied, in steps of 1/255.
    init(_ color: Color) {
        let bytes = color.premultipliedBytes
        self = SIMD4(Float(bytes.red), Float(bytes.green), Float(bytes.blue), Float(bytes.alpha)) / 255
    }
}
