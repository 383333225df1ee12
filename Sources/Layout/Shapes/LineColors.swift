import WaymarkGeo
import WaymarkImaging
import WaymarkRaster
import WaymarkScene

/// The colors along the lines of a shape, as given, before the map's edges cut them.
enum LineColors {
    /// Places of a line with their colors; between them, the color changes evenly with the distance.
    final class Line: Sendable {
        /// The distances from the start of the line, as fractions of the world, ascending. Two are equal where the color jumps.
        let distances: [Double]
        /// Premultiplied pixels.
        let colors: [UInt32]

        init(distances: [Double], colors: [UInt32]) { (self.distances, self.colors) = (distances, colors) }
    }
}

extension LineColors {
    /// Colors by the length in meters. The length is the sum over all lines.
    static func byLength(_ lines: [ShapePart], _ stops: [Scale<Color>.Stop]) -> [Line] {
        let metres = lines.map(ShapeGeometry.metres)
        let total = metres.reduce(0) { $0 + ($1.last ?? 0) }
        var before = 0.0
        return zip(lines, metres).map { line, metres in
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
        }
    }

    /// Colors by the values of points.
    /// - Parameters:
    ///   - indices: The points of each line that were given.
    ///   - values: The values of these points, one line after another.
    ///   - color: The color of a line without values.
    static func byValue(
        _ lines: [ShapePart], at indices: [[Int]], _ values: [Double?], _ scale: Scale<Color>, without color: Color
    ) -> [Line] {
        let scale = scale.resolved(for: values.lazy.compactMap(\.self))
        let stops = scale.positions
        var next = 0
        return zip(lines, indices).map { line, indices in
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
            if builder.isEmpty { builder.add(at: 0, color) }
            return builder.line
        }
    }
}

/// Builds the colors of one line.
private struct LineColorBuilder {
    private var distances: [Double] = []
    private var colors: [UInt32] = []
    private let ramp: ColorRamp
    /// The remaining number of places that may be added between points.
    private var spare: Int
    private var last: (distance: Double, position: Double)?

    /// So that a line that crosses a thousand stops between any two of its points does not take all memory.
    private static let leastSpare = 100_000
    /// The largest error of a share of the length.
    private static let tolerance = 1.0 / 2048
    private static let deepest = 12

    init(_ stops: [Scale<Color>.Stop], pointCount: Int) {
        ramp = ColorRamp(stops)
        spare = Self.leastSpare + 2 * pointCount
        distances.reserveCapacity(pointCount)
        colors.reserveCapacity(pointCount)
    }

    var isEmpty: Bool { colors.isEmpty }
    var line: LineColors.Line { LineColors.Line(distances: distances, colors: colors) }

    mutating func add(at distance: Double, _ color: Color) {
        append(distance, UInt32(premultiplied: color))
        last = nil
    }

    mutating func add(at distance: Double, position: Double) {
        if let last, last.position != position { addStops(from: last, to: (distance, position)) }
        append(distance, ramp.color(at: position))
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
        let first = ramp.end(of: low)
        let end = ramp.end(of: high)
        guard first < end, end - first <= spare else { return }
        spare -= end - first
        let step = (to.distance - from.distance) / (to.position - from.position)
        for index in isUp ? Array(first..<end) : (first..<end).reversed() {
            append(from.distance + (ramp.positions[index] - from.position) * step, ColorLevels.pixel(ramp.levels[index]))
        }
    }

    private mutating func append(_ distance: Double, _ color: UInt32) {
        distances.append(max(distance, distances.last ?? distance))
        colors.append(color)
    }
}

/// The colors of a scale by position.
private struct ColorRamp {
    let positions: [Double]
    /// The premultiplied channels, 0…255.
    let levels: [SIMD4<Double>]

    init(_ stops: [Scale<Color>.Stop]) {
        positions = stops.map(\.value)
        levels = stops.map { stop in
            let color = SIMD4(stop.output.red, stop.output.green, stop.output.blue, 1) * stop.output.alpha
            return color.clamped(lowerBound: .zero, upperBound: .one) * 255
        }
    }

    /// The number of stops up to a position.
    func end(of position: Double) -> Int { positions.partitioningIndex { $0 > position } }

    func color(at position: Double) -> UInt32 {
        let next = end(of: position)
        guard next > 0, next < positions.count else { return ColorLevels.pixel(levels[next > 0 ? next - 1 : 0]) }
        let (from, to) = (positions[next - 1], positions[next])
        // The difference of the two may be infinite.
        let share = (to - from).isFinite ? (position - from) / (to - from) : (position / 2 - from / 2) / (to / 2 - from / 2)
        return ColorLevels.pixel(levels[next - 1] * (1 - share) + levels[next] * share)
    }
}
