import Foundation
import Testing
import WaymarkTestSupport

/// If the system does not let Mesa start its threads, Mesa waits for them forever.
@Suite struct ThreadLimitTests {
    /// A scene that needs the device, because its marker is turned, and one that is drawn in memory by several threads.
    private static let scenes = [
        #"{"type": "marker", "position": [0, 0], "angle": 5}"#,
        #"{"type": "polyline", "points": [[-20, -20], [20, -20], [0, 20], [-20, 10], [20, 10]], "width": 9}"#,
    ].map { Array(#"{"waymark": 1, "camera": {"center": [0, 0], "zoom": 3}, "overlays": [\#($0)]}"#.utf8) }

    private func render(_ scene: [UInt8], _ starter: [String]) throws -> Program {
        try Program.run(
            ["render", "-", "-o", "-"], input: scene,
            environment: ["WAYMARK_DEVICE_TIMEOUT": "3", "HOME": "/tmp", "LP_NUM_THREADS": "2"], startedBy: starter)
    }

    /// Limits from just enough for the program's libraries to more than enough for a picture: the picture is drawn, or the message names the limit.
    @Test(arguments: (0...15).map { 200_000 + $0 * 20_000 }, scenes)
    func addressSpace(kibibytes: Int, scene: [UInt8]) throws {
        let result = try render(scene, ["/bin/sh", "-c", "ulimit -v \(kibibytes); exec \"$@\"", "sh"])
        #expect(result.status == 0 || result.status == 69, "\(result.status): \(result.errors)")
        if result.status == 69 { #expect(result.errors.contains("(ulimit -v)"), "\(result.errors)") }
        if result.status == 69, result.errors.contains("not answered") {
            #expect(result.errors.contains("the system limits address space to \(kibibytes) KiB (ulimit -v)"), "\(result.errors)")
        }
        #expect(result.status != 0 || !result.output.isEmpty)
    }

    /// Root has no such limit, and other users have other processes, so the test needs a separate user. The limit applies to all processes
    /// of that user together, so the cases run one after another.
    @Test(
        .serialized,
        .enabled("only root can become another user") {
            geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0 && access("/usr/bin/prlimit", X_OK) == 0
        },
        .enabled("other users cannot read the program") {
            try Program.run([], startedBy: Self.asAnother + ["/bin/sh", "-c", "test -x \"$1\"", "sh"]).status == 0
        }, arguments: 1...6, scenes)
    func threads(count: Int, scene: [UInt8]) throws {
        let result = try render(scene, Self.asAnother + ["/usr/bin/prlimit", "--nproc=\(count)"])
        #expect(result.status == 0 || result.status == 69, "\(count): \(result.status) \(result.errors)")
        // If there are two threads, the program has one, and opening the device takes the other. A picture in memory needs no more.
        if count == 1 || count == 2 && scene == Self.scenes[0] {
            #expect(result.status == 69)
            #expect(result.errors.contains("the system limits processes and threads to \(count) (ulimit -u"), "\(result.errors)")
        }
    }

    private static let asAnother = ["/usr/bin/setpriv", "--reuid", "54321", "--clear-groups"]
}
