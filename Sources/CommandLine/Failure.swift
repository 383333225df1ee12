import ArgumentParser
import Waymark
import WaymarkGPU
import WaymarkSystem

/// The failures of the program: one line, and an exit code.
extension Failure {
    /// An invalid value of an option, named by the error's path.
    init(option error: PropertyError) {
        self.init(.usage, "\(PictureOption.flag(error.path)): \(error.problem)")
    }

    init(_ error: RenderError, scene: String) {
        switch error {
        case .range(let error): self.init(error, scene: scene)
        // Unreachable: the program has neither delegates nor custom drawings.
        case .reentered: self.init(.software, "\(scene): \(error)")
        case .fonts(let error): self.init(error)
        case .device(let error): self.init(error)
        case .writing(let error): self.init(writing: error)
        }
    }

    init(_ error: FontError) {
        switch error {
        case .unreadableFolder: self.init(.noInput, error.description)
        case .noFonts, .missingLibrary: self.init(.unavailable, error.description)
        }
    }

    init(_ error: PropertyError, scene: String) {
        self.init(.badContent, "\(scene): \(error)")
    }

    init(_ error: GPUError) {
        // The driver's log, which may have many lines, is for `doctor`.
        switch error.reason {
        case .badSelection: self.init(.usage, (error.stage == "device" ? "--" : "") + error.sentence)
        case .shader, .driverError, .badArgument: self.init(.software, error.description)
        default: self.init(.unavailable, error.sentence)
        }
    }

    /// An output file that cannot be written.
    init(writing error: ImagingError) {
        switch error.reason {
        case .unknownExtension: self.init(.usage, error.description)
        case .cannotEncode: self.init(.badContent, error.description)
        case .outOfMemory: self.init(.unavailable, error.description)
        default: self.init(.cannotWrite, error.description)
        }
    }

    /// An input file that cannot be read, or is too large.
    init(reading error: FileError, name: String) {
        self.init(error.reason == .cannotRead ? .noInput : .badContent, "\(name.quotedIfEmpty): \(error.problem)")
    }

    /// An input picture that cannot be read.
    init(reading error: ImagingError) {
        self.init(error.reason == .cannotRead ? .noInput : .badContent, error.description)
    }
}

/// Runs code that encodes or writes pictures.
func writing<Result>(_ body: () throws(ImagingError) -> Result) throws(Failure) -> Result {
    do throws(ImagingError) { return try body() } catch { throw Failure(writing: error) }
}

extension InputRecord {
    /// Refuses an output that would replace an input file, or be written into an input folder.
    /// - Parameters:
    ///   - option: The option that names the output.
    ///   - reader: The clause about the use of an input: `the scene reads`.
    func refuse(_ output: String, option: String = "--output", reader: (ReplacedInput) -> String) throws(Failure) {
        guard let input = input(replacedBy: output) else { return }
        let what =
            switch input {
            case .file(output): "replace this file"
            case .file(let name): "replace \(name)"
            case .folder(let name): "be in the folder \(name)"
            }
        throw Failure(.usage, "\(output): the output would \(what), which \(reader(input)); choose another name with \(option)")
    }
}

/// Runs a command; a `Failure` ends the program with its line and exit code.
func reporting(_ body: () throws(Failure) -> Void) throws {
    do throws(Failure) {
        try body()
    } catch {
        say("error: \(error.message)")
        throw ExitCode(Int32(error.code.rawValue))
    }
}

/// Writes a line to standard error, with control characters escaped and long names shortened.
func say(_ line: String) { StandardStreams.writeError(line.shortMessage + "\n") }

/// Prints diagnostics as warnings. Errors among them are thrown unless the scene is drawn leniently.
func warn(_ diagnostics: [Diagnostic], scene: String, isLenient: Bool = false) throws(Failure) {
    try refuseErrors(diagnostics, scene: scene, isLenient: isLenient)
    for diagnostic in diagnostics { say("warning: \(scene): \(diagnostic)") }
}

/// Throws the first error among diagnostics, unless the scene is drawn leniently with `--lenient`.
func refuseErrors(_ diagnostics: [Diagnostic], scene: String, isLenient: Bool) throws(Failure) {
    guard !isLenient, let error = diagnostics.first(where: { $0.severity == .error }) else { return }
    throw Failure(.badContent, "\(scene.quotedIfEmpty): \(error.reason); --lenient draws the rest")
}
