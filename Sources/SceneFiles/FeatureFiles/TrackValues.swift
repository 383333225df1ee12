import WaymarkGeo

/// The values of the points of a GPX route or track, for scales: `elevation` in meters, and `speed` in meters per second. If the file
/// contains no speed, it is computed from the times of the neighboring points.
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

    /// Writes, as properties, the values that at least one point has. A property is a list or, for a track, a list with a list for each
    /// segment.
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
}
