import HTTPTypes
import Waymark

/// The routes with information about the server itself.
struct StatusRoutes: Sendable {
    let service: PictureService
    let connections: OpenConnections

    var all: [Route] {
        [
            Route(
                method: .get, path: "/health", summary: "Whether the server accepts requests: 200 if so, 503 while the queue is full.",
                produces: ["application/json"], schema: ["type": "object", "required": ["status", "version", "workers"]], errors: [503],
                answer: health),
            Route(
                method: .get, path: "/health/live", summary: "Whether the server is running.", produces: ["application/json"],
                schema: ["type": "object", "required": ["status"]], answer: { _ in noStore(ServerAnswer(["status": "alive"])) }),
            Route(
                method: .get, path: "/metrics", summary: "The server's metrics, in the text format of Prometheus.",
                produces: ["text/plain"], answer: metrics),
        ]
    }

    @Sendable private func health(_ call: Route.Call) async throws -> ServerAnswer {
        let pool = service.pool.statistics
        let isFull = pool.waiting >= service.options.queueLimit
        var answer = ServerAnswer(
            [
                "status": .string(isFull ? "busy" : "ready"), "version": .string(waymarkVersion),
                "device": .string(service.pool.deviceName),
                "workers": .integer(service.pool.workerCount), "waiting": .integer(pool.waiting), "running": .integer(pool.running),
            ], status: isFull ? .serviceUnavailable : .ok)
        if isFull { answer.headers[.retryAfter] = "1" }
        return noStore(answer)
    }

    @Sendable private func metrics(_ call: Route.Call) async throws -> ServerAnswer {
        let text = service.metrics.text(
            service.pool.statistics, workers: service.pool.workerCount, device: service.pool.deviceName, connections: connections.count)
        return noStore(ServerAnswer("text/plain; version=0.0.4; charset=utf-8", text.utf8))
    }
}

/// Forbids caching data that are valid only for a moment.
private func noStore(_ answer: ServerAnswer) -> ServerAnswer {
    var answer = answer
    answer.headers[.cacheControl] = "no-store"
    return answer
}
