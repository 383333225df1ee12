import Foundation
import HTTPTypes
import Logging
import ServiceLifecycle
import Synchronization
import Testing
import Waymark

@testable import WaymarkServer

/// All tests, run one after another: each has a server with workers, which it finds among the child processes of this process.
@Suite(.serialized) enum ServerTests {}

/// A server whose workers are processes of its program, and a client for it.
enum TestServer {
    /// The folder of the programs that were built with the tests.
    static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    static var program: URL { folder.appendingPathComponent("waymark-server") }

    /// The helper is requested once, before the first pool.
    private static let helper: Void = { setenv("WAYMARK_HELPER", program.path, 1) }()

    /// Runs a server on a free port while `body` runs.
    static func run<Value: Sendable>(
        _ change: (inout ServerOptions) -> Void = { _ in }, log: LogLines = LogLines(),
        _ body: @escaping @Sendable (WaymarkServer, TestClient) async throws -> Value
    ) async throws -> Value {
        helper
        var options = ServerOptions()
        options.port = 0
        options.workers = .processes(1)
        options.device = .software
        change(&options)
        let logger = Logger(label: "test") { JSONLogHandler(label: $0, write: log.add) }
        let server = try await WaymarkServer(options, logger: logger)
        let (ports, source) = AsyncStream<Int>.makeStream()
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [server.application { source.yield($0) }], logger: logger))
        let running = Task { try await group.run() }
        let result: Result<Value, any Error>
        do {
            var iterator = ports.makeAsyncIterator()
            result = .success(try await body(server, TestClient(port: try #require(await iterator.next()))))
        } catch {
            result = .failure(error)
        }
        await group.triggerGracefulShutdown()
        try await running.value
        await server.service.pool.close()
        return try result.get()
    }

    /// The worker processes of this process.
    static func workers() -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { pid in
            let arguments = (try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8)) ?? ""
            return arguments.contains("waymark-helper\0worker") && fields(pid).dropFirst().first.flatMap { Int32($0) } == getpid()
        }
    }

    /// The processor time used by a process, in the kernel's ticks.
    static func ticks(_ pid: Int32) -> Int {
        let fields = fields(pid)
        return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
    }

    private static func fields(_ pid: Int32) -> [Substring] {
        (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8))?.split(separator: ")").last?.split(separator: " ") ?? []
    }

    /// Waits until a condition holds that stays true from then on.
    static func wait(until isTrue: @Sendable () -> Bool) async throws {
        while !isTrue() { try await Task.sleep(for: .milliseconds(1)) }
    }
}

/// The lines that a server has logged.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    @Sendable func add(_ line: String) { lines.withLock { $0.append(line) } }

    var all: [String] { lines.withLock { $0 } }
}

/// A client of a test's server, with a connection for each request.
struct TestClient: Sendable {
    let port: Int

    func execute(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields = [:], body: [UInt8] = []
    ) async throws -> TestResponse {
        let client = try RawClient(port: port)
        let lines = headers.map { "\($0.name): \($0.value)" } + ["Connection: close"]
        client.send(RawClient.request(method.rawValue, uri, length: body.count, headers: lines))
        client.send(body)
        return try TestResponse(await client.receiveBytes())
    }

    func get(_ uri: String, headers: HTTPFields = [:]) async throws -> TestResponse {
        try await execute(uri: uri, method: .get, headers: headers)
    }

    func post(_ uri: String, _ body: String, headers: HTTPFields = [:]) async throws -> TestResponse {
        try await execute(uri: uri, method: .post, headers: headers, body: Array(body.utf8))
    }
}

/// An answer of a test's server.
struct TestResponse: Sendable {
    var status: HTTPResponse.Status
    var headers: HTTPFields = [:]
    var bytes: [UInt8]

    /// - Parameter message: All bytes received over the connection.
    init(_ message: [UInt8]) throws {
        let end = try #require(message.indices.first { message[$0...].starts(with: "\r\n\r\n".utf8) })
        let lines = String(decoding: message[..<end], as: UTF8.self).split(separator: "\r\n")
        status = HTTPResponse.Status(code: try #require(lines.first.flatMap { String($0).status }))
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[try #require(HTTPField.Name(String(parts[0])))] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        bytes = Array(message[(end + 4)...])
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The code, the message and the path of an error.
    var error: (code: String, message: String, path: String?)? {
        let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        guard let error = object?["error"] as? [String: Any], let code = error["code"] as? String, let message = error["message"] as? String
        else { return nil }
        return (code, message, error["path"] as? String)
    }
}

/// Scenes of the tests.
enum Scenes {
    static let card = #"""
        {"waymark": 1, "size": {"width": 120, "height": 90}, "background": "white", "camera": {"center": [127, 37.5], "zoom": 12},
        "overlays": [{"type": "marker", "id": "hall", "position": [127, 37.5], "iconImage": "builtin:red", "captionText": "Hall"}]}
        """#
    static let fitted = #"""
        {"waymark": 1, "size": {"width": 200, "height": 120}, "background": "white",
        "overlays": [{"type": "marker", "id": "a", "position": [127, 37.5]}, {"type": "marker", "id": "b", "position": [127.1, 37.52]}]}
        """#
    /// Of 16,000,000 bytes as rgba.
    static let large = #"{"waymark": 1, "size": {"width": 2000, "height": 2000}, "background": "white"}"#
    /// Takes a second or more.
    static let slow = #"""
        {"waymark": 1, "size": {"width": 9000, "height": 9000}, "overlays": [{"type": "marker", "position": [127, 37.5]}]}
        """#

    /// The picture of a scene, drawn by this process.
    static func picture(
        _ scene: String, as format: ImageFormat = .png, options: EncodingOptions = EncodingOptions(),
        _ change: (MapView) throws -> Void = { _ in }
    ) throws -> [UInt8] {
        let file = try SceneFile(data: Data(scene.utf8))
        if let fit = file.fit { file.mapView.camera = try file.mapView.camera(fitting: fit) }
        try change(file.mapView)
        return try Renderer(device: .software).render(file.mapView).encoded(as: format, options: options)
    }
}
