import WaymarkImaging

/// Records which pixels of a picture are already covered by opaque pixels, one bit each.
///
/// Rows are words of 64 pixels, padded at both ends for images that cross the picture's edges; pixels outside the picture count as
/// covered.
struct CoverageMask {
    private var words: [UInt64]
    private let wordsPerRow: Int
    /// The padding of a row to the left of the picture, in pixels.
    private let margin: Int
    private let height: Int

    /// - Parameter widest: The width of the widest image that will be passed to `cover`, in pixels.
    init(width: Int, height: Int, widest: Int) {
        margin = (widest + 63) / 64 * 64
        wordsPerRow = (width + 63) / 64 + 2 * (margin / 64) + 1
        self.height = height
        words = [UInt64](repeating: .max, count: wordsPerRow * height)
        for row in 0..<height {
            let start = row * wordsPerRow + margin / 64
            for word in 0..<width / 64 { words[start + word] = 0 }
            if width % 64 > 0 { words[start + width / 64] = .max << UInt64(width % 64) }
        }
    }

    /// Returns the bounding rectangle of an image's visible pixels that are not covered yet, in image pixels; nil if all are covered. If
    /// `covers`, the image's opaque pixels then count as covered.
    @inline(__always)
    mutating func cover(_ image: OpaqueRows.Words, x: Int, y: Int, covers: Bool) -> PixelRect? {
        let first = max(0, -y)
        let last = min(image.height, height - y)
        guard first < last, x + margin >= 0, x + image.width <= wordsPerRow * 64 - margin - 64 else { return nil }
        return image.wordsPerRow == 1 ? coverNarrow(image, x, y, first, last, covers) : coverWide(image, x, y, first, last, covers)
    }

    /// Whether a rectangle has pixels that are not covered yet.
    func isUncovered(x: Int, y: Int, width: Int, height: Int) -> Bool {
        let (first, last) = (max(0, -y), min(height, self.height - y))
        guard first < last, width > 0, x + margin >= 0, x + width <= wordsPerRow * 64 - margin - 64 else { return false }
        let (start, end) = (x + margin, x + margin + width)
        for row in first..<last {
            let line = (y + row) * wordsPerRow
            for word in start >> 6...(end - 1) >> 6 {
                var asked = UInt64.max
                if word == start >> 6 { asked &= .max << UInt64(start & 63) }
                if word == (end - 1) >> 6 { asked &= .max >> UInt64(63 - (end - 1) & 63) }
                if words[line + word] & asked != asked { return true }
            }
        }
        return false
    }

    /// For images up to 64 pixels wide: each row touches two words of the mask.
    private mutating func coverNarrow(
        _ image: OpaqueRows.Words, _ x: Int, _ y: Int, _ first: Int, _ last: Int, _ covers: Bool
    ) -> PixelRect? {
        let bit = x + margin
        let shift = UInt64(bit & 63)
        let wordsPerRow = wordsPerRow
        let start = (y + first) * wordsPerRow + bit >> 6
        var (shown, top, bottom) = (UInt64(0), Int.max, -1)
        words.withUnsafeMutableBufferPointer { words in
            var index = start
            for row in first..<last {
                let (low, high) = (words[index], words[index + 1])
                // Swift's shift by 64 gives 0, as required here.
                let free = image.visible[row] & ~(low >> shift | high << (64 - shift))
                if free != 0 {
                    shown |= free
                    if top == .max { top = row }
                    bottom = row
                    if covers {
                        words[index] = low | image.opaque[row] << shift
                        words[index + 1] = high | image.opaque[row] >> (64 - shift)
                    }
                }
                index += wordsPerRow
            }
        }
        guard shown != 0 else { return nil }
        let left = shown.trailingZeroBitCount
        return PixelRect(x: left, y: top, width: 64 - shown.leadingZeroBitCount - left, height: bottom - top + 1)
    }

    private mutating func coverWide(
        _ image: OpaqueRows.Words, _ x: Int, _ y: Int, _ first: Int, _ last: Int, _ covers: Bool
    ) -> PixelRect? {
        let bit = x + margin
        let shift = UInt64(bit & 63)
        var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)
        for row in first..<last {
            let start = (y + row) * wordsPerRow + bit >> 6
            for word in 0..<image.wordsPerRow {
                let source = row * image.wordsPerRow + word
                let (low, high) = (words[start + word], words[start + word + 1])
                let free = image.visible[source] & ~(low >> shift | high << (64 - shift))
                guard free != 0 else { continue }
                left = min(left, word * 64 + free.trailingZeroBitCount)
                right = max(right, word * 64 + 63 - free.leadingZeroBitCount)
                top = min(top, row)
                bottom = row
                if covers {
                    words[start + word] = low | image.opaque[source] << shift
                    words[start + word + 1] = high | image.opaque[source] >> (64 - shift)
                }
            }
        }
        guard bottom >= 0 else { return nil }
        return PixelRect(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }
}

/// Records which pixels of an image are opaque, and which are visible, one bit each.
struct OpaqueRows {
    let words: Words
    private let memory: Memory

    /// The rows as plain memory, which lives as long as its owner. A loop over sprites then needs no reference counting.
    struct Words {
        var width: Int
        var height: Int
        var wordsPerRow: Int
        /// Pixels of alpha 255.
        var opaque: UnsafePointer<UInt64>
        /// Pixels of alpha above 0.
        var visible: UnsafePointer<UInt64>
    }

    private final class Memory {
        let words: UnsafeMutablePointer<UInt64>

        init(count: Int) {
            words = .allocate(capacity: max(1, count))
            words.initialize(repeating: 0, count: max(1, count))
        }

        deinit { words.deallocate() }
    }

    var byteCount: Int { 160 + 16 * words.wordsPerRow * words.height }

    init(_ bitmap: Bitmap) {
        let wordsPerRow = max(1, (bitmap.width + 63) / 64)
        let count = wordsPerRow * bitmap.height
        let memory = Memory(count: 2 * count)
        let (opaque, visible) = (memory.words, memory.words + count)
        bitmap.pixels.withUnsafeBufferPointer { pixels in
            for row in 0..<bitmap.height {
                for column in 0..<bitmap.width {
                    let alpha = pixels[(row * bitmap.width + column) * 4 + 3]
                    let word = row * wordsPerRow + column >> 6
                    let bit = UInt64(1) << UInt64(column & 63)
                    if alpha == 255 { opaque[word] |= bit }
                    if alpha > 0 { visible[word] |= bit }
                }
            }
        }
        words = Words(
            width: bitmap.width, height: bitmap.height, wordsPerRow: wordsPerRow, opaque: UnsafePointer(opaque),
            visible: UnsafePointer(visible))
        self.memory = memory
    }
}
