import HTTPTypes

/// An error answer: a status, a short code for programs, and one sentence for people.
struct ServerError: Error, Equatable {
    var status: HTTPResponse.Status
    var code: String
    var message: String
    /// The parameter, or the key path in the scene, that it concerns; nil if it concerns none.
    var path: String?
    var headers: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ code: String, _ message: String, path: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.path = path
    }
}

extension ServerError {
    /// An invalid value of a parameter.
    static func parameter(_ name: String, _ problem: String) -> ServerError {
        ServerError(.badRequest, "invalid-parameter", "\(name): \(problem)", path: name)
    }

    /// A request that may succeed a little later.
    static func busy(_ message: String) -> ServerError {
        var error = ServerError(.serviceUnavailable, "busy", message)
        error.headers[.retryAfter] = "1"
        return error
    }

    /// A request whose end is unknown, so that no other can follow it.
    static func malformed(_ message: String) -> ServerError {
        var error = ServerError(.badRequest, "malformed-request", message)
        error.headers[.connection] = "close"
        return error
    }

    /// A client that has gone; nobody reads the answer.
    static let hangUp = ServerError(
        HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request"), "hang-up", "the client closed the connection")

    /// The body of the answer.
    var json: JSON {
        var members: [(key: String, value: JSON)] = [("code", .string(code)), ("message", .string(message))]
        if let path { members.append(("path", .string(path))) }
        return .object([("error", .object(members))])
    }
}
