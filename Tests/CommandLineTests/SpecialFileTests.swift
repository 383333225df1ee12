import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// Endless files, and paths that are not files: one line, and no more memory than the limits allow.
@Suite struct SpecialFileTests {
    private let folder = ScratchFolder()

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    private func scene(_ overlay: String) throws {
        try folder.write(#"{"waymark": 1, "camera": {"center": [0, 0]}, "overlays": [\#(overlay)]}"#, "scene.json")
    }

    /// Runs the program with half of the memory that the largest limit of a regular file would take, and expects one line.
    private func refuse(_ arguments: String..., message: String, status: Int32 = 65, location: SourceLocation = #_sourceLocation) throws {
        let command = "ulimit -v 4000000; exec \"$0\" \"$@\""
        let result = try RunningProgram(
            ["sh", "-c", command, Program.url.path] + arguments, in: folder, wrapper: ["--default-signal"], isProgram: false
        ).wait()
        #expect(result.status == status && result.errors == "error: \(message)\n", "\(result.errors)", sourceLocation: location)
    }

    private let stream = ", the limit for a pipe or a device"

    @Test func aSceneThatNeverEnds() throws {
        try refuse("inspect", "/dev/zero", message: "/dev/zero: the scene file is larger than 512 MiB\(stream)")
        try folder.write(#"{"id": "a"}"#, "jobs.jsonl")
        try refuse(
            "batch", "jobs.jsonl", "-o", "out", "--scene", "/dev/zero",
            message: "/dev/zero: the base scene is larger than 512 MiB\(stream)")
    }

    @Test func whatASceneNamesThatNeverEnds() throws {
        try scene(#"{"type": "geojson", "source": "/dev/zero"}"#)
        try refuse(
            "inspect", "scene.json", message: "scene.json: overlays[0].source: /dev/zero: the source is larger than 512 MiB\(stream)")
        try scene(#"{"type": "marker", "position": [0, 0], "iconImage": "/dev/urandom"}"#)
        try refuse("inspect", "scene.json", message: "scene.json: overlays[0].iconImage: /dev/urandom: the image is larger than 256 MiB")
        try refuse("diff", "/dev/zero", "scene.json", message: "/dev/zero: the image is larger than 256 MiB")
        for name in ["m.obj", "m.gltf", "m.glb"] {
            try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: "/dev/zero")
            try scene(#"{"type": "localModel", "coordinates": [0, 0], "model": "\#(name)"}"#)
            try refuse(
                "inspect", "scene.json", message: "scene.json: overlays[0].model: \(name): the model file is larger than 512 MiB\(stream)")
        }
        try folder.write("mtllib /dev/zero\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "t.obj")
        try scene(#"{"type": "localModel", "coordinates": [0, 0], "model": "t.obj"}"#)
        try refuse(
            "inspect", "scene.json",
            message: "scene.json: overlays[0].model: t.obj: line 1: /dev/zero: the material library is larger than 64 MiB")
    }

    /// Only the declared part of a buffer is read.
    @Test func aBufferThatNeverEnds() throws {
        func write(_ count: Int) throws {
            try folder.write(
                #"{"asset": {"version": "2.0"}, "buffers": [{"uri": "zero", "byteLength": \#(count)}], "#
                    + #""bufferViews": [{"buffer": 0, "byteLength": 36}], "#
                    + #""accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}], "#
                    + #""meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}], "nodes": [{"mesh": 0}]}"#, "g.gltf")
        }
        try FileManager.default.createSymbolicLink(atPath: path("zero"), withDestinationPath: "/dev/zero")
        try scene(#"{"type": "localModel", "coordinates": [0, 0], "model": "g.gltf"}"#)
        try write(36)
        let result = try Program.run("inspect", "scene.json", in: folder)
        #expect(result.status == 0, "\(result.errors)")
        try write(1 << 30)
        try refuse(
            "inspect", "scene.json",
            message: "scene.json: overlays[0].model: g.gltf: buffers[0].uri: zero: the buffer is larger than 512 MiB\(stream)")
    }

    @Test func jobsThatAreNone() throws {
        try refuse(
            "batch", "/dev/zero", "-o", "out", message: "/dev/zero: this is not a list of jobs (one JSON object per line): byte 0 is zero")
        try folder.write([UInt8](repeating: 0, count: 100), "zeros")
        try refuse("batch", "zeros", "-o", "out", message: "zeros: this is not a list of jobs (one JSON object per line): byte 0 is zero")
        #expect(!folder.names.contains("out"))
    }

    @Test func foldersAndSockets() throws {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // The name of a socket is short: the folder's would not fit.
        let socketPath = "/tmp/waymark-test-\(getpid()).png"
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        #expect(status == 0)
        defer { unlink(socketPath) }
        for (file, why) in [(socketPath, "this is a socket"), ("/tmp", "Is a directory")] {
            let message = "\(file): cannot read the file: \(why)"
            try refuse("inspect", file, message: message, status: 66)
            try refuse("batch", file, "-o", "out", message: message, status: 66)
            // Two folders can be compared.
            try refuse("diff", file, "x.png", message: file == "/tmp" ? "x.png: no such folder" : message, status: 66)
            try scene(#"{"type": "geojson", "source": "\#(file)"}"#)
            try refuse("inspect", "scene.json", message: "scene.json: overlays[0].source: \(message)", status: 66)
            try scene(#"{"type": "marker", "position": [0, 0], "iconImage": "\#(file)"}"#)
            try refuse("inspect", "scene.json", message: "scene.json: overlays[0].iconImage: \(message)", status: 66)
        }
        try scene(#"{"type": "marker", "position": [0, 0]}"#)
        try refuse(
            "render", "scene.json", "-o", socketPath, message: "\(socketPath): cannot write the file: this is a socket", status: 73)
    }

    private func makePipe(_ name: String) -> String {
        #expect(mkfifo(path(name), 0o600) == 0)
        return path(name)
    }

    @Test func aPipeWithoutAWriter() throws {
        let pipe = makePipe("pipe.png")
        let why = "nothing opened this pipe for writing within 5 s"
        try refuse("inspect", pipe, message: "\(pipe): cannot read the file: \(why)", status: 66)
        try scene(#"{"type": "marker", "position": [0, 0], "iconImage": "pipe.png"}"#)
        try refuse(
            "inspect", "scene.json", message: "scene.json: overlays[0].iconImage: pipe.png: cannot read the file: \(why)", status: 66)
        try refuse("batch", pipe, "-o", "out", message: "\(pipe): cannot read the file: \(why)", status: 66)
        try scene(#"{"type": "marker", "position": [0, 0]}"#)
        try refuse(
            "render", "scene.json", "-o", "pipe.png",
            message: "pipe.png: cannot write the file: nothing opened this pipe for reading within 5 s", status: 73)
    }

    /// Once a writer has opened a pipe, it may take any time to write.
    @Test func aPipeWhoseWriterIsSlow() throws {
        try scene(#"{"type": "marker", "position": [0, 0]}"#)
        let pipe = makePipe("pipe.json")
        let script = """
            { sleep 0.3; exec 3>"\(pipe)"; sleep 6; cat scene.json >&3; } &
            "$0" inspect "\(pipe)" >piped.json && "$0" inspect <(sleep 0.2; cat scene.json) >substituted.json \
            && "$0" inspect - <scene.json >redirected.json && cat scene.json | "$0" inspect - >input.json && "$0" inspect scene.json >file.json
            """
        let result = try RunningProgram(
            ["bash", "-c", script, Program.url.path], in: folder, wrapper: ["--default-signal"], isProgram: false
        )
        .wait()
        #expect(result.status == 0, "\(result.errors)")
        let expected = try folder.read("file.json")
        for name in ["piped.json", "substituted.json", "redirected.json", "input.json"] {
            #expect(try folder.read(name) == expected, "\(name)")
        }
    }

    /// A pipe whose writer writes nothing is an empty file, and not one without a writer.
    @Test func aPipeThatEndsAtOnce() throws {
        let script = #"exec "$0" inspect <(true)"#
        let result = try RunningProgram(
            ["bash", "-c", script, Program.url.path], in: folder, wrapper: ["--default-signal"], isProgram: false
        )
        .wait()
        #expect(result.status == 65 && result.errors.hasSuffix(": byte 0 (line 1, column 1): empty file\n"), "\(result.errors)")
    }
}
