import Foundation
import HTTPTypes
import Waymark

/// The OpenAPI description of the routes, generated from their definitions: it describes exactly the parameters that are read.
enum OpenAPI {
    static func description(of routes: [Route]) -> JSON {
        var paths: [(key: String, value: JSON)] = []
        for route in routes {
            let operation = (key: route.method.rawValue.lowercased(), value: operation(route))
            if let index = paths.firstIndex(where: { $0.key == route.path }), case .object(let known) = paths[index].value {
                paths[index].value = .object(known + [operation])
            } else {
                paths.append((route.path, .object([operation])))
            }
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Waymark", "version": .string(waymarkVersion),
                "description": "Draws map overlays. Scenes are JSON files; docs/scene.md lists their keys, and GeoJSON is also accepted.",
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ],
            "servers": [["url": "/"]],
            "paths": .object(paths),
            "components": ["schemas": ["Scene": scene, "GeoJSON": geoJSON, "Error": error]],
        ]
    }

    private static func operation(_ route: Route) -> JSON {
        var members: [(key: String, value: JSON)] = [
            ("operationId", .string(operationID(route))), ("summary", .string(route.summary)),
        ]
        if !route.parameters.isEmpty { members.append(("parameters", .array(route.parameters.map(parameter)))) }
        if route.takesScene {
            members.append(
                (
                    "requestBody",
                    [
                        "required": true,
                        "content": [
                            "application/json": ["schema": ["$ref": "#/components/schemas/Scene"]],
                            "application/geo+json": ["schema": ["$ref": "#/components/schemas/GeoJSON"]],
                        ],
                    ]
                ))
        }
        members.append(("responses", .object(responses(route))))
        return .object(members)
    }

    private static func operationID(_ route: Route) -> String {
        let words = route.path.split { !$0.isLetter }.map(String.init)
        return words.isEmpty ? "page" : words[0] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    private static func parameter(_ parameter: Parameter) -> JSON {
        let schema = schema(parameter.kind)
        var members: [(key: String, value: JSON)] = [
            ("name", .string(parameter.name)), ("in", "query"), ("description", .string(parameter.text)),
            ("schema", parameter.isRepeated ? ["type": "array", "items": schema] : schema),
        ]
        if parameter.isRequired { members.append(("required", true)) }
        if parameter.isRepeated { members += [("style", "form"), ("explode", true)] }
        if let example = parameter.example { members.append(("example", parameter.isRepeated ? .array([example]) : example)) }
        return .object(members)
    }

    private static func schema(_ kind: Parameter.Kind) -> JSON {
        switch kind {
        case .number(let range):
            // The ends of the finite numbers do not count as limits.
            var members: [(key: String, value: JSON)] = [("type", "number")]
            if range.lowerBound > Parameter.finite.lowerBound { members.append(("minimum", .number(range.lowerBound))) }
            if range.upperBound < Parameter.finite.upperBound { members.append(("maximum", .number(range.upperBound))) }
            return .object(members)
        case .integer(let range): return ["type": "integer", "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)]
        case .flag: return ["type": "boolean"]
        case .choice(let choices): return ["type": "string", "enum": .array(choices.map(JSON.string))]
        case .pair(let separator, _, _):
            let number = #"-?[0-9]+(\.[0-9]+)?"#
            return ["type": "string", "pattern": .string("^\(number)\(separator)\(number)$")]
        case .text: return ["type": "string"]
        }
    }

    private static func responses(_ route: Route) -> [(key: String, value: JSON)] {
        let isPicture = route.produces.contains("image/png")
        let content = route.produces.map { type in
            (key: type, value: type == "application/json" ? ["schema": route.schema ?? ["type": "object"]] : JSON.object([]))
        }
        var members: [(key: String, value: JSON)] = [("description", .string(isPicture ? "The drawn picture." : "The response."))]
        if isPicture {
            members.append(("headers", ["ETag": ["schema": ["type": "string"], "description": "The picture's tag, for If-None-Match."]]))
        }
        members.append(("content", .object(content)))
        var responses: [(key: String, value: JSON)] = [("200", .object(members))]
        if isPicture { responses.append(("304", ["description": "The client already has this picture: its ETag is in If-None-Match."])) }
        return responses
            + route.errors.sorted().map { status in
                var members: [(key: String, value: JSON)] = [("description", .string(text(status)))]
                if status == 503 {
                    members.append(
                        (
                            "headers",
                            ["Retry-After": ["schema": ["type": "integer"], "description": "Seconds to wait before another attempt."]]
                        ))
                }
                // The state of health is not an error.
                let schema: JSON = route.path == "/health" ? route.schema ?? ["type": "object"] : ["$ref": "#/components/schemas/Error"]
                members.append(("content", ["application/json": ["schema": schema]]))
                return (key: "\(status)", value: .object(members))
            }
    }

    private static func text(_ status: Int) -> String {
        switch status {
        case 400: "A parameter is invalid, or the body is not valid HTTP/1.1."
        case 406: "Accept allows no picture format."
        case 408: "The request took too long to arrive."
        case 413: "The body is too large."
        case 415: "The body has a Content-Encoding."
        case 422: "The scene is invalid, exceeds a limit, or names a file that it may not read; `path` is the key path of the problem."
        case 500: "An internal error."
        case 502: "The worker was lost while drawing this picture."
        case 503: "Too many pictures are waiting to be drawn or to be read by clients, or the server is closing."
        case 504: "The picture was not finished in time."
        default: "\(HTTPResponse.Status(code: status).reasonPhrase)."
        }
    }

    /// The schema of scene files; its references are to its own parts.
    private static var scene: JSON {
        .raw(SceneFile.schema.replacing("\"#/$defs/", with: "\"#/components/schemas/Scene/$defs/").trimmingCharacters(in: .newlines))
    }

    private static let geoJSON: JSON = [
        "type": "object", "required": ["type"],
        "properties": [
            "type": [
                "enum": [
                    "FeatureCollection", "Feature", "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon",
                    "GeometryCollection",
                ]
            ]
        ],
    ]

    private static let error: JSON = [
        "type": "object", "required": ["error"],
        "properties": [
            "error": [
                "type": "object", "required": ["code", "message"],
                "properties": [
                    "code": ["type": "string", "description": "The error code, for programs."],
                    "message": ["type": "string", "description": "The error in one sentence, for people."],
                    "path": ["type": "string", "description": "The parameter or the key path in the scene to which the error refers."],
                ],
            ]
        ],
    ]
}
