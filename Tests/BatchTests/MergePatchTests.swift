import Testing
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct MergePatchTests {
    /// Appendix A of RFC 7396, all of it.
    @Test(
        "the standard's own examples",
        arguments: [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
            (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
            (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"), (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
            (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
            ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        ])
    func examples(target: String, patch: String, result: String) throws {
        #expect(try merged(target, patch) == result)
    }

    @Test("a key that a patch has twice is an error with its place")
    func repeated() {
        let error = #expect(throws: SceneFileError.self) { try merged("{}", #"{"a": {"b": 1, "b": 2}}"#) }
        #expect(error?.description == "a: the key \"b\" appears twice")
    }

    @Test("values are not changed")
    func values() throws {
        let text = #"{"a":[1,-2.5,1e+300,5e-324,9007199254740993,-0.0,true,false,null,"ü\"\\\u0007\u0000\/😀",{"":{}}]}"#
        let result = try merged("{}", text)
        #expect(result == #"{"a":[1,-2.5,1e+300,5e-324,9007199254740993,-0.0,true,false,null,"ü\"\\\u0007\u0000/😀",{"":{}}]}"#)
        #expect(try merged(result, "{}") == result)
    }

    @Test("random patches match the standard's pseudocode", arguments: Seeds.all)
    func random(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let (target, patch) = (random.tree(depth: 4), random.tree(depth: 4))
            // Both are written in the same way, so that 1.0 equals 1.
            let expected = try merged("0", "[\(target.merged(with: patch).text)]")
            #expect(try "[\(merged(target.text, patch.text))]" == expected)
        }
    }

    private func merged(_ target: String, _ patch: String) throws -> String {
        let target = try JSONDocument(parsing: Array(target.utf8)).root
        let patch = try JSONDocument(parsing: Array(patch.utf8)).root
        return String(decoding: try MergePatch.merged(target, patch), as: UTF8.self)
    }
}

extension SplitMix64 {
    fileprivate mutating func tree(depth: Int) -> JSONTree {
        switch integer(0...(depth > 0 ? 7 : 4)) {
        case 0: return .null
        case 1: return .boolean(once(in: 2))
        case 2: return .number(number(-1e3...1e3))
        case 3: return .number(Double(integer(-5...5)))
        case 4: return .string(one(of: ["", "a", "ü", "x\"y"]))
        case 5: return .array((0..<integer(0...3)).map { _ in tree(depth: depth - 1) })
        default:
            var object = JSONTree.object([])
            for key in ["a", "b", "c", "d"] where once(in: 2) { object[key] = tree(depth: depth - 1) }
            return object
        }
    }
}
