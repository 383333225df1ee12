import Foundation
import Testing
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Ids that a reader makes up give way to those that the scene gives, wherever they are.
@Suite struct MadeUpIDTests {
    private func feature(_ id: String?, _ geometry: String = #"{"type": "Point", "coordinates": [1, 2]}"#) -> String {
        let id = id.map { #", "id": \#($0)"# } ?? ""
        return #"{"type": "Feature", "properties": {}, "geometry": \#(geometry)\#(id)}"#
    }

    private let points = #"{"type": "MultiPoint", "coordinates": [[1, 2], [3, 4]]}"#

    private func ids(_ features: [String]) throws -> [String?] {
        let text = #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ", "))]}"#
        return try SceneFile(bytes: Array(text.utf8), name: "a.geojson").mapView.overlays.map(\.id)
    }

    private func ids(ofScene overlays: String, folder: String = "") throws -> [String?] {
        let text = #"{"waymark": 1, "overlays": [\#(overlays)]}"#
        let mapView = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder).mapView
        return mapView.store.slots.map { $0?.id }
    }

    @Test func featuresWithAndWithoutIDsAreValid() throws {
        #expect(try ids([feature("1"), feature(nil), feature(#""0""#)]) == ["1", "1~2", "0"])
        #expect(try ids([feature(nil), feature("0"), feature(#""0~2""#), feature("1.5")]) == ["0~3", "0", "0~2", "1.5"])
        #expect(try ids([feature(nil), feature(nil), feature(#""x""#)]) == ["0", "1", "x"])
    }

    @Test func partsOfFeaturesStepAsideFromEachOther() throws {
        // The parts of the feature "1" and those of the second feature have the same names.
        #expect(try ids([feature("1", points), feature(nil, points)]) == ["1/0", "1/1", "1/0~2", "1/1~2"])
        #expect(try ids([feature("7", points), feature(#""7/1""#)]) == ["7/0", "7/1~2", "7/1"])
    }

    @Test func anIDGivenTwiceIsAnErrorForManyPartsToo() throws {
        let error = #expect(throws: SceneError.self) { try ids([feature("7", points), feature("7")]) }
        #expect(error?.description == #"a.geojson: features[1]: the id "7" is taken already, by features[0]"#)
    }

    /// Ids are text: what tells 1 from "1" in the file would be lost in every list of ids.
    @Test func aNumberAndAStringOfTheSameTextAreOneID() throws {
        let error = #expect(throws: SceneError.self) { try ids([feature("1"), feature(#""1""#)]) }
        let hint = "; a number and a string of the same text are one id"
        #expect(error?.description == #"a.geojson: features[1]: the id "1" is taken already, by features[0]"# + hint)
        #expect(try ids([feature("1"), feature(#""1.0""#), feature(#""01""#)]) == ["1", "1.0", "01"])
        let folder = ScratchFolder()
        func refusal(_ features: [String], more: String = "") throws -> String? {
            try folder.write(#"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ", "))]}"#, "a.geojson")
            let source = #"{"type": "clusterLayer", "source": "a.geojson"}"#
            let error = #expect(throws: SceneError.self) { try ids(ofScene: source + more, folder: folder.path + "/") }
            return error?.description.replacingOccurrences(of: folder.path + "/", with: "")
        }
        #expect(
            try refusal([feature(#""1""#), feature("1")]) == #"a.geojson: features[1].id: the id "1" is taken already, by features[0]"#
                + hint)
        let marker = #", {"type": "marker", "position": [0, 0], "id": "7"}"#
        #expect(
            try refusal([feature(nil), feature("7")], more: marker)
                == #"scene.json: overlays[1]: the id "7" is taken already, by features[1] of a.geojson"# + hint)
    }

    @Test func overlaysStepAsideFromIDsFurtherOn() throws {
        let marker = #"{"type": "marker", "position": [0, 0]}"#
        let group = #"{"type": "container", "children": [\#(marker), {"type": "container", "children": [\#(marker)]}]}"#
        let given = ["marker-0", "container-1", "container-1~2/marker-0"]
            .map { #"{"type": "marker", "position": [0, 0], "id": "\#($0)"}"# }.joined(separator: ", ")
        #expect(
            try ids(ofScene: "\(marker), \(group), \(given)") == [
                "marker-0~2", "container-1~2", "container-1~2/marker-0~2", "container-1~2/container-1",
                "container-1~2/container-1/marker-0", "marker-0", "container-1", "container-1~2/marker-0",
            ])
    }

    @Test func sourcesStepAsideFromTheScene() throws {
        let folder = ScratchFolder()
        try folder.write(#"{"type": "FeatureCollection", "features": [\#(feature(nil)), \#(feature(nil)), \#(feature("9"))]}"#, "a.geojson")
        let source = #"{"type": "geojson", "source": "a.geojson"}, {"type": "marker", "position": [0, 0], "id": "geojson-0/1"}"#
        #expect(try ids(ofScene: source, folder: folder.path + "/") == ["geojson-0/0", "geojson-0/1~2", "9", "geojson-0/1"])
    }

    @Test func overlaysStepAsideFromFeaturesOfAClusterLayersFile() throws {
        let folder = ScratchFolder()
        let features = [feature(#""marker-0""#), feature(#""marker-0~2""#), feature(nil)]
        try folder.write(#"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ", "))]}"#, "a.geojson")
        let marker = #"{"type": "marker", "position": [0, 0]}"#
        let text = #"{"waymark": 1, "overlays": [\#(marker), {"type": "clusterLayer", "source": "a.geojson"}, \#(marker)]}"#
        let mapView = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/").mapView
        #expect(mapView.overlays.map(\.id) == ["marker-0~3", "clusterLayer-1", "marker-2"])
        #expect(mapView.overlay(withID: "marker-0~3") === mapView.overlays[0])
        let layer = try #require(mapView.overlays[1] as? ClusterLayer)
        #expect(mapView.overlay(withID: "marker-0") === layer.markers[0] && mapView.overlay(withID: "marker-0~2") === layer.markers[1])
    }

    @Test func pointsOfAClusterLayersFileStepAside() throws {
        let folder = ScratchFolder()
        let features = [feature(#""a""#, points), feature(#""a/1""#), feature(nil), feature(nil, points), feature(#""b""#, points)]
        try folder.write(#"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ", "))]}"#, "a.geojson")
        let text = #"""
            {"waymark": 1, "overlays": [{"type": "clusterLayer", "id": "l", "source": "a.geojson"},
            {"type": "marker", "position": [0, 0], "id": "l/2"}, {"type": "marker", "position": [0, 0], "id": "b/0"}]}
            """#
        let mapView = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/").mapView
        let layer = try #require(mapView.overlays[0] as? ClusterLayer)
        let ids = ["a/0", "a/1~2", "a/1", "l/2~2", "l/3/0", "l/3/1", "b/0~2", "b/1"]
        #expect((0..<8).map { layer.source?.points.id($0) } == ids)
        for (index, id) in ids.enumerated() { #expect(layer.source?.index(ofID: id) == index) }
        #expect(mapView.overlay(withID: "a/1~2") === layer.marker(numbered: 1) && mapView.overlay(withID: "l/2") === mapView.overlays[1])
        #expect(layer.markers.map(\.id) == ids)
    }

    @Test func markersOfAClusterLayerStepAside() throws {
        let text = """
            {"waymark": 1, "overlays": [
            {"type": "clusterLayer", "id": "l", "markers": [{"position": [5, 5]}, {"id": "l/marker-0", "position": [20, 20]}]},
            {"type": "clusterLayer", "markers": [{"position": [5, 5]}]},
            {"type": "marker", "id": "clusterLayer-1/marker-0", "position": [0, 0]},
            {"type": "clusterLayer", "markers": [{"position": [5, 5]}]},
            {"type": "marker", "id": "clusterLayer-3", "position": [0, 0]}]}
            """
        let mapView = try SceneFile(bytes: Array(text.utf8), name: "scene.json").mapView
        let layers = mapView.overlays.compactMap { $0 as? ClusterLayer }
        #expect(
            layers.map { $0.markers.map(\.id) } == [
                ["l/marker-0~2", "l/marker-0"], ["clusterLayer-1/marker-0~2"], ["clusterLayer-3~2/marker-0"],
            ])
        #expect(mapView.overlay(withID: "l/marker-0~2") === layers[0].markers[0])
        #expect(mapView.overlay(withID: "clusterLayer-1/marker-0") === mapView.overlays[2])
    }

    @Test func symbolsStepAsideFromOverlays() throws {
        let text = """
            {"waymark": 1, "symbols": [{"position": [0, 0], "captionText": "a"}, {"position": [0, 0], "captionText": "b"}],
            "overlays": [{"type": "marker", "id": "symbol-1", "position": [0, 0]}]}
            """
        let mapView = try SceneFile(bytes: Array(text.utf8), name: "scene.json").mapView
        #expect(mapView.symbols.map(\.id) == ["symbol-0", "symbol-1~2"] && mapView.overlays.map(\.id) == ["symbol-1"])
    }
}
