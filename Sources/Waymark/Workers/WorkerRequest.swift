import WaymarkInteraction
import WaymarkSceneFiles

/// A message to a worker.
package enum WorkerRequest {
    /// Asks to read the base scene. The answer has the same number.
    case scene(SceneSource, number: Int?)
    /// Asks to draw a picture, or to answer a question about it.
    case picture(PictureOrder)
    /// Withdraws a picture that no worker has begun.
    case cancel(number: Int)
    case end

    /// - Throws: `FrameError` for any other message.
    package init(_ frame: WorkerFrame) throws(FrameError) {
        let header = frame.header.root
        let payload = header.member("bytes") == nil ? nil : frame.payload
        switch frame.type {
        case "scene":
            let number = header.member("number") == nil ? nil : try header.number(in: "scene")
            self = .scene(try SceneSource(header, in: "scene", payload), number: number)
        case "job": self = .picture(try PictureOrder(.drawing, header, in: "job", payload))
        case "inspect": self = .picture(try PictureOrder(.inspection, header, in: "inspect", payload))
        case "pick": self = .picture(try PictureOrder(.hits, header, in: "pick", payload))
        case "cancel": self = .cancel(number: try header.number(in: "cancel"))
        case "end": self = .end
        default: throw FrameError("unknown message type \(frame.type.quotedBriefly)")
        }
    }
}

/// A scene that a message names or contains.
package struct SceneSource {
    package enum Content {
        case file(path: String)
        /// The scene itself, its name in messages, and the folder for its relative paths.
        case bytes([UInt8], name: String, folder: String)
    }

    let content: Content
    /// A merge patch on its settings.
    let settings: JSONValue?
    /// Other files that no picture may replace.
    let inputs: [String]

    fileprivate init(_ header: JSONValue, in type: String, _ payload: [UInt8]?) throws(FrameError) {
        if let path = try header.text("path", in: type) {
            content = .file(path: path)
        } else {
            guard let payload else { throw FrameError("a \(type) message needs \"path\" or \"bytes\"") }
            content = .bytes(
                payload, name: try header.text("name", in: type) ?? "the scene", folder: try header.text("folder", in: type) ?? "")
        }
        settings = header.member("settings")
        let paths = header.member("inputs").map { $0.elements?.map(\.string) ?? [nil] } ?? []
        guard paths.allSatisfy({ $0?.utf8.contains(0) == false }) else {
            throw FrameError("\"inputs\" in a \(type) message is not a list of paths")
        }
        inputs = paths.compactMap(\.self)
    }
}

/// A job, and the form in which its picture is requested.
package struct PictureOrder {
    package enum Kind {
        case drawing
        /// The positions of everything in the picture, or the hits at a point of it. The picture is laid out but not drawn.
        case inspection, hits
    }

    package let kind: Kind
    package let number: Int
    let job: JSONValue
    /// The scene that the job changes, instead of the base scene.
    let scene: SceneSource?
    /// The folder for the picture; nil to return it.
    package let folder: String?
    /// The range in the shared memory for a returned picture that fits into it.
    let memory: Range<Int>?
    /// The whole message. It contains the defaults for the job, or a point and how to search there.
    let header: JSONValue

    fileprivate init(_ kind: Kind, _ header: JSONValue, in type: String, _ payload: [UInt8]?) throws(FrameError) {
        guard let job = header["job"] else { throw FrameError("a \(type) message has no \"job\"") }
        (self.kind, self.header, self.job) = (kind, header, job)
        number = try header.number(in: type)
        scene = try header.member("scene").map { (scene) throws(FrameError) in try SceneSource(scene, in: type, payload) }
        folder = try header.text("folder", in: type)
        memory = try header.member("memory").map { (memory) throws(FrameError) in
            guard let range = memory.byteRange, range.count <= WorkerFrame.payloadLimit else {
                throw FrameError("\"memory\" in a \(type) message is not an offset and a length")
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

/// The frames that a driver sends.
extension WorkerFrame {
    package static func scene(path: String) -> [UInt8] {
        message("scene") { $0.member("path", path) }
    }

    /// - Parameters:
    ///   - name: The scene's name in messages; nil for "the scene".
    ///   - folder: The folder for relative paths of the scene; empty for the worker's working directory.
    ///   - settings: A merge patch on the scene, as JSON; nil for none.
    ///   - inputs: Files that no picture may replace, in addition to the scene's files.
    package static func scene(
        bytes: [UInt8], name: String? = nil, folder: String, settings: [UInt8]? = nil, inputs: [String] = []
    ) -> [UInt8] {
        message("scene", payload: bytes) {
            $0.member("name", name)
            $0.member("folder", folder)
            $0.member("settings", json: settings)
            if !inputs.isEmpty { $0.member("inputs", inputs) }
        }
    }

    /// - Parameters:
    ///   - job: The job's line, which must be a JSON object. A byte order mark, as at the start of a file, is dropped.
    ///   - folder: The folder for the picture; nil to return it.
    package static func job(
        _ job: some Collection<UInt8>, number: Int, folder: String?, defaults: JobDefaults = JobDefaults()
    ) -> [UInt8] {
        message("job") {
            $0.member("number", number)
            $0.member("folder", folder)
            defaults.write(into: &$0)
            $0.member("job", json: job.dropFirst(job.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0))
        }
    }

    /// - Parameters:
    ///   - job: The job's line, which must be a JSON object.
    ///   - listsBaseMapSymbols: Whether the labels of the base map are listed.
    package static func inspect(_ job: some Collection<UInt8>, number: Int, listsBaseMapSymbols: Bool = false) -> [UInt8] {
        message("inspect") {
            $0.member("number", number)
            $0.member("symbols", listsBaseMapSymbols ? true : nil)
            $0.member("job", json: job)
        }
    }

    /// - Parameters:
    ///   - job: The job's line, which must be a JSON object.
    ///   - x: In pt from the picture's left.
    ///   - y: In pt from its top.
    package static func pick(
        _ job: some Collection<UInt8>, number: Int, x: Double, y: Double, _ options: HitOptions = HitOptions()
    ) -> [UInt8] {
        message("pick") {
            $0.member("number", number)
            $0.member("at", [x, y])
            $0.member("tolerance", options.tolerance)
            $0.member("includeInvisible", options.includesInvisible ? true : nil)
            $0.member("ignoreTransparent", options.ignoresTransparentPixels ? true : nil)
            $0.member("job", json: job)
        }
    }

    package static func cancel(number: Int) -> [UInt8] { message("cancel") { $0.member("number", number) } }

    package static var end: [UInt8] { message("end") { _ in } }

    static func message(_ type: String, payload: [UInt8]? = nil, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        let header = JSONWriter.object {
            $0.member("type", type)
            body(&$0)
            $0.member("bytes", payload?.count)
        }
        return bytes(header: header, payload: payload ?? [])
    }
}

extension JSONValue {
    /// - Parameter type: The type of the message with this header.
    fileprivate func number(in type: String) throws(FrameError) -> Int {
        guard let number = self["number"]?.int else { throw FrameError("a \(type) message has no integer \"number\"") }
        return number
    }

    fileprivate func text(_ key: StaticString, in type: String) throws(FrameError) -> String? {
        guard let value = member(key) else { return nil }
        guard let text = value.string else { throw FrameError("\"\(key)\" in a \(type) message is not a string") }
        guard !text.utf8.contains(0) else { throw FrameError("\"\(key)\" in a \(type) message contains a zero byte") }
        return text
    }

    /// `[offset, count]` as a range of bytes; nil for anything else.
    var byteRange: Range<Int>? {
        guard let elements, count == 2 else { return nil }
        let numbers = elements.compactMap(\.int)
        guard numbers.count == 2, numbers.allSatisfy({ (0...1 << 60).contains($0) }) else { return nil }
        return numbers[0]..<numbers[0] + numbers[1]
    }
}
