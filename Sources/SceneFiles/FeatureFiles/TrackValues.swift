import WaymarkGeo

/// The values of the points of a GPX route or track, for scales: `elevation` in meters, and `speed` in meters per second. The speed is that of
/// the file, or else follows from the times of the neighboring points.
struct TrackValues {
    private struct Point {
        var place: SpherePoint
        var elevation: Double?
        var speed: Double?
        var time: Double?
    }

    /// The points of each segment. A route has one segment.
    private var parts: [[Point]] = []
    private var isTrack = false

    /// Begins a segment of a track.
    mutating func beginPart() {
        isTrack = true
        parts.append([])
    }

    mutating func add(lat: Double, lng: Double, elevation: Double?, speed: Double?, time: Double?) {
        if parts.isEmpty { parts.append([]) }
        parts[parts.count - 1].append(Point(place: SpherePoint(lat: lat, lng: lng), elevation: elevation, speed: speed, time: time))
    }

    /// Writes the values that any point has as properties: a list, or for a track a list of the lists of its segments.
    func write(to writer: inout JSONWriter) {
        write("elevation", parts.map { $0.map(\.elevation) }, to: &writer)
        let hasSpeed = parts.contains { $0.contains { $0.speed != nil } }
        write("speed", parts.map { part in part.indices.map { hasSpeed ? part[$0].speed : Self.speed(at: $0, of: part) } }, to: &writer)
    }

    private func write(_ name: String, _ lists: [[Double?]], to writer: inout JSONWriter) {
        guard lists.contains(where: { $0.contains { $0 != nil } }) else { return }
        writer.key(name)
        if isTrack { writer.beginArray() }
        for list in lists {
            writer.beginArray()
            for value in list { if let value { writer.number(value) } else { writer.null() } }
            writer.endArray()
        }
        if isTrack { writer.endArray() }
    }

    /// The mean speed from the point before to the point after.
    private static func speed(at index: Int, of part: [Point]) -> Double? {
        let (first, last) = (max(0, index - 1), min(part.count - 1, index + 1))
        guard let start = part[first].time, let end = part[last].time, end > start else { return nil }
        let length = (first..<last).reduce(0) { $0 + part[$1].place.angle(to: part[$1 + 1].place) * WebMercator.earthRadius }
        return length / (end - start)
    }

    /// The seconds since 1970 of a time in ISO 8601, such as `2024-05-01T08:00:00.5Z`; nil for any other text.
    static func seconds(_ text: String) -> Double? {
        var rest = text.utf8[...]
        func digits(_ count: Int) -> Int? {
            guard rest.count >= count, rest.prefix(count).allSatisfy({ (48...57).contains($0) }) else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count).reduce(0) { $0 * 10 + Int($1) - 48 }
        }
        func take(_ mark: Character) -> Bool {
            guard rest.first == mark.asciiValue else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = digits(4), take("-"), let month = digits(2), take("-"), let day = digits(2), take("T") || take(" "),
            let hour = digits(2), take(":"), let minute = digits(2), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        var seconds = Double(hour * 3600 + minute * 60)
        if take(":") {
            guard let whole = digits(2) else { return nil }
            seconds += Double(whole)
            if take(".") {
                let fraction = rest.prefix { (48...57).contains($0) }
                guard let value = Double("0." + String(decoding: fraction, as: UTF8.self)) else { return nil }
                rest = rest.dropFirst(fraction.count)
                seconds += value
            }
        }
        if !take("Z"), !rest.isEmpty {
            let sign: Double
            if take("+") { sign = -1 } else if take("-") { sign = 1 } else { return nil }
            guard let hours = digits(2) else { return nil }
            _ = take(":")
            seconds += sign * Double(hours * 3600 + (digits(2) ?? 0) * 60)
        }
        guard rest.isEmpty else { return nil }
        // Days from the civil calendar (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
        let shifted = month > 2 ? year : year - 1
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        return Double(days) * 86_400 + seconds
    }
}
