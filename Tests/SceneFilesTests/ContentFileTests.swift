import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Contents, view overlays and info windows in scene files.
@Suite struct ContentFileTests {
    private func scene(_ overlays: String, _ more: String = "") throws(SceneError) -> MapView {
        try SceneFile(bytes: Array("{\"waymark\": 1, \"overlays\": [\(overlays)]\(more)}".utf8), name: "scene.json").mapView
    }

    private func problem(_ overlays: String, _ more: String = "") -> String {
        do throws(SceneError) {
            _ = try scene(overlays, more)
            return "none"
        } catch {
            return error.description
        }
    }

    private func view(_ content: String) -> String { "{\"type\": \"viewOverlay\", \"coordinates\": [1, 2], \"content\": \(content)}" }

    @Test func aLabelHasItsProperties() throws {
        let mapView = try scene(
            view(
                """
                {"label": {"text": "overlay", "textColor": "red", "textSize": 13, "fontWeight": "bold", "font": "Noto Serif",
                "textAlignment": "center", "maxWidth": 90, "maxLines": 2, "backgroundColor": "white", "borderColor": "red",
                "borderWidth": 2, "cornerRadius": 3, "insets": {"left": 4}, "width": 70, "height": "auto"}}
                """))
        var label = LabelContent(text: "overlay")
        (label.textColor, label.textSize, label.fontWeight, label.font) = (.red, 13, .bold, "Noto Serif")
        (label.textAlignment, label.maxWidth, label.maxLines, label.backgroundColor) = (.center, 90, 2, .white)
        (label.borderColor, label.borderWidth, label.cornerRadius, label.insets) = (.red, 2, 3, EdgeInsets(left: 4))
        label.width = 70
        #expect(mapView.viewOverlays.map(\.content) == [.label(label)])
        #expect(mapView.viewOverlays[0].coordinates == LatLng(lat: 2, lng: 1) && mapView.viewOverlays[0].id == "viewOverlay-0")
    }

    @Test func stacksNestAndHoldImagesAndSVGs() throws {
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>"
        let mapView = try scene(
            view(
                "{\"stack\": [{\"image\": \"builtin:red\", \"width\": 13}, {\"stack\": [{\"svg\": \"\(svg)\"}], \"axis\": \"horizontal\"}], \"spacing\": 3}"
            ))
        let inner = StackContent([.svg(svg)], axis: .horizontal)
        #expect(mapView.viewOverlays[0].content == .stack(StackContent([.image(.red, width: 13), .stack(inner)], spacing: 3)))
    }

    @Test func markersHaveViewsAndWindows() throws {
        let mapView = try scene(
            """
            {"type": "marker", "id": "hall", "position": [1, 2], "iconView": {"label": {"text": "icon"}}, "infoWindow": null,
            "infoContents": {"label": {"text": "contents"}}, "infoWindowAnchor": [0, 1], "isDraggable": true,
            "tracksInfoWindowChanges": true, "tracksViewChanges": false}
            """, ", \"selectedMarker\": \"hall\"")
        let marker = try #require(mapView.overlays[0] as? Marker)
        #expect(marker.iconView == .label("icon") && marker.infoWindow == nil && marker.infoContents == .label("contents"))
        #expect(marker.infoWindowAnchor == CGPoint(x: 0, y: 1) && marker.isDraggable && marker.tracksInfoWindowChanges)
        #expect(!marker.tracksViewChanges && mapView.selectedMarker === marker && mapView.infoWindow?.marker === marker)
    }

    @Test func anInfoWindowIsOpenAtAPosition() throws {
        let mapView = try scene("", ", \"infoWindow\": {\"position\": [1, 2], \"content\": {\"label\": {\"text\": \"here\"}}}")
        #expect(mapView.infoWindow?.position == LatLng(lat: 2, lng: 1) && mapView.selectedMarker == nil)
    }

    @Test(arguments: [
        ("{}", "overlays[0].content: content needs one of the keys \"label\", \"image\", \"svg\", \"stack\""),
        (
            "\"text\"",
            "overlays[0].content: expected content: an object with a label, an image, an svg or a stack, found the string \"text\""
        ),
        (
            "{\"label\": {\"text\": \"\"}, \"image\": \"builtin:red\"}",
            "overlays[0].content: content may have only one of the keys \"label\", \"image\", \"svg\", \"stack\"; 2 are given"
        ),
        ("{\"label\": {}}", "overlays[0].content.label: missing key \"text\""),
        ("{\"label\": {\"text\": \"a\", \"textSize\": 0}}", "overlays[0].content.label.textSize: 0 is outside 1…512"),
        ("{\"label\": {\"text\": \"a\", \"maxLines\": 101}}", "overlays[0].content.label.maxLines: 101 is outside 0…100"),
        ("{\"label\": {\"text\": \"a\", \"padding\": 2}}", "overlays[0].content.label: unknown key \"padding\"; use \"insets\""),
        (
            "{\"label\": {\"text\": \"a\"}, \"width\": 2}",
            "overlays[0].content: unknown key \"width\"; did you mean \"width\" in \"label\"?"
        ),
        (
            "{\"label\": {\"text\": \"a\"}, \"padding\": 2}",
            "overlays[0].content: unknown key \"padding\"; did you mean \"insets\" in \"label\"?"
        ),
        ("{\"label\": {\"text\": \"a\"}, \"q\": 2}", "overlays[0].content: unknown key \"q\""),
        ("{\"lable\": {\"text\": \"a\"}}", "overlays[0].content: unknown key \"lable\"; did you mean \"label\"?"),
        ("{\"text\": \"a\"}", "overlays[0].content: unknown key \"text\"; use \"label\""),
        ("{\"stack\": [{\"imag\": \"builtin:red\"}]}", "overlays[0].content.stack[0]: unknown key \"imag\"; did you mean \"image\"?"),
        ("{\"q\": 2}", "overlays[0].content: content needs one of the keys \"label\", \"image\", \"svg\", \"stack\""),
        ("{\"stack\": [{\"label\": {\"text\": 1}}]}", "overlays[0].content.stack[0].label.text: expected a string, found 1"),
        ("{\"svg\": \"builtin:red\"}", "overlays[0].content.svg: the string \"builtin:red\" is not an SVG; use \"image\""),
    ])
    func badContentIsNamed(content: String, message: String) {
        #expect(problem(view(content)) == "scene.json: " + message)
    }

    @Test func contentsNestAtMostSixteenDeep() {
        let deep = String(repeating: "{\"stack\": [", count: 16) + "{\"label\": {\"text\": \"\"}}" + String(repeating: "]}", count: 16)
        #expect(problem(view(deep)).hasSuffix("content is nested more than 16 levels deep"))
        #expect(problem(view("{\"stack\": [\(deep)]}")).hasSuffix("content is nested more than 16 levels deep"))
    }

    @Test func theSelectedMarkerMustBeAMarkerOfTheScene() {
        let circle = "{\"type\": \"circle\", \"id\": \"ring\", \"center\": [0, 0]}"
        #expect(problem(circle, ", \"selectedMarker\": \"hall\"") == "scene.json: selectedMarker: no overlay has the id \"hall\"")
        #expect(problem(circle, ", \"selectedMarker\": \"ring\"") == "scene.json: selectedMarker: \"ring\" is a circle, not a marker")
        #expect(
            problem(view("{\"label\": {\"text\": \"a\"}}"), ", \"selectedMarker\": \"viewOverlay-0\"")
                == "scene.json: selectedMarker: \"viewOverlay-0\" is a viewOverlay, not a marker")
    }

    @Test func oneWindowIsOpenAtMost() {
        let window = ", \"selectedMarker\": \"a\", \"infoWindow\": {\"position\": [1, 2], \"content\": {\"label\": {\"text\": \"here\"}}}"
        #expect(
            problem("", window)
                == "scene.json: infoWindow: selectedMarker and infoWindow are mutually exclusive, because only one info window can be open")
    }

    @Test func viewOverlaysAreInNoContainerAndHaveIdsOfTheirOwn() {
        let inner = view("{\"label\": {\"text\": \"a\"}}")
        #expect(
            problem("{\"type\": \"container\", \"children\": [\(inner)]}")
                == "scene.json: overlays[0].children[0]: a view overlay cannot be in a container")
        let named = inner.replacingOccurrences(of: "\"content\"", with: "\"id\": \"a\", \"content\"")
        #expect(problem("\(named), \(named)") == "scene.json: overlays[1]: the id \"a\" is already used by overlays[0]")
    }
}

/// Batch jobs that select, and that change view overlays.
@Suite struct SelectionJobTests {
    private static let base = """
        {"waymark": 1, "overlays": [
          {"type": "marker", "id": "a", "position": [0, 0], "title": "A"}, {"type": "marker", "id": "b", "position": [1, 0], "title": "B"},
          {"type": "viewOverlay", "id": "v", "coordinates": [0, 1], "content": {"label": {"text": "v"}}}
        ], "selectedMarker": "a"}
        """

    private func open() throws -> BaseScene {
        try BaseScene(bytes: Array(Self.base.utf8), name: "base.json", folder: "", options: SceneFileOptions())
    }

    private func change(_ base: BaseScene, _ text: String, _ body: (MapView) -> Void) throws {
        let document = try JSONDocument(parsing: Array(text.utf8))
        let changed = try base.change(ScenePatch(document.root, without: []))
        body(changed.mapView)
        base.takeBack()
    }

    @Test func aJobSelectsAnotherMarkerAndTheNextFindsTheBaseAgain() throws {
        let base = try open()
        #expect(base.mapView.selectedMarker?.id == "a")
        try change(base, "{\"selectedMarker\": \"b\"}") { #expect($0.selectedMarker?.id == "b" && $0 === base.mapView) }
        #expect(base.mapView.selectedMarker?.id == "a")
        try change(base, "{\"selectedMarker\": null}") { #expect($0.selectedMarker == nil) }
        let text = "{\"remove\": [\"a\"], \"selectedMarker\": null}"
        try change(base, text) { #expect($0.selectedMarker == nil && $0.infoWindow == nil) }
        #expect(base.mapView.selectedMarker?.id == "a" && base.mapView.infoWindow != nil)
    }

    @Test func aJobThatSelectsWhatIsNotThereFails() throws {
        let base = try open()
        do {
            try change(base, "{\"selectedMarker\": \"c\"}") { _ in Issue.record("the job was applied") }
        } catch let error as SceneError {
            #expect(error.description.hasSuffix("selectedMarker: no overlay has the id \"c\""))
        }
        #expect(base.mapView.selectedMarker?.id == "a")
    }

    /// As rendering the changed scene does; also where the whole scene is read again.
    @Test(
        arguments: [
            "\"remove\": [\"a\"]", "\"change\": {\"a\": null}",
            "\"change\": {\"a\": null, \"b\": {\"zIndex\": 1}}, \"camera\": {\"center\": [0, 0], \"zoom\": 3}",
        ], ["", ", \"symbols\": []"])
    func aJobThatRemovesTheMarkerThatTheBaseSelectsFails(change text: String, whole: String) throws {
        let base = try open()
        let error = #expect(throws: SceneError.self) {
            try change(base, "{\(text)\(whole)}") { _ in Issue.record("the job was applied") }
        }
        #expect(error?.description.hasSuffix("selectedMarker: no overlay has the id \"a\"") == true)
        #expect(base.mapView.selectedMarker?.id == "a" && base.mapView.overlays.count == 2)
        // The overlay that takes its id is selected instead.
        let other = "\"add\": [{\"type\": \"marker\", \"id\": \"a\", \"position\": [2, 0], \"title\": \"C\"}]"
        try change(base, "{\"remove\": [\"a\"], \(other)\(whole)}") { #expect($0.selectedMarker?.title == "C") }
        #expect(base.mapView.selectedMarker?.title == "A")
    }

    @Test(arguments: ["v", "a"]) func aJobThatChangesAndRemovesTheSameOverlayFails(id: String) throws {
        let base = try open()
        for text in [
            "{\"change\": {\"\(id)\": {\"zIndex\": 3}}, \"remove\": [\"\(id)\"]}",
            "{\"remove\": [\"\(id)\"], \"change\": {\"\(id)\": {\"zIndex\": 3}}}",
            "{\"remove\": [\"\(id)\"], \"change\": {\"\(id)\": null}}",
        ] {
            let error = #expect(throws: SceneFileError.self) {
                try change(base, text) { _ in Issue.record("the job was applied") }
            }
            #expect(error?.description.hasSuffix("\"\(id)\" occurs more than once among the overlays to change or remove") == true)
        }
    }

    @Test func jobsChangeRemoveAndAddViewOverlays() throws {
        let base = try open()
        try change(base, "{\"change\": {\"v\": {\"content\": {\"label\": {\"text\": \"w\"}}, \"zIndex\": 3}}}") {
            #expect($0.viewOverlays.map(\.zIndex) == [3] && $0.viewOverlays[0].content == .label("w"))
        }
        try change(base, "{\"remove\": [\"v\"]}") { #expect($0.viewOverlays.isEmpty) }
        try change(
            base, "{\"add\": [{\"type\": \"viewOverlay\", \"coordinates\": [0, 0], \"content\": {\"label\": {\"text\": \"new\"}}}]}"
        ) { #expect($0.viewOverlays.map(\.id) == ["v", "viewOverlay-3"]) }
        #expect(base.mapView.viewOverlays.map(\.id) == ["v"] && base.mapView.viewOverlays[0].content == .label("v"))
    }
}
