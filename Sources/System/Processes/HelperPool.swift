import Glibc
import Synchronization

/// The helper processes of this process: one for each concurrent request. They are kept for later requests.
package final class HelperPool: Sendable {
    package static let shared = HelperPool(choices: HelperProgram.choices, named: { HelperProgram.named })

    private struct State {
        /// The idle helpers, by name of the work.
        var idle: [String: [Helper]] = [:]
        /// The program that has served each kind of work. No other program is then tried for that kind.
        var programs: [String: String] = [:]
        /// The programs that are not helpers, by name of the work.
        var refused: [String: Set<String>] = [:]
    }

    private let state = Mutex(State())
    private let choices: @Sendable () -> [String]
    private let named: @Sendable () -> String?

    /// - Parameters:
    ///   - choices: The programs to try, best first; empty without any.
    ///   - named: The program that the user has named, if any. Then a helper is required.
    package init(choices: @escaping @Sendable () -> [String], named: @escaping @Sendable () -> String? = { nil }) {
        self.choices = choices
        self.named = named
    }
}

extension HelperPool {
    /// A helper for this work, which the caller returns after use, and whether it was just started; nil if no program is a helper.
    func take(_ work: ConfinedWork) throws(ConfinedWork.Failure) -> (Helper, isFresh: Bool)? {
        while let helper = state.withLock({ $0.idle[work.name]?.popLast() }) {
            if helper.owner == getpid() { return (helper, false) }
            // After a fork without exec, the helper belongs to the other process, and must not be used or ended here.
            _ = Unmanaged.passRetained(helper)
        }
        return try start(work).map { ($0, true) }
    }

    /// Whether there is a program that does this work in a separate process.
    package func hasProgram(for work: ConfinedWork) -> Bool {
        guard let (helper, _) = try? take(work) else { return false }
        put(helper, work)
        return true
    }

    /// Keeps a helper for the next request.
    func put(_ helper: Helper, _ work: ConfinedWork) {
        state.withLock { state in
            guard state.idle[work.name, default: []].count < ProcessorCount.current.usable else { return }
            state.idle[work.name, default: []].append(helper)
        }
    }

    private func start(_ work: ConfinedWork) throws(ConfinedWork.Failure) -> Helper? {
        let (known, refused) = state.withLock { ($0.programs[work.name], $0.refused[work.name] ?? []) }
        for path in known.map({ [$0] }) ?? choices() where !refused.contains(path) {
            do throws(SystemError) {
                if let helper = try Helper(path, for: work.name) {
                    state.withLock { $0.programs[work.name] = path }
                    return helper
                }
            } catch {
                let passing = [EAGAIN, ENOMEM, EMFILE, ENFILE, EINTR]
                if passing.contains(error.errno) { throw .noResources }
            }
            if known == nil { _ = state.withLock { $0.refused[work.name, default: []].insert(path) } }
        }
        // If work has been done in helpers, it never moves to this process, no matter what happened to the program.
        if known != nil { throw .noResources }
        if let named = named(), named != HelperProgram.none { throw .noHelper(named: named) }
        return nil
    }
}
