import Glibc

/// Splits the rows of a table into cells as in RFC 4180: a quoted cell may contain separators, line ends, and doubled quotes.
struct TableRow {
    let separator: UInt8
    /// The maximum number of cells in a row.
    let most: Int

    /// The text of a cell, without quotes around it.
    struct Cell {
        let start: Int
        let end: Int
        let isQuoted: Bool
        /// Whether the text contains quotes, which are doubled.
        let hasQuotes: Bool
    }

    /// The error in a row, and its position.
    struct Problem: Error {
        let offset: Int
        let reason: String
        /// The name of the column.
        let column: String?

        init(_ offset: Int, _ reason: String, column: String? = nil) {
            self.offset = offset
            self.reason = reason
            self.column = column
        }
    }

    private static let quote = UInt8(ascii: "\"")

    /// Reads the cells of the row at an offset, and returns the offset of the next row.
    func read(_ bytes: UnsafeBufferPointer<UInt8>, _ cells: inout [Cell], from start: Int) throws(Problem) -> Int {
        cells.removeAll(keepingCapacity: true)
        let count = bytes.count
        var position = start
        while true {
            if cells.count == most { throw Problem(start, "the row has more than \(most) cells") }
            // Many programs write a space after a separator.
            var next = position
            while next < count, bytes[next] == 0x20 { next += 1 }
            if next < count, bytes[next] == Self.quote {
                position = next
                let open = position
                position += 1
                var hasQuotes = false
                while true {
                    guard let base = bytes.baseAddress, let found = memchr(base + position, CInt(Self.quote), count - position) else {
                        throw Problem(open, "a quote is not closed")
                    }
                    position = UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
                    guard position < count, bytes[position] == Self.quote else { break }
                    hasQuotes = true
                    position += 1
                }
                cells.append(Cell(start: open + 1, end: position - 1, isQuoted: true, hasQuotes: hasQuotes))
                while position < count, bytes[position] == 0x20 { position += 1 }
                if position < count, bytes[position] != separator, bytes[position] != 0x0A, bytes[position] != 0x0D {
                    throw Problem(position, "text follows a closing quote")
                }
            } else {
                let begin = position
                while position < count {
                    let byte = bytes[position]
                    if byte == separator || byte == 0x0A || byte == 0x0D { break }
                    position += 1
                }
                cells.append(Cell(start: begin, end: position, isQuoted: false, hasQuotes: false))
            }
            guard position < count else { return count }
            let byte = bytes[position]
            position += 1
            if byte == separator { continue }
            if byte == 0x0D, position < count, bytes[position] == 0x0A { position += 1 }
            return position
        }
    }
}

/// Cells as JSON.
enum TableValue {
    /// The maximum number of digits that survive reading and printing a number.
    private static let mostDigits = 15

    /// Appends a cell. It becomes a number if the number would be printed exactly as the cell is written. Other cells, such as 007 and
    /// 1.50, become texts.
    static func append(_ cell: TableRow.Cell, _ bytes: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) {
        let range = cell.start..<cell.end
        if !cell.isQuoted, isPlainNumber(bytes, range) {
            text += bytes[range]
        } else if cell.hasQuotes {
            var plain: [UInt8] = []
            var position = cell.start
            while position < cell.end {
                plain.append(bytes[position])
                position += bytes[position] == UInt8(ascii: "\"") ? 2 : 1
            }
            JSONWriter.append(quoted: plain.span, to: &text)
        } else {
            JSONWriter.append(quoted: UnsafeBufferPointer(rebasing: bytes[range]).span, to: &text)
        }
    }

    private static func isPlainNumber(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        var position = range.lowerBound
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative { position += 1 }
        let whole = digits(bytes, position, range.upperBound)
        guard whole > 0, whole == 1 || bytes[position] != UInt8(ascii: "0") else { return false }
        let isZero = whole == 1 && bytes[position] == UInt8(ascii: "0")
        position += whole
        guard position < range.upperBound else { return whole <= mostDigits && !(isZero && isNegative) }
        guard bytes[position] == UInt8(ascii: ".") else { return false }
        let fraction = digits(bytes, position + 1, range.upperBound)
        guard fraction > 0, position + 1 + fraction == range.upperBound, whole + fraction <= mostDigits,
            bytes[range.upperBound - 1] != UInt8(ascii: "0")
        else { return false }
        // Smaller numbers are printed with an exponent.
        return !isZero || bytes[(position + 1)...].prefix(4).contains { $0 != UInt8(ascii: "0") }
    }

    /// Appends a number in any notation. It may have a plus sign, a decimal comma or quotes, and may lack digits before or after the
    /// point. Returns false for a text that is not a number.
    static func appendNumber(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, to text: inout [UInt8]) -> Bool {
        // The text is short enough that its value is finite.
        guard range.count <= 60 else { return false }
        let first = text.count
        func isNone() -> Bool {
            text.removeLast(text.count - first)
            return false
        }
        var (position, end) = (range.lowerBound, range.upperBound)
        if position < end, bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+") {
            if bytes[position] == UInt8(ascii: "-") { text.append(UInt8(ascii: "-")) }
            position += 1
        }
        let whole = digits(bytes, position, end)
        // JSON has no leading zeros.
        let zeros = min(bytes[position..<(position + whole)].prefix { $0 == UInt8(ascii: "0") }.count, max(whole - 1, 0))
        if whole == 0 { text.append(UInt8(ascii: "0")) } else { text += bytes[(position + zeros)..<(position + whole)] }
        position += whole
        var fraction = 0
        if position < end, bytes[position] == UInt8(ascii: ".") || bytes[position] == UInt8(ascii: ",") {
            fraction = digits(bytes, position + 1, end)
            if fraction > 0 {
                text.append(UInt8(ascii: "."))
                text += bytes[(position + 1)..<(position + 1 + fraction)]
            }
            position += 1 + fraction
        }
        guard whole + fraction > 0 else { return isNone() }
        if position < end, bytes[position] == UInt8(ascii: "e") || bytes[position] == UInt8(ascii: "E") {
            var exponent = position + 1
            if exponent < end, bytes[exponent] == UInt8(ascii: "-") || bytes[exponent] == UInt8(ascii: "+") { exponent += 1 }
            let count = digits(bytes, exponent, end)
            guard 1...2 ~= count else { return isNone() }
            text += bytes[position..<(exponent + count)]
            position = exponent + count
        }
        guard position == end else { return isNone() }
        end = position
        return true
    }

    /// The number of consecutive digits from an offset on.
    private static func digits(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        var position = start
        while position < end, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[position] { position += 1 }
        return position - start
    }
}
