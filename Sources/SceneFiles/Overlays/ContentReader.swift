import WaymarkGeo
import WaymarkScene

extension JSONValue {
    /// Throws for a key that was probably meant as one of the keys of content. Other unknown keys are not reported here, because a message
    /// about the missing key says more.
    fileprivate func checkContentKeys(_ names: [String]) throws(SceneFileError) {
        let synonyms = ["text": "label", "contents": "stack", "children": "stack"]
        for member in try readMembers() where !names.contains(member.key) {
            let suggestion = hint(for: member.key, synonyms, among: names)
            if !suggestion.isEmpty { throw error("unknown key \(member.key.quotedBriefly)\(suggestion)") }
        }
    }

    /// Throws for a key beside `label`, because all keys of a label belong inside its object.
    fileprivate func checkOnlyLabel() throws(SceneFileError) {
        let list = LabelProperties.table.list
        for member in try readMembers() where member.key != "label" {
            let name = list.synonyms[member.key] ?? nearestName(to: member.key, among: list.properties.map(\.name))
            throw error(
                "unknown key \(member.key.quotedBriefly)" + (name.map { "; did you mean \"\($0)\" in \"label\"?" } ?? ""))
        }
    }
}

extension SceneReader {
    /// Reads the content of a view: an object with a label, an image, an SVG or a stack of contents.
    mutating func readContent(_ value: JSONValue, depth: Int = 1) throws(SceneFileError) -> OverlayContent {
        guard value.kind == .object else { throw value.unexpected("content: an object with a label, an image, an svg or a stack") }
        guard depth <= StackContent.depthLimit else {
            throw value.error("content is nested more than \(StackContent.depthLimit) levels deep")
        }
        let kinds = [("label", value["label"]), ("image", value["image"]), ("svg", value["svg"]), ("stack", value["stack"])]
        let given = kinds.filter { $1 != nil }
        guard given.count == 1 else {
            if given.isEmpty { try value.checkContentKeys(kinds.map(\.0)) }
            let names = kinds.map { "\"\($0.0)\"" }.joined(separator: ", ")
            throw value.error(
                given.isEmpty
                    ? "content needs one of the keys \(names)" : "content may have only one of the keys \(names); \(given.count) are given")
        }
        switch given[0].0 {
        case "label":
            let label = Box(LabelContent())
            try value.checkOnlyLabel()
            if let inner = given[0].1 { try decode(inner, LabelProperties.table.list, into: label) }
            return .label(label.value)
        case "image":
            let image = Box(ImageContent(.empty))
            try decode(value, ImageContentProperties.table.list, into: image)
            return .image(image.value)
        case "svg":
            let image = Box(ImageContent(.empty))
            try decode(value, SVGContentProperties.table.list, into: image) { (part, member, reader) throws(SceneFileError) in
                if case .svg = part { image.value.image = try reader.images.svg(member) }
            }
            return .image(image.value)
        default:
            let stack = Box(StackContent())
            try decode(value, StackProperties.table.list, into: stack) { (part, member, reader) throws(SceneFileError) in
                guard case .stack = part else { return }
                let elements = try member.readArray()
                guard member.count <= StackContent.countLimit else {
                    throw member.error("a stack may have at most \(StackContent.countLimit) pieces of content, not \(member.count)")
                }
                for element in elements { stack.value.contents.append(try reader.readContent(element, depth: depth + 1)) }
            }
            return .stack(stack.value)
        }
    }

    /// Reads a view overlay.
    /// - Parameter name: The name of a view overlay without an id.
    mutating func readViewOverlay(_ value: JSONValue, name: OverlayID) throws(SceneFileError) -> ViewOverlay {
        let overlay = ViewOverlayProperties.table.make()
        try decode(value, ViewOverlayProperties.table.list, into: overlay)
        try claimID(of: overlay, name: name, at: value)
        return overlay
    }

    /// Reads the info window of a scene, open at a position.
    mutating func readInfoWindow(_ value: JSONValue) throws(SceneFileError) -> SceneInfoWindow {
        let window = Box(SceneInfoWindow())
        try decode(value, SceneInfoWindowProperties.table.list, into: window)
        return window.value
    }
}

/// The info window of a scene that is open at a position instead of for a marker.
struct SceneInfoWindow {
    var position = LatLng(lat: 0, lng: 0)
    /// The whole window, or the contents of the default frame.
    var content: OverlayContent?
    var contents: OverlayContent?
}

enum SceneInfoWindowProperties {
    static let table = PropertyTable<Box<SceneInfoWindow>>(
        { Box(SceneInfoWindow()) },
        exclusive: [
            ExclusiveKeys(
                names: ["content", "contents"], problem: "content and contents are mutually exclusive",
                reportedAt: "contents",
                missing: "an info window needs \"content\", which replaces the whole window, or \"contents\", drawn in the default frame")
        ],
        synonyms: ["coordinates": "position"],
        [
            .position("position", { $0.value.position }, { $0.value.position = $1 }, "The position at which the window opens.").required(),
            .content(
                "content", { $0.value.content }, { $0.value.content = $1 },
                "Content that replaces the whole window. Its bottom center is at the position."),
            .content("contents", { $0.value.contents }, { $0.value.contents = $1 }, "The content inside the default frame."),
        ])
}

extension SceneSettings {
    /// Opens the scene's info window on its map, or closes an open one.
    /// - Returns: The reason why the marker cannot be selected; nil if it can.
    func select(on mapView: MapView) -> String? {
        if let window = infoWindow {
            if let content = window.content {
                mapView.openInfoWindow(content, at: window.position)
            } else if let contents = window.contents {
                mapView.openInfoWindow(contents: contents, at: window.position)
            }
            return nil
        }
        guard let id = selectedMarker else {
            mapView.closeInfoWindow()
            return nil
        }
        let overlay = mapView.overlay(withID: id)
        guard let marker = overlay as? Marker else {
            mapView.closeInfoWindow()
            let view = mapView.viewOverlay(withID: id).map { _ in ViewOverlayProperties.type }
            guard let type = overlay?.type.rawValue ?? view else { return "no overlay has the id \(id.quotedBriefly)" }
            return "\(id.quotedBriefly) is a \(type), not a marker"
        }
        mapView.selectedMarker = marker
        mapView.windows.isWindowExpected = true
        return nil
    }
}
