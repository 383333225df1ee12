import WaymarkSceneFiles
import WaymarkSystem

/// A message from a worker.
package enum WorkerReply: Equatable, Sendable {
    /// The first message: the device is open.
    case hello(Hello)
    /// The worker cannot draw, and ends.
    case fatal(Failure)
    /// The base scene is decoded. `number` is the number of the scene's message, if it had one.
    case ready(warnings: [String], number: Int? = nil)
    /// The base scene is invalid; the worker keeps the previous one, if any.
    case error(Failure, number: Int? = nil)
    case done(Done)
    /// The answer to a question about a picture; the picture itself is not drawn.
    case report(Report)
    case failed(Failed)
    /// A job was cancelled before a worker received it.
    case cancelled(number: Int)
    /// One of several workers ended and was replaced.
    case restarted(worker: Int, message: String)

    package struct Hello: Equatable, Sendable {
        package var protocolVersion = WorkerReply.protocolVersion
        /// The OpenGL renderer's name.
        package var renderer: String
        /// The version of the library; empty when the worker does not report it.
        package var version: String
        /// The number of workers; nil for a single worker, which draws itself.
        package var workers: Int?

        package init(
            protocolVersion: Int = WorkerReply.protocolVersion, renderer: String, version: String = libraryVersion, workers: Int? = nil
        ) {
            self.protocolVersion = protocolVersion
            self.renderer = renderer
            self.version = version
            self.workers = workers
        }
    }

    /// A job's picture.
    package struct Done: Equatable, Sendable {
        package var number: Int
        package var id: String
        /// The path of the file in the folder, or the path that a returned picture would have.
        package var output: String
        /// The size in device pixels.
        package var width: Int
        package var height: Int
        /// The size of the file in bytes.
        package var size: Int
        package var times = StageTimes()
        /// Warnings about everything that could not be read or drawn as requested, apart from `sceneWarnings`.
        package var warnings: [String] = []
        /// The warnings caused by the base scene that this picture has and that no earlier message reported.
        package var sceneWarnings: [String] = []
        /// The inspection of the picture as JSON text, if it is returned; otherwise it is a file in the folder.
        package var inspection: [UInt8]?
        package var inspectionOutput: String?
        /// The file of the hit map in the folder.
        package var hitMapOutput: String?
        /// Warnings about features that this worker's device lacks. Other jobs with such overlays have the same warnings.
        package var deviceWarnings: [String] = []
        /// The format and the bytes of a returned picture.
        package var format: String?
        package var picture: [UInt8] = []
        /// The range of the picture's bytes in the shared memory, instead of `picture`.
        package var memory: Range<Int>?

        package init(number: Int, id: String, output: String, width: Int, height: Int, size: Int) {
            self.number = number
            self.id = id
            self.output = output
            self.width = width
            self.height = height
            self.size = size
        }
    }

    /// The answer to a question about a job's picture.
    package struct Report: Equatable, Sendable {
        /// The content of the JSON text: an inspection, or a list of hits at a point.
        package enum Kind: String, Sendable {
            case inspection
            case hits
        }

        package var number: Int
        package var id: String
        package var kind: Kind
        /// JSON on one line.
        package var json: [UInt8]
        /// Warnings about everything that could not be read or would not be drawn as requested, apart from those from reading the base
        /// scene.
        package var warnings: [String]

        package init(number: Int, id: String, kind: Kind, json: [UInt8], warnings: [String]) {
            self.number = number
            self.id = id
            self.kind = kind
            self.json = json
            self.warnings = warnings
        }
    }

    package struct Failed: Equatable, Sendable {
        package var number: Int
        /// The id of the job; nil without a valid id.
        package var id: String?
        package var failure: Failure
        /// Whether the picture was lost together with one of several workers.
        package var isWorkerLost = false

        package init(number: Int, id: String?, failure: Failure) {
            self.number = number
            self.id = id
            self.failure = failure
        }
    }

    package static let protocolVersion = 1
}

// MARK: Frames

extension WorkerReply {
    /// The bytes on the wire.
    package var frame: [UInt8] {
        switch self {
        case .hello(let hello):
            WorkerFrame.message("hello") {
                $0.member("protocol", hello.protocolVersion)
                $0.member("program", "waymark")
                $0.member("version", hello.version)
                $0.member("renderer", hello.renderer)
                $0.member("workers", hello.workers)
            }
        case .fatal(let failure): WorkerFrame.message("fatal") { $0.members(of: failure) }
        case .ready(let warnings, let number):
            WorkerFrame.message("ready") {
                $0.member("number", number)
                $0.member("warnings", warnings)
            }
        case .error(let failure, let number):
            WorkerFrame.message("error") {
                $0.member("number", number)
                $0.members(of: failure)
            }
        case .done(let done):
            WorkerFrame.message("done", payload: done.format == nil || done.memory != nil ? nil : done.picture) { $0.members(of: done) }
        case .report(let report):
            WorkerFrame.message(report.kind.messageType) {
                $0.member("number", report.number)
                $0.member("id", report.id)
                $0.member(report.kind.rawValue, json: report.json)
                $0.member("warnings", report.warnings)
            }
        case .failed(let failed):
            WorkerFrame.message("failed") {
                $0.member("number", failed.number)
                $0.member("id", failed.id)
                $0.members(of: failed.failure)
                $0.member("workerLost", failed.isWorkerLost ? true : nil)
            }
        case .cancelled(let number): WorkerFrame.message("cancelled") { $0.member("number", number) }
        case .restarted(let worker, let message):
            WorkerFrame.message("restarted") {
                $0.member("worker", worker)
                $0.member("message", message)
            }
        }
    }

    /// - Throws: `FrameError` for any other message, or one that lacks a required key.
    package init(_ frame: WorkerFrame) throws(FrameError) {
        let header = frame.header.root
        func required<Value>(_ value: Value?, _ key: StaticString) throws(FrameError) -> Value {
            guard let value else { throw FrameError("a \(frame.type) message has no valid \"\(key)\"") }
            return value
        }
        func integer(_ key: StaticString) throws(FrameError) -> Int { try required(header[key]?.int, key) }
        func text(_ key: StaticString) throws(FrameError) -> String { try required(header[key]?.string, key) }
        func failure() throws(FrameError) -> Failure {
            Failure(code: try integer("code"), message: try text("message"), path: header["path"]?.string ?? "")
        }
        switch frame.type {
        case "hello":
            self = .hello(
                Hello(
                    protocolVersion: try integer("protocol"), renderer: try text("renderer"), version: header["version"]?.string ?? "",
                    workers: header["workers"]?.int))
        case "fatal": self = .fatal(try failure())
        case "ready": self = .ready(warnings: header["warnings"].strings, number: header["number"]?.int)
        case "error": self = .error(try failure(), number: header["number"]?.int)
        case "failed":
            var failed = Failed(number: try integer("number"), id: header["id"]?.string, failure: try failure())
            failed.isWorkerLost = header["workerLost"]?.bool ?? false
            self = .failed(failed)
        case "cancelled": self = .cancelled(number: try integer("number"))
        case "restarted":
            self = .restarted(worker: try integer("worker"), message: try text("message"))
        case Report.Kind.inspection.messageType, Report.Kind.hits.messageType:
            let kind: Report.Kind = frame.type == Report.Kind.hits.messageType ? .hits : .inspection
            let json = try kind == .hits ? required(header["hits"], "hits") : required(header["inspection"], "inspection")
            self = .report(
                Report(
                    number: try integer("number"), id: try text("id"), kind: kind, json: json.bytes, warnings: header["warnings"].strings
                ))
        case "done":
            let pixels = header["pixels"]?.elements.map { $0.compactMap(\.int) } ?? []
            guard pixels.count == 2 else { throw FrameError("a done message has no valid \"pixels\"") }
            var done = Done(
                number: try integer("number"), id: try text("id"), output: try text("output"), width: pixels[0], height: pixels[1],
                size: try integer("size"))
            if let times = header["times"] {
                for stage in StageTimes.stages { done.times[keyPath: stage.time] = times[stage.name]?.double ?? 0 }
            }
            done.warnings = header["warnings"].strings
            done.sceneWarnings = header["sceneWarnings"].strings
            done.inspectionOutput = header["inspectionOutput"]?.string
            done.hitMapOutput = header["hitMapOutput"]?.string
            done.inspection = header["inspection"]?.bytes
            done.deviceWarnings = header["deviceWarnings"].strings
            done.format = header["format"]?.string
            done.picture = frame.payload
            done.memory = header["memory"]?.byteRange
            self = .done(done)
        default:
            throw FrameError("unknown message type \(frame.type.quotedBriefly)")
        }
    }
}

extension WorkerReply.Report.Kind {
    fileprivate var messageType: String {
        switch self {
        case .inspection: "inspected"
        case .hits: "picked"
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of failure: Failure) {
        member("code", failure.code.rawValue)
        member("message", failure.message)
        member("path", failure.path.isEmpty ? nil : failure.path)
    }

    fileprivate mutating func members(of done: WorkerReply.Done) {
        member("number", done.number)
        member("id", done.id)
        member("output", done.output)
        member("format", done.format)
        member("pixels", [Double(done.width), Double(done.height)])
        member("size", done.size)
        key("times")
        beginObject()
        for stage in StageTimes.stages {
            // In whole microseconds.
            member(stage.name.description, (done.times[keyPath: stage.time] * 1000).rounded() / 1000)
        }
        endObject()
        member("warnings", done.warnings)
        if !done.sceneWarnings.isEmpty { member("sceneWarnings", done.sceneWarnings) }
        member("inspectionOutput", done.inspectionOutput)
        member("hitMapOutput", done.hitMapOutput)
        member("inspection", json: done.inspection)
        if !done.deviceWarnings.isEmpty { member("deviceWarnings", done.deviceWarnings) }
        if let memory = done.memory { member("memory", json: "[\(memory.lowerBound),\(memory.count)]".utf8) }
    }
}

extension JSONValue? {
    /// The strings in an array; other elements are ignored.
    fileprivate var strings: [String] { self?.elements.map { $0.compactMap(\.string) } ?? [] }
}
