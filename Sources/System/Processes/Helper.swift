import CWaymarkProcess
import Glibc

/// The reason why a helper is unusable.
enum HelperLoss: Error, Equatable {
    /// The helper has ended, or violates the protocol.
    case ended
    /// The helper has not answered in time.
    case late
}

/// A helper process that does one kind of work, one request after the other. Only one thread at a time uses it.
final class Helper: Sendable {
    private let process: ChildProcess
    /// The process that started it.
    let owner = getpid()

    /// Starts a program and waits until it announces itself as a helper of this version for this work.
    /// - Returns: nil if the program is not such a helper.
    /// - Throws: The reason why the program cannot be started.
    init?(_ path: String, for name: String) throws(SystemError) {
        process = try ChildProcess(HelperProgram.command(path, for: name))
        process.closeErrors()
        var expected = Array(HelperProgram.hello(for: name).utf8)
        expected += repeatElement(0, count: Int(WM_HELPER_HELLO) - expected.count)
        // The time is long enough for a busy machine. Only a program that is not a helper uses it up.
        let deadline = ContinuousClock.now + .seconds(10)
        guard let hello = try? read(expected.count, until: deadline, while: { expected.starts(with: $0) }), hello == expected else {
            return nil
        }
    }
}

extension Helper {
    /// Sends a request and waits for the reply.
    func perform(
        _ request: [UInt8], room: Int, stack: Int, within time: Duration
    ) throws(HelperLoss) -> Result<[UInt8], ConfinedWork.Failure> {
        let deadline = ContinuousClock.now + time
        var header = wm_helper_request(count: UInt64(request.count), room: UInt64(room), stack: UInt64(stack))
        try write(withUnsafeBytes(of: &header) { Array($0) }, until: deadline)
        try write(request, until: deadline)
        var reply = wm_helper_reply()
        let bytes = try read(MemoryLayout<wm_helper_reply>.size, until: deadline)
        withUnsafeMutableBytes(of: &reply) { $0.copyBytes(from: bytes) }
        guard reply.count <= room, let end = UInt32(exactly: reply.end) else { throw .ended }
        if let failure = ConfinedWork.Failure(wm_work_end(end)) { return .failure(failure) }
        return .success(try read(Int(reply.count), until: deadline))
    }
}

private extension Helper {
    func write(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws(HelperLoss) {
        guard let input = process.input else { throw .ended }
        var sent = 0
        while sent < bytes.count {
            guard let count = try? input.writeAvailable(bytes[sent...]) else { throw .ended }
            sent += count
            if count == 0 { try wait(writing: [input.number], until: deadline) }
        }
    }

    /// Reads exactly this many bytes. If `isExpected` is false for them, reading stops with the bytes read so far.
    func read(
        _ count: Int, until deadline: ContinuousClock.Instant, while isExpected: ([UInt8]) -> Bool = { _ in true }
    ) throws(HelperLoss) -> [UInt8] {
        guard let output = process.output else { throw .ended }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let result = bytes.withUnsafeMutableBytes { buffer in
                Result { () throws(SystemError) in
                    try output.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
                }
            }
            switch result {
            case .success(0): throw .ended
            case .success(let more): filled += more
            case .failure(let error) where error.errno == EAGAIN: try wait(reading: [output.number], until: deadline)
            case .failure(let error) where error.errno == EINTR: continue
            case .failure: throw .ended
            }
            guard isExpected(Array(bytes[..<filled].prefix(64))) else { throw .ended }
        }
        return bytes
    }

    func wait(reading: [CInt] = [], writing: [CInt] = [], until deadline: ContinuousClock.Instant) throws(HelperLoss) {
        let left = (deadline - .now) / .milliseconds(1)
        guard left > 0 else {
            process.kill()
            throw .late
        }
        DescriptorPoll.wait(reading: reading, writing: writing, milliseconds: Int(left) + 1)
    }
}
