/// Something that a frame could not do as asked. The rest of the picture is drawn all the same.
public struct Diagnostic: Equatable, Sendable {
    /// How grave it is.
    public enum Severity: String, Sendable {
        /// Something is left out or drawn otherwise.
        case warning
        /// Something that the caller must mend.
        case error
    }

    public let severity: Severity
    /// The property concerned, such as `position.lat`; nil when it is not one property.
    public let path: String?
    /// The overlay concerned: its id, or its type and place.
    public let id: String?
    /// One sentence.
    public let message: String

    public init(severity: Severity = .warning, path: String? = nil, id: String? = nil, message: String) {
        self.severity = severity
        self.path = path
        self.id = id
        self.message = message
    }
}

extension Diagnostic: CustomStringConvertible {
    public var description: String {
        ([id, path].compactMap { $0 } + [message]).joined(separator: ": ")
    }
}
