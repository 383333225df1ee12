/// Features that follow one another in a file that is no single JSON text: the rows of a table, the records of a sequence.
///
/// Each can be written on its own, by the offset at which it begins; so a cluster layer keeps the file and an offset for each point.
protocol FeatureRecords: Sendable {
    var bytes: [UInt8] { get }
    /// Where the first record may begin.
    var start: Int { get }

    /// Appends the GeoJSON of the records from an offset on, with commas between, until `size` bytes are appended or the file ends: at least one
    /// record, where there is one.
    /// - Returns: Where each record begins, and where the next one may; after the last, the length of the file.
    func write(from position: Int, size: Int, to text: inout [UInt8]) throws(SceneFileError) -> (starts: [Int], end: Int)

    /// The first of some records that is no JSON.
    func problem(amongRecordsAt starts: [Int]) -> SceneFileError?

    /// What the file calls what has this key path in the feature; empty for the feature as a whole.
    func name(ofPath path: Substring) -> String
}

/// Lines of texts, which end with LF, CR or CR LF.
enum LineNumber {
    /// The number of the line with an offset, from 1.
    static func of(_ offset: Int, in bytes: [UInt8]) -> Int {
        var line = 1
        for index in bytes[..<offset].indices where bytes[index] == 0x0A || bytes[index] == 0x0D {
            // CR LF is one end.
            if bytes[index] == 0x0D, index + 1 < bytes.count, bytes[index + 1] == 0x0A { continue }
            line += 1
        }
        return line
    }
}
