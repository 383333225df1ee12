import Waymark
import WaymarkImaging

/// The comparison of any number of pictures, for people and programs: as text, JSON, JUnit XML or an HTML page.
public struct ComparisonReport: Sendable {
    /// A name for the compared pictures, used in headings.
    public let title: String
    public let rule: ComparisonRule
    /// The content that all comparisons ignore.
    public let ignored: [IgnoredContent]
    /// The ids in `ignored` that name something in one of the compared placements.
    private var foundIDs: Set<String> = []
    /// The results, in the order in which they were added.
    public private(set) var verdicts: [PictureVerdict] = []
    /// The first lines that differ between the printed frames of the expected and the actual picture. Expected lines begin with `-`, actual
    /// lines with `+`.
    package var drawing: [String] = []
    /// Whether the pictures that differ are kept, for a page.
    private let keepsPictures: Bool
    private var keptBytes = 0

    /// The maximum number of bytes of picture files in a page. For further pictures, the page contains only the text.
    private static let mostBytes = 200 << 20

    /// - Parameters:
    ///   - ignored: The content that all comparisons ignore. Default: none.
    ///   - keepsPictures: Whether to keep the pictures for `html`. Default true.
    public init(title: String, rule: ComparisonRule, ignoring ignored: [IgnoredContent] = [], keepsPictures: Bool = true) {
        self.title = title
        self.rule = rule
        self.ignored = ignored
        self.keepsPictures = keepsPictures
    }
}

extension ComparisonReport {
    /// Whether every picture is as expected; true if there are no pictures.
    public var matches: Bool { verdicts.allSatisfy(\.matches) }

    /// The ignored ids that name nothing in the compared placements, in the order in which they were given.
    package var unknownIDs: [String] {
        ignored.compactMap { content in
            if case .overlay(let id) = content, !foundIDs.contains(id) { return id }
            return nil
        }
    }

    /// The number of pictures that are not as expected.
    public var failureCount: Int { verdicts.count { !$0.matches } }

    /// Compares two pictures and adds the result.
    /// - Throws: `ImagingError` if a picture cannot be encoded for the HTML page.
    @discardableResult
    public mutating func compare(
        _ name: String, expected: ComparedPicture, actual: ComparedPicture
    ) throws(ImagingError) -> PictureVerdict {
        let (comparison, items) = comparison(expected, actual)
        foundIDs.formUnion(items.foundIDs)
        if !comparison.matches, !items.isEmpty, expected.inspection == nil, actual.inspection == nil {
            return try fail(
                name,
                because:
                    "the pictures differ, and overlays cannot be ignored, because neither picture has a valid inspection (a .json file of the same name next to it)",
                expected: expected, actual: actual)
        }
        var overlays: InspectionComparison?
        if !comparison.matches, let old = expected.inspection, let new = actual.inspection {
            overlays = InspectionComparison(
                expected: old, actual: new, pictures: comparison.haveEqualSizes ? comparison : nil, ignoring: items)
        }
        return add(
            PictureVerdict(
                name: name, matches: comparison.matches, sentence: "\(comparison)", camera: overlays?.camera,
                overlays: overlays?.overlays ?? [], otherPixels: overlays.flatMap { $0.camera == nil ? $0.otherPixels : nil },
                facts: PictureVerdict.Facts(comparison),
                files: comparison.matches
                    ? nil : try files(expected: expected, actual: actual, difference: comparison.differencePicture())))
    }

    /// The comparison of two pictures without the ignored content.
    func comparison(_ expected: ComparedPicture, _ actual: ComparedPicture) -> (pictures: PictureComparison, ignored: IgnoredItems) {
        let items = IgnoredItems(ignored, in: [expected.inspection, actual.inspection].compactMap(\.self))
        return (PictureComparison(expected.bitmap, actual.bitmap, rule, leavingOut: leftOut(expected, actual, items)), items)
    }

    /// A picture of the differences between two pictures; nil if their sizes differ.
    package func differencePicture(expected: ComparedPicture, actual: ComparedPicture) -> Bitmap? {
        comparison(expected, actual).pictures.differencePicture()
    }

    /// Adds a picture that cannot be compared because its expected or its actual version is missing or unreadable.
    /// - Throws: `ImagingError` if the available version cannot be encoded for the HTML page.
    @discardableResult
    public mutating func fail(
        _ name: String, because sentence: String, expected: ComparedPicture? = nil, actual: ComparedPicture? = nil
    ) throws(ImagingError) -> PictureVerdict {
        add(
            PictureVerdict(
                name: name, matches: false, sentence: sentence, camera: nil, overlays: [], otherPixels: nil, facts: nil,
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
    /// The report as text. Differences that several pictures share come first; each is listed once. The pictures that are not as expected
    /// follow, each with its other differences. The last line is a summary.
    public var description: String { details + summary }

    /// The description without the summary line; each line ends with a line break.
    package var details: String {
        let repeated = repeated
        let kinds = Set(repeated.map { $0.differences[0].kind })
        let pictures = verdicts.filter { !$0.matches }.flatMap { verdict in
            [verdict.heading] + verdict.differences.filter { !kinds.contains($0.kind) }.lines.map { "  \($0)" }
        }
        return (repeated.map(line) + pictures).map { "\($0)\n" }.joined()
    }

    /// A summary such as `2 of 8 pictures differ`.
    public var summary: String {
        if matches { return "\(verdicts.count) \(verdicts.count == 1 ? "picture" : "pictures") as expected" }
        return "\(failureCount) of \(verdicts.count) pictures \(failureCount == 1 ? "differs" : "differ")"
    }
}
