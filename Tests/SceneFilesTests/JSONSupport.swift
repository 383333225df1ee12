import Testing
import WaymarkSceneFiles

func document(_ text: String) throws(JSONSyntaxError) -> JSONDocument { try JSONDocument(parsing: Array(text.utf8)) }

func value(_ text: String) throws(JSONSyntaxError) -> JSONValue { try document(text).root }

/// The parser's error for a text that it must refuse.
func syntaxError(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) -> String {
    do throws(JSONSyntaxError) {
        _ = try JSONDocument(parsing: bytes)
        Issue.record("accepted", sourceLocation: sourceLocation)
        return ""
    } catch {
        return error.description
    }
}

/// A decoder's error for a text that it must refuse.
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
