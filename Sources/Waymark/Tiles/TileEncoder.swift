import Foundation
import Synchronization
import WaymarkImaging
import WaymarkSystem

/// Cuts pictures into tiles and compresses them, on separate threads.
final class TileEncoder: Sendable {
    private let format: ImageFormat
    private let options: EncodingOptions
    private let side: Int
    private let threadCount: Int
    private let queue = DispatchQueue(label: "waymark.tiles", qos: .userInitiated)
    /// The compressed tiles with a single color, keyed by color. On many maps, most tiles show only sea.
    private let plain = Mutex<[Bitmap.Pixel: [UInt8]]>([:])

    /// The maximum number of cached colors.
    private static let mostPlain = 1000

    init(_ format: ImageFormat, _ options: EncodingOptions, side: Int, threadCount: Int) {
        self.format = format
        self.options = options
        self.side = side
        self.threadCount = threadCount
    }

    /// The compressed tiles of a picture; nil for empty tiles.
    final class Result: Sendable {
        private let done = DispatchGroup()
        private let bitmap: Mutex<Bitmap>
        private let tiles = Mutex<[Swift.Result<[UInt8]?, ImagingError>]>([])

        fileprivate init(_ bitmap: consuming Bitmap) {
            self.bitmap = Mutex(bitmap)
            done.enter()
        }

        fileprivate func set(_ body: (Bitmap) -> [Swift.Result<[UInt8]?, ImagingError>]) {
            let tiles = bitmap.withLock { body($0) }
            self.tiles.withLock { $0 = tiles }
            done.leave()
        }

        /// Returns the bitmap once the tiles are done, so that its memory is reused.
        func takeBitmap() -> Bitmap {
            bitmap.withLock { exchange(&$0, with: Bitmap(width: 0, height: 0)) }
        }

        /// Waits for the tiles.
        func wait() throws(ImagingError) -> [[UInt8]?] {
            done.wait()
            var contents: [[UInt8]?] = []
            for tile in tiles.withLock({ $0 }) { contents.append(try tile.get()) }
            return contents
        }
    }

    /// Compresses the tiles of a picture that is one tile high.
    func begin(_ bitmap: consuming Bitmap) -> Result {
        let result = Result(bitmap)
        queue.async { result.set { self.tiles(of: $0) } }
        return result
    }

    /// Compresses one tile that stands for several.
    func begin(_ tile: Bitmap, copies: Int) -> Result {
        let result = Result(tile)
        queue.async { result.set { Array(repeating: self.encoded($0, x: 0), count: copies) } }
        return result
    }

    private func tiles(of bitmap: Bitmap) -> [Swift.Result<[UInt8]?, ImagingError>] {
        NumberedWork.results(bitmap.width / side, threads: threadCount) { encoded(bitmap, x: $0 * side) }
    }

    /// The compressed tile at a place in a picture; nil when every pixel is transparent.
    private func encoded(_ bitmap: Bitmap, x: Int) -> Swift.Result<[UInt8]?, ImagingError> {
        let color = bitmap.plainColor(x: x, width: side)
        if let color {
            if color.alpha == 0 { return .success(nil) }
            if let known = plain.withLock({ $0[color] }) { return .success(known) }
        }
        do throws(ImagingError) {
            let bytes = try bitmap.columns(x..<x + side).encoded(as: format, options: options)
            if let color {
                plain.withLock { plain in
                    if plain.count < Self.mostPlain { plain[color] = bytes }
                }
            }
            return .success(bytes)
        } catch {
            return .failure(error)
        }
    }
}

private extension Bitmap {
    /// The color of all pixels in some columns; nil if they have different colors.
    func plainColor(x: Int, width: Int) -> Pixel? {
        let color = self[x, 0]
        let stride = self.width * 4
        let isPlain = pixels.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            let first = base + x * 4
            // The first row's pixels equal their neighbors, and each further row equals the first.
            guard memcmp(first, first + 4, (width - 1) * 4) == 0 else { return false }
            return (1..<height).allSatisfy { memcmp(first, first + $0 * stride, width * 4) == 0 }
        }
        return isPlain ? color : nil
    }

    /// A copy of some columns.
    func columns(_ range: Range<Int>) -> Bitmap {
        range == 0..<width ? self : part(PixelRect(x: range.lowerBound, y: 0, width: range.count, height: height))
    }
}
