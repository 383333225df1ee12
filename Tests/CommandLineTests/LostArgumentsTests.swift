import Foundation
import Testing
import WaymarkTestSupport

/// The program on a machine without /proc: it has its arguments, instead of printing its overview.
@Suite struct LostArgumentsTests {
    /// A starter that hides /proc behind an empty folder, in a mount namespace of the process.
    private static let withoutProc = [
        "/usr/bin/unshare", "--map-root-user", "--mount", "/bin/sh", "-c", "mount -t tmpfs none /proc && exec \"$@\"", "sh",
    ]

    /// Containers may forbid mounts.
    private static func canHideProc() -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: withoutProc[0])
        process.arguments = Array(withoutProc.dropFirst()) + ["/bin/sh", "-c", "! test -e /proc/self"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test(.enabled(if: canHideProc(), "this machine does not allow a process to hide /proc"))
    func argumentsWithoutProc() throws {
        let folder = ScratchFolder()
        let missing = try Program.run(["inspect", "none.json"], in: folder, startedBy: Self.withoutProc)
        #expect(missing.status == 66 && missing.output.isEmpty, "\(missing.errors)")
        #expect(missing.errors == "error: none.json: cannot read the file: No such file or directory\n")
        try folder.write(#"{"waymark": 1, "overlays": [{"type": "marker", "id": "hall", "position": [1, 2]}]}"#, "scene.json")
        let expected = try Program.run("inspect", "scene.json", in: folder)
        let inspected = try Program.run(["inspect", "scene.json"], in: folder, startedBy: Self.withoutProc)
        #expect(inspected.status == 0 && inspected.output == expected.output, "\(inspected.errors)")
    }
}
