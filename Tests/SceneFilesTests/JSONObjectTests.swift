import Testing
import WaymarkSceneFiles

@Suite struct JSONObjectTests {
    private func readMarker(_ text: String) throws -> String {
        try problem(text) { (root) throws(SceneFileError) in
            try root.readObject { (marker) throws(SceneFileError) in
                _ = try marker.required("id").readString()
                _ = marker["captionText"]
                _ = marker["captionTextSize"]
                _ = marker["iconImage"]
                _ = marker["zIndex"]
            }
        }
    }

    @Test(arguments: [
        (#"{"id": "a", "captionTxt": 1}"#, #"unknown key "captionTxt"; did you mean "captionText"?"#),
        (#"{"id": "a", "cpationText": 1}"#, #"unknown key "cpationText"; did you mean "captionText"?"#),
        (#"{"id": "a", "iconimage": 1}"#, #"unknown key "iconimage"; did you mean "iconImage"?"#),
        (#"{"id": "a", "ZINDEX": 1}"#, #"unknown key "ZINDEX"; did you mean "zIndex"?"#),
        (#"{"id": "a", "captionSize": 1}"#, #"unknown key "captionSize"; did you mean "captionTextSize"?"#),
        (#"{"id": "a", "altitude": 1}"#, #"unknown key "altitude""#),
        (#"{"id": "a", "xy": 1}"#, #"unknown key "xy""#),
        (#"{"id": "a", "": 1}"#, #"unknown key """#),
        (#"{"id": "a", "id": "b"}"#, #"the key "id" appears twice"#),
        (#"{"id": "a", "captionText": 1, "i\u0064": "b", "what": 1}"#, #"the key "id" appears twice"#),
        (#"{"id": "a", "what": 1, "id": 1}"#, #"unknown key "what""#),
        (#"{"captionText": 1}"#, #"missing key "id""#),
        (#"{"id": 5, "what": 1}"#, "id: expected a string, found 5"),
    ])
    func unknownRepeatedAndMissing(text: String, expected: String) throws {
        #expect(try readMarker(text) == expected)
    }

    @Test func theObjectIsNamed() throws {
        let description = try problem(#"{"overlays": [{"idd": 1}]}"#) { (root) throws(SceneFileError) in
            try root.readObject { (scene) throws(SceneFileError) in
                for overlay in try scene.required("overlays").readArray() {
                    try overlay.readObject { (overlay) throws(SceneFileError) in _ = overlay["id"] }
                }
            }
        }
        #expect(description == #"overlays[0]: unknown key "idd"; did you mean "id"?"#)
    }

    @Test func withoutTheClosure() throws {
        var reader = try ObjectReader(value(#"{"a": 1, "b": 2}"#))
        #expect(reader["a"]?.int == 1)
        #expect(reader["a"]?.int == 1)
        #expect(reader["b"]?.int == 2)
        #expect(reader["c"] == nil)
        try reader.finish()
    }

    @Test func keysThatAreData() throws {
        let members = try value(#"{"z": 1, "a": 2}"#).readMembers()
        #expect(members.map(\.key) == ["z", "a"])
        #expect(members.map(\.value.int) == [1, 2])
        let description = try problem(#"{"images": {"z": 1, "a": 2, "\u007a": 3}}"#) { (root) throws(SceneFileError) in
            _ = try root["images"]?.readMembers()
        }
        #expect(description == #"images: the key "z" appears twice"#)
    }

    @Test func nearestNames() {
        let names = ["width", "height", "lat", "lng", "id"]
        #expect(nearestName(to: "widht", among: names) == "width")
        #expect(nearestName(to: "lon", among: names) == "lng")
        #expect(nearestName(to: "latt", among: names) == "lat")
        #expect(nearestName(to: "depth", among: names) == nil)
        // Long names are not compared.
        let long = String(repeating: "a", count: 64)
        #expect(nearestName(to: long + "a", among: [long]) == nil && nearestName(to: long, among: [long + "a"]) == nil)
        #expect(nearestName(to: long.dropLast() + "b", among: [long + "a", long]) == long)
        #expect(nearestName(to: "", among: names) == nil)
        #expect(nearestName(to: String(repeating: "w", count: 1_000_000), among: names) == nil)
        #expect(nearestName(to: "useAltitudeOfPoint", among: ["useAltitude"]) == nil)
        #expect(nearestName(to: "clusterMinimumDistance", among: ["clusterMinDistance"]) == "clusterMinDistance")
    }
}
