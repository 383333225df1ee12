import Testing
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct JSONSyntaxTests {
    @Test(arguments: [
        ("", "byte 0 (line 1, column 1): empty file"),
        (" \n ", "byte 3 (line 2, column 2): empty file"),
        ("[1, 2", "byte 5 (line 1, column 6): unexpected end of file"),
        ("{", "byte 1 (line 1, column 2): unexpected end of file"),
        ("{\"a\"", "byte 4 (line 1, column 5): unexpected end of file"),
        ("{\"a\":", "byte 5 (line 1, column 6): unexpected end of file"),
        ("\"abc", "byte 4 (line 1, column 5): unexpected end of file"),
        ("\"abc\\", "byte 5 (line 1, column 6): unexpected end of file"),
        ("\"\\u00", "byte 5 (line 1, column 6): unexpected end of file"),
        ("\"\\ud83d", "byte 7 (line 1, column 8): unexpected end of file"),
        ("tru", "byte 3 (line 1, column 4): unexpected end of file"),
        ("-", "byte 1 (line 1, column 2): unexpected end of file"),
        ("[1.", "byte 3 (line 1, column 4): unexpected end of file"),
        ("1e", "byte 2 (line 1, column 3): unexpected end of file"),
        ("[1 2]", "byte 3 (line 1, column 4): unexpected character '2'"),
        ("[1}", "byte 2 (line 1, column 3): unexpected character '}'"),
        ("{\"a\" 1}", "byte 5 (line 1, column 6): unexpected character '1'"),
        ("{\"a\": }", "byte 6 (line 1, column 7): unexpected character '}'"),
        ("{a: 1}", "byte 1 (line 1, column 2): unexpected character 'a'"),
        ("{'a': 1}", "byte 1 (line 1, column 2): unexpected character '''"),
        ("{1: 1}", "byte 1 (line 1, column 2): unexpected character '1'"),
        ("[,1]", "byte 1 (line 1, column 2): unexpected character ','"),
        ("[1,,2]", "byte 3 (line 1, column 4): unexpected character ','"),
        ("[1,]", "byte 2 (line 1, column 3): trailing comma"),
        ("{\"a\": 1,\n}", "byte 7 (line 1, column 8): trailing comma"),
        ("[1],", "byte 3 (line 1, column 4): unexpected character ',' after the end of the document"),
        ("{} {}", "byte 3 (line 1, column 4): unexpected character '{' after the end of the document"),
        ("1 2", "byte 2 (line 1, column 3): unexpected character '2' after the end of the document"),
        ("]", "byte 0 (line 1, column 1): unexpected character ']'"),
        ("nul", "byte 3 (line 1, column 4): unexpected end of file"),
        ("[nulL]", "byte 4 (line 1, column 5): unexpected character 'L'"),
        ("[truex]", "byte 5 (line 1, column 6): unexpected character 'x'"),
        ("[True]", "byte 1 (line 1, column 2): unexpected character 'T'"),
        ("[NaN]", "byte 1 (line 1, column 2): NaN is not allowed in JSON"),
        ("[nan]", "byte 2 (line 1, column 3): unexpected character 'a'"),
        ("[Infinity]", "byte 1 (line 1, column 2): Infinity is not allowed in JSON"),
        ("[-Infinity]", "byte 1 (line 1, column 2): -Infinity is not allowed in JSON"),
        ("[01]", "byte 1 (line 1, column 2): the number has a leading zero"),
        ("[-00]", "byte 1 (line 1, column 2): the number has a leading zero"),
        ("[+1]", "byte 1 (line 1, column 2): unexpected character '+'"),
        ("[.5]", "byte 1 (line 1, column 2): unexpected character '.'"),
        ("[1.]", "byte 3 (line 1, column 4): unexpected character ']'"),
        ("[1.e3]", "byte 3 (line 1, column 4): unexpected character 'e'"),
        ("[1e+]", "byte 4 (line 1, column 5): unexpected character ']'"),
        ("[0x10]", "byte 2 (line 1, column 3): unexpected character 'x'"),
        ("[1_000]", "byte 2 (line 1, column 3): unexpected character '_'"),
        ("[1e999]", "byte 1 (line 1, column 2): the number 1e999 is out of range"),
        ("-1e400", "byte 0 (line 1, column 1): the number -1e400 is out of range"),
        ("// note\n1", "byte 0 (line 1, column 1): comments are not allowed in JSON"),
        ("[1, /* one */ 2]", "byte 4 (line 1, column 5): comments are not allowed in JSON"),
        ("\"a\tb\"", "byte 2 (line 1, column 3): unescaped control character U+0009 in a string"),
        ("\"a\nb\"", "byte 2 (line 1, column 3): unescaped control character U+000A in a string"),
        ("\"\0\"", "byte 1 (line 1, column 2): unescaped control character U+0000 in a string"),
        ("\"\\x\"", "byte 2 (line 1, column 3): unexpected character 'x' after a backslash"),
        ("\"\\u12g4\"", "byte 5 (line 1, column 6): unexpected character 'g' in a \\u escape"),
        ("\"\\u12\"", "byte 5 (line 1, column 6): unexpected character '\"' in a \\u escape"),
        ("\"\\ud800\"", "byte 1 (line 1, column 2): there is a lone surrogate, \\ud800"),
        ("\"\\ud800x\"", "byte 1 (line 1, column 2): there is a lone surrogate, \\ud800"),
        ("\"\\ud800\\u0041\"", "byte 1 (line 1, column 2): there is a lone surrogate, \\ud800"),
        ("\"\\udc00\"", "byte 1 (line 1, column 2): there is a lone surrogate, \\udc00"),
        ("[1]\0", "byte 3 (line 1, column 4): unexpected character U+0000 after the end of the document"),
        ("[\u{A0}1]", "byte 1 (line 1, column 2): unexpected character U+00A0"),
        ("[가]", "byte 1 (line 1, column 2): unexpected character '가'"),
        ("[\u{202E}]", "byte 1 (line 1, column 2): unexpected character U+202E"),
        ("{\n  \"이름\": \"서울\",\r\n  \"b\": x\r}", "byte 32 (line 3, column 8): unexpected character 'x'"),
        ("[\r\r\n\n?", "byte 5 (line 4, column 1): unexpected character '?'"),
    ])
    func everyKindOfErrorHasItsByte(text: String, expected: String) {
        #expect(syntaxError(Array(text.utf8)) == expected)
    }

    @Test(
        arguments: [
            ([0x80], 0), ([0xC3], 0), ([0xC0, 0x80], 0), ([0xED, 0xA0, 0x80], 0), ([0xF4, 0x90, 0x80, 0x80], 0), ([0xE0, 0x80, 0x80], 0),
            ([0x61, 0xFF], 1), ([0xC3, 0xA9, 0xF0, 0x9F, 0x98], 2), ([0xFE], 0),
        ] as [([UInt8], Int)])
    func invalidUTF8(bytes: [UInt8], offset: Int) {
        let quote = UInt8(ascii: "\"")
        // The characters before the fault are one or two bytes wide.
        let column = offset == 0 ? 2 : 3
        #expect(syntaxError([quote] + bytes + [quote]) == "byte \(1 + offset) (line 1, column \(column)): invalid UTF-8")
    }

    @Test func invalidUTF8OutsideStrings() {
        #expect(syntaxError([0x5B, 0xFF, 0x5D]) == "byte 1 (line 1, column 2): invalid UTF-8")
    }

    @Test func depth() throws {
        func nested(_ depth: Int, _ inner: String) -> String {
            String(repeating: "[", count: depth) + inner + String(repeating: "]", count: depth)
        }
        var value = try value(nested(1000, "7"))
        var depth = 0
        while let inner = value.elements?.first(where: { _ in true }) {
            value = inner
            depth += 1
        }
        #expect(depth == 1000)
        #expect(value.int == 7)
        #expect(value.path == String(repeating: "[0]", count: 1000))
        #expect(
            syntaxError(Array(nested(1001, "7").utf8)) == "byte 1000 (line 1, column 1001): the document is nested deeper than 1000 levels")
        #expect(
            syntaxError(Array(nested(10_000, "").utf8)) == "byte 1000 (line 1, column 1001): the document is nested deeper than 1000 levels"
        )
        #expect(
            syntaxError(Array(repeating: 0x5B, count: 1_000_000))
                == "byte 1000 (line 1, column 1001): the document is nested deeper than 1000 levels")
        let objects = String(repeating: "{\"a\":", count: 10_000) + "1" + String(repeating: "}", count: 10_000)
        #expect(syntaxError(Array(objects.utf8)) == "byte 5000 (line 1, column 5001): the document is nested deeper than 1000 levels")
    }

    @Test func longNumbersAreCut() {
        let digits = String(repeating: "9", count: 400)
        let text = syntaxError(Array("[\(digits)]".utf8))
        #expect(text == "byte 1 (line 1, column 2): the number \(digits.prefix(39))… is out of range")
    }

    private static let sample = """
        {"waymark": 1, "size": {"width": 800, "height": -600.25e-1}, "list": [true, false, null, [], {}],
          "text": "서울 \\u00e9\\ud83d\\ude00 \\"q\\"", "wide": 123456789012345678901, "position": [126.978374, 37.5670135]}
        """

    @Test func aTextCutAnywhereIsAnError() throws {
        let bytes = Array(Self.sample.utf8)
        _ = try JSONDocument(parsing: bytes)
        for length in 0..<bytes.count {
            let error = syntaxError(Array(bytes[..<length]))
            #expect(
                error.hasSuffix("unexpected end of file") || error.hasSuffix("invalid UTF-8") || error.hasSuffix("empty file"),
                "cut at \(length): \(error)")
        }
    }

    /// Whatever simdjson refuses the scanner explains, and whatever it accepts the scanner accepts.
    @Test(arguments: 1...20)
    func parserAndScannerAgree(seed: Int) throws {
        var generator = SplitMix64(seed: UInt64(seed))
        let original = Array(Self.sample.utf8)
        let replacements = Array("{}[]\",:\\u0123456789.-+eEtfnul \n\t/d8\u{7F}".utf8) + [0x00, 0x80, 0xC3, 0xED, 0xFF]
        for _ in 0..<1000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                let byte = replacements.randomElement(using: &generator) ?? 0
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes.remove(at: index)
                case 1: bytes.insert(byte, at: index)
                case 2: bytes.insert(contentsOf: bytes[..<index].suffix(12), at: index)
                default: bytes[index] = byte
                }
            }
            let scanError = bytes.withUnsafeBytes { bytes -> JSONSyntaxError? in
                var scanner = JSONScanner(bytes, from: 0)
                do throws(JSONSyntaxError) {
                    try scanner.scan()
                    return nil
                } catch {
                    return error
                }
            }
            do throws(JSONSyntaxError) {
                _ = try JSONDocument(parsing: bytes)
                #expect(scanError == nil, "\(String(decoding: bytes, as: UTF8.self))")
            } catch {
                #expect(scanError == error, "\(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }
}
