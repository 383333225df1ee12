import Foundation
import Testing
import WaymarkTestSupport

/// A scene that selects a marker without anything to show was drawn without a window and without a warning.
@Suite struct SelectedWithoutWindowTests {
    private let folder = ScratchFolder()
    private static let warning =
        "hall: selectedMarker: no info window is shown, because the marker had no title, no snippet and no window content when it was selected"

    private func scene(_ member: String = "") -> String {
        """
        {"waymark": 1, "size": {"width": 60, "height": 60}, "camera": {"center": [0, 0], "zoom": 10}, "selectedMarker": "hall",
         "overlays": [{"type": "marker", "id": "hall", "position": [0, 0]\(member)}]}
        """
    }

    @Test func itHasAWarning() throws {
        for (member, isReported) in [
            ("", true), (#", "title": " ", "captionText": "Hall""#, true), (#", "snippet": "A""#, false),
            (#", "infoContents": {"label": {"text": "A"}}"#, false), (#", "infoWindow": {"label": {"text": "A"}}"#, false),
        ] {
            let result = try Program.run("inspect", "-", in: folder, input: Array(scene(member).utf8))
            #expect(result.status == 0 && result.text.contains("no info window is shown") == isReported, "\(member)")
        }
        let picked = try Program.run("pick", "-", "--at", "30,20", in: folder, input: Array(scene().utf8))
        #expect(picked.status == 0 && picked.text.contains("hall"))
    }

    /// A job may give the marker of the base scene its title.
    @Test func onlyJobsWithoutAWindowHaveIt() throws {
        try folder.write(scene(), "base.json")
        let jobs = """
            {"id": "a", "change": {"hall": {"title": "A"}}, "size": {"width": 240, "height": 240}}
            {"id": "b"}
            """
        try folder.write(jobs, "jobs.jsonl")
        for (id, isReported) in [("a", false), ("b", true)] {
            let result = try Program.run("inspect", "base.json", "--jobs", "jobs.jsonl", "--job", id, in: folder)
            #expect(result.status == 0 && result.text.contains("no info window is shown") == isReported, "\(id)")
        }
        let batch = try Program.run("batch", "jobs.jsonl", "--scene", "base.json", "-o", "out", in: folder)
        #expect(batch.status == 0 && (batch.text + batch.errors).components(separatedBy: Self.warning).count == 2, "\(batch.errors)")
    }
}
