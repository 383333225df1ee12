import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct GeoJSONShapeTests {
    private struct Read {
        var overlays: [Overlay]
        var warnings: [String]
    }

    private func read(_ text: String) throws -> Read {
        let file = try SceneFile(bytes: Array(text.utf8), name: "shapes.geojson")
        return Read(overlays: file.mapView.overlays, warnings: file.warnings.map(\.description))
    }

    private func feature(_ type: String, _ coordinates: String, _ properties: String = "null") -> String {
        #"{"type": "Feature", "properties": \#(properties), "geometry": {"type": "\#(type)", "coordinates": \#(coordinates)}}"#
    }

    private func features(_ texts: String...) -> String {
        #"{"type": "FeatureCollection", "features": [\#(texts.joined(separator: ", "))]}"#
    }

    /// One overlay of a `geojson` overlay with templates.
    private func styled(_ type: String, _ coordinates: String, _ properties: String, templates: String) throws -> Overlay {
        let folder = ScratchFolder()
        try folder.write(features(feature(type, coordinates, properties)), "a.geojson")
        let text = #"{"waymark": 1, "overlays": [{"type": "geojson", "source": "a.geojson"\#(templates)}]}"#
        let file = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/")
        return try #require(file.mapView.overlays.first)
    }

    private let line = "[[0, 0], [1, 1]]"
    private let area = "[[[0, 0], [9, 0], [9, 9], [0, 0]]]"

    @Test func everyGeometryBecomesAnOverlay() throws {
        let result = try read(
            features(
                feature("LineString", "[[1, 2], [3, 4, 99]]"), feature("MultiLineString", "[[[0, 0], [1, 1]], [[2, 2], [3, 3], [4, 4]]]"),
                feature("Polygon", "[[[0, 0], [9, 0], [9, 9], [0, 0]], [[5, 1], [8, 1], [8, 4], [5, 1]]]"),
                feature("MultiPolygon", "[[[[0, 0], [9, 0], [9, 9], [0, 0]]], [[[20, 0], [29, 0], [29, 9], [20, 0]]]]"),
                #"{"type": "Feature", "id": "mix", "properties": {}, "geometry": {"type": "GeometryCollection", "geometries": "#
                    + #"[{"type": "Point", "coordinates": [1, 1]}, {"type": "LineString", "coordinates": \#(line)}, "#
                    + #"{"type": "Polygon", "coordinates": \#(area)}]}}"#))
        #expect(result.overlays.map(\.id) == ["0", "1", "2", "3", "mix/0", "mix/1", "mix/2"])
        #expect(result.overlays.map(\.type) == [.polyline, .polyline, .polygon, .polygon, .marker, .polyline, .polygon])
        #expect((result.overlays[0] as? Polyline)?.points == [LatLng(lat: 2, lng: 1), LatLng(lat: 4, lng: 3)])
        #expect((result.overlays[1] as? Polyline)?.parts.map(\.count) == [2, 3])
        #expect((result.overlays[2] as? Polygon)?.rings.map(\.count) == [4, 4])
        #expect((result.overlays[3] as? Polygon)?.polygons.map { $0.map(\.count) } == [[4], [4]])
        #expect(result.warnings.isEmpty && result.overlays.allSatisfy { $0.firstProblem() == nil })
        #expect(try read(#"{"type": "Polygon", "coordinates": \#(area)}"#).overlays.map(\.id) == ["0"])
    }

    @Test func emptyGeometriesAreNothing() throws {
        let result = try read(
            features(
                #"{"type": "Feature", "properties": null, "geometry": null}"#, feature("Point", "[]"), feature("MultiPoint", "[]"),
                feature("LineString", "[]"), feature("MultiLineString", "[]"), feature("MultiLineString", "[[], [[0, 0], [1, 1]]]"),
                feature("Polygon", "[]"), feature("Polygon", "[[]]"), feature("MultiPolygon", "[]"), feature("MultiPolygon", "[[], [[]]]"),
                feature("Polygon", "[[[0, 0], [9, 0], [9, 9]], []]"),
                #"{"type": "Feature", "properties": {}, "geometry": {"type": "GeometryCollection", "geometries": []}}"#))
        #expect(result.overlays.map(\.id) == ["5", "10"] && result.warnings.isEmpty)
        #expect((result.overlays[0] as? Polyline)?.parts.count == 1 && (result.overlays[1] as? Polygon)?.rings.count == 1)
    }

    @Test func linesOfOnePositionAndRingsOfTwoAreLeftOut() throws {
        let result = try read(
            features(
                feature("LineString", "[[0, 0]]"), feature("Polygon", "[[[0, 0], [1, 1], [0, 0]]]"),
                feature("Polygon", "[[[0, 0], [9, 0], [9, 9], [0, 0]], [[5, 1], [8, 1]]]"),
                feature("MultiPolygon", "[[[[0, 0]], [[5, 1], [8, 1], [8, 4]]], \(area)]"), feature("LineString", "[[0, 0]]")))
        #expect(result.overlays.map(\.id) == ["2", "3"])
        #expect((result.overlays[0] as? Polygon)?.rings.count == 1 && (result.overlays[1] as? Polygon)?.polygons.count == 1)
        #expect(
            result.warnings == [
                "features[0].geometry.coordinates: a line needs at least 2 positions, not 1; it is not drawn",
                "features[1].geometry.coordinates[0]: a ring needs at least 3 points before it closes, not 2; the polygon is not drawn",
                "features[2].geometry.coordinates[1]: a ring needs at least 3 points, not 2; the hole is not drawn",
                "2 more lines and rings have too few positions and are not drawn",
            ])
    }

    @Test(arguments: [
        ("LineString", "[0, 0]", "features[0].geometry.coordinates[0]: expected a position of at least 2 numbers, found 0"),
        (
            "LineString", "[[0, 0], [0, 95]]",
            "features[0].geometry.coordinates[1][1]: 95 is outside -90…90; the order is [longitude, latitude]"
        ),
        ("Polygon", "[[0, 0], [1, 1]]", "features[0].geometry.coordinates[0][0]: expected a position of at least 2 numbers, found 0"),
        ("Polygon", "[7]", "features[0].geometry.coordinates[0]: expected an array of positions, found 7"),
        ("MultiPolygon", "[7]", "features[0].geometry.coordinates[0]: expected an array of rings, found 7"),
        ("MultiLineString", "{}", "features[0].geometry.coordinates: expected an array, found an object"),
        (
            "Polygone", "[]",
            "features[0].geometry.type: expected a geometry type: Point, MultiPoint, LineString, MultiLineString, Polygon, "
                + "MultiPolygon or GeometryCollection, found the string \"Polygone\""
        ),
    ])
    func whatIsNoGeometryIsRefused(type: String, coordinates: String, problem: String) {
        #expect(throws: SceneError.self) {
            do {
                _ = try read(features(feature(type, coordinates)))
            } catch {
                #expect("\(error)" == "shapes.geojson: \(problem)")
                throw error
            }
        }
    }

    @Test func collectionsNestAsDeepAsFilesMay() throws {
        let levels = 490
        let text =
            String(repeating: #"{"type": "GeometryCollection", "geometries": ["#, count: levels)
            + #"{"type": "LineString", "coordinates": \#(line)}"# + String(repeating: "]}", count: levels)
        #expect(try read(text).overlays.map(\.id) == ["0"])
    }

    // MARK: simplestyle

    @Test func withoutAStyleTheSpecsDefaultsHold() throws {
        // A file without any style is drawn in a theme.
        let point = feature("Point", "[0, 0]", #"{"marker-size": "small"}"#)
        let result = try read(features(feature("LineString", line), feature("Polygon", area), point))
        let line = try #require(result.overlays[0] as? Polyline)
        #expect(line.color == Color(css: "#555555") && line.width == 2 && line.outlineWidth == 0)
        let polygon = try #require(result.overlays[1] as? Polygon)
        #expect(polygon.fillColor == Color(css: "#555555")?.withAlpha(0.6) && polygon.outlineColor == Color(css: "#555555"))
        #expect(polygon.outlineWidth == 2)
    }

    @Test func aFeatureSaysHowItLooks() throws {
        let style = ##"{"stroke": "#f00", "stroke-width": "4.5", "stroke-opacity": 0.5, "fill": "00ff00", "fill-opacity": 0}"##
        let result = try read(
            features(feature("LineString", line, style), feature("Polygon", area, style), feature("Polygon", area, ##"{"fill": "#00f"}"##)))
        let line = try #require(result.overlays[0] as? Polyline)
        #expect(line.color == Color.red.withAlpha(0.5) && line.width == 4.5)
        let polygon = try #require(result.overlays[1] as? Polygon)
        #expect(
            polygon.fillColor == Color.green.withAlpha(0) && polygon.outlineColor == Color.red.withAlpha(0.5) && polygon.outlineWidth == 4.5
        )
        #expect((result.overlays[2] as? Polygon)?.fillColor == Color.blue.withAlpha(0.6) && result.warnings.isEmpty)
    }

    @Test func wrongStylesAreWarnings() throws {
        let style = ##"{"stroke": "mauve", "stroke-width": -1, "stroke-opacity": "x", "fill": 7, "fill-opacity": 2}"##
        let result = try read(features(feature("Polygon", area, style)))
        let polygon = try #require(result.overlays[0] as? Polygon)
        #expect(polygon.fillColor == Color(css: "#555555")?.withAlpha(0.6) && polygon.outlineWidth == 2)
        let place = "features[0].properties"
        #expect(
            result.warnings == [
                #"\#(place).stroke: expected a color with 3 or 6 hex digits, found the string "mauve"; the stroke is #555555"#,
                "\(place).stroke-width: expected a number in 0…1000, found -1; the line is 2 pt wide",
                #"\#(place).stroke-opacity: expected a number in 0…1, found the string "x"; the line is opaque"#,
                "\(place).fill: expected a color with 3 or 6 hex digits, found 7; the fill is #555555",
                "\(place).fill-opacity: expected a number in 0…1, found 2; the opacity of the fill is 0.6",
            ])
        // Nothing reads the fill of a line.
        #expect(try read(features(feature("LineString", line, #"{"fill": 7}"#))).warnings.isEmpty)
    }

    // MARK: Templates

    @Test func aTemplateGoesBeforeTheStyle() throws {
        let template = ##", "polyline": {"color": "{colour}", "pattern": [4, 2], "zIndex": "{rank}"}, "polygon": {"fillColor": "red"}"##
        let line = try #require(
            try styled(
                "LineString", line, ##"{"colour": "#00ff00", "rank": 7, "stroke": "#ff0000", "stroke-width": 9}"##, templates: template)
                as? Polyline)
        #expect(line.color == .green && line.pattern == [4, 2] && line.zIndex == 7 && line.width == 9)
        let plain = try #require(try styled("LineString", self.line, #"{"colour": "blue", "rank": 1}"#, templates: template) as? Polyline)
        #expect(plain.color == .blue && plain.width == 2.5)
        let polygon = try #require(try styled("Polygon", area, "{}", templates: template) as? Polygon)
        #expect(polygon.fillColor == .red && polygon.outlineWidth == 0)
        let both = try #require(try styled("Polygon", area, ##"{"stroke": "#00f", "fill": "#0f0"}"##, templates: template) as? Polygon)
        #expect(both.fillColor == .red && both.outlineColor == .blue && both.outlineWidth == 2)
    }

    @Test func aTemplateThatCannotBe() {
        func refusal(_ template: String, _ properties: String = "{}") -> String {
            do {
                _ = try styled("LineString", line, properties, templates: template)
                return ""
            } catch {
                return "\(error)".replacingOccurrences(of: "scene.json: overlays[0]", with: "")
            }
        }
        #expect(refusal(#", "polyline": {"points": []}"#) == #".polyline: unknown key "points""#)
        #expect(refusal(#", "polyline": {"width": "wide"}"#) == #".polyline.width: expected a number, found the string "wide""#)
        #expect(refusal(#", "polygon": {"fillColour": "red"}"#) == #".polygon: unknown key "fillColour"; did you mean "fillColor"?"#)
        #expect(
            refusal(#", "polyline": {"width": "{w}"}"#, #"{"w": -2}"#)
                .hasSuffix(#"a.geojson: features[0].properties.w: -2 is outside 0…1000; the value is for "width": "{w}""#))
        #expect(
            refusal(#", "polyline": {"capType": "{cap}"}"#, #"{"cap": "oval"}"#)
                .hasSuffix(#"unknown name "oval"; known names are butt, round, square; the value is for "capType": "{cap}""#))
    }
}
