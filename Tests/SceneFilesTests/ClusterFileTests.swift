import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct ClusterFileTests {
    private let folder = ScratchFolder()

    private func scene(_ layer: String, more: String = "") throws -> SceneFile {
        do throws(SceneError) {
            return try SceneFile(
                bytes: Array("{\"waymark\": 1, \"overlays\": [{\"type\": \"clusterLayer\", \(layer)}\(more)]}".utf8), name: "scene.json",
                folder: folder.path + "/")
        } catch {
            throw Refusal(text: error.description.replacingOccurrences(of: folder.path + "/", with: ""))
        }
    }

    private func layer(_ text: String) throws -> ClusterLayer { try #require(scene(text).mapView.overlays.first as? ClusterLayer) }

    private func problem(_ text: String, more: String = "", sourceLocation: SourceLocation = #_sourceLocation) -> String {
        do {
            _ = try scene(text, more: more)
            Issue.record("accepted", sourceLocation: sourceLocation)
            return ""
        } catch {
            return (error as? Refusal)?.text ?? "\(error)"
        }
    }

    @Test func markersAndTheme() throws {
        let layer = try layer(
            """
            "id": "shops", "cellSize": 64, "gridUnit": "devicePixels", "maxZoom": 14,
            "markers": [{"position": [1, 2]}, {"type": "marker", "position": [3, 4], "id": "b", "captionText": "B"}],
            "theme": [{"densityRange": [10, null], "style": {"image": "builtin:clusterHigh", "text": "{count}", "textRadius": 9}},
                      {"densityRange": [2, 9], "style": {"fillColor": "#d33", "strokeWidth": 1, "size": 20}}]
            """)
        #expect(layer.cellSize == 64 && layer.gridUnit == .devicePixels && layer.maxZoom == 14 && layer.strategy == .grid)
        #expect(layer.markers.map(\.id) == ["shops/marker-0", "b"] && layer.markers[1].position == LatLng(4, 3))
        #expect(layer.theme?.styles.map(\.densityRange) == [2...9, 10...Int.max])
        let basic = try #require(layer.theme?.styles[0].style as? BasicClusterStyle)
        #expect(basic.size == 20 && basic.strokeWidth == 1 && basic.fillColor == Color(hex: 0xdd3333))
        let image = try #require(layer.theme?.styles[1].style as? ImageClusterStyle)
        #expect(image.image == MarkerImage.clusterHigh && image.text == "{count}" && image.textRadius == 9)
        #expect(try self.layer("\"markers\": [], \"radius\": 40").strategy == .hierarchical(radius: 40))
    }

    @Test func whatClustersCover() throws {
        #expect(try layer("\"markers\": []").mergesOverlapping)
        #expect(try !layer("\"markers\": [], \"mergesOverlapping\": false").mergesOverlapping)
        #expect(
            problem("\"markers\": [], \"mergesOverlapping\": 1")
                == "scene.json: overlays[0].mergesOverlapping: expected true or false, found 1")
        let flags = "\"iconPerspectiveEnabled\": true, \"isHideCollidedSymbols\": true, \"isHideCollidedCaptions\": true"
        let theme = try #require(
            layer(
                """
                "markers": [], "theme": [{"densityRange": [2, 9], "style": {\(flags)}},
                    {"densityRange": [10, null], "style": {"image": "builtin:clusterHigh", "isHideCollidedMarkers": true}}]
                """
            ).theme)
        let (basic, image) = (theme.styles[0].style, theme.styles[1].style)
        #expect(basic.iconPerspectiveEnabled && basic.isHideCollidedSymbols && basic.isHideCollidedCaptions)
        #expect(!basic.isHideCollidedMarkers && image.isHideCollidedMarkers && !image.iconPerspectiveEnabled)
    }

    private func point(_ lng: Double, _ more: String = "\"properties\": {}") -> String {
        "{\"type\": \"Feature\", \(more), \"geometry\": {\"type\": \"Point\", \"coordinates\": [\(lng), 1]}}"
    }

    @Test func pointsBecomeMarkersWhenTheyAreAskedFor() throws {
        let features = [
            point(0, "\"id\": 7, \"properties\": {\"name\": \"a \\\"[{\", \"n\": 2.5, \"size\": 20.5}"),
            point(1, "\"properties\": {\"n\": \"4\", \"size\": \"16\"}"),
            "{\"type\": \"Feature\", \"properties\": {\"n\": true}, \"geometry\": {\"type\": \"MultiPoint\", \"coordinates\": [[2, 0], [3, 0, 9]]}}",
            "{\"type\": \"Feature\", \"properties\": null, \"geometry\": null}",
            "{\"type\": \"Feature\", \"properties\": null, \"geometry\": {\"type\": \"LineString\", \"coordinates\": [[2, 0], [3, 0]]}}",
            point(4, "\"id\": \"x\", \"properties\": {\"marker-color\": \"#f00\"}"),
        ]
        try folder.write("{\"features\": [\n\(features.joined(separator: " ,\n"))\n ], \"type\": \"FeatureCollection\"}", "p.geojson")
        let file = try scene("\"source\": \"p.geojson\", \"marker\": {\"captionText\": \"{name}\", \"captionTextSize\": \"{size}\"}")
        let layer = try #require(file.mapView.overlays.first as? ClusterLayer)
        #expect(layer.count == 5 && layer.members.count == 0)
        #expect(
            file.warnings.map(\.description) == [
                "p.geojson: a feature has no position and is left out",
                "p.geojson: a geometry is not a point, so the cluster layer leaves it out",
                "p.geojson: the property \"name\" is missing in 3 features: \"captionText\" omits it",
                "p.geojson: the property \"size\" is missing in 2 features: \"captionTextSize\" keeps its default",
            ])
        let x = try #require(file.mapView.overlay(withID: "x") as? Marker)
        #expect(layer.members.count == 1 && x.position == LatLng(1, 4) && x.iconImage.reuseIdentifier == "pin:ff0000-27")
        #expect(file.mapView.overlay(withID: "clusterLayer-0/2/1")?.label == "the marker \"clusterLayer-0/2/1\"")
        let markers = layer.markers
        #expect(markers.map(\.id) == ["7", "clusterLayer-0/1", "clusterLayer-0/2/0", "clusterLayer-0/2/1", "x"])
        #expect(markers.map(\.position) == [LatLng(1, 0), LatLng(1, 1), LatLng(0, 2), LatLng(0, 3), LatLng(1, 4)])
        #expect(markers.map(\.captionText) == ["a \"[{", "", "", "", ""])
        #expect(markers.map(\.captionTextSize) == [20.5, 16, 12, 12, 12])
        #expect(markers[4] === x)
        #expect(layer.members.count == 5 && layer.count == 5)
        let values = try #require(layer.source?.values(of: ["n"]).first)
        #expect(
            values.millionths == [2_500_000, 4_000_000, ClusterValues.none, ClusterValues.none, ClusterValues.none] && values.invalid == 1)
        #expect(layer.remove(x) && layer.count == 4 && layer.markers.count == 4 && file.mapView.overlay(withID: "x") == nil)
    }

    @Test func otherFormsOfGeoJSON() throws {
        try folder.write(point(5), "feature.geojson")
        try folder.write("\u{FEFF}{\"type\": \"MultiPoint\", \"coordinates\": [[1, 1], [2, 2]]}", "geometry.geojson")
        try folder.write("{\"type\": \"FeatureCollection\", \"features\": []}", "empty.geojson")
        #expect(try layer("\"source\": \"feature.geojson\"").markers.map(\.id) == ["clusterLayer-0/0"])
        #expect(try layer("\"source\": \"geometry.geojson\"").markers.map(\.position?.lat) == [1, 2])
        #expect(try layer("\"source\": \"empty.geojson\"").count == 0)
    }

    /// Many features, so that they are read in several chunks.
    @Test func manyFeatures() throws {
        let features = (0..<40_000).map { point(Double($0) / 1000, "\"properties\": {\"name\": \"{]\\\\\", \"n\": \($0)}") }
        try folder.write("{\"type\": \"FeatureCollection\", \"features\": [\(features.joined(separator: ",\n"))]}", "many.geojson")
        let layer = try layer("\"source\": \"many.geojson\", \"marker\": {\"captionText\": \"{n}\"}")
        #expect(layer.count == 40_000)
        for number in [0, 1, 9_999, 39_999] {
            let marker = try #require(layer.marker(numbered: Int32(number)))
            #expect(marker.captionText == "\(number)" && marker.position?.lng == Double(number) / 1000)
        }
        #expect(layer.source?.values(of: ["m", "n"])[1].millionths[12_345] == 12_345_000_000)
    }

    @Test func whatHasNoEffectIsRefused() {
        #expect(
            problem("\"markers\": [], \"radius\": 40, \"cellSize\": 64")
                == "scene.json: overlays[0].radius: cellSize and radius are mutually exclusive")
        let style = "{\"image\": \"builtin:red\", \"fillColor\": \"red\"}"
        #expect(
            problem("\"markers\": [], \"theme\": [{\"densityRange\": [2, 9], \"style\": \(style)}]")
                == "scene.json: overlays[0].theme[0].style.fillColor: fillColor applies only to discs, but this style has an image")
        #expect(
            problem("\"markers\": [], \"theme\": [{\"densityRange\": [2, 9], \"style\": {\"textRadius\": 9}}]")
                == "scene.json: overlays[0].theme[0].style.textRadius: textRadius applies only to images, but this style has a disc")
    }

    @Test func whatIsWrongIsTold() throws {
        try folder.write(
            "{\"type\": \"FeatureCollection\", \"features\": [\(point(1)), \(point(2).replacing("[2.0", with: "[\"2\""))]}", "a.geojson")
        try folder.write(
            "{\"type\": \"FeatureCollection\", \"features\": [\(point(1, "\"id\": 3")), \(point(2, "\"id\": \"3\""))]}", "twins.geojson")
        try folder.write("{\"type\": \"FeatureCollection\", \"features\": [\(point(1, "\"id\": \"me\""))]}", "me.geojson")
        try folder.write("{\"type\": \"FeatureCollection\"}", "none.geojson")
        let source = "scene.json: overlays[0].source"
        let problems = [
            ("\"theme\": []", "scene.json: overlays[0]: missing key \"markers\" or \"source\""),
            ("\"markers\": [], \"source\": \"a\"", "scene.json: overlays[0].source: markers and source are mutually exclusive"),
            ("\"markers\": [], \"marker\": {}", "scene.json: overlays[0].marker: a template requires a source, but this layer has none"),
            (
                "\"markers\": [{\"type\": \"circle\"}]",
                "scene.json: overlays[0].markers[0].type: expected \"marker\", the only type in a cluster layer, "
                    + "found the string \"circle\""
            ),
            (
                "\"markers\": [], \"useAltitude\": true",
                "scene.json: overlays[0].useAltitude: useAltitude requires a source, but this layer has none"
            ),
            (
                "\"markers\": [{\"position\": [0, 95]}]",
                "scene.json: overlays[0].markers[0].position[1]: 95 is outside -90…90; the order is [longitude, latitude]"
            ),
            ("\"markers\": [{}]", "scene.json: overlays[0].markers[0]: missing key \"position\""),
            ("\"markers\": [], \"cellSize\": 8", "scene.json: overlays[0].cellSize: 8 is outside 16…1024"),
            (
                "\"markers\": [], \"altitude\": 8",
                "scene.json: overlays[0].altitude: a cluster layer has no altitude; set the altitudes of its markers"
            ),
            (
                "\"markers\": [], \"theme\": [{\"densityRange\": [1, 9], \"style\": {}}]",
                "scene.json: overlays[0].theme[0].densityRange[0]: 1 is less than 2"
            ),
            (
                "\"markers\": [], \"theme\": [{\"densityRange\": [9, 2], \"style\": {}}]",
                "scene.json: overlays[0].theme[0].densityRange: the first number, 9, is above the second, 2"
            ),
            (
                "\"markers\": [], \"theme\": [{\"densityRange\": [2, 9], \"style\": {}}, {\"densityRange\": [9, 12], \"style\": {}}]",
                "scene.json: overlays[0].theme[1].densityRange: the range overlaps the densityRange of theme[0]"
            ),
            (
                "\"markers\": [], \"theme\": [{\"densityRange\": [2, 9], \"style\": {\"fill\": \"red\"}}]",
                "scene.json: overlays[0].theme[0].style: unknown key \"fill\"; use \"fillColor\""
            ),
            (
                "\"markers\": [], \"theme\": [{\"densityRange\": [2, 9], \"style\": {\"text\": \"{x}\"}}]",
                "scene.json: overlays[0].theme[0].style.text: {x} is unknown; use {count}, {sum:NAME}, {min:NAME} or {max:NAME}"
            ),
            (
                "\"markers\": [], \"theme\": [{\"densityRange\": [2, 9], \"style\": {\"size\": 0.5}}]",
                "scene.json: overlays[0].theme[0].style.size: 0.5 is neither 0 nor at least 1"
            ),
            (
                "\"source\": \"a.geojson\"",
                "\(source): a.geojson: features[1].geometry.coordinates[0]: expected a number, found the string \"2\""
            ),
            ("\"source\": \"none.geojson\"", "\(source): none.geojson: missing key \"features\""),
            (
                "\"source\": \"twins.geojson\"",
                "\(source): twins.geojson: features[1].id: the id \"3\" is already used by features[0]; "
                    + "a number and a string with the same text are the same id"
            ),
            (
                "\"id\": \"me\", \"source\": \"me.geojson\"",
                "\(source): me.geojson: features[0].id: the id \"me\" is already used by overlays[0] of the scene"
            ),
        ]
        for (text, problem) in problems { #expect(self.problem(text) == problem) }
        #expect(
            problem("\"source\": \"me.geojson\"", more: ", {\"type\": \"marker\", \"id\": \"me\", \"position\": [0, 0]}")
                == "scene.json: overlays[1]: the id \"me\" is already used by features[0] of me.geojson")
    }

    /// Invalid JSON is reported with its position in the whole file, as for any other file: bytes from 0, lines and columns from 1.
    @Test func placesOfSyntaxErrors() throws {
        let start = "{\"type\": \"FeatureCollection\",\n \"features\": ["
        let (first, second) = ("\n\(point(1))", " \(point(2))")
        let lacksComma = start + first + second + "]}"
        let isCut = start + first + "," + second
        let bad = start + first + ",\n\"é\", nul]}"
        // A chunk ends at the comma after it.
        let large = "\n" + point(1, "\"properties\": {\"x\": \"\(String(repeating: "y", count: 1 << 20))\"}")
        for (text, good, place, reason) in [
            (lacksComma, start + first + " ", "line 3, column \(first.count + 1)", "unexpected character '{'"),
            (isCut, isCut, "line 3, column \(first.count + second.count + 1)", "unexpected end of file"),
            (start + large + ",]}", start + large, "line 3, column \(large.count)", "trailing comma"),
            (start + large + ", \n ]}", start + large, "line 3, column \(large.count)", "trailing comma"),
            (bad, start + first + ",\n\"é\", nul", "line 4, column 9", "unexpected character ']'"),
        ] {
            try folder.write(text, "bad.geojson")
            let told = "source: bad.geojson: byte \(good.utf8.count) (\(place)): \(reason)"
            #expect(problem("\"source\": \"bad.geojson\"") == "scene.json: overlays[0].\(told)")
            let overlay = ", {\"type\": \"geojson\", \"source\": \"bad.geojson\"}"
            #expect(problem("\"markers\": []", more: overlay) == "scene.json: overlays[1].\(told)")
        }
    }

    /// As of a GeoJSON overlay, although its markers are made later.
    @Test func aTemplateThatAFeatureDoesNotFitIsRefused() throws {
        for (properties, template) in [
            ("\"n\": \"much\"", "\"alpha\": \"{n}\""), ("\"n\": 2.5", "\"alpha\": \"{n}\""),
            ("\"n\": [1]", "\"captionText\": \"about {n}\""),
        ] {
            let features = [point(0, "\"properties\": {\"n\": 1}"), point(1, "\"properties\": {\(properties)}")]
            try folder.write("{\"type\": \"FeatureCollection\", \"features\": [\(features.joined(separator: ", "))]}", "n.geojson")
            let told = problem("\"source\": \"n.geojson\", \"marker\": {\(template)}")
            let place = "scene.json: overlays[0].source: n.geojson: features[1].properties.n: "
            #expect(told.hasPrefix(place) && told.hasSuffix("; the value is for \(template)"))
            let overlay = "{\"type\": \"geojson\", \"source\": \"n.geojson\", \"marker\": {\(template)}}"
            #expect(problem("\"markers\": []", more: ", \(overlay)") == told.replacing("overlays[0]", with: "overlays[1]"))
        }
    }

    @Test func altitudesCountWhenAskedFor() throws {
        try folder.write("{\"type\": \"MultiPoint\", \"coordinates\": [[1, 2, 30], [3, 4]]}", "high.geojson")
        #expect(try layer("\"source\": \"high.geojson\"").markers.map(\.position) == [LatLng(2, 1), LatLng(4, 3)])
        #expect(
            try layer("\"source\": \"high.geojson\", \"useAltitude\": true").markers.map(\.position) == [
                LatLng(lat: 2, lng: 1, altitude: 30), LatLng(4, 3),
            ])
    }

    /// A template may leave out single points.
    @Test func fitLeavesOutTheFeaturesThatSaySo() throws {
        let features = [(10, false), (20, true), (30, true), (40, false)].map { point($0.0, "\"properties\": {\"shown\": \($0.1)}") }
        try folder.write("{\"type\": \"FeatureCollection\", \"features\": [\(features.joined(separator: ","))]}", "fit.geojson")
        let source = try #require(layer("\"source\": \"fit.geojson\", \"marker\": {\"isFitted\": \"{shown}\"}").source)
        #expect(!source.hasEqualVisibilities && (0..<4).map { source.visibility($0).isFitted } == [false, true, true, false])
        let all = try #require(layer("\"source\": \"fit.geojson\", \"marker\": {\"isFitted\": false}").source)
        #expect(all.hasEqualVisibilities && !all.visibility(0).isFitted)
    }

    /// Errors in a feature's own style are reported when the file is read, with their position in the whole file, and counted.
    @Test func wrongStylesOfFeaturesAreTold() throws {
        let features = (0..<30_000).map { index in
            point(
                1,
                index % 6_000 == 5_999
                    ? "\"properties\": {\"marker-size\": \(index)}" : "\"properties\": {\"marker-symbol\": \"bus\"}")
        }
        try folder.write("{\"type\": \"FeatureCollection\", \"features\": [\(features.joined(separator: ","))]}", "styles.geojson")
        let warnings = try scene("\"source\": \"styles.geojson\"").warnings.map(\.description)
        let sizes = "\"small\", \"medium\" or \"large\""
        #expect(
            warnings == [5_999, 11_999, 17_999].map {
                "styles.geojson: features[\($0)].properties.marker-size: expected \(sizes), found \($0); the pin is medium"
            } + [
                "styles.geojson: the marker-size of 2 more features is not \(sizes); the pins are medium",
                "styles.geojson: the marker-symbol \"bus\" of 29995 features is not drawn: pins have the symbols 0…9 and a…z",
            ])
        try folder.write(point(1, "\"properties\": {\"marker-color\": \"reddish\"}"), "one.geojson")
        #expect(
            try scene("\"source\": \"one.geojson\"").warnings.map(\.description) == [
                "one.geojson: properties.marker-color: expected a color with 3 or 6 hex digits, found the string \"reddish\"; "
                    + "the pin is #7e7e7e"
            ])
        // A template's icon is not a pin.
        #expect(try scene("\"source\": \"one.geojson\", \"marker\": {\"iconImage\": \"builtin:red\"}").warnings.isEmpty)
    }

    /// Whole numbers up to the limit are exact, and so are decimals of six places.
    @Test func valuesAreExact() throws {
        let values = ["9000000000001", "-9223371999999", "0.000001", "123456.654321", "1e13", "0.0000004"]
        let features = values.map { point(0, "\"properties\": {\"n\": \($0)}") }
        try folder.write("{\"type\": \"FeatureCollection\", \"features\": [\(features.joined(separator: ","))]}", "n.geojson")
        let found = try #require(layer("\"source\": \"n.geojson\"").source?.values(of: ["n"]).first)
        #expect(
            found.millionths == [9_000_000_000_001_000_000, -9_223_371_999_999_000_000, 1, 123_456_654_321, ClusterValues.none, 0])
        #expect(found.invalid == 1)
    }

    /// Whatever is damaged in a file, it is read or refused with its name.
    @Test(arguments: Seeds.few) func hostileFilesAreReadOrRefused(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let good = Array(
            "{\"a\": \"}]\", \"features\": [\(point(1)), \(point(2, "\"id\": \"\\\"\"")), 3], \"type\": \"FeatureCollection\"}".utf8)
        for _ in 0..<100 {
            try folder.write(Damage.damaged(good, &random), "hostile.geojson")
            do {
                _ = try scene("\"source\": \"hostile.geojson\"")
            } catch {
                #expect("\(error)".contains("hostile.geojson: ") && !"\(error)".contains("\n"))
            }
        }
    }
}
