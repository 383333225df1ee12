import ArgumentParser
import Waymark

/// `waymark inspect`: the position of everything in a scene, as JSON.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Prints the position of everything, and why anything is missing, as JSON.")

    @OptionGroup var scene: SceneArguments

    // The same options as for the other commands; only the fonts matter here.
    @OptionGroup var device: DeviceArguments

    func run() throws {
        try reporting { () throws(Failure) in
            let mapView = try scene.load(device.fontSource)
            let inspection: Inspection
            do throws(RenderError) {
                inspection = try mapView.inspection()
            } catch {
                throw Failure(error, scene: scene.name)
            }
            if !scene.lenient, let error = inspection.diagnostics.first(where: { $0.severity == .error }) {
                throw Failure(.badContent, "\(scene.name): \(error)")
            }
            try Pipes.write(inspection.json.text + "\n")
        }
    }
}

extension Inspection {
    /// The output of `inspect`: px and pt with 3 decimals, degrees with 9.
    fileprivate var json: JSONText {
        let camera = viewport.camera
        return .object([
            ("size", .object([("width", .length(viewport.size.width)), ("height", .length(viewport.size.height))])),
            ("pixelRatio", .length(viewport.pixelRatio)),
            (
                "camera",
                .object([
                    ("center", .object([("lat", .degrees(camera.center.lat)), ("lng", .degrees(camera.center.lng))])),
                    ("zoom", .degrees(camera.zoom)), ("bearing", .degrees(camera.bearing)), ("tilt", .degrees(camera.tilt)),
                ])
            ),
            ("overlays", .array(overlays.map(\.json))),
            ("clusters", .array([])),
            ("symbols", .array(symbols.map(\.json))),
            ("diagnostics", .array(diagnostics.map(\.json))),
        ])
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
        if type == .localModel || type == .geoModel {
            fields.append(("quad", quad.map { .array($0.map(\.json)) } ?? .null))
            fields.append(("triangles", triangles.map { .integer($0) } ?? .null))
        }
        if let members { fields.append(("members", .array(members.map { .string($0) }))) }
        return .object(fields)
    }
}

extension Inspection.Icon {
    fileprivate var json: JSONText {
        .object([
            ("visible", .boolean(isVisible)), ("quad", quad.map { .array($0.map(\.json)) } ?? .null),
            ("hiddenBy", hiddenBy.map { .string($0) } ?? .null),
        ])
    }
}

extension Inspection.Caption {
    fileprivate var json: JSONText {
        .object([
            ("visible", .boolean(isVisible)), ("align", align.map { .string($0.rawValue) } ?? .null),
            ("rect", rect.map(\.json) ?? .null), ("lines", .array(lines.map { .string($0) })),
            ("hiddenBy", hiddenBy.map { .string($0) } ?? .null),
        ])
    }
}

extension Inspection.Rect {
    fileprivate var json: JSONText { .array([.length(x), .length(y), .length(width), .length(height)]) }
}

extension Inspection.SymbolEntry {
    fileprivate var json: JSONText {
        .object([
            ("id", .string(id)), ("visible", .boolean(isVisible)), ("hiddenBy", hiddenBy.map { .string($0) } ?? .null),
            ("anchor", anchor.map(\.json) ?? .null), ("rect", rect.map(\.json) ?? .null),
        ])
    }
}

extension Inspection.Point {
    fileprivate var json: JSONText { .array([.length(x), .length(y)]) }
}

extension Diagnostic {
    fileprivate var json: JSONText {
        .object([
            ("severity", .string(severity.rawValue)), ("path", path.map { .string($0) } ?? .null), ("id", id.map { .string($0) } ?? .null),
            ("message", .string(message)),
        ])
    }
}
