import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// What legends show of the features of a file.
@Suite struct LegendSymbolFileTests {
    private let point = #"{"type": "Point", "coordinates": [0, 0]}"#
    private let line = #"{"type": "LineString", "coordinates": [[0, 0], [1, 1]]}"#
    private let area = #"{"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}"#

    /// A map with two features of a geometry.
    private func map(
        _ geometry: String, _ properties: String, _ keys: String, type: String = "geojson", theme: String = "null"
    ) throws -> MapView {
        let folder = ScratchFolder()
        let features = [#""v": 1"#, #""v": 2, \#(properties)"#].map {
            #"{"type": "Feature", "properties": {\#($0)}, "geometry": \#(geometry)}"#
        }
        try folder.write(#"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ", "))]}"#, "data.geojson")
        let source = #""source": "data.geojson", \#(keys)"#
        let content = type == "symbols" ? #""symbols": {\#(source)}"# : #""overlays": [{"type": "\#(type)", \#(source)}]"#
        let text = #"{"waymark": 1, "theme": \#(theme), \#(content)}"#
        return try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/").mapView
    }

    private func symbol(_ map: MapView, _ property: String) throws -> LegendSymbol {
        var legend = Legend()
        legend.property = property
        return try #require(try map.scale(of: legend).symbol)
    }

    /// What a legend shows for numbers of features that have no symbol.
    private var disc: LegendSymbol.Shape {
        let widths = PropertyScale.numbers(Scale(by: "v", linear: [2, 12]))
        return MapScale(overlay: "", template: "marker", property: "width", given: widths, resolved: widths).shownSymbol.shape
    }

    private let width = #""width": {"by": "v", "linear": [2, 12]}"#
    private let outlineWidth = #""outlineWidth": {"by": "v", "linear": [2, 12]}"#

    /// Colors that the features determine, by the template or by their own style, are neutral in legends.
    @Test func colorsThatDifferAreNeutral() throws {
        let constant = try symbol(map(line, #""c": "red""#, #""polyline": {"color": "red", \#(width)}"#), "width")
        #expect(constant.color == .red)
        let field = try symbol(map(line, #""c": "red""#, #""polyline": {"color": "{c}", \#(width)}"#), "width")
        let stroke = try symbol(map(line, ##""stroke": "#ff0000""##, #""polyline": {\#(width)}"#), "width")
        #expect(field.color == nil && stroke.color == nil)
        // The template precedes the features' own style.
        #expect(try symbol(map(line, ##""stroke": "#ff0000""##, #""polyline": {"color": "red", \#(width)}"#), "width") == constant)

        let fills = try symbol(map(area, #""c": "red""#, #""polygon": {"fillColor": "{c}", \#(outlineWidth)}"#), "outlineWidth")
        #expect(fills.color == nil && !fills.hasVariousOutlines)
        let strokes = try symbol(
            map(area, ##""stroke": "#ff0000""##, #""polygon": {"fillColor": "red", \#(outlineWidth)}"#), "outlineWidth")
        #expect(strokes.color == .red && strokes.hasVariousOutlines)
        let tints = try symbol(map(point, #""c": "red""#, #""marker": {"iconTintColor": "{c}", \#(width)}"#), "width")
        #expect(tints.color == nil && tints.shape != disc)
    }

    /// Icons that differ among the features are discs in legends.
    @Test(arguments: ["geojson", "clusterLayer"]) func iconsThatDifferAreDiscs(type: String) throws {
        func shown(_ properties: String, _ template: String, _ property: String = "width") throws -> LegendSymbol {
            try symbol(map(point, properties, #""marker": {\#(template)}"#, type: type), property)
        }
        #expect(try shown(#""i": "builtin:red""#, width).shape != disc)
        for symbol in [
            try shown(#""i": "builtin:red""#, #""iconImage": "{i}", \#(width)"#), try shown(##""marker-color": "#ff0000""##, width),
        ] {
            #expect(symbol.shape == disc && symbol.color == nil && symbol.height == nil)
            #expect(symbol.setting("width", to: 30).height == 30)
        }
        #expect(try shown(##""marker-color": "#ff0000""##, #""iconImage": "builtin:red", \#(width)"#).shape == .icon(.red))
        let tint = #""iconTintColor": {"by": "v", "steps": [1], "colors": ["red", "blue"]}"#
        #expect(try shown(#""marker-symbol": "a""#, tint, "iconTintColor").shape == disc)
    }

    /// A template without features has a scale, too.
    @Test func aLegendThatNamesNoScalePrefersOneWithFeatures() throws {
        let colors = #"{"by": "v", "classes": {"equal": 2}, "colors": ["red", "blue"]}"#
        let map = try map(
            area, #""k": 1"#,
            #""marker": {"iconTintColor": \#(colors)}, "polyline": {"color": \#(colors)}, "polygon": {"fillColor": \#(colors)}"#)
        var legend = Legend()
        #expect(try map.scale(of: legend).template == "polygon")
        legend.overlay = "geojson-0"
        #expect(try map.scale(of: legend).template == "polygon")
        legend.template = "marker"
        #expect(try map.scale(of: legend).template == "marker")
    }

    /// Texts for which a scale has no color are shown in the color that they keep.
    @Test(arguments: [nil, MapTheme.dark, .gray]) func textsKeepTheirColors(theme: MapTheme?) throws {
        let colors = #"{"by": "v", "steps": [3], "colors": ["red", "blue"]}"#
        let keys = #"{"captionText": "a", "captionColor": \#(colors), "captionHaloColor": \#(colors)}"#
        let name = theme.map { "\"\($0.rawValue)\"" } ?? "null"
        for type in ["geojson", "symbols"] {
            let map = try map(point, #""k": 1"#, #""\#(type == "symbols" ? "symbol" : "marker")": \#(keys)"#, type: type, theme: name)
            #expect(try symbol(map, "captionColor").color == theme?.defaults.text ?? .black, "\(type)")
            #expect(try symbol(map, "captionHaloColor").color == theme?.defaults.halo ?? .white, "\(type)")
        }
        let map = try map(line, #""k": 1"#, #""polyline": {"lineText": "a", "lineTextColor": \#(colors)}"#, theme: name)
        #expect(try symbol(map, "lineTextColor").color == theme?.defaults.text ?? .black)
    }
}
