/// The 64-bit FNV-1a hash (Fowler, Noll, Vo): the same on every machine and in every run, unlike Swift's own hashes. It detects
/// changes, but not deliberate collisions.
package struct Fingerprint: Equatable, Sendable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package init(_ bytes: some Sequence<UInt8>) {
        add(bytes)
    }

    package mutating func add(_ bytes: some Sequence<UInt8>) {
        // Other rooms call this unspecialized: of 40 µs for each job of a batch, a loop over the sequence itself would make 1.5 ms.
        if bytes.withContiguousStorageIfAvailable({ add($0) }) == nil {
            for byte in bytes { add(byte) }
        }
    }

    private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>) {
        for byte in bytes { add(byte) }
    }

    private mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01B3
    }

    /// Adds a text with its length, so that different pairs of texts do not run together.
    package mutating func add(_ text: String) {
        add(text.utf8)
        add("/\(text.utf8.count);".utf8)
    }

    /// 16 digits.
    package var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
