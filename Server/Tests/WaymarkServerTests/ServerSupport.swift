import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Synchronization
import Testing
import Waymark

@testable import WaymarkServer

/// A server whose workers are processes of its program, and a client for it.
enum TestServer {
    /// The folder of the programs that were built with the tests.
    static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    static var program: URL { folder.appendingPathComponent("waymark-server") }

    /// The helper is asked for once, before the first pool.
    private static let helper: Void = { setenv("WAYMARK_HELPER", program.path, 1) }()

    /// Runs a server on a free port while `body` runs.
    static func run<Value: Sendable>(
        _ change: (inout ServerOptions) -> Void = { _ in }, log: LogLines = LogLines(),
        _ body: @escaping @Sendable (WaymarkServer, any TestClientProtocol) async throws -> Value
    ) async throws -> Value {
        helper
        var options = ServerOptions()
        options.workers = .processes(1)
        options.device = "software"
        change(&options)
        let logger = Logger(label: "test") { JSONLogHandler(label: $0, write: log.add) }
        let server = try await WaymarkServer(options, logger: logger)
        do {
            let value = try await server.application().test(.live) { client in try await body(server, client) }
            await server.service.pool.close()
            return value
        } catch {
            await server.service.pool.close()
            throw error
        }
    }

    /// The worker processes of this process.
    static func workers() -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { pid in
            let arguments = (try? String(contentsOfFile: "/proc/\(pid)/cmdline", encoding: .utf8)) ?? ""
            return arguments.contains("waymark-helper\0worker") && fields(pid).dropFirst().first.flatMap { Int32($0) } == getpid()
        }
    }

    /// How much processor time a process has taken, in the kernel's ticks.
    static func ticks(_ pid: Int32) -> Int {
        let fields = fields(pid)
        return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
    }

    private static func fields(_ pid: Int32) -> [Substring] {
        (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8))?.split(separator: ")").last?.split(separator: " ") ?? []
    }

    /// Waits until something holds that stays so once it does.
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

extension TestClientProtocol {
    func get(_ uri: String, headers: HTTPFields = [:]) async throws -> TestResponse {
        try await execute(uri: uri, method: .get, headers: headers) { $0 }
    }

    func post(_ uri: String, _ body: String, headers: HTTPFields = [:]) async throws -> TestResponse {
        try await execute(uri: uri, method: .post, headers: headers, body: ByteBuffer(string: body)) { $0 }
    }
}

extension TestResponse {
    var bytes: [UInt8] { Array(body.readableBytesView) }
    var text: String { String(buffer: body) }

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
        return try Renderer(device: "software").render(file.mapView).encoded(as: format, options: options)
    }
}
