import ArgumentParser
import Foundation
import Waymark

/// The reason why the program ends: one line, and an exit code as in sysexits.
struct Failure: Error, CustomStringConvertible {
    enum Code: Int32 {
        case usage = 64
        case badContent = 65
        case noInput = 66
        case unavailable = 69
        case software = 70
    }

    var code: Code
    var description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// The workers cannot be opened, or the scene of `--base` is invalid.
    init(_ error: RenderPoolError) {
        switch error {
        case .invalid: self.init(.badContent, "--base: \(error)")
        case .unreadable: self.init(.noInput, "--base: \(error)")
        case .failed: self.init(.software, "\(error)")
        case .full, .deadline, .closed, .unavailable, .lostWorker: self.init(.unavailable, "\(error)")
        }
    }
}
