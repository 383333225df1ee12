import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Map elements in scene files.
@Suite struct ElementFileTests {
    private func read(_ json: String) throws(SceneError) -> SceneFile {
        try SceneFile(bytes: Array("{\"waymark\": 1, \(json)}".utf8), name: "scene.json")
    }

    private func problem(_ elements: String) -> String {
        do throws(SceneError) {
            _ = try read("\"elements\": \(elements)")
            return "none"
        } catch {
            return error.description
        }
    }

    @Test func everyTypeIsRead() throws {
        let map = try read(
            """
            "captionsAvoidElements": true,
            "overlays": [{"type": "polyline", "id": "a", "points": [[0, 0], [1, 0]], "values": {"v": [1, 2]},
              "color": {"by": "v", "linear": ["red", "blue"], "legend": true}}],
            "elements": [
              {"type": "title", "text": "Airports", "subtitle": "2024", "place": "topLeft", "textSize": 24, "margins": {"top": 4}},
              {"type": "scaleBar", "units": "imperial", "maxWidth": 200, "backgroundColor": "transparent"},
              {"type": "northArrow", "size": 60, "color": "red"},
              {"type": "image", "image": "builtin:red", "width": 30, "opacity": 0.5},
              {"type": "text", "content": {"label": {"text": "A"}}, "isVisible": false},
              {"type": "legend", "overlay": "a", "insets": {"left": 3}},
              {"type": "inset", "size": {"width": 90, "height": 70}, "extent": "map", "camera": {"center": [10, 50], "zoom": 3},
               "background": "white", "overlays": [{"type": "marker", "id": "a", "position": [10, 50]}]}
            ]
            """
        ).mapView
        #expect(map.captionsAvoidElements && map.elements.map(\.type) == [.title, .scaleBar, .northArrow, .image, .text, .legend, .inset])
        guard case .title(let title) = map.elements[0], case .scaleBar(let bar) = map.elements[1],
            case .northArrow(let arrow) = map.elements[2],
            case .image(let image) = map.elements[3], case .text(let text) = map.elements[4], case .legend(let legend) = map.elements[5],
            case .inset(let inset) = map.elements[6]
        else { return }
        #expect(title.text == "Airports" && title.subtitle == "2024" && title.place == .topLeft && title.textSize == 24)
        #expect(title.margins == EdgeInsets(top: 4, left: 10, bottom: 10, right: 10))
        #expect(bar.units == .imperial && bar.maxWidth == 200 && bar.backgroundColor == .clear && bar.place == .bottomLeft)
        #expect(arrow.size == 60 && arrow.color == .red && arrow.place == .topRight)
        #expect(image.width == 30 && image.opacity == 0.5 && image.place == .bottomRight)
        #expect(!text.isVisible && text.content == .label(LabelContent(text: "A")))
        #expect(legend.legend.overlay == "a" && legend.insets.left == 3)
        #expect(inset.map.size == CGSize(width: 90, height: 70) && inset.extent == .map && inset.fit == nil && inset.map.camera.zoom == 3)
        #expect(inset.map.background == .white && inset.map.overlays.map(\.id) == ["a"])
    }

    @Test func theIDsOfAnInsetAreItsOwn() throws {
        let map = try read(
            """
            "language": "ja", "overlays": [{"type": "marker", "id": "a", "position": [10, 50]}],
            "elements": [{"type": "inset", "overlays": [{"type": "marker", "id": "a", "position": [11, 50]}]}]
            """
        ).mapView
        guard case .inset(let inset) = map.elements[0] else { return }
        #expect(map.overlay(withID: "a") !== inset.map.overlay(withID: "a") && inset.map.overlays.count == 1)
        #expect(inset.fit == FitOptions() && inset.map.size == CGSize(width: 160, height: 120) && inset.map.language == "ja")
    }

    @Test(arguments: [
        ("{}", "elements: expected an array, found an object"),
        ("[1]", "elements[0]: expected an element object, found 1"),
        ("[{}]", "elements[0]: missing key \"type\""),
        (
            "[{\"type\": \"scalebar\"}]",
            "elements[0].type: unknown element type \"scalebar\"; did you mean \"scaleBar\"?"
        ),
        (
            "[{\"type\": \"compass\"}]",
            "elements[0].type: unknown element type \"compass\"; known names are title, legend, scaleBar, northArrow, image, text, inset"
        ),
        ("[{\"type\": \"title\"}]", "elements[0]: missing key \"text\""),
        ("[{\"type\": \"title\", \"title\": \"A\"}]", "elements[0]: unknown key \"title\"; use \"text\""),
        (
            "[{\"type\": \"northArrow\", \"place\": \"topleft\"}]",
            "elements[0].place: unknown name \"topleft\"; did you mean \"topLeft\"?"
        ),
        (
            "[{\"type\": \"northArrow\", \"margins\": {\"left\": -1}}]",
            "elements[0].margins.left: -1 is outside 0…1000"
        ),
        (
            "[{\"type\": \"scaleBar\", \"units\": \"nautical\"}]",
            "elements[0].units: unknown name \"nautical\"; known names are metric, imperial"
        ),
        (
            "[{\"type\": \"image\", \"image\": \"nowhere.png\"}]",
            "elements[0].image: nowhere.png: cannot read the file: No such file or directory"
        ),
        (
            "[{\"type\": \"inset\", \"camera\": {\"center\": [0, 86]}}]",
            "elements[0].camera.center: latitude 86 is outside -85.051129…85.051129"
        ),
        (
            "[{\"type\": \"inset\", \"camera\": {\"center\": [0, 0], \"contentInset\": {\"left\": 300}}}]",
            "elements[0].camera: the content insets leave no room in the picture of 160 × 120 pt"
        ),
        (
            "[{\"type\": \"inset\", \"size\": {\"width\": 0, \"height\": 5}}]",
            "elements[0].size: 0 pt at pixel ratio 1 is outside 1…65535 device pixels"
        ),
        (
            "[{\"type\": \"inset\", \"elements\": [{\"type\": \"inset\"}]}]",
            "elements[0].elements[0]: an inset cannot contain another inset"
        ),
        (
            "[{\"type\": \"inset\", \"overlays\": [{\"type\": \"marker\", \"positon\": [0, 0]}]}]",
            "elements[0].overlays[0]: unknown key \"positon\"; did you mean \"position\"?"
        ),
    ]) func invalidElementsAreErrors(elements: String, message: String) {
        #expect(problem(elements) == "scene.json: \(message)")
    }

    @Test func aJobReplacesTheList() throws {
        let scene = """
            {"waymark": 1, "elements": [{"type": "inset", "overlays": []}, {"type": "scaleBar"}], "camera": {"center": [0, 0], "zoom": 3}}
            """
        let base = try BaseScene(bytes: Array(scene.utf8), name: "", folder: "", options: SceneFileOptions())
        guard case .inset(let inset) = base.mapView.elements[0] else { return }
        func change(_ json: String) throws -> MapView {
            try base.change(ScenePatch(JSONDocument(parsing: Array(json.utf8)).root, without: [])).mapView
        }
        // Other settings keep the inset's map as it is.
        var map = try change("{\"camera\": {\"zoom\": 5}}")
        guard case .inset(let same) = map.elements[0] else { return }
        #expect(same.map === inset.map && map.camera.zoom == 5 && map.elements.count == 2)
        base.takeBack()
        map = try change("{\"elements\": [{\"type\": \"northArrow\"}]}")
        #expect(map.elements.map(\.type) == [.northArrow])
        base.takeBack()
        #expect(try change("{\"elements\": null}").elements.isEmpty)
        base.takeBack()
        #expect(base.mapView.elements.map(\.type) == [.inset, .scaleBar])
    }
}
