/// Scans a text of lines and words byte by byte, creating strings only for words that are needed as strings.
struct ByteScanner {
    var offset = 0
    /// The number of the current line, counted from 1.
    private(set) var line = 1

    private static let newline = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    @inline(__always)
    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    @inline(__always)
    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == newline || byte == carriageReturn }

    @inline(__always)
    private static func digit(_ byte: UInt8) -> UInt8? {
        let value = byte &- UInt8(ascii: "0")
        return value < 10 ? value : nil
    }
}

extension ByteScanner {
    func isAtEnd(_ bytes: Span<UInt8>) -> Bool { offset >= bytes.count }

    /// Moves to the next word of the line. Comments are skipped; a line that ends in a backslash continues on the next.
    /// - Returns: Whether there is a word.
    @inline(__always)
    mutating func hasWord(_ bytes: Span<UInt8>) -> Bool {
        while offset < bytes.count {
            let byte = bytes[offset]
            if Self.isBlank(byte) {
                offset += 1
            } else if byte == UInt8(ascii: "\\"), offset + 1 < bytes.count, Self.isLineEnd(bytes[offset + 1]) {
                offset += 1
                endLine(bytes)
            } else {
                return !Self.isLineEnd(byte) && byte != UInt8(ascii: "#")
            }
        }
        return false
    }

    /// Moves to the start of the next line.
    mutating func skipLine(_ bytes: Span<UInt8>) {
        while offset < bytes.count, !Self.isLineEnd(bytes[offset]) { offset += 1 }
        endLine(bytes)
    }

    private mutating func endLine(_ bytes: Span<UInt8>) {
        guard offset < bytes.count else { return }
        if bytes[offset] == Self.carriageReturn, offset + 1 < bytes.count, bytes[offset + 1] == Self.newline { offset += 1 }
        offset += 1
        line += 1
    }

    /// The word at the current position.
    @inline(__always)
    mutating func word(_ bytes: Span<UInt8>) -> Range<Int> {
        let start = offset
        while offset < bytes.count, !Self.isBlank(bytes[offset]), !Self.isLineEnd(bytes[offset]) { offset += 1 }
        return start..<offset
    }

    /// The rest of the line, without surrounding blanks.
    mutating func rest(_ bytes: Span<UInt8>) -> Range<Int> {
        while offset < bytes.count, Self.isBlank(bytes[offset]) { offset += 1 }
        let start = offset
        while offset < bytes.count, !Self.isLineEnd(bytes[offset]) { offset += 1 }
        var end = offset
        while end > start, Self.isBlank(bytes[end - 1]) { end -= 1 }
        return start..<end
    }

    static func text(_ range: Range<Int>, _ bytes: Span<UInt8>) -> String {
        var copy: [UInt8] = []
        copy.reserveCapacity(range.count)
        for index in range { copy.append(bytes[index]) }
        return String(decoding: copy, as: UTF8.self)
    }

    static func isWord(_ range: Range<Int>, _ word: StaticString, _ bytes: Span<UInt8>) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        for index in 0..<range.count where bytes[range.lowerBound + index] != word.utf8Start[index] { return false }
        return true
    }

    /// Reads the word at the current position as a number; nil, without moving, if it is not a number.
    @inline(__always)
    mutating func number(_ bytes: Span<UInt8>) -> Double? {
        var index = offset
        let isNegative = Self.skipSign(bytes, &index)
        var mantissa: UInt64 = 0
        var exponent = 0
        var digits = 0
        while index < bytes.count, let digit = Self.digit(bytes[index]) {
            // With more than 19 digits, the mantissa overflows and is not used.
            mantissa = mantissa &* 10 &+ UInt64(digit)
            digits += 1
            index += 1
        }
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            index += 1
            while index < bytes.count, let digit = Self.digit(bytes[index]) {
                mantissa = mantissa &* 10 &+ UInt64(digit)
                digits += 1
                exponent -= 1
                index += 1
            }
        }
        guard digits > 0 else { return nil }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            let isBelow = Self.skipSign(bytes, &index)
            var power = 0
            let start = index
            while index < bytes.count, let digit = Self.digit(bytes[index]) {
                power = min(power * 10 + Int(digit), 100_000)
                index += 1
            }
            guard index > start else { return nil }
            exponent += isBelow ? -power : power
        }
        guard index == bytes.count || Self.isBlank(bytes[index]) || Self.isLineEnd(bytes[index]) else { return nil }
        let start = offset
        offset = index
        // The digits and the power of ten are exact doubles here, so the single rounding gives the nearest double (Clinger, 1990).
        if digits <= 19, mantissa <= 1 << 53, exponent >= -22, exponent <= 22 {
            let value = exponent < 0 ? Double(mantissa) / Self.powersOfTen[-exponent] : Double(mantissa) * Self.powersOfTen[exponent]
            return isNegative ? -value : value
        }
        return Double(Self.text(start..<index, bytes))
    }

    /// Moves past a sign, if there is one.
    /// - Returns: Whether the sign is a minus.
    @inline(__always)
    private static func skipSign(_ bytes: Span<UInt8>, _ index: inout Int) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") else { return false }
        index += 1
        return bytes[index - 1] == UInt8(ascii: "-")
    }

    /// Reads the integer at the current position, up to a slash, a blank or the end of the line; nil, without moving, if it is not an
    /// integer. Integers beyond ±10¹⁵ are clamped.
    @inline(__always)
    mutating func integer(_ bytes: Span<UInt8>) -> Int? {
        var index = offset
        let isNegative = Self.skipSign(bytes, &index)
        let start = index
        var value = 0
        while index < bytes.count, let digit = Self.digit(bytes[index]) {
            value = min(value * 10 + Int(digit), 1_000_000_000_000_000)
            index += 1
        }
        guard index > start else { return nil }
        if index < bytes.count {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "/") || Self.isBlank(byte) || Self.isLineEnd(byte) else { return nil }
        }
        offset = index
        return isNegative ? -value : value
    }

    /// Moves past a slash.
    /// - Returns: Whether there was one.
    @inline(__always)
    mutating func slash(_ bytes: Span<UInt8>) -> Bool {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "/") else { return false }
        offset += 1
        return true
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
