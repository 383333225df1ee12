import Foundation
import Testing
import WaymarkTestSupport

/// Names with U+0000, where C would cut them: `a.png` and `a.png\0b` would be one file.
@Suite struct ZeroByteTests {
    private let folder = ScratchFolder()

    init() throws {
        try folder.write(#"{"type": "Point", "coordinates": [1, 2]}"#, "points.json")
        try folder.write("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>", "a.svg")
        try folder.write("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "a.obj")
    }

    @Test(arguments: [
        (
            ##"{"type": "geojson", "source": "points.json\u0000"}"##, "",
            ##"overlays[0].source: "points.json\u{0}" contains U+0000, which file names cannot contain"##
        ),
        (
            ##"{"type": "marker", "position": [0, 0], "iconImage": "a.svg\u0000b"}"##, "",
            ##"overlays[0].iconImage: "a.svg\u{0}b" contains U+0000, which file names cannot contain"##
        ),
        (
            ##"{"type": "localModel", "coordinates": [0, 0], "model": "a.obj\u0000.obj"}"##, "",
            ##"overlays[0].model: "a.obj\u{0}.obj" contains U+0000, which file names cannot contain"##
        ),
        ("", ##""basemap": "map\u0000","##, ##"basemap: "map\u{0}" contains U+0000, which file names cannot contain"##),
        ("", ##""images": {"a": "a.svg\u0000"},"##, ##"images.a: "a.svg\u{0}" contains U+0000, which file names cannot contain"##),
        ("", ##""images": {"a\u0000b": "a.svg"},"##, ##"images["a\u{0}b"]: the name "a\u{0}b" contains U+0000"##),
        (##"{"type": "marker", "id": "a\u0000b", "position": [0, 0]}"##, "", ##"overlays[0]: the id "a\u{0}b" contains U+0000"##),
        ("", ##""symbols": [{"id": "a\u0000b", "position": [0, 0]}],"##, ##"symbols[0]: the id "a\u{0}b" contains U+0000"##),
        (
            ##"{"type": "viewOverlay", "id": "\u0000", "coordinates": [0, 0], "content": {"label": {"text": "a"}}}"##, "",
            ##"overlays[0]: the id "\u{0}" contains U+0000"##
        ),
    ])
    func ofScenes(overlay: String, settings: String, problem: String) throws {
        try folder.write(
            #"{"waymark": 1, "camera": {"center": [0, 0], "zoom": 3}, \#(settings) "overlays": [\#(overlay)]}"#, "scene.json")
        let result = try Program.run("inspect", "scene.json", in: folder)
        #expect(result.status == 65 && result.errors == "error: scene.json: \(problem)\n", "\(result.status) \(result.errors)")
    }

    @Test func ofFeatures() throws {
        try folder.write(
            #"{"type": "Feature", "id": "a\u0000b", "properties": null, "geometry": {"type": "Point", "coordinates": [1, 2]}}"#,
            "feature.json")
        for overlay in ["geojson", "clusterLayer"] {
            try folder.write(#"{"waymark": 1, "overlays": [{"type": "\#(overlay)", "source": "feature.json"}]}"#, "scene.json")
            let result = try Program.run("inspect", "scene.json", in: folder)
            let message = "error: scene.json: overlays[0].source: feature.json: id: the id \"a\\u{0}b\" contains U+0000\n"
            #expect(result.status == 65 && result.errors == message, "\(result.errors)")
        }
    }

    @Test func ofOutputs() throws {
        try folder.write(##"{"id": "a\u0000b"}"## + "\n" + ##"{"id": "c", "output": "c.png\u0000d.png"}"##, "jobs.jsonl")
        let result = try Program.run("batch", "jobs.jsonl", "-o", "out", in: folder)
        #expect(result.status == 75)
        let failures = String(decoding: try folder.read("out/failures.jsonl"), as: UTF8.self)
        #expect(failures.components(separatedBy: "contains control characters").count == 3, "\(failures)")
        #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/out/c.png"))
    }
}
