import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// Invalid and unusual captions, through the program.
@Suite struct CaptionInputTests {
    private let folder = ScratchFolder()

    private func scene(_ members: String) -> [UInt8] {
        Array(
            (#"{"waymark": 1, "size": {"width": 200, "height": 100}, "camera": {"center": [0, 0], "zoom": 3}, "#
                + #""overlays": [{"type": "marker", "id": "a", "position": [0, 0], \#(members)}]}"#).utf8)
    }

    @Test func refused() throws {
        let sides = "center, left, right, top, bottom, topLeft, topRight, bottomRight, bottomLeft"
        let cases: [(String, String)] = [
            (#""captionTextSize": 0"#, "captionTextSize: 0 is outside 1…512"),
            (#""captionTextSize": -1"#, "captionTextSize: -1 is outside 1…512"),
            (#""captionHaloWidth": 9"#, "captionHaloWidth: 9 is outside 0…8"),
            (#""captionHaloWidth": "1pt""#, "captionHaloWidth: expected a number, found the string \"1pt\""),
            (#""captionHaloBlur": 4.5"#, "captionHaloBlur: 4.5 is outside 0…4"),
            (#""isCaptionRequired": 1"#, "isCaptionRequired: expected true or false, found 1"),
            (#""captionPadding": -2"#, "captionPadding: -2 is outside 0…100"),
            (#""captionLetterSpacing": 1e3"#, "captionLetterSpacing: 1000 is outside -0.25…2"),
            (#""subCaptionTextSize": 10000"#, "subCaptionTextSize: 10000 is outside 1…512"),
            (#""captionRequestedWidth": -1"#, "captionRequestedWidth: -1 is outside 0…10000"),
            (#""captionAligns": []"#, "captionAligns: at least one alignment is required"),
            (#""captionAligns": ["top", "middle"]"#, "captionAligns[1]: unknown name \"middle\"; known names are \(sides)"),
            (
                #""captionAligns": [\#([String](repeating: "\"top\"", count: 10).joined(separator: ","))]"#,
                "captionAligns: 10 alignments are given, but there are only 9"
            ),
            (#""captionText": 5"#, "captionText: expected a string, found 5"),
            (#""captionMinZoom": 25"#, "captionMinZoom: 25 is outside 0…24"),
            (#""captionFontWeight": "heavy""#, "captionFontWeight: unknown name \"heavy\"; known names are regular, bold"),
        ]
        for (members, message) in cases {
            let result = try Program.run("render", "-", "-o", "out.png", in: folder, input: scene(members))
            #expect(result.errors == "error: standard input: overlays[0].\(message)\n", "\(members)")
            #expect(result.status == 65 && folder.names.isEmpty, "\(members)")
        }
    }

    @Test func whatIsNoUnicode() throws {
        let start = scene("").count - "}]}".utf8.count
        for (text, offset, what) in [(#"\ud800"#, 0, #"\ud800"#), (#"a\udc00b"#, 1, #"\udc00"#), (#"\ud800\ud800"#, 0, #"\ud800"#)] {
            let result = try Program.run("inspect", "-", in: folder, input: scene(#""captionText": "\#(text)""#))
            let byte = start + #""captionText": ""#.utf8.count + offset
            #expect(
                result.errors == "error: standard input: byte \(byte) (line 1, column \(byte + 1)): there is a lone surrogate, \(what)\n")
            #expect(result.status == 65 && result.output.isEmpty)
        }
        var bytes = scene(#""captionText": "a?b""#)
        let place = try #require(bytes.firstIndex(of: UInt8(ascii: "?")))
        for byte in [0xFF, 0xC0, 0x80] as [UInt8] {
            bytes[place] = byte
            let result = try Program.run("inspect", "-", in: folder, input: bytes)
            #expect(result.errors == "error: standard input: byte \(place) (line 1, column \(place + 1)): invalid UTF-8\n")
            #expect(result.status == 65 && result.output.isEmpty)
        }
    }

    @Test func drawnAllTheSame() throws {
        let texts = [
            String(repeating: "word ", count: 20_000), "a" + String(repeating: "\u{301}", count: 10_000),
            String(repeating: "a\u{202E}b\u{2066}c", count: 100), #"\u0000\u0001\u001b[31m\u007f"#, "\u{200B}\u{200D}\u{FEFF}",
            String(repeating: #"\n"#, count: 5000),
        ]
        for (number, text) in texts.enumerated() {
            for width in [0, 80] {
                let members = #""captionRequestedWidth": \#(width), "captionText": "\#(text)""#
                let result = try Program.run("render", "-", "-o", "out.png", in: folder, input: scene(members))
                #expect(result.status == 0 && result.errors.isEmpty, "\(number) \(result.errors)")
                // The pin at least.
                #expect(try Bitmap(contentsOf: folder.path + "/out.png")[100, 40].alpha > 0)
            }
        }
    }

    @Test func aMissingPropertyIsEmptyAndToldOnce() throws {
        let features = (0..<30).map { index in
            let more = index == 4 ? "" : #", "population": \#(1000 + index)"#
            return #"{"type": "Feature", "properties": {"name": "city \#(index)"\#(more)}, "geometry": "#
                + #"{"type": "Point", "coordinates": [\#(index), 0]}}"#
        }
        try folder.write(#"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ","))]}"#, "cities.geojson")
        try folder.write(
            #"{"waymark": 1, "overlays": [{"type": "geojson", "source": "cities.geojson", "#
                + #""marker": {"captionText": "{name}\n{population}{country}"}}]}"#, "scene.json")
        let result = try Program.run("inspect", "scene.json", in: folder)
        #expect(result.status == 0)
        let lines = result.errors.split(separator: "\n").sorted()
        #expect(lines.count == 2)
        #expect(lines[0].hasSuffix(#"the property "country" is missing in 30 features: "captionText" omits it"#))
        #expect(lines[1].hasSuffix(#"the property "population" is missing in 1 feature: "captionText" omits it"#))
        #expect(result.text.contains(#""lines": ["city 3", "1003"]"#))
        // A line without anything else is removed.
        #expect(result.text.contains(#""lines": ["city 4"]"#))
    }
}
