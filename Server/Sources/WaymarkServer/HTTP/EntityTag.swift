/// What tells one picture from another: a hash of the request that it answers, or of its bytes, for `ETag` and `If-None-Match`.
struct EntityTag: Equatable, Sendable {
    /// With its quotes.
    let text: String

    /// - Parameter parts: What the picture depends on. Their lengths count, so that no two lists of parts are taken for one.
    init(of parts: [some Collection<UInt8>]) {
        // FNV-1a with 128 bits (RFC 9923).
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013B
        func add(_ bytes: some Sequence<UInt8>) { for byte in bytes { hash = (hash ^ UInt128(byte)) &* prime } }
        for part in parts {
            add(withUnsafeBytes(of: UInt64(part.count).littleEndian) { Array($0) })
            add(part)
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
