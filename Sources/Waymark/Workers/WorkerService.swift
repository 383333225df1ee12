import Glibc
import WaymarkGPU
import WaymarkSceneFiles
import WaymarkSystem
import WaymarkText

/// How the workers of a pool draw, in this process or in other processes.
struct WorkerOptions: Sendable {
    var device: Device?
    var requireGPU = false
    var cacheBytes = Renderer.defaultCacheBytes
    var fontSource = FontSource.default
    var scenes = SceneFileOptions()
    var limits = JobLimits()
    /// Opens the renderers of this process in tests; nil for the usual way.
    var opening: (@Sendable () throws(RenderError) -> Renderer)?
}

extension WorkerOptions {
    /// Opens a renderer of this process.
    func open() throws(RenderError) -> Renderer {
        if let opening { return try opening() }
        return try Renderer(device: device, requireGPU: requireGPU, cacheBytes: cacheBytes)
    }

    /// The arguments of a worker process.
    var arguments: [String] {
        var arguments = ["cacheBytes=\(cacheBytes)"]
        if let device { arguments.append("device=\(device)") }
        if requireGPU { arguments.append("requireGPU") }
        if scenes.isLenient { arguments.append("lenient") }
        if case .folder(let path) = fontSource { arguments.append("fonts=\(path)") }
        switch scenes.resources {
        case .any: break
        case .none: arguments.append("resources")
        case .folder(let path): arguments.append("resources=\(path)")
        case .folders(let folders): arguments += ["folders"] + folders.map { "folder=\($0)=\($1)" }.sorted()
        }
        if let pixels = limits.pixels { arguments.append("pixels=\(pixels)") }
        arguments.append("overlays=\(scenes.overlayLimit)")
        if scenes.limitsPoints { arguments.append("points") }
        return arguments
    }

    /// Returns nil if the arguments come from another version.
    init?(_ arguments: [String]) {
        for argument in arguments {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            switch (parts[0], parts.count > 1 ? parts[1] : nil) {
            case ("cacheBytes", let bytes?):
                guard let bytes = Int(bytes) else { return nil }
                cacheBytes = bytes
            case ("device", let name?):
                guard let named = try? Device(name) else { return nil }
                device = named
            case ("fonts", let path?): fontSource = .folder(path)
            case ("resources", let path?): scenes.resources = .folder(path)
            case ("resources", nil): scenes.resources = .none
            case ("folders", nil): scenes.resources = .folders([:])
            case ("folder", let folder?):
                let parts = folder.split(separator: "=", maxSplits: 1).map(String.init)
                guard case .folders(var folders) = scenes.resources, parts.count == 2 else { return nil }
                folders[parts[0]] = parts[1]
                scenes.resources = .folders(folders)
            case ("pixels", let count?):
                guard let count = Int(count) else { return nil }
                limits.pixels = count
            case ("overlays", let count?):
                guard let count = Int(count) else { return nil }
                scenes.overlayLimit = count
            case ("points", nil): scenes.limitsPoints = true
            case ("requireGPU", nil): requireGPU = true
            case ("lenient", nil): scenes.isLenient = true
            default: return nil
            }
        }
    }
}

extension ContextInfo {
    /// The best number of workers for a device: one per processor on a software rasterizer, otherwise two.
    package static func workers(on renderer: String) -> Int { isSoftware(renderer: renderer) ? ProcessorCount.current.usable : 2 }
}

extension ChildProcess.Command {
    /// The command with settings for one of several workers.
    package func sharing(amongst count: Int?) -> ChildProcess.Command {
        var command = self
        // Mesa's rasterizer has one lock per process. With several workers, more threads would only compete.
        if count != 1 { command.setDefault("LP_NUM_THREADS", "0") }
        // A crash is reported in one line, and the worker is replaced immediately. Swift's backtrace would take a second and fill pages.
        command.setDefault("SWIFT_BACKTRACE", "enable=no")
        return command
    }

    private mutating func setDefault(_ name: String, _ value: String) {
        if !environment.contains(where: { $0.hasPrefix("\(name)=") }) { environment.append("\(name)=\(value)") }
    }
}

/// A worker process of a pool. Any helper program of this version can be one.
enum WorkerService {
    /// The name of this work when a helper is requested.
    static let name = "worker"

    /// The body of the process; returns its exit code.
    static func run(_ arguments: [String]) -> Int32 {
        // When the driver of the worker is gone, writing must fail instead of raising a signal.
        signal(SIGPIPE, SIG_IGN)
        guard let options = WorkerOptions(arguments), let input = try? StandardStreams.input(),
            let output = try? StandardStreams.claimOutput()
        else { return EX_USAGE }
        let worker = JobWorker(
            input: input, output: output, fontSource: options.fontSource, options: options.scenes, limits: options.limits)
        do throws(RenderError) {
            let opening = RendererOpening(device: options.device, requireGPU: options.requireGPU, cacheBytes: options.cacheBytes)
            guard let renderer = try opening.renderer() else { return EX_SOFTWARE }
            return withExtendedLifetime(renderer) { worker.run(renderer) }
        } catch {
            worker.refuse(Failure(.unavailable, error.description))
            // If a thread hangs in the driver, tearing the driver down would hang or crash.
            if DriverThread.isAnyStuck { _exit(EX_UNAVAILABLE) }
            return EX_UNAVAILABLE
        }
    }
}
