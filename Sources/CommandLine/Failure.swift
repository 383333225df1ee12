import ArgumentParser
import Glibc
import Waymark
import WaymarkGPU

/// Why the program ends without having done what was asked: one line, and an exit code as in sysexits.
struct Failure: Error {
    enum Code: Int32 {
        case usage = 64
        case badContent = 65
        case noInput = 66
        case unavailable = 69
        case software = 70
        case cannotWrite = 73
        /// Some jobs of a batch have no picture.
        case incomplete = 75
    }

    var code: Code
    var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: SceneError) {
        switch error {
        case .unreadable: self.init(.noInput, error.description)
        case .invalid: self.init(.badContent, error.description)
        case .unavailable: self.init(.unavailable, error.description)
        }
    }

    init(_ error: RenderError, scene: String) {
        switch error {
        case .range(let error): self.init(error, scene: scene)
        case .fonts(let error): self.init(error)
        case .device(let error): self.init(error)
        case .writing(let error): self.init(writing: error)
        }
    }

    init(_ error: FontError) {
        switch error {
        case .unreadableFolder: self.init(.noInput, error.description)
        case .noFonts: self.init(.unavailable, error.description)
        }
    }

    init(_ error: PropertyError, scene: String) {
        self.init(.badContent, "\(scene): \(error)")
    }

    init(_ error: GPUError) {
        // The driver's own words, which may be many lines, are for `doctor`.
        switch error.reason {
        case .badSelection: self.init(.usage, error.sentence)
        case .shader, .driverError, .badArgument: self.init(.software, error.description)
        default: self.init(.unavailable, error.sentence)
        }
    }

    /// An output that could not be made.
    init(writing error: ImagingError) {
        switch error.reason {
        case .unknownExtension: self.init(.usage, error.description)
        default: self.init(.cannotWrite, error.description)
        }
    }

    /// An input picture that could not be had.
    init(reading error: ImagingError) {
        self.init(error.reason == .cannotRead ? .noInput : .badContent, error.description)
    }
}

/// Runs a command, and ends the program as `Failure` says.
func reporting(_ body: () throws(Failure) -> Void) throws {
    do throws(Failure) {
        try body()
    } catch {
        say("error: \(error.message)")
        throw ExitCode(error.code.rawValue)
    }
}

/// A line of words for the person, on standard error. What comes from files may hold anything, so control characters are shown
/// and not sent: one line stays one, and a terminal is told nothing.
func say(_ line: String) {
    let line = line.unicodeScalars.reduce(into: "") { shown, scalar in
        if scalar.properties.generalCategory == .control {
            shown += scalar == "\n" ? "\\n" : "\\u{\(String(scalar.value, radix: 16))}"
        } else {
            shown.unicodeScalars.append(scalar)
        }
    }
    // Straight to the descriptor: `stderr` is a variable of C's, which Swift cannot know to be safe.
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

func warn(_ diagnostics: [Diagnostic], scene: String) {
    for diagnostic in diagnostics {
        say("\(diagnostic.severity.rawValue): \(scene): \(diagnostic)")
    }
}
