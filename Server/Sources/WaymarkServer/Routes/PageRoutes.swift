import CWaymarkServerPage
import HTTPTypes

/// The page that draws scenes, and the description of the other routes.
struct PageRoutes: Sendable {
    /// - Parameter routes: The routes to describe.
    init(describing routes: [Route]) {
        let page = Self.page
        let own = [
            Route(
                method: .get, path: "/", summary: "The page for editing a scene and viewing its picture.", produces: ["text/html"],
                answer: { _ in page }),
            Route(
                method: .get, path: "/openapi.json", summary: "This description.", produces: ["application/json"],
                schema: ["type": "object"],
                answer: { _ in throw ServerError.hangUp }),
        ]
        var description = ServerAnswer("application/json", (OpenAPI.description(of: routes + own).text + "\n").utf8)
        description.headers[.cacheControl] = "no-cache"
        all = own
        all[1].answer = { [description] _ in description }
    }

    private(set) var all: [Route]

    private static var page: ServerAnswer {
        var count = 0
        let bytes = UnsafeBufferPointer(start: wms_page(&count), count: count)
        var answer = ServerAnswer("text/html; charset=utf-8", bytes.lazy.map { UInt8(bitPattern: $0) })
        answer.headers[.cacheControl] = "no-cache"
        // It needs only itself and this server.
        answer.headers[.contentSecurityPolicy] =
            "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src blob: data:; connect-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        return answer
    }
}
