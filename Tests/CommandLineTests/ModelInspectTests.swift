import Foundation
import Testing
import WaymarkTestSupport

@Suite struct ModelInspectTests {
    @Test func inspectTellsTheBoxAroundAModel() throws {
        let folder = ScratchFolder()
        try folder.write(
            #"""
            {"waymark": 1, "size": {"width": 200, "height": 100}, "camera": {"center": [10, 0], "zoom": 3}, "overlays": [
              {"type": "geoModel", "id": "sheet", "mesh": {"vertices": [[0, -5, 0], [20, -5, 0], [20, 5, 0], [0, 5, 0]],
                "triangles": [[0, 1, 2], [0, 2, 3]]}},
              {"type": "localModel", "id": "far", "coordinates": [120, 0],
                "mesh": {"vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "triangles": [[0, 1, 2]]}},
              {"type": "marker", "id": "pin", "position": [10, 0]}]}
            """#, "scene.json")
        let result = try Program.run("inspect", "scene.json", in: folder)
        #expect(result.status == 0)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
        let overlays = try #require(object["overlays"] as? [[String: Any]])
        let quad = try #require(overlays[0]["quad"] as? [[Double]])
        // 20° at zoom 3 are 4096 / 18 pt, around the middle.
        #expect(quad.map { $0[0] } == [-13.777, 213.777, 213.777, -13.777])
        #expect(quad[0][1] == quad[1][1] && quad[2][1] == quad[3][1] && abs(quad[0][1] + quad[2][1] - 100) < 0.002)
        #expect(overlays[0]["triangles"] as? Int == 2 && overlays[0]["anchor"] as? [Double] == [100, 50])
        #expect(overlays[1]["reason"] as? String == "outOfView" && overlays[1]["triangles"] as? Int == 1)
        #expect(overlays[2].keys.contains("quad") == false)
    }
}
