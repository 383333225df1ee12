import WaymarkGPU
import WaymarkImaging
import WaymarkRaster

/// The parts of a renderer that draw on its device: a context with pipelines, textures and targets.
final class DeviceParts {
    let context: Context
    let atlas: ImageAtlas
    let sprites: SpritePipeline
    let meshes: MeshPipeline
    let tiles: TilePipeline
    let tileTextures: TileTextures
    let paths: PathPainter
    let layers: PathLayer
    let targets: TargetPool
    /// All caches of the parts.
    var evictable: [any BudgetedCache] { [atlas, layers, tileTextures, sprites, targets] + meshes.resources.evictable }
    /// The number of draw calls in the last frame.
    var drawCount: Int { sprites.drawCount + meshes.drawCount + tiles.drawCount }

    /// - Parameter caches: The caches that the parts ask for room. The parts' own caches must be added to them.
    init(_ context: Context, _ caches: RendererCaches, _ paths: PathPainter, _ options: FrameRenderer.Options) throws(GPUError) {
        self.context = context
        self.paths = paths
        atlas = ImageAtlas(context, caches, bytesAtOnce: options.imageBytesAtOnce)
        layers = PathLayer(context, caches, paths, mostPixels: options.pathTilePixels)
        let resources = MeshResources(context, caches)
        tileTextures = TileTextures(context, caches)
        (sprites, meshes, tiles, targets) = try context.withCurrent { () throws(GPUError) in
            let sprites = try SpritePipeline(context, submission: options.submission)
            return (sprites, try MeshPipeline(context, resources: resources), try TilePipeline(context, sprites), TargetPool(context))
        }
    }

    /// Clears and reads a few pixels. A driver that could not start its threads waits for them here.
    func tryDrawing() throws(GPUError) {
        try context.withCurrent { () throws(GPUError) in
            let target = try Target(context, width: 8, height: 8)
            try target.clear()
            _ = try target.pixels()
        }
    }

    func resetDrawCounts() { (sprites.drawCount, meshes.drawCount, tiles.drawCount) = (0, 0, 0) }
}
