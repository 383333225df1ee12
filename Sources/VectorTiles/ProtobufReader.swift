/// Reads the fields of a protobuf message: https://protobuf.dev/programming-guides/encoding/
///
/// The memory must outlive the reader. Every length is compared with the bytes that are left before it is used.
struct ProtobufReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The offset of the next byte.
    private(set) var position: Int
    /// The offset after the last byte.
    let end: Int

    /// - Parameter range: The bytes of the message, which must exist.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
        assert(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }
}

/// The number and the wire type of a field.
struct ProtobufTag: Equatable {
    enum WireType: UInt8 {
        case varint = 0
        case eightBytes = 1
        case lengthDelimited = 2
        case fourBytes = 5
    }

    var field: UInt32
    var type: WireType

    /// A field with a text, a message or packed numbers.
    static func message(_ field: UInt32) -> ProtobufTag { ProtobufTag(field: field, type: .lengthDelimited) }
    static func varint(_ field: UInt32) -> ProtobufTag { ProtobufTag(field: field, type: .varint) }
}

/// The reason why a message cannot be read.
enum ProtobufProblem: Error, Equatable {
    /// A field extends beyond its message.
    case truncated
    /// A number has more than 64 bits.
    case longNumber
    /// The number or the type of a field is invalid.
    case invalidField
    /// There are more than `limit` of something.
    case tooMany(String, limit: Int)
    /// The version of a layer is not supported.
    case version(UInt64)
    /// Any other damage, as a clause with its subject.
    case other(String)
}

extension ProtobufReader {
    /// Reads the tag of the next field; nil at the end of the message.
    mutating func tag() throws(ProtobufProblem) -> ProtobufTag? {
        guard position < end else { return nil }
        let number = try varint()
        // Group fields (types 3 and 4) are obsolete, and the format has none.
        guard number >> 3 != 0, let field = UInt32(exactly: number), let type = ProtobufTag.WireType(rawValue: UInt8(field & 7)) else {
            throw .invalidField
        }
        return ProtobufTag(field: field >> 3, type: type)
    }

    /// Skips the value of a field whose tag has been read.
    mutating func skip(_ tag: ProtobufTag) throws(ProtobufProblem) {
        switch tag.type {
        case .varint: _ = try varint()
        case .eightBytes: try advance(8)
        case .lengthDelimited: _ = try range()
        case .fourBytes: try advance(4)
        }
    }

    /// Reads a number of up to 64 bits.
    mutating func varint() throws(ProtobufProblem) -> UInt64 {
        guard position < end else { throw .truncated }
        let first = bytes[position]
        position &+= 1
        if first < 0x80 { return UInt64(first) }
        var value = UInt64(first & 0x7F)
        var shift: UInt64 = 7
        while position < end {
            let byte = bytes[position]
            position &+= 1
            // The tenth byte has only one bit.
            guard shift < 63 || byte <= 1 else { throw .longNumber }
            value |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 { return value }
            shift &+= 7
        }
        throw .truncated
    }

    /// Reads the length of a text, a message or packed numbers, and skips their bytes.
    /// - Returns: The offsets of the bytes.
    mutating func range() throws(ProtobufProblem) -> Range<Int> {
        let length = try varint()
        guard length <= UInt64(end - position) else { throw .truncated }
        let start = position
        position += Int(length)
        return start..<position
    }

    /// A reader for the message that is the value of a field.
    mutating func message() throws(ProtobufProblem) -> ProtobufReader {
        ProtobufReader(bytes, try range())
    }

    mutating func fourBytes() throws(ProtobufProblem) -> UInt32 {
        let start = position
        try advance(4)
        return (0..<4).reduce(0) { $0 | UInt32(bytes[start + $1]) << UInt32(8 * $1) }
    }

    mutating func eightBytes() throws(ProtobufProblem) -> UInt64 {
        let low = try fourBytes()
        return try UInt64(low) | UInt64(fourBytes()) << 32
    }

    private mutating func advance(_ count: Int) throws(ProtobufProblem) {
        guard count <= end - position else { throw .truncated }
        position += count
    }

    /// Reads all numbers of a packed field. As in every decoder of protobuf, only their lower 32 bits count.
    /// - Parameter numbers: Memory for at least as many numbers as the field has bytes.
    /// - Returns: The number of numbers read.
    mutating func numbers(into numbers: UnsafeMutablePointer<UInt32>) throws(ProtobufProblem) -> Int {
        var count = 0
        // Most numbers of a geometry have one or two bytes.
        while position < end {
            let first = bytes[position]
            if first < 0x80 {
                numbers[count] = UInt32(first)
                position &+= 1
            } else if position &+ 1 < end, bytes[position &+ 1] < 0x80 {
                numbers[count] = UInt32(first & 0x7F) | UInt32(bytes[position &+ 1]) &<< 7
                position &+= 2
            } else {
                numbers[count] = UInt32(truncatingIfNeeded: try varint())
            }
            count &+= 1
        }
        return count
    }
}

/// Checks texts without creating them.
enum UTF8Text {
    /// Whether bytes are UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
    static func isValid(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        guard let base = bytes.baseAddress else { return range.isEmpty }
        let end = range.upperBound
        var index = range.lowerBound
        while index < end {
            // Eight ASCII characters at a time.
            while end - index >= 8, UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self) & 0x8080_8080_8080_8080 == 0 {
                index += 8
            }
            guard index < end else { break }
            let first = bytes[index]
            index += 1
            if first < 0x80 { continue }
            // The number of bytes that follow, and the range of the first of them.
            let (count, second): (Int, ClosedRange<UInt8>)
            switch first {
            case 0xC2...0xDF: (count, second) = (1, 0x80...0xBF)
            case 0xE0: (count, second) = (2, 0xA0...0xBF)
            case 0xED: (count, second) = (2, 0x80...0x9F)
            case 0xE1...0xEF: (count, second) = (2, 0x80...0xBF)
            case 0xF0: (count, second) = (3, 0x90...0xBF)
            case 0xF1...0xF3: (count, second) = (3, 0x80...0xBF)
            case 0xF4: (count, second) = (3, 0x80...0x8F)
            default: return false
            }
            guard count <= end - index, second.contains(bytes[index]) else { return false }
            for other in index + 1..<index + count where bytes[other] & 0xC0 != 0x80 { return false }
            index += count
        }
        return true
    }
}
