import CWaymarkJSON

/// Finds the byte at which a text stops being JSON (RFC 8259), after simdjson has refused the text. The scanner is strict, not recursive,
/// and creates no values.
package struct JSONScanner {
    /// The end offsets of integers beyond 64 bits. They are valid JSON, but simdjson accepts them only with a fraction or an exponent.
    package private(set) var wideIntegerEnds: [Int] = []

    private let bytes: UnsafeRawBufferPointer
    private let start: Int
    private var position: Int
    /// The expected closing brackets.
    private var closers: [Unicode.Scalar] = []

    /// Scans `bytes` from `start`, which follows any byte order mark. The bytes must outlive the scanner.
    package init(_ bytes: UnsafeRawBufferPointer, from start: Int) {
        self.bytes = bytes
        self.start = start
        position = start
    }

    /// Throws for the first invalid byte; returns normally if all bytes are valid.
    package mutating func scan() throws(JSONSyntaxError) {
        skipWhitespace()
        if current == nil { throw failure("empty file") }
        repeat {
            skipWhitespace()
            while try opensContainer() {}
            try scanScalar()
            closeContainers()
            if !closers.isEmpty { try scanComma() }
        } while !closers.isEmpty
        skipWhitespace()
        if current != nil { throw unexpectedCharacter(" after the end of the document") }
    }
}

// MARK: Structure

extension JSONScanner {
    /// The maximum number of nested objects and arrays.
    static let maximumDepth = Int(WM_JSON_MAX_DEPTH)

    /// Enters a non-empty object or array, up to its first value. Empty ones are left to ``scanScalar()``.
    private mutating func opensContainer() throws(JSONSyntaxError) -> Bool {
        let open = position
        let closer: Unicode.Scalar
        switch current {
        case "{": closer = "}"
        case "[": closer = "]"
        default: return false
        }
        position += 1
        skipWhitespace()
        if current == closer {
            position = open
            return false
        }
        if closers.count == Self.maximumDepth { throw failure("the document is nested deeper than \(Self.maximumDepth) levels", at: open) }
        closers.append(closer)
        if closer == "}" { try scanKey() }
        return true
    }

    private mutating func closeContainers() {
        skipWhitespace()
        while let closer = closers.last, current == closer {
            closers.removeLast()
            position += 1
            skipWhitespace()
        }
    }

    /// Reads a comma and, in an object, the key after it.
    private mutating func scanComma() throws(JSONSyntaxError) {
        guard current == "," else { throw unexpectedCharacter() }
        let comma = position
        position += 1
        skipWhitespace()
        if current == closers.last { throw failure("trailing comma", at: comma) }
        if closers.last == "}" { try scanKey() }
    }

    /// Reads a key, its colon and the white space after it.
    private mutating func scanKey() throws(JSONSyntaxError) {
        guard current == "\"" else { throw unexpectedCharacter() }
        try scanString()
        skipWhitespace()
        guard current == ":" else { throw unexpectedCharacter() }
        position += 1
        skipWhitespace()
    }
}

// MARK: Scalars

extension JSONScanner {
    /// Reads a string, a number, a literal or an empty object or array.
    private mutating func scanScalar() throws(JSONSyntaxError) {
        switch current {
        case "\"": try scanString()
        case "-", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9": try scanNumber()
        case "t": try scanLiteral("true")
        case "f": try scanLiteral("false")
        case "n": try scanLiteral("null")
        case "{", "[":
            position += 1
            skipWhitespace()
            position += 1
        case "N" where startsWith("NaN"): throw failure("NaN is not allowed in JSON")
        case "I" where startsWith("Infinity"): throw failure("Infinity is not allowed in JSON")
        case "/" where startsWith("//") || startsWith("/*"): throw failure("comments are not allowed in JSON")
        default: throw unexpectedCharacter()
        }
    }

    private mutating func scanLiteral(_ literal: StaticString) throws(JSONSyntaxError) {
        for expected in literal.description.unicodeScalars {
            guard current == expected else { throw unexpectedCharacter() }
            position += 1
        }
    }

    private mutating func scanNumber() throws(JSONSyntaxError) {
        let first = position
        if current == "-" {
            position += 1
            if startsWith("Infinity") { throw failure("-Infinity is not allowed in JSON", at: first) }
        }
        let startsWithZero = current == "0"
        let digits = try scanDigits()
        if startsWithZero, digits > 1 { throw failure("the number has a leading zero", at: first) }
        var isInteger = true
        if current == "." {
            isInteger = false
            position += 1
            try scanDigits()
        }
        if current == "e" || current == "E" {
            isInteger = false
            position += 1
            if current == "+" || current == "-" { position += 1 }
            try scanDigits()
        }
        let text = String(decoding: bytes[first..<position], as: UTF8.self)
        if Double(text)?.isFinite != true { throw failure("the number \(text.cut(to: 40)) is out of range", at: first) }
        if isInteger, Int64(text) == nil, UInt64(text) == nil { wideIntegerEnds.append(position) }
    }

    /// Reads one or more digits and returns their number.
    @discardableResult
    private mutating func scanDigits() throws(JSONSyntaxError) -> Int {
        let first = position
        while let digit = current, "0"..."9" ~= digit { position += 1 }
        if position == first { throw unexpectedCharacter() }
        return position - first
    }

    private mutating func scanString() throws(JSONSyntaxError) {
        position += 1
        while let character = current {
            switch character {
            case "\"":
                position += 1
                return
            case "\\": try scanEscape()
            case "\0"..."\u{1F}": throw failure("unescaped control character \(character.codePoint) in a string")
            case "\0"..."\u{7F}": position += 1
            default:
                guard let scalar = scalarAtPosition else { throw failure("invalid UTF-8") }
                position += UTF8.width(scalar)
            }
        }
        throw failure("unexpected end of file")
    }

    private mutating func scanEscape() throws(JSONSyntaxError) {
        let escape = position
        position += 1
        switch current {
        case "\"", "\\", "/", "b", "f", "n", "r", "t":
            position += 1
        case "u":
            let unit = try scanHexadecimalEscape()
            switch unit {
            case 0xD800...0xDBFF:
                for expected in "\\u".unicodeScalars {
                    guard current == expected else {
                        throw current == nil ? unexpectedCharacter() : loneSurrogate(unit, at: escape)
                    }
                    position += 1
                }
                position -= 1  // Back to the `u`.
                guard case 0xDC00...0xDFFF = try scanHexadecimalEscape() else { throw loneSurrogate(unit, at: escape) }
            case 0xDC00...0xDFFF: throw loneSurrogate(unit, at: escape)
            default: break
            }
        case nil: throw unexpectedCharacter()
        default: throw unexpectedCharacter(" after a backslash")
        }
    }

    /// Reads `u` and four hexadecimal digits.
    private mutating func scanHexadecimalEscape() throws(JSONSyntaxError) -> UInt32 {
        position += 1
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = current.flatMap({ Character($0).hexDigitValue }), bytes[position] < 0x80 else {
                throw unexpectedCharacter(current == nil ? "" : " in a \\u escape")
            }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }
}

// MARK: Bytes

extension JSONScanner {
    /// The byte at the position as a Latin-1 scalar, to be compared with ASCII literals; nil at the end.
    private var current: Unicode.Scalar? {
        position < bytes.count ? Unicode.Scalar(bytes[position]) : nil
    }

    /// The scalar at the position; nil without a valid UTF-8 sequence.
    private var scalarAtPosition: Unicode.Scalar? {
        var decoder = UTF8()
        var iterator = bytes[position..<min(position + 4, bytes.count)].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
        return scalar
    }

    private func startsWith(_ text: StaticString) -> Bool {
        bytes[position...].starts(with: text.description.utf8)
    }

    private mutating func skipWhitespace() {
        while let character = current, character == " " || character == "\n" || character == "\r" || character == "\t" { position += 1 }
    }
}

// MARK: Failures

extension JSONScanner {
    private func failure(_ reason: String, at offset: Int? = nil) -> JSONSyntaxError {
        JSONSyntaxError(at: offset ?? position, in: bytes, from: start, reason: reason)
    }

    /// The error for the character at the position, which may also be the end of the text or invalid UTF-8.
    private func unexpectedCharacter(_ circumstance: String = "") -> JSONSyntaxError {
        guard current != nil else { return failure("unexpected end of file") }
        guard let scalar = scalarAtPosition else { return failure("invalid UTF-8") }
        return failure("unexpected character \(scalar.isInvisible ? scalar.codePoint : "'\(scalar)'")\(circumstance)")
    }

    private func loneSurrogate(_ unit: UInt32, at offset: Int) -> JSONSyntaxError {
        failure("there is a lone surrogate, \\u\(String(unit, radix: 16))", at: offset)
    }
}
