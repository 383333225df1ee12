import HTTPTypes

/// An error answer: a status, a short code for programs, and one sentence for people.
struct ServerError: Error, Equatable {
    var status: HTTPResponse.Status
    var code: String
    var message: String
    /// The parameter, or the key path in the scene, that it concerns; nil if it concerns none.
    var path: String?
    var headers: HTTPFields

    init(_ status: HTTPResponse.Status, _ code: String, _ message: String, path: String? = nil, headers: HTTPFields = [:]) {
        self.status = status
        self.code = code
        self.message = message
        self.path = path
        self.headers = headers
    }
}

extension ServerError {
    /// An invalid value of a parameter.
    static func parameter(_ name: String, _ problem: String) -> ServerError {
        ServerError(.badRequest, "invalid-parameter", "\(name): \(problem)", path: name)
    }

    /// A request that may succeed a little later.
    static func busy(_ message: String) -> ServerError {
        ServerError(.serviceUnavailable, "busy", message, headers: [.retryAfter: "1"])
    }

    /// A request whose end is unknown, so that no other can follow it.
    static func malformed(_ message: String) -> ServerError {
        ServerError(.badRequest, "malformed-request", message, headers: [.connection: "close"])
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
