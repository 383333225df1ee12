import WaymarkFrame
import WaymarkImaging
import WaymarkScene
import WaymarkText

/// The captions of a map as images. Each is one block, halo and letters together, in pieces that share textures with icons. A piece is
/// rasterized only when a frame shows a pixel of it, because in a dense picture most captions are hidden by others.
///
/// A block is one sprite instead of one per glyph. This needs a tenth of the quads and blended pixels, puts the halo beneath all letters
/// without a separate pass, and lets captions be drawn in the same run as the icons between them. The least recently shown blocks are
/// evicted first.
final class CaptionImages: BudgetedCache {
    /// A reference to a cached block; it becomes stale when the block is evicted.
    struct Handle {
        fileprivate var index: Int32
        fileprivate var serial: UInt32

        static let none = Handle(index: -1, serial: 0)
    }

    /// The cache key: blocks with equal keys have equal pixels.
    private struct BlockKey: Hashable {
        var block: TextBlock
        /// The horizontal subpixel offset to the right, in quarters of a device pixel.
        var phase: Int
    }

    /// It is a class, so that reading thousands of entries per frame copies none of them.
    private final class CachedBlock {
        let key: BlockKey
        let serial: UInt32
        let name: String
        let boxWidth: Int
        let ink: InkBounds
        /// The pieces, row by row. A piece is nil if it has not been visible yet, and an image of size 0 if it has no ink.
        var pieces: [FrameImage?]
        let columns: Int

        init(_ key: BlockKey, serial: UInt32, name: String, boxWidth: Int, ink: InkBounds) {
            self.key = key
            self.serial = serial
            self.name = name
            self.boxWidth = boxWidth
            self.ink = ink
            columns = (ink.width + pieceSide - 1) / pieceSide
            let rows = (ink.height + pieceSide - 1) / pieceSide
            pieces = [FrameImage?](repeating: nil, count: columns * rows)
        }

        /// The approximate size in memory, including the layouts of its texts, which it retains.
        var byteCount: Int {
            let layouts = key.block.parts.reduce(0) { $0 + $1.layout.byteCount }
            return 512 + layouts + pieces.count * (MemoryLayout<FrameImage?>.stride + 160)
        }
    }

    /// The maximum side of a piece in device pixels.
    private static let pieceSide = 512
    private var blocks = LRUCache<BlockKey, CachedBlock>()
    private var lastSerial: UInt32 = 0
    /// The number of pieces that were made, for tests.
    private(set) var madePieces = 0

    var keptBytes: Int { blocks.byteCount }
    var oldestUse: UInt64? { blocks.oldestUse }
    func evict(through picture: UInt64, bytes: Int) { blocks.evict(through: picture, bytes: bytes) }

    /// Whether a handle's block is still cached.
    @inline(__always)
    func has(_ handle: Handle) -> Bool {
        handle.index >= 0 && blocks[Int(handle.index)]?.serial == handle.serial
    }

    /// The block of a text at the given scales, cached or new. Its pieces are rasterized when they become visible.
    /// - Parameters:
    ///   - boxWidth: The width of its box in device pixels.
    ///   - phase: The horizontal subpixel offset in quarters of a device pixel.
    func handle(_ text: CaptionText, _ scales: CaptionBox.Scales, boxWidth: Double, phase: Int, _ fonts: FontLibrary) -> Handle {
        let key = BlockKey(block: text.block(scales, fonts), phase: phase)
        if let known = blocks.index(of: key), let block = blocks[known] { return Handle(index: Int32(known), serial: block.serial) }
        let width = Int(boxWidth)
        let ink = fonts.ink(of: key.block, boxWidth: width, phase: phase)
        lastSerial &+= 1
        let block = CachedBlock(key, serial: lastSerial, name: text.name(hasSub: scales.hasSub), boxWidth: width, ink: ink)
        let index = blocks.insert(block, for: key, byteCount: block.byteCount)
        return Handle(index: Int32(index), serial: lastSerial)
    }

    /// The bounds of a block's pixels, in whole device pixels from the block's upper left.
    func ink(_ handle: Handle) -> InkBounds {
        blocks[Int(handle.index)]?.ink ?? InkBounds(x: 0, y: 0, width: 0, height: 0)
    }

    /// Calls `body` with the image and the upper left pixel of each piece that is visible when the block's upper left is at pixel (x, y) of
    /// a picture.
    func pieces(
        _ handle: Handle, x: Int, y: Int, in picture: (width: Int, height: Int), _ fonts: FontLibrary,
        _ body: (FrameImage, _ x: Int, _ y: Int) -> Void
    ) {
        guard let entry = blocks[Int(handle.index)], entry.columns > 0 else { return }
        blocks.touch(Int(handle.index))
        let side = Self.pieceSide
        let (left, top) = (x + entry.ink.x, y + entry.ink.y)
        let firstColumn = max(0, -left / side)
        let lastColumn = min(entry.columns - 1, (picture.width - 1 - left) / side)
        let firstRow = max(0, -top / side)
        let lastRow = min(entry.pieces.count / entry.columns - 1, (picture.height - 1 - top) / side)
        guard left < picture.width, top < picture.height, firstColumn <= lastColumn, firstRow <= lastRow else { return }
        for row in firstRow...lastRow {
            for column in firstColumn...lastColumn {
                let place = row * entry.columns + column
                let (pieceX, pieceY) = (entry.ink.x + column * side, entry.ink.y + row * side)
                let image = entry.pieces[place] ?? make(entry, place, x: pieceX, y: pieceY, fonts)
                body(image, x + pieceX, y + pieceY)
            }
        }
    }

    private func make(_ entry: CachedBlock, _ place: Int, x: Int, y: Int, _ fonts: FontLibrary) -> FrameImage {
        let rect = InkBounds(
            x: x, y: y, width: min(Self.pieceSide, entry.ink.x + entry.ink.width - x),
            height: min(Self.pieceSide, entry.ink.y + entry.ink.height - y))
        let pixels = CaptionPixels(fonts: fonts, block: entry.key.block, boxWidth: entry.boxWidth, phase: entry.key.phase, rect: rect)
        let name = entry.pieces.count == 1 ? entry.name : "\(entry.name) \(place + 1)/\(entry.pieces.count)"
        let image = FrameImage(key: OverlayImage.nextTextureKey(), name: name, width: rect.width, height: rect.height, pixels: pixels)
        madePieces += 1
        entry.pieces[place] = image
        return image
    }
}

/// Rasterizes a piece of a block.
private struct CaptionPixels: PixelSource {
    let fonts: FontLibrary
    let block: TextBlock
    let boxWidth: Int
    let phase: Int
    let rect: InkBounds

    func makePixels() -> Bitmap {
        fonts.bitmap(of: block, boxWidth: boxWidth, phase: phase, in: rect)
    }
}
