import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkSceneFiles

/// The object that `waymark inspect` prints; docs/inspect.md describes it. Lengths are rounded to three decimal places, degrees to nine.
extension Inspection: Encodable {
    public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Inspection {
    /// The output of `inspect`. Values in px and pt have three decimal places, and degrees have nine.
    package var json: JSONText {
        let entries = JSONText.array(overlays.map(\.json))
        return .object(viewport.inspectionFields + [("overlays", entries)] + fieldsAfterOverlays)
    }

    fileprivate var fieldsAfterOverlays: [(String, JSONText)] {
        var fields: [(String, JSONText)] = [
            ("clusters", .array(clusters.map(\.json))),
            ("symbols", .array(symbols.map(\.json))),
            ("viewOverlays", .array(viewOverlays.map(\.json))), ("infoWindow", infoWindow.map(\.json) ?? .null),
            ("diagnostics", .array(diagnostics.map(\.json))),
        ]
        if !elements.isEmpty { fields.append(("elements", .array(elements.map(\.json)))) }
        if let attribution { fields.append(("attribution", .string(attribution))) }
        return fields
    }
}

extension Viewport {
    fileprivate var inspectionFields: [(String, JSONText)] {
        [
            ("size", .object([("width", .length(size.width)), ("height", .length(size.height))])),
            ("pixelRatio", .length(pixelRatio)),
            (
                "camera",
                .object([
                    ("center", camera.center.json),
                    ("zoom", .degrees(camera.zoom)), ("bearing", .degrees(camera.bearing)), ("tilt", .degrees(camera.tilt)),
                ])
            ),
        ]
    }
}

extension Placement {
    /// Writes `Inspection.json` in parts while it is being created, because the description of a million overlays is several times as large
    /// as their placement.
    package func writeInspection<Problem>(
        listsBaseMapSymbols: Bool = false, _ layout: JSONWriter.Layout, to write: ([UInt8]) throws(Problem) -> Void
    ) throws(Problem) {
        var writer = JSONWriter(layout)
        func add(_ fields: [(String, JSONText)]) {
            for (key, value) in fields {
                writer.key(key)
                value.write(into: &writer)
            }
        }
        writer.beginObject()
        add(viewport.inspectionFields)
        writer.key("overlays")
        var isBegun = false
        let rest = try describe(listsBaseMapSymbols: listsBaseMapSymbols) { (entries) throws(Problem) in
            if !isBegun { writer.beginArray() }
            isBegun = true
            for entry in entries { entry.json.write(into: &writer) }
            try write(writer.takeBytes())
        }
        if !isBegun { writer.beginArray(isOnOneLine: true) }
        writer.endArray()
        add(rest.fieldsAfterOverlays)
        writer.endObject()
        try write(writer.takeBytes())
    }
}

extension Inspection.OverlayEntry {
    fileprivate var json: JSONText {
        var fields: [(String, JSONText)] = [
            ("id", .string(id)), ("type", .string(type.rawValue)), ("visible", .boolean(isVisible)),
            ("reason", reason.map { .string($0.name) } ?? .null), ("order", order.map { .integer($0) } ?? .null),
            ("anchor", anchor.map(\.json) ?? .null), ("icon", icon.map(\.json) ?? .null),
            ("caption", caption.map(\.json) ?? .null), ("copies", .integer(copies)),
        ]
        if let isOccluded { fields.append(("occluded", .boolean(isOccluded))) }
        let isModel = type == .localModel || type == .geoModel
        if isModel || type == .groundOverlay { fields.append(("quad", quad.map(\.json) ?? .null)) }
        if isModel {
            fields.append(("triangles", triangles.map { .integer($0) } ?? .null))
        }
        if let lines { fields.append(("lines", .array(lines.map(\.json)))) }
        if let rings { fields.append(("rings", .array(rings.map(\.json)))) }
        if lines != nil || rings != nil { fields.append(("rect", rect.map(\.json) ?? .null)) }
        if let lineText { fields.append(("lineText", lineText.json)) }
        if let lineImage { fields.append(("lineImage", lineImage.json)) }
        if let members { fields.append(("members", .array(members.map { .string($0) }))) }
        return .object(fields)
    }
}

extension Inspection.LineLabel {
    fileprivate var json: JSONText {
        .object([
            ("visible", .boolean(isVisible)), ("reason", reason.map { .string($0.rawValue) } ?? .null),
            ("places", .array(places.map(\.json))),
        ])
    }
}

extension Inspection.LabelPlace {
    fileprivate var json: JSONText {
        .object([
            ("visible", .boolean(isVisible)), ("anchor", anchor.json), ("angle", .length(angle)),
            ("hiddenBy", hiddenBy.map { .string($0) } ?? .null),
        ])
    }
}

extension Inspection.ViewEntry {
    fileprivate var json: JSONText {
        .object([
            ("id", id.map { .string($0) } ?? .null), ("visible", .boolean(isVisible)), ("reason", reason.map { .string($0.name) } ?? .null),
            ("order", order.map { .integer($0) } ?? .null), ("anchor", anchor.map(\.json) ?? .null), ("rect", rect.map(\.json) ?? .null),
        ])
    }
}

extension Inspection.ElementEntry {
    fileprivate var json: JSONText {
        .object([
            ("id", .string(id)), ("type", .string(type.rawValue)), ("place", .string(place.rawValue)), ("visible", .boolean(isVisible)),
            ("reason", reason.map { .string($0.rawValue) } ?? .null), ("rect", rect.map(\.json) ?? .null),
        ])
    }
}

extension Inspection.Icon {
    fileprivate var json: JSONText {
        .object([
            ("visible", .boolean(isVisible)), ("quad", quad.map(\.json) ?? .null),
            ("hiddenBy", hiddenBy.map { .string($0) } ?? .null),
        ])
    }
}

extension Inspection.Caption {
    fileprivate var json: JSONText {
        .object([
            ("visible", .boolean(isVisible)), ("align", align.map { .string($0.rawValue) } ?? .null),
            ("rect", rect.map(\.json) ?? .null), ("lines", .array(lines.map { .string($0) })),
            ("hiddenBy", hiddenBy.map { .string($0) } ?? .null), ("cutByEdge", .boolean(isCutByEdge)),
        ])
    }
}

extension Inspection.Rect {
    fileprivate var json: JSONText { .array([.length(x), .length(y), .length(width), .length(height)]) }
}

extension Inspection.ClusterEntry {
    fileprivate var json: JSONText {
        .object([
            ("id", .string(id)), ("layer", .string(layer)), ("count", .integer(count)), ("text", .string(text)),
            ("position", position.json),
            ("anchor", anchor.map(\.json) ?? .null), ("icon", icon.map(\.json) ?? .null),
            ("order", order.map { .integer($0) } ?? .null), ("markers", .array(markers.map { .string($0) })),
            (
                "boundingBox",
                .array([boundingBox.west, boundingBox.south, boundingBox.east, boundingBox.north].map { .degrees($0) })
            ),
            ("expansionZoom", expansionZoom.map { .integer($0) } ?? .null),
        ])
    }
}

extension Inspection.SymbolEntry {
    fileprivate var json: JSONText {
        var fields: [(String, JSONText)] = [
            ("id", .string(id)), ("visible", .boolean(isVisible)), ("hiddenBy", hiddenBy.map { .string($0) } ?? .null),
            ("cutByEdge", .boolean(isCutByEdge)), ("anchor", anchor.map(\.json) ?? .null), ("rect", rect.map(\.json) ?? .null),
        ]
        if let role { fields.append(("role", .string(role))) }
        if let text { fields.append(("text", .string(text))) }
        if let angle { fields.append(("angle", .degrees(angle))) }
        if let isOccluded { fields.append(("occluded", .boolean(isOccluded))) }
        return .object(fields)
    }
}

extension Inspection.Point {
    fileprivate var json: JSONText { .array([.length(x), .length(y)]) }
}

extension [Inspection.Point] {
    fileprivate var json: JSONText { .array(map(\.json)) }
}

extension Diagnostic {
    fileprivate var json: JSONText {
        .object([
            ("severity", .string(severity.rawValue)), ("path", path.map { .string($0) } ?? .null), ("id", id.map { .string($0) } ?? .null),
            ("message", .string(message)),
        ])
    }
}
