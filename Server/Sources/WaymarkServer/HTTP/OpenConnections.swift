import HummingbirdCore
import NIOCore
import Synchronization

/// The open connections, up to a limit. When there are more, the one that has been idle longest is asked to close.
final class OpenConnections: Sendable {
    private struct Entry {
        let state: ConnectionState
        let channel: any Channel
        /// Since when the connection has been idle; nil while it is not.
        var idleSince: NIODeadline?
        /// Whether it was asked to make room.
        var isLeaving = false
    }

    private struct Table {
        var entries: [ObjectIdentifier: Entry] = [:]
        /// The number of connections that were accepted and are not closed. The latest may have no entry yet.
        var accepted = 0
        /// The number of connections that were asked to make room.
        var leaving = 0
    }

    /// The event that asks a connection to close if it is still idle.
    struct MakeRoom {}

    private let table = Mutex(Table())
    private let limit: Int
    /// The memory of the answers of all connections.
    private let answers: ByteBudget

    /// - Parameters:
    ///   - limit: The most connections.
    ///   - answers: The memory of the answers of all connections.
    init(limit: Int, answers: ByteBudget) {
        self.limit = limit
        self.answers = answers
    }

    var count: Int { table.withLock { $0.entries.count } }

    func open(_ channel: any Channel) -> ConnectionState {
        let state = ConnectionState(answers: answers)
        table.withLock { $0.entries[ObjectIdentifier(channel)] = Entry(state: state, channel: channel) }
        return state
    }

    func close(_ channel: any Channel) {
        table.withLock { table in
            let entry = table.entries.removeValue(forKey: ObjectIdentifier(channel))
            if entry?.isLeaving == true { table.leaving -= 1 }
        }
    }

    /// The state of an open connection; a new one if it is closed already.
    func state(of channel: any Channel) -> ConnectionState {
        table.withLock { $0.entries[ObjectIdentifier(channel)]?.state }
            ?? {
                let state = ConnectionState(answers: answers)
                if !channel.isActive { state.close() }
                return state
            }()
    }

    /// Notes whether a connection waits for a request.
    func note(_ channel: any Channel, isIdle: Bool) {
        change { table in
            let id = ObjectIdentifier(channel)
            table.entries[id]?.idleSince = isIdle ? .now() : nil
            guard table.entries[id]?.isLeaving == true else { return }
            // A request arrived before the event that asks it to close, so another connection has to.
            table.entries[id]?.isLeaving = false
            table.leaving -= 1
        }
    }

    /// Changes the table. If there are more connections than the limit then, asks the one that has been idle longest to make room.
    private func change(_ body: (inout Table) -> Void) {
        let leaving: (any Channel)? = table.withLock { table in
            body(&table)
            guard table.accepted - table.leaving > limit else { return nil }
            let idle = table.entries.lazy.compactMap { id, entry in entry.idleSince.map { (id: id, since: $0) } }
            guard let oldest = idle.min(by: { $0.since < $1.since }) else { return nil }
            table.entries[oldest.id]?.idleSince = nil
            table.entries[oldest.id]?.isLeaving = true
            table.leaving += 1
            return table.entries[oldest.id]?.channel
        }
        leaving?.pipeline.fireUserInboundEventTriggered(MakeRoom())
    }
}

extension OpenConnections {
    /// Counts the connections that Hummingbird accepts, and stops it while there are too many.
    struct Limit: AvailableConnectionsDelegate {
        let connections: OpenConnections

        func connectionOpened() { connections.change { $0.accepted += 1 } }

        func connectionClosed() { connections.change { $0.accepted -= 1 } }

        /// One more than the limit is accepted, since an idle one makes room for it.
        func isAcceptingNewConnections() -> Bool { connections.table.withLock { $0.accepted <= connections.limit } }
    }
}
