import ArgumentParser
import Waymark
import WaymarkComparison
import WaymarkSceneFiles
import WaymarkSystem

/// `waymark diff`: compares two pictures, two scenes, or the pictures of two folders.
struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compares two pictures, scenes or folders of pictures: exit code 0 if they match, 1 if not.",
        discussion: """
            A scene or a file of features (recognized by its extension: .json, .geojson, .geojsonl, .gpx, .csv and so on, also with .gz) \
            is rendered first. The result also lists which overlays differ, and how, if both sides are scenes, files of features, or \
            pictures with an inspection next to them (a .json file with the same name, written by batch or sweep).
            """,
        examples: [
            "waymark diff expected.png actual.png -o changes.png",
            "waymark diff expected actual --threshold 2 --html report.html",
        ])

    @Argument(help: "The expected picture, scene or folder.", completion: .file())
    var first: String

    @Argument(help: "The actual picture, scene or folder.", completion: .file())
    var second: String

    @Option(
        name: .output,
        help: ArgumentHelp(
            "Write a picture of the differences: red over the faded expected picture. Pixels that are left out of the comparison are blue.",
            valueName: "DIFF.png"),
        completion: .file())
    var output: String?

    @OptionGroup(title: "Comparison") var report: ReportArguments

    @OptionGroup(title: "Files of the scene") var files: FileArguments

    @OptionGroup(title: "Device, fonts and memory") var device: DeviceArguments

    func run() throws {
        var matches = false
        try reporting { () throws(Failure) in
            let (isFirst, isSecond) = (Self.isFolder(first), Self.isFolder(second))
            guard isFirst == isSecond else {
                let (folder, other) = isFirst ? (first, second) : (second, first)
                if other != "-", (try? FileStatus(other)) == nil { throw Failure(.noInput, "\(other.quotedIfEmpty): no such folder") }
                throw Failure(.usage, "\(folder) is a folder and \(other) is not; compare two folders or two files")
            }
            matches = isFirst ? try compareFolders() : try compareFiles()
        }
        if !matches { throw ExitCode(1) }
    }

    private static func isFolder(_ path: String) -> Bool { path != "-" && (try? FileStatus(path))?.form == .folder }

    // MARK: Files

    private func compareFiles() throws(Failure) -> Bool {
        var result = try report.begin("\(first) and \(second)")
        try checkOutput()
        let inputs = InputRecord()
        for path in [first, second] where path != "-" {
            inputs.note(path)
            if !SceneFile.isNamed(path) { inputs.note(ComparedPicture.inspectionPath(of: path)) }
        }
        try checkOutputs(inputs)
        var scenes = ScenePictures(files: files, device: device, inputs: inputs, findsAreas: report.ignoresObjects)
        let (expected, actual) = (try read(first, &scenes), try read(second, &scenes))
        // The check is repeated, now including the files that the scenes read.
        try checkOutputs(inputs)
        let verdict = try writing { () throws(ImagingError) in try result.compare("", expected: expected, actual: actual) }
        let words = report.json ? result.jsonText : "\(verdict)\n"
        // Standard output is reserved for the picture.
        if output == "-" { say(String(words.dropLast())) } else { try Pipes.write(words) }
        try writeDifference(expected, actual, result)
        try report.write(result)
        report.warn(of: result)
        return verdict.matches
    }

    /// Refuses an invalid output.
    private func checkOutput() throws(Failure) {
        if let output, output != "-", ImageFormat(path: output) == nil {
            throw Failure(writing: ImagingError(.unknownExtension, path: output))
        }
        if report.json, output == "-" {
            throw Failure(
                .usage, "--json and the picture cannot both be written to standard output; write the picture to a file with --output")
        }
        if let output { try report.refuseFile(ofName: output, option: "--output") }
        guard first != "-" || second != "-" else { throw Failure(.usage, "standard input can be one of the two pictures, not both") }
    }

    /// Refuses outputs that would replace the compared files, or files that the scenes read.
    private func checkOutputs(_ inputs: InputRecord) throws(Failure) {
        let pictures = [first, second].filter { !SceneFile.isNamed($0) }
        let compared = [first, second] + pictures.map(ComparedPicture.inspectionPath)
        func reader(_ input: ReplacedInput) -> String { compared.contains(input.name) ? "is compared" : "a scene reads" }
        if let output, output != "-" { try inputs.refuse(output, reader: reader) }
        try report.check(inputs, reader: reader)
    }

    private func writeDifference(
        _ expected: ComparedPicture, _ actual: ComparedPicture, _ result: ComparisonReport
    ) throws(Failure) {
        guard let output else { return }
        guard let picture = result.differencePicture(expected: expected, actual: actual) else {
            return say("warning: \(output) is not written, because the pictures have different sizes")
        }
        guard output == "-" else { return try writing { () throws(ImagingError) in try picture.write(to: output) } }
        try Pipes.write(try writing { () throws(ImagingError) in try picture.encoded(as: .png) })
    }

    private func read(_ path: String, _ scenes: inout ScenePictures) throws(Failure) -> ComparedPicture {
        if SceneFile.isNamed(path) { return try scenes.picture(of: path) }
        do throws(ImagingError) {
            guard path == "-" else { return try ComparedPicture(contentsOf: path) }
            let limits = ImageLimits()
            let bytes: [UInt8]
            do throws(FileError) {
                bytes = try StandardStreams.readInput(as: .image(limit: limits.bytes))
            } catch {
                throw ImagingError(error, limits: limits).at("standard input")
            }
            return ComparedPicture(try Bitmap(decoding: bytes, limits: limits))
        } catch {
            throw Failure(reading: error)
        }
    }

    // MARK: Folders

    private func compareFolders() throws(Failure) -> Bool {
        var result = try report.begin("\(first) and \(second)")
        if output != nil { throw Failure(.usage, "--output requires two pictures; to see the differences of folders, use --html") }
        let inputs = InputRecord()
        for folder in [first, second] {
            let names: [String]
            do throws(SystemError) { names = try PictureFolder.pictures(in: folder) } catch {
                throw Failure(.noInput, "\(folder): \(error)")
            }
            if names.isEmpty, folder == first { throw Failure(.noInput, "\(folder): this folder has no pictures") }
            for name in names {
                inputs.note("\(folder)/\(name)")
                inputs.note(ComparedPicture.inspectionPath(of: "\(folder)/\(name)"))
            }
        }
        try report.check(inputs) { _ in "is compared" }
        do {
            try result.compareFolders(expected: first, actual: second)
        } catch let error as ImagingError {
            throw Failure(writing: error)
        } catch {
            throw Failure(.noInput, "\(error)")
        }
        try Pipes.write(report.json ? result.jsonText : "\(result)\n")
        try report.write(result)
        report.warn(of: result)
        return result.matches
    }
}
