import ArgumentParser
import Glibc
import Waymark
import WaymarkBatch
import WaymarkSystem

/// `waymark worker`: draws jobs from standard input for another program.
struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Draws jobs for another program: frames on standard input and output, as described in docs/worker.md.")

    @OptionGroup var files: FileArguments

    @Flag(help: "A job that has a warning fails.")
    var strict = false

    @OptionGroup var device: DeviceArguments

    @OptionGroup var cache: CacheArguments

    func run() throws {
        // When the driver is gone, writing must fail instead of raising a signal.
        signal(SIGPIPE, SIG_IGN)
        ProcessHeap.keepBlocks()
        try reporting { () throws(Failure) in
            let cacheBytes = try cache.checked()
            let options = try files.sceneOptions()
            let worker: BatchWorker
            do throws(SystemError) {
                worker = BatchWorker(
                    input: try StandardStreams.input(), output: try StandardStreams.claimOutput(), fontSource: device.fontSource,
                    options: options, isStrict: strict)
            } catch {
                throw Failure(.software, "standard input or output cannot be opened: \(error)")
            }
            let renderer: Renderer
            do throws(Failure) {
                renderer = try device.opening(cacheBytes: cacheBytes).opened()
            } catch {
                worker.refuse(code: Int(error.code.rawValue), error.message)
                throw error
            }
            let code = worker.run(renderer)
            withExtendedLifetime(renderer) { Glibc.exit(code) }
        }
    }
}
