/// The fields of a layer except for the content of its features.
///
/// Keys and values usually follow the features, so that their numbers are known only at the end of the layer.
struct LayerFields {
    /// The version of the format, 1 or 2. A layer without a version has version 1.
    private(set) var version = 1
    private(set) var extent = 4096
    private(set) var keys: [ByteRange] = []
    private(set) var values = ValueColumns()
    /// The bytes of each feature.
    private(set) var features: [ByteRange] = []

    /// - Parameters:
    ///   - bytes: The tile.
    ///   - range: The bytes of the layer.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) throws(ProtobufProblem) {
        var reader = ProtobufReader(bytes, range)
        var hasName = false
        while let tag = try reader.tag() {
            switch tag {
            case .message(1):
                // The first is the name of the layer. Decoders disagree about which of several counts.
                if hasName { throw .other("the layer has two names") }
                hasName = true
                try reader.skip(tag)
            case .message(2):
                guard features.count < VectorTileLimits.features else { throw .tooMany("features", limit: VectorTileLimits.features) }
                features.append(ByteRange(try reader.range()))
            case .message(3):
                guard keys.count < VectorTileLimits.texts else { throw .tooMany("keys", limit: VectorTileLimits.texts) }
                let key = try reader.range()
                guard UTF8Text.isValid(bytes, key) else { throw .other("key \(keys.count) is not UTF-8") }
                keys.append(ByteRange(key))
            case .message(4):
                guard values.count < VectorTileLimits.texts else { throw .tooMany("values", limit: VectorTileLimits.texts) }
                try values.append(bytes, try reader.range())
            case .varint(5):
                let extent = try reader.varint()
                guard extent > 0, extent <= UInt64(Int32.max) else {
                    throw .other("the layer has the extent \(extent), which is outside 1…\(Int32.max)")
                }
                self.extent = Int(extent)
            case .varint(15):
                let version = try reader.varint()
                guard version == 1 || version == 2 else { throw .version(version) }
                self.version = Int(version)
            default: try reader.skip(tag)
            }
        }
    }
}

/// A range of the bytes of a tile, which has at most 64 MiB.
struct ByteRange {
    private var start: UInt32
    private var count: UInt32

    init(_ range: Range<Int>) { (start, count) = (UInt32(range.lowerBound), UInt32(range.count)) }
    init(bits: UInt64) { (start, count) = (UInt32(bits >> 32), UInt32(truncatingIfNeeded: bits)) }

    var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
    /// The range as one number.
    var bits: UInt64 { UInt64(start) << 32 | UInt64(count) }
}

/// The values of a layer, 9 bytes each. No text is created.
struct ValueColumns {
    enum ValueType: UInt8 { case none, text, float, double, integer, unsigned, boolean }

    private(set) var types: [ValueType] = []
    /// The bits of numbers, and the ranges of texts.
    private(set) var bits: [UInt64] = []

    var count: Int { types.count }

    /// Reads a value.
    /// - Parameter range: The bytes of its message.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) throws(ProtobufProblem) {
        var reader = ProtobufReader(bytes, range)
        var (type, number) = (ValueType.none, UInt64(0))
        while let tag = try reader.tag() {
            let before = type
            switch (tag.field, tag.type) {
            case (1, .lengthDelimited):
                let text = try reader.range()
                guard UTF8Text.isValid(bytes, text) else { throw .other("value \(count) is not UTF-8") }
                (type, number) = (.text, ByteRange(text).bits)
            case (2, .fourBytes): (type, number) = (.float, UInt64(try reader.fourBytes()))
            case (3, .eightBytes): (type, number) = (.double, try reader.eightBytes())
            case (4, .varint): (type, number) = (.integer, try reader.varint())
            case (5, .varint): (type, number) = (.unsigned, try reader.varint())
            case (6, .varint):
                let zigzag = try reader.varint()
                (type, number) = (.integer, zigzag >> 1 ^ (0 &- (zigzag & 1)))
            case (7, .varint): (type, number) = (.boolean, try reader.varint() == 0 ? 0 : 1)
            default:
                try reader.skip(tag)
                continue
            }
            // Decoders disagree about which of several counts.
            if before != .none { throw .other("entry \(count) of the values has more than one value") }
        }
        types.append(type)
        bits.append(number)
    }
}
