import ArgumentParser
import Waymark

/// `waymark diff`: compares two pictures.
struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Compares two pictures: exit code 0 when they match, 1 when not.")

    @Argument(help: "The first picture.")
    var first: String

    @Argument(help: "The second picture.")
    var second: String

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write a picture of the differences: red over a faint first picture.", valueName: "DIFF.png"))
    var output: String?

    @Option(parsing: .unconditional, help: "The largest channel difference that counts as equal, 0 to 255.")
    var threshold = 0

    @Option(parsing: .unconditional, help: "The largest share of differing pixels in any 16 × 16 window, 0 to 1.")
    var allowed = 0.0

    func run() throws {
        var matches = false
        try reporting { () throws(Failure) in
            guard (0...255).contains(threshold) else { throw Failure(.usage, "--threshold: \(threshold) is outside 0…255") }
            guard (0...1).contains(allowed) else { throw Failure(.usage, "--allowed: \(allowed) is outside 0…1") }
            let comparison = PictureComparison(try read(first), try read(second), threshold: threshold, allowed: allowed)
            try Pipes.write("\(comparison)\n")
            if let output, let picture = comparison.differencePicture() {
                do throws(ImagingError) { try picture.write(to: output) } catch { throw Failure(writing: error) }
            }
            matches = comparison.matches
        }
        if !matches { throw ExitCode(1) }
    }

    private func read(_ path: String) throws(Failure) -> Bitmap {
        do throws(ImagingError) {
            if path == "-" {
                let bytes: [UInt8]
                do throws(Failure) { bytes = try Pipes.readInput() } catch { throw ImagingError(.cannotRead, path: "standard input") }
                return try Bitmap(decoding: bytes)
            }
            return try Bitmap(contentsOf: path)
        } catch {
            throw Failure(reading: error)
        }
    }
}
