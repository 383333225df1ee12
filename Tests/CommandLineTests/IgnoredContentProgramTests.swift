import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// `--ignore`, `--ignore-type` and `--ignore-rect` of `waymark diff` and `waymark sweep`.
@Suite struct IgnoredContentProgramTests {
    private let folder = ScratchFolder()

    /// A clock on a park, and a hall far from both.
    private func writeScene(_ name: String, clock: String = "12:00", offset: Int = 0, park: String = "#c8e6c9", hall: Int = 0) throws {
        try folder.write(
            """
            {"waymark": 1, "size": {"width": 200, "height": 120}, "background": "white", "camera": {"center": [127, 37.5], "zoom": 12},
            "overlays": [{"type": "polygon", "id": "park", "fillColor": "\(park)", "rings":
            [[[126.98, 37.495], [126.999, 37.495], [126.999, 37.51], [126.98, 37.51]]]},
            {"type": "marker", "id": "clock", "position": [126.985, 37.5], "captionText": "\(clock)", "anchorOffset": [\(offset), 0]},
            {"type": "marker", "id": "hall", "position": [127.012, 37.5], "anchorOffset": [\(hall), 0]}]}
            """, name)
    }

    private func diff(_ arguments: String...) throws -> Program { try Program.run(["diff"] + arguments, in: folder) }

    @Test func scenes() throws {
        try writeScene("old.json")
        try writeScene("new.json", clock: "12:01", offset: 3)
        #expect(try diff("old.json", "new.json").status == 1)
        let ignored = try diff("old.json", "new.json", "--ignore", "clock")
        #expect(ignored.status == 0 && ignored.text.hasPrefix("the compared pixels are equal; ") && ignored.errors.isEmpty, "\(ignored)")
        #expect(try diff("old.json", "new.json", "--ignore-type", "marker").status == 0)
        #expect(try diff("old.json", "new.json", "--ignore-type", "circle").status == 1)
        // The pixels of the park are left out together with the clock on them.
        #expect(try diff("old.json", "new.json", "--ignore-type", "polygon").status == 0)
        #expect(try diff("old.json", "new.json", "--ignore", "hall").status == 1)
        // Another overlay is still compared, and the ignored one is not reported.
        try writeScene("both.json", clock: "12:01", hall: 1)
        let both = try diff("old.json", "both.json", "--ignore", "clock")
        #expect(
            both.status == 1 && both.text.contains("  marker hall: moved by (1, 0) pt\n") && !both.text.contains("clock"), "\(both.text)")
    }

    @Test func rectangles() throws {
        try writeScene("old.json")
        try writeScene("new.json", hall: 1)
        let facts = try Program.run("diff", "old.json", "new.json", "--json", "-o", "difference.png", in: folder)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(facts.output)) as? [String: Any])
        let bounds = try #require((report["pictures"] as? [[String: Any]])?.first?["bounds"] as? [Int])
        let rectangle = bounds.map { "\($0)" }.joined(separator: ",")
        #expect(try diff("old.json", "new.json", "--ignore-rect", rectangle).status == 0)
        // One column less.
        let narrow = "\(bounds[0] + 1),\(bounds[1]),\(bounds[2]),\(bounds[3])"
        #expect(try diff("old.json", "new.json", "--ignore-rect", narrow).status == 1)
        // Two parts, in a picture of the differences.
        let half = bounds[2] / 2
        let parts = ["\(bounds[0]),\(bounds[1]),\(half),\(bounds[3])", "\(bounds[0] + half),\(bounds[1]),\(bounds[2]),\(bounds[3])"]
        let both = try diff("old.json", "new.json", "--ignore-rect", parts[0], "--ignore-rect", parts[1], "-o", "difference.png")
        #expect(both.status == 0, "\(both)")
        let picture = try Bitmap(contentsOf: "\(folder.path)/difference.png")
        #expect(picture[bounds[0], bounds[1]].blue == 255 && picture[bounds[0], bounds[1]].red < 255)
    }

    @Test func picturesWithInspections() throws {
        try writeScene("scene.json")
        let views = ["--tilts", "0,60", "--bearings", "0,90"]
        #expect(try Program.run(["sweep", "scene.json", "-o", "expected"] + views, in: folder).status == 0)
        try writeScene("scene.json", clock: "12:01", offset: 40)
        let compared = ["sweep", "scene.json", "--against", "expected"] + views
        #expect(try Program.run(compared + ["-o", "actual"], in: folder).status == 1)
        // Where the clock was and where it is.
        let result = try Program.run(compared + ["--ignore", "clock", "--html", "page.html"], in: folder)
        #expect(result.status == 0 && result.text == "4 pictures as expected\n", "\(result.text)")
        #expect(try diff("expected", "actual", "--ignore", "clock").status == 0)
        #expect(try diff("expected", "actual", "--ignore-type", "marker").status == 0)
        // An id of nothing is probably a mistake.
        let unknown = try diff("expected", "actual", "--ignore", "clock", "--ignore", "clok")
        #expect(unknown.status == 0)
        #expect(
            unknown.errors == "warning: --ignore: the compared pictures have no overlay or map element with the id \"clok\"\n",
            "\(unknown.errors)")
        // Without inspections, no pixel can be attributed.
        for name in ["expected", "actual"] { try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)/tilt-00-bearing-000.json") }
        let alone = try diff("expected", "actual", "--ignore", "clock")
        #expect(
            alone.status == 1
                && alone.text.contains(
                    "overlays cannot be ignored, because neither picture has a valid inspection (a .json file of the same name next to it)")
        )
        #expect(alone.text.hasSuffix("1 of 4 pictures differs\n"))
    }

    @Test(arguments: [
        (["--ignore-type", "markr"], "--ignore-type: \"markr\" is not a type; the types are marker, polyline"),
        (["--ignore", ""], "--ignore: an id must not be empty"),
        (["--ignore-rect", "0,0,0,5"], "--ignore-rect: x and y must be at least 0, and the width and the height at least 1"),
        (["--ignore-rect", "-1,0,2,5"], "--ignore-rect: x and y must be at least 0"), (["--ignore-rect", "1,2,3"], "1,2,3"),
        (["--ignore-rect", "1,2,3,4.5"], "1,2,3,4.5"),
    ]) func whatIsNoContentIsRefused(_ arguments: [String], _ words: String) throws {
        try writeScene("scene.json")
        let result = try Program.run(["diff", "scene.json", "scene.json"] + arguments, in: folder)
        #expect(result.status == 64 && result.errors.contains(words), "\(result.errors)")
        let sweep = try Program.run(["sweep", "scene.json", "--tilts", "0", "-o", "out", "--ignore", "clock"], in: folder)
        #expect(sweep.status == 64 && sweep.errors.contains("--ignore, --ignore-type and --ignore-rect require --against"))
    }
}
