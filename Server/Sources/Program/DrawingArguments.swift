import ArgumentParser
import Foundation
import Waymark
import WaymarkServer

/// The device, fonts and caches for drawing scenes, as the options of the program.
struct DrawingArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The device that draws, with the same values as waymark's --device. Default: the best available device.", valueName: "DEVICE"))
    var device: String?

    @Flag(name: .customLong("require-gpu"), help: "Exit if only a software rasterizer is available.")
    var requireGPU = false

    @Option(help: ArgumentHelp("A folder of fonts to use instead of the system's.", valueName: "DIR"))
    var fontDir: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The maximum number of bytes that each worker caches between pictures.", valueName: "BYTES"))
    var cacheBytes = ServerOptions().cacheBytes
}

extension DrawingArguments {
    func apply(to options: inout ServerOptions) throws {
        if let device {
            do throws(GPUError) {
                options.device = try Device(device)
            } catch {
                throw Failure(.usage, "--\(error)")
            }
        }
        options.requireGPU = requireGPU
        if let fontDir {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: fontDir, isDirectory: &isFolder), isFolder.boolValue else {
                throw Failure(.noInput, "--font-dir: \"\(fontDir)\" is not a folder")
            }
            options.fontSource = .folder(fontDir)
        }
        guard cacheBytes >= 0 else { throw Failure(.usage, "--cache-bytes: \(cacheBytes) is less than 0") }
        options.cacheBytes = cacheBytes
    }
}
