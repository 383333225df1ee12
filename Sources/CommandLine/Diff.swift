import ArgumentParser
import Waymark
import WaymarkSystem

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

    @Flag(
        help: ArgumentHelp(
            "Count a pixel as equal where only an edge covers it a little more or less.",
            discussion: """
                Each picture's value must lie within the range of the other's 3 × 3 pixels around it, and nothing may have moved by a pixel.
                """))
    var ignoreAntialiasing = false

    func run() throws {
        var matches = false
        try reporting { () throws(Failure) in
            guard (0...255).contains(threshold) else { throw Failure(.usage, "--threshold: \(threshold) is outside 0…255") }
            guard (0...1).contains(allowed) else { throw Failure(.usage, "--allowed: \(allowed) is outside 0…1") }
            if let output, output != "-", ImageFormat(path: output) == nil {
                throw Failure(writing: ImagingError(.unknownExtension, path: output))
            }
            guard first != "-" || second != "-" else { throw Failure(.usage, "standard input can be one of the two pictures, not both") }
            try checkOutput()
            let comparison = PictureComparison(
                try read(first), try read(second), threshold: threshold, allowed: allowed,
                antialiasing: ignoreAntialiasing ? .ignored : .compared)
            // Standard output is for the picture alone.
            if output == "-" { say("\(comparison)") } else { try Pipes.write("\(comparison)\n") }
            if let output {
                guard let picture = comparison.differencePicture() else {
                    say("warning: \(output) is not written: pictures of different sizes have no difference picture")
                    return matches = false
                }
                try write(picture, to: output)
            }
            matches = comparison.matches
        }
        if !matches { throw ExitCode(1) }
    }

    /// Refuses an output that would replace one of the pictures.
    private func checkOutput() throws(Failure) {
        guard let output, output != "-" else { return }
        let inputs = InputRecord()
        for path in [first, second] where path != "-" { inputs.note(path) }
        if let input = inputs.input(replacedBy: output) { throw Failure(replacing: input, with: output, "is compared") }
    }

    private func write(_ picture: Bitmap, to path: String) throws(Failure) {
        var bytes: [UInt8] = []
        do throws(ImagingError) {
            if path == "-" {
                bytes = try picture.encoded(as: .png)
            } else {
                try picture.write(to: path)
            }
        } catch {
            throw Failure(writing: error)
        }
        if path == "-" { try Pipes.write(bytes) }
    }

    private func read(_ path: String) throws(Failure) -> Bitmap {
        do throws(ImagingError) {
            if path == "-" {
                let limits = ImageLimits()
                let bytes: [UInt8]
                do throws(FileError) {
                    bytes = try StandardStreams.readInput(as: .image(limit: limits.bytes))
                } catch {
                    throw ImagingError(error, limits: limits).at("standard input")
                }
                return try Bitmap(decoding: bytes, limits: limits)
            }
            return try Bitmap(contentsOf: path)
        } catch {
            throw Failure(reading: error)
        }
    }
}
