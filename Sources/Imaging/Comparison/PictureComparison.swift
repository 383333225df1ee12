/// The comparison of two pictures, used by `waymark diff` and by every picture test.
///
/// Colors are compared as they are stored, premultiplied by alpha, because this matches the visible difference: two nearly transparent
/// pixels with very different straight colors are nearly equal. A pixel differs if any of its channels, including alpha, differs by more
/// than `threshold`. The pictures match if the share of differing pixels is at most `allowed` in every 16 × 16 window. Pictures therefore
/// match despite a few scattered differing pixels, but a large background does not hide a small error. Pictures of different sizes never
/// match. Pixels that are left out count as equal.
public struct PictureComparison: Equatable, Sendable {
    /// The pixel at which the pictures differ most. If there are several, it is the first in reading order.
    public struct Largest: Hashable, Sendable {
        /// The difference in the channel that differs most, 1…255.
        public var difference: Int
        public var x: Int
        public var y: Int

        public init(difference: Int, x: Int, y: Int) {
            self.difference = difference
            self.x = x
            self.y = y
        }
    }

    /// The window with the most differing pixels. If there are several, it is the first in reading order.
    public struct Window: Hashable, Sendable {
        /// The rectangle of the window: 16 × 16 pixels, or less if the picture is smaller.
        public var rectangle: PixelRect
        /// The number of differing pixels in the window.
        public var differingPixels: Int

        public init(rectangle: PixelRect, differingPixels: Int) {
            self.rectangle = rectangle
            self.differingPixels = differingPixels
        }

        /// The share of the window's pixels that differ, 0…1.
        public var share: Double { Double(differingPixels) / Double(rectangle.width * rectangle.height) }
    }

    /// Whether differences at antialiased edges count.
    public enum Antialiasing: Hashable, Sendable {
        /// Pixels at antialiased edges are compared like all others.
        case compared
        /// A pixel counts as equal if an edge merely covers slightly more or less of it in one picture than in the other. Two conditions
        /// must hold for each channel that differs by more than `threshold`:
        /// - In each picture, the pixel's value lies within the range of values in the 3 × 3 pixels around it in the other picture,
        ///   widened by `threshold`.
        /// - The content has not moved by a whole pixel: the sum of the differences over the pixel and its two neighbors in the row, or in
        ///   the column, is less than `threshold` plus seven eighths of the smaller of the two ranges.
        ///
        /// The first condition alone would allow everything to move by a whole pixel. Changed colors, missing content, and lines thinner
        /// than two pixels that become fainter still count as different. A pixel at the edge of a picture has no neighbors beyond that
        /// edge.
        case ignored
    }

    /// The largest channel difference that still counts as equal, 0…255.
    public let threshold: Int
    /// The largest share of differing pixels, 0…1, that is allowed in a window. The pictures match if no window exceeds it.
    public let allowed: Double
    /// Whether differences at antialiased edges count.
    public let antialiasing: Antialiasing
    /// The pixels that are not compared; nil if all are.
    public let leftOut: PixelMask?
    public let first: Bitmap
    public let second: Bitmap

    /// The number of pixels that differ by more than `threshold`. Pixels at ignored edges, and pixels that are left out, are not counted.
    /// The number is 0 if the sizes differ.
    public let differingPixels: Int
    /// The number of pixels that differ by more than `threshold` but count as equal because differences at antialiased edges are ignored.
    public let ignoredPixels: Int
    /// The largest difference among the differing pixels or, if no pixels count as different, among all compared pixels. Nil if all
    /// compared pixels are equal, or if the sizes differ.
    public let largest: Largest?
    /// The window with the most differing pixels; nil if no pixels differ, or if the sizes differ.
    public let worstWindow: Window?
    /// The bounding rectangle of all differing pixels; nil if no pixels differ, or if the sizes differ.
    public let bounds: PixelRect?

    /// Compares two pictures. Values of `threshold` outside 0…255, and of `allowed` outside 0…1, are not clamped. With a threshold of −1,
    /// every pixel differs. With an `allowed` of −1, nothing matches.
    /// - Parameter leftOut: The pixels that are not compared, in a mask of the pictures' size; a mask of another size leaves out nothing.
    ///   Default: every pixel is compared.
    public init(
        _ first: Bitmap, _ second: Bitmap, threshold: Int = 0, allowed: Double = 0, antialiasing: Antialiasing = .compared,
        leavingOut leftOut: PixelMask? = nil
    ) {
        self.first = first
        self.second = second
        self.threshold = threshold
        self.allowed = allowed
        self.antialiasing = antialiasing
        let leftOut = leftOut?.width == first.width && leftOut?.height == first.height ? leftOut : nil
        self.leftOut = leftOut
        let differences = Differences(first, second, threshold: threshold, antialiasing, leftOut)
        differingPixels = differences.count
        ignoredPixels = differences.ignoredCount
        largest = differences.largest
        bounds = differences.bounds
        worstWindow = differences.worstWindow(side: Self.windowSide)
    }
}

public extension PictureComparison {
    /// The side, in pixels, of the windows in which differing pixels are counted.
    static let windowSide = 16

    /// Whether the pictures have the same width and height.
    var haveEqualSizes: Bool { first.width == second.width && first.height == second.height }

    /// Whether the pictures have equal sizes and no window has a share of differing pixels above `allowed`.
    var matches: Bool { haveEqualSizes && (worstWindow?.share ?? 0) <= allowed }

    /// The first picture in faint gray over white, with every differing pixel in strong red, and a blue tint over the pixels that are left
    /// out; nil if the sizes differ.
    func differencePicture() -> Bitmap? {
        guard haveEqualSizes else { return nil }
        let differs = Differences(first, second, threshold: threshold, antialiasing, leftOut).differs
        let leftOut = leftOut?.pixels ?? []
        var picture = Bitmap(width: first.width, height: first.height)
        first.pixels.withUnsafeBufferPointer { source in
            picture.withUnsafeMutablePixels { target in
                for index in differs.indices {
                    let offset = index * 4
                    let grey = Self.faintGrey(source[offset], source[offset + 1], source[offset + 2], alpha: source[offset + 3])
                    let isLeftOut = !leftOut.isEmpty && leftOut[index]
                    target[offset] = differs[index] ? 255 : isLeftOut ? grey - 48 : grey
                    target[offset + 1] = differs[index] ? 0 : isLeftOut ? grey - 48 : grey
                    target[offset + 2] = differs[index] ? 0 : isLeftOut ? 255 : grey
                    target[offset + 3] = 255
                }
            }
        }
        return picture
    }
}

extension PictureComparison: CustomStringConvertible {
    /// One sentence, such as `12 of 4096 pixels differ, by up to 37 at (8, 3); in the worst window of 16 × 16 pixels, at
    /// (0, 0), 4.7% differ`.
    public var description: String {
        guard haveEqualSizes else { return "the sizes differ: \(first.width) × \(first.height) and \(second.width) × \(second.height)" }
        let count = leftOut?.count ?? 0
        let omission =
            count == 0 ? "" : count == 1 ? "; 1 pixel is left out of the comparison" : "; \(count) pixels are left out of the comparison"
        guard let largest else { return count == 0 ? "the pictures are equal" : "the compared pixels are equal\(omission)" }
        guard let window = worstWindow else {
            let ignored = ignoredPixels == 1 ? "1 pixel" : "\(ignoredPixels) pixels"
            let exception = ignoredPixels == 0 ? "" : ", except \(ignored) in antialiased edges"
            return "no pixel differs by more than \(threshold)\(exception); the largest difference is \(largest.sentence)\(omission)"
        }
        let verb = differingPixels == 1 ? "differs" : "differ"
        // The share is printed in thousandths, rounded up, so that a share above the allowed one is never printed as equal to it.
        let area = window.rectangle.width * window.rectangle.height
        let thousandths = (window.differingPixels * 1000 + area - 1) / area
        return "\(differingPixels) of \(first.width * first.height) pixels \(verb), by up to \(largest.sentence); "
            + "in the worst window of \(window.rectangle.width) × \(window.rectangle.height) pixels, at "
            + "(\(window.rectangle.x), \(window.rectangle.y)), \(thousandths / 10).\(thousandths % 10)% differ\(omission)"
    }
}

private extension PictureComparison.Largest {
    var sentence: String { "\(difference) at (\(x), \(y))" }
}

private extension PictureComparison {
    /// The luma of a color over white, compressed into the lightest quarter of the scale.
    static func faintGrey(_ red: UInt8, _ green: UInt8, _ blue: UInt8, alpha: UInt8) -> UInt8 {
        let luma = (77 * Int(red) + 150 * Int(green) + 29 * Int(blue) + 128) >> 8
        let overWhite = min(luma + 255 - Int(alpha), 255)
        return UInt8(255 - (255 - overWhite) / 4)
    }
}

/// The pixels that differ, and the largest difference.
private struct Differences {
    let width: Int
    let height: Int
    /// One element per pixel; empty if the sizes differ.
    private(set) var differs: [Bool] = []
    private(set) var count = 0
    private(set) var ignoredCount = 0
    private(set) var largest: PictureComparison.Largest?
    private(set) var bounds: PixelRect?

    /// - Parameter leftOut: A mask of the pictures' size.
    init(
        _ first: Bitmap, _ second: Bitmap, threshold: Int, _ antialiasing: PictureComparison.Antialiasing, _ leftOut: PixelMask?
    ) {
        width = first.width
        height = first.height
        guard first.width == second.width, first.height == second.height else { return }
        differs = [Bool](repeating: false, count: width * height)
        guard threshold < 0 || first.pixels != second.pixels else { return }
        let edges = antialiasing == .ignored ? EdgeComparison(first, second, threshold: threshold) : nil
        let leftOut = leftOut?.pixels ?? []
        var counted = LargestDifference()
        var ignored = LargestDifference()
        var left = width, right = -1, top = height, bottom = -1
        for index in differs.indices {
            var difference = 0
            for channel in index * 4..<index * 4 + 4 {
                difference = max(difference, abs(Int(first.pixels[channel]) - Int(second.pixels[channel])))
            }
            if !leftOut.isEmpty, leftOut[index] { continue }
            guard difference > threshold else {
                ignored.take(difference, at: index)
                continue
            }
            let (x, y) = (index % width, index / width)
            if let edges, edges.isEdge(x, y) {
                ignoredCount += 1
                ignored.take(difference, at: index)
                continue
            }
            counted.take(difference, at: index)
            differs[index] = true
            count += 1
            left = min(left, x)
            right = max(right, x)
            top = min(top, y)
            bottom = y
        }
        let greatest = count > 0 ? counted : ignored
        if greatest.difference > 0 {
            largest = .init(difference: greatest.difference, x: greatest.index % width, y: greatest.index / width)
        }
        if count > 0 { bounds = .init(x: left, y: top, width: right - left + 1, height: bottom - top + 1) }
    }

    /// The largest of the recorded differences, and the first pixel that has it.
    private struct LargestDifference {
        var difference = 0
        var index = 0

        mutating func take(_ difference: Int, at index: Int) {
            if difference > self.difference { (self.difference, self.index) = (difference, index) }
        }
    }

    /// The window with the most differing pixels, among all windows that lie entirely inside the picture. If there are several, it is the
    /// first in reading order.
    func worstWindow(side: Int) -> PictureComparison.Window? {
        guard count > 0 else { return nil }
        let windowWidth = min(side, width)
        let windowHeight = min(side, height)
        let sums = summedAreas()
        let stride = width + 1
        var worst = PictureComparison.Window(rectangle: .init(x: 0, y: 0, width: windowWidth, height: windowHeight), differingPixels: 0)
        for y in 0...height - windowHeight {
            let upper = y * stride
            let lower = (y + windowHeight) * stride
            for x in 0...width - windowWidth {
                let sum = sums[lower + x + windowWidth] &- sums[lower + x] &- sums[upper + x + windowWidth] &+ sums[upper + x]
                guard sum > worst.differingPixels else { continue }
                worst.rectangle.x = x
                worst.rectangle.y = y
                worst.differingPixels = Int(sum)
            }
        }
        return worst
    }

    /// A summed-area table, one row and one column larger than the picture. The element at (x, y) is the number of differing pixels above
    /// and to the left. Even if the 32-bit sums wrap around, their differences are correct.
    func summedAreas() -> [UInt32] {
        let stride = width + 1
        var sums = [UInt32](repeating: 0, count: stride * (height + 1))
        for y in 0..<height {
            var row: UInt32 = 0
            for x in 0..<width {
                if differs[y * width + x] { row &+= 1 }
                sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1] &+ row
            }
        }
        return sums
    }
}
