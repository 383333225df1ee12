import Testing
import WaymarkSceneFiles

func document(_ text: String) throws(JSONSyntaxError) -> JSONDocument { try JSONDocument(parsing: Array(text.utf8)) }

func value(_ text: String) throws(JSONSyntaxError) -> JSONValue { try document(text).root }

/// What the parser says of a text that it must refuse.
func syntaxError(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) -> String {
    do throws(JSONSyntaxError) {
        _ = try JSONDocument(parsing: bytes)
        Issue.record("accepted", sourceLocation: sourceLocation)
        return ""
    } catch {
        return error.description
    }
}

/// What a decoder says of a text that it must refuse.
func problem(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation, _ decode: (JSONValue) throws(SceneFileError) -> Void
) throws -> String {
    let root = try value(text)
    do throws(SceneFileError) {
        try decode(root)
        Issue.record("accepted", sourceLocation: sourceLocation)
        return ""
    } catch {
        return error.description
    }
}

/// SplitMix64: the same numbers in every run.
struct FixedGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }
}
