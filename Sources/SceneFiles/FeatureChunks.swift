/// The features of a file, some at a time: a file of ten million points is never parsed as a whole.
///
/// In GeoJSON it finds where the elements of the top-level `features` begin and end, by their brackets; simdjson checks and parses them in
/// chunks. The rest of the file is parsed with an empty list in their place. A scan of the whole text tells where it stops being JSON when
/// simdjson refuses a part of it. Records are written as GeoJSON, a chunk at a time.
struct FeatureChunks {
    let file: FeatureFile
    /// The text without its features; its root is that of the text.
    let frame: JSONDocument
    /// The range of the list of features, from its bracket on; nil when the text is a single feature or geometry, and for records.
    private let list: Range<Int>?

    private var bytes: [UInt8] { file.bytes }

    /// Whether it is a list of features, and not a single feature or geometry.
    var isList: Bool {
        if case .records = file.form { true } else { list != nil }
    }

    /// About the bytes of a chunk.
    private static let chunkSize = 1 << 20
    /// The text around the features of a chunk.
    private static let start = #"{"type":"FeatureCollection","features":["#
    private static let end = "]}"

    init(_ file: FeatureFile) throws(JSONSyntaxError) {
        if case .records = file.form {
            self.init(file, frame: try JSONDocument(parsing: Array((Self.start + Self.end).utf8)))
            return
        }
        try self.init(file, list: file.bytes.withUnsafeBufferPointer { Self.featureList(in: $0, unlessWith: nil) })
    }

    /// A text that is GeoJSON, unless it is a scene, or a text that is neither.
    /// - Returns: nil for a text without a list of features.
    static func geoJSON(_ bytes: [UInt8]) throws(JSONSyntaxError) -> FeatureChunks? {
        guard let list = bytes.withUnsafeBufferPointer({ featureList(in: $0, unlessWith: "waymark") }) else { return nil }
        return try FeatureChunks(FeatureFile(json: bytes), list: list)
    }

    /// A text that is a single feature or geometry.
    /// - Parameter document: The text, parsed.
    init(_ bytes: [UInt8], single document: JSONDocument) { self.init(FeatureFile(json: bytes), frame: document) }

    private init(_ file: FeatureFile, frame: JSONDocument) {
        (self.file, self.frame, list) = (file, frame, nil)
    }

    private init(_ file: FeatureFile, list: Range<Int>?) throws(JSONSyntaxError) {
        self.file = file
        self.list = list
        let bytes = file.bytes
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
}

/// A feature of a file, or the geometry that the file is.
struct ChunkFeature {
    /// The chunk.
    let document: JSONDocument
    /// The feature in the chunk.
    let node: JSONNode
    /// The index in the file, from 0.
    let index: Int
    /// The offset of its first byte in the text.
    let start: Int
}

extension FeatureChunks {
    /// Reads the features in order. The paths of errors have the index of the feature in the file.
    /// - Parameter endChunk: Called after each chunk with a function that gives an error in it its path in the file.
    func forEach(
        _ body: (ChunkFeature, borrowing JSONTape) throws(SceneFileError) -> Void,
        endChunk: ((SceneFileError) -> SceneFileError) -> Void = { _ in }
    ) throws(SceneFileError) {
        if case .records(let records) = file.form { return try forEach(of: records, body, endChunk) }
        guard let list else {
            let start = bytes.firstIndex { $0 == UInt8(ascii: "{") } ?? 0
            try frame.withTape { (tape) throws(SceneFileError) in
                try body(ChunkFeature(document: frame, node: tape.root, index: 0, start: start), tape)
            }
            return endChunk { $0 }
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
                throw syntaxError
            }
            let document = try document(position..<end)
            guard Self.isWhole(document, count: starts.starts.count) else { throw syntaxError }
            try read(document, first, starts.starts, body, endChunk)
            first += starts.starts.count
            guard end < limit else { return }
            // After the comma.
            position = end + 1
        }
    }

    /// Throws where the text as such is at fault: it is not JSON, or a row is none.
    func check() throws(SceneFileError) { try forEach { _, _ in } }

    private func forEach(
        of records: any FeatureRecords, _ body: (ChunkFeature, borrowing JSONTape) throws(SceneFileError) -> Void,
        _ endChunk: ((SceneFileError) -> SceneFileError) -> Void
    ) throws(SceneFileError) {
        var (position, first) = (records.start, 0)
        while position < records.bytes.count {
            var text = Array(Self.start.utf8)
            let (starts, end) = try records.write(from: position, size: Self.chunkSize, to: &text)
            text += Self.end.utf8
            try read(document(text, of: records, starts), first, starts, body, endChunk)
            (position, first) = (end, first + starts.count)
        }
    }

    /// Reads the features of a chunk.
    private func read(
        _ document: JSONDocument, _ first: Int, _ starts: [Int],
        _ body: (ChunkFeature, borrowing JSONTape) throws(SceneFileError) -> Void, _ endChunk: ((SceneFileError) -> SceneFileError) -> Void
    ) throws(SceneFileError) {
        do throws(SceneFileError) {
            try document.withTape { (tape) throws(SceneFileError) in
                guard let list = tape.member("features", of: tape.root), var rest = tape.elements(of: list) else { return }
                var index = 0
                while let node = rest.next(in: tape) {
                    try body(ChunkFeature(document: document, node: node, index: first + index, start: starts[index]), tape)
                    index += 1
                }
            }
        } catch {
            throw error.inChunk(from: first)
        }
        endChunk { $0.inChunk(from: first) }
    }

    /// The document of records that were written as GeoJSON.
    private func document(
        _ text: [UInt8], of records: any FeatureRecords, _ starts: [Int]
    ) throws(SceneFileError) -> JSONDocument {
        do throws(JSONSyntaxError) {
            let document = try JSONDocument(parsing: text)
            if Self.isWhole(document, count: starts.count) { return document }
            throw JSONSyntaxError(byteOffset: 0, line: 1, column: 1, reason: "not JSON")
        } catch {
            // The place is one in the text that was made; what a record is refused for has one in the file.
            throw records.problem(amongRecordsAt: starts) ?? SceneFileError(path: "", problem: error.reason)
        }
    }

    /// Whether a chunk has so many features, and nothing else: brackets in a record that do not match could end the list around it.
    private static func isWhole(_ document: JSONDocument, count: Int) -> Bool {
        document.root.count == 2 && document.root["features"]?.count == count
    }

    /// The error of a text whose parts show that the whole is not JSON.
    private var syntaxError: SceneFileError {
        SceneFileError(Self.problem(of: bytes) ?? JSONSyntaxError(byteOffset: 0, line: 1, column: 1, reason: "not JSON"))
    }

    /// The document of a list with the given text.
    private func document(_ range: Range<Int>) throws(SceneFileError) -> JSONDocument {
        var text: [UInt8] = []
        text.reserveCapacity(range.count + Self.start.utf8.count + Self.end.utf8.count)
        text += Self.start.utf8
        text += bytes[range]
        text += Self.end.utf8
        do throws(JSONSyntaxError) {
            return try JSONDocument(parsing: text)
        } catch {
            throw SceneFileError(Self.problem(of: bytes) ?? error)
        }
    }

    /// Where the whole text stops being JSON.
    private static func problem(of bytes: [UInt8]) -> JSONSyntaxError? {
        bytes.withUnsafeBytes { bytes in
            var scanner = JSONScanner(bytes, from: bytes.starts(with: FeatureFile.byteOrderMark) ? FeatureFile.byteOrderMark.count : 0)
            do throws(JSONSyntaxError) {
                try scanner.scan()
                return nil
            } catch {
                return error
            }
        }
    }
}

extension SceneFileError {
    /// An error in a chunk, whose path begins with the index of a feature there, with the index in the file.
    /// - Parameter first: The index in the file of the chunk's first feature.
    fileprivate func inChunk(from first: Int) -> SceneFileError {
        guard file == nil, path.hasPrefix("features["), let end = path.firstIndex(of: "]"),
            let index = Int(path.dropFirst("features[".count)[..<end])
        else { return self }
        var error = self
        error.path = "features[\(first + index)]\(path[path.index(after: end)...])"
        return error
    }
}

// The scan for brackets. A text that is not JSON may be cut anywhere; simdjson refuses the parts.
extension FeatureChunks {
    /// The range of the value of the first top-level key `features`, if it is a list.
    /// - Parameter other: A top-level key; where the text has it, too, before or after, there is no such list.
    private static func featureList(in bytes: UnsafeBufferPointer<UInt8>, unlessWith other: StaticString?) -> Range<Int>? {
        var position = bytes.starts(with: FeatureFile.byteOrderMark) ? FeatureFile.byteOrderMark.count : 0
        while position < bytes.count, FeatureFile.isSpace(bytes[position]) { position += 1 }
        guard position < bytes.count, bytes[position] == UInt8(ascii: "{") else { return nil }
        position += 1
        var found: Range<Int>?
        while position < bytes.count {
            // A key, then its value.
            guard let quote = bytes[position...].firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "}") }),
                bytes[quote] == UInt8(ascii: "\"")
            else { return found }
            let end = min(endOfString(in: bytes, from: quote), bytes.count)
            let key = UnsafeBufferPointer(rebasing: bytes[quote..<end])
            if let other, isString(key, other) { return nil }
            guard let colon = bytes[end...].firstIndex(of: UInt8(ascii: ":")) else { return found }
            var start = colon + 1
            while start < bytes.count, FeatureFile.isSpace(bytes[start]) { start += 1 }
            guard start < bytes.count else { return found }
            let stop = endOfValue(in: bytes, from: start, to: bytes.count)
            // Of a key that appears twice, the first counts.
            if found == nil, isString(key, "features") {
                guard bytes[start] == UInt8(ascii: "["), stop <= bytes.count, bytes[stop - 1] == UInt8(ascii: "]") else { return nil }
                found = start..<stop
            }
            position = stop
        }
        return found
    }

    /// Whether a string in its quotes is a text of letters.
    private static func isString(_ string: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
        if string.contains(UInt8(ascii: "\\")) {
            guard let document = try? JSONDocument(parsing: UnsafeRawBufferPointer(string)) else { return false }
            return document.root.isString(text)
        }
        return text.withUTF8Buffer { $0.count + 2 == string.count && string.dropFirst().starts(with: $0) }
    }

    /// Where elements of a list begin, until they come to a size, and the end of the last of them: the place of a comma or `limit`.
    private static func elements(
        in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to limit: Int, size: Int
    ) -> (starts: [Int], end: Int) {
        var starts: [Int] = []
        var position = start
        while true {
            while position < limit, FeatureFile.isSpace(bytes[position]) { position += 1 }
            guard position < limit else { return (starts, limit) }
            starts.append(position)
            position = endOfValue(in: bytes, from: position, to: limit)
            while position < limit, FeatureFile.isSpace(bytes[position]) { position += 1 }
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
}
