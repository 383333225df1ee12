import Hummingbird

/// Reads the bodies of requests into memory, each up to a limit, and all together up to another.
struct BodyReader: Sendable {
    /// The most bytes of a body.
    private let limit: Int
    /// The memory of all bodies together.
    private let budget: ByteBudget

    init(limit: Int, total: Int) {
        self.limit = limit
        budget = ByteBudget(limit: max(total, limit))
    }

    /// Reads a body, and gives its bytes to `use`; they count as taken until that has returned.
    func withBody<Value>(
        of request: Request, _ connection: ConnectionState, _ use: ([UInt8]) async throws -> Value
    ) async throws -> Value {
        if let encoding = request.headers[.contentEncoding], encoding.lowercased() != "identity" {
            throw ServerError(.unsupportedMediaType, "unsupported-encoding", "the request body must not have a Content-Encoding")
        }
        let announced = request.headers[.contentLength].flatMap { Int($0) }
        if let announced, announced > limit { throw tooLarge }
        var taken = 0
        defer { budget.giveBack(taken) }
        func reserve(_ count: Int) throws(ServerError) {
            guard count > taken else { return }
            guard budget.take(count - taken) else {
                throw .busy("all memory for request bodies is in use; try again later")
            }
            taken = count
        }
        var bytes: [UInt8] = []
        if let announced {
            try reserve(announced)
            bytes.reserveCapacity(announced)
        }
        for try await piece in request.body {
            let count = bytes.count + piece.readableBytes
            guard count <= limit else { throw tooLarge }
            try reserve(count)
            bytes += piece.readableBytesView
        }
        // A body that ends early ends without an error.
        if connection.isLate { throw ServerError(.requestTimeout, "too-slow", "the request did not arrive in time") }
        try connection.checkFraming()
        if connection.hasHungUp || announced.map({ $0 != bytes.count }) ?? false { throw ServerError.hangUp }
        return try await use(bytes)
    }

    private var tooLarge: ServerError {
        ServerError(.contentTooLarge, "body-too-large", "the request body may have at most \(limit) bytes")
    }
}
