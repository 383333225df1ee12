import Synchronization

/// The state of a connection, for the tasks that answer its requests.
final class ConnectionState: Sendable {
    private struct Facts {
        var hasHungUp = false
        var isLate = false
        var isClosed = false
        /// The number of requests whose answers have begun.
        var answers = 0
        /// The number of a request whose framing is wrong, and the fault in it.
        var malformed: (request: Int, problem: String)?
        /// The bytes of large answers that the system has not accepted whole.
        var unsentBytes = 0
        /// Called once when the client hangs up.
        var onHangUp: (@Sendable () -> Void)?
    }

    private let facts = Mutex(Facts())
    /// The memory of the large answers of all connections.
    private let answers: ByteBudget

    /// The most bytes of an answer that does not count, so that errors and health checks are sent whatever other clients leave unread.
    static let smallAnswer = 64 << 10

    init(answers: ByteBudget) { self.answers = answers }

    /// Whether the client has closed its side of the connection.
    var hasHungUp: Bool { facts.withLock { $0.hasHungUp } }
    /// Whether the request took too long to arrive, and was answered accordingly.
    var isLate: Bool { facts.withLock { $0.isLate } }

    func noteHangUp() {
        let handler = facts.withLock { facts in
            facts.hasHungUp = true
            defer { facts.onHangUp = nil }
            return facts.onHangUp
        }
        handler?()
    }

    func noteLate() { facts.withLock { $0.isLate = true } }

    /// Notes that a request, counted from 1, is not framed as HTTP/1.1 demands.
    func note(malformed request: Int, _ problem: String) { facts.withLock { $0.malformed = (request, problem) } }

    /// Notes that the server begins to answer the next request. It answers the requests of a connection in their order.
    func beginAnswer() { facts.withLock { $0.answers += 1 } }

    /// Throws if the request that is being answered is not framed as HTTP/1.1 demands.
    func checkFraming() throws(ServerError) {
        let problem = facts.withLock { facts in facts.malformed.flatMap { $0.request == facts.answers ? $0.problem : nil } }
        if let problem { throw .malformed(problem) }
    }

    /// Does work that is cancelled when the client hangs up.
    /// - Throws: `ServerError.hangUp` then.
    func watching<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await work() }
        let hasHungUp = facts.withLock { facts in
            facts.onHangUp = { task.cancel() }
            return facts.hasHungUp
        }
        if hasHungUp { task.cancel() }
        defer { facts.withLock { $0.onHangUp = nil } }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch is CancellationError {
            throw ServerError.hangUp
        }
    }
}

// The memory of answers.
extension ConnectionState {
    /// Takes memory for an answer until `noteSent` or `close`; false if the answers of all connections leave too little.
    func takeMemory(forAnswerOf byteCount: Int) -> Bool {
        guard byteCount > Self.smallAnswer else { return true }
        return facts.withLock { facts in
            // It is not sent any more, and freed soon.
            if facts.isClosed { return true }
            guard answers.take(byteCount) else { return false }
            facts.unsentBytes += byteCount
            return true
        }
    }

    /// Gives back the memory of an answer that the system has accepted whole.
    func noteSent(answerOf byteCount: Int) {
        guard byteCount > Self.smallAnswer else { return }
        facts.withLock { facts in
            let count = min(byteCount, facts.unsentBytes)
            facts.unsentBytes -= count
            answers.giveBack(count)
        }
    }

    /// Notes that the connection is closed.
    func close() {
        noteHangUp()
        facts.withLock { facts in
            answers.giveBack(facts.unsentBytes)
            (facts.unsentBytes, facts.isClosed) = (0, true)
        }
    }
}
