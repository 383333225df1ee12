import Foundation
import Testing
import WaymarkImaging
import WaymarkTestSupport

/// `--allow-files`: which files scenes may read.
@Suite struct AllowFilesTests {
    private let folder = ScratchFolder()

    init() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/in", withIntermediateDirectories: false)
        for name in ["in/a.png", "out.png"] { try Bitmap(width: 4, height: 4, fill: .red).write(to: "\(folder.path)/\(name)") }
        for (name, image) in [("inside", "a.png"), ("outside", "../out.png")] {
            try folder.write(
                #"{"waymark": 1, "size": {"width": 8, "height": 8}, "camera": {"center": [0, 0]}, "overlays": ["#
                    + #"{"type": "marker", "id": "m", "position": [0, 0], "iconImage": "\#(image)"}]}"#, "in/\(name).json")
        }
    }

    @Test func commandsThatReadAScene() throws {
        for command in [["render", "-o", "picture.png"], ["inspect"], ["pick", "--at", "4,4"]] {
            for (allowed, isInside, isOutside) in [
                ("none", false, false), ("in", true, false), ("./in/../in/", true, false), ("any", true, true),
            ] {
                for (scene, isAllowed, image) in [("inside", isInside, "a.png"), ("outside", isOutside, "../out.png")] {
                    let result = try Program.run(
                        [command[0], "in/\(scene).json"] + command.dropFirst() + ["--allow-files", allowed], in: folder)
                    let refusal = "error: in/\(scene).json: overlays[0].iconImage: this scene is not allowed to read \(image)\n"
                    #expect(result.status == (isAllowed ? 0 : 65) && result.errors == (isAllowed ? "" : refusal), "\(command) \(allowed)")
                }
            }
        }
    }

    @Test func batches() throws {
        try folder.write(
            #"{"id": "a"}"# + "\n" + #"{"id": "b", "change": {"m": {"iconImage": "../out.png"}}}"# + "\n"
                + #"{"id": "c", "add": [{"type": "geojson", "source": "../points.csv"}]}"# + "\n", "jobs.jsonl")
        try folder.write("lat,lng\n0,0\n", "points.csv")
        func failures(_ options: String...) throws -> [String] {
            _ = try Program.run(
                ["batch", "jobs.jsonl", "-o", "pictures", "--scene", "in/inside.json", "--workers", "1"] + options, in: folder)
            let text = (try? String(decoding: folder.read("pictures/failures.jsonl"), as: UTF8.self)) ?? ""
            try? FileManager.default.removeItem(atPath: folder.path + "/pictures")
            return text.split(separator: "\n").map(String.init)
        }
        #expect(try failures().isEmpty && failures("--allow-files", "any").isEmpty)
        let inside = try failures("--allow-files", "in")
        #expect(inside.count == 2 && inside.allSatisfy { $0.contains("this scene is not allowed to read ../") }, "\(inside)")
        let none = try Program.run(
            "batch", "jobs.jsonl", "-o", "pictures", "--scene", "in/inside.json", "--workers", "1", "--allow-files", "none", in: folder)
        #expect(none.status != 0 && none.errors.contains("this scene is not allowed to read a.png"), "\(none.errors)")
    }

    @Test func whatIsNoFolder() throws {
        for command in [["render", "in/inside.json"], ["batch", "jobs.jsonl", "-o", "pictures"], ["worker"]] {
            let result = try Program.run(command + ["--allow-files", "gone"], in: folder)
            #expect(
                result.status == 66
                    && result.errors == "error: --allow-files: \"gone\" is not an existing folder, and not the word none or any\n")
        }
    }
}
