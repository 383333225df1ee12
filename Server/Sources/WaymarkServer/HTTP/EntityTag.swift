import Crypto

/// Identifies a scene or a picture by a SHA-256, for the fields `ETag` and `If-None-Match`.
struct EntityTag: Equatable, Sendable {
    /// 64 hexadecimal digits in quotes.
    let text: String

    /// - Parameter parts: Everything that the picture depends on. Their lengths are hashed, too, so that the same bytes divided differently
    ///   have another tag.
    init(of parts: [[UInt8]]) {
        var hash = SHA256()
        for part in parts {
            withUnsafeBytes(of: UInt64(part.count).littleEndian) { hash.update(bufferPointer: $0) }
            part.withUnsafeBytes { hash.update(bufferPointer: $0) }
        }
        let digits = Array("0123456789abcdef".utf8)
        let quote = UInt8(ascii: "\"")
        text = String(
            decoding: [quote] + hash.finalize().flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] } + [quote], as: UTF8.self)
    }

    /// Whether an `If-None-Match` field names it. `*` does not, since it does not say that the client has a picture of this request.
    func isNamed(by field: String) -> Bool {
        field.split(separator: ",").contains { name in
            let name = name.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return name == text || name == "W/" + text
        }
    }
}
