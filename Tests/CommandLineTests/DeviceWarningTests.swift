import Foundation
import Testing
import WaymarkTestSupport

/// softpipe has no multisampling: models failed with exit code 69. They are drawn, and a warning describes the lower quality.
@Suite struct DeviceWarningTests {
    private static let limits = ["WAYMARK_LIMIT_DRIVER": "no-multisampling"]
    private static let warning = "has no multisampling: the edges of models are not antialiased\n"

    /// A folder with a model as a scene and as a base.
    private func model() throws -> ScratchFolder {
        let folder = ScratchFolder()
        try folder.write(
            #"""
            {"waymark": 1, "size": {"width": 64, "height": 64}, "background": "#203040", "camera": {"center": [8, 46], "zoom": 14}, "overlays": [
              {"type": "localModel", "id": "roof", "coordinates": [8, 46],
               "mesh": {"vertices": [[-70, -60, 0], [80, -50, 0], [10, 70, 0]], "triangles": [[0, 1, 2]]}}]}
            """#, "model.json")
        return folder
    }

    @Test func aModelIsDrawnWithAWarning() throws {
        let folder = try model()
        let fine = try Program.run("render", "model.json", "-o", "fine.png", in: folder)
        #expect(fine.status == 0 && fine.errors.isEmpty)
        let result = try Program.run("render", "model.json", "-o", "poor.png", in: folder, environment: Self.limits)
        #expect(result.status == 0)
        #expect(result.errors.hasPrefix("warning: model.json: device: ") && result.errors.hasSuffix(Self.warning), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1)
        #expect(try Program.run("diff", "fine.png", "poor.png", in: folder).status == 1)
        let harmless = try Program.run("diff", "fine.png", "poor.png", "--ignore-antialiasing", in: folder)
        #expect(harmless.status == 0 && harmless.text.contains("in antialiased edges"), "\(harmless.text)")
    }

    @Test func aBatchTellsItOnce() throws {
        let folder = try model()
        let jobs = (0..<12).map { #"{"id": "\#($0)", "camera": {"center": [8, 46], "zoom": 14, "bearing": \#($0)}}"# }
        try folder.write(jobs.joined(separator: "\n"), "jobs.jsonl")
        let result = try Program.run(
            "batch", "jobs.jsonl", "-o", "out", "--scene", "model.json", "--workers", "2", in: folder, environment: Self.limits)
        #expect(result.status == 0, "\(result.errors)")
        let warnings = result.errors.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
        #expect(warnings.count == 1 && warnings[0].hasPrefix("warning: device: "), "\(result.errors)")
        #expect(result.errors.contains("12 pictures in "), "\(result.errors)")
    }

    @Test func anUnknownLimitIsRefused() throws {
        let result = try Program.run(
            "render", "model.json", "-o", "poor.png", in: model(), environment: ["WAYMARK_LIMIT_DRIVER": "no-clip-control,slow"])
        #expect(result.status == 64)
        #expect(
            result.errors.hasPrefix("error: WAYMARK_LIMIT_DRIVER: \"slow\" is not a known limit; use no-clip-control, "), "\(result.errors)"
        )
    }
}
