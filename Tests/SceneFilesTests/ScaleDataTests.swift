import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Scales of templates, and what the data of a file may contain.
@Suite struct ScaleDataTests {
    private func feature(_ properties: String, _ geometry: String) -> String {
        #"{"type": "Feature", "properties": \#(properties), "geometry": \#(geometry)}"#
    }

    private func read(_ list: [String], _ templates: String) throws -> (file: SceneFile, overlays: [Overlay]) {
        let folder = ScratchFolder()
        try folder.write(#"{"type": "FeatureCollection", "features": [\#(list.joined(separator: ", "))]}"#, "data.geojson")
        let text = #"{"waymark": 1, "overlays": [{"type": "geojson", "source": "data.geojson", \#(templates)}]}"#
        let file = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/")
        return (file, file.mapView.overlays)
    }

    private func scales(of template: String, _ list: [String]) throws -> [MapScale] { try read(list, template).file.mapView.scales }

    private let point = #"{"type": "Point", "coordinates": [0, 0]}"#
    private let line = #"{"type": "LineString", "coordinates": [[0, 0], [1, 1], [2, 2]]}"#
    private let area = #"{"type": "Polygon", "coordinates": [[[0, 0], [1, 0], [1, 1], [0, 0]]]}"#

    /// A size of 0 would otherwise be the image's own.
    @Test func sizesOfZeroRemoveTheIcon() throws {
        let template = #"{"width": {"by": "v", "sqrt": [0, 40]}, "height": {"by": "v", "sqrt": [0, 40]}, "captionText": "{v}"}"#
        let values = ["0", "25", "100"].map { feature(#"{"v": \#($0), "marker-symbol": "a"}"#, point) }
        let found = try read(values, #""marker": \#(template)"#).overlays.markers
        #expect(found.map { $0.iconImage == .empty } == [true, false, false])
        #expect(found.map(\.width) == [0, 20, 40] && found.map(\.captionText) == ["0", "25", "100"])
        let text = #"{"type": "FeatureCollection", "features": [\#(values.joined(separator: ", "))]}"#
        let (overlays, _) = try features(text, "data.geojson", type: "clusterLayer", more: #", "marker": \#(template)"#)
        let source = try #require((overlays.first as? ClusterLayer)?.source)
        let clustered = (0..<source.count).map { source.makeMarker($0) }
        #expect(clustered.map(\.iconImage) == found.map(\.iconImage) && clustered.map(\.width) == [0, 20, 40])
    }

    @Test func symbolsOfSizeZeroHaveNoIcon() throws {
        let folder = ScratchFolder()
        try folder.write(collection([#"{"v": 0}"#, #"{"v": 9}"#]), "data.geojson")
        let symbol = #"{"captionText": "a", "iconImage": "builtin:red", "width": {"by": "v", "sqrt": [0, 30]}}"#
        let text = #"{"waymark": 1, "symbols": {"source": "data.geojson", "symbol": \#(symbol)}}"#
        let symbols = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/").mapView.symbols
        #expect(symbols.map { $0.iconImage == nil } == [true, false] && symbols.map(\.width) == [0, 30])
    }

    /// Only the geometries of another template have the property.
    @Test func geometriesWithoutThePropertyCountAsMissing() throws {
        let list = [feature(#"{"name": "a"}"#, point), feature(#"{"population": 7}"#, area)]
        let scale = #"{"by": "population", "linear": ["red", "blue"], "domain": [0, 7]}"#
        let (file, overlays) = try read(list, #""marker": {"iconTintColor": \#(scale)}, "polygon": {"fillColor": \#(scale)}"#)
        #expect((overlays[1] as? Polygon)?.fillColor == .blue && overlays.markers[0].iconTintColor == Marker().iconTintColor)
        #expect(
            file.warnings.map(\.description) == [
                #"data.geojson: the property "population" is missing in 1 feature: "iconTintColor" keeps its default"#
            ])
        #expect(file.mapView.scales.map(\.missingCount) == [1, 0])
    }

    /// A point, a line and an area with the same value have the same color.
    @Test(arguments: [#""linear": ["black", "white"]"#, #""classes": {"equal": 4}, "colors": ["black", "red", "blue", "white"]"#])
    func pointsLinesAndAreasShareTheDomainAndTheClasses(form: String) throws {
        let values = [("0", area), ("100", area), ("40", line), ("60", line), ("60", point), ("null", point)]
        let list = values.map { feature(#"{"v": \#($0)}"#, $1) }
        let scale = #"{"by": "v", \#(form)}"#
        let templates = #""marker": {"iconTintColor": \#(scale)}, "polyline": {"color": \#(scale)}, "polygon": {"fillColor": \#(scale)}"#
        let (file, overlays) = try read(list, templates)
        #expect(overlays.compactMap { ($0 as? Polyline)?.color }.last == overlays.markers[0].iconTintColor)
        let scales = file.mapView.scales
        #expect(scales.map(\.template) == ["marker", "polyline", "polygon"] && scales.map(\.range) == [0...100, 0...100, 0...100])
        #expect(scales.allSatisfy { $0.resolved == scales[0].resolved } && scales.map(\.missingCount) == [1, 0, 0])
        // Four values differ, although each template has fewer.
        #expect(file.warnings.count == 1)
        #expect(try self.scales(of: templates, list.reversed()) == scales)
        // Templates without features stay as they are.
        #expect(try self.scales(of: templates, Array(list[..<2])).map(\.range) == [nil, nil, 0...100])
    }

    /// The values along a line determine the colors of points, too, as those of the waypoints of a track.
    @Test func listsDetermineTheColorsOfPoints() throws {
        let list = [feature(#"{"v": 2}"#, point), feature(#"{"v": [0, null, 8]}"#, line)]
        let scale = #"{"by": "v", "linear": ["black", "white"]}"#
        let templates =
            #""marker": {"iconTintColor": \#(scale), "width": {"by": "v", "linear": [4, 8]}}, "polyline": {"color": \#(scale)}"#
        #expect(try scales(of: templates, list).map(\.range) == [0...8, 2...2, 0...8])
    }

    @Test func categoriesCompareNumbersAndAccentsAsText() throws {
        let names = ["1000000000000000", "1e15", "9007199254740993", "1.50", #""e\u0301""#, #""\u00e9""#, #""e""#]
        let found = try read(
            names.map { feature(#"{"k": \#($0)}"#, point) },
            #""marker": {"alpha": {"by": "k", "categories": [1000000000000000, 9007199254740993, 1.5, "é"], "#
                + #""numbers": [0.1, 0.2, 0.3, 0.4], "others": 0.5}}"#
        ).overlays.markers
        #expect(found.map(\.alpha) == [0.1, 0.1, 0.2, 0.3, 0.4, 0.4, 0.5])
        let scale = Scale(by: "k", categories: [.init("1000000000000000", 0.1), .init("é", 0.4)])
        #expect(scale.output(at: 1e15) == 0.1 && scale.output(for: "e\u{301}") == 0.4)
    }

    /// The numbers of a line's points determine the scale of its color only.
    @Test func listsCountAsMissingForOtherScales() throws {
        let list = [feature(#"{"v": 2}"#, line), feature(#"{"v": 4}"#, line), feature(#"{"v": [100, null, 900]}"#, line)]
        let (file, overlays) = try read(
            list,
            #""polyline": {"width": {"by": "v", "linear": [10, 20], "missing": 3}, "color": {"by": "v", "linear": ["red", "blue"]}}"#)
        let lines = overlays.compactMap { $0 as? Polyline }
        #expect(lines.map(\.width) == [10, 20, 3])
        #expect(lines[2].colorScale == Scale(by: "v", linear: [.red, .blue], domain: 2...900))
        let scales = file.mapView.scales
        #expect(scales.map(\.property) == ["width", "color"] && scales.map(\.range) == [2...4, 2...900])
        #expect(scales.map(\.missingCount) == [1, 0])
    }

    @Test func logarithmsWithoutPositiveValuesAreMissing() throws {
        let list = ["-1", "0"].map { feature(#"{"v": \#($0)}"#, point) } + [feature(#"{"v": [0, -1, -2]}"#, line)]
        let (file, overlays) = try read(
            list,
            #""marker": {"width": {"by": "v", "log": [10, 20], "missing": 3}}, "#
                + #""polyline": {"color": {"by": "v", "log": ["red", "blue"], "missing": "gray"}}"#)
        #expect(overlays.markers.map(\.width) == [3, 3] && file.mapView.scales.map(\.missingCount) == [2, 1])
        let polyline = try #require(overlays.last as? Polyline)
        #expect(polyline.colorScale == nil && polyline.color == Color(css: "gray"))
        #expect(
            file.warnings.count == 2
                && file.warnings.allSatisfy { $0.message == #"no value of "v" is above 0; all values count as missing"# })
    }

    @Test func polygonsWithAndWithoutTheirOwnFill() throws {
        let list = [
            feature(#"{"v": 1}"#, area), feature(##"{"v": 2, "fill": "#00ff00", "stroke": "#0000ff"}"##, area),
            feature(##"{"fill": "#00ff00"}"##, area),
        ]
        let scale = #"{"by": "v", "steps": [1], "colors": ["red", "blue"]}"#
        let found = try read(list, #""polygon": {"fillColor": \#(scale)}"#).overlays.compactMap { $0 as? Polygon }
        // The template precedes simplestyle.
        #expect(found.map(\.fillColor) == [.red, .blue, Polygon().fillColor] && found[1].outlineColor == .blue)
    }

    @Test func allPartsOfAFeatureHaveItsValue() throws {
        let points = #"{"type": "MultiPoint", "coordinates": [[0, 0], [1, 1]]}"#
        let parts = #"{"type": "GeometryCollection", "geometries": [\#(point), \#(area), \#(points)]}"#
        let list = [feature(#"{"v": 1}"#, points), feature(#"{"v": 3}"#, point), feature(#"{"v": 5}"#, parts)]
        let scale = #"{"by": "v", "linear": [10, 30]}"#
        let (file, overlays) = try read(list, #""marker": {"width": \#(scale)}, "polygon": {"outlineWidth": \#(scale)}"#)
        #expect(overlays.markers.map(\.width) == [10, 10, 20, 30, 30, 30])
        // The domain is the same for all templates.
        #expect((overlays.compactMap { $0 as? Polygon }).map(\.outlineWidth) == [30] && file.warnings.isEmpty)
    }

    @Test func severalTracksShareOneDomain() throws {
        func track(_ heights: [Int]) -> String {
            "<trk><trkseg>"
                + heights.enumerated().map { #"<trkpt lat="\#($0)" lon="0"><ele>\#($1)</ele></trkpt>"# }.joined() + "</trkseg></trk>"
        }
        let folder = ScratchFolder()
        try folder.write("<gpx>" + track([5, 10]) + track([20, 40, 45]) + "</gpx>", "tour.gpx")
        let text = #"""
            {"waymark": 1, "overlays": [{"type": "geojson", "source": "tour.gpx",
             "polyline": {"color": {"by": "elevation", "linear": ["red", "blue"]}}}]}
            """#
        let file = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/")
        let lines = file.mapView.overlays.compactMap { $0 as? Polyline }
        let scale = Scale(by: "elevation", linear: [Color.red, .blue], domain: 5...45)
        #expect(lines.map(\.colorScale) == [scale, scale])
        #expect(lines.map(\.values) == [["elevation": [5, 10]], ["elevation": [20, 40, 45]]])
    }

    /// The same map is changed and reverted.
    @Test func changesKeepTheScalesOfTheOverlaysThatRemain() throws {
        let folder = ScratchFolder()
        try folder.write(collection([#"{"v": 1}"#, #"{"v": 4}"#]), "data.geojson")
        func overlay(_ type: String, _ id: String) -> String {
            let name = type == "geojson" ? "" : #""id": "\#(id)", "#
            return #"{"type": "\#(type)", \#(name)"source": "data.geojson", "marker": {"width": {"by": "v", "linear": [1, 2]}}}"#
        }
        let list = [
            overlay("clusterLayer", "a"), overlay("geojson", ""),
            #"{"type": "container", "id": "c", "children": [\#(overlay("clusterLayer", "b")), \#(overlay("geojson", ""))]}"#,
        ]
        let text = #"{"waymark": 1, "overlays": [\#(list.joined(separator: ", "))]}"#
        let base = try BaseScene(bytes: Array(text.utf8), name: "base", folder: folder.path + "/", options: SceneFileOptions())
        let all = ["a", "geojson-1", "b", "c/geojson-1"]
        func scales(_ change: String) throws -> [String] {
            let document = try JSONDocument(parsing: Array(change.utf8))
            let found = try base.change(ScenePatch(document.root, without: [])).mapView.scales.map(\.overlay)
            base.takeBack()
            #expect(base.mapView.scales.map(\.overlay) == all)
            return found
        }
        #expect(base.mapView.scales.map(\.overlay) == all)
        #expect(try scales(#"{"add": [\#(overlay("clusterLayer", "n"))]}"#) == all + ["n"])
        for whole in ["", #", "symbols": []"#] {
            #expect(try scales(#"{"remove": ["a"]\#(whole)}"#) == ["geojson-1", "b", "c/geojson-1"])
            #expect(try scales(#"{"remove": ["c"]\#(whole)}"#) == ["a", "geojson-1"])
            // In the order of the document.
            #expect(try scales(#"{"change": {"a": {"marker": {"height": 5}}}\#(whole)}"#) == all)
            #expect(try scales(#"{"change": {"b": {"marker": {"height": 5}}}\#(whole)}"#) == all)
            #expect(try scales(#"{"change": {"c": {"zIndex": 5}, "a": {"marker": {"height": 5}}}\#(whole)}"#) == all)
        }
    }

    /// A resolved scale may have a single class, which files express as a ramp.
    @Test func aSingleClassIsWrittenAsARamp() throws {
        let scale = Scale(by: "v", classes: .equal(3), [Color.red, .green, .blue]).resolved(for: [7])
        #expect(scale == Scale(by: "v", steps: [], [.green]))
        let line = Polyline(points: [LatLng(lat: 0, lng: 0), LatLng(lat: 1, lng: 1)])
        (line.values, line.colorScale) = (["v": [7, 7]], scale)
        var change = SceneChange()
        try change.add(line)
        let added = try JSONDocument(parsing: [UInt8](change.json)).root["add"]
        let color = try #require(added?.elements?.first { _ in true }?["color"])
        let stops = color["ramp"]?.elements.map { Array($0) } ?? []
        let stop = stops.first?.elements.map { Array($0) } ?? []
        #expect(color["by"]?.string == "v" && color["steps"] == nil && stops.count == 1 && stop.last?.string == Color.green.description)
    }
}
