import ArgumentParser
import Glibc
import Waymark
import WaymarkSystem

/// `waymark worker`: draws jobs from standard input for another program.
struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Draws jobs for another program, over standard input and output, as described in docs/worker.md.",
        examples: [
            "waymark worker --device software",
            "waymark worker --workers auto --deadline 30",
        ])

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Draw with N worker processes, and replace those that fail. auto means one per processor on the software rasterizer, 2 on a "
                + "GPU. Each reply is sent when its picture is finished.", valueName: "N|auto"), completion: .list(["auto"]))
    var workers: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "With --workers, how long a job may take before its worker is replaced. Default: no limit.", valueName: "SECONDS"))
    var deadline: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("With --workers, how many times a job is retried after its worker is lost. Default: 1.", valueName: "N"))
    var retries: Int?

    @Option(
        help: ArgumentHelp("A file, such as one in /dev/shm, through which pictures are returned.", valueName: "FILE"), completion: .file())
    var memory: String?

    @OptionGroup(title: "Files of the scene") var files: FileArguments

    @Flag(help: "Treat warnings as errors: a job with warnings fails.")
    var strict = false

    @OptionGroup(title: "Device, fonts and memory") var device: DeviceArguments

    @OptionGroup(title: "Device, fonts and memory") var cache: CacheArguments

    func run() throws {
        // If the driver is gone, writing must fail instead of raising a signal.
        signal(SIGPIPE, SIG_IGN)
        ProcessHeap.keepBlocks()
        try reporting { () throws(Failure) in
            let (input, output, memory) = try openFiles()
            if workers == nil { try draw(input, output, memory) } else { try supervise(input, output, memory) }
        }
    }

    private func openFiles() throws(Failure) -> (input: OpenFile, output: OpenFile, memory: OpenFile?) {
        var shared: OpenFile?
        if let memory {
            do throws(SystemError) { shared = try OpenFile(memory, .write) } catch {
                throw Failure(.cannotWrite, "--memory: \(memory.quotedIfEmpty): cannot open the file: \(error)")
            }
        }
        do throws(SystemError) {
            return (try StandardStreams.input(), try StandardStreams.claimOutput(), shared)
        } catch {
            throw Failure(.software, "standard input or output cannot be opened: \(error)")
        }
    }

    private func draw(_ input: OpenFile, _ output: OpenFile, _ memory: OpenFile?) throws(Failure) {
        for (name, isGiven) in [("deadline", deadline != nil), ("retries", retries != nil)] where isGiven {
            throw Failure(.usage, "--\(name) requires --workers; without that option, there are no deadlines and no retries")
        }
        let worker = JobWorker(
            input: input, output: output, memory: memory, fontSource: device.fontSource, options: try files.sceneOptions(), isStrict: strict
        )
        let renderer: Renderer
        let cacheBytes = try cache.checked()
        do throws(Failure) {
            renderer = try device.opening(cacheBytes: cacheBytes).opened()
        } catch {
            worker.refuse(error)
            throw error
        }
        let code = worker.run(renderer)
        withExtendedLifetime(renderer) { Glibc.exit(code) }
    }

    private func supervise(_ input: OpenFile, _ output: OpenFile, _ memory: OpenFile?) throws(Failure) {
        var command = try Self.command(device: device, files: files, cache: cache, isStrict: strict)
        if let memory {
            // A worker has the file under descriptor 3.
            command.arguments += ["--memory", "/proc/self/fd/3"]
            command.kept = memory.number
        }
        var options = WorkerRelay.Options(command)
        if let workers, workers != "auto" {
            guard let count = Int(workers), (1...1024).contains(count) else {
                throw Failure(.usage, "--workers: \(workers.quotedBriefly) is neither auto nor in 1…1024")
            }
            options.count = count
        }
        if let deadline {
            guard (0.1...86_400).contains(deadline) else { throw Failure(.usage, "--deadline: \(plain(deadline)) is outside 0.1…86400") }
            options.deadline = .milliseconds(Int(deadline * 1000))
        }
        if let retries {
            guard (0...1000).contains(retries) else { throw Failure(.usage, "--retries: \(retries) is outside 0…1000") }
            options.retries = retries
        }
        Glibc.exit(WorkerRelay(input: input, output: output, options).run())
    }
}

extension WorkerCommand {
    /// The command that starts a worker with these options. It runs this program, or the program that `WAYMARK_WORKER` names.
    static func command(
        device: DeviceArguments, files: FileArguments, cache: CacheArguments, isStrict: Bool
    ) throws(Failure) -> ChildProcess.Command {
        var arguments = ["worker"]
        if let device = device.device { arguments += ["--device", device] }
        if device.requireGPU { arguments.append("--require-gpu") }
        if let fontDir = device.fontDir { arguments += ["--font-dir", fontDir] }
        if let cacheBytes = try cache.checked() { arguments += ["--cache-bytes", "\(cacheBytes)"] }
        // Checks that the path is a folder.
        _ = try files.sceneOptions()
        if let allowed = files.allowFiles { arguments += ["--allow-files", allowed] }
        if files.lenient { arguments.append("--lenient") }
        if files.cluster { arguments.append("--cluster") }
        if isStrict { arguments.append("--strict") }
        let program = FileSystem.hasOwnRights ? Environment.value("WAYMARK_WORKER") : nil
        return ChildProcess.Command(
            path: program ?? "/proc/self/exe", arguments: arguments, environment: Environment.all.map { "\($0)=\($1)" }.sorted())
    }
}
