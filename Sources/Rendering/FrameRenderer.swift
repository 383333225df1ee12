import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRaster
import WaymarkSystem
import WaymarkTiles

/// Draws frames into bitmaps. It knows primitives and OpenGL, but no overlays.
package final class FrameRenderer {
    package let context: Context
    let atlas: ImageAtlas
    let sprites: SpritePipeline
    let meshes: MeshPipeline
    let tiles: TilePipeline
    let tileTextures: TileTextures
    let paths: PathPainter
    let layers: PathLayer
    let targets: TargetPool
    let caches: RendererCaches
    private let opacities: ImageOpacities
    /// Whether hidden sprites are culled before drawing. Default: only on a software rasterizer.
    package var isCulling: Bool
    /// The number of draw calls in the last frame, for tests.
    package var drawCount: Int { sprites.drawCount + meshes.drawCount + tiles.drawCount }
    /// The bytes of meshes and their textures on the GPU, for tests.
    package var meshByteCount: Int { meshes.resources.byteCount }
    /// The number of times that the atlas was repacked, for tests.
    package var atlasRepacks: Int { atlas.repacks }
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

    /// - Parameters:
    ///   - submission: How sprites are submitted; nil for the faster way on the device.
    ///   - budget: The limit for the renderer's caches, including the layouts of the maps that it draws.
    ///   - imageBytesAtOnce: The maximum number of bytes of sprite images that are on the device together. More images are uploaded in
    ///     turn.
    ///   - pathTilePixels: The maximum number of pixels of paths rasterized in one piece.
    package init(
        _ context: Context, submission: SpriteSubmission? = nil, budget: CacheBudget = CacheBudget(), imageBytesAtOnce: Int = 64 << 20,
        pathTilePixels: Int = 4 << 20
    ) throws(GPUError) {
        self.context = context
        let caches = RendererCaches(budget)
        self.caches = caches
        opacities = ImageOpacities { [unowned caches] in caches.makeRoom(for: $0) }
        caches.add(opacities)
        atlas = ImageAtlas(context, caches, bytesAtOnce: imageBytesAtOnce)
        isCulling = context.isTunedForSoftware
        paths = PathPainter(threadCount: ProcessorCount.usualThreadCount)
        layers = PathLayer(context, caches, paths, mostPixels: pathTilePixels)
        let resources = MeshResources(context, caches)
        tileTextures = TileTextures(context, caches)
        (sprites, meshes, tiles, targets) = try context.withCurrent { () throws(GPUError) in
            let sprites = try SpritePipeline(context, caches, submission: submission)
            return (
                sprites, try MeshPipeline(context, resources: resources), try TilePipeline(context, sprites), TargetPool(context, caches)
            )
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
        try? context.finish()
    }

    /// Adds a cache to the budget.
    package func keep(_ cache: any BudgetedCache) { caches.add(cache) }

    /// Removes a cache from the budget.
    package func release(_ cache: any BudgetedCache) { caches.remove(cache) }

    /// Draws a frame that the device can draw in one piece, and reads it back into a bitmap, whose memory is reused if it has the frame's
    /// size.
    func renderWhole(_ frame: consuming Frame, into bitmap: inout Bitmap) throws(GPUError) {
        // Hidden pixels cost the software rasterizer time. A GPU draws them faster than they can be found, unless there are more images
        // than fit on it together.
        let isOverfull = !atlas.fits(frame.images)
        var frame = isCulling || isOverfull ? frame.culled(density: isOverfull ? 0 : Frame.cullingDensity, opacities) : frame
        frame.adapt(to: context.info, &shortfalls)
        if bitmap.width != frame.width || bitmap.height != frame.height {
            bitmap = Bitmap(width: frame.width, height: frame.height)
        }
        (sprites.drawCount, meshes.drawCount, tiles.drawCount) = (0, 0, 0)
        let bottom = frame.bottom
        let limits = MemoryLimits(isSoftware: context.isTunedForSoftware)
        let isOfManyImages = context.isTunedForSoftware && frame.hasOnlyManyImages && frame.isDrawnInMemory(from: 0, .forManyImages)
        if isOfManyImages || bottom.count > 0 && frame.isDrawnInMemory(from: bottom.count, limits) {
            // No device is needed: the frame has a sky or paths with images pixel for pixel above them, or many images alone.
            paths.draw(bottom.paths, of: frame, under: bottom.sky, into: &bitmap)
            try frame.draw(from: bottom.count, with: paths, under: bottom.sky, into: &bitmap) {
                group, commands, memory throws(GPUError) in
                try draw(group, commands, of: frame, under: bottom.sky, into: memory)
            }
            return
        }
        let tilted = frame.tiltedTiles
        if !tilted.runs.isEmpty, tileTextures.paintsTiles(.mipmapped),
            frame.isDrawnInMemory(from: tilted.count, limits)
        {
            return try renderTiltedTiles(frame, into: &bitmap)
        }
        let shownTiles = try tileTextures.find(frame, deadline: tileDeadline)
        refusedTiles += tileTextures.refusals
        try context.withCurrent { () throws(GPUError) in
            // Images that do not fit on the GPU together are uploaded in turn.
            let shown = frame.shownImages
            let images = atlas.fits(shown) ? try atlas.prepare(shown) : nil
            caches.makeRoom(for: frame.width * frame.height * 8)
            let target = try targets.take(width: frame.width, height: frame.height, isSwapped: context.prefersSwappedTargets)
            defer { targets.give(back: target) }
            // Paths at the bottom are composited onto the background in memory. They are rounded only once, and are the same on every
            // device.
            if bottom.count > 0 { try target.clear() } else { try target.clear(SIMD4(frame.background)) }
            var painter = FramePainter(self, frame, images, try tileTextures.place(shownTiles), target)
            try painter.paint()
            let read = bitmap.withUnsafeMutablePixels { pixels in
                Result { () throws(GPUError) in try self.read(target, into: UnsafeMutableRawBufferPointer(pixels)) }
            }
            try read.get()
        }
    }

    /// Reads the pixels of a target, and measures how long that takes if requested.
    private func read(_ target: Target, into memory: UnsafeMutableRawBufferPointer) throws(GPUError) {
        guard isTiming else { return try target.read(into: memory) }
        try context.finish()
        let start = ContinuousClock.now
        try target.read(into: memory)
        readBackTime += ContinuousClock.now - start
    }
}

extension FrameRenderer {
    /// Draws a frame that consists of tilted tiles and of what is drawn in memory above them.
    private func renderTiltedTiles(_ frame: Frame, into bitmap: inout Bitmap) throws(GPUError) {
        let shown = try tileTextures.find(frame, deadline: tileDeadline)
        refusedTiles += tileTextures.refusals
        (sprites.drawCount, meshes.drawCount, tiles.drawCount) = (0, 0, 0)
        let tilted = frame.tiltedTiles
        let whole = PixelRect(x: 0, y: 0, width: frame.width, height: frame.height)
        let painter = TilePainter(tilted.runs, of: frame, try tileTextures.place(shown), in: whole)
        let threads = paths.threadCount
        bitmap.withUnsafeMutablePixels { pixels in
            UnsafeMutableRawBufferPointer(pixels).withMemoryRebound(to: UInt32.self) { pixels in
                guard let first = pixels.baseAddress else { return }
                painter.paint(first, background: UInt32(premultiplied: frame.background), under: tilted.sky, threads: threads)
            }
        }
        try frame.draw(from: tilted.count, with: paths, under: tilted.sky, into: &bitmap) {
            group, commands, memory throws(GPUError) in
            try draw(group, commands, of: frame, under: tilted.sky, into: memory)
        }
    }

    /// Draws a group of meshes by itself.
    /// - Parameter memory: Receives the premultiplied pixels of the group.
    private func draw(
        _ group: Group, _ commands: ArraySlice<Command>, of frame: Frame, under sky: FrameSky?, into memory: UnsafeMutableRawBufferPointer
    ) throws(GPUError) {
        guard let depths = group.depths else { return }
        try context.withCurrent { () throws(GPUError) in
            let target = try targets.take(
                width: group.bounds.width, height: group.bounds.height, samples: group.samples > 1 ? group.samples : 0,
                depth: meshes.depthBuffer)
            defer { targets.give(back: target) }
            try target.clear()
            let state = MeshPassState(
                target: target, camera: FrameCamera(frame, region: group.bounds), depths: depths,
                sky: sky.map { SkyUniforms($0, of: frame, group.bounds) })
            for case .meshes(let range, let blending) in commands { try meshes.draw(range, blending, of: frame, state) }
            try read(target, into: memory)
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
    fileprivate init(_ color: Color) {
        let bytes = color.premultipliedBytes
        self = SIMD4(Float(bytes.red), Float(bytes.green), Float(bytes.blue), Float(bytes.alpha)) / 255
    }
}
