import WaymarkSystem

/// A problem that occurred while a frame was made. The rest of the picture is still drawn.
public struct Diagnostic: Equatable, Sendable {
    /// The severity of a problem.
    public enum Severity: String, Sendable {
        /// Something is missing from the picture, or is not drawn as requested.
        case warning
        /// An SVG image cannot be drawn. The `waymark` program draws a scene with this problem only with `--lenient`.
        case error
    }

    public let severity: Severity
    /// The path of the affected property, such as `position.lat`; nil if no single property is affected. If the device cannot draw the
    /// picture as well as other devices can, the path is `device`.
    public let path: String?
    /// The id of the affected overlay. If the overlay has no id, this is its type and index, such as `marker-3`, or only its type if it was
    /// not added to the map. Nil if no single overlay is affected.
    public let id: String?
    /// The problem in one sentence.
    public let message: String
    /// The message for the case in which nothing is drawn. Unlike `message`, it does not describe a substitute.
    private let refusal: String

    public init(severity: Severity = .warning, path: String? = nil, id: String? = nil, message: String) {
        self.severity = severity
        self.path = path
        self.id = id
        (self.message, refusal) = (message, message)
    }

    /// Creates a diagnostic with the severity `error`.
    /// - Parameter refusal: The part of the message that still applies if the picture is not drawn at all.
    package init(error diagnostic: Diagnostic, refusal: String) {
        severity = .error
        (path, id, message) = (diagnostic.path, diagnostic.id, diagnostic.message)
        self.refusal = refusal
    }

    /// The diagnostic with a longer path, to which the path of an enclosing object has been prepended.
    package func within(_ outer: String) -> Diagnostic {
        let inner = Diagnostic(severity: severity, path: path.map { "\(outer).\($0)" } ?? outer, id: id, message: message)
        return severity == .error ? Diagnostic(error: inner, refusal: refusal) : inner
    }

    /// The diagnostic, worded as the reason why nothing is drawn.
    package var reason: String { description(refusal) }

    public static func == (a: Diagnostic, b: Diagnostic) -> Bool {
        a.severity == b.severity && a.path == b.path && a.id == b.id && a.message == b.message
    }
}

extension Diagnostic: CustomStringConvertible {
    public var description: String { description(message) }

    private func description(_ message: String) -> String {
        ([id?.quotedIfEmpty, path].compactMap { $0 } + [message]).joined(separator: ": ").shortMessage
    }
}
