import WaymarkFrame

/// Sprites of a frame being put together, from bottom to top, in runs that are read alike.
struct SpriteList {
    private(set) var sprites: [Sprite] = []
    private(set) var commands: [Command] = []
    private(set) var images: [FrameImage] = []
    private var runStart = 0
    private var sampling = Sampling.nearest
    /// Indices in `images` by raster, or -1, and by the keys of other images.
    private var rasterIndices: [Int32]
    private var otherIndices: [UInt64: UInt32] = [:]
    private let rasters: [FrameImage]

    init(rasters: [FrameImage]) {
        self.rasters = rasters
        rasterIndices = [Int32](repeating: -1, count: rasters.count)
    }

    /// An icon, whose `image` counts in the rasters.
    mutating func append(icon: Sprite) {
        let raster = Int(icon.image)
        if rasterIndices[raster] < 0 {
            rasterIndices[raster] = Int32(images.count)
            images.append(rasters[raster])
        }
        var icon = icon
        icon.image = UInt32(rasterIndices[raster])
        append(icon)
    }

    /// An image laid on whole device pixels, texel for pixel.
    mutating func append(_ image: FrameImage, x: Int, y: Int, alpha: Float) {
        guard image.bitmap.width > 0, image.bitmap.height > 0 else { return }
        let index = otherIndices[image.key] ?? UInt32(images.count)
        if Int(index) == images.count {
            otherIndices[image.key] = index
            images.append(image)
        }
        append(
            Sprite(
                x: Float(x), y: Float(y), across: (Float(image.bitmap.width), 0), down: (0, Float(image.bitmap.height)), alpha: alpha,
                image: Int(index), sampling: .nearest))
    }

    /// A shape of the frame, or a group of models.
    mutating func append(_ entry: ShapeDrawing.Entry, _ models: ModelDrawing) {
        finishRun()
        commands.append(entry, models)
    }

    mutating func begin(_ group: Group) {
        finishRun()
        commands.append(.beginGroup(group))
    }

    mutating func endGroup() {
        finishRun()
        commands.append(.endGroup)
    }

    mutating func finishRun() {
        if sprites.count > runStart { commands.append(.sprites(runStart..<sprites.count, sampling)) }
        runStart = sprites.count
    }

    private mutating func append(_ sprite: Sprite) {
        if sprite.sampling != sampling {
            finishRun()
            sampling = sprite.sampling
        }
        sprites.append(sprite)
    }
}
