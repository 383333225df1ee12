import Foundation
import Testing
import Waymark
import WaymarkSystem
import WaymarkTestSupport

/// `waymark doctor --report` describes the machine, and reveals nothing about its user.
@Suite struct BugReportTests {
    private let folder = ScratchFolder()

    @Test func whatItSays() throws {
        let result = try Program.run("doctor", "--report")
        #expect(result.status == 0 && result.errors.isEmpty)
        let lines = result.text.split(separator: "\n")
        #expect(lines[0].hasPrefix("waymark        \(waymarkVersion) (commit "))
        #expect(lines[1].hasPrefix("system         \(SystemFacts.distribution), Linux ") && lines[1].contains(", glibc 2."))
        for words in ["memory ", "can draw here", "smoke test     passed", "FreeType", "\nfonts\n", "/libEGL.so.1"] {
            #expect(result.text.contains(words), "\(words)\n\(result.text)")
        }
    }

    /// Paths with spaces, in options, settings, errors and the working folder; and the names of the user and the computer.
    @Test func nothingPrivate() throws {
        let fonts = folder.path + "/Annabel's new fonts"
        try FileManager.default.createDirectory(atPath: fonts, withIntermediateDirectories: false)
        try folder.write("no font", "Annabel's new fonts/NotoSans-Regular.ttf")
        let environment = [
            "HOME": "/home/annabel lee", "USER": "annabel", "LOGNAME": "annabel",
            "MESA_SHADER_CACHE_DIR": "/srv/acme corp/cache of annabel",
            "MESA_PROCESS_NAME": "annabel", "MESA_LOG_FILE": "secret project/mesa.log", "WAYMARK_FONT_DIR": "/nonexistent/acme",
        ]
        let result = try Program.run(["doctor", "--report", "--font-dir", fonts], in: folder, environment: environment)
        #expect(result.status == 69)
        #expect(result.text.contains("this folder has no usable fonts"), "\(result.text)")
        #expect(result.text.contains("MESA_PROCESS_NAME=<user>") && result.text.contains("MESA_SHADER_CACHE_DIR=<path>"), "\(result.text)")
        let host = SystemFacts.hostName
        // Before the program's only line, Mesa writes that it cannot create the folder of its cache.
        let error = try #require(result.errors.split(separator: "\n").last)
        #expect(error.hasPrefix("error: <path>") && error.contains("this folder has no usable fonts"), "\(result.errors)")
        let words = ["annabel", "acme", "lee", "corp", "secret", "new fonts", folder.path, "/home", "/srv"]
        for word in words + (host.count > 1 && host != "localhost" ? [" \(host)"] : []) {
            let output = result.text + error
            #expect(!output.localizedCaseInsensitiveContains(word), "\(word)\n\(output)")
        }
        // The folders of the system remain.
        #expect(result.text.contains("/usr/share/glvnd/egl_vendor.d"))
    }

    /// The EGL library of a private folder is in an error.
    @Test func aPathInAnError() throws {
        let result = try Program.run("doctor", "--report", environment: ["WAYMARK_EGL_LIBRARY": "/srv/acme/libEGL.so"])
        #expect(result.status == 69)
        #expect(result.text.contains("cannot draw here: the EGL library <path> cannot be loaded"), "\(result.text)")
        #expect(result.errors.hasPrefix("error: the EGL library <path> cannot be loaded"), "\(result.errors)")
        #expect(!(result.text + result.errors).contains("acme"))
    }

    @Test func oneFormOfTheOutput() throws {
        let result = try Program.run("doctor", "--report", "--json")
        #expect(result.status == 64)
        #expect(
            result.errors
                == "error: --verbose, --json and --report are mutually exclusive (see waymark doctor --help)\n"
        )
    }
}
