/// The tokens of an SQL text, as SQLite separates them: comments and white space are left out.
struct SQLTokens {
    enum Token: Equatable {
        /// An identifier or a keyword without quotation marks.
        case word(String)
        /// The content of quotation marks of any kind. Doubled quotation marks in it are replaced by single ones.
        case quoted(String)
        case number
        /// Any other single byte.
        case symbol(UInt8)
    }

    private let bytes: [UInt8]
    private var position = 0
    /// The next token; nil at the end.
    private(set) var next: Token?

    init(_ sql: String) {
        bytes = Array(sql.utf8)
        advance()
    }

    mutating func advance() { next = read() }

    /// Skips the next token if it is this keyword, in upper or lower case. Returns whether the token was skipped.
    mutating func skip(_ keyword: String) -> Bool {
        guard case .word(let word) = next, word.uppercased() == keyword else { return false }
        advance()
        return true
    }

    mutating func skip(symbol: Unicode.Scalar) -> Bool {
        guard next == .symbol(UInt8(ascii: symbol)) else { return false }
        advance()
        return true
    }

    /// The next token as a name; nil, without skipping it, if it cannot be one.
    mutating func name() -> String? {
        switch next {
        case .word(let name), .quoted(let name):
            advance()
            return name
        case .number, .symbol, nil: return nil
        }
    }
}

private extension SQLTokens {
    mutating func read() -> Token? {
        skipSpace()
        guard position < bytes.count else { return nil }
        let byte = bytes[position]
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"): return .quoted(quoted(by: byte))
        case UInt8(ascii: "["): return .quoted(bracketed())
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            _ = word()
            return .number
        case _ where Self.isInWords(byte): return .word(word())
        default:
            position += 1
            return .symbol(byte)
        }
    }

    static func isInWords(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...0xFF:
            true
        default: false
        }
    }

    func starts(with text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    }

    mutating func skipSpace() {
        while position < bytes.count {
            if starts(with: "--") {
                position = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            } else if starts(with: "/*") {
                position += 2
                while position < bytes.count, !starts(with: "*/") { position += 1 }
                position = min(position + 2, bytes.count)
            } else if [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(bytes[position]) {
                position += 1
            } else {
                return
            }
        }
    }

    mutating func word() -> String {
        let end = bytes[position...].firstIndex { !Self.isInWords($0) } ?? bytes.count
        defer { position = end }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }

    mutating func bracketed() -> String {
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "]")) ?? bytes.count
        defer { position = min(end + 1, bytes.count) }
        return String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
    }

    mutating func quoted(by mark: UInt8) -> String {
        var content: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == mark {
                guard position < bytes.count, bytes[position] == mark else { break }
                position += 1
            }
            content.append(byte)
        }
        return String(decoding: content, as: UTF8.self)
    }
}
