import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Dates as values of scales.
@Suite struct ScaleDateTests {
    private func scene(_ values: [String], _ marker: String) throws -> SceneFile {
        let folder = ScratchFolder()
        try folder.write(collection(values.map { #"{"when": \#($0)}"# }), "points.geojson")
        let text = #"{"waymark": 1, "overlays": [{"type": "geojson", "source": "points.geojson", "marker": \#(marker)}]}"#
        do throws(SceneError) {
            return try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/")
        } catch {
            throw Refusal(text: error.description.replacingOccurrences(of: folder.path + "/", with: ""))
        }
    }

    private func alphas(_ map: MapView) -> [Double] { map.overlays.compactMap { ($0 as? Marker)?.alpha } }

    private let days = [#""2024-01-01""#, #""2024-01-03T00:00:00Z""#, #""2024/01/05""#, "null", #""soon""#]

    @Test func datesOfFeaturesAreSecondsSince1970() throws {
        let file = try scene(days, #"{"alpha": {"by": "when", "linear": [0, 1], "missing": 0.9}}"#)
        #expect(alphas(file.mapView) == [0, 0.5, 1, 0.9, 0.9])
        let scale = try #require(file.mapView.scales.first)
        #expect(scale.hasDates && scale.range == 1_704_067_200...1_704_412_800 && scale.missingCount == 2)
        #expect(
            file.warnings.map(\.description) == [
                #"points.geojson: the property "when" is not a number in 1 feature, and counts as missing there; the first such value is "soon""#
            ])
        // Numbers are not dates.
        #expect(try !scene(["1704067200"], #"{"alpha": {"by": "when", "linear": [0, 1]}}"#).mapView.scales[0].hasDates)
    }

    @Test func stepsStopsAndDomainsMayBeDates() throws {
        func alphas(_ form: String) throws -> [Double] { try self.alphas(scene(days, #"{"alpha": {"by": "when", \#(form)}}"#).mapView) }
        #expect(try alphas(#""steps": ["2024-01-03", "2024-01-04"], "numbers": [0.1, 0.2, 0.3]"#).prefix(3) == [0.1, 0.1, 0.3])
        #expect(try alphas(#""ramp": [["2024-01-01", 0], ["2024-01-09", 1]]"#).prefix(3) == [0, 0.25, 0.5])
        #expect(try alphas(#""linear": [0, 1], "domain": ["2024-01", "2024-01-17"]"#).prefix(3) == [0, 0.125, 0.25])
        #expect(try alphas(#""classes": {"quantiles": 3}, "numbers": [0.1, 0.2, 0.3]"#).prefix(3) == [0.1, 0.2, 0.3])
    }

    @Test(arguments: [
        (
            #""steps": ["2024-13-01"], "numbers": [0, 1]"#,
            "steps[0]: expected a number, or a date such as \"2024-05-17\", found the string \"2024-13-01\""
        ),
        (
            #""ramp": [["May", 0], ["June", 1]]"#,
            "ramp[0][0]: expected a number, or a date such as \"2024-05-17\", found the string \"May\""
        ),
        (#""linear": [0, 1], "domain": ["2024-05", "2023-05"]"#, "domain: the domain begins at 2024-05, above its end, 2023-05"),
        (
            #""steps": ["2024-05", "2023-05"], "numbers": [0, 1, 0]"#,
            "steps[1]: the dates must ascend; 2023-05 is not after the previous date"
        ),
    ])
    func otherTextsAreErrors(form: String, message: String) {
        do {
            _ = try scene(days, #"{"alpha": {"by": "when", \#(form)}}"#)
            Issue.record("no error")
        } catch {
            #expect((error as? Refusal)?.text == "scene.json: overlays[0].marker.alpha." + message)
        }
    }
}
