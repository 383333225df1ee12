import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// Messages of the program on machines that lack something.
@Suite struct DoctorTests {
    private let folder = ScratchFolder()

    @Test func aMachineThatDraws() throws {
        let result = try Program.run("doctor")
        #expect(result.status == 0 && result.errors.isEmpty)
        #expect(result.text.hasPrefix("waymark \(waymarkVersion) can draw here, on "))
        // There is nothing to install.
        let lines = result.text.split(separator: "\n")
        #expect(lines.count == 2 && lines[1] == "--verbose prints all devices, libraries and fonts", "\(result.text)")
        let verbose = try Program.run("doctor", "--verbose")
        #expect(verbose.status == 0 && verbose.text.hasPrefix("\(lines[0])\n"))
        #expect(verbose.text.contains("smoke test     passed"))
        // Tamil has two families.
        let scripts = try #require(verbose.text.firstMatch(of: /\n  scripts +(.*)\n/)).1.split(separator: ", ")
        #expect(scripts.contains("Tamil") && Set(scripts).count == scripts.count, "\(scripts)")
        let json = try Program.run("doctor", "--json")
        #expect(json.status == 0)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
        #expect((report["problems"] as? [Any])?.isEmpty == true && report["chosen"] != nil)
        #expect(report["version"] as? String == waymarkVersion)
    }

    @Test func theVersion() throws {
        let result = try Program.run("--version")
        #expect(result.status == 0 && result.errors.isEmpty && result.text.hasPrefix("\(waymarkVersion) (commit "))
        #expect(result.text.wholeMatch(of: /[^ ]+ \(commit (unknown|[0-9a-f]+), (debug|release)\)\n/) != nil, "\(result.text)")
    }

    @Test(arguments: [
        ("WAYMARK_EGL_LIBRARY", "/nonexistent", ["/nonexistent", "install libegl1"]),
        ("__EGL_VENDOR_LIBRARY_DIRS", "/nonexistent", ["no vendor file in /nonexistent", "install libegl-mesa0"]),
        ("LIBGL_DRIVERS_PATH", "/nonexistent", ["install libgl1-mesa-dri", "unset LIBGL_DRIVERS_PATH (/nonexistent)"]),
    ])
    func eachLackHasItsSentence(variable: String, value: String, words: [String]) throws {
        let doctor = try Program.run("doctor", environment: [variable: value])
        #expect(doctor.status == 69)
        #expect(doctor.errors.hasPrefix("error: ") && doctor.errors.filter { $0 == "\n" }.count == 1)
        for word in words {
            #expect(doctor.errors.contains(word), "\(doctor.errors)")
            #expect(doctor.text.contains(word))
        }
        let json = try Program.run("doctor", "--json", environment: [variable: value])
        #expect(json.status == 69)
        #expect(try JSONSerialization.jsonObject(with: Data(json.output)) is [String: Any])
        // Drawing a picture that needs the device gives the same message, and leaves no file.
        try folder.write(Bitmap(width: 2, height: 2, fill: .red).encoded(as: .png), "red.png")
        let ground = #"{"type": "groundOverlay", "bounds": [-1, -1, 1, 1], "image": "red.png"}"#
        try folder.write(#"{"waymark": 1, "overlays": [\#(ground)]}"#, "scene.json")
        let render = try Program.run("render", "scene.json", in: folder, environment: [variable: value])
        #expect(render.status == 69 && render.output.isEmpty)
        for word in words { #expect(render.errors.contains(word), "\(render.errors)") }
        #expect(render.errors.contains("error: "))
        #expect(folder.names == ["red.png", "scene.json"])
        // Commands that need no device still work, and so do pictures that are drawn in memory.
        #expect(try Program.run("inspect", "scene.json", in: folder, environment: [variable: value]).status == 0)
        try folder.write(#"{"waymark": 1, "overlays": [{"type": "marker", "position": [0, 0], "captionText": "a"}]}"#, "marker.json")
        let arguments = ["render", "marker.json", "--device", "software", "-o", "-"]
        let inMemory = try Program.run(arguments, in: folder, environment: [variable: value])
        #expect(inMemory.status == 0 && inMemory.errors.isEmpty, "\(inMemory.errors)")
        #expect(try inMemory.output == Program.run(arguments, in: folder).output)
    }

    /// A machine without EGL and librsvg: one command installs everything.
    @Test func oneCommandInstallsEverything() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/fonts", withIntermediateDirectories: false)
        try folder.write("no font", "fonts/NotoSans-Regular.ttf")
        let environment = try withoutLibrsvg().merging(["WAYMARK_EGL_LIBRARY": "/nonexistent"]) { $1 }
        let result = try Program.run(["doctor"], environment: environment)
        #expect(result.status == 69)
        let lines = result.text.split(separator: "\n")
        #expect(
            lines.first?.hasPrefix("waymark \(waymarkVersion) cannot draw here: the EGL library /nonexistent cannot be loaded: ") == true)
        let commands = lines.filter { $0.hasPrefix("    ") }
        let packages = "libegl1 libgles2 libegl-mesa0 libgl1-mesa-dri librsvg2-2"
        let command = "apt-get update && apt-get install -y \(packages)"
        #expect(commands.count == 1 && commands.first?.replacing("sudo ", with: "") == "    \(command)", "\(result.text)")
        // A folder of fonts is the user's.
        let fonts = try Program.run(["doctor", "--font-dir", folder.path + "/fonts"])
        #expect(fonts.text.hasPrefix("waymark \(waymarkVersion) cannot draw captions here; it draws everything else on "))
        #expect(!fonts.text.contains("apt-get"))
    }

    @Test func fontsThatAreNone() throws {
        try FileManager.default.createDirectory(atPath: folder.path + "/fonts", withIntermediateDirectories: false)
        try folder.write("no font", "fonts/NotoSans-Regular.ttf")
        let empty = try Program.run("doctor", "--font-dir", folder.path + "/fonts")
        #expect(empty.status == 69)
        #expect(empty.errors.contains("this folder has no usable fonts (") && empty.errors.contains("NotoSans-Regular.ttf"))
        #expect(empty.text.contains("problem"))
        #expect(try Program.run("doctor", "--font-dir", "/nonexistent").status == 66)
        try folder.write(#"{"waymark": 1, "overlays": [{"type": "marker", "position": [0, 0], "captionText": "a"}]}"#, "scene.json")
        let render = try Program.run("render", "scene.json", "--font-dir", "fonts", in: folder)
        #expect(render.status == 69 && render.errors.contains("fonts-noto-core"))
        #expect(folder.names == ["fonts", "scene.json"])
    }

    @Test func aGPUThatIsRequired() throws {
        let doctor = try Program.run("doctor", "--device", "software", "--require-gpu")
        #expect(doctor.status == 69 && doctor.errors.hasPrefix("error: "))
        try folder.write(#"{"waymark": 1, "overlays": []}"#, "scene.json")
        let render = try Program.run("render", "scene.json", "--device", "software", "--require-gpu", in: folder)
        #expect(render.status == 69)
        #expect(render.errors.contains("but a GPU is required"), "\(render.errors)")
        #expect(folder.names == ["scene.json"])
    }

    @Test func devicesThatAreNone() throws {
        #expect(try Program.run("doctor", "--device", "banana").status == 64)
        #expect(try Program.run("doctor", environment: ["WAYMARK_DEVICE": "banana"]).status == 64)
        #expect(try Program.run("doctor", "--device", "77").status == 69)
    }

    @Test func theLibrariesAndTheirVersions() throws {
        let text = try Program.run("doctor", "--verbose").text
        let json = try Program.run("doctor", "--json")
        let report = try #require(try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
        let libraries = try #require(report["libraries"] as? [[String: String]])
        #expect(report["warnings"] as? [String] == [])
        #expect(
            libraries.compactMap { $0["name"] } == [
                "simdjson", "expat", "libpng", "libjpeg-turbo", "libwebp", "libdeflate", "librsvg", "SQLite", "FreeType", "HarfBuzz", "ICU",
                "fontconfig",
            ])
        for library in libraries {
            let name = try #require(library["name"])
            #expect(library["problem"] == nil && library["purpose"]?.isEmpty == false && text.contains("\n  \(name) "))
            // Older versions of libjpeg-turbo do not report their version.
            #expect(library["version"]?.wholeMatch(of: /[0-9]+(\.[0-9]+)+/) != nil || name == "libjpeg-turbo", "\(library)")
        }
    }

    /// The environment of a machine without librsvg.
    private func withoutLibrsvg() throws -> [String: String] {
        // Found before the real one; no library can be loaded from it.
        try folder.write("no library", "librsvg-2.so.2")
        let paths = [folder.path, ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]].compactMap(\.self)
        return ["LD_LIBRARY_PATH": paths.joined(separator: ":")]
    }

    /// The machine lacks something: 69, with the package, or a warning.
    @Test func anSVGWithoutLibrsvg() throws {
        let environment = try withoutLibrsvg()
        try folder.write("<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'><rect width='8' height='8'/></svg>", "a.svg")
        try folder.write(
            #"{"waymark": 1, "camera": {"center": [0, 0]}, "overlays": [{"type": "marker", "id": "m", "position": [0, 0], "iconImage": "a.svg"}]}"#,
            "scene.json")
        let problem = "iconImage: a.svg: SVG images need the package librsvg2-2, which is not installed"
        for command in ["render", "inspect"] {
            let result = try Program.run([command, "scene.json"], in: folder, environment: environment)
            #expect(result.status == 69 && result.errors == "error: scene.json: overlays[0].\(problem)\n", "\(result.errors)")
            let lenient = try Program.run([command, "scene.json", "--lenient"], in: folder, environment: environment)
            #expect(lenient.status == 0, "\(lenient.errors)")
            if command == "render" {
                let warning = "warning: scene.json: m: \(problem); the default icon is drawn in its place\n"
                #expect(lenient.errors == warning, "\(lenient.errors)")
            }
        }
    }

    @Test func withoutLibrsvgDoctorFoundAllWell() throws {
        let environment = try withoutLibrsvg()
        let doctor = try Program.run("doctor", "--verbose", environment: environment)
        #expect(doctor.status == 0 && doctor.errors.isEmpty)
        #expect(doctor.text.contains("  librsvg        missing, SVG images\n"))
        let warning = try #require(doctor.text.firstMatch(of: /\n  warning        (librsvg cannot be loaded .*)\n/)?.1)
        #expect(warning.contains("librsvg-2.so.2") && warning.contains("SVG images are not drawn: install librsvg2-2 (Debian, Ubuntu)"))
        let json = try Program.run("doctor", "--json", environment: environment)
        let report = try #require(try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
        #expect(json.status == 0 && report["warnings"] as? [String] == [String(warning)])
    }
}
