/// The features of a file, read in chunks, so that a file of ten million points is never parsed as a whole.
///
/// simdjson checks and parses GeoJSON in parts. The elements of the top-level list `features` are parsed in chunks, and the rest of the
/// file is parsed with an empty list in their place. When simdjson refuses a part, a scan of the whole text finds the position at which it
/// stops being JSON. Records are written as GeoJSON, one chunk at a time.
struct FeatureChunks {
    let file: FeatureFile
    /// The text without its features; its root is the root of the whole text.
    let frame: JSONDocument
    /// The list of features; nil for a single feature or geometry, and for records.
    private let list: FeatureList?

    private var bytes: [UInt8] { file.bytes }

    /// Whether the file is a list of features instead of a single feature or geometry.
    var isList: Bool {
        if case .records = file.form { true } else { list != nil }
    }

    /// The text around the features of a chunk.
    private static let start = #"{"type":"FeatureCollection","features":["#
    private static let end = "]}"

    init(_ file: FeatureFile) throws(JSONSyntaxError) {
        if case .records = file.form {
            self.init(file, frame: try JSONDocument(parsing: Array((Self.start + Self.end).utf8)))
            return
        }
        try self.init(file, list: file.bytes.withUnsafeBufferPointer { FeatureList.find(in: $0, unlessWith: nil) })
    }

    /// Reads a text that is GeoJSON, unless it is a scene.
    /// - Returns: Nil for a text without a list of features.
    static func geoJSON(_ bytes: [UInt8]) throws(JSONSyntaxError) -> FeatureChunks? {
        guard let list = bytes.withUnsafeBufferPointer({ FeatureList.find(in: $0, unlessWith: "waymark") }) else { return nil }
        return try FeatureChunks(FeatureFile(json: bytes), list: list)
    }

    /// Reads a text that is a single feature or geometry.
    /// - Parameter document: The text, parsed.
    init(_ bytes: [UInt8], single document: JSONDocument) { self.init(FeatureFile(json: bytes), frame: document) }

    private init(_ file: FeatureFile, frame: JSONDocument) {
        (self.file, self.frame, list) = (file, frame, nil)
    }

    private init(_ file: FeatureFile, list: FeatureList?) throws(JSONSyntaxError) {
        self.file = file
        self.list = list
        let bytes = file.bytes
        guard let list else {
            frame = try JSONDocument(parsing: bytes)
            return
        }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count - list.range.count + 2)
        text += bytes[..<list.range.lowerBound]
        text += "[]".utf8
        text += bytes[list.range.upperBound...]
        do throws(JSONSyntaxError) {
            frame = try JSONDocument(parsing: text)
        } catch {
            throw Self.problem(of: bytes) ?? error
        }
    }
}

/// A feature of a file, or the geometry that forms the file.
struct ChunkFeature {
    /// The document of the chunk that contains the feature.
    let document: JSONDocument
    /// The feature in the chunk.
    let node: JSONNode
    /// The index in the file, from 0.
    let index: Int
    /// The offset of the feature's first byte in the text; 0 if not requested.
    let start: Int
}

extension FeatureChunks {
    /// The type of the root. Checks its reference system, and that a collection has a list of features.
    func readType() throws(SceneFileError) -> JSONValue {
        let root = frame.root
        guard let type = root["type"] else { throw root.error("missing key \"type\"") }
        try root.checkReferenceSystem()
        guard type.isString("FeatureCollection") else { return type }
        guard let features = root["features"] else { throw root.error("missing key \"features\"") }
        guard features.kind == .array else { throw features.unexpected("an array") }
        return type
    }

    /// Reads the features in order. The paths of errors contain the index of the feature in the file.
    /// - Parameters:
    ///   - withStarts: Whether to determine the features' offsets in the text. Default false.
    ///   - endChunk: Called after each chunk with a function that converts the path of an error in the chunk to its path in the file.
    func forEach(
        withStarts: Bool = false, _ body: (ChunkFeature, borrowing JSONTape) throws(SceneFileError) -> Void,
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
        var first = 0
        for chunk in list.chunks {
            let document = try document(chunk)
            let starts = withStarts ? bytes.withUnsafeBufferPointer { FeatureList.starts(in: $0, chunk.range) } : []
            try read(document, first, starts, body, endChunk)
            first += chunk.count
        }
    }

    /// Throws if the text itself is invalid: it is not JSON, or has an invalid row.
    func check() throws(SceneFileError) { try forEach { _, _ in } }

    private func forEach(
        of records: any FeatureRecords, _ body: (ChunkFeature, borrowing JSONTape) throws(SceneFileError) -> Void,
        _ endChunk: ((SceneFileError) -> SceneFileError) -> Void
    ) throws(SceneFileError) {
        var (position, first) = (records.start, 0)
        while position < records.bytes.count {
            var text = Array(Self.start.utf8)
            let (starts, end) = try records.write(from: position, size: FeatureList.chunkSize, to: &text)
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
                    try body(
                        ChunkFeature(document: document, node: node, index: first + index, start: starts.isEmpty ? 0 : starts[index]), tape)
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
            return try Self.document(text, count: starts.count)
        } catch {
            // The error's position refers to the generated text; the error of the refused record refers to the file.
            throw records.problem(amongRecordsAt: starts) ?? SceneFileError(path: "", problem: error.reason)
        }
    }

    /// Parses a chunk. Throws unless it consists of exactly this number of features, because unbalanced brackets in a record could end
    /// the list around it.
    private static func document(_ text: [UInt8], count: Int) throws(JSONSyntaxError) -> JSONDocument {
        let document = try JSONDocument(parsing: text)
        guard document.root.count == 2, document.root["features"]?.count == count else {
            throw JSONSyntaxError(byteOffset: 0, line: 1, column: 1, reason: "not JSON")
        }
        return document
    }

    /// The document of a chunk of the list.
    private func document(_ chunk: FeatureList.Chunk) throws(SceneFileError) -> JSONDocument {
        var text: [UInt8] = []
        text.reserveCapacity(chunk.range.count + Self.start.utf8.count + Self.end.utf8.count)
        text += Self.start.utf8
        text += bytes[chunk.range]
        text += Self.end.utf8
        do throws(JSONSyntaxError) {
            return try Self.document(text, count: chunk.count)
        } catch {
            throw SceneFileError(Self.problem(of: bytes) ?? error)
        }
    }

    /// The position at which the whole text stops being JSON.
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
