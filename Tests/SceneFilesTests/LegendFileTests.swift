import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Legends in scene files: those that scales ask for, and those that name a scale.
@Suite struct LegendFileTests {
    private let folder: ScratchFolder

    init() throws {
        folder = ScratchFolder()
        let features = [1, 5, 9].map {
            #"{"type": "Feature", "properties": {"v": \#($0)}, "geometry": {"type": "Point", "coordinates": [\#($0), 0]}}"#
        }
        try folder.write(#"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ", "))]}"#, "points.geojson")
    }

    private func scene(marker: String, _ rest: String = "") throws -> SceneFile {
        try scene(#""overlays": [{"type": "geojson", "source": "points.geojson", "marker": \#(marker)}]\#(rest)"#)
    }

    private func scene(_ text: String) throws -> SceneFile {
        do throws(SceneError) {
            return try SceneFile(bytes: Array("{\"waymark\": 1, \(text)}".utf8), name: "scene.json", folder: folder.path + "/")
        } catch {
            throw Refusal(text: error.description.replacingOccurrences(of: folder.path + "/", with: ""))
        }
    }

    private func problem(marker: String, _ rest: String = "") -> String {
        do {
            _ = try scene(marker: marker, rest)
            return "none"
        } catch { return (error as? Refusal)?.text ?? "\(error)" }
    }

    private let tint = #""iconTintColor": {"by": "v", "steps": [3, 6], "colors": "YlGnBu""#

    @Test func aScaleAsksForALegend() throws {
        let map = try scene(
            marker: #"{\#(tint), "legend": {"title": "Values", "place": "topLeft", "format": "plain", "decimals": 0, "columns": 2}}}"#
        ).mapView
        let element = try #require(map.scales.first?.legend)
        let legend = element.legend
        #expect(element.place == .topLeft && legend.title == "Values" && legend.format == .plain && legend.decimals == 0)
        #expect(legend.overlay == "geojson-0" && legend.template == "marker" && legend.property == "iconTintColor" && legend.columns == 2)
        #expect(map.shownElements.map(\.type) == [.legend])
        #expect(try map.scale(of: legend) == map.scales[0])
        #expect(try scene(marker: "{\(tint), \"legend\": true}}").mapView.scales[0].legend?.legend.title == nil)
        for none in ["false", "null"] {
            #expect(try scene(marker: "{\(tint), \"legend\": \(none)}}").mapView.shownElements.isEmpty)
        }
    }

    /// The width and the height of bubbles are one legend.
    @Test func twoSidesWithOneScaleHaveOneLegend() throws {
        let size = #"{"by": "v", "sqrt": [0, 40], "legend": true}"#
        let map = try scene(marker: #"{"width": \#(size), "height": \#(size)}"#).mapView
        #expect(map.scales.map { $0.legend != nil } == [true, false] && map.scales[0].symbol?.isProportional == true)
        let other = try scene(marker: #"{"width": \#(size), "height": {"by": "v", "linear": [0, 40], "legend": true}}"#).mapView
        #expect(other.scales.map { $0.legend != nil } == [true, true] && other.scales[0].symbol?.isProportional == false)
    }

    @Test func theSymbolHasTheConstantsOfTheTemplate() throws {
        let map = try scene(
            marker: #"{"iconImage": "builtin:red", "alpha": 0.5, "height": 30, \#(tint)}, "width": {"by": "v", "linear": [10, 20]}}"#
        ).mapView
        let color = try #require(map.scales.first { $0.property == "iconTintColor" }?.symbol)
        #expect(color.shape == .icon(.red) && color.alpha == 0.5 && color.height == 30 && color.width == nil)
        let width = try #require(map.scales.first { $0.property == "width" }?.symbol)
        #expect(width.color == nil && width.width == Marker.sizeAuto)
    }

    @Test func theScaleOfALineAsksForALegend() throws {
        let map = try scene(
            #"""
            "overlays": [{"type": "polyline", "id": "track", "points": [[0, 0], [1, 0], [2, 0]], "values": {"speed": [3, null, 7]},
             "color": {"by": "speed", "linear": ["blue", "red"], "missing": "gray", "legend": true}}]
            """#
        ).mapView
        let scale = try #require(map.scales.first)
        #expect(scale.overlay == "track" && scale.property == "color" && scale.range == 3...7 && scale.missingCount == 1)
        #expect(scale.legend?.legend.overlay == "track")
        guard case .colors(let colors) = scale.resolved else { return #expect(Bool(false)) }
        #expect(colors.form == .axis(.linear, [.blue, .red], domain: 3...7))
    }

    @Test func colorsOfAScaleHaveAnAlpha() throws {
        let map = try scene(
            marker: ##"{"captionColor": {"by": "v", "steps": [3], "colors": ["#ff000080", "blue"], "alpha": 0.5}}"##
        ).mapView
        let colors = map.overlays.compactMap { ($0 as? Marker)?.captionColor.alpha }
        #expect(colors == [128.0 / 255 / 2, 0.5, 0.5])
        let scheme = try scene(
            marker: #"{"captionColor": {"by": "v", "linear": "viridis", "missing": "black", "alpha": 0.25}}"#
        ).mapView.scales[0]
        guard case .colors(let scale) = scheme.resolved else { return #expect(Bool(false)) }
        #expect(scale.output(at: 4)?.alpha == 0.25 && scale.missing?.alpha == 0.25)
        #expect(
            problem(marker: #"{"width": {"by": "v", "linear": [1, 2], "alpha": 0.5}}"#).contains("unknown key \"alpha\"")
                && problem(marker: #"{"captionColor": {"by": "v", "linear": "viridis", "alpha": 2}}"#).contains("2 is outside 0…1"))
    }

    @Test func badLegendsAreErrors() {
        let scale = "{\(tint)}}"
        func element(_ keys: String) -> String { #", "elements": [{"type": "title", "text": "T"}, {"type": "legend", \#(keys)}]"# }
        let path = "scene.json: elements[1]"
        let cases: [(String, String)] = [
            (
                problem(marker: scale, element(#""overlay": "geojson-1""#)),
                "\(path).overlay: the overlay \"geojson-1\" has no scale; did you mean \"geojson-0\"?"
            ),
            (
                problem(marker: scale, element(#""overlay": "countries""#)),
                "\(path).overlay: the overlay \"countries\" has no scale; scales exist for \"geojson-0\""
            ),
            (
                problem(marker: scale, element(#""property": "iconTintColr""#)),
                "\(path).property: the property \"iconTintColr\" has no scale; did you mean \"iconTintColor\"?"
            ),
            (problem(marker: "{}", element(#""title": "A""#)), "\(path): the map has no scales"),
            (problem(marker: scale, element(#""decimals": 11"#)), "\(path).decimals: 11 is outside 0…10"),
            (
                problem(marker: "{\(tint), \"legend\": 1}}"),
                "scene.json: overlays[0].marker.iconTintColor.legend: expected true, false, or an object with the properties of a legend, found 1"
            ),
            (
                problem(marker: "{\(tint), \"legend\": {\"titel\": \"A\"}}}"),
                "scene.json: overlays[0].marker.iconTintColor.legend: unknown key \"titel\"; did you mean \"title\"?"
            ),
            (
                problem(marker: #"{"angle": {"by": "v", "linear": [0, 90], "legend": true}}"#),
                "scene.json: overlays[0].marker.angle.legend: a legend cannot show \"angle\"; it can show colors and the properties "
                    + "width, height, outlineWidth, alpha, captionTextSize"
            ),
        ]
        for (found, expected) in cases { #expect(found == expected) }
        let format = problem(marker: scale, element(#""format": "compct""#))
        #expect(format.hasPrefix("\(path).format: ") && format.contains("\"compct\"") && format.contains("did you mean \"compact\"?"))
    }

    /// A job that adds, removes or changes an overlay changes the legends.
    @Test func changesOfASceneChangeItsLegends() throws {
        let text = #"""
            {"waymark": 1, "overlays": [{"type": "geojson", "source": "points.geojson", "marker": {\#(tint)}}},
             {"type": "polyline", "id": "track", "points": [[0, 0], [1, 0]], "values": {"s": [3, 7]},
              "color": {"by": "s", "linear": ["blue", "red"], "legend": true}}]}
            """#
        let base = try BaseScene(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/", options: SceneFileOptions())
        func legends(_ change: String) throws -> [String] {
            let changed = try base.change(ScenePatch(JSONDocument(parsing: Array(change.utf8)).root, without: []))
            defer { base.takeBack() }
            return changed.mapView.shownElements.map { if case .legend(let element) = $0 { element.legend.overlay ?? "" } else { "" } }
        }
        #expect(try legends("{}") == ["track"])
        #expect(try legends(#"{"remove": ["track"]}"#) == [])
        #expect(try legends(#"{"change": {"track": {"color": "red"}}}"#) == [])
        #expect(try legends(#"{"change": {"track": {"values": {"s": [1, 2]}}}}"#) == ["track"])
        #expect(base.mapView.scales.map(\.range) == [1...9, 3...7])
        #expect(
            try legends(#"{"add": [{"type": "geojson", "source": "points.geojson", "marker": {\#(tint), "legend": true}}}]}"#)
                == ["track", "geojson-2"])
    }

    /// A job that leaves a legend without its scale fails, as a scene does, and the base stays as it is.
    @Test func aChangeThatLeavesALegendWithoutAScaleFails() throws {
        let text = #"""
            {"waymark": 1, "elements": [{"type": "title", "text": "Speed"}, {"type": "legend", "overlay": "track"}], "overlays": [
             {"type": "polyline", "id": "track", "points": [[0, 0], [1, 0]], "values": {"s": [3, 7]},
              "color": {"by": "s", "linear": ["blue", "red"], "legend": true}}]}
            """#
        let base = try BaseScene(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/", options: SceneFileOptions())
        func problem(_ change: String) -> String {
            let error = #expect(throws: SceneError.self) {
                _ = try base.change(ScenePatch(JSONDocument(parsing: Array(change.utf8)).root, without: []))
            }
            #expect(base.mapView.scales.map(\.overlay) == ["track"] && base.mapView.elements.count == 2)
            return error.map { "\($0)" } ?? ""
        }
        #expect(problem(#"{"elements": [{"type": "legend", "overlay": "trak"}]}"#).contains("elements[0].overlay: "))
        for whole in ["", #", "symbols": []"#] {
            #expect(problem(#"{"remove": ["track"]\#(whole)}"#).contains("elements[1].overlay: the map has no scales"))
        }
    }

    /// A legend shows the colors, widths and icons that the features have in the theme of the map.
    @Test(arguments: [nil, "light", "dark", "gray"]) func symbolsHaveTheDefaultsOfTheTheme(theme: String?) throws {
        try folder.write(
            #"{"type": "Feature", "properties": {"v": 3}, "geometry": {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}}"#,
            "line.geojson")
        let text = #"""
            {"waymark": 1, "theme": \#(theme.map { "\"\($0)\"" } ?? "null"), "overlays": [
             {"type": "geojson", "source": "points.geojson", "marker": {"height": {"by": "v", "linear": [9, 20]}}},
             {"type": "geojson", "source": "line.geojson", "polyline": {"width": {"by": "v", "linear": [4, 9]}, "outlineWidth": 2}}]}
            """#
        let map = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/").mapView
        func symbol(_ property: String) throws -> LegendSymbol {
            var legend = Legend()
            legend.property = property
            return try #require(try map.scale(of: legend).symbol)
        }
        let marker = try #require(map.overlays.compactMap { $0 as? Marker }.first)
        let line = try #require(map.overlays.compactMap { $0 as? Polyline }.first)
        #expect(try symbol("height").shape == .icon(marker.iconImage))
        let shown = try symbol("width")
        #expect(shown.color == line.color && shown.outlineColor == line.outlineColor && shown.outlineWidth == 2)
        // Another theme, as jobs set it.
        map.theme = theme == "dark" ? .light : .dark
        #expect(try symbol("width").color == line.color)
        // What is set in Swift wins.
        map.scales[1].symbol = LegendSymbol(.line, color: .red, width: 2)
        #expect(try symbol("width").color == .red)
    }

    /// An element shows the scale of a line that asks for no legend.
    @Test func anElementShowsTheScaleOfALine() throws {
        let text = #"""
            {"waymark": 1, "elements": [{"type": "legend", "overlay": "track"}], "overlays": [
             {"type": "polyline", "id": "track", "points": [[0, 0], [1, 0]], "values": {"s": [3, 7]},
              "color": {"by": "s", "linear": ["blue", "red"]}}]}
            """#
        let map = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/").mapView
        #expect(map.scales.map(\.range) == [3...7] && map.shownElements.count == 1)
    }
}
