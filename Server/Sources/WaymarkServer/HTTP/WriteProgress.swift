import NIOCore

/// How long ago a client last made progress in reading its answers.
struct WriteProgress {
    /// The number of unsent bytes at which it has made progress again; nil before the first check.
    private var goal: Int?
    private var last = NIODeadline.now()

    /// The client begins to read.
    mutating func begin() { goal = nil }

    /// More bytes are to be sent.
    mutating func add(_ count: Int) { goal? += count }

    /// How long the client has made no progress.
    /// - Parameter unsent: The number of bytes that the system has not accepted.
    mutating func standstill(unsent: Int) -> TimeAmount {
        let now = NIODeadline.now()
        if goal.map({ unsent <= $0 }) ?? true {
            goal = unsent - ConnectionTimes.leastProgress
            last = now
        }
        return now - last
    }
}
