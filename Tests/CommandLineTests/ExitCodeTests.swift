import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// Each fault has one exit code, however it is found, and a message that describes it.
@Suite struct ExitCodeTests {
    private let folder = ScratchFolder()

    private func scene(_ overlays: String, _ other: String = "") throws {
        try folder.write(
            #"{"waymark": 1, "size": {"width": 60, "height": 60}, "camera": {"center": [0, 0]}, \#(other) "overlays": [\#(overlays)]}"#,
            "scene.json")
    }

    private func marker(_ members: String) -> String { #"{"type": "marker", "id": "m", "position": [0, 0], \#(members)}"# }

    // MARK: SVGs

    private func svg(_ width: String, _ height: String, _ content: String = "") -> String {
        "<svg xmlns='http://www.w3.org/2000/svg' width='\(width)' height='\(height)'>\(content)</svg>"
    }

    /// Whether it is damaged, has no size, is too large, or only fails at the size at which it is shown.
    @Test func anSVGThatCannotBeDrawnIs65() throws {
        let cases = [("cut", "<svg xmlns='http://www.w3.org/2000/svg'><rect"), ("none", svg("0", "16")), ("wide", svg("24000", "16"))]
        for (name, text) in cases {
            try folder.write(text, "\(name).svg")
            try scene(marker(#""iconImage": "\#(name).svg""#))
            try folder.write(#"{"id": "job"}"#, "jobs.jsonl")
            let before = folder.names
            for command in [["render", "scene.json", "-o", "out.png"], ["render", "scene.json", "-o", "-"], ["inspect", "scene.json"]] {
                let result = try Program.run(command, in: folder)
                #expect(result.status == 65 && result.output.isEmpty, "\(name) \(command)")
                #expect(
                    result.errors.hasPrefix("error: scene.json: ") && result.errors.contains("\(name).svg: the SVG "), "\(result.errors)")
                #expect(result.errors.filter { $0 == "\n" }.count == 1)
            }
            // Nothing is drawn in the place of the icon.
            let refused = try Program.run("render", "scene.json", "-o", "out.png", in: folder)
            #expect(!refused.errors.contains("in its place"), "\(refused.errors)")
            #expect(name != "wide" || refused.errors.hasSuffix("are allowed; --lenient draws the rest\n"), "\(refused.errors)")
            // 20,000 × 1,700 pixels are drawn in bands.
            let bands = try Program.run("render", "scene.json", "-o", "out.png", "--size", "20000x1700", in: folder)
            #expect(bands.status == 65 && bands.errors.hasPrefix("error: "), "\(bands.errors)")
            #expect(folder.names == before)
            let lenient = try Program.run("render", "scene.json", "-o", "out.png", "--lenient", in: folder)
            #expect(lenient.status == 0 && lenient.errors.hasPrefix("warning: scene.json: m: iconImage: "), "\(lenient.errors)")
            try FileManager.default.removeItem(atPath: "\(folder.path)/out.png")
        }
    }

    @Test func aJobWithAnSVGThatCannotBeDrawnFails() throws {
        try folder.write(svg("24000", "16"), "wide.svg")
        try scene(marker(#""iconImage": "builtin:red""#))
        try folder.write(
            """
            {"id": "bad", "change": {"m": {"iconImage": "wide.svg"}}}
            {"id": "good"}
            {"id": "large", "size": {"width": 20000, "height": 1700}, "change": {"m": {"iconImage": "wide.svg"}}}
            """, "jobs.jsonl")
        let result = try Program.run("batch", "jobs.jsonl", "--scene", "scene.json", "-o", "out", "--workers", "1", in: folder)
        #expect(result.status == 75 && result.errors.contains("2 jobs failed"), "\(result.errors)")
        let failures = try String(decoding: folder.read("out/failures.jsonl"), as: UTF8.self).split(separator: "\n")
        #expect(failures.count == 2 && failures.allSatisfy { $0.contains(#""code":65"#) && $0.contains("wide.svg: the SVG is 24000") })
        #expect(failures.allSatisfy { !$0.contains("in its place") }, "\(failures)")
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/out").sorted()
        #expect(names == [".waymark-batch.jsonl", "failures.jsonl", "good.png"])
        let lenient = try Program.run(
            "batch", "jobs.jsonl", "--scene", "scene.json", "-o", "out", "--workers", "1", "--lenient", in: folder)
        #expect(lenient.status == 0, "\(lenient.errors)")
        let warnings = try String(decoding: folder.read("out/warnings.jsonl"), as: UTF8.self)
        #expect(warnings.contains("are allowed; the default icon is drawn in its place"), "\(warnings)")
    }

    // MARK: Sizes

    @Test func aPictureTooLargeForItsFormatIsRefusedBeforeItIsDrawn() throws {
        try folder.write(#"{"waymark": 1, "size": {"width": 20000, "height": 10}}"#, "wide.json")
        let problem = "a picture of 20000 × 10 pixels cannot be written as WebP\n"
        // The scene chose the size.
        let own = try Program.run("render", "wide.json", "-o", "out.webp", in: folder)
        #expect(own.status == 65 && own.errors.hasSuffix("error: wide.json: out.webp: \(problem)"), "\(own.errors)")
        // Whoever called the program did.
        for options in [["--format", "webp"], ["-o", "out.webp", "--size", "20000x10"], ["-o", "-", "--format", "webp"]] {
            let result = try Program.run(["render", "wide.json"] + options, in: folder)
            #expect(result.status == 64 && result.output.isEmpty && result.errors.hasSuffix(problem), "\(result.errors)")
        }
        try folder.write(#"{"id": "a", "output": "a.webp"}"#, "jobs.jsonl")
        let batch = try Program.run("batch", "jobs.jsonl", "--scene", "wide.json", "-o", "out", in: folder)
        #expect(batch.status == 75 && batch.errors.contains("a: output: a.webp: \(problem)"), "\(batch.errors)")
        #expect(try String(decoding: folder.read("out/failures.jsonl"), as: UTF8.self).contains(#""code":65"#))
        #expect(!folder.names.contains { $0.hasSuffix(".webp") })
    }

    // MARK: Batches

    @Test func anOutputInsideTheListOfFailuresFailsItsJobAlone() throws {
        try folder.write(
            """
            {"id": "a", "output": "failures.jsonl/a.png"}
            {"id": "b"}
            {"id": "c", "output": ".waymark-batch.jsonl/c.png"}
            {"id": "d", "output": "failures.d/d.png"}
            """, "jobs.jsonl")
        let result = try Program.run("batch", "jobs.jsonl", "-o", "out", in: folder)
        #expect(result.status == 75 && result.errors.hasSuffix("error: 2 jobs failed: out/failures.jsonl\n"), "\(result.errors)")
        let failures = try String(decoding: folder.read("out/failures.jsonl"), as: UTF8.self)
        let message = #"output: \"failures.jsonl/a.png\" is inside failures.jsonl, which the batch itself writes"#
        #expect(failures.hasPrefix(#"{"id":"a","line":1,"code":65,"message":"\#(message)"}"#), "\(failures)")
        #expect(failures.split(separator: "\n").count == 2)
        #expect(FileManager.default.fileExists(atPath: "\(folder.path)/out/failures.d/d.png"))
    }

    @Test func anOverlayThatIsNoLongerThereSaysWhy() throws {
        try scene(
            #"{"type": "container", "id": "box", "children": [{"type": "marker", "id": "in", "position": [0, 0]}]}, "#
                + marker(#""zIndex": 1"#))
        try folder.write(
            """
            {"id": "a", "remove": ["box", "in"]}
            {"id": "b", "change": {"box": {"children": []}, "in": {"zIndex": 3}}}
            """, "jobs.jsonl")
        let result = try Program.run("batch", "jobs.jsonl", "--scene", "scene.json", "-o", "out", "--workers", "1", in: folder)
        #expect(result.errors.contains(#"a: remove[1]: "in" is already removed with "box", which contained it"#), "\(result.errors)")
        #expect(
            result.errors.contains(#"b: change.in: "in" is no longer in "box", because this job changed its children"#), "\(result.errors)")
    }

    @Test func theTemporaryFolderIsNamedWithTheReason() throws {
        let result = try Program.run(
            "batch", "-", "-o", "out", in: folder, input: Array(#"{"id": "a"}"#.utf8), environment: ["TMPDIR": "/nowhere"])
        #expect(
            result.status == 73
                && result.errors
                    == "error: standard input: the jobs must be copied into a temporary file, but writing to the folder /nowhere fails: "
                    + "No such file or directory; set TMPDIR to another folder\n",
            "\(result.errors)")
    }

    // MARK: Content

    @Test func aZIndexBeyondInt64() throws {
        for value in ["9223372036854775808", "-9223372036854775809", "99999999999999999999", "1e30"] {
            try scene(marker(#""zIndex": \#(value)"#))
            let result = try Program.run("inspect", "scene.json", in: folder)
            #expect(
                result.status == 65 && result.errors.hasPrefix("error: scene.json: overlays[0].zIndex: ")
                    && result.errors.hasSuffix(" is outside -9223372036854775808…9223372036854775807\n"), "\(value): \(result.errors)")
        }
        for value in ["9223372036854775807", "-9223372036854775808"] {
            try scene(marker(#""zIndex": \#(value)"#))
            #expect(try Program.run("inspect", "scene.json", in: folder).status == 0, "\(value)")
        }
    }

    @Test func aHoleOutsideItsRingIsNotFilled() throws {
        let camera = #""camera": {"center": [0, 0], "zoom": 4}, "size": {"width": 100, "height": 100}"#
        func write(_ rings: String) throws {
            try folder.write(
                ##"{"waymark": 1, \##(camera), "overlays": [{"type": "polygon", "id": "p", "fillColor": "#ff0000", "rings": [\##(rings)]}]}"##,
                "scene.json")
        }
        let outer = "[[-1, -1], [-1, 1], [0.5, 1], [0.5, -1]]"
        // One next to the ring, one around it, and one inside, which stays a hole.
        let holes = ["[[1, -0.5], [1, 0.5], [1.5, 0.5], [1.5, -0.5]]", "[[-2, -2], [-2, 2], [2, 2], [2, -2]]"]
        let inner = "[[-0.7, -0.3], [-0.7, 0.3], [-0.1, 0.3], [-0.1, -0.3]]"
        try write("\(outer), \(inner)")
        let plain = try Program.run("render", "scene.json", "-o", "plain.png", in: folder)
        #expect(plain.status == 0 && plain.errors.isEmpty)
        let expected = try Bitmap(contentsOf: "\(folder.path)/plain.png")
        for hole in holes {
            try write("\(outer), \(inner), \(hole)")
            let result = try Program.run("render", "scene.json", "-o", "holes.png", in: folder)
            #expect(
                result.status == 0
                    && result.errors
                        == "warning: scene.json: p: rings[2]: this hole lies outside its outer ring and is not drawn\n",
                "\(result.errors)")
            #expect(try Bitmap(contentsOf: "\(folder.path)/holes.png") == expected)
        }
        // Touching the ring from inside is inside.
        try write("\(outer), [[-1, -1], [-1, 0], [-0.5, 0]]")
        #expect(try Program.run("render", "scene.json", "-o", "holes.png", in: folder).errors.isEmpty)
    }

    @Test func aReferenceSystemThatIsNotRead() throws {
        func result(_ system: String, isSymbols: Bool = false) throws -> Program {
            try folder.write(
                #"{"type": "FeatureCollection", "crs": \#(system), "features": [{"type": "Feature", "properties": {"name": "a"}, "#
                    + #""geometry": {"type": "Point", "coordinates": [1, 2]}}]}"#, "points.json")
            guard isSymbols else { return try Program.run("inspect", "points.json", in: folder) }
            try folder.write(#"{"waymark": 1, "symbols": {"source": "points.json"}}"#, "scene.json")
            return try Program.run("inspect", "scene.json", in: folder)
        }
        for name in [
            "EPSG:4326", "urn:ogc:def:crs:OGC:1.3:CRS84", "urn:ogc:def:crs:OGC::CRS84", "OGC:CRS84", "CRS84", "urn:ogc:def:crs:EPSG::4326",
            "http://www.opengis.net/def/crs/OGC/1.3/CRS84", "http://www.opengis.net/def/crs/EPSG/0/4326",
        ] {
            #expect(try result(#"{"type": "name", "properties": {"name": "\#(name)"}}"#).status == 0, "\(name)")
        }
        #expect(try result("null").status == 0)
        #expect(try result(#"{"type": "EPSG", "properties": {"code": 4326}}"#).status == 0)
        let known = "is not supported; use CRS84 or EPSG:4326, longitudes and latitudes of WGS 84 in degrees\n"
        for name in ["EPSG:3857", "urn:ogc:def:crs:EPSG::25832", "EPSG:43260", "FOO:4326", "OGC:CRS83"] {
            for isSymbols in [false, true] {
                let result = try result(#"{"type": "name", "properties": {"name": "\#(name)"}}"#, isSymbols: isSymbols)
                let place = isSymbols ? "scene.json: symbols.source: " : ""
                #expect(
                    result.status == 65
                        && result.errors == #"error: \#(place)points.json: crs.properties.name: the string "\#(name)" \#(known)"#,
                    "\(result.errors)")
            }
        }
        #expect(try result(#"{"type": "link", "properties": {"href": "x"}}"#).status == 65)
        #expect(try result(#"{"type": "EPSG", "properties": {"code": 3857}}"#).status == 65)
    }

    // MARK: Words

    @Test func nothingIsFittedSoNothingIsSaidAboutIt() throws {
        try folder.write(#"{"waymark": 1}"#, "empty.json")
        let placed = try Program.run("inspect", "empty.json", "--center", "0,0", "--zoom", "3", in: folder)
        #expect(placed.status == 0 && placed.errors.isEmpty && !placed.text.contains("camera.fit"), "\(placed.errors)")
        #expect(try Program.run("inspect", "empty.json", "--zoom", "3", in: folder).text.contains("there is nothing to fit"))
    }

    @Test func namesThatAreEmptyShow() throws {
        try scene("")
        try folder.write(#"{"id": "a"}"#, "jobs.jsonl")
        let missing = #""": cannot read the file: No such file or directory"#
        let cases: [([String], Int32, String)] = [
            (["render", ""], 66, missing), (["inspect", ""], 66, missing), (["diff", "", "x.png"], 66, missing),
            (["batch", "", "-o", "out"], 66, missing), (["batch", "jobs.jsonl", "-o", "out", "--scene", ""], 66, missing),
            (["batch", "jobs.jsonl", "-o", ""], 64, "--output: the name of the folder is empty"),
            (["schema", "--markdown", ""], 66, missing),
            (
                ["render", "scene.json", "-o", ""], 64,
                #""": the name does not end in one of .png, .jpg, .webp, .rgba; choose one with --format"#
            ),
            (
                ["diff", "a.png", "b.png", "-o", ""], 64,
                #""": the file name has no known picture extension (png, jpg, jpeg, webp, rgba)"#
            ),
        ]
        for (arguments, status, message) in cases {
            let result = try Program.run(arguments, in: folder)
            #expect(result.status == status && result.errors == "error: \(message)\n", "\(arguments): \(result.errors)")
        }
        try scene(#"{"type": "geojson", "source": ""}"#)
        #expect(
            try Program.run("inspect", "scene.json", in: folder).errors
                == "error: scene.json: overlays[0].source: the path of the source is empty\n")
        try scene("", #""symbols": {"source": ""},"#)
        #expect(
            try Program.run("inspect", "scene.json", in: folder).errors
                == "error: scene.json: symbols.source: the path of the source is empty\n")
        try scene(marker(#""captionText": "a""#))
        #expect(
            try Program.run("inspect", "scene.json", "--font-dir", "", in: folder).errors
                == "error: \"\": the font folder cannot be read: No such file or directory\n")
    }

    @Test func aDeviceThatIsNone() throws {
        try scene("")
        let result = try Program.run("render", "scene.json", in: folder, environment: ["WAYMARK_DEVICE": "banana"])
        let device =
            #""banana" is not a device; use auto, an index in EGL's list, drm:/dev/dri/renderD128, cuda:N, surfaceless or software"#
        #expect(result.status == 64 && result.errors.hasSuffix("error: WAYMARK_DEVICE: \(device)\n"), "\(result.errors)")
        let named = try Program.run("render", "scene.json", "--device", "banana", in: folder)
        #expect(named.status == 64 && named.errors.hasSuffix("error: --device: \(device)\n"), "\(named.errors)")
    }

    @Test func aSizeThatIsNone() throws {
        try scene("")
        let result = try Program.run("render", "scene.json", "--size", "0x5", in: folder)
        #expect(result.status == 64 && result.errors.hasPrefix("error: --size: the width of 0 pt "), "\(result.errors)")
    }
}
