import Foundation
import Testing
import Waymark
import WaymarkBatch
import WaymarkImaging
import WaymarkTestSupport

/// `--cache-bytes`: caches change no picture.
@Suite(.serialized) struct CacheBytesTests {
    private static let budgets = ["0", "1", "\(32 << 20)", "\(256 << 20)"]

    /// Captions upright and in perspective, icons of several kinds, shapes, a model and a large image.
    private func sceneFolder() throws -> ScratchFolder {
        let folder = ScratchFolder()
        var random = SplitMix64(seed: 11)
        for (name, side) in [("small", 40), ("large", 900)] {
            var bitmap = Bitmap(width: side, height: side, fill: .red)
            bitmap.withUnsafeMutablePixels { pixels in
                for index in pixels.indices where index % 4 != 3 { pixels[index] = UInt8(random.integer(0...255)) }
            }
            try bitmap.write(to: folder.path + "/\(name).png")
        }
        try folder.write(#"<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><circle cx="9" cy="9" r="8"/></svg>"#, "a.svg")
        let markers = (0..<120).map { index in
            let icon = ["builtin:red", "small.png", "a.svg", "large.png"][index % 4]
            let position = "[\(126.97 + random.number(0...0.02)), \(37.56 + random.number(0...0.02))]"
            return #"""
                {"type": "marker", "position": \#(position), "iconImage": "\#(icon)", "width": \#(20 + index % 7), "height": 24,
                 "captionText": "caption \#(index) 서울", "captionPerspectiveEnabled": \#(index % 3 == 0), "isFlat": \#(index % 5 == 0)}
                """#
        }
        try folder.write(
            #"""
            {"waymark": 1, "size": {"width": 320, "height": 240}, "background": "white",
             "camera": {"center": [126.98, 37.57], "zoom": 14, "tilt": 50, "bearing": 20}, "overlays": [
             {"type": "circle", "center": [126.98, 37.57], "radius": 700, "fillColor": "#3388ff40", "outlineWidth": 2},
             {"type": "localModel", "coordinates": [126.979, 37.569], "texture": "small.png", "mesh": {
              "vertices": [[-200, -200, 0], [200, -200, 0], [0, 200, 0], [0, 0, 300]],
              "textureCoordinates": [[0, 0], [1, 0], [0, 1], [1, 1]], "triangles": [[0, 1, 3], [1, 2, 3], [2, 0, 3]]}},
             \#(markers.joined(separator: ",\n"))]}
            """#, "scene.json")
        return folder
    }

    @Test func theSamePictureWhateverIsKept() throws {
        let folder = try sceneFolder()
        var pictures: [[UInt8]] = []
        for budget in Self.budgets {
            let run = try Program.run("render", "scene.json", "-o", "out.rgba", "--cache-bytes", budget, in: folder)
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            pictures.append(try folder.read("out.rgba"))
        }
        #expect(pictures[0].count == 320 * 240 * 4)
        for picture in pictures { #expect(picture == pictures[0]) }
        let inspected = try Self.budgets.map { try Program.run("inspect", "scene.json", "--cache-bytes", $0, in: folder).output }
        #expect(!inspected[0].isEmpty && inspected.allSatisfy { $0 == inspected[0] })
        let picked = try Self.budgets.map { try Program.run("pick", "scene.json", "--at", "160,120", "--cache-bytes", $0, in: folder) }
        #expect(picked.allSatisfy { $0.status == 0 && $0.output == picked[0].output })
    }

    /// Jobs that return to earlier content, with new captions and images in between.
    @Test func theSamePicturesOfAWorkerWhateverIsKept() throws {
        let folder = try sceneFolder()
        var frames = WorkerFrame.scene(path: "scene.json")
        for number in 0..<24 {
            let job = #"""
                {"id": "j\#(number)", "output": "j.rgba", "camera": {"zoom": \#([14, 14.5, 13][number % 3])}, "add": [
                 {"type": "marker", "position": [126.98, 37.57], "captionText": "new \#(number / 2)",
                  "iconImage": "\#(number % 4 == 0 ? "large.png" : "small.png")", "width": \#(30 + number), "height": 30}]}
                """#
            frames += WorkerFrame.job(job.utf8, number: number, folder: nil)
        }
        frames += WorkerFrame.end
        var all: [[[UInt8]]] = []
        for budget in Self.budgets {
            let run = try Program.run(["worker", "--device", "software", "--cache-bytes", budget], in: folder, input: frames)
            #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
            var parser = FrameParser()
            parser.append(run.output)
            var pictures: [[UInt8]] = []
            while let frame = try parser.next() {
                if case .done(let done) = try WorkerReply(frame) { pictures.append(done.picture) }
            }
            #expect(pictures.count == 24)
            all.append(pictures)
        }
        for pictures in all { #expect(pictures == all[0]) }
    }

    @Test func badNumbersOfBytes() throws {
        let folder = try sceneFolder()
        try folder.write(#"{"id": "a"}"#, "jobs.jsonl")
        let commands = [
            ["render", "scene.json"], ["inspect", "scene.json"], ["pick", "scene.json", "--at", "1,1"],
            ["batch", "jobs.jsonl", "-o", "out"],
            ["worker"],
        ]
        for command in commands {
            for value in ["-1", "1.5", "12x", "", "99999999999999999999"] {
                let run = try Program.run(command + ["--cache-bytes", value], in: folder)
                #expect(run.status == 64 && run.output.isEmpty, "\(command) \(value)")
                #expect(
                    run.errors == "error: --cache-bytes: \"\(value)\" is not a whole number of bytes, 0 or more, such as 268435456\n",
                    "\(command)")
            }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/out"))
    }

    @Test func aBatchPassesItOn() throws {
        let cards = try BatchCards(6, seed: 3)
        let usual = try Program.run(cards.arguments("usual"), in: cards.folder)
        let nothing = try Program.run(cards.arguments("nothing", "--cache-bytes", "0"), in: cards.folder)
        #expect(usual.status == 0 && nothing.status == 0)
        #expect(try cards.files("usual") == cards.files("nothing"))
    }
}
