import Foundation
import Testing
import WaymarkTestSupport

/// Outputs that the system refuses: the message has the reason.
@Suite struct WriteFailureTests {
    private let folder = ScratchFolder()

    init() throws {
        try folder.write(
            #"{"waymark": 1, "camera": {"center": [0, 0], "zoom": 3}, "overlays": [{"type": "marker", "position": [0, 0], "captionText": "a"}]}"#,
            "scene.json")
    }

    @Test func aFullDevice() throws {
        let reason = "cannot write the file: No space left on device\n"
        for format in ["png", "jpeg", "webp", "rgba"] {
            let result = try Program.run(
                ["render", "scene.json", "-o", "/dev/full", "--format", format, "--background", "white"], in: folder)
            #expect(result.status == 73 && result.errors == "error: /dev/full: \(reason)", "\(result.errors)")
        }
        let output = try Program.run(
            ["render", "scene.json", "-o", "-"], in: folder, startedBy: ["/bin/sh", "-c", "exec \"$@\" >/dev/full", "sh"])
        #expect(output.status == 73 && output.errors == "error: standard output: \(reason)", "\(output.errors)")
    }

    @Test func aClosedPipe() throws {
        let result = try RunningProgram(
            ["env", "--ignore-signal=PIPE", Program.url.path, "render", "scene.json", "-o", "-"], in: folder, wrapper: ["--"],
            isProgram: false,
            hasClosedOutput: true
        ).wait()
        #expect(result.status == 73 && result.errors == "error: standard output: cannot write the file: Broken pipe\n", "\(result.errors)")
    }

    /// A limit of the file's size simulates a full disk. The tiles so far, which are kept in a file, are smaller than the archive.
    @Test(arguments: ["pmtiles", "mbtiles", "folder"]) func anArchiveOfTiles(form: String) throws {
        // The program's messages are in a file, too, so that less than a block is too little.
        for blocks in [1, 4, 16, 24, 32, 40] {
            let output = form == "folder" ? "\(form)-\(blocks)" : "map-\(blocks).\(form)"
            let result = try Program.run(
                ["tiles", "scene.json", "--zooms", "0-2", "-o", output, "--background", "white"], in: folder,
                startedBy: ["/bin/sh", "-c", "ulimit -f \(blocks); exec \"$@\"", "sh"])
            guard result.status != 0 else { continue }
            #expect(
                result.status == 73 && "\n\(result.errors)".contains("\nerror: \(output)")
                    && !result.errors.hasSuffix("cannot write the file\n"),
                "\(blocks): \(result.status) \(result.errors)")
        }
    }
}
