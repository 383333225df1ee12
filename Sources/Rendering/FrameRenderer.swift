import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRaster

/// Turns frames into pixels. It knows primitives and OpenGL, and no overlay.
package final class FrameRenderer {
    package let context: Context
    let atlas: ImageAtlas
    let sprites: SpritePipeline
    let meshes: MeshPipeline
    let paths: PathPainter
    let layers: PathLayer
    let targets: TargetPool
    private let opacities = ImageOpacities()
    /// Whether what is hidden is left out before it is drawn. Default on the software rasteriser.
    package var isCulling: Bool
    /// Draw calls issued for the last frame: what tests count.
    package var drawCount: Int { sprites.drawCount + meshes.drawCount }
    /// Bytes of meshes and their textures on the GPU: what tests count.
    package var meshByteCount: Int { meshes.resources.byteCount }
    /// How often images were laid out anew: what tests count.
    package var atlasRepacks: Int { atlas.repacks }
    /// Whether drawing is waited for before pixels are read back, so that the time of each is known. Default false.
    package var isTiming = false
    /// How long reading the last frame's pixels back took, when `isTiming`.
    package internal(set) var readBackTime = Duration.zero
    /// How many threads draw paths at most. Their number changes no pixel.
    package var pathThreads: Int {
        get { paths.threadCount }
        set { paths.threadCount = max(1, newValue) }
    }

    package convenience init(_ context: Context) throws(GPUError) {
        try self.init(context, submission: nil)
    }

    /// - Parameters:
    ///   - submission: nil takes what is faster on the device.
    ///   - imageByteLimit: The most bytes of textures for images, and as many of those for meshes; at least a megabyte.
    ///   - meshByteLimit: The most bytes of meshes that are kept from frame to frame.
    ///   - pathTilePixels: The most pixels of paths that are drawn in memory at once.
    package init(
        _ context: Context, submission: SpriteSubmission?, imageByteLimit: Int = 256 << 20, meshByteLimit: Int = 512 << 20,
        pathTilePixels: Int = 4 << 20
    ) throws(GPUError) {
        self.context = context
        atlas = ImageAtlas(context, byteLimit: imageByteLimit)
        isCulling = context.info.isSoftware
        paths = PathPainter(threadCount: Self.usualThreadCount)
        layers = PathLayer(context, mostPixels: pathTilePixels)
        let resources = MeshResources(context, meshByteLimit: meshByteLimit, textureByteLimit: imageByteLimit)
        (sprites, meshes, targets) = try context.withCurrent { () throws(GPUError) in
            (
                try SpritePipeline(context, submission: submission), try MeshPipeline(context, resources: resources),
                TargetPool(context)
            )
        }
    }

    /// Draws a frame that the device can draw at once and reads it back into a bitmap, whose memory is used again when it is of the
    /// frame's size.
    func renderWhole(_ frame: consuming Frame, into bitmap: inout Bitmap) throws(GPUError) {
        // Hidden pixels are the software rasteriser's cost; a GPU draws them faster than they are found.
        let frame = isCulling ? frame.culled(opacities) : frame
        if bitmap.width != frame.width || bitmap.height != frame.height {
            bitmap = Bitmap(width: frame.width, height: frame.height)
        }
        if case .paths(let range) = frame.commands.first, frame.commands.count == 1 {
            // Nothing that the device draws.
            (sprites.drawCount, meshes.drawCount) = (0, 0)
            paths.draw(range, of: frame, into: &bitmap)
            return
        }
        try context.withCurrent { () throws(GPUError) in
            (sprites.drawCount, meshes.drawCount) = (0, 0)
            meshes.resources.beginFrame()
            defer { meshes.resources.endFrame() }
            // More images than may be on the GPU at once are brought there in turn.
            let shown = frame.spriteImages
            let images = atlas.fits(shown) ? try atlas.prepare(shown) : nil
            let target = try targets.take(width: frame.width, height: frame.height, isSwapped: context.prefersSwappedTargets)
            defer { targets.give(back: target) }
            // Paths at the bottom lie on the background before they are drawn: rounded once, and on every device alike.
            if case .paths = frame.commands.first { try target.clear() } else { try target.clear(SIMD4(frame.background)) }
            var painter = FramePainter(self, frame, images, target)
            try painter.paint()
            if isTiming { try context.finish() }
            let start = isTiming ? ContinuousClock.now : nil
            let read = bitmap.withUnsafeMutablePixels { pixels in
                Result { () throws(GPUError) in try target.read(into: UnsafeMutableRawBufferPointer(pixels)) }
            }
            try read.get()
            if let start { readBackTime += ContinuousClock.now - start }
        }
    }
}

extension Frame {
    /// The images as sprites need them: what meshes alone show has a texture of its own, and is of no size here.
    fileprivate var spriteImages: [FrameImage] {
        guard meshInstances.contains(where: { $0.texture != nil }) else { return images }
        var isForSprites = [Bool](repeating: true, count: images.count)
        for instance in meshInstances { if let texture = instance.texture { isForSprites[Int(texture)] = false } }
        for sprite in sprites { isForSprites[Int(sprite.image)] = true }
        return zip(images, isForSprites).map { image, isNeeded in
            isNeeded ? image : FrameImage(key: image.key, name: image.name, bitmap: Bitmap(width: 0, height: 0))
        }
    }
}

extension SIMD4<Float> {
    /// A colour as it is stored: premultiplied, in steps of 1/255.
    fileprivate init(_ color: Color) {
        let bytes = color.premultipliedBytes
        self = SIMD4(Float(bytes.red), Float(bytes.green), Float(bytes.blue), Float(bytes.alpha)) / 255
    }
}
