import WaymarkGeo
import WaymarkImaging
import WaymarkRaster
import WaymarkScene

/// The colors along the lines of a shape, as given, before the map's edges cut them.
struct LineColors: Sendable {
    /// Places of a line with their colors; between them, the color changes evenly with the distance.
    struct Line: Sendable {
        /// The distances from the start of the line, as fractions of the world, ascending. Two are equal where the color jumps.
        var distances: [Double] = []
        /// Premultiplied pixels.
        var colors: [UInt32] = []
    }

    var lines: [Line] = []
}

extension LineColors {
    /// Colors by the length in meters. The length is the sum over all lines.
    static func byLength(_ lines: [ShapePart], _ stops: [Scale<Color>.Stop]) -> LineColors {
        let metres = lines.map(ShapeGeometry.metres)
        let total = metres.reduce(0) { $0 + ($1.last ?? 0) }
        var before = 0.0
        return LineColors(
            lines: zip(lines, metres).map { line, metres in
                var builder = LineColorBuilder(stops, pointCount: line.pointCount)
                let (points, distances) = (line.points, line.distances)
                func share(_ metres: Double) -> Double { total > 0 ? (before + metres) / total : 0 }
                for index in points.indices {
                    if index > 0 {
                        let ends = (share(metres[index - 1]), share(metres[index]))
                        builder.addBetween(points[index - 1], points[index], distances[index - 1], distances[index], ends, line.curve)
                    }
                    builder.add(at: distances[index], position: share(metres[index]))
                }
                before += metres.last ?? 0
                return builder.line
            })
    }

    /// Colors by the values of points.
    /// - Parameters:
    ///   - indices: The points of each line that were given.
    ///   - values: The values of these points, one line after another.
    ///   - color: The color of a line without values.
    static func byValue(
        _ lines: [ShapePart], at indices: [[Int]], _ values: [Double?], _ scale: Scale<Color>, without color: Color
    ) -> LineColors {
        let scale = scale.resolved(for: values.lazy.compactMap(\.self))
        let stops = scale.positions
        var next = 0
        return LineColors(
            lines: zip(lines, indices).map { line, indices in
                var builder = LineColorBuilder(stops, pointCount: indices.count)
                let distances = line.distances
                for index in indices {
                    let value = next < values.count ? values[next] : nil
                    next += 1
                    if let value, !value.isNaN {
                        builder.add(at: distances[index], position: scale.position(of: value))
                    } else if let missing = scale.missing {
                        builder.add(at: distances[index], missing)
                    }
                }
                if builder.line.colors.isEmpty { builder.add(at: 0, color) }
                return builder.line
            })
    }
}

/// Builds the colors of one line.
private struct LineColorBuilder {
    private(set) var line = LineColors.Line()
    private let stops: [Scale<Color>.Stop]
    /// The remaining number of places that may be added between points.
    private var spare: Int
    private var last: (distance: Double, position: Double)?

    /// So that a line that crosses a thousand stops between any two of its points does not take all memory.
    private static let leastSpare = 100_000
    /// The largest error of a share of the length.
    private static let tolerance = 1.0 / 2048
    private static let deepest = 12

    init(_ stops: [Scale<Color>.Stop], pointCount: Int) {
        self.stops = stops
        spare = Self.leastSpare + 2 * pointCount
        line.distances.reserveCapacity(pointCount)
        line.colors.reserveCapacity(pointCount)
    }

    mutating func add(at distance: Double, _ color: Color) {
        append(distance, color)
        last = nil
    }

    mutating func add(at distance: Double, position: Double) {
        if let last, last.position != position { addStops(from: last, to: (distance, position)) }
        append(distance, Scale<Color>.output(at: position, stops))
        last = (distance, position)
    }

    /// Adds places between two points where the length in meters is not even along the map.
    mutating func addBetween(
        _ a: PlanePoint, _ b: PlanePoint, _ from: Double, _ to: Double, _ ends: (Double, Double), _ curve: ShapePart.Curve, depth: Int = 0
    ) {
        guard ends.1 - ends.0 > Self.tolerance, depth < Self.deepest else { return }
        let whole = ShapeGeometry.metres(a, b, curve)
        let middle = (a + b) / 2
        let share = whole > 0 ? ShapeGeometry.metres(a, middle, curve) / whole : 0.5
        guard abs(share - 0.5) * (ends.1 - ends.0) > Self.tolerance else { return }
        let (position, distance) = (ends.0 + (ends.1 - ends.0) * share, (from + to) / 2)
        addBetween(a, middle, from, distance, (ends.0, position), curve, depth: depth + 1)
        add(at: distance, position: position)
        addBetween(middle, b, distance, to, (position, ends.1), curve, depth: depth + 1)
    }

    /// Adds the stops between two points, where the change of the color changes.
    private mutating func addStops(from: (distance: Double, position: Double), to: (distance: Double, position: Double)) {
        let (low, high) = (min(from.position, to.position), max(from.position, to.position))
        let isUp = to.position > from.position
        // Upward, the stops of a jump at the end are passed; downward, those at the start.
        let first = stops.partition { $0.value > low }
        let end = stops.partition { $0.value > high }
        guard first < end, end - first <= spare else { return }
        spare -= end - first
        let step = (to.distance - from.distance) / (to.position - from.position)
        for index in isUp ? Array(first..<end) : (first..<end).reversed() {
            append(from.distance + (stops[index].value - from.position) * step, stops[index].output)
        }
    }

    private mutating func append(_ distance: Double, _ color: Color) {
        line.distances.append(max(distance, line.distances.last ?? distance))
        line.colors.append(UInt32(premultiplied: color))
    }
}

extension Array {
    /// The index of the first element for which a condition holds that holds for all after it.
    func partition(_ holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
