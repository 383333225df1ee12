import Foundation
import Waymark

/// The overlays of `GET /static`: markers and paths in the syntax of static-map services, as overlays of a scene.
struct StaticMap: Sendable {
    private(set) var overlays: [JSON] = []

    static let marker = Parameter(
        "marker", .text,
        """
        Pins: settings and points, separated by |. Settings: color (CSS, or 0xRRGGBB), label (a digit or a letter), size (small, medium, \
        large), caption (text next to the pin). Points: LATITUDE,LONGITUDE.
        """, isRepeated: true, example: "color:red|label:A|37.5670,126.9784")
    static let path = Parameter(
        "path", .text,
        """
        A line, or an area if it has a fill: settings and points, separated by |. Settings: color and fill (CSS, or 0xRRGGBBAA), \
        weight (in pt), dash (a length in pt), geodesic (true, false). Points: two or more LATITUDE,LONGITUDE, three or more for an \
        area. Instead of points, the last item may be an encoded polyline after enc: (precision 5) or enc6: (precision 6).
        """, isRepeated: true, example: "color:blue|weight:5|enc:_p~iF~ps|U_ulLnnqC_mqNvxq`@")

    /// The length of a URL limits the points of a parameter; this limits the number of parameters.
    private static let mostParameters = 1000

    init(_ query: Query) throws(ServerError) {
        let (markers, paths) = (query.values(Self.marker.name), query.values(Self.path.name))
        guard markers.count + paths.count <= Self.mostParameters else {
            throw .parameter("marker", "there are more than \(Self.mostParameters) markers and paths")
        }
        for path in paths { overlays.append(try Self.line(path)) }
        for marker in markers { overlays += try Self.pins(marker) }
    }

    /// The change that adds them to a scene.
    var change: SceneChange {
        get throws(SceneError) { try SceneChange(json: Data(JSON.object([("add", .array(overlays))]).text.utf8)) }
    }

    private static func pins(_ text: String) throws(ServerError) -> [JSON] {
        let parts = try StaticParts(text, of: marker.name, known: ["color", "label", "size", "caption"])
        let color = try parts.color("color") ?? "#d9342b"
        let label = parts.value("label") ?? ""
        guard label.isEmpty || label.utf8.count == 1 && label.allSatisfy({ $0.isLetter || $0.isNumber }) else {
            throw .parameter(marker.name, "label: \(Parameter.shown(label)) is neither a digit nor a letter from a to z")
        }
        let size = parts.value("size") ?? "medium"
        guard ["small", "medium", "large"].contains(size) else {
            throw .parameter(marker.name, "size: \(Parameter.shown(size)) is not one of small, medium, large")
        }
        guard !parts.points.isEmpty else { throw .parameter(marker.name, "at least one point is required (LATITUDE,LONGITUDE)") }
        return parts.points.map { point in
            var members: [(key: String, value: JSON)] = [
                ("type", "marker"), ("position", point.json), ("iconImage", .string("pin:\(color):\(label):\(size)")),
            ]
            if let caption = parts.value("caption") { members.append(("captionText", .string(caption))) }
            return .object(members)
        }
    }

    private static func line(_ text: String) throws(ServerError) -> JSON {
        let settings = ["color", "fill", "weight", "dash", "geodesic"]
        let parts = try StaticParts(text, of: path.name, known: settings, isEncodable: true)
        let points: JSON
        if let encoded = parts.encoded {
            guard parts.points.isEmpty else {
                throw .parameter(path.name, "both points and an encoded polyline are given; give only one of them")
            }
            points = ["polyline": .string(encoded.text), "precision": .integer(encoded.precision)]
        } else {
            guard parts.points.count >= 2 else {
                throw .parameter(path.name, "a line needs at least 2 points, not \(parts.points.count)")
            }
            points = .array(parts.points.map(\.json))
        }
        let color = JSON.string(try parts.color("color") ?? "#2a6fdbd0")
        let width = JSON.number(try parts.number("weight", in: 0...1000) ?? 5)
        if let fill = try parts.color("fill") {
            if let other = ["dash", "geodesic"].first(where: { parts.value($0) != nil }) {
                throw .parameter(path.name, "\(other): this setting applies to lines, but a path with a fill is an area")
            }
            return [
                "type": "polygon", "rings": [points], "fillColor": .string(fill), "outlineColor": color, "outlineWidth": width,
            ]
        }
        var members: [(key: String, value: JSON)] = [
            ("type", "polyline"), ("points", points), ("color", color), ("width", width), ("joinType", "round"), ("capType", "round"),
        ]
        if let dash = try parts.number("dash", in: 0.1...10_000) { members.append(("pattern", [.number(dash), .number(dash)])) }
        if try parts.flag("geodesic") { members.append(("isGeodesic", true)) }
        return .object(members)
    }
}
