import Testing
import WaymarkTestSupport

/// A text of clusters with a property without any values stayed empty, silently.
@Suite struct ClusterPropertyNameTests {
    private let folder = ScratchFolder()

    /// The warnings of a layer whose clusters have a text.
    private func warnings(_ text: String, _ source: String) throws -> String {
        try folder.write(
            """
            {"waymark": 1, "size": {"width": 100, "height": 100}, "camera": {"center": [0, 0], "zoom": 3}, "overlays": [
              {"type": "clusterLayer", "id": "cities", \(source), "theme": [
                {"densityRange": [2, 2], "style": {"text": "\(text)"}}, {"densityRange": [3, null], "style": {"text": "\(text)"}}]}]}
            """, "scene.json")
        let result = try Program.run("render", "scene.json", in: folder)
        #expect(result.status == 0, "\(result.errors)")
        return result.errors
    }

    private func write(_ properties: String...) throws {
        let features = properties.map {
            "{\"type\": \"Feature\", \"properties\": \($0), \"geometry\": {\"type\": \"Point\", \"coordinates\": [0, 0]}}"
        }
        try folder.write("{\"type\": \"FeatureCollection\", \"features\": [\(features.joined(separator: ", "))]}", "cities.geojson")
    }

    @Test func aMisspelledPropertyIsToldOnceWithTheNearestName() throws {
        try write("{\"name\": \"A\"}", "null", "{\"population\": 5, \"area\": null}")
        let file = "\"source\": \"cities.geojson\""
        let start = "warning: scene.json: cities: theme[0].style.text: no feature has a value for the property"
        #expect(try warnings("{sum:poplation} {max:poplation}", file) == "\(start) \"poplation\"; did you mean \"population\"?\n")
        #expect(try warnings("{sum:elevation}", file) == "\(start) \"elevation\"\n")
        // One that is there, without a value.
        #expect(try warnings("{min:area}", file) == "\(start) \"area\"\n")
        #expect(try warnings("{sum:population} of {count}", file) == "")
    }

    @Test func markersThatASceneListsHaveNoValues() throws {
        let markers = "\"markers\": [{\"position\": [0, 0]}, {\"position\": [0, 0]}]"
        #expect(
            try warnings("{sum:population}", markers)
                == "warning: scene.json: cities: theme[0].style.text: no marker has a value for the property \"population\"; markers "
                + "listed in a scene have no values: use a source of features instead (in Swift, set userInfo)\n")
        #expect(try warnings("{sum:population}", "\"markers\": []") == "")
    }
}
