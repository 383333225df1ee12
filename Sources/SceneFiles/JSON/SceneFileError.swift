import WaymarkSystem

/// A problem in a scene file together with its location: `scene.json: overlays[3].position.lat: 95 is outside -90…90`.
public struct SceneFileError: Error, Equatable, Sendable {
    /// The name of the file as given by the user; nil until the outermost caller sets it.
    public var file: String?
    /// The key path within the file, or an empty string for the file as a whole. For a syntax error, it is the byte, line and column.
    public var path: String
    /// The problem as a sentence without a period.
    public var problem: String

    public init(file: String? = nil, path: String, problem: String) {
        self.file = file
        self.path = path
        self.problem = problem
    }

    /// Creates a scene file error from a JSON syntax error.
    public init(_ error: JSONSyntaxError, file: String? = nil) {
        self.init(file: file, path: error.place, problem: error.reason)
    }
}

extension SceneFileError: CustomStringConvertible {
    /// The error as `FILE: PATH: PROBLEM`. Unknown parts are omitted, and long names are shortened with an ellipsis.
    public var description: String {
        var text = ""
        if let file { text += "\(file.quotedIfEmpty): " }
        if !path.isEmpty { text += "\(path): " }
        return (text + problem).shortMessage
    }
}

extension SceneFileError {
    /// This error with the given file, unless it already has one.
    package func inFile(_ file: String) -> SceneFileError {
        var error = self
        error.file = error.file ?? file
        return error
    }
}
