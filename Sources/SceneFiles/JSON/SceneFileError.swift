import WaymarkSystem

/// A problem in a scene file, with its location: `scene.json: overlays[3].position.lat: 95 is outside -90…90`.
public struct SceneFileError: Error, Equatable, Sendable {
    /// The file as the user named it; nil until the outermost caller sets it.
    public var file: String?
    /// The key path within the file, empty for the file as a whole; for a syntax error, the byte, line and column.
    public var path: String
    /// One sentence without a period.
    public var problem: String

    public init(file: String? = nil, path: String, problem: String) {
        self.file = file
        self.path = path
        self.problem = problem
    }

    /// A syntax error as an error of a scene file.
    public init(_ error: JSONSyntaxError, file: String? = nil) {
        self.init(file: file, path: error.place, problem: error.reason)
    }
}

extension SceneFileError: CustomStringConvertible {
    /// `FILE: PATH: PROBLEM`, without the parts that are unknown, and with an ellipsis in names that are long.
    public var description: String {
        var text = ""
        if let file { text += "\(file.quotedIfEmpty): " }
        if !path.isEmpty { text += "\(path): " }
        return (text + problem).shortMessage
    }
}

extension SceneFileError {
    /// This error with its file, unless it already has one.
    package func inFile(_ file: String) -> SceneFileError {
        var error = self
        error.file = error.file ?? file
        return error
    }
}
