import Foundation
import Testing
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct ContainerFileTests {
    private func overlays(_ text: String, folder: String = "") throws -> [Overlay] {
        let text = #"{"waymark": 1, "overlays": \#(text)}"#
        return try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder).mapView.overlays
    }

    private func refusal(_ text: String) -> String? {
        do {
            _ = try overlays(text)
            return nil
        } catch {
            return "\(error)".replacingOccurrences(of: "scene.json: ", with: "")
        }
    }

    @Test func childrenAndTheirNames() throws {
        let folder = ScratchFolder()
        try folder.write(collection(["{}", "{}"]), "points.geojson")
        let read = try overlays(
            """
            [{"type": "marker", "position": [0, 0]}, {"type": "container", "zIndex": 3, "isHidden": true, "minZoom": 4, "altitude": 5,
            "mapLayerType": "poi", "isOrderedAsOne": true, "globalZIndex": 7, "children": [{"type": "marker", "position": [0, 0]}, {"type": "container", "id": "inner", "children": [
            {"type": "circle", "center": [0, 0]}, {"type": "marker", "id": "own", "position": [0, 0]}, {"type": "container", "children": []}]},
            {"type": "geojson", "source": "points.geojson"}]}]
            """, folder: folder.path + "/")
        #expect(read.map(\.id) == ["marker-0", "container-1"])
        let outer = try #require(read[1] as? Container)
        #expect(outer.zIndex == 3 && outer.isHidden && outer.minZoom == 4 && outer.altitude == 5 && outer.mapLayerType == .poi)
        #expect(outer.isOrderedAsOne && outer.globalZIndex == 7)
        #expect(outer.children.map(\.id) == ["container-1/marker-0", "inner", "container-1/geojson-2/0", "container-1/geojson-2/1"])
        let inner = try #require(outer.children[1] as? Container)
        #expect(inner.children.map(\.id) == ["inner/circle-0", "own", "inner/container-2"])
        #expect(inner.children.allSatisfy { $0.parent === inner } && inner.parent === outer)
    }

    @Test func whatCannotBeIsRefused() {
        #expect(refusal(#"[{"type": "container"}]"#) == #"overlays[0]: missing key "children""#)
        #expect(refusal(#"[{"type": "container", "children": {}}]"#) == "overlays[0].children: expected an array, found an object")
        #expect(
            refusal(#"[{"type": "container", "children": [{"type": "marker", "position": [0, 95]}]}]"#)
                == "overlays[0].children[0].position[1]: 95 is outside -90…90; the order is [longitude, latitude]")
        #expect(
            refusal(#"[{"type": "container", "id": "a", "children": [{"type": "container", "id": "a", "children": []}]}]"#)
                == #"overlays[0].children[0]: the id "a" is already used by overlays[0]"#)
        #expect(
            refusal(#"[{"type": "container", "children": [{"type": "group"}]}]"#)
                == #"overlays[0].children[0].type: unknown overlay type "group"; known names are marker, polyline, polygon, circle, "#
                + #"groundOverlay, route, container, clusterLayer, localModel, geoModel, viewOverlay, geojson"#
        )
    }

    @Test func nestedAsDeepAsFilesMay() throws {
        let levels = 480
        let text =
            String(repeating: #"[{"type": "container", "children": "#, count: levels) + #"[{"type": "marker", "position": [0, 0]}]"#
            + String(repeating: "}]", count: levels)
        var overlay = try #require(try overlays(text).first)
        var depth = 0
        while let container = overlay as? Container {
            overlay = try #require(container.children.first)
            depth += 1
        }
        #expect(depth == levels && overlay.type == .marker)
    }
}
