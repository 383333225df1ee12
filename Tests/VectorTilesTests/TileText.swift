import WaymarkTestSupport
import WaymarkTiles
import WaymarkVectorTiles

/// A tile as a text, in the same form as oracle.py prints it.
enum TileText {
    static func text(_ bytes: [UInt8]) throws -> String {
        let tile = try VectorTile(bytes)
        return try tile.layerNames.indices.map { text(try tile.layer(at: $0)) }.joined()
    }

    static func text(_ layer: VectorLayer) -> String {
        let features = layer.features
        var text = "layer \(layer.name) version \(layer.version) extent \(layer.extent)\n"
        for feature in 0..<features.count {
            let attributes = features.attributes(of: feature).map { attribute in
                let (key, value) = (features.attributes[2 * attribute], features.attributes[2 * attribute + 1])
                return "\(layer.key(Int(key))) = \(self.text(layer.value(Int(value))))"
            }
            let geometry = features.parts(of: feature).map { part(features, $0, features.kinds[feature]) }.joined(separator: "; ")
            text += "\(features.ids[feature]) \(features.kinds[feature]) [\(geometry)] {\(attributes.joined(separator: " | "))}\n"
        }
        return text
    }

    private static func part(_ features: FeatureColumns, _ part: Int, _ kind: VectorGeometry) -> String {
        var points = features.points(of: part).map { "\(features.coordinates[2 * $0]),\(features.coordinates[2 * $0 + 1])" }
        guard kind == .polygons else { return points.joined(separator: " ") }
        if points.count > 1, points.first == points.last { points.removeLast() }
        return (features.areHoles[part] ? "-" : "+") + points.joined(separator: " ")
    }

    private static func text(_ value: VectorValue) -> String {
        func hex(_ bits: some FixedWidthInteger & UnsignedInteger) -> String {
            let digits = String(bits, radix: 16)
            return String(repeating: "0", count: bits.bitWidth / 4 - digits.count) + digits
        }
        return switch value {
        case .none: "none"
        case .text(let text): "text \(text)"
        case .float(let number): "float \(hex(number.bitPattern))"
        case .double(let number): "double \(hex(number.bitPattern))"
        case .integer(let number): "integer \(number)"
        case .unsigned(let number): "unsigned \(number)"
        case .boolean(let isTrue): isTrue ? "true" : "false"
        }
    }

    /// The 64-bit FNV-1a hash, as 16 digits.
    static func digest(_ text: String) -> String {
        let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// The sentence of an error; "no error" without one.
func sentence(of body: () throws -> Void) -> String {
    do {
        try body()
        return "no error"
    } catch {
        return "\(error)"
    }
}

extension HandmadeTile {
    /// The text of the tile, or the sentence of the error.
    var text: String {
        do { return try TileText.text(bytes) } catch { return "\(error)" }
    }
}
