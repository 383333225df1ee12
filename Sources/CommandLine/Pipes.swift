import WaymarkSystem

/// Standard input and output, whose errors are failures of the program.
enum Pipes {
    /// All bytes of standard input.
    static func readInput() throws(Failure) -> [UInt8] {
        do throws(SystemError) {
            return try StandardStreams.readInput()
        } catch {
            throw Failure(.noInput, "cannot read standard input: \(error)")
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
}
