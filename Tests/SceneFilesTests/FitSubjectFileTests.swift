import Testing
import WaymarkGeo
import WaymarkScene
import WaymarkSceneFiles

@Suite struct FitSubjectFileTests {
    private func fit(_ camera: String) throws -> FitSubject? {
        let text = #"{"waymark": 1, "camera": \#(camera), "overlays": [{"type": "marker", "id": "store", "position": [1, 2]}]}"#
        return try SceneFile(bytes: Array(text.utf8), name: "scene.json").fit?.subject
    }

    @Test func whatToFitIsSaidInFourWays() throws {
        #expect(try fit(#"{"fit": "overlays"}"#) == .overlays)
        #expect(try fit(#"{"fit": ["store", "airport"], "tilt": 3}"#) == .ids(["store", "airport"]))
        let bounds = try #require(LatLngBounds(south: -10, west: 170, north: 10, east: -170))
        #expect(try fit(#"{"fit": {"bounds": [170, -10, -170, 10]}}"#) == .bounds(bounds))
        #expect(try fit(#"{"fit": {"points": [[1, 2], {"lat": 3, "lng": 4}]}}"#) == .points([LatLng(2, 1), LatLng(3, 4)]))
    }

    @Test(arguments: [
        (#""all""#, "camera.fit: expected \"overlays\", a list of ids, or an object with bounds or points, found the string \"all\""),
        ("[7]", "camera.fit[0]: expected a string, found 7"),
        ("{}", "camera.fit: expected one of the keys \"bounds\" and \"points\""),
        (#"{"bounds": [0, 0, 1, 1], "points": []}"#, "camera.fit: expected one of the keys \"bounds\" and \"points\""),
        (#"{"bounds": [0, 5, 1, 4]}"#, "camera.fit.bounds: south, 5, is above north, 4"),
        (#"{"bounds": [0, -91, 1, 4]}"#, "camera.fit.bounds[1]: -91 is outside -90…90"),
        (#"{"bounds": [0, 1, 2]}"#, "camera.fit.bounds: expected 4 elements, found 3"),
        (#"{"points": [[0, 86]]}"#, "camera.fit.points[0]: latitude 86 is outside -85.051129…85.051129"),
        (#"{"points": [[0, 8]], "zoom": 3}"#, "camera.fit: unknown key \"zoom\""),
    ]) func wrongSubjectsAreRefused(subject: String, problem: String) throws {
        do {
            _ = try fit(#"{"fit": \#(subject)}"#)
            Issue.record("accepted")
        } catch {
            #expect("\(error)" == "scene.json: \(problem)")
        }
    }

    @Test func overlaysAreLeftOutOfTheFit() throws {
        let text = #"{"waymark": 1, "overlays": [{"type": "marker", "position": [1, 2], "isFitted": false}]}"#
        #expect(try SceneFile(bytes: Array(text.utf8), name: "scene.json").mapView.overlays.map(\.isFitted) == [false])
    }
}
