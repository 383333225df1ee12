import WaymarkFrame
import WaymarkGPU
import WaymarkImaging
import WaymarkRaster

/// The memory in which paths are drawn, and the texture that transfers them to the target, in tiles of bounded size that all runs reuse.
final class PathLayer: SingleCache {
    private let context: Context
    // The renderer owns the caches, and they own this object.
    private unowned let caches: RendererCaches
    /// The painter, whose memory is kept and freed together with the layer's.
    private let painter: PathPainter
    private var pixels: UnsafeMutablePointer<UInt32>?
    private var capacity = 0
    /// The texture, with the last tile in its upper left corner.
    private(set) var texture: Texture?

    /// The maximum number of pixels of a tile. Each takes 4 bytes in memory, and 4 bytes in the texture.
    private let mostPixels: Int
    private let longestSide: Int

    init(_ context: Context, _ caches: RendererCaches, _ painter: PathPainter, mostPixels: Int) {
        self.context = context
        self.caches = caches
        self.painter = painter
        self.mostPixels = mostPixels
        longestSide = context.info.maxTextureSize
        super.init()
    }

    override var keptBytes: Int { capacity * 4 + (texture.map { $0.width * $0.height * 4 } ?? 0) + painter.keptBytes }

    override func clear() {
        pixels?.deallocate()
        (pixels, capacity, texture) = (nil, 0, nil)
        painter.clear()
    }

    deinit { pixels?.deallocate() }

    /// Divides a rectangle into tiles.
    func tiles(_ rect: PixelRect) -> [PixelRect] {
        let width = min(rect.width, longestSide, mostPixels)
        let height = min(rect.height, longestSide, max(1, mostPixels / width))
        return stride(from: rect.y, to: rect.y + rect.height, by: height).flatMap { y in
            stride(from: rect.x, to: rect.x + rect.width, by: width).map { x in
                PixelRect(
                    x: x, y: y, width: min(width, rect.x + rect.width - x), height: min(height, rect.y + rect.height - y))
            }
        }
    }

    /// Draws a tile in memory and uploads it.
    /// - Parameter body: Draws into the tile's pixels. It receives the first pixel, and rows are contiguous.
    /// - Returns: The parts of the tile to draw, in pixels of the tile. If the background is transparent, these are only the occupied
    ///   parts.
    func draw(
        _ tile: PixelRect, background: UInt32, _ body: (UnsafeMutablePointer<UInt32>) -> Void
    ) throws(GPUError) -> [PixelRect] {
        use()
        let count = tile.width * tile.height
        if capacity < count {
            caches.makeRoom(for: 8 * count)
            pixels?.deallocate()
            pixels = .allocate(capacity: count)
            capacity = count
        }
        guard let pixels else { return [] }
        pixels.initialize(repeating: background, count: count)
        body(pixels)
        if texture.map({ $0.width < tile.width || $0.height < tile.height }) ?? true {
            texture = nil
            texture = try Texture(context, width: context.textureSide(tile.width), height: context.textureSide(tile.height))
        }
        let whole = PixelRect(x: 0, y: 0, width: tile.width, height: tile.height)
        let parts = background == 0 ? OccupiedCells.rectangles(pixels, width: tile.width, height: tile.height) : [whole]
        if !parts.isEmpty { try texture?.upload(UnsafeRawBufferPointer(start: pixels, count: count * 4), to: whole) }
        return parts
    }
}
