import CWaymarkProcess

/// Work on input that may make it crash or never end, such as drawing an SVG. It is done in a helper process with limits if a program for
/// it is available, and otherwise on a separate thread with a deadline.
package struct ConfinedWork: Sendable {
    /// A C function that reads a request and writes a reply, as described at `wm_work`.
    package typealias Body = @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?, Int) -> Int

    /// A C function that loads the libraries that the work needs.
    package typealias Preparation = @convention(c) () -> Void

    /// The short name of the work in messages to the helper.
    package let name: String
    private let prepare: Preparation
    private let body: Body
    private let limits: wm_work_limits

    /// - Parameters:
    ///   - seconds: The time limit, which must be sufficient on a busy machine.
    ///   - memory: The memory limit in bytes, which applies only in a separate process.
    ///   - prepare: Called once in a helper. It must not start a thread.
    package init(
        _ name: String, processorSeconds: Double, seconds: Double, memory: Int, prepare: @escaping Preparation,
        body: @escaping Body
    ) {
        self.name = name
        self.prepare = prepare
        self.body = body
        limits = wm_work_limits(processor_seconds: processorSeconds, seconds: seconds, memory: UInt64(memory))
    }

    /// The reason for a missing reply.
    package enum Failure: Error, Equatable {
        case tooLong
        case crashed
        /// The system refused memory, a thread or a process.
        case noResources
        /// The user has named a helper, but no program, named or other, is a helper of this version. The work is then not done at all,
        /// because doing it in this process would be against the user's intention.
        case noHelper(named: String)
    }
}

extension ConfinedWork {
    /// Does the work. In a helper, it cannot harm this process or later work.
    /// - Parameters:
    ///   - room: The maximum length of the reply.
    ///   - stack: The number of bytes of address space for the stack. Unused pages take no memory.
    /// - Returns: The reply.
    package func perform(
        _ request: [UInt8], room: Int, stack: Int, helpers: HelperPool = .shared
    ) throws(Failure) -> [UInt8] {
        while let (helper, isFresh) = try helpers.take(self) {
            let result: Result<[UInt8], Failure>
            do throws(HelperLoss) {
                result = try helper.perform(request, room: room, stack: stack, within: .seconds(limits.seconds + 10))
            } catch {
                // A helper that has waited for long may have been ended meanwhile, for example by the system.
                if !isFresh, error == .ended { continue }
                throw error == .late ? .tooLong : .crashed
            }
            helpers.put(helper, self)
            return try result.get()
        }
        return try performOnThread(request, room: room, stack: stack)
    }

    /// Does the work on a thread of this process. After the time limit, the thread continues until the work is done, and the result is
    /// discarded.
    package func performOnThread(_ request: [UInt8], room: Int, stack: Int) throws(Failure) -> [UInt8] {
        var end = WM_WORK_NO_RESOURCES
        let reply = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            end = wm_work_on_thread(body, limits, request, request.count, buffer.baseAddress, room, stack, &count)
        }
        if let failure = Failure(end) { throw failure }
        return reply
    }

    /// The body of a helper process; returns its exit code.
    func serve(hello: String) -> Int32 { wm_helper_serve(hello, prepare, body, limits) }
}

extension ConfinedWork.Failure {
    /// Returns nil if the work succeeded.
    init?(_ end: wm_work_end) {
        switch end {
        case WM_WORK_DONE: return nil
        case WM_WORK_TOO_LONG: self = .tooLong
        case WM_WORK_NO_RESOURCES: self = .noResources
        default: self = .crashed
        }
    }
}
