import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// An output never replaces a file that its picture is made from.
@Suite struct OutputOverInputTests {
    private let folder = ScratchFolder()
    private let red = Bitmap(width: 8, height: 8, fill: .red)

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private func scene(_ overlays: String, _ other: String = "") -> String {
        #"{"waymark": 1, "size": {"width": 60, "height": 60}, "camera": {"center": [0, 0]}, \#(other) "overlays": [\#(overlays)]}"#
    }

    /// Runs the program, which must refuse with one line and change no file.
    private func refuse(_ arguments: String..., file: String, location: SourceLocation = #_sourceLocation) throws {
        try refuse(arguments, "replace \(file)", location: location)
    }

    private func refuse(
        _ arguments: [String], _ file: String, option: String = "--output", location: SourceLocation = #_sourceLocation
    ) throws {
        let before = try files()
        let result = try Program.run(arguments, in: folder)
        let words = "the output would \(file); choose another name with \(option)\n"
        #expect(result.status == 64 && result.errors.hasSuffix(words), "\(result.errors)", sourceLocation: location)
        #expect(result.errors.hasPrefix("error: ") && result.errors.filter { $0 == "\n" }.count == 1, sourceLocation: location)
        #expect(try files() == before, sourceLocation: location)
    }

    private func files() throws -> [String: Data] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).reduce(into: [:]) {
            $0[$1] = FileManager.default.contents(atPath: path($1)) ?? Data()
        }
    }

    @Test func aSceneKeepsItsIconUnderEveryName() throws {
        try red.write(to: path("shop.png"))
        try FileManager.default.createSymbolicLink(atPath: path("link.png"), withDestinationPath: "shop.png")
        try FileManager.default.linkItem(atPath: path("shop.png"), toPath: path("hard.png"))
        try FileManager.default.createDirectory(atPath: path("sub"), withIntermediateDirectories: false)
        try folder.write(scene(#"{"type": "marker", "position": [0, 0], "iconImage": "shop.png"}"#), "shop.json")
        try refuse("render", "shop.json", file: "this file, which the scene reads")
        for name in ["link.png", "hard.png", "./shop.png", "sub/../shop.png", path("shop.png")] {
            try refuse("render", "shop.json", "-o", name, file: "shop.png, which the scene reads")
        }
        // Images drawn leniently are read only while they are drawn.
        try refuse("render", "shop.json", "--lenient", file: "this file, which the scene reads")
        #expect(try Program.run("render", "shop.json", "-o", "other.png", in: folder).status == 0)
    }

    @Test func aSceneKeepsItself() throws {
        try folder.write(scene(""), "c2.png")
        try refuse("render", "c2.png", file: "this file, which is the scene")
        try FileManager.default.createSymbolicLink(atPath: path("link.png"), withDestinationPath: "c2.png")
        try refuse("render", "c2.png", "-o", "link.png", file: "c2.png, which is the scene")
    }

    @Test func aSceneKeepsEverythingElseThatItReads() throws {
        let point = #"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [0, 0]}}"#
        try folder.write(#"{"type": "FeatureCollection", "features": [\#(point)]}"#, "cities.json")
        try folder.write(#"{"type": "FeatureCollection", "features": []}"#, "pois.json")
        try folder.write("mtllib t.mtl\nusemtl a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "t.obj")
        try folder.write("newmtl a\nmap_Kd wall.png\n", "t.mtl")
        try folder.write(
            #"{"asset": {"version": "2.0"}, "buffers": [{"uri": "g.bin", "byteLength": 36}], "#
                + #""bufferViews": [{"buffer": 0, "byteLength": 36}], "#
                + #""accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}], "#
                + #""meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "nodes": [{"mesh": 0}]}"#, "g.gltf")
        try folder.write([UInt8](repeating: 0, count: 36), "g.bin")
        for name in ["wall.png", "texture.png", "listed.png"] { try red.write(to: path(name)) }
        let overlays = [
            #"{"type": "geojson", "source": "cities.json"}"#, #"{"type": "localModel", "coordinates": [0, 0], "model": "t.obj"}"#,
            #"{"type": "localModel", "coordinates": [0, 0], "model": "g.gltf", "texture": "texture.png"}"#,
        ]
        try folder.write(
            scene(overlays.joined(separator: ","), #""images": {"a": "listed.png"}, "symbols": {"source": "pois.json"},"#), "scene.json")
        for name in [
            "cities.json", "pois.json", "t.obj", "t.mtl", "g.gltf", "g.bin", "wall.png", "texture.png", "listed.png",
        ] {
            try refuse("render", "scene.json", "--format", "png", "-o", name, file: "this file, which the scene reads")
        }
    }

    @Test func aComparisonKeepsItsPictures() throws {
        try red.write(to: path("a.png"))
        try red.write(to: path("b.png"))
        try FileManager.default.createSymbolicLink(atPath: path("link.png"), withDestinationPath: "b.png")
        try refuse("diff", "a.png", "b.png", "-o", "a.png", file: "this file, which is compared")
        try refuse("diff", "a.png", "b.png", "-o", "link.png", file: "b.png, which is compared")
        #expect(try Program.run("diff", "a.png", "b.png", "-o", "c.png", in: folder).status == 0)
    }

    /// A scene is read before its icons are known.
    @Test func aComparisonOfScenesKeepsWhatTheyRead() throws {
        for name in ["icon.png", "other.png"] { try red.write(to: path(name)) }
        try folder.write(scene(#"{"type": "marker", "position": [0, 0], "iconImage": "icon.png"}"#), "icon.json")
        try folder.write(scene(#"{"type": "marker", "position": [0, 0], "iconImage": "other.png"}"#), "other.json")
        for (first, second) in [("other.json", "icon.json"), ("icon.json", "other.json")] {
            try refuse("diff", first, second, "-o", "icon.png", file: "this file, which a scene reads")
            try refuse(["diff", first, second, "--html", "./icon.png"], "replace icon.png, which a scene reads", option: "--html")
        }
        #expect(try Program.run("diff", "icon.json", "icon.json", "-o", "same.png", in: folder).status == 0)
    }

    /// The inspection next to a picture is also compared.
    @Test func aComparisonKeepsTheInspectionsOfItsPictures() throws {
        try folder.write(scene(""), "scene.json")
        #expect(try Program.run("sweep", "scene.json", "--tilts", "0", "-o", "a", in: folder).status == 0)
        try refuse(
            ["diff", "a/tilt-00.png", "a/tilt-00.png", "--junit", "a/tilt-00.json"], "replace this file, which is compared",
            option: "--junit")
        try refuse(["diff", "a", "a", "--junit", "a/tilt-00.json"], "replace this file, which is compared", option: "--junit")
    }

    @Test func twoOutputsAreTwoFiles() throws {
        try red.write(to: path("a.png"))
        try folder.write(scene(""), "scene.json")
        for arguments in [
            ["diff", "a.png", "a.png", "-o", "q.png", "--html", "q.png"],
            ["sweep", "scene.json", "--tilts", "0", "--against", ".", "--strip", "q.png", "--html", "q.png"],
        ] {
            let result = try Program.run(arguments, in: folder)
            let option = arguments[0] == "diff" ? "--output" : "--strip"
            #expect(
                result.status == 64 && result.errors == "error: q.png: \(option) and --html cannot be the same file\n", "\(result.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: path("q.png")))
    }

    /// Any name in a folder of tiles may be a tile's name.
    @Test func aFolderOfTilesKeepsItsTiles() throws {
        try FileManager.default.createDirectory(atPath: path("tf/0/0"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: path("out"), withIntermediateDirectories: false)
        try Bitmap(width: 256, height: 256, fill: .red).write(to: path("tf/0/0/0.png"))
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "tf/0")
        try folder.write(scene("", #""basemap": "tf","#), "mb.json")
        try folder.write(scene(""), "plain.json")
        for name in ["tf/0/0/0.png", "tf/1/0/0.png", "link/0/0.png", "./out/../tf/new.png", path("tf/0/0/0.png")] {
            try refuse(["render", "mb.json", "-o", name], "be in the folder tf, which the scene reads")
            try refuse(["render", "plain.json", "--basemap", "tf/", "-o", name], "be in the folder tf/, which the scene reads")
        }
        try refuse(
            ["render", "mb.json", "-o", "a.png", "--hit-map", "tf/map.json"], "be in the folder tf, which the scene reads",
            option: "--hit-map")
        try refuse(["diff", "mb.json", "mb.json", "-o", "tf/0/0/0.png"], "be in the folder tf, which a scene reads")
        try refuse(["tiles", "mb.json", "--zooms", "0", "-o", "tf/all.pmtiles"], "be in the folder tf, which the scene reads")
        try refuse(
            ["sweep", "mb.json", "--tilts", "0", "--strip", "tf/strip.png"], "be in the folder tf, which the scene reads", option: "--strip"
        )
        // A file next to the folder is not in it.
        #expect(try Program.run("render", "mb.json", "-o", "tf.png", in: folder).status == 0)
        #expect(try Program.run("render", "plain.json", "-o", "tf/0/0/1.png", in: folder).status == 0)

        try folder.write(
            """
            {"id": "a", "output": "tf/0/0/0.png"}
            {"id": "b", "output": "tf/5/1/2.png"}
            {"id": "c", "output": "c.png"}
            {"id": "d", "output": "tf/0/0/1.png", "basemap": null}
            """, "jobs.jsonl")
        let before = try files()
        let result = try Program.run("batch", "jobs.jsonl", "--scene", "mb.json", "-o", ".", "--workers", "1", in: folder)
        #expect(result.status == 75)
        let words = "the picture would be in the folder tf, which it is made from"
        for (id, line, name) in [("a", 1, "tf/0/0/0.png"), ("b", 2, "tf/5/1/2.png"), ("d", 4, "tf/0/0/1.png")] {
            #expect(
                result.errors.contains("error: jobs.jsonl: line \(line): \(id): output: \(name): \(words)\n"), "\(result.errors)")
        }
        let after = try files()
        #expect(after["c.png"] != nil && after["tf/5/1/2.png"] == nil && after["tf/0/0/0.png"] == before["tf/0/0/0.png"])

        // A folder read by one job does not affect the next job.
        try folder.write(
            """
            {"id": "a", "output": "tf/0/0/0.png", "basemap": "tf"}
            {"id": "b", "output": "tf/5/1/2.png"}
            """, "own.jsonl")
        let own = try Program.run("batch", "own.jsonl", "--scene", "plain.json", "-o", ".", "--workers", "1", in: folder)
        #expect(own.status == 75 && own.errors.contains("line 1: a: output: tf/0/0/0.png: \(words)"), "\(own.errors)")
        #expect(!own.errors.contains("line 2") && FileManager.default.fileExists(atPath: path("tf/5/1/2.png")))
    }

    /// Messages describe each file of a job correctly.
    @Test func aBatchNamesTheFileThatWouldReplaceAnInput() throws {
        try FileManager.default.createDirectory(atPath: path("out"), withIntermediateDirectories: false)
        try folder.write(#"{"type": "FeatureCollection", "features": []}"#, "out/x.json")
        try folder.write(#"{"type": "FeatureCollection", "features": []}"#, "out/y.hits.json")
        try folder.write(
            scene(#"{"type": "geojson", "source": "out/x.json"}, {"type": "geojson", "source": "out/y.hits.json"}"#), "scene.json")
        try folder.write(
            """
            {"id": "x", "inspect": true}
            {"id": "y", "hitMap": "json", "inspect": true}
            """, "jobs.jsonl")
        let result = try Program.run("batch", "jobs.jsonl", "--scene", "scene.json", "-o", "out", "--workers", "1", in: folder)
        #expect(result.status == 75)
        for words in [
            "x: output: x.json: the inspection would replace out/x.json, which the picture is made from\n",
            "y: output: y.hits.json: the hit map would replace out/y.hits.json, which the picture is made from\n",
        ] { #expect(result.errors.contains(words), "\(result.errors)") }
    }

    /// A job whose picture would replace a file read by the base or by the job itself fails alone.
    @Test func aBatchKeepsWhatItReads() throws {
        try FileManager.default.createDirectory(atPath: path("out"), withIntermediateDirectories: false)
        for name in ["base.png", "own.png", "other.png"] { try red.write(to: path("out/\(name)")) }
        try folder.write(scene(#"{"type": "marker", "id": "m", "position": [0, 0], "iconImage": "base.png"}"#), "out/scene.webp")
        try folder.write(
            """
            {"id": "a", "output": "base.png"}
            {"id": "b", "output": "own.png", "change": {"m": {"iconImage": "own.png"}}}
            {"id": "c", "output": "scene.webp"}
            {"id": "d", "output": "jobs.rgba"}
            {"id": "e", "change": {"m": {"iconImage": "other.png"}}}
            {"id": "f", "output": "other.png"}
            """, "out/jobs.rgba")
        let before = try files()
        let result = try Program.run("batch", "out/jobs.rgba", "--scene", "out/scene.webp", "-o", "out", "--workers", "1", in: folder)
        #expect(result.status == 75, "\(result.errors)")
        let words = ", which it is made from"
        for (id, line, file) in [("a", 1, "out/base.png"), ("b", 2, "out/own.png"), ("c", 3, "out/scene.webp"), ("d", 4, "out/jobs.rgba")] {
            let output = file.dropFirst(4)
            #expect(
                result.errors.contains(
                    "error: out/jobs.rgba: line \(line): \(id): output: \(output): the picture would replace \(file)\(words)\n"),
                "\(result.errors)")
        }
        let failures = try String(decoding: folder.read("out/failures.jsonl"), as: UTF8.self)
        #expect(failures.split(separator: "\n").count == 4 && failures.contains(#""id":"a","line":1,"code":64"#), "\(failures)")
        let after = try files()
        for name in ["out/base.png", "out/own.png", "out/scene.webp", "out/jobs.rgba"] { #expect(after[name] == before[name]) }
        // A picture may replace an icon of another job, which an earlier batch may have drawn.
        #expect(after["out/other.png"] != before["out/other.png"] && after["out/e.png"] != nil)
        // The same without the file of jobs: the failures of one batch are not jobs of the next batch in the same folder.
        let again = try Program.run("batch", "out/failures.jsonl", "-o", "out", in: folder)
        #expect(
            again.status == 64
                && again.errors == "error: out/failures.jsonl: the batch would replace this file, which it reads; "
                    + "choose another folder or copy the file\n",
            "\(again.errors)")
        #expect(try String(decoding: folder.read("out/failures.jsonl"), as: UTF8.self) == failures)
    }
}
