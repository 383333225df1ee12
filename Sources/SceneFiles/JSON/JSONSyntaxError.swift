/// The reason why a sequence of bytes is not valid JSON, and the position of the error.
public struct JSONSyntaxError: Error, Equatable, Sendable {
    /// The offset of the offending byte, counted from 0 at the start of the file. A byte order mark is included in the count.
    public let byteOffset: Int
    /// The line of the offending byte, counted from 1. Lines end with LF, CR or CR LF.
    public let line: Int
    /// The column of the offending byte in Unicode scalars, counted from 1. A byte order mark is not included in the count.
    public let column: Int
    /// The reason as a short phrase, such as `unexpected character ']'`.
    public let reason: String

    public init(byteOffset: Int, line: Int, column: Int, reason: String) {
        self.byteOffset = byteOffset
        self.line = line
        self.column = column
        self.reason = reason
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    /// The position and the reason, such as `byte 123 (line 4, column 7): unexpected character ']'`.
    public var description: String { "\(place): \(reason)" }
}

extension JSONSyntaxError {
    /// The position, such as `byte 123 (line 4, column 7)`.
    package var place: String { "byte \(byteOffset) (line \(line), column \(column))" }

    /// Creates an error, and computes its line and column from `bytes`; `start` is the offset after any byte order mark.
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
