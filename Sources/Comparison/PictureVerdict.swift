import Waymark
import WaymarkImaging

/// The result for one picture of a comparison.
public struct PictureVerdict: Sendable {
    /// The name shared by both pictures, such as a path relative to both folders, or the title of a view of the sweep. It may be empty.
    public let name: String
    /// Whether the picture is as expected under the rule.
    public let matches: Bool
    /// One sentence that states the difference, or the reason why the pictures could not be compared.
    public let sentence: String
    /// The difference between the cameras; nil if they are equal, if the pictures match, or if one of the pictures has no inspection.
    public let camera: CameraDifference?
    /// The differences by overlay; empty if the pictures match, or if one of their inspections is unknown. If the cameras differ, the list
    /// contains only the differences that the cameras do not explain.
    public let overlays: [OverlayDifference]
    /// The number of differing pixels outside all overlays; nil if the pictures match, one of their inspections is unknown, or the cameras
    /// differ.
    public let otherPixels: Int?
    /// The figures of the comparison, without the pictures; nil if a picture is missing.
    public let facts: Facts?
    /// The pictures as PNG files, for a page; nil if the picture matches, or if the report keeps no pictures.
    let files: Files?

    /// The figures of a comparison, which are described in `PictureComparison`.
    public struct Facts: Equatable, Sendable {
        public var differingPixels: Int
        public var ignoredPixels: Int
        /// The number of pixels that were not compared.
        public var leftOutPixels: Int
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
            leftOutPixels = comparison.leftOut?.count ?? 0
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
    /// The name and the sentence, followed by the indented details.
    public var description: String { ([heading] + details.map { "  \($0)" }).joined(separator: "\n") }

    /// One line for the camera if it differs, one line for each overlay that differs, and one line for the pixels outside all overlays.
    public var details: [String] { differences.lines }

    /// The name and the sentence.
    var heading: String { name.isEmpty ? sentence : "\(name): \(sentence)" }
}

/// One of the two pictures of a comparison, with the positions of everything in it.
public struct ComparedPicture: Sendable {
    public var bitmap: Bitmap
    /// The positions of everything in the picture; nil if unknown.
    public var inspection: Inspection?

    /// The areas of the objects in the hit map, which are more exact than the inspection: they include the widths of lines.
    let areas: [PlacedItem.Key: [PlacedItem.Part]]

    /// - Parameters:
    ///   - inspection: The positions of everything in the picture. Without the positions, the differences do not name overlays. Default:
    ///     unknown.
    ///   - hitMap: The areas of everything in the picture. A comparison that ignores overlays finds their pixels with these areas or, if
    ///     the areas are unknown, with the inspection. Default: unknown.
    public init(_ bitmap: Bitmap, inspection: Inspection? = nil, hitMap: HitMap? = nil) {
        self.bitmap = bitmap
        self.inspection = inspection
        areas = hitMap.map(PlacedItem.areas) ?? [:]
    }
}
