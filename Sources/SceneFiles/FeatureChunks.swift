/// The features of a file, some at a time: a file of ten million points is never parsed as a whole.
///
/// In GeoJSON it finds where the elements of the top-level `features` begin and end, by their brackets; simdjson checks and parses them in
/// chunks. The rest of the file is parsed with an empty list in their place. What simdjson refuses anywhere is told by a scan of the whole
/// text. Records are written as GeoJSON, a chunk at a time.
struct FeatureChunks {
    let file: FeatureFile
    /// The text without its features; its root is what the text is.
    let frame: JSONDocument
    /// Where the list of features is, from its bracket on; nil when the text is a single feature or geometry, and for records.
    private let list: Range<Int>?

    private var bytes: [UInt8] { file.bytes }

    var isList: Bool {
        if case .records = file.form { true } else { list != nil }
    }

    /// About the bytes of a chunk.
    private static let chunkSize = 1 << 20

    init(_ file: FeatureFile) throws(JSONSyntaxError) {
        self.file = file
        let bytes = file.bytes
        if case .records = file.form {
            list = nil
            frame = try JSONDocument(parsing: Array(#"{"type":"FeatureCollection","features":[]}"#.utf8))
            return
        }
        list = bytes.withUnsafeBufferPointer { Self.featureList(in: $0) }
        guard let list else {
            frame = try JSONDocument(parsing: bytes)
            return
        }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count - list.count + 2)
        text += bytes[..<list.lowerBound]
        text += "[]".utf8
        text += bytes[list.upperBound...]
        do throws(JSONSyntaxError) {
            frame = try JSONDocument(parsing: text)
        } catch {
            throw Self.problem(of: bytes) ?? error
        }
    }

    /// Calls `body` for each chunk: a document that is a list of features, the index of the first, and for each where it begins in the text. A
    /// text that is a single feature or geometry is a list of one.
    func forEach(
        _ body: (_ document: JSONDocument, _ first: Int, _ starts: [Int]) throws(SceneFileError) -> Void
    ) throws(FeatureChunkError) {
        if case .records(let records) = file.form { return try forEach(of: records, body) }
        guard let list else {
            let start = bytes.firstIndex { $0 == UInt8(ascii: "{") } ?? 0
            do throws(SceneFileError) {
                try body(try document(start..<bytes.count), 0, [start])
            } catch {
                throw FeatureChunkError(error, isList: false)
            }
            return
        }
        let limit = list.upperBound - 1
        var position = list.lowerBound + 1
        var first = 0
        while true {
            let starts = bytes.withUnsafeBufferPointer {
                Self.elements(in: $0, from: position, to: limit, size: Self.chunkSize)
            }
            let end = starts.end
            guard !starts.starts.isEmpty else {
                // Nothing follows the list's bracket, which is an empty list, or the comma of the chunk before, which is not JSON.
                guard first > 0 else { return }
                throw FeatureChunkError(syntaxError, isList: true)
            }
            do throws(SceneFileError) {
                let document = try document(position..<end)
                guard document.tape.count(of: document.tape.root) == starts.starts.count else {
                    throw syntaxError
                }
                try body(document, first, starts.starts)
            } catch {
                throw FeatureChunkError(error, isList: true, first: first)
            }
            first += starts.starts.count
            guard end < limit else { return }
            // After the comma.
            position = end + 1
        }
    }

    private func forEach(
        of records: any FeatureRecords,
        _ body: (_ document: JSONDocument, _ first: Int, _ starts: [Int]) throws(SceneFileError) -> Void
    ) throws(FeatureChunkError) {
        var (position, first) = (records.start, 0)
        while position < records.bytes.count {
            do throws(SceneFileError) {
                var text: [UInt8] = [UInt8(ascii: "[")]
                let (starts, end) = try records.write(from: position, size: Self.chunkSize, to: &text)
                text.append(UInt8(ascii: "]"))
                let document = try FeatureFile.document(text, of: records, starts) { $0.count }
                try body(document, first, starts)
                (position, first) = (end, first + starts.count)
            } catch {
                throw FeatureChunkError(error, isList: true, first: first)
            }
        }
    }

    /// What is told where the parts of the text show that the whole is not JSON.
    private var syntaxError: SceneFileError {
        SceneFileError(Self.problem(of: bytes) ?? JSONSyntaxError(byteOffset: 0, line: 1, column: 1, reason: "not JSON"))
    }

    /// The document of a list with the given text.
    private func document(_ range: Range<Int>) throws(SceneFileError) -> JSONDocument {
        var text: [UInt8] = [UInt8(ascii: "[")]
        text.reserveCapacity(range.count + 2)
        text += bytes[range]
        text.append(UInt8(ascii: "]"))
        do throws(JSONSyntaxError) {
            return try JSONDocument(parsing: text)
        } catch {
            throw SceneFileError(Self.problem(of: bytes) ?? error)
        }
    }

    /// Where the whole text stops being JSON.
    private static func problem(of bytes: [UInt8]) -> JSONSyntaxError? {
        bytes.withUnsafeBytes { bytes in
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            var scanner = JSONScanner(bytes, from: bytes.starts(with: mark) ? mark.count : 0)
            do throws(JSONSyntaxError) {
                try scanner.scan()
                return nil
            } catch {
                return error
            }
        }
    }
}

/// An error in a chunk; its path says which feature it is.
struct FeatureChunkError: Error {
    let error: SceneFileError

    init(_ error: SceneFileError, isList: Bool, first: Int = 0) {
        var error = error
        // The path begins with the index in the chunk.
        if error.path.hasPrefix("["), let end = error.path.firstIndex(of: "]"), let index = Int(error.path.dropFirst()[..<end]) {
            let rest = error.path[error.path.index(after: end)...]
            error.path = isList ? "features[\(first + index)]\(rest)" : String(rest.drop { $0 == "." })
        }
        self.error = error
    }
}

// The scan for brackets. A text that is not JSON may be cut anywhere; simdjson refuses the parts.
extension FeatureChunks {
    /// The range of the value of the top-level key `features`, if it is a list.
    private static func featureList(in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        guard var position = bytes.firstIndex(of: UInt8(ascii: "{")) else { return nil }
        position += 1
        var found: Range<Int>?
        while position < bytes.count {
            // A key, then its value.
            guard let quote = bytes[position...].firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "}") }),
                bytes[quote] == UInt8(ascii: "\"")
            else { return found }
            let end = endOfString(in: bytes, from: quote)
            let isFeatures = bytes[quote..<min(end, bytes.count)].elementsEqual("\"features\"".utf8)
            guard let colon = bytes[min(end, bytes.count)...].firstIndex(of: UInt8(ascii: ":")) else { return found }
            var start = colon + 1
            while start < bytes.count, isSpace(bytes[start]) { start += 1 }
            guard start < bytes.count else { return found }
            let stop = endOfValue(in: bytes, from: start, to: bytes.count)
            if isFeatures {
                // A key that appears twice is left to the parser of the whole.
                guard found == nil, bytes[start] == UInt8(ascii: "["), stop <= bytes.count, bytes[stop - 1] == UInt8(ascii: "]") else {
                    return nil
                }
                found = start..<stop
            }
            position = stop
        }
        return found
    }

    /// Where elements of a list begin, until they come to a size, and the end of the last of them: the place of a comma or `limit`.
    private static func elements(
        in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to limit: Int, size: Int
    ) -> (starts: [Int], end: Int) {
        var starts: [Int] = []
        var position = start
        while true {
            while position < limit, isSpace(bytes[position]) { position += 1 }
            guard position < limit else { return (starts, limit) }
            starts.append(position)
            position = endOfValue(in: bytes, from: position, to: limit)
            while position < limit, isSpace(bytes[position]) { position += 1 }
            guard position < limit, bytes[position] == UInt8(ascii: ",") else { return (starts, limit) }
            if position - start >= size { return (starts, position) }
            position += 1
        }
    }

    /// The index after the value that begins at `start`.
    static func endOfValue(in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to limit: Int) -> Int {
        var depth = 0
        var position = start
        while position < limit {
            switch bytes[position] {
            case UInt8(ascii: "\""):
                position = endOfString(in: bytes, from: position)
                if depth == 0 { return min(position, limit) }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return position + 1 }
                if depth < 0 { return position }
            case UInt8(ascii: ","):
                if depth == 0 { return position }
            default: break
            }
            position += 1
        }
        return limit
    }

    /// The index after the string whose quote is at `start`.
    private static func endOfString(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var position = start + 1
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "\"") { return position + 1 }
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return bytes.count
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }
}
