import Waymark
import WaymarkImaging

/// The comparison of any number of pictures, for people and programs: as text, JSON, JUnit XML or an HTML page.
public struct ComparisonReport: Sendable {
    /// A name for what is compared, used in headings.
    public let title: String
    public let rule: ComparisonRule
    /// The results, in the order in which they were added.
    public private(set) var verdicts: [PictureVerdict] = []
    /// The lines that differ between the printed frames of the first pictures. Expected lines begin with `-`, actual lines with `+`.
    package var drawing: [String] = []
    /// Whether the pictures that differ are kept, for a page.
    private let keepsPictures: Bool
    private var keptBytes = 0

    /// The maximum number of bytes of picture files in a page; for further pictures it contains only the text.
    private static let mostBytes = 200 << 20

    /// - Parameter keepsPictures: Whether to keep the pictures for `html`. Default true.
    public init(title: String, rule: ComparisonRule, keepsPictures: Bool = true) {
        self.title = title
        self.rule = rule
        self.keepsPictures = keepsPictures
    }
}

extension ComparisonReport {
    /// Whether every picture is as expected; true if there are no pictures.
    public var matches: Bool { verdicts.allSatisfy(\.matches) }

    /// The number of pictures that are not as expected.
    public var failureCount: Int { verdicts.count { !$0.matches } }

    /// Compares two pictures and adds the result.
    /// - Throws: `ImagingError` if a picture cannot be encoded for the HTML page.
    @discardableResult
    public mutating func compare(
        _ name: String, expected: ComparedPicture, actual: ComparedPicture
    ) throws(ImagingError) -> PictureVerdict {
        let comparison = PictureComparison(expected.bitmap, actual.bitmap, rule)
        var overlays: InspectionComparison?
        if !comparison.matches, let old = expected.inspection, let new = actual.inspection {
            overlays = InspectionComparison(expected: old, actual: new, pictures: comparison.haveEqualSizes ? comparison : nil)
        }
        return add(
            PictureVerdict(
                name: name, matches: comparison.matches, sentence: "\(comparison)", overlays: overlays?.overlays ?? [],
                otherPixels: overlays?.otherPixels, facts: PictureVerdict.Facts(comparison),
                files: comparison.matches
                    ? nil : try files(expected: expected, actual: actual, difference: comparison.differencePicture())))
    }

    /// Adds a picture that cannot be compared because its expected or its actual version is missing or unreadable.
    /// - Throws: `ImagingError` if the available version cannot be encoded for the HTML page.
    @discardableResult
    public mutating func fail(
        _ name: String, because sentence: String, expected: ComparedPicture? = nil, actual: ComparedPicture? = nil
    ) throws(ImagingError) -> PictureVerdict {
        add(
            PictureVerdict(
                name: name, matches: false, sentence: sentence, overlays: [], otherPixels: nil, facts: nil,
                files: try files(expected: expected, actual: actual, difference: nil)))
    }

    private mutating func add(_ verdict: PictureVerdict) -> PictureVerdict {
        verdicts.append(verdict)
        return verdict
    }

    private mutating func files(
        expected: ComparedPicture?, actual: ComparedPicture?, difference: Bitmap?
    ) throws(ImagingError) -> PictureVerdict.Files? {
        guard keepsPictures, keptBytes < Self.mostBytes, let size = (actual ?? expected)?.bitmap else { return nil }
        let files = PictureVerdict.Files(
            expected: try expected?.bitmap.encoded(as: .png), actual: try actual?.bitmap.encoded(as: .png),
            difference: try difference?.encoded(as: .png), width: size.width, height: size.height,
            pixelRatio: (actual?.inspection ?? expected?.inspection)?.viewport.pixelRatio ?? 1)
        keptBytes += [files.expected, files.actual, files.difference].reduce(0) { $0 + ($1?.count ?? 0) }
        return files
    }
}

extension ComparisonReport: CustomStringConvertible {
    /// A description of each picture that is not as expected, followed by a summary line.
    public var description: String {
        (verdicts.filter { !$0.matches }.map(\.description) + [summary]).joined(separator: "\n")
    }

    /// A summary such as `2 of 8 pictures differ`.
    public var summary: String {
        if matches { return "\(verdicts.count) \(verdicts.count == 1 ? "picture" : "pictures") as expected" }
        return "\(failureCount) of \(verdicts.count) pictures \(failureCount == 1 ? "differs" : "differ")"
    }
}
