import Waymark
import WaymarkSystem

/// Reads standard input, and writes standard output and files. Errors are failures of the program.
enum Pipes {
    /// All bytes of standard input.
    static func readInput(as kind: InputKind) throws(Failure) -> [UInt8] {
        do throws(FileError) {
            return try StandardStreams.readInput(as: kind)
        } catch {
            throw Failure(reading: error, name: "standard input")
        }
    }

    /// Writes all bytes to standard output.
    static func write(_ bytes: [UInt8]) throws(Failure) {
        do throws(SystemError) {
            try StandardStreams.writeOutput(bytes)
        } catch {
            throw Failure(.cannotWrite, "cannot write to standard output: \(error)")
        }
    }

    static func write(_ text: String) throws(Failure) {
        try write(Array(text.utf8))
    }

    /// Writes a file, completely or not at all.
    static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        do throws(FileError) {
            try WholeFile.write(bytes, to: path)
        } catch {
            throw Failure(.cannotWrite, "\(path.quotedIfEmpty): \(error.problem)")
        }
    }
}
