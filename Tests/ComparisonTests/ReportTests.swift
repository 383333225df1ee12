import Foundation
import Testing
import Waymark
import WaymarkComparison
import WaymarkTestSupport

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite struct ReportTests {
    private let red = Bitmap(width: 20, height: 20, fill: .red)

    private func report() throws -> ComparisonReport {
        var other = red
        other[3, 4] = .init(red: 250, green: 0, blue: 0, alpha: 255)
        var report = ComparisonReport(title: "<old> & \"new\"", rule: .exact)
        try report.compare("a/same", expected: ComparedPicture(red), actual: ComparedPicture(red))
        try report.compare("b <&> \u{1}", expected: ComparedPicture(red), actual: ComparedPicture(other))
        try report.compare("c", expected: ComparedPicture(red), actual: ComparedPicture(Bitmap(width: 20, height: 21)))
        try report.fail("d", because: "there is no expected picture", actual: ComparedPicture(red))
        return report
    }

    @Test func theTextNamesWhatDiffers() throws {
        let report = try report()
        #expect(!report.matches && report.failureCount == 3)
        #expect(
            report.description == """
                b <&> \u{1}: 1 of 400 pixels differs, by up to 5 at (3, 4); in the worst window of 16 × 16 pixels, at (0, 0), 0.4% differ
                c: the sizes differ: 20 × 20 and 20 × 21
                d: there is no expected picture
                3 of 4 pictures differ
                """)
    }

    @Test func theJSON() throws {
        let object = try #require(try JSONSerialization.jsonObject(with: Data(report().jsonText.utf8)) as? [String: Any])
        #expect(object["matches"] as? Bool == false && object["title"] as? String == "<old> & \"new\"")
        let pictures = try #require(object["pictures"] as? [[String: Any]])
        #expect(pictures.map { $0["name"] as? String } == ["a/same", "b <&> \u{1}", "c", "d"])
        #expect(pictures.map { $0["matches"] as? Bool } == [true, false, false, false])
        #expect((pictures[1]["largest"] as? NSDictionary) == ["difference": 5, "x": 3, "y": 4])
        #expect(pictures[2]["actualSize"] as? [Int] == [20, 21])
        #expect(pictures[3]["differingPixels"] == nil)
    }

    @Test func theXMLIsWellFormed() throws {
        final class Reader: NSObject, XMLParserDelegate {
            var cases: [String] = []
            var failures = 0

            func parser(
                _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
                attributes: [String: String]
            ) {
                if name == "testcase" { cases.append(attributes["name"] ?? "") }
                if name == "failure" { failures += 1 }
            }
        }
        let reader = Reader()
        let parser = XMLParser(data: Data(try report().junitText.utf8))
        parser.delegate = reader
        #expect(parser.parse())
        #expect(reader.cases == ["a/same", "b <&> \u{FFFD}", "c", "d"] && reader.failures == 3)
    }

    @Test func thePageHoldsThePictures() throws {
        let page = try report().html
        for name in ["@TITLE@", "@SUMMARY@", "@STATE@", "@BODY@"] { #expect(!page.contains(name)) }
        #expect(page.contains("&lt;old&gt; &amp; &quot;new&quot;") && !page.contains("<old>"))
        #expect(page.components(separatedBy: "<section").count == 4)
        // Two pictures and a difference, twice with a slider; two of different sizes; one.
        #expect(page.components(separatedBy: "data:image/png;base64,").count == 1 + 5 + 2 + 1)
        #expect(page.contains("3 of 4 pictures differ") && page.contains("1 as expected"))
        #expect(!page.contains("http:") && !page.contains("https:"))
    }

    /// Swift takes a `<` and an accent for one character, and a browser for the beginning of an element.
    @Test func fusedCharactersAreEscaped() throws {
        let name = "\"\u{301} x=\"\u{301} >\u{301}\u{600}<b>\u{301} &\u{301} '\u{301} @BODY@"
        var report = ComparisonReport(title: "@BODY@ \(name)", rule: .exact)
        try report.compare(name, expected: ComparedPicture(red), actual: ComparedPicture(red))
        try report.fail("failed \(name)", because: "because \(name)\n\u{1}", actual: ComparedPicture(red))
        report.drawing = ["- \(name)", "+ \(name)", name]
        let escaped = "&quot;\u{301} x=&quot;\u{301} &gt;\u{301}\u{600}&lt;b&gt;\u{301} &amp;\u{301} &#39;\u{301} @BODY@"
        func count(_ text: String, in page: String) -> Int { page.components(separatedBy: text).count - 1 }
        let page = report.html
        #expect(count("<title>@BODY@ \(escaped)</title>", in: page) == 1)
        // The title twice, two pictures, one reason, three lines.
        #expect(count(escaped, in: page) == 8 && count("\u{600}<", in: page) == 0 && count("<section", in: page) == 2)
        let junit = report.junitText
        #expect(count(escaped, in: junit) == 6 && count("because \(escaped)&#10;�", in: junit) == 1 && count("\u{600}<", in: junit) == 0)
        #expect(XMLParser(data: Data(junit.utf8)).parse())
    }

    @Test func foldersAreComparedByName() throws {
        let folder = ScratchFolder()
        for (path, color) in [
            ("old/a.png", Color.red), ("new/a.png", .red), ("old/in/b.png", .red), ("new/in/b.png", .blue), ("old/c.png", .red),
            ("new/d.png", .red),
        ] {
            let parent = URL(fileURLWithPath: "\(folder.path)/\(path)").deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try Bitmap(width: 8, height: 8, fill: color).write(to: "\(folder.path)/\(path)")
        }
        try folder.write("not a picture", "old/e.png")
        try folder.write("not a picture", "new/e.png")
        try folder.write("words", "old/readme.txt")
        var report = ComparisonReport(title: "folders", rule: .exact)
        try report.compareFolders(expected: "\(folder.path)/old", actual: "\(folder.path)/new")
        #expect(report.verdicts.map(\.name) == ["a.png", "c.png", "d.png", "e.png", "in/b.png"])
        #expect(report.verdicts.map(\.matches) == [true, false, false, false, false])
        #expect(report.verdicts[1].sentence == "\(folder.path)/new has no such picture")
        #expect(report.verdicts[2].sentence == "\(folder.path)/old has no such picture")
        #expect(report.verdicts[3].sentence.contains("e.png: "))
    }
}
