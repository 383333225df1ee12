import Foundation
import Testing
import WaymarkTestSupport

/// The workflow in docs/visual-tests.md, run as a build server runs it.
@Suite struct VisualTestsWorkflowTests {
    /// The script of the step that compares the pictures, and the variables of its environment.
    private func workflow() throws -> (script: String, environment: [String: String]) {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/visual-tests.md"), encoding: .utf8)
        let start = try #require(page.range(of: "```yaml\n"))
        let end = try #require(page.range(of: "\n```", range: start.upperBound..<page.endIndex))
        let lines = page[start.upperBound..<end.lowerBound].split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        func indent(_ line: String) -> Int { line.prefix { $0 == " " }.count }
        /// The lines under a key.
        func block(_ key: String) throws -> [String] {
            let place = try #require(lines.firstIndex { $0.drop { $0 == " " } == key })
            return lines[(place + 1)...].prefix { indent($0) > indent(lines[place]) }.map { String($0.drop { $0 == " " }) }
        }
        let variables = try block("env:").map { $0.split(separator: ":").map { $0.trimmingCharacters(in: .whitespaces) } }
        return (
            try block("run: |").joined(separator: "\n"), Dictionary(uniqueKeysWithValues: variables.map { ($0[0], $0[1]) })
        )
    }

    @Test func theWorkflowFailsIfAPictureDiffers() throws {
        let folder = ScratchFolder()
        func writeScene(offset: Int) throws {
            try folder.write(
                """
                {"waymark": 1, "size": {"width": 100, "height": 80}, "camera": {"center": [127, 37.5], "zoom": 12},
                "overlays": [{"type": "marker", "id": "hall", "position": [127, 37.5], "anchorOffset": [\(offset), 0]}]}
                """, "city.json")
        }
        let (script, environment) = try workflow()
        func run() throws -> Int32 {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-e", "-c", script]
            process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
            var all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            all["PATH"] = "\(Program.url.deletingLastPathComponent().path):\(all["PATH"] ?? "/usr/bin:/bin")"
            process.environment = all
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
        }
        try writeScene(offset: 0)
        let expected = try Program.run(
            "sweep", "city.json", "--tilts", "0,60", "--bearings", "every:90", "-o", "expected", in: folder, environment: environment)
        #expect(expected.status == 0)
        #expect(try run() == 0)
        try writeScene(offset: 2)
        #expect(try run() == 1)
        #expect(try String(decoding: folder.read("report/index.html"), as: UTF8.self).contains("moved by (2, 0) pt"))
        #expect(try String(decoding: folder.read("report/pictures.xml"), as: UTF8.self).contains(#"failures="8""#))
    }
}
