import Foundation
import Testing
import WaymarkScene
import WaymarkSceneFiles

/// The committed files under `docs/` equal those generated from the property tables; `tools/schema` validates scenes against the schema
/// with another program.
@Suite struct SceneSchemaTests {
    private func document(_ name: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("docs/\(name)"), encoding: .utf8)
    }

    @Test func theSchemaIsUpToDate() throws {
        #expect(try document("scene.schema.json") == SceneFile.schema, "run tools/schema update")
    }

    @Test func theReferenceIsUpToDate() throws {
        let page = try document("scene.md")
        #expect(SceneReference.updated(page) == page, "run tools/schema update")
        for type in OverlayType.allCases { #expect(page.contains("<!-- properties: \(type) -->")) }
    }

    @Test func aPageWithAnUnknownTableIsRefused() {
        #expect(SceneReference.updated("<!-- properties: marker -->\n<!-- end -->\n")?.contains("| `angle` |") == true)
        #expect(SceneReference.updated("<!-- properties: market -->\n<!-- end -->\n") == nil)
        #expect(SceneReference.updated("<!-- properties: marker -->\n") == nil)
        #expect(SceneReference.updated("no table\n") == "no table\n")
    }

    @Test func defaultsAreThoseOfAFreshObject() throws {
        let root = try JSONDocument(parsing: Array(SceneFile.schema.utf8)).root
        let marker = try #require(root["$defs"]?["marker"]?["properties"])
        #expect(marker["captionTextSize"]?["default"]?.double == Marker().captionTextSize)
        #expect(marker["iconImage"]?["default"]?.string == "builtin:green")
        #expect(marker["width"]?["default"]?.string == "auto")
        #expect(marker["captionHaloColor"]?["default"]?.string == "white")
        #expect(marker["globalZIndex"]?["default"]?.int == Marker.defaultGlobalZIndex)
        let route = try #require(root["$defs"]?["route"]?["properties"])
        #expect(route["width"]?["default"]?.double == Route().width && route["color"]?["default"]?.string == "white")
        // It depends on the theme.
        #expect(root["properties"]?["background"] != nil && root["properties"]?["background"]?["default"] == nil)
    }

    @Test(arguments: [
        (OverlayType.marker, #""position": [0, 0]"#), (.polyline, #""points": [[0, 0], [1, 1]]"#), (.route, #""points": [[0, 0], [1, 1]]"#),
        (.polygon, #""rings": [[[0, 0], [1, 0], [1, 1]]]"#), (.circle, #""center": [0, 0]"#),
        (.groundOverlay, #""image": "builtin:red", "bounds": [0, 0, 1, 1]"#), (.container, #""children": []"#),
        (.geoModel, #""mesh": {"vertices": [[0, 0, 0], [1, 0, 0], [1, 1, 0]], "triangles": [[0, 1, 2]]}"#),
    ])
    func everyDefaultOfTheSchemaCanBeRead(type: OverlayType, place: String) throws {
        let root = try JSONDocument(parsing: Array(SceneFile.schema.utf8)).root
        let definitions = try root["$defs"]?.readMembers() ?? []
        let definition = try #require(definitions.first { $0.key == type.rawValue }?.value)
        var count = 0
        for (name, property) in try #require(definition["properties"]).readMembers() {
            guard let standard = property["default"] else { continue }
            var writer = JSONWriter()
            writer.value(standard)
            let value = String(decoding: writer.bytes, as: UTF8.self)
            let text = #"{"waymark": 1, "overlays": [{"type": "\#(type)", \#(place), "\#(name)": \#(value)}]}"#
            let file = try SceneFile(bytes: Array(text.utf8), name: "\(type).\(name)")
            #expect(file.mapView.overlays.count == 1)
            count += 1
        }
        #expect(count >= 8)
    }
}

/// Keys that other libraries have.
@Suite struct SynonymTests {
    private func refusal(_ key: String) throws -> String {
        let text = #"{"waymark": 1, "overlays": [{"type": "marker", "position": [0, 0], \#(key)}]}"#
        do {
            _ = try SceneFile(bytes: Array(text.utf8), name: "scene.json")
        } catch {
            return error.description
        }
        return "none"
    }

    @Test(arguments: [("rotation", "angle"), ("icon", "iconImage"), ("groundAnchor", "anchor"), ("opacity", "alpha")])
    func aSynonymIsAnsweredWithTheNameHere(synonym: String, name: String) throws {
        #expect(try refusal(#""\#(synonym)": 1"#) == #"scene.json: overlays[0]: unknown key "\#(synonym)"; use "\#(name)""#)
    }

    @Test func otherKeysThatHaveAReason() throws {
        #expect(try refusal(#""map": "m""#) == "scene.json: overlays[0].map: overlays of a scene are on its map; leave this key out")
        #expect(try refusal(#""isFlatt": true"#) == #"scene.json: overlays[0]: unknown key "isFlatt"; did you mean "isFlat"?"#)
        #expect(try refusal(#""angle": 1, "angle": 2"#) == #"scene.json: overlays[0]: the key "angle" appears twice"#)
    }
}
