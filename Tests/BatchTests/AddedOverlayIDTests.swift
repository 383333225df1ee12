import Foundation
import Testing
import Waymark
import WaymarkSceneFiles
import WaymarkTestSupport

/// Overlays added by a job, and the ids of features in the files of the base's cluster layers: generated names of the former get a suffix,
/// and an id given by both is an error that names both.
@MainActor @Suite(.serialized) struct AddedOverlayIDTests {
    private let scene: TestScene

    init() throws {
        func feature(_ id: String?) -> String {
            let id = id.map { #""id": \#($0), "# } ?? ""
            return #"{"type": "Feature", \#(id)"properties": {}, "geometry": {"type": "Point", "coordinates": [126.98, 37.56]}}"#
        }
        func file(_ ids: [String?]) -> String {
            #"{"type": "FeatureCollection", "features": [\#(ids.map(feature).joined(separator: ", "))]}"#
        }
        let base: JSONTree = [
            "waymark": 1, "size": ["width": 64, "height": 64], "camera": ["center": [126.97, 37.56], "zoom": 12],
            "overlays": [
                ["type": "clusterLayer", "id": "cities", "source": "cities.geojson"],
                ["type": "container", "id": "group", "children": [["type": "marker", "position": [126.97, 37.56]]]],
                ["type": "marker", "id": "hall", "position": [126.97, 37.56]],
            ],
        ]
        scene = try TestScene(
            base,
            files: [
                ("cities.geojson", file([#""marker-3""#, "7", nil, #""group/marker-0""#, #""container-4/marker-0""#])),
                ("more.geojson", file([nil, #""hall""#])), ("twins.geojson", file(["7"])), ("free.geojson", file([nil, #""new""#])),
            ])
    }

    private func job(_ members: String) throws -> BatchJob {
        try BatchJob(line: Array("{\"id\": \"a\", \"output\": \"a.rgba\", \(members)}".utf8))
    }

    private func ids(_ members: String) throws -> [String] {
        let answer = try scene.jobs.answer(.inspection(listsBaseMapSymbols: false), about: job(members)).json
        let json = try #require(try JSONSerialization.jsonObject(with: Data(answer)) as? [String: Any])
        return try #require(json["overlays"] as? [[String: Any]]).compactMap { $0["id"] as? String }
    }

    private func problem(_ members: String) throws -> String? {
        #expect(throws: Failure.self) { try scene.jobs.render(job(members)) }?.description
            .replacingOccurrences(of: scene.folder.path + "/", with: "")
    }

    private let base = ["cities", "group", "group/marker-0~2", "hall"]
    private let marker = #"{"type": "marker", "position": [126.98, 37.56]}"#

    @Test func madeUpNamesStepAside() throws {
        #expect(try ids(#""add": []"#) == base)
        let container = #"{"type": "container", "children": [\#(marker), \#(marker)]}"#
        let added = ["marker-3~2", "container-4", "container-4/marker-0~2", "container-4/marker-1"]
        #expect(try ids(#""add": [\#(marker), \#(container)]"#) == base + added)
        // A container that is changed keeps the names that the base gives its contents.
        #expect(try ids(#""change": {"group": {"zIndex": 1}}"#) == base)
        // No data stay behind, and without the layer its ids are free.
        #expect(try ids(#""add": []"#) == base)
        #expect(try ids(#""remove": ["cities"], "add": [\#(marker)]"#) == ["group", "group/marker-0~2", "hall", "marker-3"])
        // The result is the same where the whole scene is read again.
        #expect(try ids(#""images": {"a": "builtin:red"}, "add": [\#(marker)]"#) == base + ["marker-3~2"])
    }

    @Test func idsThatBothGiveAreErrorsThatNameBoth() throws {
        func given(_ id: String) -> String { #"{"type": "marker", "id": "\#(id)", "position": [126.98, 37.56]}"# }
        #expect(
            try problem(#""add": [\#(marker), \#(given("marker-3"))]"#)
                == #"add[1]: the id "marker-3" is already used by features[0] of cities.geojson"#)
        #expect(
            try problem(#""add": [\#(given("7"))]"#)
                == #"add[0]: the id "7" is already used by features[1] of cities.geojson; "#
                + "a number and a string with the same text are the same id"
        )
        // Free once the layer is removed, or shows another file.
        #expect(try problem(#""images": {}, "add": [\#(given("7"))]"#)?.hasPrefix(#"add[0]: the id "7" is already used by "#) == true)
        #expect(try ids(#""remove": ["cities"], "add": [\#(given("7"))]"#).last == "7")
        #expect(try ids(#""change": {"cities": {"source": "free.geojson"}}, "add": [\#(given("7"))]"#).last == "7")
        #expect(
            try problem(#""change": {"cities": {"source": "free.geojson"}}, "add": [\#(given("new"))]"#)
                == #"add[0]: the id "new" is already used by features[1] of free.geojson"#)
        #expect(try ids(#""add": []"#) == base)
    }

    @Test func filesOfLayersThatAreAdded() throws {
        func layer(_ source: String) -> String { #"{"type": "clusterLayer", "source": "\#(source)"}"# }
        #expect(
            try problem(#""add": [\#(layer("more.geojson"))]"#)
                == #"add[0].source: more.geojson: features[1].id: the id "hall" is already used by overlays[2] of the base scene"#)
        #expect(
            try problem(#""add": [\#(layer("twins.geojson"))]"#)
                == #"add[0].source: twins.geojson: features[0].id: the id "7" is already used by features[1] of cities.geojson"#)
        #expect(try ids(#""add": [\#(layer("free.geojson"))]"#) == base + ["clusterLayer-3"])
        #expect(try ids(#""remove": ["cities"], "add": [\#(layer("twins.geojson"))]"#).last == "clusterLayer-3")
    }
}
