import Foundation
import HTTPTypes
import Waymark

/// The routes that take a scene as their body.
struct PictureRoutes: Sendable {
    let service: PictureService
    let bodies: BodyReader

    private static let errors = [400, 408, 413, 415, 422, 500, 502, 503, 504]

    static let at = Parameter(
        "at", .pair(separator: ",", 0...65_535, 0...65_535), "The point X,Y in pt from the picture's upper left corner.", isRequired: true,
        example: "300,150")
    static let tolerance = Parameter(
        "tolerance", .number(HitOptions.toleranceRange), "The largest distance of an object from the point, in pt.")
    static let includeInvisible = Parameter(
        "includeInvisible", .flag,
        "Whether to also find objects that are not drawn because they are hidden, outside their zoom range, or hidden by a collision.")
    static let symbols = Parameter("symbols", .flag, "Whether the labels of a vector base map are listed among the symbols.")
    static let ignoreTransparent = Parameter("ignoreTransparent", .flag, "Whether transparent pixels of icons are ignored.")

    var all: [Route] {
        [
            Route(
                method: .post, path: "/render", summary: "Draws a scene or GeoJSON.",
                parameters: ViewParameters.all + EncodingParameters.all,
                takesScene: true, produces: ["image/png", "image/webp", "image/jpeg", "application/octet-stream"],
                errors: Self.errors + [406], answer: render),
            Route(
                method: .post, path: "/inspect",
                summary: "Returns the position of each object in the picture, as `waymark inspect` prints it.",
                parameters: [Self.symbols] + ViewParameters.all, takesScene: true, produces: ["application/json"],
                schema: ["type": "object", "required": ["size", "camera", "overlays", "diagnostics"]], errors: Self.errors, answer: inspect),
            Route(
                method: .post, path: "/pick",
                summary: "Returns the objects at a point of the picture, topmost first, as `waymark pick` prints them.",
                parameters: [Self.at, Self.tolerance, Self.includeInvisible, Self.ignoreTransparent] + ViewParameters.all, takesScene: true,
                produces: ["application/json"],
                schema: ["type": "array", "items": ["type": "object", "required": ["id", "type", "part"]]],
                errors: Self.errors, answer: pick),
        ]
    }

    @Sendable private func render(_ call: Route.Call) async throws -> ServerAnswer {
        let view = try ViewParameters.view(call.query)
        let encoding = try EncodingParameters.encoding(call.query, accept: call.request.headers[.accept])
        return try await withScene(call) { request in
            var answer = try await service.answer(
                request, encoding, key: ["\(view)"], known: call.request.headers[.ifNoneMatch])
            answer.headers[.cacheControl] = "private, no-cache"
            answer.headers[.vary] = "Accept"
            return answer
        }
    }

    @Sendable private func inspect(_ call: Route.Call) async throws -> ServerAnswer {
        let symbols = try Self.symbols.flag(in: call.query) ?? false
        return try await withScene(call) { try await service.inspect($0, listsBaseMapSymbols: symbols) }
    }

    @Sendable private func pick(_ call: Route.Call) async throws -> ServerAnswer {
        guard let point = try Self.at.pair(in: call.query) else {
            throw ServerError.parameter("at", "this parameter is missing; give a point X,Y in pt")
        }
        let options = HitOptions(
            tolerance: try Self.tolerance.number(in: call.query) ?? HitOptions().tolerance,
            includesInvisible: try Self.includeInvisible.flag(in: call.query) ?? false,
            ignoresTransparentPixels: try Self.ignoreTransparent.flag(in: call.query) ?? false)
        return try await withScene(call) { try await service.pick($0, at: CGPoint(x: point.0, y: point.1), options) }
    }

    /// Reads the scene and the view of a call, and answers it unless the client hangs up first.
    private func withScene(
        _ call: Route.Call, _ answer: @escaping @Sendable (PictureService.Request) async throws -> ServerAnswer
    ) async throws -> ServerAnswer {
        // The query comes first: if it is invalid, the body need not be read.
        let view = try ViewParameters.view(call.query)
        return try await bodies.withBody(of: call.request, call.connection) { body in
            var request = try service.request(body)
            request.change.view = view
            return try await call.connection.watching { [request] in try await answer(request) }
        }
    }
}
