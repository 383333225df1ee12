/// A decoded layer: the columns of its features, and the keys and values of their attributes.
package struct VectorLayer: Sendable {
    package let name: String
    /// The version of the format, 1 or 2.
    package let version: Int
    /// The width and height of the tile in the units of its coordinates, 1…2³¹−1.
    package let extent: Int
    package let features: FeatureColumns

    /// The bytes of the tile, which contain all texts.
    private let bytes: [UInt8]
    private let keys: [ByteRange]
    private let values: ValueColumns

    /// Decodes a layer.
    /// - Parameters:
    ///   - bytes: The tile.
    ///   - range: The bytes of the layer.
    ///   - name: The name of the layer, which has been read from these bytes.
    init(_ bytes: [UInt8], _ range: Range<Int>, name: String) throws(VectorTileError) {
        let fields = try bytes.withUnsafeBufferPointer { bytes throws(VectorTileError) in
            do throws(ProtobufProblem) { return try LayerFields(bytes, range) } catch {
                throw VectorTileError(error, subject: "the layer")
            }
        }
        self.name = name
        (version, extent, keys, values) = (fields.version, fields.extent, fields.keys, fields.values)
        self.bytes = bytes
        features = try bytes.withUnsafeBufferPointer { bytes throws(VectorTileError) in
            var decoder = FeatureDecoder(bytes, fields)
            for (index, feature) in fields.features.enumerated() {
                do throws(ProtobufProblem) { try decoder.read(feature.range) } catch {
                    throw VectorTileError(error, subject: "the feature", feature: index)
                }
            }
            return decoder.columns
        }
    }
}

/// The value of an attribute.
package enum VectorValue: Equatable, Sendable {
    /// The tile has an empty value, or one of a type that the format does not know.
    case none
    case text(String)
    case float(Float)
    case double(Double)
    case integer(Int64)
    case unsigned(UInt64)
    case boolean(Bool)
}

extension VectorLayer {
    package var keyCount: Int { keys.count }
    package var valueCount: Int { values.count }

    /// The text of a key. It is created with each call.
    package func key(_ index: Int) -> String { text(keys[index].range) }

    /// Whether a key has this text.
    package func key(_ index: Int, is text: String) -> Bool {
        let range = keys[index].range
        return range.count == text.utf8.count && bytes[range].elementsEqual(text.utf8)
    }

    /// A value. A text is created with each call.
    /// - Parameter limit: The maximum number of bytes of a text. A longer text becomes `none`, because it may be the value of a million
    ///   features, and each copy would take time.
    package func value(_ index: Int, mostBytes limit: Int = .max) -> VectorValue {
        let bits = values.bits[index]
        return switch values.types[index] {
        case .none: .none
        case .text: ByteRange(bits: bits).range.count <= limit ? .text(text(ByteRange(bits: bits).range)) : .none
        case .float: .float(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case .double: .double(Double(bitPattern: bits))
        case .integer: .integer(Int64(bitPattern: bits))
        case .unsigned: .unsigned(bits)
        case .boolean: .boolean(bits != 0)
        }
    }

    /// A value as a number, including texts that are numbers; nil for other values and for NaN.
    func number(_ index: Int) -> Double? {
        let number: Double? =
            switch value(index, mostBytes: Self.longestNumber) {
            case .float(let number): Double(number)
            case .double(let number): number
            case .integer(let number): Double(number)
            case .unsigned(let number): Double(number)
            case .text(let text): Double(text)
            case .none, .boolean: nil
            }
        return number.flatMap { $0.isNaN ? nil : $0 }
    }

    /// The bytes of the longest text that is read as a number. 17 digits, a sign, a point and an exponent are 24.
    private static let longestNumber = 32

    private func text(_ range: Range<Int>) -> String {
        // The bytes were checked to be UTF-8 when the layer was decoded.
        String(decoding: bytes[range], as: UTF8.self)
    }
}
