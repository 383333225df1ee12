import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Templates in the contents of markers, which were shown with their braces.
@Suite struct ContentTemplateTests {
    @Test func textsNumbersColorsAndImagesAreOfTheFeature() throws {
        let (markers, warnings) = try read(
            [
                #"{"name": "A \"1\"\n", "n": 5, "size": 20.5, "tint": "red", "gap": "3", "kind": "red", "side": "center"}"#,
                #"{"name": "12", "n": true, "size": "13", "tint": "lime", "gap": 0, "kind": "blue", "side": "end"}"#,
            ],
            template: #"""
                {"iconView": {"stack": [{"image": "builtin:{kind}", "width": 12},
                                        {"label": {"text": "{name}: {n}", "textSize": "{size}", "backgroundColor": "{tint}",
                                                   "insets": {"left": "{gap}"}, "maxLines": 2}}],
                              "alignment": "{side}", "spacing": "{gap}"},
                 "infoContents": {"label": {"text": "{{{name}}}"}}, "title": "{name}"}
                """#)
        #expect(warnings == [])
        func view(
            _ text: String, _ size: Double, _ color: Color, _ gap: Double, _ image: OverlayImage, _ side: StackContent.Alignment
        ) -> OverlayContent {
            var label = LabelContent(text: text)
            (label.textSize, label.backgroundColor, label.insets, label.maxLines) = (size, color, EdgeInsets(left: gap), 2)
            var stack = StackContent([.image(image, width: 12), .label(label)], spacing: gap)
            stack.alignment = side
            return .stack(stack)
        }
        #expect(
            markers.map(\.iconView) == [
                view("A \"1\"\n: 5", 20.5, .red, 3, .red, .center), view("12: true", 13, Color(hex: 0x00FF00), 0, .blue, .end),
            ])
        #expect(markers.map(\.infoContents) == [.label("{A \"1\"\n}"), .label("{12}")])
        #expect(markers.map(\.title) == ["A \"1\"\n", "12"])
    }

    @Test func whatIsMissingIsLeftOut() throws {
        let (markers, warnings) = try read(
            [#"{"photo": "builtin:red", "name": "A", "size": 20}"#, #"{"photo": "", "size": null}"#],
            template: #"""
                {"iconView": {"stack": [{"image": "{photo}"}, {"label": {"text": "Hotel\n{name}", "textSize": "{size}"}}]},
                 "infoWindow": {"image": "{photo}"}}
                """#)
        #expect(
            markers.map(\.iconView) == [
                .stack(StackContent([.image(.red), .label("Hotel\nA", size: 20)])), .stack(StackContent([.label("Hotel")])),
            ])
        #expect(markers.map(\.infoWindow) == [.image(.red), nil])
        #expect(
            Set(warnings) == [
                #"points.geojson: the property "name" is missing in 1 feature: "iconView" omits it"#,
                #"points.geojson: the property "photo" is missing in 1 feature: "iconView", "infoWindow" omit it"#,
                #"points.geojson: the property "size" is missing in 1 feature: "iconView" omits it"#,
            ])
    }

    /// The braces of a style sheet are not templates.
    @Test func anSVGDocumentIsNoTemplate() throws {
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'><style>rect{fill:red}</style></svg>"
        let marker = try read(
            [#"{"name": "A"}"#], template: #"{"iconView": {"stack": [{"svg": "\#(svg)"}, {"label": {"text": "{name}"}}]}}"#
        ).markers[0]
        #expect(marker.iconView == .stack(StackContent([.svg(svg), .label("A")])))
    }

    @Test(arguments: [
        (
            #"{"v": 600}"#, #"{"iconView": {"label": {"text": "", "textSize": "{v}"}}}"#,
            #"features[0].properties: label.textSize: 600 is outside 1…512; the value is for "iconView""#
        ),
        (
            #"{"v": "reed"}"#, #"{"iconView": {"stack": [{"image": "builtin:{v}"}]}}"#,
            #"features[0].properties: stack[0].image: unknown built-in image "reed"; did you mean "builtin:red"?; the value is for "iconView""#
        ),
        (
            #"{"v": [1]}"#, #"{"iconView": {"label": {"text": "{v}"}}}"#,
            #"features[0].properties.v: expected a string, a number, true or false, found an array; the value is for "iconView""#
        ),
        (
            "{}", #"{"iconView": {"label": {"text": "{v}", "padding": 2}}}"#,
            #"features[0].properties: label: unknown key "padding"; use "insets"; the value is for "iconView""#
        ),
    ])
    func wrongValuesNameTheFeatureAndThePlaceInTheContent(properties: String, template: String, problem: String) throws {
        #expect(try refusal([properties], template: template) == "points.geojson: " + problem)
    }

    @Test func anUnbalancedBraceIsNamed() throws {
        #expect(
            try refusal(["{}"], template: #"{"iconView": {"stack": [{"label": {"text": "{name"}}]}}"#)
                == "scene.json: overlays[0].marker.iconView.stack[0].label.text: "
                + #"the string "{name": a { has no matching }; write {{ for a literal brace"#
        )
        #expect(
            try refusal(["{}"], template: #"{"iconView": {"label": {"text": "", "padding": 2}}}"#)
                == #"scene.json: overlays[0].marker.iconView.label: unknown key "padding"; use "insets""#)
    }

    @Test func pointsOfAClusterLayerHaveThemToo() throws {
        let folder = ScratchFolder()
        try folder.write(collection([#"{"name": "A"}"#, #"{"name": "B", "size": 14}"#]), "points.geojson")
        func layer(_ content: String) throws -> ClusterLayer {
            let text = """
                {"waymark": 1, "overlays": [{"type": "clusterLayer", "source": "points.geojson", "marker": {"iconView": \(content)}}]}
                """
            let file = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/")
            return try #require(file.mapView.overlays.first as? ClusterLayer)
        }
        let content = #"{"label": {"text": "{name}", "textSize": "{size}"}}"#
        #expect(try layer(content).markers.map(\.iconView) == [.label("A"), .label("B", size: 14)])
        // Errors are found when the file is read, also in texts alone.
        #expect(throws: SceneError.self) { try layer(#"{"label": {"text": "{name}", "textSize": "1{size}4"}}"#) }
        #expect(throws: SceneError.self) { try layer(#"{"label": {"text": "{name}", "padding": 2}}"#) }
    }
}
