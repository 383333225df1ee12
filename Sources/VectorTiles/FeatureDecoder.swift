/// Decodes the features of a layer, one after the other, into columns.
struct FeatureDecoder: ~Copyable {
    private(set) var columns = FeatureColumns()
    private let bytes: UnsafeBufferPointer<UInt8>
    private let keyCount: Int
    private let valueCount: Int
    /// The numbers of the current feature, overwritten with its coordinates. A number has at least one byte, so there is room for the
    /// numbers of the longest feature.
    private let numbers: UnsafeMutablePointer<UInt32>

    /// - Parameters:
    ///   - bytes: The tile.
    ///   - fields: The layer.
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ fields: LayerFields) {
        self.bytes = bytes
        keyCount = fields.keys.count
        valueCount = fields.values.count
        numbers = .allocate(capacity: fields.features.reduce(1) { max($0, $1.range.count) })
        let count = fields.features.count
        columns.kinds.reserveCapacity(count)
        columns.ids.reserveCapacity(count)
        columns.partStarts.reserveCapacity(count + 1)
        columns.pointStarts.reserveCapacity(count + 1)
        columns.areHoles.reserveCapacity(count)
        columns.attributeStarts.reserveCapacity(count + 1)
    }

    deinit { numbers.deallocate() }

    /// Reads a feature.
    /// - Parameter range: The bytes of its message.
    mutating func read(_ range: Range<Int>) throws(ProtobufProblem) {
        var reader = ProtobufReader(bytes, range)
        var (id, kind) = (UInt64(0), VectorGeometry.unknown)
        var attributes: ProtobufReader?
        var geometry: ProtobufReader?
        while let tag = try reader.tag() {
            switch (tag.field, tag.type) {
            case (1, .varint): id = try reader.varint()
            case (2, .lengthDelimited):
                // Decoders disagree about which of several lists counts. The same applies to the fields below.
                if attributes != nil { throw .other("the feature has two lists of attributes") }
                attributes = try reader.message()
            case (3, .varint):
                // As in every enumeration of protobuf, an unknown value does not count.
                kind = VectorGeometry(rawValue: UInt8(clamping: try reader.varint())) ?? kind
            case (4, .lengthDelimited):
                if geometry != nil { throw .other("the feature has two geometries") }
                geometry = try reader.message()
            case (2, .varint), (4, .varint): throw .other("the numbers of the feature are not packed")
            default: try reader.skip(tag)
            }
        }
        if var attributes { try appendAttributes(&attributes) }
        if var geometry { try appendGeometry(&geometry, kind) }
        columns.kinds.append(kind)
        columns.ids.append(id)
        columns.attributeStarts.append(Int32(columns.attributes.count / 2))
        columns.partStarts.append(Int32(columns.pointStarts.count - 1))
    }

    private mutating func appendAttributes(_ reader: inout ProtobufReader) throws(ProtobufProblem) {
        let count = try reader.numbers(into: numbers)
        guard count % 2 == 0 else { throw .other("the last attribute of the feature has no value") }
        for index in stride(from: 0, to: count, by: 2) {
            guard numbers[index] < keyCount else {
                throw .other("the feature has an attribute with key \(numbers[index]), but the layer has \(keyCount) keys")
            }
            guard numbers[index + 1] < valueCount else {
                throw .other("the feature has an attribute with value \(numbers[index + 1]), but the layer has \(valueCount) values")
            }
        }
        columns.attributes.append(contentsOf: UnsafeBufferPointer(start: numbers, count: count))
    }

    private mutating func appendGeometry(_ reader: inout ProtobufReader, _ kind: VectorGeometry) throws(ProtobufProblem) {
        guard kind != .unknown else { return }
        let count = try reader.numbers(into: numbers)
        var run = GeometryRun(numbers, count: count, kind, firstPoint: columns.coordinates.count / 2)
        try run.read(&columns)
        numbers.withMemoryRebound(to: Int32.self, capacity: run.written) { coordinates in
            columns.coordinates.append(contentsOf: UnsafeBufferPointer(start: coordinates, count: run.written))
        }
    }
}

/// The commands of one geometry (section 4.3 of the specification).
///
/// The coordinates replace the commands in memory. A command stands before its points, and a point takes two numbers in both forms, so
/// nothing is overwritten before it is read.
///
/// Commands that decoders read in different ways are refused. Rings that are not closed, and degenerate lines and rings, are accepted.
private struct GeometryRun {
    private let numbers: UnsafeMutablePointer<UInt32>
    private let count: Int
    private let kind: VectorGeometry
    /// The number of points in the columns before this geometry.
    private let firstPoint: Int

    private var next = 0
    /// The number of coordinates written so far, and the first of the current part.
    private(set) var written = 0
    private var partStart = 0
    private var x = 0
    private var y = 0
    private var isOpen = false
    /// Whether the feature's first ring turns clockwise on the map; nil before it.
    private var turnsClockwise: Bool?

    init(_ numbers: UnsafeMutablePointer<UInt32>, count: Int, _ kind: VectorGeometry, firstPoint: Int) {
        self.numbers = numbers
        self.count = count
        self.kind = kind
        self.firstPoint = firstPoint
    }

    /// Replaces the commands by coordinates, and appends the parts to the columns.
    mutating func read(_ columns: inout FeatureColumns) throws(ProtobufProblem) {
        while next < count {
            let command = numbers[next]
            next += 1
            let repetitions = Int(command >> 3)
            switch command & 7 {
            case 1:
                if kind != .points {
                    if repetitions > 1 { throw .other("a line of the geometry begins with \(repetitions) points") }
                    finishPart(&columns)
                }
                try readPoints(repetitions)
                isOpen = true
            case 2:
                if kind == .points { throw .other("the geometry consists of points, but contains a line") }
                guard isOpen else { throw .other("a line of the geometry has no first point") }
                try readPoints(repetitions)
            case 7:
                if kind != .polygons { throw .other("the geometry closes a ring, but is not a polygon") }
                guard isOpen else { throw .other("the geometry closes a ring that has no points") }
                // Early encoders wrote 0.
                if repetitions > 1 { throw .other("the geometry closes a ring \(repetitions) times") }
                finishPart(&columns)
            default: throw .other("the geometry has the unknown command \(command & 7)")
            }
        }
        finishPart(&columns)
    }

    private mutating func readPoints(_ points: Int) throws(ProtobufProblem) {
        guard points > 0 else { throw .other("the geometry has a command without points") }
        guard 2 * points <= count - next else { throw .other("the geometry ends within a command") }
        guard firstPoint + written / 2 + points <= VectorTileLimits.points else {
            throw .tooMany("points together with the earlier features", limit: VectorTileLimits.points)
        }
        let limit = VectorTileLimits.coordinate
        var (x, y) = (self.x, self.y)
        let (source, target) = (numbers + next, numbers + written)
        for index in 0..<points {
            x &+= Self.signed(source[2 &* index])
            y &+= Self.signed(source[2 &* index &+ 1])
            guard UInt(bitPattern: x &+ limit) <= UInt(2 * limit), UInt(bitPattern: y &+ limit) <= UInt(2 * limit) else {
                throw .other("the geometry has a coordinate outside -\(limit)…\(limit)")
            }
            target[2 &* index] = UInt32(truncatingIfNeeded: x)
            target[2 &* index &+ 1] = UInt32(truncatingIfNeeded: y)
        }
        (self.x, self.y) = (x, y)
        next += 2 * points
        written += 2 * points
    }

    /// The zigzag encoding of protobuf.
    private static func signed(_ number: UInt32) -> Int {
        Int(Int32(bitPattern: number &>> 1 ^ (0 &- (number & 1))))
    }

    /// Appends the points since the last part as a part, or drops them.
    private mutating func finishPart(_ columns: inout FeatureColumns) {
        isOpen = false
        guard written > partStart else { return }
        var isHole = false
        switch kind {
        case .unknown, .points: break
        case .lines where written - partStart < 4: return dropPart()
        case .lines: break
        case .polygons:
            let area = doubleArea()
            if area == 0 { return dropPart() }
            let first = turnsClockwise ?? (area > 0)
            turnsClockwise = first
            isHole = first != (area > 0)
        }
        columns.pointStarts.append(Int32(firstPoint + written / 2))
        columns.areHoles.append(isHole)
        partStart = written
    }

    private mutating func dropPart() { written = partStart }

    /// Twice the area of the current ring by the surveyor's formula; positive if it turns clockwise on the map, because y points down.
    ///
    /// A sum that overflows on the way is correct in the end, because a ring that does not cross itself encloses at most 2⁶⁰. If a ring
    /// crosses itself so often that the sum is wrong, its direction means nothing.
    private func doubleArea() -> Int {
        func coordinate(_ index: Int) -> Int { Int(Int32(bitPattern: numbers[index])) }
        var (previousX, previousY) = (coordinate(written - 2), coordinate(written - 1))
        var area = 0
        var index = partStart
        while index < written {
            let (x, y) = (coordinate(index), coordinate(index &+ 1))
            area &+= previousX &* y &- x &* previousY
            (previousX, previousY) = (x, y)
            index &+= 2
        }
        return area
    }
}
