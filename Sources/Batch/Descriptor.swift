import Glibc

/// An open file, closed when it goes.
final class Descriptor {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    deinit { close(number) }

    /// Opens a file; nil, with `errno`, when the system refuses.
    convenience init?(_ path: String, _ flags: Int32, mode: mode_t = 0o666) {
        let number = Self.retrying { open(path, flags | O_CLOEXEC, mode) }
        guard number >= 0 else { return nil }
        self.init(Int32(number))
    }

    /// Reads at a place, as many bytes as there is room for unless the file ends; nil, with `errno`, when the system refuses.
    func read(into bytes: UnsafeMutableRawBufferPointer, at place: Int) -> Int? {
        var count = 0
        while count < bytes.count {
            let result = Self.retrying { pread(number, bytes.baseAddress.map { $0 + count }, bytes.count - count, off_t(place + count)) }
            if result < 0 { return nil }
            if result == 0 { break }
            count += result
        }
        return count
    }

    /// Writes all bytes where the file stands, or at its end if it was opened so; false, with `errno`, when the system refuses.
    func write(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = ContiguousArray(bytes)
        var written = 0
        while written < bytes.count {
            let result = bytes.withUnsafeBytes { room in
                Self.retrying { Glibc.write(number, room.baseAddress.map { $0 + written }, room.count - written) }
            }
            if result < 0 { return false }
            written += result
        }
        return true
    }

    /// The file's size.
    var size: Int {
        var status = stat()
        return fstat(number, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Calls again what a signal interrupted.
    private static func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}
