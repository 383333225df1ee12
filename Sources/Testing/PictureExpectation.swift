import Waymark
import WaymarkComparison
import WaymarkImaging
import WaymarkSystem

/// One call of `expectPicture`.
package struct PictureExpectation {
    package let name: String
    package var rule: ComparisonRule?
    /// The content that the comparison leaves out.
    package var ignored: [IgnoredContent] = []
    package var record: PictureRecording?
    /// The source file of the test.
    package let testFile: String
    /// The call and the test that it is in.
    package let place: String
    /// Reports a failure to the test.
    package let fail: (String) -> Void
    /// Attaches a file to the test under a name.
    package var attach: ([UInt8], String) -> Void = { _, _ in }
    /// Prints a line about a recorded picture.
    package var note: (String) -> Void = { StandardStreams.writeError("\($0)\n") }

    package init(name: String, testFile: String, place: String, fail: @escaping (String) -> Void) {
        self.name = name
        self.testFile = testFile
        self.place = place
        self.fail = fail
    }

    init(name: String, rule: ComparisonRule?, ignored: [IgnoredContent], record: PictureRecording?, location: TestLocation) {
        self.init(name: name, testFile: "\(location.filePath)", place: location.description) { location.fail($0) }
        self.rule = rule
        self.ignored = ignored
        self.record = record
        attach = { location.attach($0, named: $1) }
    }

    /// Draws and compares, or records; every failure is reported to the test.
    /// - Returns: Whether the picture is as expected.
    package func check(_ draw: () throws(ExpectationError) -> DrawnViews) -> Bool {
        do throws(ExpectationError) {
            let files = try ExpectationFiles(testFile: testFile, name: name)
            try ExpectedNames.claim(files, by: place)
            for content in ignored {
                if let problem = content.problem { throw ExpectationError("\"\(name)\": ignoring: \(problem)") }
            }
            let environment = try PictureRecording.ofEnvironment()
            let drawn = try draw()
            // After a time limit, for example, the test's objects may be incomplete.
            guard !Task.isCancelled else {
                throw ExpectationError("\"\(name)\": the test was canceled, so nothing was compared or recorded")
            }
            return try check(drawn, files, environment)
        } catch {
            fail(error.description)
            return false
        }
    }

    private func check(
        _ drawn: DrawnViews, _ files: ExpectationFiles, _ environment: PictureRecording?
    ) throws(ExpectationError) -> Bool {
        let family = drawn.drawnBy.family
        let mode = record ?? environment ?? .missing
        let known = FileSystem.exists(files.picture(family))
        if mode == .all {
            if let words = try self.record(drawn, files, family) { note(words) }
            // Otherwise, nobody would notice a request in the source.
            guard record == .all else { return true }
            throw ExpectationError(
                "\"\(name)\" is recorded as \(files.picture(family)); check it and remove \"record: .all\" from the test")
        }
        // A picture of another renderer is better than no comparison.
        guard let chosen = known ? family : files.families.first else {
            guard mode == .missing else {
                throw ExpectationError("the expected picture \(files.picture(family)) is missing; record it with WAYMARK_RECORD=1")
            }
            _ = try self.record(drawn, files, family)
            throw ExpectationError(
                "the expected picture was missing and has been recorded as \(files.picture(family)): check it and run the test again")
        }
        return compare(try files.read(chosen), drawn, files, chosen)
    }

    /// Writes an expectation.
    /// - Returns: A sentence about the files that it replaces, if any; nil if nothing has changed.
    private func record(_ drawn: DrawnViews, _ files: ExpectationFiles, _ family: String) throws(ExpectationError) -> String? {
        let new = drawn.expectation
        try ExpectedNames.record(files, new.record.pixels)
        let old = try? files.read(family)
        // An unchanged expectation keeps its date.
        if let old, old.record.pixels == new.record.pixels, old.record.drawnBy == new.record.drawnBy,
            old.record.views.map(\.inspection?.description) == new.record.views.map(\.inspection?.description), old.text == new.text
        {
            return nil
        }
        let isReplaced = FileSystem.exists(files.picture(family))
        try files.write(new, family)
        guard isReplaced else { return "\"\(name)\" is recorded as \(files.picture(family))" }
        return "\"\(name)\" replaces \(files.picture(family)): \(try difference(of: drawn, from: old))"
    }

    /// The differences between a drawn picture and the expectation that it replaces.
    /// - Parameter old: Nil if the expectation cannot be read.
    private func difference(of drawn: DrawnViews, from old: Expectation?) throws(ExpectationError) -> String {
        guard let old else { return "the old expectation cannot be read" }
        guard old.bitmap != drawn.bitmap else { return "the picture is the same; its record or its text differs" }
        var report = ComparisonReport(title: name, rule: .exact, keepsPictures: false)
        do throws(ImagingError) {
            try compareViews(old, drawn, &report)
        } catch {
            throw ExpectationError("\(error)")
        }
        let lines = report.details.split(separator: "\n")
        return lines.count == 1 ? String(lines[0]) : lines.map { "\n  \($0)" }.joined()
    }

    // MARK: Comparing

    private func compare(_ expected: Expectation, _ drawn: DrawnViews, _ files: ExpectationFiles, _ family: String) -> Bool {
        let isSame = expected.record.drawnBy == drawn.drawnBy
        let rule = rule ?? (isSame ? .exact : .otherRenderer)
        let output = ReportFiles(files)
        guard !PictureComparison(expected.bitmap, drawn.bitmap, rule).matches else {
            output.clear()
            return true
        }
        var report = ComparisonReport(title: "\(files.suite): \(name)", rule: rule, ignoring: ignored)
        do throws(ImagingError) {
            try compareViews(expected, drawn, &report)
        } catch {
            fail("\"\(name)\" differs, and the report cannot be written: \(error)")
            return false
        }
        guard !report.matches else {
            output.clear()
            return true
        }
        var message = "\"\(name)\" differs from \(files.picture(family))\n"
        message += report.details
        if let old = expected.text, let new = drawn.text, old != new {
            let difference = FrameTextDifference(expected: old, actual: new)
            report.drawing = difference.lines
            message += "The drawing differs from \(name).\(family).txt:\n"
            message += difference.lines.map { "  \($0)\n" }.joined()
        }
        if !isSame {
            message +=
                "The expectation was drawn by \(expected.record.drawnBy.renderer), \(expected.record.drawnBy.version); "
                + "this machine uses \(drawn.drawnBy.renderer), \(drawn.drawnBy.version), and \(drawn.drawnBy.text).\n"
        }
        message += output.write(report, drawn: drawn.bitmap)
        message += "To accept this picture, run again with WAYMARK_RECORD=1."
        attach(expected, drawn, report)
        fail(message)
        return false
    }

    /// Compares view by view if both have the same views, otherwise as a whole.
    private func compareViews(
        _ expected: Expectation, _ drawn: DrawnViews, _ report: inout ComparisonReport
    ) throws(ImagingError) {
        let isAlike =
            expected.bitmap.width == drawn.bitmap.width && expected.bitmap.height == drawn.bitmap.height
            && expected.record.views.map(\.name) == drawn.cells.map(\.view.name)
        guard isAlike, drawn.cells.count > 1 else {
            let pictures = Self.whole(expected, drawn)
            try report.compare("", expected: pictures.expected, actual: pictures.actual)
            return
        }
        for (view, cell) in zip(expected.record.views, drawn.cells) {
            try report.compare(
                cell.view.title, expected: ComparedPicture(expected.bitmap.part(cell.rectangle), inspection: view.inspection),
                actual: ComparedPicture(drawn.bitmap.part(cell.rectangle), inspection: cell.inspection, hitMap: cell.hitMap))
        }
        // The rule found a difference outside the views, in the parts that a different version of this library drew around them. If
        // something is ignored, the difference may also be in the ignored content.
        if report.matches, ignored.isEmpty {
            try report.compare("the strip", expected: ComparedPicture(expected.bitmap), actual: ComparedPicture(drawn.bitmap))
        }
    }

    /// The pictures as a whole. Their placements are known if both have a single view.
    private static func whole(_ expected: Expectation, _ drawn: DrawnViews) -> (expected: ComparedPicture, actual: ComparedPicture) {
        guard drawn.cells.count == 1, expected.record.views.count == 1 else {
            return (ComparedPicture(expected.bitmap), ComparedPicture(drawn.bitmap))
        }
        let cell = drawn.cells[0]
        return (
            ComparedPicture(expected.bitmap, inspection: expected.record.views[0].inspection),
            ComparedPicture(drawn.bitmap, inspection: cell.inspection, hitMap: cell.hitMap)
        )
    }

    private func attach(_ expected: Expectation, _ drawn: DrawnViews, _ report: ComparisonReport) {
        let pictures = Self.whole(expected, drawn)
        // The ignored content of a sweep is relative to each of its pictures.
        let difference =
            drawn.cells.count == 1
            ? report.differencePicture(expected: pictures.expected, actual: pictures.actual)
            : PictureComparison(expected.bitmap, drawn.bitmap, report.rule).differencePicture()
        for (picture, side) in [(expected.bitmap, "expected"), (drawn.bitmap, "actual")] + (difference.map { [($0, "difference")] } ?? []) {
            if let bytes = try? picture.encoded(as: .png) { attach(bytes, "\(name)-\(side).png") }
        }
        attach(Array(report.html.utf8), "\(name).html")
    }
}

/// The files that a failed test leaves and a passed test removes: a page, and the actual picture.
struct ReportFiles {
    private let folders: [String]
    private let name: String

    /// The files are in the folder named by the environment variable `WAYMARK_REPORT`. If it is unset, they are in
    /// `.build/waymark-pictures` of the tests' package, or in the temporary folder.
    init(_ files: ExpectationFiles) {
        var choices: [String] = []
        if let named = Environment.value("WAYMARK_REPORT") { choices.append(named) }
        var folder = Substring(files.folder)
        while let slash = folder.lastIndex(of: "/"), choices.isEmpty {
            folder = folder[..<slash]
            if FileSystem.exists("\(folder)/Package.swift") { choices.append("\(folder)/.build/waymark-pictures") }
        }
        choices.append("\(Environment.temporaryFolder)/waymark-pictures")
        folders = choices.map { "\($0)/\(files.suite)" }
        name = files.name
    }

    /// Removes the files of an earlier failure.
    func clear() {
        for folder in folders {
            for ending in ["html", "png"] { try? FileSystem.remove("\(folder)/\(name).\(ending)") }
        }
    }

    /// Writes the page and the picture.
    /// - Returns: A line with their location, or with the reason why they could not be written.
    func write(_ report: ComparisonReport, drawn: Bitmap) -> String {
        var problem = ""
        for folder in folders {
            do {
                try FileSystem.makeFolder(folder)
                try WholeFile.write(Array(report.html.utf8), to: "\(folder)/\(name).html")
                try drawn.write(to: "\(folder)/\(name).png")
                return "Report: \(folder)/\(name).html\n"
            } catch {
                problem = problem.isEmpty ? "\(folder): \(error)" : problem
            }
        }
        return "The report cannot be written: \(problem)\n"
    }
}
