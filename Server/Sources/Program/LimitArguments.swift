import ArgumentParser
import WaymarkServer

/// The limits on clients' requests.
struct LimitArguments: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum size of a request body in bytes.", valueName: "BYTES"))
    var maxBody = ServerOptions().bodyLimit

    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum number of device pixels in a picture.", valueName: "N"))
    var maxPixels = ServerOptions().pixelLimit

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The maximum number of overlays in a scene, including features and symbols.", valueName: "N"))
    var maxOverlays = ServerOptions().overlayLimit

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long a picture may take; a worker that exceeds it is replaced.", valueName: "SECONDS"))
    var deadline = 10.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many requests may wait for a worker; further requests are answered with 503.", valueName: "N"))
    var queue = ServerOptions().queueLimit

    @Option(parsing: .unconditional, help: ArgumentHelp("How long a request may take to arrive.", valueName: "SECONDS"))
    var readTime = 10.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How long a client may take to read each 64 KiB of an answer, or its last part, before the server closes the connection.",
            valueName: "SECONDS"))
    var writeTime = 10.0

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The maximum number of open connections; beyond it, a new connection replaces the one that has been idle longest.",
            valueName: "N"))
    var maxConnections = ServerOptions().connectionLimit

    @Option(parsing: .unconditional, help: ArgumentHelp("How long caches may keep pictures from GET /static.", valueName: "SECONDS"))
    var cacheSeconds = ServerOptions().cacheSeconds
}

extension LimitArguments {
    /// Checks the values, and sets them.
    func apply(to options: inout ServerOptions) throws {
        func check(_ value: Int, _ name: String, _ range: ClosedRange<Int>) throws {
            guard range.contains(value) else {
                throw Failure(.usage, "\(name): \(value) is outside \(range.lowerBound)…\(range.upperBound)")
            }
        }
        try check(maxBody, "--max-body", 1...1 << 30)
        try check(maxPixels, "--max-pixels", 1...999_999_999)
        try check(maxOverlays, "--max-overlays", 0...100_000_000)
        try check(queue, "--queue", 1...1_000_000)
        try check(maxConnections, "--max-connections", 1...1_000_000)
        try check(cacheSeconds, "--cache-seconds", 0...31_536_000)
        let times = [(deadline, "--deadline"), (readTime, "--read-time"), (writeTime, "--write-time")]
        for (seconds, name) in times where !(seconds >= 0.1 && seconds <= 86_400) {
            throw Failure(.usage, "\(name): \(seconds) is outside 0.1…86400")
        }
        (options.bodyLimit, options.pixelLimit, options.overlayLimit) = (maxBody, maxPixels, maxOverlays)
        options.bodyMemory = max(options.bodyMemory, 4 * maxBody)
        // The largest pictures have the format rgba: 4 bytes per pixel.
        options.answerMemory = max(options.answerMemory, 4 * 4 * maxPixels)
        (options.queueLimit, options.connectionLimit, options.cacheSeconds) = (queue, maxConnections, cacheSeconds)
        (options.deadline, options.readTime, options.writeTime) = (.seconds(deadline), .seconds(readTime), .seconds(writeTime))
    }
}
