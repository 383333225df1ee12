import Foundation
import Testing
import WaymarkImaging
import WaymarkTestSupport

/// `--basemap`, in single pictures and in batches.
@Suite struct BaseMapProgramTests {
    private let folder = ScratchFolder()
    private let view = ["--size", "64x40", "--center", "20,10", "--zoom", "1"]

    private func addTile(_ name: String, _ bytes: [UInt8]) throws {
        try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)/0/0", withIntermediateDirectories: true)
        try folder.write(bytes, "\(name)/0/0/0.png")
    }

    private func addTile(_ name: String, _ color: Color) throws {
        try addTile(name, Bitmap(width: 256, height: 256, fill: color).encoded(as: .png))
    }

    private func color(_ name: String) throws -> Bitmap.Pixel { try Bitmap(contentsOf: "\(folder.path)/\(name)")[32, 20] }

    @Test func theOptionReplacesTheScenesBaseMap() throws {
        try addTile("red", .red)
        try addTile("green", .green)
        try folder.write("{\"waymark\": 1, \"basemap\": \"red\"}", "scene.json")
        var done = try Program.run(["render", "scene.json", "-o", "a.png"] + view, in: folder)
        #expect(done.status == 0 && done.errors.isEmpty, "\(done.errors)")
        #expect(try color("a.png") == Color.red.premultipliedBytes)
        done = try Program.run(["render", "scene.json", "-o", "b.png", "--basemap", "green"] + view, in: folder)
        #expect(done.status == 0 && done.errors.isEmpty, "\(done.errors)")
        #expect(try color("b.png") == Color.green.premultipliedBytes)
        done = try Program.run(["render", "scene.json", "-o", "c.png", "--basemap", "none.pmtiles"] + view, in: folder)
        #expect(done.status == 66 && done.errors.hasPrefix("error: --basemap: none.pmtiles: cannot read the file"), "\(done.errors)")
        done = try Program.run(["render", "scene.json", "-o", "c.png", "--basemap", "https://a.example/city.pmtiles"] + view, in: folder)
        #expect(
            done.status == 65 && done.errors.hasPrefix("error: --basemap: https://a.example/city.pmtiles: this is a URL"), "\(done.errors)")
        try folder.write("text", "text.pmtiles")
        done = try Program.run(["render", "scene.json", "-o", "c.png", "--basemap", "text.pmtiles"] + view, in: folder)
        #expect(done.status == 65 && done.errors.hasPrefix("error: --basemap: text.pmtiles: this is not a tile archive"), "\(done.errors)")
    }

    /// `--theme` is the theme of the scene's base map and of `--basemap`, also in jobs, unless a layer has its own.
    @Test func theOptionForTheTheme() throws {
        try addTile("red", .red)
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
        let archive = "\(tests)/VectorTilesTests/Fixtures/helsinki.mbtiles"
        let view = ["--size", "64x40", "--center", "60.1759,24.9495", "--zoom", "14.6"]
        func scene(_ theme: String) -> String { #"{"waymark": 1, "theme": "\#(theme)", "basemap": "\#(archive)"}"# }
        try folder.write(#"{"waymark": 1, "theme": "dark", "basemap": {"source": "\#(archive)", "theme": "gray"}}"#, "own.json")
        for theme in ["light", "dark", "gray"] {
            try folder.write(scene(theme), "\(theme).json")
            let done = try Program.run(["render", "\(theme).json", "-o", "\(theme).png"] + view, in: folder)
            #expect(done.status == 0, "\(done.errors)")
        }
        let dark = try folder.read("dark.png")
        #expect(try dark != folder.read("light.png") && dark != folder.read("gray.png"))
        try folder.write(#"{"waymark": 1}"#, "empty.json")
        for arguments in [["light.json"], ["empty.json", "--basemap", archive], ["empty.json", "--basemap", "red", "--basemap", archive]] {
            let done = try Program.run(["render"] + arguments + ["-o", "a.png", "--theme", "dark"] + view, in: folder)
            #expect(done.status == 0, "\(done.errors)")
            #expect(try folder.read("a.png") == dark, "\(arguments)")
        }
        try folder.write(#"{"id": "a"}"#, "jobs.jsonl")
        let batch = ["batch", "jobs.jsonl", "-o", "out", "--workers", "1", "--theme", "dark"] + view
        var done = try Program.run(batch + ["--basemap", "red", "--basemap", archive], in: folder)
        #expect(done.status == 0, "\(done.errors)")
        #expect(try folder.read("out/a.png") == dark)

        done = try Program.run(batch.map { $0 == "out" ? "other" : $0 } + ["--scene", "light.json"], in: folder)
        #expect(done.status == 0, "\(done.errors)")
        #expect(try folder.read("other/a.png") == dark)
        done = try Program.run(["render", "own.json", "-o", "own.png"] + view, in: folder)
        #expect(done.status == 0, "\(done.errors)")
        done = try Program.run(["render", "own.json", "-o", "b.png", "--theme", "light"] + view, in: folder)
        #expect(done.status == 0, "\(done.errors)")
        #expect(try folder.read("own.png") == folder.read("gray.png") && folder.read("b.png") == folder.read("gray.png"))
        done = try Program.run(["render", "light.json", "-o", "b.png", "--theme", "sepia"] + view, in: folder)
        #expect(
            done.status == 64 && done.errors.hasPrefix("error: --theme: \"sepia\" is not one of light, dark, gray"), "\(done.errors)")
    }

    /// The program does not open a base map that the option replaces.
    @Test(arguments: [#""missing.pmtiles""#, #""../secret""#, "7"]) func theOptionReplacesABaseMapThatCannotBeOpened(json: String) throws {
        try addTile("green", .green)
        try folder.write("{\"waymark\": 1, \"basemap\": \(json)}", "scene.json")
        #expect(try Program.run(["render", "scene.json", "-o", "a.png"] + view, in: folder).status != 0)
        let done = try Program.run(
            ["render", "scene.json", "-o", "b.png", "--basemap", "green", "--allow-files", "none"] + view, in: folder)
        #expect(done.status == 0 && done.errors.isEmpty, "\(done.errors)")
        #expect(try color("b.png") == Color.green.premultipliedBytes)
    }

    @Test func aBrokenTileIsAWarning() throws {
        try addTile("broken", Array("<html></html>".utf8))
        try folder.write("{\"waymark\": 1, \"basemap\": \"broken\"}", "scene.json")
        let done = try Program.run(["render", "scene.json", "-o", "a.png"] + view, in: folder)
        #expect(done.status == 0)
        #expect(
            done.errors == "warning: scene.json: basemap: broken: tile 0/0/0 is left out: the tile must be a PNG, JPEG or WebP image\n",
            "\(done.errors)")
    }

    @Test func jobsHaveTheBaseMapOfTheBaseTheOptionOrTheirOwn() throws {
        try addTile("red", .red)
        try addTile("green", .green)
        try folder.write("{\"waymark\": 1, \"basemap\": \"red\"}", "base.json")
        let camera = "\"camera\": {\"center\": [10, 20], \"zoom\": 1}, \"size\": {\"width\": 64, \"height\": 40}"
        try folder.write("{\"id\": \"a\", \(camera)}\n{\"id\": \"b\", \(camera), \"basemap\": \"green\"}\n", "jobs.jsonl")
        var done = try Program.run(["batch", "jobs.jsonl", "-o", "out", "--scene", "base.json", "--workers", "1"], in: folder)
        #expect(done.status == 0, "\(done.errors)")
        #expect(try color("out/a.png") == Color.red.premultipliedBytes && color("out/b.png") == Color.green.premultipliedBytes)
        done = try Program.run(
            ["batch", "jobs.jsonl", "-o", "two", "--scene", "base.json", "--workers", "1", "--basemap", "green"], in: folder)
        #expect(done.status == 0, "\(done.errors)")
        #expect(try color("two/a.png") == Color.green.premultipliedBytes)
    }
}
