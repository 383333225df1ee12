import WaymarkSceneFiles
import WaymarkSystem

/// A message from a worker.
package enum WorkerReply: Equatable, Sendable {
    /// The first message: the device is open.
    case hello(Hello)
    /// The worker cannot work, and ends.
    case fatal(Fault)
    /// The base scene is decoded.
    case ready(warnings: [String])
    /// The base scene is invalid; the previous one stays.
    case error(Fault)
    case done(Done)
    /// What was asked about a picture that is not drawn.
    case report(Report)
    case failed(Failed)

    package struct Hello: Equatable, Sendable {
        package var protocolVersion = WorkerReply.protocolVersion
        /// The OpenGL renderer's name.
        package var renderer: String
        /// The version of the library; empty when the worker does not say it.
        package var version: String

        package init(protocolVersion: Int = WorkerReply.protocolVersion, renderer: String, version: String = libraryVersion) {
            self.protocolVersion = protocolVersion
            self.renderer = renderer
            self.version = version
        }
    }

    package struct Fault: Equatable, Sendable {
        /// As in sysexits: 65 invalid content, 66 a missing file, 69 the machine lacks something, 70 internal, 73 cannot write.
        package var code: Int
        /// One sentence.
        package var message: String
        /// The key path in the scene or the job that the message begins with or is about; empty when there is none.
        package var path: String

        package init(code: Int, message: String, path: String = "") {
            self.code = code
            self.message = message
            self.path = path
        }
    }

    /// A job's picture.
    package struct Done: Equatable, Sendable {
        package var number: Int
        package var id: String
        /// The file within the folder, or the name it would have if the picture is sent back.
        package var output: String
        /// Device pixels.
        package var width: Int
        package var height: Int
        /// Bytes of the file.
        package var size: Int
        package var times = StageTimes()
        /// What could not be read or drawn as requested, apart from `sceneWarnings`.
        package var warnings: [String] = []
        /// Of the warnings that the base scene itself causes, those that this picture has and that were in no earlier message.
        package var sceneWarnings: [String] = []
        /// The inspection of the picture, as JSON text, when it is sent back; otherwise its file in the folder.
        package var inspection: [UInt8]?
        package var inspectionOutput: String?
        /// The file of the hit map in the folder.
        package var hitMapOutput: String?
        /// What this worker's device draws poorer than others; the same for other jobs with such overlays.
        package var deviceWarnings: [String] = []
        /// The format and the bytes of a picture that is sent back.
        package var format: String?
        package var picture: [UInt8] = []

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
        /// What the JSON text is: an inspection, or a list of what is at a point.
        package enum Kind: String, Sendable {
            case inspection
            case hits
        }

        package var number: Int
        package var id: String
        package var kind: Kind
        /// On one line.
        package var json: [UInt8]
        /// What could not be read or will not be drawn as requested, apart from the warnings from reading the base scene.
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
        /// nil when the job has no valid id.
        package var id: String?
        package var fault: Fault

        package init(number: Int, id: String?, fault: Fault) {
            self.number = number
            self.id = id
            self.fault = fault
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
            }
        case .fatal(let fault): WorkerFrame.message("fatal") { $0.members(of: fault) }
        case .ready(let warnings): WorkerFrame.message("ready") { $0.member("warnings", warnings) }
        case .error(let fault): WorkerFrame.message("error") { $0.members(of: fault) }
        case .done(let done):
            WorkerFrame.message("done", payload: done.format == nil ? nil : done.picture) { $0.members(of: done) }
        case .report(let report):
            WorkerFrame.message(report.kind.messageType) {
                $0.member("number", report.number)
                $0.member("id", report.id)
                $0.key(report.kind.rawValue)
                $0.text(report.json)
                $0.member("warnings", report.warnings)
            }
        case .failed(let failed):
            WorkerFrame.message("failed") {
                $0.member("number", failed.number)
                if let id = failed.id { $0.member("id", id) }
                $0.members(of: failed.fault)
            }
        }
    }

    /// - Throws: For any other message, or one that lacks a required key.
    package init(_ frame: WorkerFrame) throws(FrameError) {
        let header = frame.header.root
        func required<Value>(_ value: Value?, _ key: String) throws(FrameError) -> Value {
            guard let value else { throw FrameError("a \(frame.type) message has no valid \"\(key)\"") }
            return value
        }
        func fault() throws(FrameError) -> Fault {
            Fault(
                code: try required(header["code"]?.int, "code"), message: try required(header["message"]?.string, "message"),
                path: header["path"]?.string ?? "")
        }
        switch frame.type {
        case "hello":
            self = .hello(
                Hello(
                    protocolVersion: try required(header["protocol"]?.int, "protocol"),
                    renderer: try required(header["renderer"]?.string, "renderer"), version: header["version"]?.string ?? ""))
        case "fatal": self = .fatal(try fault())
        case "ready": self = .ready(warnings: header["warnings"].strings)
        case "error": self = .error(try fault())
        case "failed":
            self = .failed(
                Failed(number: try required(header["number"]?.int, "number"), id: header["id"]?.string, fault: try fault()))
        case Report.Kind.inspection.messageType, Report.Kind.hits.messageType:
            let kind: Report.Kind = frame.type == Report.Kind.hits.messageType ? .hits : .inspection
            var writer = JSONWriter()
            writer.value(try required(kind == .hits ? header["hits"] : header["inspection"], kind.rawValue))
            self = .report(
                Report(
                    number: try required(header["number"]?.int, "number"), id: try required(header["id"]?.string, "id"), kind: kind,
                    json: writer.bytes, warnings: header["warnings"].strings))
        case "done":
            let pixels = header["pixels"]?.elements.map { $0.compactMap(\.int) } ?? []
            guard pixels.count == 2 else { throw FrameError("a done message has no valid \"pixels\"") }
            var done = Done(
                number: try required(header["number"]?.int, "number"), id: try required(header["id"]?.string, "id"),
                output: try required(header["output"]?.string, "output"), width: pixels[0], height: pixels[1],
                size: try required(header["size"]?.int, "size"))
            if let times = header["times"] {
                for stage in StageTimes.stages { done.times[keyPath: stage.time] = times[stage.name]?.double ?? 0 }
            }
            done.warnings = header["warnings"].strings
            done.sceneWarnings = header["sceneWarnings"].strings
            done.inspectionOutput = header["inspectionOutput"]?.string
            done.hitMapOutput = header["hitMapOutput"]?.string
            if let inspection = header["inspection"] {
                var writer = JSONWriter()
                writer.value(inspection)
                done.inspection = writer.bytes
            }
            done.deviceWarnings = header["deviceWarnings"].strings
            done.format = header["format"]?.string
            done.picture = frame.payload
            self = .done(done)
        default:
            throw FrameError("there is no message of type \(frame.type.quotedBriefly)")
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
    package mutating func member(_ key: String, _ value: Int) {
        self.key(key)
        integer(value)
    }

    package mutating func member(_ key: String, _ value: String) {
        self.key(key)
        string(value)
    }

    package mutating func member(_ key: String, _ values: [String]) {
        self.key(key)
        beginArray()
        for value in values { string(value) }
        endArray()
    }

    fileprivate mutating func members(of fault: WorkerReply.Fault) {
        member("code", fault.code)
        member("message", fault.message)
        if !fault.path.isEmpty { member("path", fault.path) }
    }

    fileprivate mutating func members(of done: WorkerReply.Done) {
        member("number", done.number)
        member("id", done.id)
        member("output", done.output)
        if let format = done.format { member("format", format) }
        key("pixels")
        beginArray()
        integer(done.width)
        integer(done.height)
        endArray()
        member("size", done.size)
        key("times")
        beginObject()
        for stage in StageTimes.stages {
            key(stage.name.description)
            // In whole microseconds.
            number((done.times[keyPath: stage.time] * 1000).rounded() / 1000)
        }
        endObject()
        member("warnings", done.warnings)
        if !done.sceneWarnings.isEmpty { member("sceneWarnings", done.sceneWarnings) }
        if let output = done.inspectionOutput { member("inspectionOutput", output) }
        if let output = done.hitMapOutput { member("hitMapOutput", output) }
        if let inspection = done.inspection {
            key("inspection")
            text(inspection)
        }
        if !done.deviceWarnings.isEmpty { member("deviceWarnings", done.deviceWarnings) }
    }
}

extension JSONValue? {
    /// The strings of an array; other elements are ignored.
    fileprivate var strings: [String] { self?.elements.map { $0.compactMap(\.string) } ?? [] }
}
