import NIOCore
import Synchronization

/// What the handlers of a connection know of it, for the tasks that answer its requests.
final class ConnectionState: Sendable {
    private struct Facts {
        var hasHungUp = false
        var isLate = false
        /// Called once when the client hangs up.
        var onHangUp: (@Sendable () -> Void)?
    }

    private let facts = Mutex(Facts())

    /// Whether the client has closed its side of the connection.
    var hasHungUp: Bool { facts.withLock { $0.hasHungUp } }
    /// Whether the request took too long to arrive, and was answered so.
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

/// The connections that are open now.
final class OpenConnections: Sendable {
    private let states = Mutex<[ObjectIdentifier: ConnectionState]>([:])

    var count: Int { states.withLock { $0.count } }

    func open(_ channel: any Channel) -> ConnectionState {
        let state = ConnectionState()
        states.withLock { $0[ObjectIdentifier(channel)] = state }
        return state
    }

    func close(_ channel: any Channel) { _ = states.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) } }

    /// The state of an open connection; a fresh one for what is closed already.
    func state(of channel: any Channel) -> ConnectionState {
        states.withLock { $0[ObjectIdentifier(channel)] }
            ?? {
                let state = ConnectionState()
                if !channel.isActive { state.noteHangUp() }
                return state
            }()
    }
}
