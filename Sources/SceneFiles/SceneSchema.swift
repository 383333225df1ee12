import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// The JSON Schema of scene files (draft 2020-12), generated from the property tables.
///
/// It accepts the same scenes as the reader, except for rules that a schema cannot express: unique ids, existing files, and matching counts
/// in a mesh.
enum SceneSchema {
    static var page: String { schema.text + "\n" }

    private static var schema: JSONText {
        let root = object(SceneProperties.table.list)
        return JSONText.object([
            ("$schema", "https://json-schema.org/draft/2020-12/schema"),
            ("title", "Waymark scene"),
            ("description", "A map with overlays and a camera, for the waymark program and library."),
        ]).adding(root.members).adding([("$defs", .object(definitions))])
    }

    private static var definitions: [(String, JSONText)] {
        let types = OverlayType.allCases.map { ($0.rawValue, object($0.properties, type: $0.rawValue)) }
        let names = OverlayType.allCases.map(\.rawValue) + [ViewOverlayProperties.type, SceneReader.featureSourceType]
        return [
            ("overlay", ["oneOf": .array(names.map(reference))])
        ] + types + [
            (ViewOverlayProperties.type, object(ViewOverlayProperties.table.list, type: ViewOverlayProperties.type)),
            (
                "content",
                ["oneOf": .array(["labelContent", "imageContent", "svgContent", "stackContent"].map(reference))]
            ),
            ("labelContent", object(with: "label", object(LabelProperties.table.list))),
            ("imageContent", object(ImageContentProperties.table.list)),
            ("svgContent", object(SVGContentProperties.table.list)),
            ("stackContent", object(StackProperties.table.list)),
            (
                "contentTemplate",
                [
                    "oneOf": .array(
                        ["labelContentTemplate", "imageContentTemplate", "svgContentTemplate", "stackContentTemplate"].map(reference))
                ]
            ),
            ("labelContentTemplate", object(with: "label", contentTemplate(LabelProperties.table.list))),
            ("imageContentTemplate", contentTemplate(ImageContentProperties.table.list)),
            ("svgContentTemplate", contentTemplate(SVGContentProperties.table.list)),
            ("stackContentTemplate", contentTemplate(StackProperties.table.list)),
            ("infoWindow", object(SceneInfoWindowProperties.table.list)),
            ("event", event),
            (SceneReader.featureSourceType, object(FeatureSourceProperties.table.list, type: SceneReader.featureSourceType)),
            ("clusterMarker", object(ClusterMarkerProperties.table.list, type: OverlayType.marker.rawValue)),
            ("styledRange", styledRange),
            ("basicClusterStyle", object(ClusterStyleProperties.basic.list)),
            ("imageClusterStyle", object(ClusterStyleProperties.image.list)),
            ("markerTemplate", object(MarkerProperties.table.list, isTemplate: true)),
            ("polylineTemplate", object(PolylineProperties.table.list, isTemplate: true)),
            ("polygonTemplate", object(PolygonProperties.table.list, isTemplate: true)),
            ("baseMapLayer", object(BaseMapProperties.table.list)),
            ("symbol", object(SymbolProperties.table.list)),
            ("symbolSource", object(SymbolSourceProperties.table.list)),
            ("symbolTemplate", object(SymbolProperties.table.list, isTemplate: true)),
            ("camera", object(CameraProperties.table.list, besides: FitProperties.table.list)),
            ("fit", object(FitProperties.table.list, besides: CameraProperties.table.list)),
        ] + elements + shared
    }

    private static var elements: [(String, JSONText)] {
        [
            ("element", ["oneOf": .array(ElementType.allCases.map { reference(name(of: $0)) })]),
            ("scaleLegend", ["anyOf": [["type": "boolean"], object(LegendElementProperties.scaleTable.list)]]),
        ] + ElementType.allCases.map { (name(of: $0), object($0.sceneProperties, type: $0.rawValue)) }
    }

    /// The name of the definition of an element.
    private static func name(of type: ElementType) -> String { type.rawValue + "Element" }

    /// The schema of an object with the properties of a list and no other keys.
    /// - Parameters:
    ///   - type: The value of its `type`, if it has one.
    ///   - other: A list whose keys may also be present if they are null.
    private static func object(
        _ list: PropertyList, type: String? = nil, isTemplate: Bool = false, besides other: PropertyList? = nil
    ) -> JSONText {
        let fresh = list.make()
        let properties = list.properties.filter { property in
            if case .refused = property.type { return false }
            return !isTemplate || property.template != nil
        }
        let names = Set(properties.map(\.name))
        let others = other?.properties.map(\.name).filter { !names.contains($0) } ?? []
        var members: [(String, JSONText)] = [
            ("type", "object"),
            (
                "properties",
                .object(
                    properties.map { ($0.name, schema(of: $0, fresh, type: type, isTemplate: isTemplate)) }
                        + others.map { ($0, ["type": "null"]) })
            ),
        ]
        if !isTemplate {
            let required = properties.filter(\.isRequired).map { JSONText.string($0.name) }
            if !required.isEmpty { members.append(("required", .array(required))) }
        }
        for keys in list.exclusive {
            let names = keys.names.filter { name in properties.contains { $0.name == name } }
            guard names.count > 1 else { continue }
            if keys.missing == nil {
                members.append(("not", present(names)))
            } else {
                members.append(("oneOf", .array(names.map { present([$0]) })))
            }
        }
        members.append(("additionalProperties", false))
        return .object(members)
    }

    /// The schema of content whose values may be templates.
    private static func contentTemplate(_ properties: PropertyList) -> JSONText {
        let fresh = properties.make()
        let values = properties.properties.map { property -> (String, JSONText) in
            let plain = schema(of: property, fresh, type: nil, isTemplate: false)
            return switch property.type {
            case .object(_, let inner): (property.name, contentTemplate(inner).orNull)
            case .part(.stack): (property.name, list(reference("contentTemplate"), count: 0...StackContent.countLimit))
            case .part, .image, .text: (property.name, plain)
            default: (property.name, ["anyOf": .array([plain, reference("template")] + scales(of: property.type))])
            }
        }
        return .object(object(properties).members.map { $0.0 == "properties" ? ("properties", .object(values)) : $0 })
    }

    /// The schema of objects that have all these keys; null is equivalent to leaving a key out.
    static func present(_ names: [String]) -> JSONText {
        [
            "required": .array(names.map(JSONText.string)),
            "properties": .object(names.map { ($0, ["not": ["type": "null"]]) }),
        ]
    }

    /// The scales that a template can have in place of a value.
    private static func scales(of type: PropertyType) -> [JSONText] {
        switch type.scaleKind {
        case .number: [reference("numberScale")]
        // The color of a line is a color or a scale already.
        case .color: if case .color = type { [reference("colorScale")] } else { [] }
        case nil: []
        }
    }

    private static func schema(of property: Property, _ fresh: AnyObject, type: String?, isTemplate: Bool) -> JSONText {
        var schema = value(of: property.type, type: type)
        if isTemplate, case .content = property.type { schema = reference("contentTemplate") }
        if isTemplate, !property.type.isText {
            schema = ["anyOf": .array([schema, reference("template")] + scales(of: property.type))]
        }
        if !property.isRequired { schema = schema.orNull }
        var members: [(String, JSONText)] = [("description", .string(property.summary))]
        if let standard = property.type.defaultValue(of: fresh) { members.append(("default", standard)) }
        return JSONText.object(members).adding(schema.members)
    }

    private static func value(of type: PropertyType, type name: String?) -> JSONText {
        switch type {
        case .number(_, let range): number(range)
        case .size(_, let range): ["anyOf": [["const": "auto"], number(range)]]
        case .integer(_, let allowed):
            allowed.map { ["enum": .array($0.map { .number(Double($0)) })] } ?? ["type": "integer"]
        case .wholeNumber(_, let range):
            ["type": "integer", "minimum": .number(Double(range.lowerBound)), "maximum": .number(Double(range.upperBound))]
        case .boolean: ["type": "boolean"]
        case .text(_, .free), .image: ["type": "string"]
        case .text(_, .identifier): ["type": "string", "minLength": 1]
        case .text(_, .languageTag): languageTag
        case .color: reference("color")
        case .point(_, let range): list(number(range), count: 2...2)
        case .direction: list(number(.finite), count: 3...3).adding([("not", ["const": [0, 0, 0]])])
        case .position(_, let latitudes):
            latitudes == JSONValue.latitudes ? reference("position") : position(latitudes: latitudes)
        case .bounds: reference("bounds")
        case .choice(_, let names): choice(names)
        case .choices(_, let names): ["anyOf": [choice(names), list(choice(names), count: 1...names.count)]]
        case .zoomLevels: list(["type": "integer", "minimum": 0, "maximum": 24])
        case .pattern: list(number(Polyline.patternRange), count: 0...Polyline.maximumNumberOfPatternLengths)
        case .lineColor: ["anyOf": [reference("color"), reference("colorScale")]]
        case .gradient: stops(at: number(Polyline.gradientRange), reference("color"), count: 0...Scale<Color>.countLimit)
        case .pointValues: ["type": "object", "additionalProperties": list(number(.finite).orNull)]
        case .line: reference("line")
        case .lines: list(reference("line"), count: 1 ... .max)
        case .rings: reference("rings")
        case .polygons: list(reference("rings"), count: 1 ... .max)
        case .content: reference("content")
        case .object(_, let properties): object(properties)
        case .objects(_, let properties, let limit): list(object(properties), count: 0...limit)
        case .part(let part): value(of: part, type: name)
        // Unreachable: refused keys are filtered out when an object's schema is built.
        case .refused: false
        }
    }

    private static func value(of part: ScenePart, type name: String?) -> JSONText {
        switch part {
        case .type: ["const": .string(name ?? "")]
        case .version: ["const": 1]
        case .fit:
            [
                "oneOf": [
                    ["const": "overlays"], list(["type": "string"]), object(with: "bounds", reference("bounds")),
                    object(with: "points", list(position(latitudes: Camera.centerLatitudeRange))),
                ]
            ]
        case .camera: ["oneOf": [reference("camera"), reference("fit")]]
        case .images:
            ["type": "object", "additionalProperties": ["anyOf": [["type": "string"], reference("image"), ["type": "null"]]]]
        case .sky: ["anyOf": [reference("color"), list(reference("color"), count: 2...2)]]
        case .baseMap:
            [
                "anyOf": [
                    ["type": "string"], reference("baseMapLayer"), list(["anyOf": [["type": "string"], reference("baseMapLayer")]]),
                ]
            ]
        case .source, .tileSource, .modelFile, .svg: ["type": "string"]
        case .languages:
            ["anyOf": [languageTag, ["type": "array", "items": languageTag, "minItems": 1, "maxItems": 2]]]
        case .symbols: ["anyOf": [reference("symbolSource"), list(reference("symbol"))]]
        case .overlays: list(reference("overlay"))
        case .clusterMarkers: list(reference("clusterMarker"))
        case .theme: list(reference("styledRange"))
        case .usesAltitude: ["type": "boolean"]
        case .markerTemplate: reference("markerTemplate")
        case .polylineTemplate: reference("polylineTemplate")
        case .polygonTemplate: reference("polygonTemplate")
        case .symbolTemplate: reference("symbolTemplate")
        case .floatMesh: reference("mesh")
        case .geoMesh: reference("geoMesh")
        case .infoWindow: reference("infoWindow")
        case .events: list(reference("event"))
        case .elements: list(reference("element"), count: 0...SceneReader.elementLimit)
        case .stack: list(reference("content"), count: 0...StackContent.countLimit)
        }
    }
}

// The schemas of value types.
extension SceneSchema {
    fileprivate static let languageTag: JSONText = ["type": "string", "pattern": "^[A-Za-z0-9]{2,8}(-[A-Za-z0-9]{1,8})*$"]

    static func reference(_ name: String) -> JSONText { ["$ref": .string("#/$defs/\(name)")] }

    static func number(_ range: ClosedRange<Double>) -> JSONText {
        var members: [(String, JSONText)] = [("type", "number")]
        if range.isPositive {
            members.append(("exclusiveMinimum", 0))
        } else if range.lowerBound > -Double.greatestFiniteMagnitude {
            members.append(("minimum", .number(range.lowerBound)))
        }
        if range.upperBound < Double.greatestFiniteMagnitude { members.append(("maximum", .number(range.upperBound))) }
        return .object(members)
    }

    static func choice(_ names: [String]) -> JSONText { ["enum": .array(names.map(JSONText.string))] }

    static func list(_ element: JSONText, count: ClosedRange<Int> = 0 ... .max) -> JSONText {
        var members: [(String, JSONText)] = [("type", "array"), ("items", element)]
        if count.lowerBound > 0 { members.append(("minItems", .number(Double(count.lowerBound)))) }
        if count.upperBound < .max { members.append(("maxItems", .number(Double(count.upperBound)))) }
        return .object(members)
    }

    private static func position(latitudes: ClosedRange<Double>) -> JSONText {
        let altitude = number(Overlay.altitudeRange)
        return [
            "oneOf": [
                [
                    "type": "array", "prefixItems": [number(.finite), number(latitudes), altitude], "minItems": 2, "maxItems": 3,
                ],
                [
                    "type": "object", "properties": ["lat": number(latitudes), "lng": number(.finite), "altitude": altitude.orNull],
                    "required": ["lat", "lng"], "additionalProperties": false,
                ],
            ]
        ]
    }

    /// An object with one key.
    private static func object(with key: String, _ value: JSONText) -> JSONText {
        ["type": "object", "properties": .object([(key, value)]), "required": [.string(key)], "additionalProperties": false]
    }

    private static var event: JSONText {
        let point = list(number(.finite), count: 2...2)
        let ends: JSONText = [
            "type": "object", "properties": ["from": point, "to": point], "required": ["from", "to"], "additionalProperties": false,
        ]
        let drag: JSONText = ["oneOf": [list(point, count: 1 ... .max), ends]]
        return [
            "oneOf": .array(
                PointerEvent.Kind.allCases.map { kind in
                    switch kind {
                    case .tap, .longPress: object(with: kind.rawValue, point)
                    case .drag: object(with: kind.rawValue, drag)
                    }
                })
        ]
    }

    private static var styledRange: JSONText {
        let bound: JSONText = ["type": "integer", "minimum": 2]
        return [
            "type": "object",
            "properties": [
                "densityRange": ["type": "array", "prefixItems": [bound, bound.orNull], "minItems": 2, "maxItems": 2],
                "style": ["oneOf": [reference("basicClusterStyle"), reference("imageClusterStyle")]],
            ],
            "required": ["densityRange", "style"], "additionalProperties": false,
        ]
    }

    private static func points(atLeast count: Int) -> JSONText {
        ["anyOf": [list(reference("position"), count: count ... .max), reference("encodedPolyline")]]
    }

    private static func mesh(_ vertex: JSONText) -> JSONText {
        let index: JSONText = ["type": "integer", "minimum": 0]
        return [
            "type": "object",
            "properties": [
                "vertices": list(vertex, count: 1...Mesh.maximumNumberOfVertices),
                "triangles": list(list(index, count: 3...3), count: 1...Mesh.maximumNumberOfTriangles),
                "textureCoordinates": list(list(number(Mesh.textureCoordinateRange), count: 2...2)).orNull,
                "normals": list(list(number(FloatMesh.coordinateRange), count: 3...3)).orNull,
                "colors": list(reference("color")).orNull,
            ],
            "required": ["vertices", "triangles"], "additionalProperties": false,
        ]
    }

    private static var shared: [(String, JSONText)] {
        [
            (
                "color",
                [
                    "type": "string",
                    "anyOf": [
                        ["pattern": "^#([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})$"], choice(Color.cssNames),
                        // Names are case-insensitive; there are too many spellings with capitals to list.
                        ["pattern": "^[A-Za-z]*[A-Z][A-Za-z]*$"],
                    ],
                ]
            ),
            ("colorScale", colorScale),
            ("colorScheme", choice(ColorScheme.names.flatMap { [$0, "-\($0)"] })),
            ("numberScale", numberScale),
            ("scaleClasses", scaleClasses),
            ("scaleValue", scaleValue),
            ("position", position(latitudes: JSONValue.latitudes)),
            (
                "bounds",
                [
                    "type": "array",
                    "prefixItems": [number(.finite), number(JSONValue.latitudes), number(.finite), number(JSONValue.latitudes)],
                    "minItems": 4, "maxItems": 4,
                ]
            ),
            (
                "encodedPolyline",
                [
                    "type": "object", "properties": ["polyline": ["type": "string"], "precision": ["enum": [5, 6, .null], "default": 5]],
                    "required": ["polyline"], "additionalProperties": false,
                ]
            ),
            ("line", points(atLeast: 2)),
            ("rings", list(points(atLeast: 3), count: 1 ... .max)),
            (
                "image",
                [
                    "type": "object", "properties": ["path": ["type": "string"], "scale": number(ImageTable.scaleRange).orNull],
                    "required": ["path"], "additionalProperties": false,
                ]
            ),
            ("mesh", mesh(list(number(FloatMesh.coordinateRange), count: 3...3))),
            (
                "geoMesh",
                mesh([
                    "type": "array", "prefixItems": [number(.finite), number(JSONValue.latitudes), number(Overlay.altitudeRange)],
                    "minItems": 3, "maxItems": 3,
                ])
            ),
            (
                "template",
                [
                    "type": "string", "pattern": "[{}]",
                    "description": "A text in which `{NAME}` is replaced by the feature's property with that name.",
                ]
            ),
        ]
    }
}

extension JSONText {
    /// The same schema, which also accepts null.
    var orNull: JSONText {
        let members = members
        let isPlain = members.allSatisfy { !["$ref", "anyOf", "oneOf", "not", "const"].contains($0.0) }
        guard isPlain, members.contains(where: { $0.0 == "type" || $0.0 == "enum" }) else { return ["anyOf": [self, ["type": "null"]]] }
        return .object(
            members.map { member in
                switch member {
                case ("type", let type): ("type", [type, "null"])
                case ("enum", .array(let values)): ("enum", .array(values + [.null]))
                default: member
                }
            })
    }

    /// The same object with more members; values other than objects are returned unchanged.
    func adding(_ more: [(String, JSONText)]) -> JSONText {
        if case .object(let members) = self { .object(members + more) } else { self }
    }

    /// The members of an object; empty for any other value.
    var members: [(String, JSONText)] {
        if case .object(let members) = self { members } else { [] }
    }
}

extension PropertyType {
    /// Whether the schema accepts any text.
    fileprivate var isText: Bool {
        switch self {
        case .text(_, .free), .image: true
        default: false
        }
    }

    /// The default of a property, which a new object has; nil if a scene file would leave it out.
    func defaultValue(of object: AnyObject) -> JSONText? {
        switch self {
        case .text(let accessor, _): return accessor.get(object).flatMap { $0.isEmpty ? nil : .string($0) }
        case .color(let accessor): return accessor.get(object).map { .string($0.cssText) }
        case .object(let accessor, let list):
            return .object(
                list.properties.compactMap { property in
                    property.type.defaultValue(of: accessor.get(object)).map { (property.name, $0) }
                })
        case .number, .size, .integer, .wholeNumber, .boolean, .image, .point, .choice, .choices, .zoomLevels, .pattern, .gradient,
            .objects:
            guard let value = try? value(of: object, ""), value != .null else { return nil }
            return value
        case .lineColor: return (object as? Polyline).map { .string($0.color.cssText) }
        case .direction, .position, .bounds, .pointValues, .line, .lines, .rings, .polygons, .content, .part, .refused: return nil
        }
    }
}
