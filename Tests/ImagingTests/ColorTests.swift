import Foundation
import Testing
import WaymarkImaging

@Suite struct ColorTests {
    @Test(
        arguments: [
            ("#fff", 0xffff_ffff), ("#1f6", 0x11ff_66ff), ("#1F68", 0x11ff_6688), ("#1f6fd6", 0x1f6f_d6ff), ("#3388ff40", 0x3388_ff40),
            ("red", 0xff00_00ff), ("RebeccaPurple", 0x6633_99ff), ("transparent", 0), ("DARKSLATEGREY", 0x2f4f_4fff),
            ("green", 0x0080_00ff),
        ] as [(String, UInt32)])
    func readsCSS(text: String, rgba: UInt32) throws {
        let color = try #require(Color(css: text))
        let expected = [24, 16, 8, 0].map { Double(rgba >> $0 & 255) / 255 }
        #expect([color.red, color.green, color.blue, color.alpha] == expected)
        #expect(color.isValid)
    }

    @Test(arguments: [
        "", "#", "#ff", "#fffff", "#fffffff", "#fffffffff", "#ggg", "#12 ", " red", "red ", "reddish", "rgb(1,2,3)", "#ｆｆｆ", "0xffffff",
    ])
    func refusesWhatIsNoColor(text: String) {
        #expect(Color(css: text) == nil)
    }

    @Test func premultipliesAndRoundsHalvesUp() {
        #expect(Color.white.withAlpha(0.5).premultipliedBytes == .init(red: 128, green: 128, blue: 128, alpha: 128))
        #expect(Color(red: 1, green: 0.5, blue: 0, alpha: 0.5).premultipliedBytes == .init(red: 128, green: 64, blue: 0, alpha: 128))
        #expect(Color.clear.premultipliedBytes == .init(red: 0, green: 0, blue: 0, alpha: 0))
        #expect(Color(white: 0.5 / 255).premultipliedBytes.red == 1)
        #expect(Color(white: 0.49 / 255).premultipliedBytes.red == 0)
    }

    @Test func everyByteSurvives() {
        for byte in 0...255 { #expect(Color(white: Double(byte) / 255).premultipliedBytes.red == UInt8(byte)) }
    }

    @Test func invalidColorsAreKeptAndToldApart() {
        let colors = [
            Color(white: 2), Color(white: -0.1), Color(white: .nan), Color(white: 1, alpha: .infinity),
            Color(red: 0, green: 0, blue: 1.0001),
        ]
        for color in colors { #expect(!color.isValid) }
        #expect(Color(red: -1, green: .nan, blue: 7, alpha: 2).premultipliedBytes == .init(red: 0, green: 0, blue: 255, alpha: 255))
        #expect(Color(white: 1, alpha: 2).alpha == 2)
    }

    @Test func hexadecimalDigitsAreAColor() throws {
        #expect(Color(hex: 0x3388ff) == Color(css: "#3388ff"))
        #expect(Color(hex: 0x3388ff, alpha: 0.5) == Color(css: "#3388ff")?.withAlpha(0.5))
        #expect(Color(hex: "3388ff80") == Color(css: "#3388ff80"))
        #expect(Color(hex: "#38f") == Color(css: "#3388ff"))
        #expect(Color(hex: "red") == nil && Color(hex: "") == nil && Color(hex: "##fff") == nil)
    }

    @Test(arguments: [
        Color.red, .clear, .gray, .purple, Color(red: 0.1, green: 1.0 / 3, blue: 0, alpha: 0.7), Color(hex: 0x123456, alpha: 0.2),
    ]) func codingIsExact(color: Color) throws {
        let data = try JSONEncoder().encode([color])
        #expect(try JSONDecoder().decode([Color].self, from: data) == [color])
    }

    @Test func colorsAreWrittenAsInSceneFiles() throws {
        #expect(String(decoding: try JSONEncoder().encode([Color.red]), as: UTF8.self) == "[\"#ff0000\"]")
        #expect(try JSONDecoder().decode([Color].self, from: Data("[\"Gold\"]".utf8)) == [Color(css: "gold")])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Color].self, from: Data("[\"rot\"]".utf8)) }
    }
}
