import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Hummingbird's data about a request, besides the request itself.
public struct ServerContext: RequestContext {
    public var coreContext: CoreRequestContextStorage
    let channel: any Channel

    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

/// Finds the route of a request, answers it, counts it and logs it.
struct ServerResponder: HTTPResponder {
    let connections: OpenConnections
    let metrics: ServerMetrics
    private let byPath: [String: [Route]]

    init(_ routes: [Route], _ connections: OpenConnections, _ metrics: ServerMetrics) {
        self.connections = connections
        self.metrics = metrics
        byPath = Dictionary(grouping: routes, by: \.path)
    }

    func respond(to request: Request, context: ServerContext) async throws -> Response {
        let begun = ContinuousClock.now
        let target = request.head.path ?? "/"
        let path = target.prefix { $0 != "?" && $0 != "#" }
        let query = target.dropFirst(path.count).dropFirst().prefix { $0 != "#" }
        let connection = connections.state(of: context.channel)
        connection.beginAnswer()
        var answer = await answer(request, String(path), query, connection, context.logger)
        if request.method != .head, !connection.takeMemory(forAnswerOf: answer.body.readableBytes) {
            answer = ServerAnswer(.busy("all memory for responses that clients have not read yet is in use; try again later"))
        }
        let time = ContinuousClock.now - begun
        // Paths made up by clients do not become labels.
        let known = byPath[String(path)] != nil
        metrics.note(
            route: known ? String(path) : "other", method: known ? request.method.rawValue : "other", status: answer.status.code, time: time
        )
        log(request, String(path), answer, time, context.logger)
        var response = Response(status: answer.status, headers: answer.headers, body: ResponseBody(byteBuffer: answer.body))
        response.headers[.xContentTypeOptions] = "nosniff"
        // A client of HTTP/1.0 waits for the end of the connection unless the answer promises to keep it.
        if let field = request.headers[.connection], ["close", "keep-alive"].contains(field), response.headers[.connection] == nil {
            response.headers[.connection] = field
        }
        response.headers[Self.requestID] = context.id
        if answer.status == .notModified || request.method == .head {
            // The length is the same as in the answer to GET.
            response = response.createHeadResponse()
            response.headers[.contentLength] = answer.status == .notModified ? nil : "\(answer.body.readableBytes)"
        }
        return response
    }

    private static let requestID = HTTPField.Name("X-Request-Id") ?? .eTag

    private func answer(
        _ request: Request, _ path: String, _ query: Substring, _ connection: ConnectionState, _ logger: Logger
    ) async -> ServerAnswer {
        do {
            try connection.checkFraming()
            guard let routes = byPath[path] else {
                throw ServerError(
                    .notFound, "not-found", "the path \(Parameter.shown(path)) does not exist; GET /openapi.json lists all paths")
            }
            guard let route = routes.first(where: { $0.method == request.method || $0.method == .get && request.method == .head }) else {
                let methods = routes.flatMap { $0.method == .get ? ["GET", "HEAD"] : [$0.method.rawValue] }
                throw ServerError(
                    .methodNotAllowed, "method-not-allowed", "\(path) accepts \(methods.joined(separator: " and "))",
                    headers: [.allow: methods.joined(separator: ", ")])
            }
            let query = try Query(query)
            try query.check(route.parameters)
            return try await route.answer(Route.Call(request: request, query: query, connection: connection))
        } catch let error as ServerError {
            return ServerAnswer(error)
        } catch {
            logger.error("a request failed", metadata: ["error": "\(error)"])
            // For example, a connection that breaks while its body is read.
            if connection.hasHungUp { return ServerAnswer(.hangUp) }
            return ServerAnswer(ServerError(.internalServerError, "failed", "the server could not answer; see its log"))
        }
    }

    /// Logs no bodies or queries, which contain users' data.
    private func log(_ request: Request, _ path: String, _ answer: ServerAnswer, _ time: Duration, _ logger: Logger) {
        logger.log(
            level: answer.status.code >= 500 ? .error : .info, "request",
            metadata: [
                "method": "\(request.method.rawValue)", "path": "\(byPath[path] == nil ? "other" : path)",
                "status": .stringConvertible(answer.status.code), "bytes": .stringConvertible(answer.body.readableBytes),
                "seconds": .stringConvertible((time / .microseconds(1)).rounded() / 1e6),
            ])
    }
}
