import WaymarkClustering
import WaymarkGeo
import WaymarkScene

/// The values of the properties that clusters sum, by marker number.
struct ClusterValueTable: Sendable {
    private struct Column {
        /// The values of the source's points, by number. They are read once, because this may take as long as reading the file.
        var ofPoints = ClusterValues()
        /// The values of markers, indexed by slot.
        var ofMarkers = ClusterValues()
        /// The name of a similar property, as a hint when no point has a value.
        var nearest: String?
        /// The values of markers made from points, keyed by the number of the point.
        var ofMadePoints: [Int32: Int64] = [:]
        /// The number of points.
        var base: Int

        func value(_ number: Int32) -> Int64 {
            if Int(number) >= base { return ofMarkers.millionths[Int(number) - base] }
            if !ofMadePoints.isEmpty, let made = ofMadePoints[number] { return made }
            return ofPoints.millionths[Int(number)]
        }

        var invalid: Int { ofPoints.invalid + ofMarkers.invalid }
        /// Whether no point and no marker has a value, valid or not.
        var isEmpty: Bool { invalid == 0 && ofPoints.isEmpty && ofMarkers.isEmpty }
    }

    /// The columns, keyed by property.
    private var columns: [String: Column] = [:]
    /// The revision of the source whose values were read; see `ClusterLayer.sourceCount`.
    private var sourceCount = -1
    /// The kinds of objects that might have values, for messages; nil if there are none.
    private var bearers: String?
    /// The number of times that values were read from a source, for tests.
    private(set) var reads = 0

    /// Reads the values of the markers, and the unread values of the source's points.
    /// - Parameter layer: The layer. The values of its markers are in `userInfo`.
    mutating func read(_ properties: [String], _ layer: ClusterLayer) {
        let known = sourceCount == layer.sourceCount ? columns : [:]
        sourceCount = layer.sourceCount
        columns = [:]
        for property in properties {
            columns[property] = Column(
                ofPoints: known[property]?.ofPoints ?? ClusterValues(), nearest: known[property]?.nearest, base: layer.pointCount)
        }
        bearers = layer.pointCount > 0 ? "feature" : layer.members.slots.contains { $0 != nil } ? "marker" : nil
        let unread = columns.keys.filter { known[$0] == nil }.sorted()
        if let source = layer.source, !unread.isEmpty {
            reads += 1
            for (property, values) in zip(unread, source.values(of: unread)) {
                columns[property]?.ofPoints = values
                if values.isEmpty, values.invalid == 0 { columns[property]?.nearest = source.nearestProperty(to: property) }
            }
        }
        for property in columns.keys {
            var column = columns.removeValue(forKey: property) ?? Column(base: 0)
            for (slot, marker) in layer.members.slots.enumerated() {
                column.ofMarkers.append(marker?.userInfo[property])
                let number = layer.number(ofSlot: Int32(slot))
                if marker != nil, Int(number) < column.base { column.ofMadePoints[number] = column.ofMarkers.millionths[slot] }
            }
            columns[property] = column
        }
    }

    /// The sum and the extremes over markers; nil when none has a value.
    func aggregate(of property: String, _ forEach: ((Int32) -> Void) -> Void) -> ClusterAggregate? {
        guard let total = total(of: property, forEach) else { return nil }
        return ClusterAggregate(
            count: total.count, sum: total.sum.map { Double($0) / 1e6 }, minimum: Double(total.minimum) / 1e6,
            maximum: Double(total.maximum) / 1e6)
    }

    struct Total {
        var count = 0
        var minimum = Int64.max
        var maximum = Int64.min
        /// The sum in millionths, in two words, so that only the final sum can overflow, regardless of the order of the additions.
        private var high: Int64 = 0
        private var low: UInt64 = 0

        /// The sum in millionths; nil when it overflows.
        var sum: Int64? {
            let fitting = Int64(bitPattern: low)
            return high == (fitting < 0 ? -1 : 0) ? fitting : nil
        }

        mutating func add(_ value: Int64) {
            count += 1
            minimum = min(minimum, value)
            maximum = max(maximum, value)
            add(value < 0 ? -1 : 0, UInt64(bitPattern: value))
        }

        mutating func add(_ other: Total) {
            count += other.count
            minimum = min(minimum, other.minimum)
            maximum = max(maximum, other.maximum)
            add(other.high, other.low)
        }

        private mutating func add(_ high: Int64, _ low: UInt64) {
            let (sum, carry) = self.low.addingReportingOverflow(low)
            (self.high, self.low) = (self.high &+ high &+ (carry ? 1 : 0), sum)
        }
    }

    func total(of property: String, _ forEach: ((Int32) -> Void) -> Void) -> Total? {
        guard let column = columns[property] else { return nil }
        var total = Total()
        forEach { number in
            let value = column.value(number)
            if value != ClusterValues.none { total.add(value) }
        }
        return total.count > 0 ? total : nil
    }

    /// One sentence for each property with values that are not numbers, or without values.
    var problems: [(property: String, problem: String)] {
        columns.sorted { $0.key < $1.key }.compactMap { property, column in
            if let bearers, column.isEmpty {
                let hint =
                    bearers == "marker"
                    ? "; markers listed in a scene have no values: use a source of features instead (in Swift, set userInfo)"
                    : column.nearest.map { "; did you mean \"\($0)\"?" } ?? ""
                return (property, "no \(bearers) has a value for the property \"\(property)\"\(hint)")
            }
            guard column.invalid > 0 else { return nil }
            let isOne = column.invalid == 1
            let values = isOne ? "a value that is not a number" : "\(column.invalid) values that are not numbers"
            let omission = isOne ? "it is left out" : "they are left out"
            return (property, "the property \"\(property)\" has \(values) from -9.2e12 to 9.2e12; \(omission)")
        }
    }
}

extension ClusterValues {
    fileprivate mutating func append(_ value: Any?) {
        switch value {
        case nil: append(Double?.none)
        case let number as Int: append(Double(number))
        case let number as Double: append(number)
        case let number as Float: append(Double(number))
        case let number as any BinaryInteger: append(Double(number))
        default: appendInvalid()
        }
    }
}

/// The totals of properties over clusters, cached until the clusters change.
struct ClusterTotals {
    /// Everything that determines the clusters and their markers, except the values.
    struct Basis: Equatable {
        /// The number of times that the index was built and edited.
        var builds: Int
        var edits: Int
        /// The groups of markers that are clustered, and the zooms.
        var groups: [Int]
        var zooms: ClosedRange<Int>
    }

    private struct TotalKey: Hashable {
        var property: String
        var zoom: Int
        var cluster: UInt64
    }

    private var basis: Basis?
    /// The cached totals; nil where no marker has a value.
    private var totals: [TotalKey: ClusterValueTable.Total?] = [:]
    /// The number of times that the values of a cluster were summed.
    private(set) var additions = 0
    private static let limit = 65_536

    /// Begins a picture. Drops the totals if the clusters have changed, or if there are too many.
    mutating func beginPicture(_ basis: Basis) {
        if basis != self.basis || totals.count > Self.limit { forget() }
        self.basis = basis
    }

    /// Drops all totals because values have changed.
    mutating func forget() { totals = [:] }

    /// The total of a property over a merged cluster, whose parts are taken from the cache or computed with `add`.
    mutating func total(
        of property: String, _ cluster: MergedCluster, add: (FoundCluster) -> ClusterValueTable.Total?
    ) -> ClusterValueTable.Total? {
        var total = self.total(of: property, cluster.largest) { add(cluster.largest) }
        for part in cluster.joined {
            guard let more = self.total(of: property, part, add: { add(part) }) else { continue }
            total?.add(more)
            total = total ?? more
        }
        return total
    }

    private mutating func total(
        of property: String, _ cluster: FoundCluster, add: () -> ClusterValueTable.Total?
    ) -> ClusterValueTable.Total? {
        let key = TotalKey(property: property, zoom: cluster.zoom, cluster: cluster.key)
        if let known = totals[key] { return known }
        additions += 1
        let total = add()
        totals.updateValue(total, forKey: key)
        return total
    }
}
