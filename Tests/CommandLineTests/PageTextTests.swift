import Foundation
import Testing
import WaymarkTestSupport

/// Characters of HTML that are fused with accents, in texts and names of files that pages show. tools/browser/pages opens such pages in a browser.
@Suite struct PageTextTests {
    private let folder = ScratchFolder()
    private static let hostile = "\"\u{301} x=\"\u{301}>\u{301}\u{600}<b>\u{301}&\u{301}'\u{301}@TITLE@@BODY@@DATA@"
    private static let escaped =
        "&quot;\u{301} x=&quot;\u{301}&gt;\u{301}\u{600}&lt;b&gt;\u{301}&amp;\u{301}&#39;\u{301}@TITLE@@BODY@@DATA@"
    private let name = "\(Self.hostile).json"

    private func scene(_ file: String, color: String = "red") throws {
        let scene: [String: Any] = [
            "waymark": 1, "size": ["width": 100, "height": 100], "camera": ["center": [0, 0], "zoom": 5],
            "overlays": [
                [
                    "type": "marker", "id": "m \(Self.hostile)", "position": [0, 0], "title": "t \(Self.hostile)",
                    "iconImage": "builtin:\(color)",
                ]
            ],
            "events": [["tap": [50, 45]]],
        ]
        try folder.write([UInt8](try JSONSerialization.data(withJSONObject: scene)), file)
    }

    private func text(_ file: String) throws -> String { String(decoding: try folder.read(file), as: UTF8.self) }

    @Test func hitMaps() throws {
        try scene(name)
        let result = try Program.run("render", name, "-o", "a.png", "--hit-map", "a.html", in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let title = "t &quot;&#769; x=&quot;&#769;&gt;&#769;&#1536;&lt;b&gt;&#769;&amp;&#769;&#39;&#769;@TITLE@@BODY@@DATA@"
        let link = "#m%20%22%CC%81%20x%3D%22%CC%81%3E%CC%81%D8%80%3Cb%3E%CC%81%26%CC%81%27%CC%81%40TITLE%40%40BODY%40%40DATA%40"
        #expect(
            try text("a.html") == """
                <img src="a.png" width="100" height="100" alt="" usemap="#a">
                <map name="a">
                <area shape="poly" coords="37,14,63,14,63,50,37,50" href="\(link)" alt="\(title)" title="\(title)">
                </map>

                """)
        try folder.write(#"{"id": "card", "hitMap": "html"}"#, "jobs.jsonl")
        #expect(try Program.run("batch", "jobs.jsonl", "--scene", name, "-o", "out", in: folder).status == 0)
        #expect(try text("out/card.html").contains("\" alt=\"\(title)\" title=\"\(title)\">"))
    }

    @Test func reports() throws {
        try scene(name)
        try scene("other.json", color: "blue")
        for arguments in [
            ["diff", name, "other.json"], ["sweep", "other.json", "--tilts", "0", "--against", "views \(Self.hostile)"],
        ] {
            if arguments[0] == "sweep" {
                #expect(try Program.run("sweep", name, "--tilts", "0", "-o", "views \(Self.hostile)", in: folder).status == 0)
            }
            let result = try Program.run(arguments + ["--html", "page.html", "--junit", "junit.xml"], in: folder)
            #expect(result.status == 1, "\(result.errors)")
            let page = try text("page.html")
            #expect(page.contains("<b>m \(Self.escaped)</b>") && !page.unicodeScalars.contains("\u{600}<"))
            #expect(arguments[0] == "sweep" || page.contains("<title>\(Self.escaped).json and other.json</title>"))
            let junit = try text("junit.xml")
            #expect(junit.contains("m \(Self.escaped)") && !junit.unicodeScalars.contains("\u{600}<"))
        }
    }

    @Test func replays() throws {
        try scene(name)
        let result = try Program.run("replay", name, "--html", "page.html", in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let page = try text("page.html")
        #expect(page.contains("<title>Replay of \(Self.escaped).json</title>") && page.contains("<h1>\(Self.escaped).json</h1>"))
        #expect(!page.unicodeScalars.contains("\u{600}<") && page.unicodeScalars.contains("\u{600}\\u003cb>"))
    }
}

extension String.UnicodeScalarView {
    /// Whether it contains the scalars of a text; characters could be parts of others.
    fileprivate func contains(_ text: String) -> Bool { firstRange(of: text.unicodeScalars) != nil }
}
