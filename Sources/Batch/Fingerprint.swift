/// FNV-1a, 64 bits: the same on every machine and in every run, which Swift's own hashes are not. It tells apart what changed by
/// accident, not what somebody made to look the same.
package struct Fingerprint: Equatable, Sendable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package init(_ bytes: some Sequence<UInt8>) {
        add(bytes)
    }

    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }

    /// A text with its length, so that two in a row are not taken for two others.
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
