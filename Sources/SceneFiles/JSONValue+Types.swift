import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

// The small things that many objects of a scene are made of.
extension JSONValue {
    static let latitudes = -90.0...90.0

    /// `{"lat":…, "lng":…, "altitude":…}` or `[lng, lat]` or `[lng, lat, altitude]`.
    func readPosition() throws(SceneFileError) -> LatLng {
        switch kind {
        case .object:
            return try readObject { (object) throws(SceneFileError) in
                LatLng(
                    lat: try object.required("lat").readNumber(in: Self.latitudes), lng: try object.required("lng").readNumber(),
                    altitude: try object["altitude"]?.readNumber(in: Overlay.altitudeRange) ?? 0)
            }
        case .array:
            let numbers = Array(try readArray(count: 2...3))
            return LatLng(
                lat: try numbers[1].readNumber(in: Self.latitudes), lng: try numbers[0].readNumber(),
                altitude: numbers.count > 2 ? try numbers[2].readNumber(in: Overlay.altitudeRange) : 0)
        default:
            throw unexpected("a position: {\"lat\": …, \"lng\": …} or [lng, lat]")
        }
    }

    /// `[x, y]`.
    func readPoint(in range: ClosedRange<Double>) throws(SceneFileError) -> CGPoint {
        let numbers = Array(try readArray(count: 2...2))
        return CGPoint(x: try numbers[0].readNumber(in: range), y: try numbers[1].readNumber(in: range))
    }

    /// CSS hex, alpha last, or a CSS name.
    func readColor() throws(SceneFileError) -> Color {
        guard let color = Color(css: try readString()) else { throw error("\(brief) is not a CSS colour such as \"#3388ff80\" or \"red\"") }
        return color
    }

    /// One of the names of an enumeration.
    func readName<Value>(_ names: [String], _ value: (String) -> Value?) throws(SceneFileError) -> Value {
        let name = try readString()
        if let value = value(name) { return value }
        let hint = nearestName(to: name, among: names).map { "did you mean \"\($0)\"?" } ?? "known are \(names.joined(separator: ", "))"
        throw error("unknown name \"\(name)\"; \(hint)")
    }
}
