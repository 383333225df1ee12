import HTTPTypes
import NIOCore

/// The answer of a route.
struct ServerAnswer: Sendable {
    var status = HTTPResponse.Status.ok
    var headers: HTTPFields = [:]
    var body = ByteBuffer()

    /// - Parameter type: The media type of the body.
    init(_ type: String, _ bytes: some Sequence<UInt8>) {
        headers[.contentType] = type
        body.writeBytes(bytes)
    }

    init(_ json: JSON, status: HTTPResponse.Status = .ok) {
        self.init("application/json", (json.text + "\n").utf8)
        self.status = status
    }

    init(_ error: ServerError) {
        self.init(error.json, status: error.status)
        headers.append(contentsOf: error.headers)
        headers[.cacheControl] = "no-store"
    }

    /// The answer for a picture that the client already has.
    init(unchanged tag: EntityTag) {
        status = .notModified
        headers[.eTag] = tag.text
    }
}
