import WaymarkGeo
import WaymarkScene

/// The values of the properties that clusters add up, by the number of a marker.
struct ClusterValueTable: Sendable {
    /// By property.
    private var columns: [String: ClusterValues] = [:]

    /// - Parameter layer: Its markers' values are read from `userInfo`.
    init(_ properties: [String], _ layer: ClusterLayer) {
        for property in properties where columns[property] == nil {
            var values = layer.source?.values(of: property) ?? ClusterValues()
            let base = values.millionths.count
            for case let marker in layer.members.slots { values.append(marker?.userInfo[property]) }
            for slot in layer.members.slots.indices {
                // A point that was made a marker has the marker's value.
                let number = Int(layer.number(ofSlot: Int32(slot)))
                if number < base, layer.members.slots[slot] != nil { values.millionths[number] = values.millionths[base + slot] }
            }
            columns[property] = values
        }
    }

    init() {}

    /// The sum and the extremes over markers; nil when none has a value.
    func aggregate(of property: String, _ forEach: ((Int32) -> Void) -> Void) -> ClusterAggregate? {
        guard let total = total(of: property, forEach) else { return nil }
        return ClusterAggregate(
            count: total.count, sum: total.sum.map { Double($0) / 1e6 }, minimum: Double(total.minimum) / 1e6,
            maximum: Double(total.maximum) / 1e6)
    }

    struct Total {
        var count = 0
        /// In millionths; nil when it does not fit.
        var sum: Int64?
        var minimum = Int64.max
        var maximum = Int64.min
    }

    func total(of property: String, _ forEach: ((Int32) -> Void) -> Void) -> Total? {
        guard let values = columns[property]?.millionths else { return nil }
        var total = Total()
        // In two words, so that it overflows only where the sum itself does, whatever the order.
        var sum: (high: Int64, low: UInt64) = (0, 0)
        forEach { number in
            let value = values[Int(number)]
            guard value != ClusterValues.none else { return }
            total.count += 1
            total.minimum = min(total.minimum, value)
            total.maximum = max(total.maximum, value)
            let (low, carry) = sum.low.addingReportingOverflow(UInt64(bitPattern: value))
            sum = (sum.high &+ (value < 0 ? -1 : 0) &+ (carry ? 1 : 0), low)
        }
        guard total.count > 0 else { return nil }
        let fitting = Int64(bitPattern: sum.low)
        total.sum = sum.high == (fitting < 0 ? -1 : 0) ? fitting : nil
        return total
    }

    /// One sentence for each property with values that are not numbers.
    var problems: [(property: String, problem: String)] {
        columns.sorted { $0.key < $1.key }.compactMap { property, values in
            guard values.invalid > 0 else { return nil }
            let what = values.invalid == 1 ? "a value that is" : "\(values.invalid) values that are"
            let numbers = values.invalid == 1 ? "not a number" : "not numbers"
            return (property, "the property \"\(property)\" has \(what) \(numbers) within ±9.2e12; left out")
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
