import Glibc

/// Consecutive GeoJSON features: a GeoJSON text sequence (RFC 8142), in which each feature begins with a record separator, or
/// newline-delimited GeoJSON, in which each feature is one line.
struct FeatureSequence: FeatureRecords {
    let bytes: [UInt8]
    let start: Int
    private let separator: UInt8
    var columnNames: [String] { [] }

    /// The control character before each text of a sequence.
    static let recordSeparator: UInt8 = 0x1E

    init(_ bytes: [UInt8], separator: UInt8, start: Int) {
        self.bytes = bytes
        self.separator = separator
        self.start = start
    }

    /// Whether the first line of a text is a complete object, and another object begins after it.
    static func isLines(_ bytes: [UInt8], from start: Int) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            guard let open = bytes[start...].firstIndex(of: UInt8(ascii: "{")),
                let lineEnd = index(of: UInt8(ascii: "\n"), in: bytes, from: open)
            else { return false }
            // This is checked first, because a line may be long.
            guard bytes[lineEnd...].first(where: { !FeatureFile.isSpace($0) }) == UInt8(ascii: "{") else { return false }
            // If an object does not end on the line, its end is after the line feed.
            return FeatureList.endOfValue(in: bytes, from: open, to: lineEnd + 1) <= lineEnd
        }
    }

    func write(from position: Int, size: Int, to text: inout [UInt8]) throws(SceneFileError) -> (starts: [Int], end: Int) {
        let (first, limit) = (text.count, bytes.count)
        var (starts, position): ([Int], Int) = ([], position)
        bytes.withUnsafeBufferPointer { bytes in
            while position < limit, starts.isEmpty || text.count - first < size {
                while position < limit, bytes[position] == separator || FeatureFile.isSpace(bytes[position]) { position += 1 }
                guard position < limit else { return }
                let end = Self.index(of: separator, in: bytes, from: position) ?? limit
                if !starts.isEmpty { text.append(UInt8(ascii: ",")) }
                starts.append(position)
                text += bytes[position..<end]
                position = end
            }
        }
        return (starts, position)
    }

    func problem(amongRecordsAt starts: [Int]) -> SceneFileError? {
        bytes.withUnsafeBytes { bytes in
            for start in starts {
                let end = Self.index(of: separator, in: bytes.assumingMemoryBound(to: UInt8.self), from: start) ?? bytes.count
                var scanner = JSONScanner(UnsafeRawBufferPointer(rebasing: bytes[..<end]), from: start)
                do throws(JSONSyntaxError) {
                    try scanner.scan()
                } catch {
                    let line = LineNumber.of(start, in: self.bytes) + error.line - 1
                    return SceneFileError(
                        JSONSyntaxError(byteOffset: error.byteOffset, line: line, column: error.column, reason: error.reason))
                }
            }
            return nil
        }
    }

    func name(ofPath path: Substring) -> String { String(path) }

    /// The index of the first byte with a value.
    static func index(of byte: UInt8, in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBufferPointer { index(of: byte, in: $0, from: 0) }
    }

    private static func index(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let base = bytes.baseAddress, start < bytes.count, let found = memchr(base + start, CInt(byte), bytes.count - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}
