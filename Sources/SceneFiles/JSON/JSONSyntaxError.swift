/// The reason why bytes are not JSON, and the position.
public struct JSONSyntaxError: Error, Equatable, Sendable {
    /// The offending byte, counted from 0 at the start of the file (a byte order mark counts).
    public let byteOffset: Int
    /// Its line, counted from 1. Lines end with LF, CR or CR LF.
    public let line: Int
    /// Its column in Unicode scalars, counted from 1 (a byte order mark does not count).
    public let column: Int
    /// One short phrase: `unexpected character ']'`.
    public let reason: String

    public init(byteOffset: Int, line: Int, column: Int, reason: String) {
        self.byteOffset = byteOffset
        self.line = line
        self.column = column
        self.reason = reason
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    /// `byte 123 (line 4, column 7): unexpected character ']'`
    public var description: String { "\(place): \(reason)" }
}

extension JSONSyntaxError {
    /// `byte 123 (line 4, column 7)`
    package var place: String { "byte \(byteOffset) (line \(line), column \(column))" }

    /// Computes the line and the column in `bytes`; `start` is the offset after any byte order mark.
    init(at offset: Int, in bytes: UnsafeRawBufferPointer, from start: Int, reason: String) {
        var line = 1
        var column = 1
        for index in start..<max(start, offset) {
            let byte = bytes[index]
            let isFirstOfTwo = byte == UInt8(ascii: "\r") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n")
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") && !isFirstOfTwo {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
        self.init(byteOffset: offset, line: line, column: column, reason: reason)
    }
}
