import Testing
import WaymarkScene
import WaymarkSceneFiles

/// `consumesTaps`, which stands for a handler in scene files.
@Suite struct TapHandlerFileTests {
    private func overlays(_ text: String) throws -> MapView {
        try SceneFile(bytes: Array("{\"waymark\": 1, \"overlays\": [\(text)]}".utf8), name: "scene.json").mapView
    }

    @Test(arguments: [("true", true), ("false", false), ("null", nil), (nil, nil)] as [(String?, Bool?)])
    func trueFalseOrNoHandler(value: String?, expected: Bool?) throws {
        let key = value.map { ", \"consumesTaps\": \($0)" } ?? ""
        let mapView = try overlays(
            """
            {"type": "marker", "position": [0, 0]\(key)}, {"type": "circle", "center": [0, 0], "radius": 5\(key)},
            {"type": "viewOverlay", "coordinates": [0, 0], "content": {"label": {"text": "a"}}\(key)}
            """)
        #expect(mapView.overlays.map(\.consumesTaps) == [expected, expected])
        #expect(mapView.overlays.map { $0.handleTap() } == [expected, expected])
        #expect(mapView.viewOverlays.map(\.consumesTaps) == [expected] && mapView.viewOverlays[0].hasTapHandler == (expected != nil))
    }

    @Test func templatesSetIt() throws {
        let markers = try read(["{\"tap\": true}", "{\"tap\": \"false\"}", "{}"], template: "{\"consumesTaps\": \"{tap}\"}").markers
        #expect(markers.map(\.consumesTaps) == [true, false, nil])
    }

    @Test func otherValuesAreRefused() {
        let error = #expect(throws: SceneError.self) { try overlays("{\"type\": \"marker\", \"position\": [0, 0], \"consumesTaps\": 1}") }
        #expect(error?.description == "scene.json: overlays[0].consumesTaps: expected true or false, found 1")
    }
}
