import WaymarkFrame
import WaymarkImaging
import WaymarkScene
import WaymarkText

/// The captions of a map as images: each is one block, halo and letters together, in pieces that share textures with icons. A piece is
/// rasterized when a frame shows a pixel of it, and not before: in a dense picture, most captions are hidden by others.
///
/// A block is one sprite rather than one per glyph: this takes a tenth of the quads and blended pixels, puts the halo beneath all
/// letters without a separate pass, and lets captions be drawn in the same run as the icons between them.
/// Beyond a byte limit, the least recently shown blocks are evicted.
final class CaptionImages {
    /// A reference to a cached block; it becomes stale when the block is evicted.
    struct Handle {
        fileprivate var index: Int32
        fileprivate var generation: UInt32

        static let none = Handle(index: -1, generation: 0)
    }

    /// The cache key: blocks with equal keys have equal pixels.
    private struct Key: Hashable {
        var block: TextBlock
        /// The horizontal subpixel offset to the right, in quarters of a device pixel.
        var phase: Int
    }

    /// A class, so that reading thousands of entries per frame copies none of them.
    private final class CachedBlock {
        let key: Key
        let name: String
        let boxWidth: Int
        let boxHeight: Int
        let ink: InkBounds
        /// Row by row; nil where a piece has not been visible yet, and an image of size 0 where it has no ink.
        var pieces: [FrameImage?]
        let columns: Int
        var lastFrame: Int
        var byteCount: Int

        init(_ key: Key, name: String, boxWidth: Int, boxHeight: Int, ink: InkBounds, frame: Int) {
            self.key = key
            self.name = name
            self.boxWidth = boxWidth
            self.boxHeight = boxHeight
            self.ink = ink
            columns = (ink.width + pieceSide - 1) / pieceSide
            let rows = (ink.height + pieceSide - 1) / pieceSide
            pieces = [FrameImage?](repeating: nil, count: columns * rows)
            lastFrame = frame
            byteCount = 512 + columns * rows * (MemoryLayout<FrameImage?>.stride + 160)
        }
    }

    /// A piece of a block and its offset in whole device pixels from the block's upper left.
    struct Piece {
        var image: FrameImage
        var x: Int
        var y: Int
    }

    /// The maximum side of a piece in device pixels.
    private static let pieceSide = 512
    private let byteLimit: Int
    private var entries: [CachedBlock?] = []
    private var generations: [UInt32] = []
    private var free: [Int32] = []
    private var indices: [Key: Int32] = [:]
    private var frame = 0
    private(set) var byteCount = 0
    /// The number of pieces made; tests count it.
    private(set) var madePieces = 0

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    /// Starts a frame. Evicts the least recently shown blocks down to 3/4 of the byte limit when the limit is exceeded.
    func beginFrame() {
        frame += 1
        guard byteCount > byteLimit else { return }
        let old = entries.indices.compactMap { index in entries[index].map { (index, $0.lastFrame) } }
            .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
        for (index, _) in old {
            guard byteCount > byteLimit * 3 / 4, let entry = entries[index] else { return }
            byteCount -= entry.byteCount
            indices[entry.key] = nil
            entries[index] = nil
            free.append(Int32(index))
        }
    }

    /// Whether a handle's block is still cached.
    @inline(__always)
    func has(_ handle: Handle) -> Bool {
        guard handle.index >= 0 else { return false }
        return generations[Int(handle.index)] == handle.generation && entries[Int(handle.index)] != nil
    }

    /// The block of a text at the given scales, cached or new. Its pieces are rasterized when they become visible.
    /// - Parameters:
    ///   - size: The size of its box in device pixels.
    ///   - phase: The horizontal subpixel offset in quarters of a device pixel.
    func handle(
        _ text: CaptionText, _ scales: CaptionBox.Scales, size: (width: Double, height: Double), phase: Int, _ fonts: FontLibrary
    ) -> Handle {
        let key = Key(block: text.block(scales, fonts), phase: phase)
        if let known = indices[key] { return Handle(index: known, generation: generations[Int(known)]) }
        let (width, height) = (Int(size.width), Int(size.height))
        let ink = fonts.ink(of: key.block, boxWidth: width, boxHeight: height, phase: phase)
        let index = free.popLast() ?? Int32(entries.count)
        if Int(index) == entries.count {
            entries.append(nil)
            generations.append(0)
        }
        generations[Int(index)] += 1
        let entry = CachedBlock(key, name: text.name(hasSub: scales.hasSub), boxWidth: width, boxHeight: height, ink: ink, frame: frame)
        byteCount += entry.byteCount
        entries[Int(index)] = entry
        indices[key] = index
        return Handle(index: index, generation: generations[Int(index)])
    }

    /// The bounds of a block's pixels, in whole device pixels from the block's upper left.
    func ink(_ handle: Handle) -> InkBounds {
        entries[Int(handle.index)]?.ink ?? InkBounds(x: 0, y: 0, width: 0, height: 0)
    }

    /// Calls `body` for each piece that is visible when the block's upper left is at pixel (x, y) of a picture.
    func pieces(_ handle: Handle, x: Int, y: Int, in picture: (width: Int, height: Int), _ fonts: FontLibrary, _ body: (Piece) -> Void) {
        guard let entry = entries[Int(handle.index)], entry.columns > 0 else { return }
        entry.lastFrame = frame
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
                body(Piece(image: image, x: pieceX, y: pieceY))
            }
        }
    }

    private func make(_ entry: CachedBlock, _ place: Int, x: Int, y: Int, _ fonts: FontLibrary) -> FrameImage {
        let rect = InkBounds(
            x: x, y: y, width: min(Self.pieceSide, entry.ink.x + entry.ink.width - x),
            height: min(Self.pieceSide, entry.ink.y + entry.ink.height - y))
        let pixels = CaptionPixels(
            fonts: fonts, block: entry.key.block, boxWidth: entry.boxWidth, boxHeight: entry.boxHeight, phase: entry.key.phase, rect: rect)
        let name = entry.pieces.count == 1 ? entry.name : "\(entry.name) \(place + 1)/\(entry.pieces.count)"
        let image = FrameImage(key: OverlayImage.nextTextureKey(), name: name, width: rect.width, height: rect.height, pixels: pixels)
        madePieces += 1
        entry.pieces[place] = image
        return image
    }
}

/// Rasterizes a piece of a block.
private final class CaptionPixels: PixelSource {
    private let fonts: FontLibrary
    private let block: TextBlock
    private let boxWidth: Int
    private let boxHeight: Int
    private let phase: Int
    private let rect: InkBounds

    init(fonts: FontLibrary, block: TextBlock, boxWidth: Int, boxHeight: Int, phase: Int, rect: InkBounds) {
        self.fonts = fonts
        self.block = block
        self.boxWidth = boxWidth
        self.boxHeight = boxHeight
        self.phase = phase
        self.rect = rect
    }

    func makePixels() -> Bitmap {
        fonts.bitmap(of: block, boxWidth: boxWidth, boxHeight: boxHeight, phase: phase, in: rect)
    }
}
