import Testing
import WaymarkSceneFiles

@Suite struct JSONDocumentTests {
    @Test func kinds() throws {
        let array = try value(#"[{}, [], "", 0, 1.5, true, false, null, 18446744073709551615]"#)
        let kinds = array.elements?.map(\.kind)
        #expect(kinds == [.object, .array, .string, .number, .number, .boolean, .boolean, .null, .number])
        #expect(array.count == 9)
    }

    @Test func accessorsOfOtherKindsAreNil() throws {
        let string = try value(#""12""#)
        #expect(string.double == nil && string.int == nil && string.bool == nil)
        #expect(string.elements == nil && string.members == nil && string["a"] == nil && string.count == 0)
        let number = try value("12")
        #expect(number.string == nil && number.bool == nil && !number.isString("12"))
        #expect(number.withUTF8 { $0.count } == nil)
        #expect(try value("true").bool == true)
        #expect(try value("false").bool == false)
    }

    @Test(arguments: [
        ("0", 0.0), ("-0", 0), ("-1", -1), ("1.5", 1.5), ("1e308", 1e308), ("1.7976931348623157e308", .greatestFiniteMagnitude),
        ("5e-324", .leastNonzeroMagnitude), ("1e-999", 0), ("0.1", 0.1), ("126.97837400000001", 126.97837400000001),
        ("0.30000000000000004", 0.30000000000000004), ("9007199254740993", 0x1p53), ("-12.5E+2", -1250),
        ("18446744073709551615", 0x1p64), ("18446744073709551616", 0x1p64),
        ("-9223372036854775809", -0x1p63), ("123456789012345678901234567890", 1.2345678901234568e29),
    ])
    func numbers(text: String, expected: Double) throws {
        #expect(try value(text).double == expected)
        #expect(try value("[\(text), 7]").elements?.map(\.double) == [expected, 7])
    }

    @Test func onlyAFractionKeepsTheSignOfZero() throws {
        #expect(try value("-0.0").double?.sign == .minus)
        #expect(try value("-0").double?.sign == .plus)
    }

    @Test func integers() throws {
        #expect(try value("9223372036854775807").int == .max)
        #expect(try value("-9223372036854775808").int == .min)
        #expect(try value("9223372036854775808").int == nil)
        #expect(try value("3.0").int == 3)
        #expect(try value("3e2").int == 300)
        #expect(try value("3.5").int == nil)
        #expect(try value("1e300").int == nil)
    }

    @Test func wideIntegersAmongOthers() throws {
        let text = "\u{FEFF}{\"a\": [123456789012345678901, -123456789012345678901,5], \"b\": \"99999999999999999999999\"}"
        let root = try value(text)
        #expect(root["a"]?.elements?.map(\.double) == [1.2345678901234568e20, -1.2345678901234568e20, 5])
        #expect(root["b"]?.string == "99999999999999999999999")
    }

    @Test func strings() throws {
        #expect(try value(#""""#).string == "")
        #expect(try value(#""\"\\\/\b\f\n\r\t""#).string == "\"\\/\u{8}\u{C}\n\r\t")
        #expect(try value(#""\u0041\u00e9\uAC00\ud83d\ude00""#).string == "Aé가😀")
        #expect(try value(#""서울특별시청 🗺️""#).string == "서울특별시청 🗺️")
        #expect(try value(#""a\u0000b""#).string == "a\0b")
        #expect(try value("\"\u{7F}\u{2028}\"").string == "\u{7F}\u{2028}")
    }

    @Test func stringsAreComparedWithoutAString() throws {
        let string = try value(#""c\u0061ption""#)
        #expect(string.isString("caption"))
        #expect(!string.isString("captio") && !string.isString("captions") && !string.isString("Caption") && !string.isString(""))
        #expect(try value(#""""#).isString(""))
        #expect(string.withUTF8 { $0.count } == 7)
        #expect(string.withUTF8 { $0[0] } == UInt8(ascii: "c"))
    }

    @Test func membersKeepTheOrderOfTheFile() throws {
        let root = try value(#"{"z": 1, "a": {"z": [2]}, "m": [3, [4]], "z": 5}"#)
        #expect(root.members?.map(\.key) == ["z", "a", "m", "z"])
        #expect(root.count == 4)
        #expect(root["z"]?.int == 1)
        #expect(root["a"]?["z"]?.elements?.first { _ in true }?.int == 2)
        #expect(root["q"] == nil)
    }

    @Test func aByteOrderMarkIsSkippedOnce() throws {
        #expect(try value("\u{FEFF}[1]").count == 1)
        #expect(syntaxError(Array("\u{FEFF}\u{FEFF}[1]".utf8)) == "byte 3 (line 1, column 1): unexpected character U+FEFF")
        #expect(syntaxError(Array("\u{FEFF}".utf8)) == "byte 3 (line 1, column 1): empty file")
        #expect(syntaxError(Array("\u{FEFF}[1".utf8)) == "byte 5 (line 1, column 3): unexpected end of file")
    }

    @Test func valuesKeepTheirDocument() throws {
        func inner() throws -> JSONValue? { try document(#"{"a": {"b": "still here"}}"#).root["a"]?["b"] }
        #expect(try inner()?.string == "still here")
    }

    @Test func bytesWithoutAnArray() throws {
        let bytes = Array("[1, 2]".utf8)
        let count = try bytes.withUnsafeBytes { try JSONDocument(parsing: $0).root.count }
        #expect(count == 2)
    }

    @Test func moreElementsThanTheTapeCounts() throws {
        let count = 0xFF_FFFF + 2
        var bytes = [UInt8](repeating: UInt8(ascii: ","), count: 2 * count + 1)
        for index in stride(from: 1, to: bytes.count, by: 2) { bytes[index] = UInt8(ascii: "1") }
        bytes[0] = UInt8(ascii: "[")
        bytes[bytes.count - 1] = UInt8(ascii: "]")
        #expect(try JSONDocument(parsing: bytes).root.count == count)
    }

    @Test func tapeWalk() throws {
        let features = (0..<1000).map { #"{"type":"Feature","geometry":{"type":"Point","coordinates":[\#($0).25,-\#($0)]}}"# }
        let document = try document(#"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#)
        let sums = document.withTape { tape in
            var sums = (x: 0.0, y: 0.0, count: 0)
            guard let list = tape.member("features", of: tape.root), var elements = tape.elements(of: list) else { return sums }
            while let feature = elements.next(in: tape) {
                guard let geometry = tape.member("geometry", of: feature), let point = tape.member("coordinates", of: geometry),
                    var numbers = tape.elements(of: point), let x = numbers.next(in: tape), let y = numbers.next(in: tape)
                else { continue }
                #expect(numbers.next(in: tape) == nil)
                sums.x += tape.double(of: x) ?? .nan
                sums.y += tape.double(of: y) ?? .nan
                sums.count += 1
            }
            return sums
        }
        #expect(sums.count == 1000)
        #expect(sums.x == 499_500 + 250)
        #expect(sums.y == -499_500)
    }
}
