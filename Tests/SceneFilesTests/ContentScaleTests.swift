import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Scales in the contents of markers.
@Suite struct ContentScaleTests {
    private func scene(_ properties: [String], _ content: String, type: String = "geojson") throws -> SceneFile {
        let folder = ScratchFolder()
        try folder.write(collection(properties), "points.geojson")
        let text = #"{"waymark": 1, "overlays": [{"type": "\#(type)", "source": "points.geojson", "marker": {"iconView": \#(content)}}]}"#
        do throws(SceneError) {
            return try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/")
        } catch {
            throw Refusal(text: error.description.replacingOccurrences(of: folder.path + "/", with: ""))
        }
    }

    private func views(_ file: SceneFile) throws -> [OverlayContent?] {
        if let layer = file.mapView.overlays.first as? ClusterLayer { return layer.markers.map(\.iconView) }
        return file.mapView.overlays.compactMap { ($0 as? Marker)?.iconView }
    }

    private let features = [
        #"{"name": "A", "v": 1, "kind": "x", "photo": "builtin:red"}"#, #"{"name": "B", "v": 5, "kind": "y"}"#,
        #"{"name": "C", "kind": "z", "photo": ""}"#,
    ]

    /// All features determine the domain, classes and categories, wherever in the content the scale is.
    @Test(arguments: ["geojson", "clusterLayer"])
    func numbersAndColorsInContent(type: String) throws {
        let content = #"""
            {"stack": [{"image": "{photo}"},
                       {"label": {"text": "{name}", "textSize": {"by": "v", "linear": [10, 20], "missing": 7},
                                  "maxLines": {"by": "v", "steps": [3], "numbers": [1, 2]},
                                  "insets": {"left": {"by": "v", "classes": {"equal": 2}, "numbers": [3, 4]}},
                                  "textColor": {"by": "kind", "categories": {"x": "red", "y": "#00ff0080"}}}}],
             "spacing": {"by": "v", "linear": [0, 8]}}
            """#
        func view(_ text: String, size: Double, lines: Int = 0, left: Double = 0, color: Color? = nil, spacing: Double = 0)
            -> OverlayContent
        {
            var label = LabelContent(text: text)
            (label.textSize, label.maxLines, label.insets.left, label.ownTextColor) = (size, lines, left, color)
            return .stack(StackContent((text == "A" ? [.image(.red)] : []) + [.label(label)], spacing: spacing))
        }
        let file = try scene(features, content, type: type)
        #expect(
            try views(file) == [
                view("A", size: 10, lines: 1, left: 3, color: .red),
                view("B", size: 20, lines: 2, left: 4, color: Color(css: "#00ff0080"), spacing: 8),
                view("C", size: 7),
            ])
        #expect(
            file.mapView.scales.map(\.property) == [
                "iconView.stack[1].label.textSize", "iconView.stack[1].label.maxLines", "iconView.stack[1].label.insets.left",
                "iconView.stack[1].label.textColor", "iconView.spacing",
            ])
    }

    /// Each point of a feature has its content, and scales of other properties are unaffected.
    @Test func everyPointOfAFeatureHasIt() throws {
        let folder = ScratchFolder()
        try folder.write(
            #"""
            {"type": "FeatureCollection", "features": [
              {"type": "Feature", "properties": {"v": 4}, "geometry": {"type": "Point", "coordinates": [0, 0]}},
              {"type": "Feature", "properties": {"v": 8}, "geometry": {"type": "MultiPoint", "coordinates": [[1, 0], [2, 0]]}}]}
            """#, "points.geojson")
        let text = #"""
            {"waymark": 1, "overlays": [{"type": "geojson", "source": "points.geojson", "marker": {
              "alpha": {"by": "v", "linear": [0.5, 1]}, "iconView": {"label": {"text": "a", "textSize": {"by": "v", "linear": [10, 20]}}}}}]}
            """#
        let map = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/").mapView
        let markers = map.overlays.compactMap { $0 as? Marker }
        #expect(markers.map(\.iconView) == [.label("a", size: 10), .label("a", size: 20), .label("a", size: 20)])
        #expect(markers.map(\.alpha) == [0.5, 1, 1])
    }

    /// A size of 0 would be the natural one.
    @Test func aSizeOfZeroIsNotTheNaturalOne() throws {
        let file = try scene(
            [#"{"v": 0}"#, #"{"v": 4}"#], #"{"image": "builtin:red", "width": {"by": "v", "sqrt": [0, 20]}, "height": 9}"#)
        let widths = try views(file).map { (content) -> Double in
            if case .image(let image) = content { image.width } else { -1 }
        }
        #expect(widths == [0.01, 20])
    }

    @Test func aColorOfContentHasALegend() throws {
        let map = try scene(
            features, #"{"label": {"text": "", "backgroundColor": {"by": "kind", "categories": {"x": "red"}, "legend": true}}}"#
        ).mapView
        let scale = try #require(map.scales.first)
        #expect(scale.legend?.legend.property == "iconView.label.backgroundColor" && scale.symbol?.shape == .area && scale.othersCount == 2)
        #expect(try map.scale(of: Legend(property: "iconView.label.backgroundColor")) == scale)
        // Features without an output have no background.
        #expect(scale.symbol?.color == .clear)
    }

    @Test(arguments: [
        (
            #"{"label": {"text": "", "textSize": {"by": "v", "linear": [0, 20]}}}"#,
            #"overlays[0].marker.iconView.label.textSize.linear[0]: 0 is outside 1…512"#
        ),
        (
            #"{"label": {"text": "", "textColor": {"by": "kinds", "categories": {"x": "red"}}}}"#,
            #"overlays[0].marker.iconView.label.textColor.by: no feature of points.geojson has the property "kinds"; did you mean "kind"?"#
        ),
        (
            #"{"label": {"text": "", "textSize": {"by": "v", "linear": [1, 20], "legend": true}}}"#,
            "overlays[0].marker.iconView.label.textSize.legend: a legend cannot show \"iconView.label.textSize\"; it can show colors and the "
                + "properties width, height, outlineWidth, alpha, captionTextSize"
        ),
        (
            #"{"label": {"text": {"by": "v", "linear": [1, 20]}}}"#,
            "overlays[0].marker.iconView.label.text: expected a string, found an object"
        ),
        (
            #"{"label": {"text": "", "textSize": {"by": "v"}}}"#,
            "overlays[0].marker.iconView.label.textSize: exactly one of steps, classes, categories, ramp, linear, log and sqrt is required"
        ),
    ])
    func invalidScalesInContentAreErrors(content: String, message: String) {
        do {
            _ = try scene(features, content)
            Issue.record("no error")
        } catch {
            #expect((error as? Refusal)?.text.hasSuffix(message) == true, "\(error)")
        }
    }

    @Test func whatIsMissingIsReportedOnce() throws {
        let file = try scene(features, #"{"label": {"text": "{name}", "textSize": {"by": "v", "linear": [10, 20]}}}"#)
        #expect(
            file.warnings.map(\.description) == [
                #"points.geojson: the property "v" is missing in 1 feature: "iconView.label.textSize" keeps its default"#
            ])
    }
}
