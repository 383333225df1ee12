import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

@Suite struct BaseMapFileTests {
    private let folder = ScratchFolder()

    /// A folder of tiles next to the scene.
    private func addTiles(_ name: String = "tiles") throws {
        try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)/0/0", withIntermediateDirectories: true)
        try folder.write(Bitmap(width: 256, height: 256, fill: .red).encoded(as: .png), "\(name)/0/0/0.png")
    }

    private func read(_ json: String, _ options: SceneFileOptions = SceneFileOptions()) throws(SceneError) -> SceneFile {
        try SceneFile(bytes: Array("{\"waymark\": 1, \(json)}".utf8), name: "scene.json", folder: folder.path + "/", options: options)
    }

    private func problem(_ json: String, _ options: SceneFileOptions = SceneFileOptions()) -> String {
        do throws(SceneError) {
            _ = try read(json, options)
            return "none"
        } catch {
            return error.description
        }
    }

    @Test func aBaseMapIsASourceALayerOrAList() throws {
        try addTiles()
        for json in ["\"tiles\"", "{\"source\": \"tiles\"}", "[\"tiles\"]", "[{\"source\": \"tiles\", \"opacity\": null}]"] {
            let map = try read("\"basemap\": \(json)").mapView
            try #require(map.baseMap.count == 1)
            #expect(map.baseMap[0].name == "tiles" && map.baseMap[0].opacity == 1 && map.baseMap[0].isVisible)
            #expect(map.baseMap[0].source.info.maxZoom == 0)
        }
        let map = try read(
            """
            "basemap": ["tiles", {"source": "tiles", "opacity": 0.25, "minZoom": 2, "maxZoom": 5.5, "isVisible": false}],
            "sky": "#102030", "attribution": false
            """
        ).mapView
        try #require(map.baseMap.count == 2)
        // One folder is opened once.
        #expect(map.baseMap[0].source === map.baseMap[1].source)
        let layer = map.baseMap[1]
        #expect(layer.opacity == 0.25 && layer.minZoom == 2 && layer.maxZoom == 5.5 && !layer.isVisible)
        let blue = try #require(Color(css: "#102030"))
        #expect(map.sky == Sky(blue) && !map.showsAttribution)
        #expect(try read("\"sky\": [\"#102030\", \"red\"]").mapView.sky == Sky(horizon: blue, zenith: .red))
        #expect(try read("\"basemap\": null").mapView.baseMap.isEmpty)
    }

    @Test func mistakesAreSentences() throws {
        try addTiles()
        #expect(problem("\"basemap\": 3").contains("basemap: expected a source, an object with a source, or an array of these"))
        #expect(problem("\"basemap\": {}").contains("basemap: missing key \"source\""))
        #expect(problem("\"basemap\": [{\"source\": \"\"}]").contains("basemap[0].source: the path of the source is empty"))
        #expect(problem("\"basemap\": [{\"source\": \"tiles\", \"opacity\": 2}]").contains("basemap[0].opacity: 2 is outside 0…1"))
        #expect(problem("\"basemap\": [{\"source\": \"tiles\", \"alpha\": 1}]").contains("use \"opacity\""))
        #expect(
            problem("\"basemap\": {\"source\": \"tiles\", \"minZoom\": 7, \"maxZoom\": 3}")
                .contains("basemap.minZoom: 7 is more than maxZoom, 3"))
        #expect(problem("\"baseMap\": \"tiles\"").contains("use \"basemap\""))
        #expect(problem("\"sky\": 3").contains("sky: expected a color, or a list of two colors, found 3"))
        #expect(problem("\"sky\": [\"red\"]").contains("sky: expected a color, or a list of two colors, found a list of 1"))
        #expect(problem("\"sky\": [\"red\", \"rde\"]").contains("sky[1]: the string \"rde\" is not a CSS color"))
        try folder.write("nothing", "text.pmtiles")
        #expect(problem("\"basemap\": \"text.pmtiles\"").contains("basemap: text.pmtiles: this is not a tile archive"))
    }

    @Test func aMissingSourceIsUnreadable() throws {
        do throws(SceneError) {
            _ = try read("\"basemap\": \"none.pmtiles\"")
            Issue.record("it was read")
        } catch {
            guard case .unreadable = error else { throw error }
            #expect(error.description.contains("basemap: none.pmtiles: cannot read the file"))
        }
        var options = SceneFileOptions()
        options.isLenient = true
        let scene = try read("\"basemap\": [\"none.pmtiles\"]", options)
        #expect(scene.mapView.baseMap.isEmpty && scene.warnings.count == 1)
    }

    /// A URL is not a missing file: no file of that name can be provided.
    @Test(arguments: ["https://example.com/city.pmtiles", "http://a.example/{z}/{x}/{y}.pbf", "s3://bucket/city.pmtiles"])
    func aURLIsInvalid(url: String) throws {
        let sentence =
            "\(url): this is a URL, but only files can be read; fetch the part that you need, for example with pmtiles extract URL "
            + "city.pmtiles --bbox=WEST,SOUTH,EAST,NORTH"
        do throws(SceneError) {
            _ = try read("\"basemap\": {\"source\": \"\(url)\"}")
            Issue.record("it was read")
        } catch {
            guard case .invalid = error else { throw error }
            #expect(error.description.hasSuffix("basemap.source: \(sentence)"))
        }
    }

    /// The theme of a scene is that of its vector tiles, except for layers with their own. A view may change it.
    @Test func theThemeOfTheScene() throws {
        try addVectorTiles()
        let layers = "\"basemap\": [\"city\", {\"source\": \"city\", \"theme\": \"gray\"}]"
        func themes(_ json: String, _ options: SceneFileOptions = SceneFileOptions()) throws -> [MapTheme] {
            try read(json, options).mapView.themedBaseMap.map(\.theme)
        }
        #expect(try themes(layers) == [.light, .gray])
        #expect(try themes("\"theme\": \"dark\", \(layers)") == [.dark, .gray])
        #expect(try themes("\(layers), \"theme\": \"dark\"") == [.dark, .gray])
        var options = SceneFileOptions()
        options.view.theme = .dark
        #expect(try themes(layers, options) == [.dark, .gray] && themes("\"theme\": \"gray\", \(layers)", options) == [.dark, .gray])
        #expect(problem("\"theme\": \"turquoise\"").contains("theme: unknown name \"turquoise\"; known names are light, dark, gray"))
        let base = try BaseScene(
            bytes: Array("{\"waymark\": 1, \(layers)}".utf8), name: "base", folder: folder.path + "/", options: SceneFileOptions())
        let patch = try ScenePatch(JSONDocument(parsing: Array("{\"theme\": \"dark\"}".utf8)).root, without: [])
        #expect(try base.change(patch).mapView.themedBaseMap.map(\.theme) == [.dark, .gray])
        base.takeBack()
        #expect(base.mapView.themedBaseMap.map(\.theme) == [.light, .gray])
    }

    @Test func theResourcePolicyHolds() throws {
        try addTiles()
        var options = SceneFileOptions()
        options.resources = .none
        #expect(problem("\"basemap\": \"tiles\"", options).contains("basemap: this scene is not allowed to read tiles"))
        options.resources = .folder(folder.path)
        #expect(problem("\"basemap\": \"tiles\"", options) == "none")
        #expect(problem("\"basemap\": \"/\"", options).contains("this scene is not allowed to read /"))
    }

    @Test func jobsKeepTheSourceOpen() throws {
        try addTiles()
        try addTiles("others")
        let base = try BaseScene(
            bytes: Array("{\"waymark\": 1, \"basemap\": \"tiles\"}".utf8), name: "base", folder: folder.path + "/",
            options: SceneFileOptions())
        let source = try #require(base.mapView.baseMap.first?.source)
        func change(_ json: String) throws -> MapView {
            try base.change(ScenePatch(JSONDocument(parsing: Array(json.utf8)).root, without: [])).mapView
        }
        #expect(try change("{\"camera\": {\"center\": [1, 2], \"zoom\": 3}}").baseMap.first?.source === source)
        base.takeBack()
        #expect(try change("{\"overlays\": [], \"sky\": \"red\"}").baseMap.first?.source === source)
        base.takeBack()
        #expect(try change("{\"sky\": [\"red\", \"blue\"]}").sky == Sky(horizon: .red, zenith: .blue))
        base.takeBack()
        #expect(try change("{\"basemap\": [\"others\", \"tiles\"]}").baseMap.map(\.name) == ["others", "tiles"])
        base.takeBack()
        #expect(base.mapView.baseMap.map(\.name) == ["tiles"] && base.mapView.baseMap.first?.source === source)
    }

    /// A folder with a vector tile next to the scene.
    private func addVectorTiles(_ name: String = "city", _ layer: String = "water") throws {
        try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)/0/0", withIntermediateDirectories: true)
        try folder.write(HandmadeTile(HandmadeLayer(layer), HandmadeLayer("place")).bytes, "\(name)/0/0/0.pbf")
    }

    @Test func settingsOfVectorTiles() throws {
        try addVectorTiles()
        let plain = try read("\"basemap\": \"city\"").mapView.baseMap[0]
        #expect(plain.theme == .light && plain.roleColors.isEmpty && plain.buildings == .flat)
        #expect(plain.labels && plain.pois && plain.languages.isEmpty)
        let layer = try read(
            """
            "basemap": {"source": "city", "theme": "dark", "roleColors": {"water": "#102030", "motorway": "red", "park": null},
                "buildings": "none", "labels": false, "pois": false, "language": "ko"}
            """
        ).mapView.baseMap[0]
        #expect(layer.theme == .dark && layer.buildings == .none && !layer.labels && !layer.pois && layer.languages == ["ko"])
        #expect(layer.roleColors == [.water: Color(hex: 0x102030), .motorway: .red])
        #expect(try read("\"basemap\": {\"source\": \"city\", \"buildings\": \"extruded\"}").mapView.baseMap[0].buildings == .extruded)
    }

    @Test func mistakesInVectorTiles() throws {
        try addVectorTiles()
        try addTiles()
        func problem(_ member: String, _ source: String = "city") -> String {
            self.problem("\"basemap\": {\"source\": \"\(source)\", \(member)}")
        }
        #expect(problem("\"theme\": \"night\"").contains("basemap.theme: "))
        #expect(problem("\"roleColors\": {\"sea\": \"red\"}").contains("basemap.roleColors: unknown key \"sea\""))
        #expect(problem("\"roleColors\": {\"ocean\": \"red\"}").contains("use \"water\""))
        #expect(problem("\"roleColors\": {\"water\": \"rde\"}").contains("basemap.roleColors.water: the string \"rde\" is not a CSS color"))
        #expect(problem("\"buildings\": true").contains("basemap.buildings: "))
        #expect(problem("\"language\": \"k\"").contains("basemap.language: "))
        #expect(
            problem("\"theme\": \"dark\"", "tiles")
                .contains("basemap.theme: only vector tiles have this property, but tiles contains pictures"))
        #expect(problem("\"theme\": null", "tiles") == "none")
        try addVectorTiles("sea", "ships")
        try folder.write(HandmadeTile(HandmadeLayer("sea"), HandmadeLayer("ships")).bytes, "sea/0/0/0.pbf")
        let unknown =
            "basemap.source: sea: the layers of the vector tiles belong to no known schema (OpenMapTiles 3, Protomaps 4, Shortbread 1): "
            + "sea, ships"
        #expect(problem("\"theme\": \"dark\"", "sea").contains(unknown))
        var options = SceneFileOptions()
        options.isLenient = true
        let scene = try read("\"basemap\": [\"sea\", \"city\"]", options)
        #expect(scene.mapView.baseMap.map(\.name) == ["city"] && scene.warnings.count == 1)
    }
}
