import WaymarkInteraction
import WaymarkSceneFiles

/// A message to a worker.
package enum WorkerRequest {
    /// Read the base scene from a file, with a merge patch on its settings.
    case sceneFile(path: String, settings: JSONValue?)
    /// The base scene itself, its name in messages, the folder that its relative paths start from, a merge patch on its settings, and other
    /// files that no picture may replace.
    case scene(bytes: [UInt8], name: String, folder: String, settings: JSONValue?, inputs: [String])
    /// Draw a job into a file in `folder`, or send it back if nil. The message has defaults for what the job does not say.
    case job(JSONValue, number: Int, folder: String?, defaults: JSONValue)
    /// Lay out the picture of a job, and tell what is where in it.
    case inspect(JSONValue, number: Int)
    /// Lay out the picture of a job, and tell what is at a point of it: the message has the point and how to search.
    case pick(JSONValue, number: Int, question: JSONValue)
    case end

    /// - Throws: For any other message.
    package init(_ frame: WorkerFrame) throws(FrameError) {
        let header = frame.header.root
        func text(_ key: StaticString) throws(FrameError) -> String? {
            guard let value = header.member(key) else { return nil }
            guard let text = value.string else { throw FrameError("\"\(key)\" of a \(frame.type) message is no string") }
            guard !text.utf8.contains(0) else { throw FrameError("\"\(key)\" of a \(frame.type) message holds a zero byte") }
            return text
        }
        func job() throws(FrameError) -> (job: JSONValue, number: Int) {
            guard let job = header["job"] else { throw FrameError("a \(frame.type) message has no \"job\"") }
            guard let number = header["number"]?.int else { throw FrameError("a \(frame.type) message has no whole \"number\"") }
            return (job, number)
        }
        switch frame.type {
        case "scene":
            if let path = try text("path") {
                self = .sceneFile(path: path, settings: header.member("settings"))
            } else {
                guard header.member("bytes") != nil else { throw FrameError("a scene message has neither \"path\" nor \"bytes\"") }
                self = .scene(
                    bytes: frame.payload, name: try text("name") ?? "the scene", folder: try text("folder") ?? "",
                    settings: header.member("settings"), inputs: try Self.paths(header.member("inputs")))
            }
        case "job":
            let (job, number) = try job()
            self = .job(job, number: number, folder: try text("folder"), defaults: header)
        case "inspect":
            let (job, number) = try job()
            self = .inspect(job, number: number)
        case "pick":
            let (job, number) = try job()
            self = .pick(job, number: number, question: header)
        case "end":
            self = .end
        default:
            throw FrameError("there is no message of type \(frame.type.quotedBriefly)")
        }
    }

    private static func paths(_ list: JSONValue?) throws(FrameError) -> [String] {
        guard let list else { return [] }
        let paths = list.elements?.map(\.string) ?? [nil]
        guard paths.allSatisfy({ $0?.utf8.contains(0) == false }) else {
            throw FrameError("\"inputs\" of a scene message is no list of paths")
        }
        return paths.compactMap(\.self)
    }
}

/// The frames that a driver sends.
extension WorkerFrame {
    package static func scene(path: String) -> [UInt8] {
        message("scene") {
            $0.key("path")
            $0.string(path)
        }
    }

    /// - Parameters:
    ///   - name: The scene's name in messages; nil for "the scene".
    ///   - folder: What relative paths of the scene start from; empty for the worker's working directory.
    ///   - settings: A merge patch on the scene, as JSON; nil for none.
    ///   - inputs: Files besides those of the scene that no picture may replace.
    package static func scene(
        bytes: [UInt8], name: String? = nil, folder: String, settings: [UInt8]? = nil, inputs: [String] = []
    ) -> [UInt8] {
        message("scene", payload: bytes) {
            if let name {
                $0.key("name")
                $0.string(name)
            }
            $0.key("folder")
            $0.string(folder)
            if let settings {
                $0.key("settings")
                $0.text(settings)
            }
            guard !inputs.isEmpty else { return }
            $0.key("inputs")
            $0.beginArray()
            for input in inputs { $0.string(input) }
            $0.endArray()
        }
    }

    /// - Parameters:
    ///   - job: The job's line: JSON that is known to be an object. A byte order mark, as the first line of a file may have, is dropped.
    ///   - folder: Where to write the picture; nil to have it sent back.
    package static func job(
        _ job: some Collection<UInt8>, number: Int, folder: String?, defaults: JobDefaults = JobDefaults()
    ) -> [UInt8] {
        message("job") {
            $0.key("number")
            $0.integer(number)
            if let folder {
                $0.key("folder")
                $0.string(folder)
            }
            defaults.write(into: &$0)
            $0.key("job")
            $0.text(job.dropFirst(job.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0))
        }
    }

    /// - Parameter job: The job's line: JSON that is known to be an object.
    package static func inspect(_ job: some Collection<UInt8>, number: Int) -> [UInt8] {
        message("inspect") {
            $0.member("number", number)
            $0.key("job")
            $0.text(job)
        }
    }

    /// - Parameters:
    ///   - job: The job's line: JSON that is known to be an object.
    ///   - x: In pt from the picture's left.
    ///   - y: In pt from its top.
    package static func pick(
        _ job: some Collection<UInt8>, number: Int, x: Double, y: Double, _ options: HitOptions = HitOptions()
    ) -> [UInt8] {
        message("pick") {
            $0.member("number", number)
            $0.key("at")
            $0.beginArray()
            $0.number(x)
            $0.number(y)
            $0.endArray()
            $0.key("tolerance")
            $0.number(options.tolerance)
            if options.includesInvisible {
                $0.key("includeInvisible")
                $0.boolean(true)
            }
            if options.ignoresTransparentPixels {
                $0.key("ignoreTransparent")
                $0.boolean(true)
            }
            $0.key("job")
            $0.text(job)
        }
    }

    package static var end: [UInt8] { message("end") { _ in } }

    static func message(_ type: String, payload: [UInt8]? = nil, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("type")
        writer.string(type)
        body(&writer)
        if let payload {
            writer.key("bytes")
            writer.integer(payload.count)
        }
        writer.endObject()
        return bytes(header: writer.bytes, payload: payload ?? [])
    }
}
