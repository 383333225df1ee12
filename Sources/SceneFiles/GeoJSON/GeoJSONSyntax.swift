import WaymarkGeo
import WaymarkScene
import WaymarkSystem

/// The parts of GeoJSON (RFC 7946) shared by all readers: the definition of a feature, a geometry and an id.
enum GeoJSONSyntax {
    /// The geometry of a feature; nil if it has no geometry.
    static func geometry(
        ofFeature feature: JSONNode, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) -> JSONNode? {
        guard tape.kind(of: feature) == .object else { throw document.value(at: feature).unexpected("a feature object") }
        guard let type = tape.member("type", of: feature) else { throw document.error(at: feature, "missing key \"type\"") }
        guard tape.isString(type, "Feature") else { throw document.value(at: type).unexpected("\"Feature\"") }
        guard let geometry = tape.member("geometry", of: feature) else { throw document.error(at: feature, "missing key \"geometry\"") }
        return tape.kind(of: geometry) == .null ? nil : geometry
    }

    /// The type of a geometry, which may be unknown.
    static func type(
        ofGeometry geometry: JSONNode, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) -> JSONNode {
        guard tape.kind(of: geometry) == .object else { throw document.value(at: geometry).unexpected("a geometry object or null") }
        guard let type = tape.member("type", of: geometry) else { throw document.error(at: geometry, "missing key \"type\"") }
        return type
    }

    /// The error of a geometry with an unknown type.
    static func unknownType(_ type: JSONNode, _ document: JSONDocument) -> SceneFileError {
        document.value(at: type).unexpected(
            "a geometry type: Point, MultiPoint, LineString, MultiLineString, Polygon, MultiPolygon or GeometryCollection")
    }

    /// The geometries of a collection that are not null. If there are several, the suffix of each id is the geometry's index.
    static func geometries(
        ofCollection collection: JSONNode, part: String, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) -> [(geometry: JSONNode, part: String)] {
        guard let list = tape.member("geometries", of: collection) else {
            throw document.error(at: collection, "missing key \"geometries\"")
        }
        guard var rest = tape.elements(of: list) else { throw document.value(at: list).unexpected("an array of geometries") }
        let isOne = tape.count(of: list) == 1
        var geometries: [(geometry: JSONNode, part: String)] = []
        while let member = rest.next(in: tape) {
            guard tape.kind(of: member) != .null else { continue }
            geometries.append((member, isOne ? part : "\(part)/\(geometries.count)"))
        }
        return geometries
    }

    /// The end of an error about the second number of a position.
    static let orderHint = "; the order is [longitude, latitude]"

    static func coordinates(
        of geometry: JSONNode, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) -> JSONNode {
        guard let list = tape.member("coordinates", of: geometry) else { throw document.error(at: geometry, "missing key \"coordinates\"") }
        guard tape.kind(of: list) == .array else { throw document.value(at: list).unexpected("an array") }
        return list
    }

    /// - Parameter usesAltitude: Whether the third number is read as the altitude.
    static func position(
        _ list: JSONNode, usesAltitude: Bool, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) -> LatLng {
        guard var rest = tape.elements(of: list), let east = rest.next(in: tape), let north = rest.next(in: tape) else {
            throw document.error(
                at: list,
                "expected a position of at least 2 numbers, found \(document.value(at: list).brief)"
                    + (tape.kind(of: list) == .array ? " of \(tape.count(of: list))" : ""))
        }
        guard let lng = tape.double(of: east) else { throw document.value(at: east).unexpected("a number") }
        guard let lat = tape.double(of: north) else { throw document.value(at: north).unexpected("a number") }
        guard JSONValue.latitudes.contains(lat) else { throw document.error(at: north, "\(plain(lat)) is outside -90…90\(orderHint)") }
        var position = LatLng(lat: lat, lng: lng)
        if usesAltitude, let up = rest.next(in: tape) {
            guard let altitude = tape.double(of: up) else { throw document.value(at: up).unexpected("a number") }
            guard Overlay.altitudeRange.contains(altitude) else {
                let (low, high) = (Overlay.altitudeRange.lowerBound, Overlay.altitudeRange.upperBound)
                throw document.error(at: up, "\(plain(altitude)) is outside \(plain(low))…\(plain(high))")
            }
            position.altitude = altitude
        }
        return position
    }

    /// The id given by a feature; nil if it has no id.
    static func id(
        of feature: JSONNode, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) throws(SceneFileError) -> String? {
        guard let node = tape.member("id", of: feature), tape.kind(of: node) != .null else { return nil }
        let value = document.value(at: node)
        guard let given = value.string ?? value.int.map(String.init) ?? value.double.map({ "\($0)" }) else {
            throw value.unexpected("a string or a number")
        }
        if given.holdsZero { throw value.error("the id \(given.quotedBriefly) contains U+0000") }
        return given
    }

    /// Whether a value's id is a number; nil without an id.
    static func isNumber(idOf value: JSONValue) -> Bool? {
        value.kind == .object ? value["id"].map { $0.string == nil } : nil
    }

    /// A hint for two equal ids, one a number and the other a string; empty in other cases.
    static func hint(_ isNumber: Bool?, _ isOtherNumber: Bool?) -> String {
        guard let isNumber, let isOtherNumber, isNumber != isOtherNumber else { return "" }
        return "; a number and a string with the same text are the same id"
    }

    /// The id of a document that is a feature.
    static func id(of document: JSONDocument) -> String? {
        document.withTape { tape in (try? id(of: tape.root, document, tape)) ?? nil }
    }
}
