import WaymarkImaging
import WaymarkSceneFiles
import WaymarkSystem

/// The reason why an operation failed: one sentence, and the matching exit code.
package struct Failure: Error, Equatable, Sendable {
    /// Exit codes, as in sysexits.
    package enum Code: Int, Sendable {
        /// An argument is invalid, or an output would replace an input.
        case usage = 64
        /// A scene or a job, or a file that one of them names, is invalid.
        case badContent = 65
        /// A named file is missing or cannot be read.
        case noInput = 66
        /// The machine lacks a required component.
        case unavailable = 69
        case software = 70
        case cannotWrite = 73
        /// A job missed its deadline, or a batch has jobs without a picture.
        case incomplete = 75
    }

    package var code: Code
    /// The reason in one sentence.
    package var message: String
    /// The key path in the scene or the job; empty if it is unknown, or if the problem is in another file.
    package var path = ""
    /// Whether the GPU was reset, so that its renderer can no longer draw.
    package var isDeviceLost = false

    package init(_ code: Code, _ message: String, path: String = "") {
        self.code = code
        self.message = message
        self.path = path
    }

    /// Creates the failure that a message reports. An unknown code becomes `software`.
    package init(code: Int, message: String, path: String = "") {
        self.init(Code(rawValue: code) ?? .software, message, path: path)
    }
}

extension Failure: CustomStringConvertible {
    package var description: String { message }
}

extension Failure {
    /// A problem in the scene or the job itself.
    init(path: String, problem: String) {
        self.init(.badContent, "\(path): \(problem)", path: path)
    }

    /// - Parameters:
    ///   - root: The key path of the job in its document, omitted from the message.
    ///   - scene: The name of the scene, for an error that is not in a job.
    init(_ error: SceneFileError, code: Code = .badContent, root: String = "", scene: String? = nil) {
        let isInScene = error.file == nil || error.file == "" || error.file == scene
        var error = error
        // An error in the job itself has no file.
        if error.file == "" { error.file = nil }
        if error.path == root {
            error.path = ""
        } else if !root.isEmpty, error.path.hasPrefix(root + ".") {
            error.path.removeFirst(root.count + 1)
        } else if !root.isEmpty, error.path.hasPrefix(root + "[") {
            error.path.removeFirst(root.count)
        }
        self.init(code, error.description, path: isInScene ? error.path : "")
    }

    package init(_ error: SceneError, root: String = "", scene: String? = nil) {
        switch error {
        case .unreadable(let error): self.init(error, code: .noInput, root: root, scene: scene)
        case .invalid(let error): self.init(error, root: root, scene: scene)
        case .unavailable(let error): self.init(error, code: .unavailable, root: root, scene: scene)
        case .view(let error): self.init(.usage, error.description, path: error.path)
        }
    }

    /// An output of a job would replace an input of its picture, or be placed among its inputs.
    /// - Parameter output: The picture, its inspection or its hit map.
    init(replacing input: ReplacedInput, _ output: OutputPath, of job: BatchJob) {
        let file =
            switch output {
            case job.output: "picture"
            case job.output.inspection: "inspection"
            default: "hit map"
            }
        let what =
            switch input {
            case .file(let name): "replace \(name), which"
            case .folder(let name): "be in the folder \(name), which"
            }
        self.init(
            .usage, "output: \(output.path): the \(file) would \(what) \(output == job.output ? "it" : "the picture") is made from")
    }

    /// The picture has too many bytes to be returned.
    init(tooLong byteCount: Int, _ output: OutputPath) {
        self.init(
            .badContent,
            "output: \(output.path): the picture has \(byteCount) bytes, but at most \(WorkerFrame.payloadLimit) can be returned; "
                + "write it to a folder instead")
    }

    /// The inspection has too many bytes to be returned.
    init(tooLongInspection byteCount: Int) {
        self.init(
            .badContent,
            "inspect: the inspection has \(byteCount) bytes, but at most \(WorkerFrame.headerLimit / 2) can be returned; "
                + "write it to a folder instead"
        )
    }

    /// A returned picture cannot have a hit map.
    static var hitMapWithoutFolder: Failure {
        Failure(.badContent, "hitMap: a hit map is written next to its picture, but this picture is not written; name an output folder")
    }

    /// A job has warnings although none are allowed.
    init(warnings: [String]) {
        let others = warnings.count - 1
        self.init(
            .badContent, (warnings.first ?? "") + (others < 1 ? "" : others == 1 ? "; and 1 more warning" : "; and \(others) more warnings")
        )
    }

    /// - Parameter output: The output file, if any.
    package init(_ error: RenderError, _ output: OutputPath? = nil) {
        switch error {
        case .writing(let error): self.init(error, output)
        case .range(let range): self.init(path: range.path, problem: range.problem)
        // Unreachable: a batch has no delegates and no custom drawings.
        case .reentered: self.init(.software, error.description)
        case .fonts: self.init(.unavailable, error.description)
        case .device(let reason):
            self.init(reason.reason == .badSelection ? .usage : .unavailable, error.description)
            isDeviceLost = reason.reason == .contextLost
        }
    }

    init(_ error: FileError, _ output: OutputPath) { self.init(ImagingError(error), output) }

    package init(_ error: ImagingError, _ output: OutputPath? = nil) {
        var error = error
        if output != nil { error.path = nil }
        let code: Code =
            switch error.reason {
            case .cannotEncode: .badContent
            case .outOfMemory: .unavailable
            default: .cannotWrite
            }
        self.init(code, (output.map { "output: \($0.path): " } ?? "") + "\(error)")
    }
}
