import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct ScaleTemplateTests {
    /// A scene whose only overlay has these properties of features.
    private func scene(_ properties: [String], _ template: String, type: String = "geojson") throws -> SceneFile {
        let folder = ScratchFolder()
        try folder.write(collection(properties), "points.geojson")
        let text =
            type == "symbols"
            ? #"{"waymark": 1, "symbols": {"source": "points.geojson", "symbol": \#(template)}}"#
            : #"{"waymark": 1, "overlays": [{"type": "\#(type)"\#(type == "geojson" ? "" : #", "id": "layer""#), "source": "points.geojson", "#
                + #""marker": \#(template)}]}"#
        do throws(SceneError) {
            return try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/")
        } catch {
            throw Refusal(text: error.description.replacingOccurrences(of: folder.path + "/", with: ""))
        }
    }

    private func markers(_ properties: [String], _ template: String) throws -> [Marker] {
        try scene(properties, template).mapView.overlays.compactMap { $0 as? Marker }
    }

    private let populations = ["5000", "10000", "10001", "250000", "3e6"].map { #"{"population": \#($0)}"# }

    @Test func stepsGiveColorsAndNumbers() throws {
        let found = try markers(
            populations,
            #"""
            {"iconTintColor": {"by": "population", "steps": [1e4, 1e5, 1e6], "colors": "YlGnBu"},
             "width": {"by": "population", "steps": [1e4, 1e5, 1e6], "numbers": [4, 8, 16, 32]},
             "zIndex": {"by": "population", "steps": [1e5], "numbers": [-1, 7]}}
            """#)
        let colors = try #require(ColorScheme(named: "YlGnBu")?.colors(4))
        #expect(found.map(\.iconTintColor) == [colors[0], colors[0], colors[1], colors[2], colors[3]])
        #expect(found.map(\.width) == [4, 4, 8, 16, 32] && found.map(\.zIndex) == [-1, -1, -1, 7, 7])
    }

    @Test func axesTakeTheirDomainFromTheData() throws {
        let found = try markers(
            ["0", "25", "100"].map { #"{"v": \#($0)}"# },
            #"""
            {"width": {"by": "v", "sqrt": [0, 40]}, "height": {"by": "v", "linear": [10, 20]}, "angle": {"by": "v", "sqrt": [0, 40],
             "domain": [0, 400]}, "iconTintColor": {"by": "v", "ramp": [[0, "red"], [100, "blue"]]}}
            """#)
        #expect(found.map(\.width) == [0, 20, 40] && found.map(\.height) == [10, 12.5, 20] && found.map(\.angle) == [0, 10, 20])
        #expect(found.map(\.iconTintColor) == [.red, Color(red: 0.75, green: 0, blue: 0.25), .blue])
        // A square root begins at 0, other axes at the smallest value.
        let high = try markers(
            ["4", "9"].map { #"{"v": \#($0)}"# }, #"{"width": {"by": "v", "sqrt": [0, 30]}, "height": {"by": "v", "log": [1, 3]}}"#)
        #expect(high.map(\.width) == [20, 30] && high.map(\.height) == [1, 3])
    }

    @Test func categoriesCompareTextsNumbersAndBooleans() throws {
        let found = try markers(
            [#"{"k": "school"}"#, #"{"k": 7}"#, #"{"k": true}"#, #"{"k": "bank"}"#, #"{"k": null}"#, #"{"k": "é"}"#],
            #"""
            {"iconTintColor": {"by": "k", "categories": {"school": "red", "7": "blue", "true": "lime", "é": "white"}, "others": "gray"},
             "alpha": {"by": "k", "categories": ["school", 7], "numbers": [0.25, 0.5], "missing": 0.75}}
            """#)
        let gray = Color(css: "gray")
        #expect(found.map(\.iconTintColor) == [.red, .blue, Color(css: "lime"), gray, gray, .white])
        #expect(found.map(\.alpha) == [0.25, 0.5, 1, 1, 0.75, 1])
        let named = try markers([#"{"k": "b"}"#], #"{"iconTintColor": {"by": "k", "categories": ["a", "b"], "colors": "-Set1"}}"#)
        #expect(named[0].iconTintColor == ColorScheme(named: "-Set1")?.colors(2)?[1])
    }

    @Test(arguments: [("quantiles", [1.0, 1, 2, 2, 3, 3]), ("equal", [1, 1, 1, 1, 1, 3]), ("natural", [1, 1, 1, 2, 2, 3])])
    func classesComeFromTheData(method: String, alphas: [Double]) throws {
        let values = ["100", "1", "2", "3", "20", "21"].map { #"{"v": \#($0)}"# }
        let file = try scene(values, #"{"angle": {"by": "v", "classes": {"\#(method)": 3}, "numbers": [1, 2, 3]}}"#)
        let found = file.mapView.overlays.compactMap { $0 as? Marker }
        #expect(found.map(\.angle) == [alphas[5]] + alphas[..<5] && file.warnings.isEmpty)
        // A legend can show it.
        let scale = try #require(file.mapView.scales.first)
        #expect(scale.overlay == "geojson-0" && scale.template == "marker" && scale.property == "angle" && scale.range == 1...100)
        let classes = ScaleClasses(try #require(ScaleClasses.Method(rawValue: method)), 3)
        #expect(scale.given == .numbers(Scale(by: "v", classes: classes, [1, 2, 3])))
        #expect(scale.resolved == .numbers(Scale(by: "v", classes: classes, [1, 2, 3]).resolved(for: [1, 2, 3, 20, 21, 100])))
    }

    @Test func clusterLayersAndSymbolsUseTheSameScales() throws {
        let template =
            #"{"width": {"by": "population", "sqrt": [4, 40]}, "alpha": {"by": "population", "steps": [1e5], "numbers": [0.5, 1]}}"#
        let file = try scene(populations, template, type: "clusterLayer")
        let layer = try #require(file.mapView.overlays.first as? ClusterLayer)
        let source = try #require(layer.source)
        let found = (0..<source.count).map { source.makeMarker($0) }
        let expected = try markers(populations, template)
        #expect(found.map(\.width) == expected.map(\.width) && found.map(\.alpha) == [0.5, 0.5, 0.5, 1, 1])
        #expect(file.mapView.scales.map(\.overlay) == ["layer", "layer"])
        let symbols = try scene(
            populations, #"{"captionText": "a", "captionTextSize": {"by": "population", "sqrt": [4, 40]}}"#, type: "symbols")
        #expect(symbols.mapView.symbols.map(\.captionTextSize) == expected.map(\.width))
        #expect(symbols.mapView.scales.first?.overlay == "symbols" && symbols.mapView.scales.first?.template == "symbol")
    }

    @Test func theOutputsAreThoseOfTheSameScaleInSwift() throws {
        let found = try markers(
            populations, #"{"width": {"by": "population", "sqrt": [4, 40]}, "height": {"by": "population", "log": [4, 8]}}"#)
        let values = [5000, 10_000, 10_001, 250_000, 3e6]
        let root = Scale(by: "population", sqrt: [4, 40]).resolved(for: values)
        let log = Scale(by: "population", log: [4, 8]).resolved(for: values)
        #expect(found.map(\.width) == values.map { root.output(at: $0) } && found.map(\.height) == values.map { log.output(at: $0) })
    }

    @Test func missingValuesAndTexts() throws {
        let values = [#"{"v": 1}"#, #"{"v": "n/a"}"#, #"{}"#, #"{"v": ""}"#, #"{"v": "7"}"#, #"{"v": "NaN"}"#, #"{"v": null}"#]
        let given = try scene(values, #"{"width": {"by": "v", "linear": [10, 20], "missing": 3}}"#)
        #expect(given.mapView.overlays.compactMap { ($0 as? Marker)?.width } == [10, 3, 3, 3, 20, 3, 3])
        #expect(
            given.warnings.map(\.description) == [
                #"points.geojson: the property "v" is not a number in 2 features, and counts as missing there; the first such value is "n/a""#
            ])
        #expect(given.mapView.scales.first?.missingCount == 5)
        let none = try scene(values, #"{"width": {"by": "v", "linear": [10, 20]}}"#)
        #expect(none.mapView.overlays.compactMap { ($0 as? Marker)?.width } == [10, 0, 0, 0, 20, 0, 0])
        #expect(
            none.warnings.map(\.description).contains(
                #"points.geojson: the property "v" is missing in 3 features: "width" keeps its default"#))
    }

    /// A column of a table may be empty in all rows.
    @Test func declaredColumnsMayBeEmpty() throws {
        let (overlays, warnings) = try features(
            "lng,lat,v\n1,2,\n3,4,\n", "points.csv", more: #", "marker": {"width": {"by": "v", "sqrt": [4, 40]}}"#)
        #expect(overlays.compactMap { ($0 as? Marker)?.width } == [0, 0])
        #expect(warnings == [#"points.csv: the property "v" is missing in 2 features: "width" keeps its default"#])
    }

    @Test func dataThatDoNotFitCauseOneWarning() throws {
        func warnings(_ values: [String], _ template: String) throws -> [String] {
            try scene(values.map { #"{"v": \#($0)}"# }, template).warnings.map(\.description)
        }
        #expect(
            try warnings(["1", "2", "2"], #"{"width": {"by": "v", "classes": {"natural": 4}, "numbers": [1, 2, 3, 4]}}"#) == [
                #"overlays[0].marker.width.classes: the values of "v" form only 2 of 4 classes, because too few of them differ"#
            ])
        let five = #"{"by": "v", "classes": {"quantiles": 5}, "numbers": [1, 2, 3, 4, 5]}"#
        #expect(
            try warnings(["1", "2", "3"], #"{"width": \#(five)}"#) == [
                #"overlays[0].marker.width.classes: the property "v" has fewer different values (3) than the scale has classes (5)"#
            ])
        #expect(try warnings(["1", "2", "3", "4", "5"], #"{"width": \#(five)}"#) == [])
        #expect(
            try warnings(["0", "-4", "2", "9"], #"{"width": {"by": "v", "log": [1, 2]}}"#) == [
                #"overlays[0].marker.width.log: 2 values of "v" are not above 0, and are drawn like the lowest value on the axis"#
            ])
        #expect(
            try warnings(["-1", "4"], #"{"width": {"by": "v", "sqrt": [1, 2]}}"#) == [
                #"overlays[0].marker.width.sqrt: 1 value of "v" is below 0, and is drawn like 0"#
            ])
        #expect(
            try warnings(["0", "-4"], #"{"width": {"by": "v", "log": [1, 2]}}"#) == [
                #"overlays[0].marker.width.log: no value of "v" is above 0; all values count as missing"#
            ])
        // Scales with the same categories report a list once.
        #expect(
            try warnings(
                [#""a""#, "[1]"],
                #"{"width": {"by": "v", "categories": {"a": 3}}, "height": {"by": "v", "categories": {"a": 5}}}"#
            ) == [
                #"points.geojson: the property "v" is not a name in 1 feature, and counts as missing there; "#
                    + "the first such value is a list or an object"
            ])
        #expect(
            try warnings([#""a""#, #""b""#], #"{"width": {"by": "v", "categories": {"a": 3}}}"#) == [
                #"overlays[0].marker.width.categories: 1 feature has a value of "v" that is not among the categories: "width" keeps its default"#
            ])
    }

    @Test func invalidScalesAreRefused() throws {
        func refused(_ scale: String, _ key: String = "width") -> String {
            do {
                _ = try scene(populations, #"{"\#(key)": \#(scale)}"#)
                return "accepted"
            } catch {
                return ((error as? Refusal)?.text ?? "\(error)").replacingOccurrences(of: "scene.json: overlays[0].marker.", with: "")
            }
        }
        #expect(
            refused(#"{"by": "populaton", "sqrt": [4, 40]}"#)
                == #"width.by: no feature of points.geojson has the property "populaton"; did you mean "population"?"#)
        #expect(
            refused(#"{"by": "population"}"#) == "width: exactly one of steps, classes, categories, ramp, linear, log and sqrt is required")
        #expect(refused(#"{"steps": [1], "numbers": [1, 2]}"#) == #"width: missing key "by""#)
        #expect(
            refused(#"{"by": "population", "steps": [2, 1], "numbers": [1, 2, 3]}"#) == "width.steps[1]: the steps must ascend; 1 follows 2"
        )
        #expect(refused(#"{"by": "population", "steps": [], "numbers": [1]}"#) == "width.steps: at least one step is required")
        #expect(refused(#"{"by": "population", "steps": [1], "numbers": [1]}"#) == "width.numbers: 2 classes need 2 numbers, found 1")
        #expect(refused(#"{"by": "population", "steps": [1]}"#) == #"width: missing key "numbers""#)
        #expect(refused(#"{"by": "population", "steps": [1], "numbers": [1, -2]}"#) == "width.numbers[1]: -2 is outside 0…10000")
        #expect(
            refused(#"{"by": "population", "steps": [1], "colors": "Blues"}"#) == #"width: unknown key "colors"; use "numbers""#)
        #expect(
            refused(#"{"by": "population", "linear": "viridis"}"#)
                == #"width.linear: expected a list of numbers, found the string "viridis""#)
        #expect(refused(#"{"by": "population", "categories": {}}"#) == "width.categories: at least one category is required")
        #expect(
            refused(#"{"by": "population", "categories": ["a", "b"], "numbers": [1]}"#)
                == "width.numbers: 2 categories need 2 numbers, found 1")
        #expect(
            refused(#"{"by": "population", "categories": ["a", "a"], "numbers": [1, 2]}"#)
                == #"width.categories: the category "a" is listed twice"#)
        #expect(
            refused(#"{"by": "population", "classes": {"jenks": 3}, "numbers": [1]}"#)
                == #"width.classes: unknown key "jenks"; use "natural""#)
        #expect(
            refused(#"{"by": "population", "classes": {"natural": 99}, "numbers": [1]}"#) == "width.classes.natural: 99 is outside 1…32")
        #expect(
            refused(#"{"by": "population", "classes": {}, "numbers": [1]}"#)
                == "width.classes: exactly one of quantiles, equal and natural is required")
        #expect(refused(#"{"by": "population", "log": [1, 2], "domain": [0, 9]}"#) == "width.domain: the domain of log must be above 0")
        #expect(
            refused(#"{"by": "population", "steps": [1], "numbers": [1, 2], "domain": [0, 9]}"#)
                == "width.domain: domain applies only to linear, log and sqrt")
        #expect(refused(#"{"by": "population", "linear": [1, 2], "others": 3}"#) == "width.others: others applies only to categories")
        #expect(
            refused(#"{"by": "population", "linear": [1, 2], "numbers": [3]}"#)
                == "width.numbers: numbers applies only to steps, classes and a list of categories")
        #expect(refused(#"{"by": "population", "linear": [1.5, 2]}"#, "zIndex") == "zIndex.linear[0]: expected a whole number, found 1.5")
        func scheme(_ name: String, _ count: Int = 2) -> String {
            let steps = (1..<count).map { "\($0)" }.joined(separator: ", ")
            return refused(#"{"by": "population", "steps": [\#(steps)], "colors": "\#(name)"}"#, "iconTintColor")
        }
        #expect(scheme("YlGnBlu") == #"iconTintColor.colors: unknown color scheme "YlGnBlu"; did you mean "YlGnBu"?"#)
        #expect(scheme("-virids") == #"iconTintColor.colors: unknown color scheme "-virids"; did you mean "-viridis"?"#)
        #expect(scheme("magma_r") == #"iconTintColor.colors: unknown color scheme "magma_r"; use "-magma""#)
        #expect(scheme("-magma_r") == #"iconTintColor.colors: unknown color scheme "-magma_r"; use "magma""#)
        #expect(
            refused(#"{"by": "population", "linear": [0, 9223372036854775807]}"#, "zIndex")
                == "zIndex.linear[1]: 9223372036854775807 is outside -9007199254740992…9007199254740992")
        #expect(refused(#"{"by": "population", "linear": [0, 9007199254740992]}"#, "zIndex") == "accepted")
        #expect(scheme("Set2", 9) == #"iconTintColor.colors: "Set2" has at most 8 colors, but 9 are needed"#)
        #expect(scheme("Set2", 8) == "accepted")
    }

    @Test func linesHaveOneColorForOneValueAndAScaleForLists() throws {
        let folder = ScratchFolder()
        let lines = ["1", "[3, null, 9]", #""fast""#].map { value in
            #"{"type": "Feature", "properties": {"v": \#(value)}, "geometry": {"type": "LineString", "coordinates": [[0, 0], [1, 1], [2, 2]]}}"#
        }
        try folder.write(#"{"type": "FeatureCollection", "features": [\#(lines.joined(separator: ", "))]}"#, "lines.geojson")
        let text = #"""
            {"waymark": 1, "overlays": [{"type": "geojson", "source": "lines.geojson", "polyline": {
              "width": {"by": "v", "steps": [2], "numbers": [1, 5], "missing": 2},
              "color": {"by": "v", "classes": {"equal": 2}, "colors": ["red", "blue"], "missing": "gray"}}}]}
            """#
        let file = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/")
        let found = file.mapView.overlays.compactMap { $0 as? Polyline }
        #expect(found.map(\.width) == [1, 2, 2])
        #expect(found[0].color == .red && found[0].colorScale == nil && found[2].color == Color(css: "gray"))
        // The domain of all lines: 1…9.
        #expect(found[1].colorScale == Scale(by: "v", steps: [5], [.red, .blue], missing: Color(css: "gray")))
        #expect(found[1].values == ["v": [3, nil, 9]] && found.allSatisfy { $0.firstProblem() == nil })
    }

    /// In large files, overlays share styles; up to 65,536 features, outputs are exact.
    @Test(arguments: ["geojson", "clusterLayer"]) func manyFeaturesHaveFewDifferentOutputs(type: String) throws {
        let rows = (0..<70_000).map { "\($0 % 180),0,\($0)" }.joined(separator: "\n")
        let template =
            #"{"width": {"by": "v", "linear": [1, 65]}, "altitude": {"by": "v", "linear": [0, 69999]}, "#
            + #""angle": {"by": "v", "linear": [0, 69999]}, "zIndex": {"by": "v", "linear": [0, 69999]}}"#
        let (overlays, _) = try features("lng,lat,v\n" + rows, "points.csv", type: type, more: #", "marker": \#(template)"#)
        var markers = overlays.markers
        if let source = (overlays.first as? ClusterLayer)?.source { markers = (0..<source.count).map { source.makeMarker($0) } }
        let widths = markers.map(\.width)
        #expect(widths.count == 70_000 && Set(widths).count == 257 && widths.first == 1 && widths.last == 65)
        #expect(zip(widths, 0...).allSatisfy { abs($0 - Double($1) / 69_999 * 64 - 1) <= 0.1251 })
        // Positions, orders and angles are exact.
        #expect(markers.enumerated().allSatisfy { abs($1.altitude - Double($0)) < 1e-6 && $1.zIndex == $0 })
        #expect(markers.enumerated().allSatisfy { abs($1.angle - Double($0)) < 1e-6 })
    }
}
