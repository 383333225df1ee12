import Foundation
import Testing
import Waymark
import WaymarkTestSupport

@Suite struct ProgramTests {
    private let folder = ScratchFolder()

    /// A scene of many kinds of markers.
    private func writeScene(_ name: String = "scene.json") throws {
        var random = SplitMix64(seed: 2)
        try Bitmap.noise(20, 30, &random).write(to: folder.path + "/icon.png")
        let overlays = (0..<60).map { index in
            """
            {"type": "marker", "position": [\(random.number(-170...170)), \(random.number(-60...60))], "angle": \(index % 3 * 20),
            "iconImage": "\(index % 2 == 0 ? "icon.png" : "builtin:red")", "isFlat": \(index % 5 == 0), "alpha": \(index % 4 == 0 ? 0.5 : 1),
            "iconPerspectiveEnabled": \(index % 7 == 0)}
            """
        }
        try folder.write(
            """
            {"waymark": 1, "size": {"width": 300, "height": 200}, "pixelRatio": 1.5, "background": "#f2efe9",
            "camera": {"center": [20, 30], "zoom": 0.7, "bearing": 33, "tilt": 40}, "overlays": [\(overlays.joined(separator: ","))]}
            """, name)
    }

    private func expectDone(_ result: Program, location: SourceLocation = #_sourceLocation) {
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)", sourceLocation: location)
    }

    @Test func aSceneBecomesAPicture() throws {
        try writeScene()
        let result = try Program.run("render", "scene.json", in: folder)
        expectDone(result)
        #expect(result.output.isEmpty)
        #expect(folder.names == ["icon.png", "scene.json", "scene.png"])
        let picture = try Bitmap(contentsOf: folder.path + "/scene.png")
        #expect(picture.width == 450 && picture.height == 300)
        #expect(Set(picture.pixels).count > 50)
        // The format follows the name's extension, or the option.
        expectDone(try Program.run("render", "scene.json", "-o", "raw.rgba", in: folder))
        #expect(try folder.read("raw.rgba") == picture.straightPixels)
        expectDone(try Program.run("render", "scene.json", "--format", "rgba", in: folder))
        #expect(try folder.read("scene.rgba") == picture.straightPixels)
    }

    @Test func pipes() throws {
        try writeScene()
        expectDone(try Program.run("render", "scene.json", in: folder))
        let expected = try folder.read("scene.png")
        let scene = try folder.read("scene.json")
        let both = try Program.run("render", "-", in: folder, input: scene)
        expectDone(both)
        #expect(both.output == expected)
        #expect(try Program.run("render", "scene.json", "-o", "-", in: folder).output == expected)
        expectDone(try Program.run("render", "-", "-o", "piped.png", in: folder, input: scene))
        #expect(try folder.read("piped.png") == expected)
        #expect(try Program.run("render", "-", "--format", "rgba", in: folder, input: scene).output.count == 450 * 300 * 4)
        let bad = try Program.run("render", "-", input: Array("{".utf8))
        #expect(bad.status == 65 && bad.errors == "error: standard input: byte 1 (line 1, column 2): unexpected end of file\n")
    }

    @Test func theSameBytesWhateverTheThreadsAndTheLanguage() throws {
        try writeScene()
        let first = try Program.run("render", "scene.json", "-o", "-", in: folder)
        expectDone(first)
        let inspected = try Program.run("inspect", "scene.json", in: folder)
        expectDone(inspected)
        let variations = [
            [:], ["LP_NUM_THREADS": "0"], ["LP_NUM_THREADS": "1"], ["LP_NUM_THREADS": "2"],
            ["LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"],
            ["LANG": "ko_KR.UTF-8"], ["LC_ALL": "C"], ["LC_ALL": "tr_TR.UTF-8", "TZ": "Asia/Seoul"], ["SWIFT_DETERMINISTIC_HASHING": "1"],
        ]
        for environment in variations {
            let again = try Program.run("render", "scene.json", "-o", "-", in: folder, environment: environment)
            expectDone(again)
            #expect(again.output == first.output, "\(environment)")
            #expect(
                try Program.run("inspect", "scene.json", in: folder, environment: environment).output == inspected.output, "\(environment)")
        }
    }

    @Test func theCameraFlags() throws {
        try folder.write(
            #"{"waymark": 1, "size": {"width": 200, "height": 100}, "overlays": [{"type": "marker", "id": "a", "position": [10, 20]}]}"#,
            "scene.json")
        func camera(_ arguments: String...) throws -> [String: Any] {
            let result = try Program.run(["inspect", "scene.json"] + arguments, in: folder)
            expectDone(result)
            return try #require(try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
        }
        let given = try camera(
            "--center", "-30.5,-40", "--zoom", "3.5", "--bearing", "-20", "--tilt", "30", "--size", "320x240", "--pixel-ratio", "2")
        #expect(
            (given["camera"] as? NSDictionary) == [
                "center": ["lat": -30.5, "lng": -40.0], "zoom": 3.5, "bearing": -20.0, "tilt": 30.0,
            ])
        #expect((given["size"] as? NSDictionary) == ["width": 320, "height": 240] && (given["pixelRatio"] as? Double) == 2)
        let fitted = try #require(try camera()["camera"] as? [String: Any])
        #expect(fitted["zoom"] as? Double == 17)
        let again = try #require(try camera("--fit", "--padding", "5", "--tilt", "20")["camera"] as? [String: Any])
        #expect(again["zoom"] as? Double == 17 && again["tilt"] as? Double == 20)
    }

    @Test func inspectListsWhatIsInContainers() throws {
        try folder.write(
            """
            {"waymark": 1, "size": {"width": 200, "height": 100}, "camera": {"center": [0, 0], "zoom": 4}, "overlays": [
            {"type": "container", "children": [{"type": "marker", "position": [0, 0]}, {"type": "container", "id": "inner", "isHidden": true,
            "children": [{"type": "marker", "id": "hall", "position": [0, 1]}]}]}]}
            """, "scene.json")
        let result = try Program.run("inspect", "scene.json", in: folder)
        expectDone(result)
        let root = try #require(try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
        let overlays = try #require(root["overlays"] as? [[String: Any]])
        #expect(overlays.map { $0["id"] as? String } == ["container-0", "container-0/marker-0", "inner", "hall"])
        #expect(overlays.map { $0["members"] as? [String] } == [["container-0/marker-0", "inner"], nil, ["hall"], nil])
        #expect(overlays.map { $0["visible"] as? Bool } == [true, true, false, false])
        #expect(overlays.map { $0["reason"] as? String } == [nil, nil, "hidden", "hidden"])
    }

    @Test func inspectTellsWhereEverythingStands() throws {
        try folder.write(
            """
            {"waymark": 1, "size": {"width": 200, "height": 100}, "camera": {"center": [0, 0], "zoom": 4}, "overlays": [
            {"type": "marker", "id": "hall", "position": [0, 0]}, {"type": "marker", "position": [0, 89]},
            {"type": "marker", "position": [0, 1], "isHidden": true}]}
            """, "scene.json")
        let result = try Program.run("inspect", "scene.json", in: folder)
        expectDone(result)
        #expect(
            result.text == """
                {
                  "size": {
                    "width": 200.000,
                    "height": 100.000
                  },
                  "pixelRatio": 1.000,
                  "camera": {
                    "center": {
                      "lat": 0.000000000,
                      "lng": 0.000000000
                    },
                    "zoom": 4.000000000,
                    "bearing": 0.000000000,
                    "tilt": 0.000000000
                  },
                  "overlays": [
                    {
                      "id": "hall",
                      "type": "marker",
                      "visible": true,
                      "reason": null,
                      "order": 0,
                      "anchor": [100.000, 50.000],
                      "icon": {
                        "visible": true,
                        "quad": [[87.000, 14.000], [113.000, 14.000], [113.000, 50.000], [87.000, 50.000]],
                        "hiddenBy": null
                      },
                      "caption": null,
                      "copies": 1
                    },
                    {
                      "id": "marker-1",
                      "type": "marker",
                      "visible": false,
                      "reason": "outOfProjection",
                      "order": null,
                      "anchor": null,
                      "icon": null,
                      "caption": null,
                      "copies": 0
                    },
                    {
                      "id": "marker-2",
                      "type": "marker",
                      "visible": false,
                      "reason": "hidden",
                      "order": null,
                      "anchor": [100.000, 27.243],
                      "icon": {
                        "visible": false,
                        "quad": [[87.000, -9.000], [113.000, -9.000], [113.000, 27.000], [87.000, 27.000]],
                        "hiddenBy": null
                      },
                      "caption": null,
                      "copies": 0
                    }
                  ],
                  "clusters": [],
                  "symbols": [],
                  "viewOverlays": [],
                  "infoWindow": null,
                  "diagnostics": [
                    {
                      "severity": "warning",
                      "path": "position.lat",
                      "id": "marker-1",
                      "message": "not drawn, because the position lies outside the map, which ends at 85.051129° north and south"
                    }
                  ]
                }

                """)
    }

    @Test func diffTellsByItsExitCode() throws {
        try Bitmap(width: 20, height: 20, fill: .red).write(to: folder.path + "/a.png")
        var other = Bitmap(width: 20, height: 20, fill: .red)
        other[3, 4] = .init(red: 250, green: 0, blue: 0, alpha: 255)
        try other.write(to: folder.path + "/b.png")
        try Bitmap(width: 20, height: 21, fill: .red).write(to: folder.path + "/c.png")
        try folder.write("no picture", "d.png")
        func diff(_ arguments: String...) throws -> Program { try Program.run(["diff"] + arguments, in: folder) }
        #expect(try diff("a.png", "a.png").text == "the pictures are equal\n")
        #expect(try diff("a.png", "a.png").status == 0)
        let different = try diff("a.png", "b.png", "-o", "diff.png")
        #expect(different.status == 1 && different.errors.isEmpty)
        let sentence = "1 of 400 pixels differs, by up to 5 at (3, 4); in the worst window of 16 × 16 pixels, at (0, 0), 0.4% differ\n"
        #expect(different.text == sentence)
        #expect(try Bitmap(contentsOf: folder.path + "/diff.png")[3, 4] == .opaqueRed)
        #expect(try diff("a.png", "b.png", "--threshold", "5").status == 0)
        #expect(try diff("a.png", "b.png", "--threshold", "4").status == 1)
        #expect(try diff("a.png", "b.png", "--allowed", "0.004").status == 0)
        #expect(try diff("a.png", "b.png", "--allowed", "0.003").status == 1)
        #expect(try diff("a.png", "c.png").status == 1)
        #expect(try diff("a.png", "c.png").text == "the sizes differ: 20 × 20 and 20 × 21\n")
        let broken = try diff("a.png", "d.png")
        #expect(broken.status == 65 && broken.errors == "error: d.png: this is not an image in a known format\n")
        let gone = try diff("gone.png", "a.png")
        #expect(gone.status == 66 && gone.errors == "error: gone.png: cannot read the file: No such file or directory\n")
        #expect(try diff("a.png", "b.png", "--threshold", "300").errors == "error: --threshold: 300 is outside 0…255\n")
        #expect(try diff("a.png", "b.png", "--allowed", "-1").status == 64)
        #expect(try diff("a.png", "b.png", "-o", "gone/diff.png").status == 73)
        #expect(try diff("a.png").status == 64)
    }
}
