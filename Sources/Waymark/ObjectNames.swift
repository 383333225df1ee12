import Foundation
import WaymarkGeo
import WaymarkInteraction
import WaymarkScene
import WaymarkSceneFiles

extension ViewObject {
    /// The object's id and type in output. An info window at a coordinate has no id.
    package var programName: (id: String?, type: String) {
        switch self {
        case let overlay as Overlay: (overlay.id, overlay.type.rawValue)
        case let overlay as ViewOverlay: (overlay.id, "viewOverlay")
        case let symbol as SymbolObject: (symbol.id, "symbol")
        case let cluster as Cluster: (cluster.id, "cluster")
        case let element as ElementObject: (element.id, element.type.rawValue)
        default: (nil, "infoWindow")
        }
    }

    fileprivate var nameFields: [(String, JSONText)] {
        let (id, type) = programName
        return [("id", id.map { .string($0) } ?? .null), ("type", .string(type))]
    }

    /// The object's id and type in the output of `waymark replay`.
    package var json: JSONText { .object(nameFields) }
}

extension MapHit {
    /// An element of the output of `waymark pick`.
    package var json: JSONText { .object(object.nameFields + [("part", .string(part.rawValue))]) }
}

extension LatLng {
    /// The position as `inspect` and `replay` print it.
    package var json: JSONText { .object([("lat", .degrees(lat)), ("lng", .degrees(lng))]) }
}

extension MapCallback {
    /// The object's fields in the output of `waymark replay`.
    package var fields: [(String, JSONText)] {
        var fields: [(String, JSONText)] = [("callback", .string(name.rawValue))]
        if !objects.isEmpty { fields.append(("objects", .array(objects.map(\.json)))) }
        if let coordinate { fields.append(("coordinate", coordinate.json)) }
        return fields
    }
}

extension PointerEvent {
    /// The event as in scene files.
    package var field: (String, JSONText) {
        func text(_ point: CGPoint) -> JSONText { .array([.length(point.x), .length(point.y)]) }
        switch self {
        case .tap(let point), .longPress(let point): return (kind.rawValue, text(point))
        case .drag(let path): return (kind.rawValue, .array(path.map(text)))
        }
    }
}
