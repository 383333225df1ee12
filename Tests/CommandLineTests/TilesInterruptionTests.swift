import Foundation
import Testing
import WaymarkImaging
import WaymarkTestSupport
import WaymarkTiles

/// `waymark tiles` interrupted by Ctrl-C or killed, and then resumed.
///
/// The scene has a base map with one broken tile for zoom 2 and 256 for zoom 3, each broken in a different way and therefore reported in a
/// separate line on standard error, which is a pipe of one page: after the first line, zooms 0 and 1 are done, and without a reader zoom 3
/// never is.
@Suite struct TilesInterruptionTests {
    private let folder = ScratchFolder()
    private let arguments = ["tiles", "scene.json", "--zooms", "0-3", "--whole-world", "-o"]

    init() throws {
        try folder.write(
            """
            {"waymark": 1, "basemap": "map", "overlays": [
              {"type": "marker", "position": [1, 2], "captionText": "A caption over the borders"},
              {"type": "polygon", "rings": [[[-100, 10], [80, 10], [80, 60], [-100, 60]]], "fillColor": "#22aa6680"}]}
            """, "scene.json")
        let plain = try Bitmap(width: 256, height: 256, fill: Color(red: 0.9, green: 0.9, blue: 0.8)).encoded(as: .png)
        // Tiles of 512 pt show 256 pt tiles of the next zoom.
        for zoom in 0...4 {
            for x in 0..<1 << zoom {
                let column = "map/\(zoom)/\(x)"
                try FileManager.default.createDirectory(atPath: "\(folder.path)/\(column)", withIntermediateDirectories: true)
                for y in 0..<1 << zoom {
                    let isBroken = zoom == 4 || zoom == 3 && x == 0 && y == 0
                    let bytes = isBroken ? try Bitmap(width: 2 + 16 * x + y, height: 1).encoded(as: .png) : plain
                    try folder.write(bytes, "\(column)/\(y).png")
                }
            }
        }
    }

    /// Starts the program, waits until it reports the first broken tile, and sends it a signal while it cannot reach the end.
    private func interrupt(_ output: String, by signal: Int32) throws -> Program {
        let (process, pipe) = (Process(), Pipe())
        let reading = pipe.fileHandleForReading
        // F_SETPIPE_SZ, which Glibc's module does not have.
        let isSmall = fcntl(reading.fileDescriptor, 1031, 4096) == 4096
        try #require(isSmall)
        process.executableURL = Program.url
        process.arguments = arguments + [output]
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = ProcessInfo.processInfo.environment.merging(["GALLIUM_OVERRIDE_CPU_CAPS": "sse4.1"]) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = pipe.fileHandleForWriting
        try process.run()
        try pipe.fileHandleForWriting.close()
        var errors: [UInt8] = []
        while !(errors.last == UInt8(ascii: "\n") && String(decoding: errors, as: UTF8.self).contains("warning: ")),
            let byte = try reading.read(upToCount: 1)?.first
        { errors.append(byte) }
        #expect(kill(process.processIdentifier, signal) == 0)
        errors += try reading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Program(
            status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus, output: [],
            errors: String(decoding: errors, as: UTF8.self))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGKILL], ["land.pmtiles", "land.mbtiles"]) func theArchiveIsThatOfOneRun(
        signal: Int32, name: String
    ) throws {
        let whole = try Program.run(arguments + ["whole-\(name)", "--name", "land"], in: folder)
        #expect(whole.status == 0, "\(whole.errors)")
        let first = try interrupt(name, by: signal)
        #expect(first.errors.hasPrefix("\(name): up to 85 tiles at zooms 0-3, about "), "\(first.errors)")
        #expect(first.errors.contains("\nwarning: scene.json: basemap: map: tile 3/0/0 is left out"), "\(first.errors)")
        if signal == SIGKILL {
            #expect(first.status == -SIGKILL)
        } else {
            #expect(first.status == 75)
            #expect(first.errors.hasSuffix("error: \(name): interrupted; --resume continues with \(name).partial\n"), "\(first.errors)")
        }
        #expect(folder.names.contains("\(name).partial") && !folder.names.contains(name))

        // Another renderer's tiles would not match the existing ones.
        let other = try Program.run(arguments + [name, "--resume"], in: folder, environment: ["GALLIUM_DRIVER": "softpipe"])
        #expect(other.status == 64)
        #expect(
            other.errors.hasPrefix("error: \(name).partial: the tiles in this file were drawn by llvmpipe")
                && other.errors.contains(", but this machine draws with softpipe, ")
                && other.errors.hasSuffix("; without --resume, tiles are drawn from the start\n"),
            "\(other.errors)")

        let resumed = try Program.run(arguments + [name, "--resume"], in: folder)
        #expect(resumed.status == 0, "\(resumed.errors)")
        let drawnBefore = resumed.errors.firstMatch(of: /; (\d+) drawn in an earlier run;/).flatMap { Int($0.1) } ?? 0
        #expect((5..<85).contains(drawnBefore), "\(resumed.errors)")
        #expect(try folder.read(name) == folder.read("whole-\(name)"))
        #expect(!folder.names.contains("\(name).partial"))
    }
}
