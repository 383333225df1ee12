import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// Icons of all formats in scene files, pictures of all formats, and hostile files.
@Suite struct IconFileTests {
    private let folder = ScratchFolder()

    /// A scene of 60 × 60 pt with one marker in the middle.
    private func writeScene(_ marker: String, _ scene: String = "") throws {
        try folder.write(
            """
            {"waymark": 1, "size": {"width": 60, "height": 60}, "camera": {"center": [0, 0], "zoom": 14.5}, \(scene) "overlays": [
            {"type": "marker", "position": [0, 0], "anchor": [0.5, 0.5], \(marker)}]}
            """, "scene.json")
    }

    private func rendered() throws -> Bitmap {
        let result = try Program.run("render", "scene.json", in: folder)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        return try Bitmap(contentsOf: folder.path + "/scene.png")
    }

    private func inspected() throws -> [String: Any] {
        let result = try Program.run("inspect", "scene.json", in: folder)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
        return try #require((json["overlays"] as? [[String: Any]])?.first)
    }

    // MARK: Keys

    @Test func tint() throws {
        try Bitmap(width: 20, height: 20, fill: Color(red: 0.4, green: 0.8, blue: 0)).write(to: folder.path + "/icon.png")
        try writeScene(##""iconImage": "icon.png", "iconTintColor": "#3399ff10""##)
        #expect(try rendered()[30, 30] == .init(red: 153, green: 255, blue: 255, alpha: 255))
        try writeScene(#""iconImage": "icon.png", "iconTintColor": "red""#)
        #expect(try rendered()[30, 30] == .init(red: 255, green: 204, blue: 0, alpha: 255))
    }

    @Test func anchorOffsetHiddenZoomsAndTag() throws {
        try Bitmap(width: 20, height: 10, fill: .red).write(to: folder.path + "/icon.png")
        try writeScene(#""iconImage": "icon.png", "anchorOffset": [7, -3], "tag": -12, "hiddenZooms": [13, 15]"#)
        let picture = try rendered()
        #expect(picture[27, 22] == .opaqueRed && picture[46, 31] == .opaqueRed)
        #expect(picture[26, 25] == .clear && picture[47, 25] == .clear && picture[30, 21] == .clear && picture[30, 32] == .clear)
        try writeScene(#""iconImage": "icon.png", "hiddenZooms": [13, 14]"#)
        #expect(try inspected()["reason"] as? String == "outOfZoom")
        #expect(try rendered() == Bitmap(width: 60, height: 60))
    }

    @Test func valuesThatCannotBe() throws {
        let cases = [
            (#""iconTintColor": "rad""#, ".iconTintColor: the string \"rad\" is not a CSS color such as \"#3388ff80\" or \"red\""),
            (#""anchorOffset": [1, "2"]"#, ".anchorOffset[1]: expected a number, found the string \"2\""),
            (#""hiddenZooms": [3, 25]"#, ".hiddenZooms[1]: 25 is outside 0…24"),
            (#""hiddenZooms": [3.5]"#, ".hiddenZooms[0]: expected a whole number, found 3.5"),
            (#""tag": "a""#, ".tag: expected a whole number, found the string \"a\""),
        ]
        for (members, message) in cases {
            try writeScene(members)
            let result = try Program.run("render", "scene.json", in: folder)
            #expect(result.status == 65 && result.errors == "error: scene.json: overlays[0]\(message)\n")
        }
        #expect(folder.names == ["scene.json"])
    }

    // MARK: Formats of icons

    /// A BMP of 24 bits, bottom row first.
    private func bmp(_ width: Int32, _ height: Int32, rows: Int) -> [UInt8] {
        func little(_ value: Int32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
        let line = (rows == 0 ? 0 : Int(width) * 3 + 3) / 4 * 4
        let pixels = (0..<rows).flatMap { _ in (0..<line).map { [0, 0, 255][$0 % 3] as UInt8 } }
        return [0x42, 0x4d] + little(Int32(54 + pixels.count)) + little(0) + little(54) + little(40) + little(width) + little(height)
            + [1, 0, 24, 0] + little(0) + little(Int32(pixels.count)) + little(0) + little(0) + little(0) + little(0) + pixels
    }

    @Test func everyFormat() throws {
        let red = Bitmap(width: 24, height: 16, fill: .red)
        try red.write(to: folder.path + "/icon.png")
        try red.write(to: folder.path + "/icon.jpg", options: EncodingOptions(quality: 100))
        try red.write(to: folder.path + "/icon.webp")
        try folder.write(bmp(24, 16, rows: 16), "icon.bmp")
        try folder.write(
            "<svg xmlns='http://www.w3.org/2000/svg' width='24' height='16'><rect width='24' height='16' fill='red'/></svg>", "icon.svg")
        let expected = Bitmap(width: 60, height: 60)
        for ending in ["png", "jpg", "webp", "bmp", "svg"] {
            try writeScene("\"iconImage\": \"icon.\(ending)\"")
            let picture = try rendered()
            for y in 0..<60 {
                for x in 0..<60 {
                    let isIn = (18..<42).contains(x) && (22..<38).contains(y)
                    #expect(picture[x, y].isNear(isIn ? .opaqueRed : expected[x, y], within: ending == "jpg" ? 2 : 0), "\(ending)")
                }
            }
        }
    }

    // MARK: Formats of pictures

    @Test func picturesInEveryFormat() throws {
        try Bitmap(width: 30, height: 30, fill: .red).write(to: folder.path + "/icon.png")
        try writeScene(#""iconImage": "icon.png""#, ##""background": "#0000ff","##)
        let expected = try rendered()
        for (name, magic) in [
            ("out.jpg", [0xff, 0xd8, 0xff]), ("out.jpeg", [0xff, 0xd8, 0xff]), ("out.webp", Array("RIFF".utf8)),
            ("out.png", [0x89, 0x50, 0x4e, 0x47]),
        ] as [(String, [UInt8])] {
            let result = try Program.run("render", "scene.json", "-o", name, in: folder)
            // Opaque, so nothing is lost and no warning appears.
            #expect(result.status == 0 && result.errors.isEmpty, "\(name): \(result.errors)")
            let bytes = try folder.read(name)
            #expect(Array(bytes.prefix(magic.count)) == magic)
            let picture = try Bitmap(decoding: bytes)
            if name.contains("jp") {
                #expect(picture.width == 60 && picture.height == 60)
                #expect(picture[3, 3].isNear(.opaqueBlue, within: 3) && picture[30, 30].isNear(.opaqueRed, within: 3))
            } else {
                #expect(picture == expected)
            }
        }
        #expect(try Array(folder.read("out.webp")[8..<12]) == Array("WEBP".utf8))
        let piped = try Program.run("render", "scene.json", "-o", "-", "--format", "jpeg", in: folder)
        #expect(try piped.output == folder.read("out.jpg"))
        // The scene's name with the format's extension.
        #expect(try Program.run("render", "scene.json", "--format", "webp", in: folder).status == 0)
        #expect(try folder.read("scene.webp") == folder.read("out.webp"))
    }

    @Test func quality() throws {
        var random = SplitMix64(seed: 3)
        try Bitmap.noise(50, 50, &random, isOpaque: true).write(to: folder.path + "/icon.png")
        try writeScene(#""iconImage": "icon.png""#, ##""background": "white","##)
        func size(_ name: String, _ arguments: String...) throws -> Int {
            let result = try Program.run(["render", "scene.json", "-o", name] + arguments, in: folder)
            #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
            return try folder.read(name).count
        }
        for name in ["out.jpg", "out.webp"] {
            let (low, high) = (try size(name, "--quality", "5"), try size(name, "--quality", "100"))
            #expect(low < high / 2, "\(name)")
        }
        #expect(try size("a.jpg") == size("b.jpg", "--quality", "85"))
        for (name, quality, message) in [
            ("no.jpg", "0", "--quality: 0 is outside 1…100"), ("no.webp", "101", "--quality: 101 is outside 1…100"),
            ("no.jpg", "-5", "--quality: -5 is outside 1…100"),
            ("no.png", "50", "--quality: this option applies to JPEG and WebP, not to PNG"),
            ("no.rgba", "50", "--quality: this option applies to JPEG and WebP, not to RGBA"),
        ] {
            let result = try Program.run("render", "scene.json", "-o", name, "--quality", quality, in: folder)
            #expect(result.status == 64 && result.errors.hasSuffix("error: \(message)\n"), "\(result.errors)")
        }
        for (name, option, value, message) in [
            ("no.png", "--palette", "1", "--palette: 1 is outside 2…256"),
            ("no.png", "--palette", "0", "--palette: 0 is outside 2…256"),
            ("no.png", "--palette", "-3", "--palette: -3 is outside 2…256"),
            ("no.jpg", "--palette", "16", "--palette: this option applies to PNG, not to JPEG"),
            ("no.png", "--progressive", nil, "--progressive: this option applies to JPEG, not to PNG"),
        ] as [(String, String, String?, String)] {
            let result = try Program.run(["render", "scene.json", "-o", name, option] + (value.map { [$0] } ?? []), in: folder)
            #expect(result.status == 64 && result.errors.hasSuffix("error: \(message)\n"), "\(result.errors)")
        }
        #expect(try Program.run("render", "scene.json", "-o", "no.jpg", "--quality", "good", in: folder).status == 64)
        #expect(!folder.names.contains { $0.hasPrefix("no.") })
    }

    @Test func aTransparentJPEGIsOverWhiteWithAWarning() throws {
        try Bitmap(width: 30, height: 30, fill: Color(red: 1, green: 0, blue: 0, alpha: 0.5)).write(to: folder.path + "/icon.png")
        try writeScene(#""iconImage": "icon.png""#)
        let result = try Program.run("render", "scene.json", "-o", "out.jpg", in: folder)
        #expect(result.status == 0)
        #expect(
            result.errors
                == "warning: JPEG has no transparency: the picture is drawn on white; --background sets another color\n")
        let picture = try Bitmap(contentsOf: folder.path + "/out.jpg")
        #expect(
            picture[3, 3].isNear(.white, within: 3) && picture[30, 30].isNear(.init(red: 255, green: 127, blue: 127, alpha: 255), within: 4)
        )
        let coloured = try Program.run("render", "scene.json", "-o", "blue.jpg", "--background", "blue", in: folder)
        #expect(coloured.status == 0 && coloured.errors.isEmpty)
        #expect(try Bitmap(contentsOf: folder.path + "/blue.jpg")[3, 3].isNear(.opaqueBlue, within: 3))
        #expect(try Program.run("render", "scene.json", "-o", "out.webp", in: folder).errors.isEmpty)
        #expect(try Bitmap(contentsOf: folder.path + "/out.webp")[3, 3] == .clear)
    }

    // MARK: Files that mean harm

    /// Renders a scene with an icon of these bytes: prints one line with this beginning, writes nothing, and ends soon.
    private func refuse(_ bytes: [UInt8], _ name: String, _ message: String, location: SourceLocation = #_sourceLocation) throws {
        try folder.write(bytes, name)
        try writeScene("\"iconImage\": \"\(name)\"")
        let before = folder.names
        for command in ["render", "inspect"] {
            let result = try Program.run([command, "scene.json"] + (command == "render" ? ["-o", "out.png"] : []), in: folder)
            #expect(result.status == 65 && result.output.isEmpty, "\(command)", sourceLocation: location)
            #expect(
                result.errors.hasPrefix("error: scene.json: overlays[0].iconImage: \(name): \(message)"), "\(result.errors.prefix(300))",
                sourceLocation: location)
            #expect(result.errors.filter { $0 == "\n" }.count == 1 && result.errors.hasSuffix("\n"), sourceLocation: location)
        }
        #expect(folder.names == before, sourceLocation: location)
    }

    @Test func truncatedAndLyingPictures() throws {
        var random = SplitMix64(seed: 9)
        let noise = Bitmap.noise(60, 60, &random, isOpaque: true)
        let png = try noise.encoded(as: .png)
        try refuse(Array(png.prefix(png.count / 2)), "cut.png", "the PNG data is damaged: ")
        try refuse(Array(png.prefix(20)), "header.png", "the PNG data is damaged: ")
        let jpeg = try noise.encoded(as: .jpeg)
        try refuse(Array(jpeg.prefix(jpeg.count / 2)), "cut.jpg", "the JPEG data is damaged: ")
        let webp = try noise.encoded(as: .webp)
        try refuse(Array(webp.prefix(webp.count / 2)), "cut.webp", "the WebP data is damaged: ")
        for (width, height) in [(-5, 3), (.min, 3), (5, 0)] as [(Int32, Int32)] {
            try refuse(
                bmp(width, height, rows: 0), "negative.bmp", "the BMP data is damaged: a size of \(width) × \(height) pixels is impossible")
        }
        try refuse(bmp(60_000, -60_000, rows: 0), "lies.bmp", "the BMP is 60000 × 60000 pixels, but at most ")
    }

    @Test func aPNGThatSaysItIsHuge() throws {
        let (chunk, big) = (PNGChunk.bytes, { PNGChunk.bigEndian($0) })
        let header = chunk("IHDR", big(60_000) + big(60_000) + [8, 6, 0, 0, 0])
        let png: [UInt8] =
            [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + header + chunk("IDAT", [0x78, 0x9c, 3, 0, 0, 0, 0, 1]) + chunk("IEND", [])
        try refuse(png, "huge.png", "the PNG data is damaged: Not enough image data")
        // Long enough to hold that many pixels, so that only the limits refuse it.
        try refuse(png + [UInt8](repeating: 0, count: 14_000_000), "long.png", "the PNG is 60000 × 60000 pixels, but at most ")
    }

    @Test func hostileSVGs() throws {
        let open = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='30' height='30'>"
        let nested = String(repeating: "<g>", count: 1_000_000) + String(repeating: "</g>", count: 1_000_000)
        try refuse(Array((open + nested + "</svg>").utf8), "deep.svg", "the SVG cannot be drawn: its elements are nested too deeply")
        try refuse(
            Array((open + "<!--" + String(repeating: "x", count: 50 << 20) + "--></svg>").utf8), "long.svg",
            "the SVG is larger than 8 MiB")
        try refuse(Array((open + "<rect").utf8), "cut.svg", "the SVG data is damaged: ")
        // The file that it refers to is not read, and does not show.
        try Bitmap(width: 30, height: 30, fill: .red).write(to: folder.path + "/secret.png")
        for url in ["secret.png", "\(folder.path)/secret.png", "file://\(folder.path)/secret.png", "http://127.0.0.1:9/secret.png"] {
            let image = "<image width='30' height='30' xlink:href='\(url)'/><rect width='9' height='9' fill='blue'/></svg>"
            try folder.write(open + image, "refers.svg")
            try writeScene(#""iconImage": "refers.svg""#)
            let picture = try rendered()
            #expect(picture[17, 17] == .opaqueBlue && picture[35, 35] == .clear)
            try FileManager.default.removeItem(atPath: folder.path + "/scene.png")
        }
    }
}
