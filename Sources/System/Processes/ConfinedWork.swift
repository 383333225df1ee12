import CWaymarkProcess

/// Work on input that may make it crash or never end, such as drawing an SVG: done in a helper process with limits where there is a program
/// for it, and otherwise on a thread of its own with a deadline.
package struct ConfinedWork: Sendable {
    /// A C function that reads a request and writes a reply, as `wm_work` says.
    package typealias Body = @convention(c) (UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<UInt8>?, Int) -> Int

    /// A C function that loads what the work needs.
    package typealias Preparation = @convention(c) () -> Void

    /// Names the work to the helper; short.
    package let name: String
    private let prepare: Preparation
    private let body: Body
    private let limits: wm_work_limits

    /// - Parameters:
    ///   - seconds: How long it may take, on a busy machine, too.
    ///   - memory: The bytes that it may take in a process of its own.
    ///   - prepare: Called once in a helper. It must start no thread.
    package init(
        _ name: String, processorSeconds: Double, seconds: Double, memory: Int, prepare: @escaping Preparation,
        body: @escaping Body
    ) {
        self.name = name
        self.prepare = prepare
        self.body = body
        limits = wm_work_limits(processor_seconds: processorSeconds, seconds: seconds, memory: UInt64(memory))
    }

    /// Why there is no reply.
    package enum Failure: Error, Equatable {
        case tooLong
        case crashed
        /// The system gave no memory, thread or process.
        case noResources
        /// The user has named a helper, and neither it nor another program is one of this version. Doing the work in this process would not
        /// be what the user wants.
        case noHelper(named: String)
    }
}

extension ConfinedWork {
    /// Does the work. In a helper it cannot harm this process, nor later work.
    /// - Parameters:
    ///   - room: The longest reply.
    ///   - stack: The bytes of address space of its stack; what is not used takes no memory.
    /// - Returns: The reply.
    package func perform(
        _ request: [UInt8], room: Int, stack: Int, helpers: HelperPool = .shared
    ) throws(Failure) -> [UInt8] {
        while let (helper, isFresh) = try helpers.take(self) {
            let result: Result<[UInt8], Failure>
            do throws(HelperLoss) {
                result = try helper.perform(request, room: room, stack: stack, within: .seconds(limits.seconds + 10))
            } catch {
                // A helper that has waited for long may have been ended meanwhile, by the system for instance.
                if !isFresh, error == .ended { continue }
                throw error == .late ? .tooLong : .crashed
            }
            helpers.put(helper, self)
            return try result.get()
        }
        return try performOnThread(request, room: room, stack: stack)
    }

    /// Does the work on a thread of this process. After its time the thread goes on until the work is done, for nothing.
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
    /// nil for what is done.
    init?(_ end: wm_work_end) {
        switch end {
        case WM_WORK_DONE: return nil
        case WM_WORK_TOO_LONG: self = .tooLong
        case WM_WORK_NO_RESOURCES: self = .noResources
        default: self = .crashed
        }
    }
}
