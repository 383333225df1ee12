/// The chunks of a GLB file.
struct GLBContainer {
    /// The range of the JSON text.
    let text: Range<Int>
    /// The range of the binary chunk, if any.
    let binary: Range<Int>?

    static let magic = Array("glTF".utf8)
    private static let textType: UInt32 = 0x4E4F_534A
    private static let binaryType: UInt32 = 0x004E_4942

    /// A problem of a file, with its byte offset.
    struct Problem: Error {
        let offset: Int
        let text: String
    }

    init(_ bytes: Span<UInt8>) throws(Problem) {
        guard bytes.count >= 20 else { throw Problem(offset: bytes.count, text: "the file ends before its first chunk") }
        let version = Self.word(bytes, at: 4)
        guard version == 2 else { throw Problem(offset: 4, text: "GLB version \(version) is not supported; only version 2 is") }
        let length = Int(Self.word(bytes, at: 8))
        guard length <= bytes.count else {
            throw Problem(offset: 8, text: "the file has \(bytes.count) bytes, but declares \(length)")
        }
        var text: Range<Int>?
        var binary: Range<Int>?
        var offset = 12
        while offset + 8 <= length {
            let count = Int(Self.word(bytes, at: offset))
            let type = Self.word(bytes, at: offset + 4)
            let start = offset + 8
            guard count <= length - start else {
                throw Problem(offset: offset, text: "a chunk declares \(count) bytes, but only \(length - start) are left")
            }
            if text == nil {
                guard type == Self.textType else { throw Problem(offset: offset + 4, text: "the first chunk is not the JSON chunk") }
                text = start..<start + count
            } else if type == Self.binaryType, binary == nil {
                binary = start..<start + count
            }
            // Chunks of other types are skipped, as the specification requires. They begin at multiples of 4.
            offset = start + (count + 3) & ~3
        }
        guard let text else { throw Problem(offset: 12, text: "the file ends before its first chunk") }
        self.text = text
        self.binary = binary
    }

    /// Reads a four-byte little-endian number.
    private static func word(_ bytes: Span<UInt8>, at offset: Int) -> UInt32 {
        (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
    }
}
