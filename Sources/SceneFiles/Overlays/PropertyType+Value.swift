import WaymarkGeo
import WaymarkImaging
import WaymarkScene

// The inverse of `SceneReader.read`.
extension PropertyType {
    /// The value of the property of an object, in the form of scene files; null if it is not set.
    /// - Parameter path: The path of the property in errors.
    /// - Throws: For a value that a scene file cannot have, such as a custom drawing.
    func value(of object: AnyObject, _ path: String) throws(PropertyError) -> JSONText {
        switch self {
        case .number(let accessor, _): return accessor.get(object).map(JSONText.number) ?? .null
        case .size(let accessor, _):
            return accessor.get(object) == Marker.sizeAuto ? "auto" : .number(accessor.get(object))
        case .integer(let accessor, _): return .integer(accessor.get(object))
        case .wholeNumber(let accessor, _): return accessor.get(object).map(JSONText.integer) ?? .null
        case .boolean(let accessor): return accessor.get(object).map(JSONText.boolean) ?? .null
        case .text(let accessor, _): return accessor.get(object).map(JSONText.string) ?? .null
        case .color(let accessor): return accessor.get(object).map { .string($0.description) } ?? .null
        case .image(let accessor):
            guard let image = accessor.get(object) else { return .null }
            return .string(try image.sceneName(path))
        case .point(let accessor, _): return [.number(accessor.get(object).x), .number(accessor.get(object).y)]
        case .direction(let accessor): return .vector(accessor.get(object))
        case .position(let accessor, _): return .position(accessor.get(object))
        case .bounds(let accessor):
            return accessor.get(object).map { [.number($0.west), .number($0.south), .number($0.east), .number($0.north)] } ?? .null
        case .choice(let accessor, let names):
            let index = accessor.get(object)
            return index == PropertyList.unset ? .null : .string(names[index])
        case .choices(let accessor, let names): return .array(accessor.get(object).map { .string(names[$0]) })
        case .zoomLevels(let accessor):
            let levels = accessor.get(object)
            return .array((0...24).filter { levels.contains(ZoomLevels(from: $0, through: $0)) }.map(JSONText.integer))
        case .pattern(let accessor): return .array(accessor.get(object).map(JSONText.number))
        case .lineColor(let accessor):
            let value = accessor.get(object)
            return value.scale.map(JSONText.scale) ?? value.color.map { .string($0.description) } ?? .null
        case .gradient(let accessor): return .stops(accessor.get(object))
        case .pointValues(let accessor):
            return .object(
                accessor.get(object).sorted { $0.key < $1.key }.map { name, list in
                    (name, .array(list.map { $0.flatMap { $0.isFinite ? JSONText.number($0) : nil } ?? .null }))
                })
        case .line(let accessor): return .line(accessor.get(object))
        case .lines(let accessor): return .lines(accessor.get(object))
        case .rings(let accessor): return .lines(accessor.get(object))
        case .polygons(let accessor): return .array(accessor.get(object).map { .lines($0) })
        case .content(let accessor):
            guard let content = accessor.get(object) else { return .null }
            return try OverlayWriter.content(content, path)
        case .object(let accessor, let list):
            return .object(try OverlayWriter.members(of: accessor.get(object), list, "\(path)."))
        case .objects(let accessor, let list, _):
            var elements: [JSONText] = []
            for (index, element) in accessor.get(object).enumerated() {
                elements.append(.object(try OverlayWriter.members(of: element, list, "\(path)[\(index)].")))
            }
            return .array(elements)
        case .part(let part): return try OverlayWriter.part(part, of: object, path) ?? .null
        case .refused: return .null
        }
    }
}

extension JSONText {
    /// `[lng, lat]`, or `[lng, lat, altitude]` above or below the ground.
    private static func position(_ position: LatLng) -> JSONText {
        let place: [JSONText] = [.number(position.lng), .number(position.lat)]
        return .array(position.altitude == 0 ? place : place + [.number(position.altitude)])
    }

    fileprivate static func position(_ position: LatLng?) -> JSONText { position.map { .position($0) } ?? .null }

    fileprivate static func line(_ line: [LatLng]) -> JSONText { .array(line.map { .position($0) }) }

    fileprivate static func lines(_ lines: [[LatLng]]) -> JSONText { .array(lines.map { .line($0) }) }

    /// A list of the numbers of a vector.
    static func vector<Vector: SIMD>(_ vector: Vector) -> JSONText where Vector.Scalar: BinaryFloatingPoint {
        .array(vector.indices.map { .number(Double(vector[$0])) })
    }
}
