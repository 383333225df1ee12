import Hummingbird
import Synchronization

/// Reads the bodies of requests into memory, each up to a limit, and all together up to another.
final class BodyReader: Sendable {
    /// The most bytes of a body.
    let limit: Int
    /// The most bytes that all requests together hold.
    private let total: Int
    private let held = Atomic(0)

    init(limit: Int, total: Int) {
        self.limit = limit
        self.total = max(total, limit)
    }

    /// Reads a body, and gives its bytes to `use`; they count as held until that has returned.
    func withBody<Value>(
        of request: Request, _ connection: ConnectionState, _ use: ([UInt8]) async throws -> Value
    ) async throws -> Value {
        if let encoding = request.headers[.contentEncoding], encoding.lowercased() != "identity" {
            throw ServerError(.unsupportedMediaType, "unsupported-encoding", "a body is sent as it is, without Content-Encoding")
        }
        let announced = request.headers[.contentLength].flatMap { Int($0) }
        if let announced, announced > limit { throw tooLarge }
        var count = 0
        defer { held.subtract(count, ordering: .relaxed) }
        func take(_ more: Int) throws(ServerError) {
            count += more
            guard held.add(more, ordering: .relaxed).newValue <= total else {
                throw .busy("the bodies of other requests take all memory that there is for them; try again")
            }
        }
        var bytes: [UInt8] = []
        if let announced {
            try take(announced)
            bytes.reserveCapacity(announced)
        }
        for try await piece in request.body {
            guard bytes.count + piece.readableBytes <= limit else { throw tooLarge }
            if bytes.count + piece.readableBytes > count { try take(bytes.count + piece.readableBytes - count) }
            bytes += piece.readableBytesView
        }
        // What ends early ends quietly.
        if connection.isLate { throw ServerError(.requestTimeout, "too-slow", "the request did not arrive in time") }
        if connection.hasHungUp || announced.map({ $0 != bytes.count }) ?? false { throw ServerError.hangUp }
        return try await use(bytes)
    }

    private var tooLarge: ServerError {
        ServerError(.contentTooLarge, "body-too-large", "a body has at most \(limit) bytes here")
    }
}
