import WaymarkImaging
import WaymarkSystem

/// A file of features: GeoJSON, a sequence of GeoJSON texts, a table, or GPX, each either uncompressed or compressed by gzip.
///
/// The features of all formats are converted to GeoJSON, so that one reader makes overlays from them. The content determines the format.
/// If it is ambiguous, the file's name does.
struct FeatureFile: Sendable {
    /// The uncompressed text in UTF-8; for GPX, the GeoJSON made from it.
    let bytes: [UInt8]
    let form: Form

    enum Form: Sendable {
        /// One GeoJSON text.
        case document
        case records(any FeatureRecords)
        /// A GeoJSON text made from another text, with the original line of each feature.
        case converted(lines: [UInt32])
    }

    /// A GeoJSON text.
    init(json bytes: [UInt8]) {
        (self.bytes, form) = (bytes, .document)
    }

    /// - Parameters:
    ///   - name: The name of the file.
    ///   - usesAltitude: Whether the altitudes of a table are needed; unused altitudes cost nothing.
    ///   - room: The number of overlays that may still be added to the scene, for formats whose features are counted before they are
    ///     read.
    init(_ bytes: consuming [UInt8], name: String, usesAltitude: Bool, room: OverlayRoom) throws(SceneFileError) {
        var bytes = try Self.inflated(bytes)
        let isTranscoded = try Self.transcode(&bytes)
        if let format = ForeignFormat(bytes, name: name) { throw format.error(name) }
        if let file = MisplacedFile(bytes) { throw file.error }
        let start = bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
        guard let first = bytes[start...].first(where: { !Self.isSpace($0) }) else {
            throw SceneFileError(path: "", problem: "the file is empty")
        }
        switch first {
        case UInt8(ascii: "<"):
            if let format = ForeignFormat(xml: bytes) { throw format.error(name) }
            let gpx = try GPXReader.features(of: bytes, isUTF8: isTranscoded, room: room)
            (self.bytes, form) = (gpx.text, .converted(lines: gpx.lines))
        case FeatureSequence.recordSeparator:
            (self.bytes, form) = (bytes, .records(FeatureSequence(bytes, separator: first, start: start)))
        case UInt8(ascii: "{") where FeatureSequence.isLines(bytes, from: start):
            (self.bytes, form) = (bytes, .records(FeatureSequence(bytes, separator: UInt8(ascii: "\n"), start: start)))
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            (self.bytes, form) = (bytes, .document)
        case _ where Self.isNamed(name, Self.extensionsOfJSON):
            (self.bytes, form) = (bytes, .document)
        default:
            let table = try FeatureTable(bytes, start: start, usesAltitude: usesAltitude)
            (self.bytes, form) = (bytes, .records(table))
        }
    }

    /// The names of properties that the format declares. Features may lack them.
    var declaredNames: [String] {
        switch form {
        case .document: []
        case .records(let records): records.columnNames
        // The values of points in a GPX file, which some devices do not record.
        case .converted: ["elevation", "speed"]
        }
    }

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

    /// The extensions of scenes and of GeoJSON.
    static let extensionsOfJSON = ["json", "geojson"]
    /// The extensions of sequences of features, of GPX and of tables.
    static let otherExtensions = ["geojsonl", "geojsons", "ndjson", "jsonl", "gpx", "csv", "tsv"]

    /// Whether the bytes are certainly not JSON or a table, because they are compressed, XML, a text sequence, or in another format.
    static func isOther(_ bytes: [UInt8], name: String) -> Bool {
        let first = bytes.first { !isSpace($0) }
        return first == UInt8(ascii: "<") || first == FeatureSequence.recordSeparator || ForeignFormat(bytes, name: name) != nil
            || MisplacedFile(bytes) != nil
    }

    /// Whether the file is a single GeoJSON text.
    var isDocument: Bool { if case .document = form { true } else { false } }

    /// Whether the name has one of the extensions, perhaps followed by `.gz`.
    static func isNamed(_ name: String, _ extensions: [String]) -> Bool {
        let name = name.lowercased()
        return extensions.contains { name.hasSuffix(".\($0)") || name.hasSuffix(".\($0).gz") }
    }
}

extension FeatureFile {
    /// The GeoJSON of the feature that begins at an offset in the text.
    func feature(at start: Int) throws(JSONSyntaxError) -> JSONDocument {
        var text: [UInt8] = []
        if case .records(let records) = form {
            // Writing cannot fail, because the record was written before.
            _ = try? records.write(from: start, size: 0, to: &text)
        } else {
            let end = bytes.withUnsafeBufferPointer { FeatureList.endOfValue(in: $0, from: start, to: bytes.count) }
            text = Array(bytes[start..<end])
        }
        return try JSONDocument(parsing: text)
    }
}

// Places in errors.
extension FeatureFile {
    /// Replaces the index of a feature at the beginning of an error's key path by the line in the file, if the file is not GeoJSON.
    func located(_ error: SceneFileError) -> SceneFileError {
        guard error.file == nil, error.path.hasPrefix("features["), let end = error.path.firstIndex(of: "]"),
            let index = Int(error.path["features[".endIndex..<end]), let line = line(ofFeature: index)
        else { return error }
        var rest = error.path[error.path.index(after: end)...]
        if rest.hasPrefix(".") { rest.removeFirst() }
        var error = error
        let name: String
        switch form {
        case .document: name = String(rest)
        case .records(let records):
            name = records.name(ofPath: rest)
            // The columns of a table have names instead of an order.
            if records is FeatureTable { error.problem = error.problem.replacing(GeoJSONSyntax.orderHint, with: "") }
        case .converted: name = FeatureTable.property(ofPath: rest) ?? ""
        }
        error.path = name.isEmpty ? "line \(line)" : "line \(line): \(name)"
        return error
    }

    private func line(ofFeature index: Int) -> Int? {
        switch form {
        case .document: return nil
        case .converted(let lines): return lines.indices.contains(index) ? Int(lines[index]) : nil
        case .records(let records):
            // The line is found by reading the file again, because only errors need it.
            var (first, position) = (0, records.start)
            while position < records.bytes.count {
                var text: [UInt8] = []
                guard let (starts, end) = try? records.write(from: position, size: 1 << 20, to: &text) else { return nil }
                if index - first < starts.count { return LineNumber.of(starts[index - first], in: records.bytes) }
                (first, position) = (first + starts.count, end)
            }
            return nil
        }
    }
}

// The file before its format is known.
extension FeatureFile {
    private static func inflated(_ bytes: consuming [UInt8]) throws(SceneFileError) -> [UInt8] {
        guard Gzip.isGzip(bytes) else { return bytes }
        // Like pipes, compressed files do not report their size reliably.
        let limit = InputKind.source.streamLimit
        do throws(Gzip.Problem) {
            return try Gzip.inflated(bytes, limit: limit)
        } catch {
            let problem =
                switch error {
                case .damaged: "the gzip file is damaged or cut off"
                case .tooLarge: "the file is larger than \(InputKind.text(byteCount: limit)) when it is inflated"
                case .outOfMemory: "out of memory"
                }
            throw SceneFileError(path: "", problem: problem)
        }
    }

    /// Turns UTF-16 with a byte order mark into UTF-8. Returns whether the text was UTF-16.
    private static func transcode(_ bytes: inout [UInt8]) throws(SceneFileError) -> Bool {
        let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
        guard isBigEndian || bytes.starts(with: [0xFF, 0xFE]) else { return false }
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) {
            throw SceneFileError(path: "", problem: "the text is UTF-32, which is not supported; save the file as UTF-8")
        }
        guard bytes.count % 2 == 0 else { throw SceneFileError(path: "", problem: "the text is UTF-16 and ends within a character") }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for index in stride(from: 2, to: bytes.count, by: 2) {
            let (high, low) = isBigEndian ? (bytes[index], bytes[index + 1]) : (bytes[index + 1], bytes[index])
            units.append(UInt16(high) << 8 | UInt16(low))
        }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        let isBroken = Swift.transcode(
            units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true
        ) { text.append($0) }
        guard !isBroken else { throw SceneFileError(path: "", problem: "the text is UTF-16 with an unpaired surrogate") }
        bytes = text
        return true
    }
}
