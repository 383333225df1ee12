/// A table of points, as CSV (RFC 4180) or TSV. Its first row names the columns, two of which are the latitude and the longitude. The
/// other columns are properties of the features.
///
/// Waymark reads tables itself, because existing CSV readers for Swift create a `String` for every cell. This one creates none.
struct FeatureTable: FeatureRecords {
    let bytes: [UInt8]
    let start: Int
    private let separator: UInt8
    private let columns: [Column]
    private let latitude: Int
    private let longitude: Int
    /// The altitude column; nil if it does not exist or is not needed.
    private let altitude: Int?

    var columnNames: [String] { columns.map(\.name) }

    private struct Column {
        let name: String
        /// The key of the property, in quotes and with its colon; empty for a column that is not a property.
        let key: [UInt8]
    }

    // The names of the columns, in the order in which they are looked for, ignoring case.
    static let latitudeNames = ["lat", "latitude", "y", "breitengrad", "breite", "위도", "緯度", "纬度"]
    static let longitudeNames = ["lng", "lon", "long", "longitude", "x", "längengrad", "laengengrad", "länge", "경도", "経度", "经度"]
    static let altitudeNames = ["altitude", "alt", "elevation", "ele", "z", "höhe", "고도", "標高"]
    private static let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t"), UInt8(ascii: "|")]

    /// The maximum number of columns, and of bytes in their names. The limit exists because the GeoJSON of every row repeats the names.
    private static let mostColumns = 4096
    private static let mostNameBytes = 1 << 16

    init(_ bytes: [UInt8], start: Int, usesAltitude: Bool) throws(SceneFileError) {
        if let zero = FeatureSequence.index(of: 0, in: bytes) {
            throw SceneFileError(
                path: "", problem: "this is not a text file such as GeoJSON, GPX or a table: byte \(zero) is 0")
        }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            let line = LineNumber.of(error.byteOffsets.lowerBound, in: bytes)
            throw SceneFileError(path: "line \(line)", problem: "the text is not UTF-8; save the file as UTF-8")
        }
        // The separator that produces columns of coordinates, or else the one that produces the most columns.
        var (start, separators) = (start, Self.separators)
        if let (given, next) = Self.givenSeparator(bytes, from: start) { (start, separators) = (next, [given]) }
        var best: (separator: UInt8, names: [String], start: Int)?
        var tooMany: SceneFileError?
        for separator in separators {
            do throws(SceneFileError) {
                let header = try Self.readHeader(bytes, from: start, separator)
                let hasBoth =
                    Self.column(header.names, Self.latitudeNames) != nil && Self.column(header.names, Self.longitudeNames) != nil
                if hasBoth || header.names.count > best?.names.count ?? 0 { best = (separator, header.names, header.end) }
                if hasBoth { break }
            } catch {
                tooMany = tooMany ?? error
            }
        }
        guard let best else { throw tooMany ?? SceneFileError(path: "", problem: "the file is empty") }
        self.bytes = bytes
        separator = best.separator
        self.start = best.start
        guard let latitude = Self.column(best.names, Self.latitudeNames), let longitude = Self.column(best.names, Self.longitudeNames)
        else {
            if let tooMany { throw tooMany }
            let isLatitude = Self.column(best.names, Self.latitudeNames) == nil
            throw SceneFileError(
                path: "line \(LineNumber.of(start, in: bytes))",
                problem: isLatitude
                    ? "the table has no column for the latitude (lat, latitude, y)"
                    : "the table has no column for the longitude (lng, lon, longitude, x)")
        }
        self.latitude = latitude
        self.longitude = longitude
        altitude = usesAltitude ? Self.column(best.names, Self.altitudeNames) : nil
        for (column, meaning) in [(latitude, "latitude"), (longitude, "longitude")] {
            guard let other = Self.other(best.names, column) else { continue }
            throw SceneFileError(
                path: "line \(LineNumber.of(start, in: bytes))",
                problem: "the \(meaning) could be in the column \(best.names[column].quotedBriefly) or \(best.names[other].quotedBriefly); "
                    + "rename one of them")
        }
        columns = best.names.enumerated().map { index, name in
            guard index != latitude, index != longitude, !name.isEmpty else { return Column(name: name, key: []) }
            var writer = JSONWriter()
            writer.string(name)
            return Column(name: name, key: writer.bytes + [UInt8(ascii: ":")])
        }
    }

    /// The separator declared in a first line, as written by Excel (`sep=;`), and the start of the header.
    private static func givenSeparator(_ bytes: [UInt8], from start: Int) -> (separator: UInt8, start: Int)? {
        let line = bytes[start...].prefix { $0 != 0x0A && $0 != 0x0D }
        guard line.count == 5, line.starts(with: "sep=".utf8), let separator = line.last else { return nil }
        let end = line.endIndex + (bytes[line.endIndex...].starts(with: [0x0D, 0x0A]) ? 2 : 1)
        return end < bytes.count ? (separator, end) : nil
    }

    /// The names of the columns, and the start of the next row.
    private static func readHeader(
        _ bytes: [UInt8], from start: Int, _ separator: UInt8
    ) throws(SceneFileError) -> (names: [String], end: Int) {
        var cells: [TableRow.Cell] = []
        let row = TableRow(separator: separator, most: mostColumns)
        let end: Int
        do throws(TableRow.Problem) {
            end = try bytes.span.withUnsafeBufferPointer { (bytes) throws(TableRow.Problem) in try row.read(bytes, &cells, from: start) }
        } catch {
            throw SceneFileError(path: "line \(LineNumber.of(error.offset, in: bytes))", problem: error.reason)
        }
        let size = cells.reduce(0) { $0 + $1.end - $1.start }
        guard size <= mostNameBytes else {
            throw SceneFileError(
                path: "line \(LineNumber.of(start, in: bytes))",
                problem: "the column names have \(size) bytes; at most \(mostNameBytes) are allowed")
        }
        let names = cells.map { cell in
            var name = String(decoding: bytes[cell.start..<cell.end], as: UTF8.self)
            if cell.hasQuotes { name = name.replacing("\"\"", with: "\"") }
            return name.trimmingWhitespace
        }
        return (names, end)
    }

    /// The column that has the earliest of the wanted names, which are in lower case. If columns differ only in case, the lowercase one
    /// is preferred.
    private static func column(_ names: [String], _ wanted: [String]) -> Int? {
        let lowercase = names.map { $0.lowercased() }
        return wanted.lazy.compactMap { names.firstIndex(of: $0) ?? lowercase.firstIndex(of: $0) }.first
    }

    /// Another column whose name differs from that of a column only in case; nil if the column's name is in lower case.
    private static func other(_ names: [String], _ column: Int) -> Int? {
        let name = names[column].lowercased()
        guard names[column] != name else { return nil }
        return names.indices.first { $0 != column && names[$0].lowercased() == name }
    }
}

extension FeatureTable {
    func write(from position: Int, size: Int, to text: inout [UInt8]) throws(SceneFileError) -> (starts: [Int], end: Int) {
        let row = TableRow(separator: separator, most: Self.mostColumns)
        var cells: [TableRow.Cell] = []
        cells.reserveCapacity(columns.count + 1)
        var starts: [Int] = []
        let first = text.count
        do throws(TableRow.Problem) {
            let end = try bytes.span.withUnsafeBufferPointer { (bytes) throws(TableRow.Problem) in
                var position = position
                while position < bytes.count, starts.isEmpty || text.count - first < size {
                    let start = position
                    position = try row.read(bytes, &cells, from: start)
                    // Empty lines are skipped.
                    if cells.count == 1, cells[0].start == cells[0].end { continue }
                    if !starts.isEmpty { text.append(UInt8(ascii: ",")) }
                    try write(cells, bytes, start, to: &text)
                    starts.append(start)
                }
                return position
            }
            return (starts, end)
        } catch {
            let place = error.column.map { ": \($0)" } ?? ""
            throw SceneFileError(path: "line \(LineNumber.of(error.offset, in: bytes))\(place)", problem: error.reason)
        }
    }

    private func write(
        _ cells: [TableRow.Cell], _ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, to text: inout [UInt8]
    ) throws(TableRow.Problem) {
        if cells.count > columns.count, let extra = cells[columns.count...].first(where: { $0.start < $0.end }) {
            throw TableRow.Problem(extra.start, "the row has \(cells.count) cells, but the header has \(columns.count)")
        }
        let hasLatitude = try !coordinate(latitude, cells, bytes).isEmpty
        let hasLongitude = try !coordinate(longitude, cells, bytes).isEmpty
        if hasLatitude != hasLongitude {
            throw TableRow.Problem(start, "the cell is empty", column: columns[hasLatitude ? longitude : latitude].name)
        }
        // This is the shortest form that a reader accepts. The order of members is free.
        if hasLatitude {
            text += #"{"type":"Feature","geometry":{"type":"Point","coordinates":["#.utf8
            try write(longitude, cells, bytes, to: &text)
            text.append(UInt8(ascii: ","))
            try write(latitude, cells, bytes, to: &text)
            if let altitude, try !coordinate(altitude, cells, bytes).isEmpty {
                text.append(UInt8(ascii: ","))
                try write(altitude, cells, bytes, to: &text)
            }
            text += #"]},"properties":{"#.utf8
        } else {
            text += #"{"type":"Feature","geometry":null,"properties":{"#.utf8
        }
        var isFirst = true
        for (index, cell) in cells.enumerated() where cell.start < cell.end && index < columns.count && !columns[index].key.isEmpty {
            if !isFirst { text.append(UInt8(ascii: ",")) }
            isFirst = false
            text += columns[index].key
            TableValue.append(cell, bytes, to: &text)
        }
        text += "}}".utf8
    }

    /// A cell without surrounding spaces; empty for a cell missing from the row.
    private func coordinate(
        _ column: Int, _ cells: [TableRow.Cell], _ bytes: UnsafeBufferPointer<UInt8>
    ) throws(TableRow.Problem) -> Range<Int> {
        guard column < cells.count else { return 0..<0 }
        var (start, end) = (cells[column].start, cells[column].end)
        while start < end, bytes[start] == 0x20 { start += 1 }
        while start < end, bytes[end - 1] == 0x20 { end -= 1 }
        return start..<end
    }

    private func write(
        _ column: Int, _ cells: [TableRow.Cell], _ bytes: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]
    ) throws(TableRow.Problem) {
        let range = try coordinate(column, cells, bytes)
        // If commas separate the cells, no cell contains a decimal comma.
        guard TableValue.appendNumber(bytes, range, to: &text) else {
            let cell = String(decoding: bytes[range], as: UTF8.self)
            throw TableRow.Problem(range.lowerBound, "\(cell.quotedBriefly) is not a number", column: columns[column].name)
        }
    }

    // Generated rows are always JSON.
    func problem(amongRecordsAt starts: [Int]) -> SceneFileError? { nil }

    func name(ofPath path: Substring) -> String {
        if path.hasPrefix("geometry.coordinates[0]") { return columns[longitude].name }
        if path.hasPrefix("geometry.coordinates[1]") { return columns[latitude].name }
        if path.hasPrefix("geometry.coordinates[2]"), let altitude { return columns[altitude].name }
        return Self.property(ofPath: path) ?? ""
    }

    /// The name of a property that a key path leads to.
    static func property(ofPath path: Substring) -> String? {
        guard path.hasPrefix("properties") else { return nil }
        return String(path.dropFirst("properties".count).drop { $0 == "." })
    }
}

extension String {
    fileprivate var trimmingWhitespace: String {
        String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}
