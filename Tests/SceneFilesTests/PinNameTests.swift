import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles

/// Pins in any color, with a symbol, by their names in scenes.
@Suite struct PinNameTests {
    private func icon(_ name: String) throws(SceneError) -> OverlayImage? {
        let scene = #"{"waymark": 1, "overlays": [{"type": "marker", "position": [0, 0], "iconImage": "\#(name)"}]}"#
        let map = try SceneFile(bytes: Array(scene.utf8), name: "scene.json").mapView
        return (map.overlays.first as? Marker)?.iconImage
    }

    @Test(
        arguments: [
            ("pin:#3388ff", "#3388ff", nil, 27), ("pin:red:A", "red", "A", 27), ("pin:red:7:small", "red", "7", 20),
            ("pin:#0008::large", "#000000", nil, 34), ("pin:white:z:medium", "white", "z", 27),
        ] as [(String, String, Character?, Double)]) func pins(name: String, color: String, symbol: Character?, width: Double) throws
    {
        let color = try #require(Color(css: color))
        #expect(try icon(name) == MarkerImage.pin(color: color, symbol: symbol, width: width))
    }

    @Test(arguments: [
        ("pin:", "\"\" in \"pin:\" is not a CSS color such as #3388ff or white"),
        ("pin:rot", "\"rot\" in \"pin:rot\" is not a CSS color such as #3388ff or white"),
        ("pin:red:AB", "\"AB\" in \"pin:red:AB\" is neither a digit nor a letter from a to z"),
        (
            "pin:red:small",
            "\"small\" in \"pin:red:small\" is neither a digit nor a letter from a to z; the size comes third, as in \"pin:red::small\""
        ),
        ("pin:red:é", "\"é\" in \"pin:red:é\" is neither a digit nor a letter from a to z"),
        ("pin:red:A:huge", "\"huge\" in \"pin:red:A:huge\" is not one of small, medium, large"),
        ("pin:red:A:small:x", "\"pin:red:A:small:x\" is not a pin such as \"pin:#3388ff\", \"pin:red:A\" or \"pin:red:7:small\""),
    ]) func whatIsNoPin(name: String, problem: String) {
        let error = #expect(throws: SceneError.self) { try icon(name) }
        #expect(error?.description == "scene.json: overlays[0].iconImage: \(problem)")
    }
}
