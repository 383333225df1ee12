/// The encoding of protobuf, without the code under test.
public enum Wire {
    public static func varint(_ value: UInt64) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(value % 128 + 128)] + varint(value / 128)
    }

    public static func tag(_ field: UInt64, _ type: UInt64) -> [UInt8] { varint(field << 3 | type) }
    public static func number(_ field: UInt64, _ value: UInt64) -> [UInt8] { tag(field, 0) + varint(value) }
    public static func bytes(_ field: UInt64, _ content: [UInt8]) -> [UInt8] { tag(field, 2) + varint(UInt64(content.count)) + content }
    public static func text(_ field: UInt64, _ text: String) -> [UInt8] { bytes(field, Array(text.utf8)) }
    public static func packed(_ field: UInt64, _ numbers: [UInt32]) -> [UInt8] { bytes(field, numbers.flatMap { varint(UInt64($0)) }) }
    public static func zigzag(_ value: Int64) -> UInt64 { UInt64(bitPattern: value << 1 ^ value >> 63) }

    public static func fixed(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
}

/// A vector tile put together field by field.
public struct HandmadeTile {
    public var layers: [HandmadeLayer]

    public init(_ layers: HandmadeLayer...) { self.layers = layers }

    public var bytes: [UInt8] { layers.flatMap { Wire.bytes(3, $0.bytes) } }
}

public struct HandmadeLayer {
    public var name: String? = "layer"
    public var version: UInt64? = 2
    public var extent: UInt64? = 4096
    public var features: [HandmadeFeature] = []
    public var keys: [String] = []
    public var values: [[UInt8]] = []
    /// Fields of any kind at the end.
    public var more: [UInt8] = []

    public init(_ name: String? = "layer", _ features: HandmadeFeature...) {
        self.name = name
        self.features = features
    }

    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        if let name { bytes += Wire.text(1, name) }
        for feature in features { bytes += Wire.bytes(2, feature.bytes) }
        for key in keys { bytes += Wire.text(3, key) }
        for value in values { bytes += Wire.bytes(4, value) }
        if let extent { bytes += Wire.number(5, extent) }
        if let version { bytes += Wire.number(15, version) }
        return bytes + more
    }

    /// Adds a feature whose attributes are texts; keys and values are stored once.
    public mutating func add(_ feature: HandmadeFeature, _ attributes: KeyValuePairs<String, [UInt8]>) {
        var feature = feature
        for (key, value) in attributes {
            if !keys.contains(key) { keys.append(key) }
            if !values.contains(value) { values.append(value) }
            feature.tags += [UInt32(keys.firstIndex(of: key) ?? 0), UInt32(values.firstIndex(of: value) ?? 0)]
        }
        features.append(feature)
    }
}

/// The contents of values.
public enum HandmadeValue {
    public static func text(_ text: String) -> [UInt8] { Wire.text(1, text) }
    public static func float(_ value: Float) -> [UInt8] { Wire.tag(2, 5) + Wire.fixed(value.bitPattern) }
    public static func double(_ value: Double) -> [UInt8] { Wire.tag(3, 1) + Wire.fixed(value.bitPattern) }
    public static func integer(_ value: Int64) -> [UInt8] { Wire.number(4, UInt64(bitPattern: value)) }
    public static func unsigned(_ value: UInt64) -> [UInt8] { Wire.number(5, value) }
    public static func signed(_ value: Int64) -> [UInt8] { Wire.number(6, Wire.zigzag(value)) }
    public static func boolean(_ value: Bool) -> [UInt8] { Wire.number(7, value ? 1 : 0) }
}

public struct HandmadeFeature {
    public var id: UInt64?
    /// 1: points, 2: lines, 3: polygons.
    public var type: UInt64?
    public var commands: [UInt32]
    public var tags: [UInt32] = []
    public var more: [UInt8] = []

    public init(_ type: UInt64?, _ commands: [UInt32], id: UInt64? = nil) {
        self.type = type
        self.commands = commands
        self.id = id
    }

    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        if let id { bytes += Wire.number(1, id) }
        if !tags.isEmpty { bytes += Wire.packed(2, tags) }
        if let type { bytes += Wire.number(3, type) }
        return bytes + Wire.packed(4, commands) + more
    }

    public static func points(_ points: [(Int, Int)]) -> HandmadeFeature {
        var pen = Pen()
        pen.move(points)
        return HandmadeFeature(1, pen.commands)
    }

    public static func lines(_ lines: [(Int, Int)]...) -> HandmadeFeature {
        var pen = Pen()
        for line in lines {
            pen.move([line[0]])
            if line.count > 1 { pen.line(Array(line.dropFirst())) }
        }
        return HandmadeFeature(2, pen.commands)
    }

    public static func polygons(_ rings: [(Int, Int)]...) -> HandmadeFeature {
        var pen = Pen()
        for ring in rings {
            pen.move([ring[0]])
            if ring.count > 1 { pen.line(Array(ring.dropFirst())) }
            pen.close()
        }
        return HandmadeFeature(3, pen.commands)
    }
}

/// Writes the commands of a geometry.
public struct Pen {
    public private(set) var commands: [UInt32] = []
    private var (x, y) = (0, 0)

    public init() {}

    public mutating func move(_ points: [(Int, Int)]) { append(1, points) }
    public mutating func line(_ points: [(Int, Int)]) { append(2, points) }
    public mutating func close() { commands.append(15) }

    private mutating func append(_ command: UInt32, _ points: [(Int, Int)]) {
        commands.append(UInt32(points.count) << 3 | command)
        for point in points {
            commands += [point.0 - x, point.1 - y].map { UInt32(Wire.zigzag(Int64($0))) }
            (x, y) = point
        }
    }
}
