import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

// The simple types that many objects of a scene consist of.
extension JSONValue {
    static let latitudes = -90.0...90.0

    private static let positionSynonyms = [
        "latitude": "lat", "longitude": "lng", "lon": "lng", "long": "lng", "alt": "altitude", "elevation": "altitude",
        "height": "altitude",
    ]

    /// `{"lat":…, "lng":…, "altitude":…}` or `[lng, lat]` or `[lng, lat, altitude]`.
    func readPosition() throws(SceneFileError) -> LatLng {
        switch kind {
        case .object:
            return try readObject(synonyms: Self.positionSynonyms) { (object) throws(SceneFileError) in
                LatLng(
                    lat: try object.required("lat").readNumber(in: Self.latitudes), lng: try object.required("lng").readNumber(),
                    altitude: try object["altitude"]?.readNumber(in: Overlay.altitudeRange) ?? 0)
            }
        case .array:
            let numbers = Array(try readArray(count: 2...3))
            let lat = try numbers[1].readNumber()
            guard Self.latitudes.contains(lat) else {
                throw numbers[1].error("\(plain(lat)) is outside -90…90\(GeoJSONSyntax.orderHint)")
            }
            return LatLng(
                lat: lat, lng: try numbers[0].readNumber(),
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

    /// A position within a range of latitudes.
    func readPosition(latitudes: ClosedRange<Double>) throws(SceneFileError) -> LatLng {
        let position = try readPosition()
        guard latitudes.contains(position.lat) else {
            throw error("latitude \(plain(position.lat)) is outside \(latitudes.lowerBound)…\(latitudes.upperBound)")
        }
        return position
    }

    /// A CSS color: hexadecimal digits with alpha last, or a name.
    func readColor() throws(SceneFileError) -> Color {
        guard let color = Color(css: try readString()) else { throw error("\(brief) is not a CSS color such as \"#3388ff80\" or \"red\"") }
        return color
    }

    /// A color, or two colors: `[horizon, zenith]`.
    func readSky() throws(SceneFileError) -> Sky {
        if kind == .string { return Sky(try readColor()) }
        guard let elements else { throw unexpected("a color, or a list of two colors") }
        guard count == 2 else { throw error("expected a color, or a list of two colors, found a list of \(count)") }
        let colors = try elements.map { (element) throws(SceneFileError) in try element.readColor() }
        return Sky(horizon: colors[0], zenith: colors[1])
    }

    /// An integer, which must be one of those allowed, if given.
    func readInteger(of allowed: [Int]?) throws(SceneFileError) -> Int {
        let integer = try readInteger()
        guard let allowed, !allowed.contains(integer) else { return integer }
        throw error("\(integer) is neither \(allowed.map(String.init).joined(separator: " nor "))")
    }

    func readText(_ form: TextForm) throws(SceneFileError) -> String {
        let text = try readString()
        switch form {
        case .free: return text
        case .identifier:
            guard !text.isEmpty else { throw error("an id must not be empty") }
        case .languageTag:
            guard MapView.isLanguageTag(text) else { throw error("\(brief) is not a language tag such as \"ko\" or \"zh-Hant\"") }
        }
        return text
    }

    /// `[x, y, z]`, with a length other than 0.
    func readDirection() throws(SceneFileError) -> SIMD3<Double> {
        let numbers = Array(try readArray(count: 3...3))
        let vector = SIMD3(try numbers[0].readNumber(), try numbers[1].readNumber(), try numbers[2].readNumber())
        guard vector != .zero else { throw error("[0, 0, 0] has no direction") }
        return vector
    }

    /// The index of one of the names.
    func readChoice(of names: [String]) throws(SceneFileError) -> Int {
        let name = try readString()
        if let place = names.firstIndex(of: name) { return place }
        let hint =
            nearestName(to: name, among: names).map { "did you mean \"\($0)\"?" } ?? "known names are \(names.joined(separator: ", "))"
        throw error("unknown name \"\(name)\"; \(hint)")
    }

    /// The indices of the names in a list, or of a single name.
    func readChoices(of names: [String]) throws(SceneFileError) -> [Int] {
        guard kind == .array else { return [try readChoice(of: names)] }
        let places = try readArray().map { (element) throws(SceneFileError) in try element.readChoice(of: names) }
        if let problem = PropertyList.problem(choices: places.count, of: names.count) { throw error(problem) }
        return places
    }

    /// A list of whole zoom levels.
    func readZoomLevels() throws(SceneFileError) -> ZoomLevels {
        var levels: ZoomLevels = []
        for element in try readArray() {
            let level = try element.readInteger(in: 0...24)
            levels.formUnion(ZoomLevels(from: level, through: level))
        }
        return levels
    }

    /// The lengths of dashes and gaps.
    func readPattern() throws(SceneFileError) -> [Double] {
        let pattern = try readArray().map { (length) throws(SceneFileError) in try length.readNumber(in: Polyline.patternRange) }
        if let problem = PropertyList.problem(pattern: pattern) { throw error(problem) }
        return pattern
    }
}
