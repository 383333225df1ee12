/// Consecutive features in a file that is not a single JSON text: the rows of a table, the records of a sequence.
///
/// Each record can be written as GeoJSON separately, given the offset at which it begins. A cluster layer therefore keeps the file and an
/// offset for each point.
protocol FeatureRecords: Sendable {
    var bytes: [UInt8] { get }
    /// The offset at which the first record may begin.
    var start: Int { get }
    /// The names of the columns of a table; empty for other formats.
    var columnNames: [String] { get }

    /// Appends the GeoJSON of consecutive records from an offset, separated by commas, until `size` bytes are appended or the file ends.
    /// Appends at least one record, if there is one.
    /// - Returns: The offset of each record, and the offset at which the next record may begin. After the last record, this is the length
    ///   of the file.
    func write(from position: Int, size: Int, to text: inout [UInt8]) throws(SceneFileError) -> (starts: [Int], end: Int)

    /// The error of the first of the given records that is not JSON.
    func problem(amongRecordsAt starts: [Int]) -> SceneFileError?

    /// The name in the file for the value with this key path in the feature; empty for the whole feature.
    func name(ofPath path: Substring) -> String
}

/// Lines of texts, terminated by LF, CR or CR LF.
enum LineNumber {
    /// The number of the line that contains an offset, from 1.
    static func of(_ offset: Int, in bytes: [UInt8]) -> Int {
        var line = 1
        for index in bytes[..<offset].indices where bytes[index] == 0x0A || bytes[index] == 0x0D {
            // CR LF is a single line end.
            if bytes[index] == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { continue }
            line += 1
        }
        return line
    }
}
