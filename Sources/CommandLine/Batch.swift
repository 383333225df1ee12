import ArgumentParser
import Waymark
import WaymarkBatch
import WaymarkSceneFiles
import WaymarkSystem

/// `waymark batch`: draws many jobs into many pictures.
struct Batch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Renders many pictures, one for each line of a file.",
        discussion: """
            Each line of JOBS is a JSON merge patch that is applied to the base scene, and has an "id". The output folder also records \
            which pictures are finished, so that --resume can continue an interrupted batch. Failures are listed in failures.jsonl, and \
            warnings in warnings.jsonl. The options for size, camera, background, format and encoding apply to every job that does not \
            set them.
            """,
        examples: [
            "waymark batch jobs.jsonl --scene city.json -o out",
            "waymark batch jobs.jsonl --scene city.json -o out --workers 4 --resume",
        ])

    @Argument(help: ArgumentHelp("A file of JSON lines; - is standard input.", valueName: "JOBS"), completion: .file())
    var jobs: String

    @Option(name: .output, help: ArgumentHelp("The folder for the pictures.", valueName: "DIR"), completion: .directory)
    var output: String

    @Option(
        help: ArgumentHelp(
            "The base scene, to which each job applies its own changes; - is standard input. Default: an empty scene.", valueName: "BASE"),
        completion: .scene)
    var scene: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The number of worker processes that draw. Default: one per processor on the software rasterizer, 2 on a GPU.", valueName: "N"))
    var workers: Int?

    @Flag(help: "Draw only pictures that are missing or whose jobs have changed.")
    var resume = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Draw only part I of N, with I from 0 to N - 1. A job's part depends only on its id.", valueName: "I/N"))
    var shard: String?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("How long a job may take before its worker is killed.", valueName: "SECONDS"))
    var deadline: Double = 60

    @OptionGroup(title: "Picture and camera") var view: ViewArguments

    @OptionGroup(title: "Format") var encoding: EncodingArguments

    @Flag(help: "Write each picture's inspection next to it, as ID.json, in the format of waymark inspect.")
    var inspect = false

    @Option(
        help: ArgumentHelp(
            "Write a hit map next to each picture: html for an image map with links (ID.html), json for a list (ID.hits.json).",
            valueName: "FORMAT"), completion: .list(HitMapFormat.allCases.map(\.rawValue)))
    var hitMap: String?

    @OptionGroup var link: LinkArguments

    @OptionGroup(title: "Files of the scene") var files: FileArguments

    @Flag(help: "Treat warnings as errors: a job with warnings fails.")
    var strict = false

    @Flag(help: "Print events as JSON lines on standard output: begin, done, failed, warning, restarted, and finally summary.")
    var events = false

    @OptionGroup(title: "Device, fonts and memory") var device: DeviceArguments

    @OptionGroup(title: "Device, fonts and memory") var cache: CacheArguments

    func run() throws {
        try reporting { () throws(Failure) in
            let lines = events ? BatchEventLines() : nil
            var options = try checkedOptions()
            options.scene = try scene.map { (path) throws(Failure) in try BatchOptions.readScene(path) }
            if let scene, scene != "-" { options.inputs.append(scene) }
            options.settings = try view.patch(of: options.scene)
            if jobs != "-" { options.inputs.append(jobs) }
            let index = try JobIndex(JobFile(jobs), base: options.fingerprint, shard: options.shard, defaults: options.defaults)
            let reporter = BatchReporter(
                jobs: jobs == "-" ? "standard input" : jobs, failures: BatchRun.failuresPath(options),
                warnings: BatchRun.warningsPath(options), events: lines)
            options.progressInterval = reporter.interval
            let batch = try BatchRun(index, options: options) { reporter.report($0) }
            // From here on, signals must not interrupt pictures in progress.
            let (summary, stop) = batch.run(EndingSignals())
            reporter.report(summary)
            if let lines { try lines.end(summary) } else { try Pipes.write(summary.json.text + "\n") }
            if let stop { throw stop }
            if summary.failed > 0 || summary.left > 0 { throw Failure(.incomplete, reporter.ending(summary)) }
        }
    }

    private func checkedOptions() throws(Failure) -> BatchOptions {
        var options = BatchOptions(
            folder: output, command: try WorkerCommand.command(device: device, files: files, cache: cache, isStrict: strict))
        if output.isEmpty { throw Failure(.usage, "--output: the name of the folder is empty") }
        if ImageFormat(path: output) != nil, (try? FileStatus(output)) == nil {
            throw Failure(
                .usage,
                "--output: \(output) is the name of a picture, but a batch needs a folder; jobs name their pictures with \"output\"")
        }
        if jobs == "-", scene == "-" { throw Failure(.usage, "JOBS and --scene cannot both be standard input") }
        if files.cluster, scene == nil { throw Failure(.usage, "--cluster: without a base scene, there are no points to group") }
        if let workers {
            guard (1...1024).contains(workers) else { throw Failure(.usage, "--workers: \(workers) is outside 1…1024") }
            options.workers = workers
        }
        if let shard {
            guard let known = Shard(shard) else {
                throw Failure(.usage, "--shard: \"\(shard)\" does not have the form I/N (such as 0/4) with I from 0 to N - 1")
            }
            options.shard = known
        }
        guard (0.1...86_400).contains(deadline) else { throw Failure(.usage, "--deadline: \(plain(deadline)) is outside 0.1…86400") }
        options.deadline = .milliseconds(Int(deadline * 1000))
        options.isResuming = resume
        let lenient = files.lenient
        if lenient, strict { throw Failure(.usage, "--lenient and --strict are mutually exclusive") }
        options.isStrict = strict
        try view.checkedChange()
        options.defaults.format = try encoding.chosenFormat()
        let encodingOptions = try encoding.compression.checkedOptions(options.defaults.format)
        options.defaults.quality = encodingOptions.quality
        options.defaults.isProgressive = encodingOptions.isProgressive ? true : nil
        options.defaults.paletteColors = encodingOptions.paletteColors
        options.defaults.isInspected = inspect
        if let hitMap {
            do throws(PropertyError) {
                options.defaults.hitMap = try HitMapFormat(named: hitMap, "hitMap")
            } catch {
                throw Failure(option: error)
            }
        }
        options.defaults.link = try link.checked()
        options.appearance = [lenient ? "lenient" : "strict", device.fontDir ?? Environment.value("WAYMARK_FONT_DIR") ?? ""]
        if let allowed = files.allowFiles, allowed != "any" { options.appearance.append("reads \(allowed)") }
        if files.cluster { options.appearance.append("clusters") }
        // With `--strict`, pictures that were drawn with warnings must be drawn again.
        if strict { options.appearance.append("without warnings") }
        return options
    }
}
