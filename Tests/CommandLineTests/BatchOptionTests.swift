import Foundation
import Testing
import WaymarkImaging
import WaymarkTestSupport

/// Options of a batch for all jobs, its list of warnings, and inspections of jobs.
@Suite struct BatchOptionTests {
    private let folder = ScratchFolder()
    private let marker = #"{"type": "marker", "id": "a", "position": [10, 20]}"#

    private func write(base: String, _ jobs: String...) throws {
        try folder.write(base, "base.json")
        try folder.write(jobs.joined(separator: "\n"), "jobs.jsonl")
    }

    private func batch(_ options: String...) throws -> Program { try batch(options) }

    private func batch(_ options: [String]) throws -> Program {
        try Program.run(["batch", "jobs.jsonl", "-o", "out", "--scene", "base.json"] + options, in: folder)
    }

    @Test func optionsHoldForAllJobs() throws {
        try write(
            base: #"{"waymark": 1, "overlays": [\#(marker)]}"#, #"{"id": "a"}"#, #"{"id": "b", "size": {"width": 20}, "quality": 5}"#,
            #"{"id": "c", "output": "c.png"}"#)
        let options = ["--size", "64x40", "--center", "20,10", "--zoom", "5", "--tilt", "30", "--background", "white"]
        let result = try Program.run(
            ["batch", "jobs.jsonl", "-o", "out", "--scene", "base.json", "--format", "jpeg", "--quality", "60"] + options, in: folder)
        #expect(result.status == 0, "\(result.errors)")
        let rendered = try Program.run(["render", "base.json", "-o", "a.jpg", "--quality", "60"] + options, in: folder)
        #expect(rendered.status == 0, "\(rendered.errors)")
        #expect(try folder.read("out/a.jpg") == folder.read("a.jpg"))
        #expect(try folder.read("out/b.jpg").count < folder.read("out/a.jpg").count)
        let small = try Bitmap(contentsOf: folder.path + "/out/b.jpg")
        #expect(small.width == 20 && small.height == 40)
        #expect(try folder.read("out/c.png").starts(with: [0x89, 0x50]))
    }

    @Test func palettesAndProgressiveJPEGs() throws {
        try write(
            base: #"{"waymark": 1, "size": {"width": 64, "height": 40}, "overlays": [\#(marker)]}"#, #"{"id": "a"}"#,
            #"{"id": "b", "output": "b.jpg"}"#, #"{"id": "c", "palette": 2}"#, #"{"id": "d", "output": "d.jpg", "progressive": false}"#)
        #expect(try batch("--palette", "16", "--progressive", "--background", "white").status == 0)
        for (name, options) in [
            ("a.png", ["--palette", "16"]), ("b.jpg", ["--progressive"]), ("c.png", ["--palette", "2"]), ("d.jpg", []),
        ] {
            let result = try Program.run(["render", "base.json", "-o", name, "--background", "white"] + options, in: folder)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try folder.read("out/" + name) == folder.read(name), "\(name)")
        }
        #expect(try folder.read("out/a.png").count > folder.read("out/c.png").count)
        #expect(try folder.read("out/b.jpg") != folder.read("out/d.jpg"))
    }

    /// A center or a zoom replaces that half of a fitted camera, in `batch` as in `render`.
    @Test(arguments: [
        ["--zoom", "3"], ["--center", "10,20"], ["--zoom", "4", "--tilt", "30", "--bearing", "20"], ["--center", "1,2", "--zoom", "5"],
    ])
    func viewOptionsMeanTheSameAsInRender(_ options: [String]) throws {
        try write(base: #"{"waymark": 1, "overlays": [\#(marker)]}"#, #"{"id": "a"}"#)
        #expect(try batch(options).status == 0)
        let result = try Program.run(["render", "base.json", "-o", "a.png"] + options, in: folder)
        #expect(result.status == 0, "\(result.errors)")
        #expect(try folder.read("out/a.png") == folder.read("a.png"))
    }

    @Test func optionsThatCannotBe() throws {
        try write(base: #"{"waymark": 1, "overlays": [\#(marker)]}"#, #"{"id": "a"}"#)
        func refused(_ options: String...) throws -> String {
            let result = try Program.run(["batch", "jobs.jsonl", "-o", "out", "--scene", "base.json"] + options, in: folder)
            #expect(result.status == 64)
            return result.errors
        }
        #expect(try refused("--zoom", "99") == "error: --zoom: 99 is outside 0…24\n")
        #expect(try refused("--format", "png", "--quality", "3") == "error: --quality: this option applies to JPEG and WebP, not to PNG\n")
        #expect(try refused("--palette", "1") == "error: --palette: 1 is outside 2…256\n")
        #expect(try refused("--format", "webp", "--palette", "8") == "error: --palette: this option applies to PNG, not to WebP\n")
        #expect(try refused("--format", "png", "--progressive") == "error: --progressive: this option applies to JPEG, not to PNG\n")
        #expect(
            try refused("--strict", "--lenient")
                == "error: --lenient and --strict are mutually exclusive\n")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/out"))
    }

    @Test func warningsAreListedAndCounted() throws {
        let pole = #"{"type": "marker", "id": "pole", "position": [0, 89]}"#
        let far = #""change": {"a": {"position": [0, 88]}}"#
        try write(
            base:
                #"{"waymark": 1, "size": {"width": 40, "height": 40}, "camera": {"center": [10, 20], "zoom": 3}, "overlays": [\#(marker), \#(pole)]}"#,
            #"{"id": "1", \#(far)}"#, #"{"id": "2"}"#, #"{"id": "3", \#(far)}"#)
        let beyond = "position.lat: not drawn, because the position lies outside the map, which ends at 85.051129° north and south"
        let result = try batch("--workers", "1")
        #expect(result.status == 0)
        let lines = result.errors.split(separator: "\n").map(String.init)
        #expect(lines.filter { $0.contains("pole") } == ["warning: base.json: pole: \(beyond)"])
        #expect(
            lines.filter { $0.contains("a: position") } == [
                "warning: jobs.jsonl: line 1: 1: a: \(beyond)", "warning: in 2 pictures: a: \(beyond)",
            ])
        #expect(result.errors.contains("; 2 warnings: out/warnings.jsonl"))
        let list = ["1", "3"].map { #"{"id":"\#($0)","line":\#($0),"message":"a: \#(beyond)"}"# + "\n" }.joined()
        #expect(try String(decoding: folder.read("out/warnings.jsonl"), as: UTF8.self) == list)
        let summary = try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any]
        #expect(summary?["warnings"] as? Int == 2)
        // Pictures that are done keep their warnings.
        #expect(try batch("--resume").status == 0)
        #expect(try String(decoding: folder.read("out/warnings.jsonl"), as: UTF8.self) == list)
        let strict = try Program.run(
            ["batch", "jobs.jsonl", "-o", "strict", "--scene", "base.json", "--strict"], in: folder)
        #expect(strict.status == 75 && strict.errors.contains("3 jobs failed"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/strict/2.png"))
    }

    @Test func aTableIsNoListOfJobs() throws {
        try write(base: #"{"waymark": 1}"#, "id,lat,lng", "a,1,2")
        let result = try batch()
        #expect(result.status == 65)
        #expect(
            result.errors
                == #"error: jobs.jsonl: no line is a job (a JSON object such as {"id": "seoul", "camera": {"center": [126.98, 37.57], "#
                + #""zoom": 12}}); line 1 is "id,lat,lng""# + "\n")
    }

    @Test func jobsAreInspected() throws {
        let change = #""camera": {"center": [10, 20], "zoom": 4}, "change": {"a": {"angle": 30}}"#
        try write(base: #"{"waymark": 1, "overlays": [\#(marker)]}"#, #"{"id": "one", \#(change)}"#, #"{"id": "two"}"#)
        #expect(try batch("--inspect").status == 0)
        let scene =
            #"{"waymark": 1, "camera": {"center": [10, 20], "zoom": 4}, "overlays": [{"type": "marker", "id": "a", "position": [10, 20], "angle": 30}]}"#
        try folder.write(scene, "one.json")
        let expected = try Program.run("inspect", "one.json", in: folder)
        #expect(expected.status == 0)
        #expect(try folder.read("out/one.json") == expected.output)
        #expect(FileManager.default.fileExists(atPath: folder.path + "/out/two.json"))
        let single = try Program.run("inspect", "base.json", "--jobs", "jobs.jsonl", "--job", "one", in: folder)
        #expect(single.status == 0 && single.output == expected.output)
        let none = try Program.run("inspect", "base.json", "--jobs", "jobs.jsonl", "--job", "three", in: folder)
        #expect(none.status == 65 && none.errors == #"error: jobs.jsonl: no job has the id "three""# + "\n")
        #expect(try Program.run("inspect", "base.json", "--job", "one", in: folder).status == 64)
    }
}
