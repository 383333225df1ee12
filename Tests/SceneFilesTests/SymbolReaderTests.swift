import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// The base map's symbols in scene files.
@Suite struct SymbolReaderTests {
    private let folder = ScratchFolder()

    private func symbols(_ json: String, _ features: String = "") throws -> (symbols: [Symbol], warnings: [String]) {
        try folder.write(features, "pois.geojson")
        do throws(SceneError) {
            let file = try SceneFile(
                bytes: Array(
                    "{\"waymark\": 1, \"symbols\": \(json), \"overlays\": [{\"type\": \"marker\", \"id\": \"hall\", \"position\": [0, 0]}]}"
                        .utf8),
                name: "scene.json", folder: folder.path + "/")
            return (file.mapView.symbols, file.warnings.map(\.description))
        } catch {
            throw Refusal(text: error.description.replacingOccurrences(of: folder.path + "/", with: ""))
        }
    }

    private func refusal(_ json: String, _ features: String = "", sourceLocation: SourceLocation = #_sourceLocation) throws -> String {
        do {
            _ = try symbols(json, features)
            Issue.record("accepted", sourceLocation: sourceLocation)
            return ""
        } catch let refusal as Refusal {
            return refusal.text
        }
    }

    @Test func aList() throws {
        let read = try symbols(
            """
            [{"position": [127, 37], "id": "a", "captionText": "서울", "captionColor": "#123456", "captionHaloColor": "transparent",
              "captionTextSize": 9, "captionRequestedWidth": 70, "captionFontWeight": "bold", "rank": -2.5, "minZoom": 3, "maxZoom": 9,
              "captionHaloWidth": 0.5, "captionHaloBlur": 0.75, "captionLetterSpacing": 0.25, "captionPadding": 3},
             {"position": {"lat": 1, "lng": 2}, "iconImage": "builtin:red", "width": 10, "height": "auto"}]
            """)
        var first = Symbol(position: LatLng(lat: 37, lng: 127), captionText: "서울", rank: -2.5)
        first.id = "a"
        first.captionColor = Color(css: "#123456") ?? .clear
        first.captionHaloColor = .clear
        first.captionTextSize = 9
        first.captionRequestedWidth = 70
        first.captionFontWeight = .bold
        (first.captionHaloWidth, first.captionHaloBlur, first.captionLetterSpacing, first.captionPadding) = (0.5, 0.75, 0.25, 3)
        first.minZoom = 3
        first.maxZoom = 9
        var second = Symbol(position: LatLng(lat: 1, lng: 2))
        second.id = "symbol-1"
        second.iconImage = MarkerImage.red
        second.width = 10
        #expect(read.symbols == [first, second])
        #expect(read.warnings.isEmpty)
    }

    private let features = collection([#"{"name": "One", "rank": 2}"#, #"{"name": "Two"}"#, "{}"])

    @Test func theirNamesByTheirRanks() throws {
        let read = try symbols(#"{"source": "pois.geojson"}"#, features)
        #expect(read.symbols.map(\.captionText) == ["One", "Two", ""])
        #expect(read.symbols.map(\.rank) == [2, 0, 0])
        #expect(read.symbols.map(\.id) == ["symbol-0", "symbol-1", "symbol-2"])
        #expect(read.warnings == ["pois.geojson: 1 symbol has no text and no icon"])
    }

    @Test func aTemplate() throws {
        let template = #"{"captionText": "<{name}>", "rank": "{rank}", "iconImage": "builtin:clusterLow", "captionTextSize": 10}"#
        let read = try symbols(#"{"source": "pois.geojson", "symbol": \#(template)}"#, features)
        #expect(read.symbols.map(\.captionText) == ["<One>", "<Two>", "<>"])
        #expect(read.symbols.allSatisfy { $0.iconImage != nil && $0.captionTextSize == 10 })
        #expect(
            read.warnings.sorted() == [
                #"pois.geojson: the property "name" is missing in 1 feature: "captionText" omits it"#,
                #"pois.geojson: the property "rank" is missing in 2 features: "rank" keeps its default"#,
            ])
    }

    @Test func otherGeometries() throws {
        let feature =
            #"{"type": "Feature", "id": 7, "properties": {"name": "Many"}, "geometry": "#
            + #"{"type": "MultiPoint", "coordinates": [[1, 2], [3, 4]]}}"#
        #expect(try symbols(#"{"source": "pois.geojson"}"#, feature).symbols.map(\.id) == ["7/0", "7/1"])
        let line =
            #"{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": null, "geometry": "#
            + #"{"type": "LineString", "coordinates": [[1, 2], [3, 4]]}}, {"type": "Feature", "properties": null, "geometry": null}]}"#
        let read = try symbols(#"{"source": "pois.geojson"}"#, line)
        #expect(read.symbols.isEmpty)
        #expect(read.warnings == ["pois.geojson: 1 feature is left out, because symbols are points"])
    }

    @Test func whatCannotBe() throws {
        #expect(
            try refusal("5").hasPrefix("scene.json: symbols: expected an object with a source, or an array of symbols, found"))
        #expect(try refusal("[{}]").contains(#"symbols[0]: missing key "position""#))
        #expect(try refusal(#"[{"position": [0, 0], "captionPadding": -1}]"#).contains("symbols[0].captionPadding: -1 is outside 0…100"))
        #expect(try refusal(#"[{"position": [0, 0], "captionTextSize": 0}]"#).contains("symbols[0].captionTextSize: 0 is outside 1…512"))
        #expect(try refusal(#"[{"position": [0, 0], "text": "x"}]"#).contains("unknown key"))
        #expect(try refusal(#"{"source": "nothing.geojson"}"#).contains("symbols.source: nothing.geojson"))
        // Ids are unique, among symbols and overlays.
        let twice = #"[{"position": [0, 0], "id": "a"}, {"position": [1, 1], "id": "a"}]"#
        #expect(try refusal(twice).contains(#"symbols[1]: the id "a" is already used by symbols[0]"#))
        #expect(try refusal(#"[{"position": [0, 0], "id": "hall"}]"#).contains(#"the id "hall" is already used by"#))
        let equal = #"{"type": "Feature", "id": "x", "properties": {}, "geometry": {"type": "Point", "coordinates": [0, 0]}}"#
        let collection = #"{"type": "FeatureCollection", "features": [\#(equal), \#(equal)]}"#
        #expect(try refusal(#"{"source": "pois.geojson"}"#, collection).contains(#"the id "x" is already used by"#))
    }

    @Test func languagesAndAligns() throws {
        func refusal(_ text: String) -> String {
            do throws(SceneError) {
                _ = try SceneFile(bytes: Array(text.utf8), name: "scene.json")
                return ""
            } catch {
                return error.description
            }
        }
        for tag in ["", "!!", "k", "ko-", "toolonglanguage", "ko\\u0000"] {
            #expect(refusal("{\"waymark\": 1, \"language\": \"\(tag)\"}").contains("is not a language tag"), "\(tag)")
        }
        for tag in ["ko", "zh-Hant", "zh-Hant-TW", "sr-Latn-RS"] { #expect(refusal("{\"waymark\": 1, \"language\": \"\(tag)\"}") == "") }
        let both =
            #"{"waymark": 1, "overlays": [{"type": "marker", "position": [0, 0], "captionAlign": "top", "captionAligns": ["left"]}]}"#
        #expect(refusal(both) == "scene.json: overlays[0].captionAligns: captionAlign and captionAligns are mutually exclusive")
    }
}
