import ArgumentParser
import Foundation
import Logging
import NIOCore
import Waymark
import WaymarkServer

/// `waymark-server`: draws scenes for clients over HTTP.
struct ServerProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waymark-server", abstract: "Draws map overlays over HTTP.",
        discussion: "Scenes may read no files unless --data names folders. docs/server.md describes the routes.", version: waymarkVersion)

    @Option(help: ArgumentHelp("The address to listen on; 0.0.0.0 for all.", valueName: "ADDRESS"))
    var host = "127.0.0.1"

    @Option(parsing: .unconditional, help: ArgumentHelp("The port to listen on; 0 for any free port.", valueName: "N"))
    var port = 8080

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The number of processes that draw, 1 to 256. Default: one for each processor; on a GPU, the server draws with threads instead.",
            valueName: "N"
        )
    )
    var workers: Int?

    @Option(
        help: ArgumentHelp(
            "A folder with files that scenes may read as NAME/path; may be given several times.", valueName: "NAME=DIR"))
    var data: [String] = []

    @Option(
        help: ArgumentHelp(
            "The base scene for GET /static, with its base map, background and language. It may read only files in the folders of --data.",
            valueName: "SCENE"))
    var base: String?

    @Flag(help: "If an image is missing or broken, draw the rest of the scene.")
    var lenient = false

    @OptionGroup(title: "Limits") var limits: LimitArguments
    @OptionGroup(title: "Drawing") var drawing: DrawingArguments

    @Option(help: ArgumentHelp("The lowest level to log: debug, info, warning or error.", valueName: "LEVEL"))
    var logLevel = "info"

    func run() async throws {
        let options = try serverOptions()
        guard let level = Logger.Level(rawValue: logLevel) else {
            throw Failure(.usage, "--log-level: \"\(logLevel)\" is not one of debug, info, warning, error")
        }
        LoggingSystem.bootstrap { JSONLogHandler(label: $0, level: level) }
        let logger = Logger(label: "waymark-server")
        let server: WaymarkServer
        do {
            server = try await WaymarkServer(options, logger: logger)
        } catch let error as RenderPoolError {
            throw Failure(error)
        }
        let (device, count) = (server.deviceName, server.workerCount)
        do {
            try await server.run { port in
                logger.info(
                    "listening",
                    metadata: [
                        "host": "\(options.host)", "port": .stringConvertible(port), "device": "\(device)",
                        "workers": .stringConvertible(count), "version": "\(waymarkVersion)",
                    ])
            }
        } catch let error as IOError {
            throw Failure(.unavailable, "cannot listen on \(host):\(port): \(String(cString: strerror(error.errnoCode)))")
        } catch let error as SocketAddressError {
            throw Failure(.usage, "--host: \"\(host)\" is not an address: \(error)")
        }
        logger.info("closed")
    }

    private func serverOptions() throws -> ServerOptions {
        var options = ServerOptions()
        options.host = host
        guard (0...65_535).contains(port) else { throw Failure(.usage, "--port: \(port) is outside 0…65535") }
        options.port = port
        if let workers {
            guard (1...256).contains(workers) else { throw Failure(.usage, "--workers: \(workers) is outside 1…256") }
            options.workers = .processes(workers)
        }
        for folder in data {
            let parts = folder.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, ResourcePolicy.isFolderName(parts[0]) else {
                throw Failure(
                    .usage,
                    "--data: \"\(folder)\" does not have the form NAME=DIR; NAME must not be . or .., and must not contain a slash, "
                        + "backslash or colon")
            }
            guard options.folders[parts[0]] == nil else {
                throw Failure(.usage, "--data: two folders have the name \"\(parts[0])\"")
            }
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: parts[1], isDirectory: &isFolder), isFolder.boolValue else {
                throw Failure(.noInput, "--data: \"\(parts[1])\" is not a folder")
            }
            options.folders[parts[0]] = URL(fileURLWithPath: parts[1]).standardizedFileURL.path
        }
        if let base {
            do throws(SceneError) { options.base = try SceneData(contentsOf: base).bytes } catch { throw Failure(.noInput, "\(error)") }
        }
        options.isLenient = lenient
        try limits.apply(to: &options)
        try drawing.apply(to: &options)
        return options
    }
}
