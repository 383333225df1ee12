import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// The theme of a scene: the defaults of what the scene does not state.
@Suite struct SceneThemeTests {
    private static let overlays = """
        "overlays": [
            {"type": "polygon", "id": "area", "rings": [[[0, 0], [1, 0], [1, 1]]], "fillColor": null},
            {"type": "polygon", "id": "white", "rings": [[[0, 0], [1, 0], [1, 1]]], "fillColor": "white", "outlineWidth": 0},
            {"type": "polyline", "id": "line", "points": [[0, 0], [1, 1]]},
            {"type": "polyline", "id": "black", "points": [[0, 0], [1, 1]], "color": "black"},
            {"type": "container", "children": [{"type": "marker", "id": "hall", "position": [0, 0], "captionText": "Hall"}]},
            {"type": "marker", "id": "green", "position": [0, 0], "iconImage": "builtin:green", "captionColor": "black"}
        ]
        """

    private func read(_ settings: String, _ options: SceneFileOptions = SceneFileOptions()) throws -> MapView {
        let text = "{\"waymark\": 1, \(settings) \(Self.overlays)}"
        return try SceneFile(bytes: Array(text.utf8), name: "scene.json", options: options).mapView
    }

    private func expect(
        _ map: MapView, _ theme: MapTheme?, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let values = theme?.defaults
        let area = try #require(map.overlay(withID: "area") as? Polygon)
        let white = try #require(map.overlay(withID: "white") as? Polygon)
        let line = try #require(map.overlay(withID: "line") as? Polyline)
        let black = try #require(map.overlay(withID: "black") as? Polyline)
        let hall = try #require(map.overlay(withID: "hall") as? Marker)
        let green = try #require(map.overlay(withID: "green") as? Marker)
        #expect(map.theme == theme && map.background == values?.background ?? .clear, sourceLocation: sourceLocation)
        #expect(area.fillColor == values?.accentFill ?? .white, sourceLocation: sourceLocation)
        #expect(white.fillColor == .white && white.outlineWidth == 0, sourceLocation: sourceLocation)
        #expect(line.color == values?.accent ?? .black && black.color == .black, sourceLocation: sourceLocation)
        #expect(hall.captionColor == values?.text ?? .black, sourceLocation: sourceLocation)
        #expect(green.captionColor == .black && green.captionHaloColor == values?.halo ?? .white, sourceLocation: sourceLocation)
        #expect(green.iconImage === MarkerImage.green, sourceLocation: sourceLocation)
        #expect((hall.iconImage === MarkerImage.green) == (theme == nil), sourceLocation: sourceLocation)
    }

    @Test func theThemeSetsTheDefaults() throws {
        try expect(read(""), nil)
        try expect(read("\"theme\": null, \"background\": null,"), nil)
        for theme in MapTheme.allCases {
            try expect(read("\"theme\": \"\(theme.rawValue)\", \"sky\": null, \"background\": null,"), theme)
            var options = SceneFileOptions()
            options.view.theme = theme
            try expect(read("", options), theme)
            try expect(read("\"theme\": \"dark\",", options), theme)
        }
        let map = try read("\"theme\": \"dark\", \"background\": \"white\", \"sky\": \"red\",")
        #expect(map.background == .white && map.sky == Sky(.red))
        #expect(try read("\"theme\": \"dark\", \"background\": \"transparent\",").background == .clear)
    }

    /// A job changes the theme of all overlays, and no overlay is read again.
    @Test func aJobChangesTheTheme() throws {
        let text = "{\"waymark\": 1, \"theme\": \"light\", \(Self.overlays)}"
        let base = try BaseScene(bytes: Array(text.utf8), name: "base", folder: "", options: SceneFileOptions())
        func change(_ json: String) throws -> MapView {
            try base.change(try ScenePatch(JSONDocument(parsing: Array(json.utf8)).root, without: [])).mapView
        }
        try expect(base.mapView, .light)
        let area = base.mapView.overlay(withID: "area")
        try expect(try change(#"{"theme": "dark"}"#), .dark)
        #expect(base.mapView.overlay(withID: "area") === area)
        base.takeBack()
        try expect(base.mapView, .light)
        try expect(try change(#"{"theme": null}"#), nil)
        base.takeBack()
        let gray = MapTheme.gray.defaults
        let changed = try change(
            #"{"theme": "gray", "change": {"white": {"fillColor": null}}, "add": [{"type": "circle", "id": "disc", "center": [0, 0]}]}"#)
        #expect((changed.overlay(withID: "white") as? Polygon)?.fillColor == gray.accentFill)
        #expect((changed.overlay(withID: "disc") as? Circle)?.fillColor == gray.accentFill)
        base.takeBack()
        try expect(base.mapView, .light)
    }

    /// A change that is made in Swift passes on what is set, even if that is a default without a theme.
    @Test func aChangeKeepsWhatIsSet() throws {
        var change = SceneChange()
        try change.set(\Polygon.fillColor, to: .white, of: "area")
        let added = Polyline(points: [LatLng(lat: 0, lng: 0), LatLng(lat: 1, lng: 1)])
        (added.id, added.color) = ("added", .black)
        try change.add(added)
        let plain = Polyline(points: added.points)
        plain.id = "plain"
        try change.add(plain)
        let json = String(decoding: change.json, as: UTF8.self)
        #expect(json.contains(##""fillColor":"#ffffff""##) && json.contains(##""color":"#000000""##), "\(json)")
        let text = "{\"waymark\": 1, \"theme\": \"dark\", \(Self.overlays)}"
        let base = try BaseScene(bytes: Array(text.utf8), name: "base", folder: "", options: SceneFileOptions())
        let map = try base.change(try ScenePatch(JSONDocument(parsing: Array(json.utf8)).root, without: [])).mapView
        #expect((map.overlay(withID: "area") as? Polygon)?.fillColor == .white)
        #expect((map.overlay(withID: "added") as? Polyline)?.color == .black)
        #expect((map.overlay(withID: "plain") as? Polyline)?.color == MapTheme.dark.defaults.accent)
    }

    /// Templates of features: what they state wins, and features without a template have the theme's style instead of simplestyle's.
    @Test func featuresHaveTheTheme() throws {
        let folder = ScratchFolder()
        let line = #"{"type": "Feature", "properties": {}, "geometry": {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}}"#
        let styled = line.replacing("{}", with: ##"{"stroke": "#ff0000"}"##)
        let ring = "[[[0, 0], [1, 0], [1, 1], [0, 0]]]"
        let area = #"{"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": \#(ring)}}"#
        try folder.write("{\"type\": \"FeatureCollection\", \"features\": [\(line), \(styled), \(area)]}", "a.geojson")
        func read(_ theme: String, _ templates: String = "") throws -> MapView {
            let overlay = "{\"type\": \"geojson\", \"source\": \"a.geojson\"\(templates)}"
            let text = "{\"waymark\": 1, \"theme\": \(theme), \"overlays\": [\(overlay)]}"
            return try SceneFile(bytes: Array(text.utf8), name: "a.json", folder: folder.path + "/").mapView
        }
        func colors(_ map: MapView) -> [Color] {
            map.overlays.compactMap { ($0 as? Polyline)?.color ?? ($0 as? Polygon)?.fillColor }
        }
        let gray = Color(hex: 0x555555)
        #expect(try colors(read("null")) == [gray, .red, gray.withAlpha(0.6)])
        let dark = MapTheme.dark.defaults
        #expect(try colors(read("\"dark\"")) == [dark.accent, .red, dark.accentFill])
        let templates = #", "polyline": {"width": 3}, "polygon": {"fillColor": "white"}"#
        #expect(try colors(read("\"dark\"", templates)) == [dark.accent, .red, .white])
        #expect(try colors(read("null", templates)) == [.black, .red, .white])
    }
}
