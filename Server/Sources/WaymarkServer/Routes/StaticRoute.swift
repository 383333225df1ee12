import HTTPTypes
import Waymark

/// The route that draws the markers and paths in its query over the base scene.
struct StaticRoute: Sendable {
    let service: PictureService

    static let scale = Parameter("scale", .number(Viewport.pixelRatioRange), "Device pixels per pt, the same as pixelRatio.", example: 2)

    var route: Route {
        Route(
            method: .get, path: "/static", summary: "Draws markers and paths, with a given center or with all of them in view.",
            parameters: [StaticMap.marker, StaticMap.path, Self.scale] + ViewParameters.all + EncodingParameters.all,
            produces: ["image/png", "image/webp", "image/jpeg", "application/octet-stream"], errors: [400, 406, 422, 500, 502, 503, 504],
            answer: answer)
    }

    @Sendable private func answer(_ call: Route.Call) async throws -> ServerAnswer {
        let map = try StaticMap(call.query)
        var view = try ViewParameters.view(call.query)
        if let scale = try Self.scale.number(in: call.query) {
            guard view.pixelRatio == nil else {
                throw ServerError.parameter("scale", "scale is another name for pixelRatio; give only one of them")
            }
            view.pixelRatio = scale
        }
        let encoding = try EncodingParameters.encoding(call.query, accept: call.request.headers[.accept])
        if map.overlays.isEmpty, service.options.base == nil, view.center == nil || view.zoom == nil {
            throw ServerError.parameter("center", "give center and zoom, or at least one marker or path")
        }
        var request = service.base
        request.change = try map.change
        request.change.view = view
        let known = call.request.headers[.ifNoneMatch]
        var answer = try await call.connection.watching { [request, view] in
            try await service.answer(request, encoding, key: ["\(view)"], known: known)
        }
        answer.headers[.cacheControl] = "public, max-age=\(service.options.cacheSeconds)"
        answer.headers[.vary] = "Accept"
        return answer
    }
}
