import Testing
import WaymarkSceneFiles

@Suite struct JSONReadTests {
    @Test func values() throws {
        let root = try value(#"{"n": 1.5, "i": 7, "b": true, "s": "text", "a": [1, 2], "o": {"x": 1}}"#)
        let read = try root.readObject { (object) throws(SceneFileError) in
            let number = try object.required("n").readNumber(in: 0...2)
            let integer = try object.required("i").readInteger(in: 0...7)
            let boolean = try object.required("b").readBoolean()
            let string = try object["s"]?.readString()
            let array = try object.required("a").readArray(count: 2...3).map(\.int)
            let members = try object.required("o").readMembers()
            let missing = try object["missing"]?.readNumber()
            return number == 1.5 && integer == 7 && boolean && string == "text" && array == [1, 2]
                && members.map(\.key) == ["x"] && missing == nil
        }
        #expect(read)
    }

    @Test func wrongTypes() throws {
        let found12 = try problem(#""12""#) { (v) throws(SceneFileError) in _ = try v.readNumber() }
        #expect(found12 == #"expected a number, found the string "12""#)
        #expect(try problem("null") { (v) throws(SceneFileError) in _ = try ObjectReader(v) } == "expected an object, found null")
        #expect(try problem("[]") { (v) throws(SceneFileError) in _ = try v.readMembers() } == "expected an object, found an array")
        #expect(try problem("{}") { (v) throws(SceneFileError) in _ = try v.readArray() } == "expected an array, found an object")
        #expect(try problem("1") { (v) throws(SceneFileError) in _ = try v.readBoolean() } == "expected true or false, found 1")
        #expect(try problem("-2.50") { (v) throws(SceneFileError) in _ = try v.readString() } == "expected a string, found -2.5")
        #expect(try problem("false") { (v) throws(SceneFileError) in _ = try v.readNumber() } == "expected a number, found false")
        #expect(try problem("1.5") { (v) throws(SceneFileError) in _ = try v.readInteger() } == "expected a whole number, found 1.5")
    }

    @Test(arguments: [
        ("95", "95 is outside -90…90"), ("-90.5", "-90.5 is outside -90…90"), ("1e300", "1e+300 is outside -90…90"),
        ("18446744073709551615", "1.8446744073709552e+19 is outside -90…90"),
    ])
    func numbersOutside(text: String, expected: String) throws {
        #expect(try problem(text) { (v) throws(SceneFileError) in _ = try v.readNumber(in: -90...90) } == expected)
    }

    @Test func openRanges() throws {
        #expect(try problem("-1") { (v) throws(SceneFileError) in _ = try v.readNumber(in: 0 ... .infinity) } == "-1 is less than 0")
        #expect(try problem("2.5") { (v) throws(SceneFileError) in _ = try v.readNumber(in: -.infinity...2) } == "2.5 is more than 2")
        #expect(try problem("-1") { (v) throws(SceneFileError) in _ = try v.readInteger(in: 0 ... .max) } == "-1 is less than 0")
        #expect(try problem("8") { (v) throws(SceneFileError) in _ = try v.readInteger(in: 0...7) } == "8 is outside 0…7")
        #expect(try problem("1e30") { (v) throws(SceneFileError) in _ = try v.readInteger(in: 0...7) } == "1e+30 is outside 0…7")
        #expect(
            try problem("1e30") { (v) throws(SceneFileError) in _ = try v.readInteger(in: 0 ... .max) }
                == "1e+30 is outside 0…9223372036854775807")
        #expect(
            try problem("-1e30") { (v) throws(SceneFileError) in _ = try v.readInteger() }
                == "-1e+30 is outside -9223372036854775808…9223372036854775807")
    }

    @Test func counts() throws {
        #expect(try problem("[1]") { (v) throws(SceneFileError) in _ = try v.readArray(count: 2...3) } == "expected 2…3 elements, found 1")
        #expect(try problem("[]") { (v) throws(SceneFileError) in _ = try v.readArray(count: 2...2) } == "expected 2 elements, found 0")
    }

    @Test func foundStringsAreShortAndOnOneLine() throws {
        func found(_ text: String) throws -> String {
            let description = try problem(text) { (v) throws(SceneFileError) in _ = try v.readNumber() }
            return String(description.dropFirst("expected a number, found the string ".count))
        }
        let forty = String(repeating: "가", count: 40)
        #expect(try found("\"\(forty)\"") == "\"\(forty)\"")
        #expect(try found("\"\(forty)x\"") == "\"\(forty.dropLast())…\"")
        #expect(try found(#""a\n\"b\"\\\u202e\u0007""#) == #""a\n\"b\"\\\u{202E}\u{7}""#)
        let combining = "a" + String(repeating: "\u{301}", count: 100_000)
        #expect(try found("\"\(combining)\"").utf8.count < 1000)
    }

    @Test func keyPaths() throws {
        let root = try value(
            #"{"overlays": [1, {}, [[]], {"position": {"lng": 1, "lat": 95}}], "my images": {"a b": {"0": [true]}, "": {"c": null}}}"#)
        #expect(root.path == "")
        #expect(root["overlays"]?.path == "overlays")
        let elements = Array(try #require(root["overlays"]?.elements))
        #expect(elements.map(\.path) == ["overlays[0]", "overlays[1]", "overlays[2]", "overlays[3]"])
        #expect(elements[2].elements?.map(\.path) == ["overlays[2][0]"])
        #expect(elements[3]["position"]?.members?.map(\.value.path) == ["overlays[3].position.lng", "overlays[3].position.lat"])
        let images = try #require(root["my images"])
        #expect(images["a b"]?["0"]?.elements?.map(\.path) == [#"["my images"]["a b"]["0"][0]"#])
        #expect(images[""]?["c"]?.path == #"["my images"][""].c"#)
        #expect(try value("[{\"a\": 1}]").elements?.map { $0["a"]?.path } == ["[0].a"])
    }

    @Test func errorsNameTheirPath() throws {
        let text = #"{"overlays": [{}, {}, {}, {"position": {"lat": 95}}]}"#
        let description = try problem(text) { (root) throws(SceneFileError) in
            try root.readObject { (scene) throws(SceneFileError) in
                for overlay in try scene.required("overlays").readArray() {
                    try overlay.readObject { (overlay) throws(SceneFileError) in
                        guard let position = overlay["position"] else { return }
                        try position.readObject { (position) throws(SceneFileError) in
                            _ = try position.required("lat").readNumber(in: -90...90)
                        }
                    }
                }
            }
        }
        #expect(description == "overlays[3].position.lat: 95 is outside -90…90")
    }

    @Test func nodesOfTheTapeNameTheirPath() throws {
        let document = try document(#"{"features": [{}, {"geometry": {"coordinates": [1, null]}}]}"#)
        let error = document.withTape { tape -> SceneFileError? in
            guard let list = tape.member("features", of: tape.root), var features = tape.elements(of: list) else { return nil }
            while let feature = features.next(in: tape) {
                guard let geometry = tape.member("geometry", of: feature), let place = tape.member("coordinates", of: geometry),
                    var numbers = tape.elements(of: place)
                else { continue }
                while let number = numbers.next(in: tape) {
                    if tape.double(of: number) == nil { return document.value(at: number).unexpected("a number") }
                }
            }
            return nil
        }
        #expect(error == SceneFileError(path: "features[1].geometry.coordinates[1]", problem: "expected a number, found null"))
    }

    @Test func filesAndSyntaxErrors() throws {
        let error = SceneFileError(path: "size.width", problem: "0 is outside 1…65535")
        #expect(error.description == "size.width: 0 is outside 1…65535")
        #expect(error.inFile("scene.json").description == "scene.json: size.width: 0 is outside 1…65535")
        #expect(error.inFile("inner.geojson").inFile("scene.json").file == "inner.geojson")
        #expect(SceneFileError(file: "a.json", path: "", problem: "missing").description == "a.json: missing")
        do throws(JSONSyntaxError) {
            _ = try document("{\n  \"a\": ]")
            Issue.record("accepted")
        } catch {
            let expected = "scene.json: byte 9 (line 2, column 8): unexpected character ']'"
            #expect(SceneFileError(error, file: "scene.json").description == expected)
        }
    }
}
