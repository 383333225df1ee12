import Foundation
import Testing
import WaymarkTestSupport

/// `--hit-map` of `render` and of batches.
@Suite struct HitMapTests {
    let folder = ScratchFolder()

    init() throws {
        try folder.write(
            """
            {"waymark": 1, "size": {"width": 200, "height": 200}, "camera": {"center": [0, 0], "zoom": 10},
             "overlays": [
               {"type": "marker", "id": "a \\"b\\"/é", "position": [0, 0], "title": "<A> & \\"서울\\""},
               {"type": "polygon", "id": "frame", "fillColor": "transparent",
                "rings": [[[-0.05, -0.05], [0.05, -0.05], [0.05, 0.05], [-0.05, 0.05]], [[-0.03, -0.03], [0.03, -0.03], [0.03, 0.03], [-0.03, 0.03]]]},
               {"type": "marker", "id": "hidden", "position": [0, 0], "isHidden": true}]}
            """, "scene.json")
    }

    private func render(_ arguments: String...) throws -> Program { try Program.run(["render", "scene.json"] + arguments, in: folder) }

    @Test func theHTMLIsAnImageMapWithLinks() throws {
        let result = try render("-o", "card.png", "--hit-map", "map.html", "--link", "https://example.com/{type}?id={id}&x=1")
        #expect(result.status == 0 && result.errors.isEmpty)
        let title = "&lt;A&gt; &amp; &quot;&#49436;&#50872;&quot;"
        let link = "https://example.com/marker?id=a%20%22b%22%2F%C3%A9&amp;x=1"
        #expect(
            String(decoding: try folder.read("map.html"), as: UTF8.self) == """
                <img src="card.png" width="200" height="200" alt="" usemap="#card">
                <map name="card">
                <area shape="poly" coords="87,64,113,64,113,100,87,100" href="\(link)" alt="\(title)" title="\(title)">
                <area shape="poly" coords="27,27,173,27,173,173,27,173,56,144,144,144,144,56,56,56,56,144,27,173" \
                href="https://example.com/polygon?id=frame&amp;x=1" alt="frame" title="frame">
                </map>

                """)
    }

    @Test func aMapElsewhereFindsItsPicture() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/pages", withIntermediateDirectories: true)
        #expect(try render("-o", "a card.png", "--hit-map", "pages/map.htm").status == 0)
        let text = String(decoding: try folder.read("pages/map.htm"), as: UTF8.self)
        #expect(text.hasPrefix("<img src=\"../a%20card.png\" width") && text.contains("usemap=\"#a-card\">\n<map name=\"a-card\">"))
        #expect(text.contains("href=\"#frame\""))
    }

    @Test func theJSONIsAListOfAreas() throws {
        #expect(try render("-o", "card.png", "--hit-map", "map.json").status == 0)
        let object = try #require(JSONSerialization.jsonObject(with: Data(try folder.read("map.json"))) as? [String: Any])
        let areas = try #require(object["areas"] as? [[String: Any]])
        #expect(areas.map { $0["id"] as? String } == ["a \"b\"/é", "frame"])
        #expect(areas.map { $0["part"] as? String } == ["icon", "shape"])
        #expect((areas[0]["polygons"] as? [[[Double]]]) == [[[87, 64], [113, 64], [113, 100], [87, 100]]])
    }

    @Test func aWindowAtACoordinateHasItsTextAndNoLinkToAnID() throws {
        try folder.write(
            """
            {"waymark": 1, "size": {"width": 200, "height": 200}, "camera": {"center": [0, 0], "zoom": 10}, "overlays": [],
             "infoWindow": {"position": [0, 0], "contents": {"stack": [{"label": {"text": " "}}, {"label": {"text": "Ferry & \\"pier\\""}}]}}}
            """, "scene.json")
        #expect(try render("-o", "card.png", "--hit-map", "map.html").status == 0)
        let lines = String(decoding: try folder.read("map.html"), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 4 && lines[2].hasPrefix("<area shape=\"poly\" coords=\""), "\(lines)")
        #expect(lines[2].hasSuffix("\" title=\"Ferry &amp; &quot;pier&quot;\">") && !lines[2].contains("href") && !lines[2].contains("alt"))
        // A link without an id leads somewhere.
        #expect(try render("-o", "card.png", "--hit-map", "map.html", "--link", "/{type}").status == 0)
        let title = "Ferry &amp; &quot;pier&quot;"
        #expect(
            String(decoding: try folder.read("map.html"), as: UTF8.self)
                .contains(" href=\"/infoWindow\" alt=\"\(title)\" title=\"\(title)\">"))
        #expect(try render("-o", "card.png", "--hit-map", "map.json").status == 0)
        let object = try #require(JSONSerialization.jsonObject(with: Data(try folder.read("map.json"))) as? [String: Any])
        let area = try #require((object["areas"] as? [[String: Any]])?.first)
        #expect(area["id"] is NSNull && area["title"] as? String == "Ferry & \"pier\"")
    }

    @Test func batchesWriteThemBesideThePictures() throws {
        try folder.write(
            """
            {"id": "one"}
            {"id": "two", "output": "sub/two.webp", "hitMap": "json", "inspect": true}
            {"id": "three", "link": "?{id}"}
            """, "jobs.jsonl")
        let result = try Program.run(["batch", "jobs.jsonl", "-o", "out", "--scene", "scene.json", "--hit-map", "html"], in: folder)
        #expect(result.status == 0)
        let one = String(decoding: try folder.read("out/one.html"), as: UTF8.self)
        #expect(one.hasPrefix("<img src=\"one.png\" width=\"200\"") && one.contains("href=\"#frame\""))
        #expect(String(decoding: try folder.read("out/three.html"), as: UTF8.self).contains("href=\"?frame\""))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/out/sub").sorted()
        #expect(names == ["two.hits.json", "two.json", "two.webp"])
    }

    @Test func badArgumentsAreOneSentence() throws {
        let ending = try render("--hit-map", "map.txt")
        #expect(ending.status == 64)
        #expect(ending.errors == "error: map.txt: the name must end in .html, for an image map, or .json, for a list\n")
        #expect(try render("-o", "-", "--hit-map", "map.html").status == 64)
        #expect(try render("--link", "x").status == 64)
        #expect(try render("--hit-map", "map.json", "--link", "x").status == 64)
        let name = try render("-o", "card.png", "--hit-map", "map.html", "--link", "x{id}/{foo}")
        let problem = "{foo} is unknown; use {id} and {type}"
        #expect(name.status == 64 && name.errors == "error: --link: \(problem)\n")
        #expect(try render("-o", "card.png", "--hit-map", "scene.json").status == 64)
        #expect(try render("-o", "card.png", "--hit-map", "absent/map.json").status == 73)
        try folder.write(#"{"id": "a", "hitMap": "svg"}"#, "jobs.jsonl")
        #expect(try Program.run(["batch", "jobs.jsonl", "-o", "out", "--scene", "scene.json"], in: folder).status == 75)
        let failure = String(decoding: try folder.read("out/failures.jsonl"), as: UTF8.self)
        #expect(failure.contains(#"hitMap: \"svg\" is not one of html, json"#))
        try folder.write(#"{"id": "a", "hitMap": "html", "link": "{foo}"}"#, "links.jsonl")
        #expect(try Program.run(["batch", "links.jsonl", "-o", "links", "--scene", "scene.json"], in: folder).status == 75)
        #expect(String(decoding: try folder.read("links/failures.jsonl"), as: UTF8.self).contains("link: \(problem)"))
        for (open, problem) in [
            ("x{id", "a { has no matching }"), ("x}{id}", "a } has no matching {"), ("{id}{", "a { has no matching }"),
        ] {
            let brace = try render("-o", "card.png", "--hit-map", "map.html", "--link", open)
            #expect(brace.status == 64 && brace.errors == "error: --link: \(problem); use {id} and {type}\n", "\(brace.errors)")
        }
        let link = try Program.run(["batch", "jobs.jsonl", "-o", "out", "--hit-map", "html", "--link", "{ID}"], in: folder)
        #expect(link.status == 64 && link.errors.hasPrefix("error: --link: {ID} is unknown"))
        let flag = try Program.run(["batch", "jobs.jsonl", "-o", "out", "--hit-map", "svg"], in: folder)
        #expect(flag.status == 64 && flag.errors == "error: --hit-map: \"svg\" is not one of html, json\n")
    }
}
