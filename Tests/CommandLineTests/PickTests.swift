import Foundation
import Testing
import WaymarkTestSupport

/// `waymark pick`.
@Suite struct PickTests {
    let folder = ScratchFolder()

    init() throws {
        try folder.write(
            """
            {"waymark": 1, "size": {"width": 200, "height": 200}, "camera": {"center": [0, 0], "zoom": 10},
             "overlays": [
               {"type": "circle", "id": "ring", "center": [0, 0], "radius": 8000},
               {"type": "marker", "position": [0, 0], "title": "A title"},
               {"type": "marker", "id": "hidden", "position": [0, 0], "isHidden": true},
               {"type": "viewOverlay", "coordinates": [0, -0.05], "content": {"label": {"text": "view"}}, "isSelectable": true}],
             "symbols": [{"position": [0, -0.05], "captionText": "symbol"}], "selectedMarker": "marker-1"}
            """, "scene.json")
    }

    private func pick(_ arguments: String...) throws -> Program { try Program.run(["pick", "scene.json"] + arguments, in: folder) }

    private func lines(_ arguments: String...) throws -> [[String?]] {
        let result = try Program.run(["pick", "scene.json"] + arguments, in: folder)
        #expect(result.status == 0 && result.errors.isEmpty)
        let list = try #require(JSONSerialization.jsonObject(with: Data(result.output)) as? [[String: Any]])
        return list.map { [$0["id"] as? String, $0["type"] as? String, $0["part"] as? String] }
    }

    @Test func theListIsTopmostFirst() throws {
        #expect(try lines("--at", "100,90") == [["marker-1", "marker", "icon"], ["ring", "circle", "shape"]])
        #expect(try lines("--at", "100,50").first == ["marker-1", "marker", "infoWindow"])
        #expect(
            try lines("--at", "100,173") == [
                ["viewOverlay-3", "viewOverlay", "viewOverlay"], ["symbol-0", "symbol", "symbol"], ["ring", "circle", "shape"],
            ])
        #expect(try lines("--at", "3,3").isEmpty)
        #expect(
            try lines("--at", "100,90", "--include-invisible") == [
                ["hidden", "marker", "icon"], ["marker-1", "marker", "icon"], ["ring", "circle", "shape"],
            ])
    }

    @Test func theToleranceIsInPoints() throws {
        #expect(try lines("--at", "115,80", "--tolerance", "0") == [["ring", "circle", "shape"]])
        #expect(try lines("--at", "115,80", "--tolerance", "5").first == ["marker-1", "marker", "icon"])
    }

    @Test func badPointsAreRefused() throws {
        for (point, message) in [
            ("300,10", "error: --at: (300, 10) is outside the picture of 200 × 200 pt\n"),
            ("-1,10", "error: --at: (-1, 10) is outside the picture of 200 × 200 pt\n"),
        ] {
            let result = try pick("--at", point)
            #expect(result.status == 64 && result.errors == message)
        }
        #expect(try pick("--at", "here").status == 64 && pick().status == 64)
        #expect(try pick("--at", "1,1", "--tolerance", "101").errors == "error: --tolerance: 101 is outside 0…100\n")
    }
}
