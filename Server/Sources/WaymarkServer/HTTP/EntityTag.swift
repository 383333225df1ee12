/// What tells one picture from another: a hash of the request that it answers, or of its bytes, for `ETag` and `If-None-Match`.
struct EntityTag: Equatable, Sendable {
    /// With its quotes.
    let text: String

    /// - Parameter parts: What the picture depends on. Their lengths count, so that no two lists of parts are taken for one.
    init(of parts: [[UInt8]]) {
        // FNV-1a with 128 bits (RFC 9923), but of words of eight bytes at a time, which takes an eighth of the time; zeros end the last word.
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013B
        func add(_ word: UInt64) { hash = (hash ^ UInt128(word)) &* prime }
        for part in parts {
            add(UInt64(part.count))
            part.withUnsafeBytes { bytes in
                let whole = bytes.count & ~7
                for offset in stride(from: 0, to: whole, by: 8) {
                    add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
                }
                guard whole < bytes.count else { return }
                var last: UInt64 = 0
                for offset in (whole..<bytes.count).reversed() { last = last << 8 | UInt64(bytes[offset]) }
                add(last)
            }
        }
        let digits = String(hash, radix: 16)
        text = "\"" + String(repeating: "0", count: 32 - digits.count) + digits + "\""
    }

    /// Whether the value of an `If-None-Match` field names it. `*` names none, since it does not say that the client has a picture of this
    /// request.
    func isNamed(by field: String) -> Bool {
        field.split(separator: ",").contains { name in
            let name = name.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return name == text || name == "W/" + text
        }
    }
}
