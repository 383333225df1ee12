import Waymark
import WaymarkImaging

/// The result for one picture of a comparison.
public struct PictureVerdict: Sendable {
    /// The name shared by both pictures: a file name without its extension, or the name of a view of the sweep.
    public let name: String
    /// Whether the picture is as expected under the rule.
    public let matches: Bool
    /// One sentence that states the difference, or the reason why the pictures could not be compared.
    public let sentence: String
    /// The differences by overlay; empty if the pictures match, or if one of their inspections is unknown.
    public let overlays: [OverlayDifference]
    /// The number of differing pixels outside all overlays; nil if the pictures match, or if one of their inspections is unknown.
    public let otherPixels: Int?
    /// The figures of the comparison, without its pictures; nil if a picture is missing.
    public let facts: Facts?
    /// The pictures as PNG files, for a page; nil if the picture matches, or if the report keeps no pictures.
    let files: Files?

    /// The figures of a comparison, which are described in `PictureComparison`.
    public struct Facts: Equatable, Sendable {
        public var differingPixels: Int
        public var ignoredPixels: Int
        public var largest: PictureComparison.Largest?
        public var worstWindow: PictureComparison.Window?
        public var bounds: PixelRect?
        /// The size of the expected picture in device pixels.
        public var expectedSize: (width: Int, height: Int) { (expectedWidth, expectedHeight) }
        /// The size of the actual picture in device pixels.
        public var actualSize: (width: Int, height: Int) { (actualWidth, actualHeight) }
        private let expectedWidth, expectedHeight, actualWidth, actualHeight: Int

        init(_ comparison: PictureComparison) {
            differingPixels = comparison.differingPixels
            ignoredPixels = comparison.ignoredPixels
            largest = comparison.largest
            worstWindow = comparison.worstWindow
            bounds = comparison.bounds
            (expectedWidth, expectedHeight) = (comparison.first.width, comparison.first.height)
            (actualWidth, actualHeight) = (comparison.second.width, comparison.second.height)
        }
    }

    /// The files of the available pictures.
    struct Files: Sendable {
        var expected: [UInt8]?
        var actual: [UInt8]?
        var difference: [UInt8]?
        /// The size in device pixels of the actual picture or, if there is none, of the expected picture.
        var width: Int
        var height: Int
        var pixelRatio: Double
    }
}

extension PictureVerdict: CustomStringConvertible {
    /// The name and the sentence, followed by an indented line for each overlay that differs.
    public var description: String {
        ([name.isEmpty ? sentence : "\(name): \(sentence)"] + details.map { "  \($0)" }).joined(separator: "\n")
    }

    /// One line for each overlay that differs, and one line for the pixels outside all overlays.
    public var details: [String] {
        var lines = overlays.map(\.description)
        if let otherPixels, otherPixels > 0, facts != nil {
            lines.append("background: \(otherPixels) \(otherPixels == 1 ? "pixel differs" : "pixels differ") outside all overlays")
        }
        return lines
    }
}

/// One side of a comparison: the picture, and the positions of everything in it.
public struct ComparedPicture: Sendable {
    public var bitmap: Bitmap
    /// The positions of everything in the picture; nil if unknown.
    public var inspection: Inspection?

    public init(_ bitmap: Bitmap, inspection: Inspection? = nil) {
        self.bitmap = bitmap
        self.inspection = inspection
    }
}
