import Foundation
import Testing
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Features are counted while they are read, so a small file of many of them takes no memory.
@Suite struct OverlayLimitTests {
    private static let refusal = "the scene exceeds the limit of 3 overlays and symbols"
    private let folder = ScratchFolder()

    /// The error for a scene with these members and at most three overlays; nil if the scene is read.
    private func problem(_ members: String, countsPoints: Bool = false) -> String? {
        var options = SceneFileOptions()
        (options.overlayLimit, options.limitsPoints) = (3, countsPoints)
        do throws(SceneError) {
            _ = try SceneFile(
                bytes: Array("{\"waymark\": 1, \(members)}".utf8), name: "scene.json", folder: folder.path + "/", options: options)
            return nil
        } catch {
            return error.description.replacingOccurrences(of: folder.path + "/", with: "")
        }
    }

    private static func feature(_ lng: Int) -> String {
        #"{"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [\#(lng), 1]}}"#
    }

    private static func waypoint(_ lng: Int) -> String { #"<wpt lat="1" lon="\#(lng)"/>"# }

    /// Each kind of file with this many features, of which all from the fifth on are invalid.
    private static func files(_ count: Int) -> [(name: String, text: String)] {
        let places = (1...count).map { $0 < 5 ? $0 : 1000 }
        let features = places.map(feature)
        return [
            ("a.geojson", #"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ",\n"))]}"#),
            ("a.geojsonl", features.joined(separator: "\n")), ("a.geojsons", features.map { "\u{1E}\($0)\n" }.joined()),
            ("a.csv", "lat,lng\n" + places.map { "1,\($0)" }.joined(separator: "\n")),
            ("a.gpx", #"<gpx version="1.1">\#(places.map(waypoint).joined())</gpx>"#),
        ]
    }

    @Test func fileOfFeatures() throws {
        for (count, refused) in [(3, false), (4, true), (2000, true)] {
            for (name, text) in Self.files(count) {
                try folder.write(text, name)
                let found = problem(#""overlays": [{"type": "geojson", "source": "\#(name)"}]"#)
                // The invalid features behind the limit are not reached.
                let message = "scene.json: overlays[0].source: \(name): \(Self.refusal); a clusterLayer can have any number of points"
                #expect(found == (refused ? message : nil), "\(count) in \(name)")
            }
        }
    }

    @Test func everythingBeforeCounts() throws {
        try folder.write("lat,lng\n1,2\n1,3", "a.csv")
        let marker = #"{"type": "marker", "position": [1, 2]}"#
        let table = #"{"type": "geojson", "source": "a.csv"}"#
        for (overlays, refused) in [
            ("\(marker), \(table)", false), ("\(marker), \(marker), \(table)", true), ("\(table), \(table)", true),
            (#"{"type": "container", "children": [\#(marker)]}, \#(table)"#, true), ("\(table), \(marker)", false),
        ] {
            #expect((problem(#""overlays": [\#(overlays)]"#)?.contains(Self.refusal) ?? false) == refused, "\(overlays)")
        }
        // An overlay that the scene itself lists is refused with the whole number.
        #expect(
            problem(#""overlays": [\#(table), \#(marker), \#(marker)]"#)?.contains("4 overlays and symbols exceed the limit of 3") == true)
        #expect(
            problem(#""overlays": [\#(marker), \#(marker)], "symbols": {"source": "a.csv"}"#)?.contains(
                "4 overlays and symbols exceed the limit of 3")
                == true)
    }

    @Test func fileOfSymbols() throws {
        try folder.write("lat,lng\n1,2\n1,3\n1,4\n1,5\n1,1000", "a.csv")
        #expect(problem(#""symbols": {"source": "a.csv"}"#)?.hasPrefix("scene.json: symbols.source: a.csv: \(Self.refusal)") == true)
    }

    @Test func pointsOfClusterLayersCountIfAsked() throws {
        try folder.write("lat,lng\n" + String(repeating: "1,2\n", count: 2000), "a.csv")
        let layer = #""overlays": [{"type": "clusterLayer", "source": "a.csv"}]"#
        #expect(problem(layer) == nil)
        #expect(problem(layer, countsPoints: true) == "scene.json: overlays[0].source: a.csv: \(Self.refusal)")
    }
}
