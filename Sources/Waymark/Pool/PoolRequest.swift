import Foundation
import WaymarkImaging
import WaymarkSceneFiles

/// A request to a pool.
enum PoolRequest: Sendable {
    case frame(MapFrame)
    case scene(SceneData, PictureRequest)

    var isFrame: Bool { if case .frame = self { true } else { false } }
}

/// The answer of a pool.
enum PoolPicture: Sendable {
    case picture(Picture)
    case encoded(EncodedPicture)
    case report(SceneReport)
}

/// Scenes can be drawn by worker processes. Frames cannot be sent to them.
extension PoolRequest: WorkerTask {
    var number: Int { if case .scene(_, let request) = self { request.number } else { 0 } }

    var scene: WorkerScene {
        guard case .scene(let data, _) = self else { return .empty }
        return WorkerScene(number: data.number) { [WorkerFrame.scene(bytes: data.bytes, name: data.name, folder: data.folder)] }
    }

    func message() throws(Failure) -> [[UInt8]] {
        guard case .scene(_, let request) = self else { throw Failure(.software, "a frame cannot be sent to a worker process") }
        return switch request.question {
        case nil: [WorkerFrame.job(request.job, number: number, folder: nil, defaults: request.defaults)]
        case .inspection(let listsBaseMapSymbols):
            [WorkerFrame.inspect(request.job, number: number, listsBaseMapSymbols: listsBaseMapSymbols)]
        case .hits(let point, let options): [WorkerFrame.pick(request.job, number: number, x: point.x, y: point.y, options)]
        }
    }

    func answer(_ frame: WorkerFrame, sceneWarnings: [String]) throws -> PoolPicture {
        switch try WorkerReply(frame) {
        case .done(let done):
            guard let format = done.format.flatMap(ImageFormat.init(rawValue:)) else {
                throw FrameError("it sent a picture without a format")
            }
            return .encoded(
                EncodedPicture(
                    bytes: done.picture, format: format, width: done.width, height: done.height,
                    warnings: done.warnings + done.sceneWarnings + done.deviceWarnings, inspectionJSON: done.inspection))
        case .report(let report): return .report(SceneReport(json: Data(report.json), warnings: sceneWarnings + report.warnings))
        case .failed(let failed): throw failed.failure
        default: throw FrameError("it sent an unexpected message of type \(frame.type.quotedBriefly)")
        }
    }

    /// Does nothing: no files are written.
    func removeLeftover() {}
}
