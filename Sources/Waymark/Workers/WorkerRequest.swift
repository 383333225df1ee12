import WaymarkInteraction
import WaymarkSceneFiles

/// A message to a worker.
package enum WorkerRequest {
    /// Read the base scene. Its answer has the same number.
    case scene(SceneSource, number: Int?)
    /// Draw a picture, or say something about it.
    case picture(PictureOrder)
    /// Take a picture back that no worker has yet.
    case cancel(number: Int)
    case end

    /// - Throws: For any other message.
    package init(_ frame: WorkerFrame) throws(FrameError) {
        let message = MessageHeader(frame)
        switch frame.type {
        case "scene": self = .scene(try SceneSource(message, frame.payload), number: try message.number())
        case "job": self = .picture(try PictureOrder(.drawing, message, frame.payload))
        case "inspect": self = .picture(try PictureOrder(.inspection, message, frame.payload))
        case "pick": self = .picture(try PictureOrder(.hits, message, frame.payload))
        case "cancel":
            guard let number = try message.number() else { throw message.lacks("whole \"number\"") }
            self = .cancel(number: number)
        case "end": self = .end
        default: throw FrameError("there is no message of type \(frame.type.quotedBriefly)")
        }
    }
}

/// A base scene, as a message names or holds it.
package struct SceneSource {
    package enum Content {
        case file(path: String)
        /// The scene itself, its name in messages, and the folder that its relative paths start from.
        case bytes([UInt8], name: String, folder: String)
    }

    let content: Content
    /// A merge patch on its settings.
    let settings: JSONValue?
    /// Other files that no picture may replace.
    let inputs: [String]

    fileprivate init(_ message: MessageHeader, _ payload: [UInt8]) throws(FrameError) {
        if let path = try message.text("path") {
            content = .file(path: path)
        } else {
            guard message.isFollowed else { throw message.lacks(orNeither: "path") }
            content = .bytes(payload, name: try message.text("name") ?? "the scene", folder: try message.text("folder") ?? "")
        }
        settings = message.header.member("settings")
        inputs = try message.paths("inputs")
    }
}

/// A job, and what is wanted of its picture.
package struct PictureOrder {
    package enum Kind {
        /// The picture.
        case drawing
        /// Where everything is in it, and what is at a point of it. It is laid out and not drawn then.
        case inspection, hits
    }

    package let kind: Kind
    package let number: Int
    let job: JSONValue
    /// The scene that the job changes in place of the base scene.
    let scene: SceneSource?
    /// The folder that the picture is written into; nil to send it back.
    package let folder: String?
    /// Where to put the picture in the shared memory instead of sending it, if it has no more bytes.
    let memory: Range<Int>?
    /// The whole message, which has defaults for what the job does not say, or a point and how to search there.
    let header: JSONValue

    fileprivate init(_ kind: Kind, _ message: MessageHeader, _ payload: [UInt8]) throws(FrameError) {
        self.kind = kind
        header = message.header
        guard let job = header["job"] else { throw message.lacks("\"job\"") }
        self.job = job
        guard let number = try message.number() else { throw message.lacks("whole \"number\"") }
        self.number = number
        scene = try header.member("scene").map { (scene) throws(FrameError) in
            try SceneSource(MessageHeader(type: "\(message.type) message's scene", header: scene, isFollowed: message.isFollowed), payload)
        }
        folder = try message.text("folder")
        memory = try header.member("memory").map { (memory) throws(FrameError) in
            guard let range = memory.byteRange, range.count <= WorkerFrame.payloadLimit else {
                throw FrameError("\"memory\" of a \(message.type) message is no offset and length")
            }
            return range
        }
    }

    /// Removes the unfinished file of a worker that was lost while it drew the picture.
    func removeLeftover() {
        guard let folder, let defaults = try? JobDefaults(message: header), let job = try? BatchJob(job, defaults: defaults) else { return }
        OutputFolder(path: folder).removeLeftover(of: job.output)
    }
}

/// The header of a message, and how its members are read.
private struct MessageHeader {
    let type: String
    let header: JSONValue
    /// Whether the message has a payload.
    let isFollowed: Bool

    init(type: String, header: JSONValue, isFollowed: Bool) {
        (self.type, self.header, self.isFollowed) = (type, header, isFollowed)
    }

    init(_ frame: WorkerFrame) {
        self.init(type: frame.type, header: frame.header.root, isFollowed: frame.header.root.member("bytes") != nil)
    }

    func text(_ key: StaticString) throws(FrameError) -> String? {
        guard let value = header.member(key) else { return nil }
        guard let text = value.string else { throw FrameError("\"\(key)\" of a \(type) message is no string") }
        guard !text.utf8.contains(0) else { throw FrameError("\"\(key)\" of a \(type) message holds a zero byte") }
        return text
    }

    func number() throws(FrameError) -> Int? {
        guard let value = header.member("number") else { return nil }
        guard let number = value.int else { throw lacks("whole \"number\"") }
        return number
    }

    func paths(_ key: StaticString) throws(FrameError) -> [String] {
        guard let list = header.member(key) else { return [] }
        let paths = list.elements?.map(\.string) ?? [nil]
        guard paths.allSatisfy({ $0?.utf8.contains(0) == false }) else {
            throw FrameError("\"\(key)\" of a \(type) message is no list of paths")
        }
        return paths.compactMap(\.self)
    }

    func lacks(_ key: String) -> FrameError { FrameError("a \(type) message has no \(key)") }

    func lacks(orNeither key: String) -> FrameError { FrameError("a \(type) message has neither \"\(key)\" nor \"bytes\"") }
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

    package static func cancel(number: Int) -> [UInt8] { message("cancel") { $0.member("number", number) } }

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

extension JSONValue {
    /// `[offset, count]` as a range of bytes; nil for anything else.
    var byteRange: Range<Int>? {
        guard let elements, count == 2 else { return nil }
        let numbers = elements.compactMap(\.int)
        guard numbers.count == 2, numbers.allSatisfy({ (0...1 << 60).contains($0) }) else { return nil }
        return numbers[0]..<numbers[0] + numbers[1]
    }
}
