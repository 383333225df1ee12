import NIOCore

/// How long a connection waits for its client.
struct ConnectionTimes: Sendable {
    /// For a request to arrive.
    let read: TimeAmount
    /// For the client to read a part of an answer: `leastProgress` bytes, or the rest.
    let write: TimeAmount
    /// For the next request.
    let idle: TimeAmount

    /// How long the rest of a request may arrive after its answer, so that the client reads the answer before the connection is closed.
    static let lingering = TimeAmount.seconds(2)
    /// The fewest bytes that count as progress. Otherwise a client could keep an answer in memory for days by reading a byte now and then.
    static let leastProgress = 64 << 10

    init(_ options: ServerOptions) {
        func amount(_ time: Duration) -> TimeAmount { .nanoseconds(Int64(time / .nanoseconds(1))) }
        (read, write, idle) = (amount(options.readTime), amount(options.writeTime), amount(options.idleTime))
    }
}
