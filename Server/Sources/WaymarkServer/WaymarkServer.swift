import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import Waymark

/// An HTTP server that draws scenes with worker processes.
///
/// It knows only HTTP: its workers interpret scenes and report their errors.
public struct WaymarkServer: Sendable {
    let options: ServerOptions
    let service: PictureService
    let routes: [Route]
    let connections: OpenConnections
    private let logger: Logger

    /// Opens the workers.
    /// - Throws: `RenderPoolError` if the machine lacks a required component, or if the base scene is invalid.
    public init(_ options: ServerOptions, logger: Logger) async throws {
        self.options = options
        self.logger = logger
        connections = OpenConnections(limit: options.connectionLimit, answers: ByteBudget(limit: options.answerMemory))
        service = try await PictureService(options, metrics: ServerMetrics(routes: ["/render", "/inspect", "/pick", "/static"]))
        do {
            try await service.warmUp()
        } catch {
            await service.pool.close()
            throw error
        }
        let bodies = BodyReader(limit: options.bodyLimit, total: options.bodyMemory)
        let described =
            PictureRoutes(service: service, bodies: bodies).all + [StaticRoute(service: service).route]
            + StatusRoutes(service: service, connections: connections).all
        routes = described + PageRoutes(describing: described).all
    }

    /// The name of the device that draws, and the number of workers.
    public var deviceName: String { service.pool.deviceName }
    public var workerCount: Int { service.pool.workerCount }

    /// The application: its listener is not open yet.
    /// - Parameter onRunning: Called with the port once it listens.
    func application(onRunning: @escaping @Sendable (Int) async -> Void = { _ in }) -> some ApplicationProtocol {
        let (connections, times, bodyLimit) = (connections, ConnectionTimes(options), options.bodyLimit)
        return Application(
            responder: ServerResponder(routes, connections, service.metrics),
            server: HTTPServerBuilder { responder in
                ServerChannel(responder: responder) { ConnectionHandler(connections, times, bodyLimit: bodyLimit) }
            },
            configuration: ApplicationConfiguration(
                address: .hostname(options.host, port: options.port), serverName: "waymark",
                availableConnectionsDelegate: OpenConnections.Limit(connections: connections)),
            onServerRunning: { await onRunning($0.localAddress?.port ?? 0) }, logger: logger)
    }

    /// Serves until the process is asked to end: requests in progress are answered first.
    public func run(onRunning: @escaping @Sendable (Int) async -> Void = { _ in }) async throws {
        var configuration = ServiceGroupConfiguration(
            services: [application(onRunning: onRunning)], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = options.deadline + options.readTime + .seconds(5)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch {
            await service.pool.close()
            throw error
        }
        await service.pool.close()
    }
}
