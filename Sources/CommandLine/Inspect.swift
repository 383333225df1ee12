import ArgumentParser
import Waymark
import WaymarkBatch
import WaymarkImaging
import WaymarkSceneFiles

/// `waymark inspect`: the position of everything in a scene, as JSON.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Prints the position of each object, or the reason why it is not drawn, as JSON.",
        examples: [
            "waymark inspect city.json --symbols",
            "waymark inspect city.json --jobs jobs.jsonl --job night",
        ])

    @OptionGroup var scene: SceneArguments

    @Option(
        help: ArgumentHelp("A file of batch jobs for the scene, from which --job chooses one; - is standard input.", valueName: "JOBS"),
        completion: .file())
    var jobs: String?

    @Option(help: ArgumentHelp("The id of the job whose picture is inspected.", valueName: "ID"))
    var job: String?

    @Flag(help: "Also list the picture's labels and points of interest from a vector base map, among the symbols.")
    var symbols = false

    // The options are the same as for other commands, although only the fonts matter here.
    @OptionGroup(title: "Device, fonts and memory") var device: DeviceArguments

    @OptionGroup(title: "Device, fonts and memory") var cache: CacheArguments

    func run() throws {
        try reporting { () throws(Failure) in
            // The limit is set first, because it also applies to decoding.
            let budget = CacheBudget(byteLimit: try cache.checked() ?? CacheBudget.defaultByteLimit)
            defer { withExtendedLifetime(budget) {} }
            if jobs != nil || job != nil { return try inspectJob() }
            let mapView = try scene.load(device.fontSource)
            let placement = try scene.drawing { () throws(RenderError) in try mapView.placement().withoutFrame() }
            try refuseErrors(placement.inspectionDiagnostics, scene: scene.name, isLenient: scene.lenient)
            try placement.writeInspection(listsBaseMapSymbols: symbols, .indented, to: Pipes.write)
            try Pipes.write("\n")
        }
    }

    private func inspectJob() throws(Failure) {
        guard let jobs, let job else {
            throw Failure(.usage, "--jobs (a file of jobs) and --job (the id of one of them) must be given together")
        }
        if jobs == "-", scene.scene == "-" { throw Failure(.usage, "SCENE and --jobs cannot both be standard input") }
        try scene.view.checkedChange()
        let name = jobs == "-" ? "standard input" : jobs
        let index = try JobIndex(JobFile(jobs), base: Fingerprint())
        guard let entry = index.entry(id: job), let line = index.line(entry) else {
            let problem = index.problems.first { $0.id == job }.map { "line \($0.line): \($0.message)" }
            throw Failure(.badContent, "\(name): \(problem ?? "no job has the id \(job.quotedBriefly)")")
        }
        let base = try readBase()
        let known: (inspection: Inspection, warnings: [Diagnostic])
        do throws(Failure) {
            known = try base.inspection(of: BatchJob(line: line), listsBaseMapSymbols: symbols, fontSource: device.fontSource)
        } catch {
            throw Failure(error.code, "\(name): line \(index.entries[entry].line): \(job): \(error)")
        }
        try warn(base.warnings, scene: scene.name, isLenient: scene.lenient)
        try warn(known.warnings, scene: job, isLenient: scene.lenient)
        try Pipes.write(known.inspection.json.text + "\n")
    }

    /// The scene as the base of jobs.
    private func readBase() throws(Failure) -> BaseScene {
        let read = try BatchOptions.readScene(scene.scene)
        let options = try scene.files.sceneOptions()
        let patch = try scene.view.patch(of: read)
        // The patch was just written, so it is JSON.
        let settings = patch.flatMap { try? JSONDocument(parsing: $0) }
        do throws(SceneError) {
            return try BaseScene(
                bytes: read.bytes, name: scene.name, folder: read.folder, options: options, settings: settings?.root)
        } catch {
            throw Failure(error)
        }
    }
}
