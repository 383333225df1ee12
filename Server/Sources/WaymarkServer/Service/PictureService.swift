import Foundation
import HTTPTypes
import NIOCore
import Waymark

/// Draws, inspects and picks for the routes: with a pool of workers, whose errors it turns into answers.
final class PictureService: Sendable {
    let pool: RenderPool
    let options: ServerOptions
    let metrics: ServerMetrics
    private let scenes = SceneCache()
    /// The scene under the pictures of `GET /static`, without their markers and paths.
    let base: Request

    /// The input of a picture.
    struct Request: Sendable {
        var scene: SceneData
        /// Identifies the scene.
        var tag: EntityTag
        /// The changes of the scene, with the view.
        var change = SceneChange()
    }

    init(_ options: ServerOptions, metrics: ServerMetrics) async throws {
        self.options = options
        self.metrics = metrics
        let base = options.base ?? Array(#"{"waymark": 1}"#.utf8)
        self.base = Request(scene: SceneData(Data(base), name: ""), tag: EntityTag(of: [base]))
        pool = try await RenderPool(options.pool)
    }

    /// Makes all workers open their device and draw, so that the first client does not wait for that.
    /// - Throws: The reason why nothing can be drawn, for example an invalid base scene.
    func warmUp() async throws {
        var small = SceneChange()
        small.view.size = CGSize(width: 64, height: 64)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<pool.workerCount {
                group.addTask { [self, small] in
                    _ = try await pool.render(base.scene, changing: small, within: .seconds(60))
                }
            }
            try await group.waitForAll()
        }
    }

    /// A picture of the scene of a body.
    func request(_ body: [UInt8]) throws(ServerError) -> Request {
        guard !body.isEmpty else {
            throw ServerError(.unprocessableContent, "invalid-scene", "the body is empty; send a scene or GeoJSON")
        }
        let tag = EntityTag(of: [body])
        return Request(scene: scenes.scene(body, tag: tag), tag: tag)
    }
}

extension PictureService {
    /// Draws a picture, or answers that the client already has it.
    /// - Parameters:
    ///   - key: The data on which the picture depends, besides its encoding.
    ///   - known: The `If-None-Match` field of the request.
    func answer(_ request: Request, _ encoding: PictureEncoding, key: [String], known: String?) async throws -> ServerAnswer {
        let tag = tag(of: request, encoding, key)
        // Without folders, the picture depends only on the request.
        if let tag, let known, tag.isNamed(by: known) {
            metrics.noteUnchanged()
            return ServerAnswer(unchanged: tag)
        }
        let change = try change(of: request)
        let picture = try await translating { [pool] in
            try await pool.render(request.scene, changing: change, as: encoding.format, options: encoding.options)
        }
        metrics.note(picture)
        let ownTag = tag ?? EntityTag(of: [picture.bytes])
        if tag == nil, let known, ownTag.isNamed(by: known) {
            metrics.noteUnchanged()
            return ServerAnswer(unchanged: ownTag)
        }
        var answer = ServerAnswer(encoding.format.mediaType, picture.bytes)
        answer.headers[.eTag] = ownTag.text
        // Bytes without a header need an explicit size.
        if encoding.format == .rgba { answer.headers[Self.pixelsField] = "\(picture.width)x\(picture.height)" }
        return answer
    }

    static let pixelsField = HTTPField.Name("Waymark-Pixels") ?? .contentType

    private func tag(of request: Request, _ encoding: PictureEncoding, _ key: [String]) -> EntityTag? {
        guard options.folders.isEmpty else { return nil }
        let change = String(decoding: request.change.json, as: UTF8.self)
        let facts = [request.tag.text, waymarkVersion, pool.deviceName, "\(encoding)", change] + key
        return EntityTag(of: facts.map { Array($0.utf8) })
    }

    func inspect(_ request: Request, listsBaseMapSymbols: Bool) async throws -> ServerAnswer {
        let change = try change(of: request)
        let report = try await translating { [pool] in
            try await pool.inspect(request.scene, listsBaseMapSymbols: listsBaseMapSymbols, changing: change)
        }
        return ServerAnswer("application/json", report.json + [0x0A])
    }

    func pick(_ request: Request, at point: CGPoint, _ options: HitOptions) async throws -> ServerAnswer {
        let change = try change(of: request)
        let report = try await translating { [pool] in
            try await pool.pick(request.scene, at: point, options: options, changing: change)
        }
        return ServerAnswer("application/json", report.json + [0x0A])
    }

    /// The change of the scene described by a request.
    /// - Throws: The error of a parameter that the view of this scene cannot have.
    private func change(of request: Request) throws(ServerError) -> SceneChange {
        do throws(PropertyError) {
            try request.change.view.check(on: request.scene)
        } catch {
            throw ServerError.parameter(error.path, error.problem)
        }
        return request.change
    }

    /// Converts the errors of a pool into answers.
    private func translating<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as RenderPoolError {
            throw ServerError(error)
        }
    }
}

extension ServerError {
    init(_ error: RenderPoolError) {
        let sentence = error.description
        switch error {
        case .invalid(_, let path):
            self.init(.unprocessableContent, "invalid-scene", sentence, path: path.isEmpty ? nil : path)
        case .unreadable(_, let path):
            self.init(.unprocessableContent, "unreadable-file", sentence, path: path.isEmpty ? nil : path)
        case .full: self = .busy(sentence)
        case .deadline: self.init(.gatewayTimeout, "deadline", sentence)
        case .lostWorker:
            self.init(.badGateway, "lost-worker", "\(sentence); it was drawing this picture, and a new worker will draw the next one")
        case .closed: self = .busy("the server is closing")
        case .unavailable: self.init(.serviceUnavailable, "unavailable", sentence)
        case .failed: self.init(.internalServerError, "failed", sentence)
        }
    }
}
