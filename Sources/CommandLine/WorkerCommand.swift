import ArgumentParser
import Glibc
import Waymark
import WaymarkBatch

/// `waymark worker`: draws jobs that come on standard input, for whoever sends them.
struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Draws jobs for another program: frames on standard input and output, as docs/worker.md tells.")

    @Flag(help: "Draw what can be drawn when an image is missing or broken.")
    var lenient = false

    @OptionGroup var device: DeviceArguments

    func run() throws {
        // A driver that is gone is an error of writing, not a signal.
        signal(SIGPIPE, SIG_IGN)
        // Frames have a descriptor of their own: what a driver of OpenGL prints goes to standard error.
        let output = dup(STDOUT_FILENO)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        var options = SceneFileOptions()
        options.isLenient = lenient
        let worker = Worker(input: STDIN_FILENO, output: output, fontSource: device.fontSource, options: options)
        try reporting { () throws(Failure) in
            let renderer: Renderer
            do throws(Failure) {
                let opening = RendererOpening(
                    device: device.device, requireGPU: device.requireGPU, imageByteLimit: Worker.imageByteLimit)
                renderer = try opening.opened()
            } catch {
                worker.refuse(code: Int(error.code.rawValue), error.message)
                throw error
            }
            let code = worker.run(renderer)
            withExtendedLifetime(renderer) { Glibc.exit(code) }
        }
    }
}
