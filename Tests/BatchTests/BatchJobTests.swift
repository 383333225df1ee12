import Testing
import Waymark
import WaymarkBatch
import WaymarkImaging
import WaymarkTestSupport

@Suite struct BatchJobTests {
    @Test(
        "a job has an id and an output",
        arguments: [
            (#"{"id": "a"}"#, "a", "a.png"), (#"{"id": "서울 1", "size": null}"#, "서울 1", "서울 1.png"),
            (#"{"id": ".."}"#, "..", "...png"), (#"{"output": "x/./y//z.JPG", "id": "a/b"}"#, "a/b", "x/y/z.JPG"),
            (#"{"id": "a", "output": "a.webp"}"#, "a", "a.webp"), (#"{"id": "a", "output": "./a.rgba"}"#, "a", "a.rgba"),
            (#"{"id": "a", "output": "x/.//\u0301.png"}"#, "a", "x/\u{301}.png"),
            (#"{"id": "a", "output": null, "format": "jpeg", "quality": 80}"#, "a", "a.jpg"),
            (#"{"id": "a", "format": "jpeg", "output": "b.jpeg"}"#, "a", "b.jpeg"),
        ])
    func good(line: String, id: String, output: String) throws {
        let job = try BatchJob(line: Array(line.utf8))
        #expect(job.id == id)
        #expect(job.output.path == output)
    }

    @Test(
        "the error for a bad line names the problem",
        arguments: [
            ("", "column 1: empty file"), ("{", "column 2: unexpected end of file"), ("[]", "expected a job object, found an array"),
            ("{}", "missing key \"id\""), (#"{"id": 3}"#, "id: expected a string, found 3"),
            (#"{"id": ""}"#, "id: an id must have 1…255 bytes, not 0"),
            (#"{"id": "a\tb"}"#, "id: \"a\\tb\" contains control characters"),
            (#"{"id": "a/b"}"#, "id: \"a/b\" contains a slash and cannot be a file name; add an \"output\""),
            (#"{"id": "a", "id": "b"}"#, "the key \"id\" appears twice"),
            (#"{"id": "a", "output": "/a.png"}"#, "output: \"/a.png\" is not relative to the output folder"),
            (#"{"id": "a", "output": "x/../a.png"}"#, "output: \"x/../a.png\" leads out of the output folder"),
            (#"{"id": "a", "output": "../\u0301a.png"}"#, "output: \"../\u{301}a.png\" leads out of the output folder"),
            (#"{"id": "a", "output": "/\u200da.png"}"#, "output: \"/\\u{200D}a.png\" is not relative to the output folder"),
            (#"{"id": "a", "output": ".."}"#, "output: \"..\" leads out of the output folder"),
            (#"{"id": "a", "output": "a.png/"}"#, "output: \"a.png/\" names no file"),
            (#"{"id": "a", "output": "."}"#, "output: \".\" names no file"), (#"{"id": "a", "output": ""}"#, "output: \"\" names no file"),
            (#"{"id": "a", "output": "a\u0000.png"}"#, "output: \"a\\u{0}.png\" contains control characters"),
            (
                #"{"id": "a", "output": "a.gif"}"#, "output: \"a.gif\" does not end in one of .png, .jpg, .jpeg, .webp, .rgba"
            ), (#"{"id": null}"#, "id: expected a string, found null"),
            (#"{"id": "a", "output": 3}"#, "output: expected a string, found 3"),
            (#"{"id": "a", "quality": 0}"#, "quality: 0 is outside 1…100"),
            (#"{"id": "a", "quality": 80}"#, "quality: this option applies to JPEG and WebP, not to PNG"),
            (#"{"id": "a", "palette": 1}"#, "palette: 1 is outside 2…256"),
            (#"{"id": "a", "palette": 16, "output": "a.webp"}"#, "palette: this option applies to PNG, not to WebP"),
            (#"{"id": "a", "progressive": true}"#, "progressive: this option applies to JPEG, not to PNG"),
            (#"{"id": "a", "progressive": 1, "format": "jpeg"}"#, "progressive: expected true or false, found 1"),
            (#"{"id": "a", "format": "gif"}"#, "format: \"gif\" is not one of png, jpeg, webp, rgba"),
            (#"{"id": "a", "format": "webp", "output": "a.png"}"#, "format: the format is \"webp\", but the output is \"a.png\""),
            (#"{"id": "a", "inspect": 1}"#, "inspect: expected true or false, found 1"),
            (
                "id,lat,lng",
                #"a job must be a JSON object on one line, such as {"id": "seoul", "camera": {"center": [126.98, 37.57], "zoom": 12}}, "#
                    + #"not "id,lat,lng""#
            ),
        ])
    func bad(line: String, message: String) {
        let error = #expect(throws: Failure.self) { try BatchJob(line: Array(line.utf8)) }
        #expect(error?.description == message)
        #expect(error?.code == .badContent)
    }

    @Test("names that no file can have are refused")
    func long() {
        let id = String(repeating: "é", count: 127)
        let error = #expect(throws: Failure.self) { try BatchJob(line: Array("{\"id\": \"\(id)\"}".utf8)) }
        #expect(error?.description.hasSuffix("has a name of more than 255 bytes") == true)
        let deep = String(repeating: "a/", count: 2000) + "b.png"
        let tooLong = #expect(throws: OutputPathError.self) { try OutputPath(deep) }
        #expect(tooLong?.problem == "is longer than 4000 bytes")
    }

    @Test("options for all jobs apply where a job sets nothing")
    func defaults() throws {
        var defaults = JobDefaults()
        defaults.format = .webp
        defaults.quality = 30
        defaults.isInspected = true
        func job(_ line: String) throws -> BatchJob { try BatchJob(line: Array(line.utf8), defaults: defaults) }
        let plain = try job(#"{"id": "a"}"#)
        #expect(
            plain.output.path == "a.webp" && plain.encoding.quality == 30 && plain.isInspected && plain.output.inspection.path == "a.json")
        let own = try job(#"{"id": "a", "format": "jpeg", "quality": 90, "inspect": false}"#)
        #expect(own.output.path == "a.jpg" && own.encoding.quality == 90 && !own.isInspected)
        // A name's extension selects the format; a quality for all jobs applies only to pictures with a quality.
        let named = try job(#"{"id": "a", "output": "x.y/b.c.png", "quality": null}"#)
        #expect(named.output.format == .png && named.encoding.quality == nil && named.output.inspection.path == "x.y/b.c.json")
    }

    @Test("palettes and progressive JPEGs, of all jobs and of one")
    func encodings() throws {
        var defaults = JobDefaults()
        defaults.isProgressive = true
        defaults.paletteColors = 64
        func encoding(_ line: String) throws -> EncodingOptions { try BatchJob(line: Array(line.utf8), defaults: defaults).encoding }
        #expect(try encoding(#"{"id": "a"}"#) == EncodingOptions(paletteColors: 64))
        #expect(try encoding(#"{"id": "a", "palette": 8}"#) == EncodingOptions(paletteColors: 8))
        #expect(try encoding(#"{"id": "a", "format": "jpeg"}"#) == EncodingOptions(isProgressive: true))
        #expect(try encoding(#"{"id": "a", "output": "a.jpg", "progressive": false}"#) == EncodingOptions())
        // Turning it off is valid for every format.
        #expect(try encoding(#"{"id": "a", "format": "webp", "progressive": false}"#) == EncodingOptions())
    }
}
