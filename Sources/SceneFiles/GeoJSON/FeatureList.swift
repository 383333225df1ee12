/// The positions of the features in a GeoJSON text, found by their brackets in one pass. A text that is not JSON may be cut anywhere;
/// simdjson refuses the parts.
struct FeatureList {
    /// The text of the list, from its opening bracket.
    let range: Range<Int>
    /// The groups of features that are parsed together.
    let chunks: [Chunk]

    struct Chunk {
        /// The text, without the commas before and after it.
        let range: Range<Int>
        /// The number of features in the chunk.
        let count: Int
    }

    /// The approximate number of bytes of a chunk.
    static let chunkSize = 1 << 20
}

extension FeatureList {
    /// Finds the value of the first top-level key `features`, if it is a list.
    /// - Parameter other: A top-level key. If the text has it anywhere, the result is nil.
    static func find(in bytes: UnsafeBufferPointer<UInt8>, unlessWith other: StaticString?) -> FeatureList? {
        var position = bytes.starts(with: FeatureFile.byteOrderMark) ? FeatureFile.byteOrderMark.count : 0
        position = afterSpaces(in: bytes, from: position)
        guard position < bytes.count, bytes[position] == UInt8(ascii: "{") else { return nil }
        position += 1
        var found: FeatureList?
        while position < bytes.count {
            // A key, then its value.
            guard let quote = bytes[position...].firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "}") }),
                bytes[quote] == UInt8(ascii: "\"")
            else { return found }
            let end = endOfString(in: bytes, from: quote, to: bytes.count)
            let key = UnsafeBufferPointer(rebasing: bytes[quote..<end])
            if let other, isString(key, other) { return nil }
            guard let colon = bytes[end...].firstIndex(of: UInt8(ascii: ":")) else { return found }
            let start = afterSpaces(in: bytes, from: colon + 1)
            guard start < bytes.count else { return found }
            // The first of two equal keys counts.
            if found == nil, isString(key, "features") {
                guard bytes[start] == UInt8(ascii: "["), let list = list(in: bytes, from: start) else { return nil }
                found = list
                position = list.range.upperBound
            } else {
                position = endOfValue(in: bytes, from: start, to: bytes.count)
            }
        }
        return found
    }

    /// The list whose bracket is at `start`; nil if it is not closed.
    private static func list(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> FeatureList? {
        var chunks: [Chunk] = []
        var (first, count) = (start + 1, 0)
        var position = afterSpaces(in: bytes, from: first)
        while position < bytes.count {
            guard bytes[position] != UInt8(ascii: "]") || count > 0 || !chunks.isEmpty else {
                return FeatureList(range: start..<position + 1, chunks: [])
            }
            position = afterSpaces(in: bytes, from: endOfValue(in: bytes, from: position, to: bytes.count))
            count += 1
            guard position < bytes.count, bytes[position] == UInt8(ascii: ",") else { break }
            if position - first >= chunkSize {
                chunks.append(Chunk(range: first..<position, count: count))
                (first, count) = (position + 1, 0)
            }
            position = afterSpaces(in: bytes, from: position + 1)
        }
        guard position < bytes.count, bytes[position] == UInt8(ascii: "]") else { return nil }
        chunks.append(Chunk(range: first..<position, count: count))
        return FeatureList(range: start..<position + 1, chunks: chunks)
    }

    /// The offsets at which the features of a chunk begin.
    static func starts(in bytes: UnsafeBufferPointer<UInt8>, _ chunk: Range<Int>) -> [Int] {
        var starts: [Int] = []
        var position = afterSpaces(in: bytes, from: chunk.lowerBound)
        while position < chunk.upperBound {
            starts.append(position)
            position = afterSpaces(in: bytes, from: endOfValue(in: bytes, from: position, to: chunk.upperBound))
            guard position < chunk.upperBound else { break }
            position = afterSpaces(in: bytes, from: position + 1)
        }
        return starts
    }

    /// Whether a string, given with its quotes, equals a text that consists of letters.
    private static func isString(_ string: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
        if string.contains(UInt8(ascii: "\\")) {
            guard let document = try? JSONDocument(parsing: UnsafeRawBufferPointer(string)) else { return false }
            return document.root.isString(text)
        }
        return text.withUTF8Buffer { $0.count + 2 == string.count && string.dropFirst().starts(with: $0) }
    }

    /// The index after the value that begins at `start`; without a value, the index of the comma or closing bracket there.
    static func endOfValue(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to limit: Int) -> Int {
        guard start < limit else { return limit }
        switch bytes[start] {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return endOfNested(in: bytes, from: start, to: limit)
        case UInt8(ascii: "\""): return endOfString(in: bytes, from: start, to: limit)
        default:
            return bytes[start..<limit].firstIndex { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "}") }
                ?? limit
        }
    }

    /// The index after the object or array whose bracket is at `start`.
    private static func endOfNested(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to limit: Int) -> Int {
        var depth = 1
        var position = start + 1
        while true {
            position = next(in: bytes, from: position, to: limit) { word in
                // Brackets differ from braces in one bit. With that bit set, no other bytes outside of strings are above them.
                let brackets = word | ByteWord.all(0x20)
                let above = (brackets & ByteWord.all(0x7F)) &+ ByteWord.all(0x80 - UInt8(ascii: "{"))
                return ((above | brackets) & ByteWord.all(0x80)) | ByteWord.zeros(in: word ^ ByteWord.all(UInt8(ascii: "\"")))
            }
            guard position < limit else { return limit }
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position = endOfString(in: bytes, from: position, to: limit)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return position + 1 }
            default: break
            }
            position += 1
        }
    }

    /// The index after the string whose quote is at `start`.
    private static func endOfString(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to limit: Int) -> Int {
        var position = start + 1
        while true {
            position = next(in: bytes, from: position, to: limit) { word in
                ByteWord.zeros(in: word ^ ByteWord.all(UInt8(ascii: "\""))) | ByteWord.zeros(in: word ^ ByteWord.all(UInt8(ascii: "\\")))
            }
            guard position < limit else { return limit }
            if bytes[position] == UInt8(ascii: "\"") { return position + 1 }
            position += 2
        }
    }

    /// The first index, from `start`, of a marked byte, or `limit`. Examines eight bytes together.
    /// - Parameter marks: Sets the highest bit of the matching bytes of a word; only the first mark is reliable.
    @inline(__always)
    private static func next(
        in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to limit: Int, _ marks: (UInt64) -> UInt64
    ) -> Int {
        let memory = UnsafeRawBufferPointer(bytes)
        var position = start
        while position &+ 8 <= limit {
            let found = marks(UInt64(littleEndian: memory.loadUnaligned(fromByteOffset: position, as: UInt64.self)))
            if found != 0 { return position &+ found.trailingZeroBitCount >> 3 }
            position &+= 8
        }
        while position < limit, marks(UInt64(bytes[position]) | ~0xFF & ByteWord.all(UInt8(ascii: "0"))) & 0x80 == 0 { position &+= 1 }
        return position
    }

    private static func afterSpaces(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var position = start
        while position < bytes.count, FeatureFile.isSpace(bytes[position]) { position += 1 }
        return position
    }
}

/// Eight bytes in a word (Warren, Hacker's Delight, 6–1).
private enum ByteWord {
    @inline(__always)
    static func all(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    /// Sets the highest bit of bytes that are 0. Bytes above the first of these may also have it set.
    @inline(__always)
    static func zeros(in word: UInt64) -> UInt64 { (word &- all(1)) & ~word & all(0x80) }
}
