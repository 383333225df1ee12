import Foundation
import Testing
import Waymark
import WaymarkTestSupport

/// An inspection is a value that can be stored in a file and printed.
@Suite struct InspectionCodingTests {
    /// A map with an overlay of every kind.
    private func fullMap() throws -> MapView {
        let scene = """
            {"waymark": 1, "size": {"width": 300, "height": 200}, "pixelRatio": 2, "camera": {"center": [10, 20], "zoom": 5, "bearing": 30, "tilt": 40},
            "symbols": {"source": "symbols.json"},
            "overlays": [
            {"type": "marker", "id": "hall", "position": [10, 20], "captionText": "City Hall", "isHideCollidedMarkers": true, "title": "Hall"},
            {"type": "marker", "id": "gate", "position": [10.1, 20], "zIndex": -1, "captionText": "Gate"},
            {"type": "marker", "position": [100, 20]},
            {"type": "container", "id": "group", "children": [{"type": "marker", "position": [11, 21], "isHidden": true}]},
            {"type": "polyline", "points": [[8, 19], [12, 21]]},
            {"type": "polygon", "rings": [[[9, 19], [9.5, 19], [9.5, 19.5]]]},
            {"type": "circle", "center": [11, 19], "radius": 30000},
            {"type": "localModel", "coordinates": [9, 20], "scale": 10000, "mesh": {"vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]]}},
            {"type": "clusterLayer", "id": "shops", "markers": [{"position": [12, 20]}, {"position": [12, 20.01]}, {"position": [7, 20]}]},
            {"type": "viewOverlay", "id": "note", "coordinates": [10, 21], "content": {"label": {"text": "note"}}},
            {"type": "marker", "id": "dim", "position": [7.5, 21], "occludedAlpha": 0.5}
            ], "selectedMarker": "hall"}
            """
        let folder = ScratchFolder()
        try folder.write(
            #"{"type": "Feature", "id": "poi", "properties": {"text": "Poi"}, "geometry": {"type": "Point", "coordinates": [10.5, 20.5]}}"#,
            "symbols.json")
        return try SceneFile(data: Data(scene.utf8), folder: folder.path).mapView
    }

    @Test func whatIsEncodedIsDecoded() throws {
        let inspection = try fullMap().inspection()
        #expect(inspection.overlays.count > 10 && !inspection.clusters.isEmpty && !inspection.symbols.isEmpty)
        #expect(inspection.infoWindow != nil && !inspection.viewOverlays.isEmpty)
        let bytes = try JSONEncoder().encode(inspection)
        let decoded = try JSONDecoder().decode(Inspection.self, from: bytes)
        // Numbers are truncated to the printed decimals once, and do not change afterwards.
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let (first, second) = (try encoder.encode(inspection), try encoder.encode(decoded))
        #expect(String(decoding: first, as: UTF8.self) == String(decoding: second, as: UTF8.self))
        #expect(try JSONDecoder().decode(Inspection.self, from: second) == decoded)
        #expect(decoded.overlays.map(\.id) == inspection.overlays.map(\.id))
        #expect(decoded.overlays.map(\.reason) == inspection.overlays.map(\.reason))
        #expect(decoded.description == inspection.description)
        #expect(decoded.overlays.compactMap(\.isOccluded) == [false] && decoded.overlays.last?.isOccluded == false)
    }

    @Test func theTextSaysWhatIsWhere() throws {
        let lines = try fullMap().inspection().description.split(separator: "\n").map(String.init)
        #expect(
            lines[0] == "300 × 200 pt at 2, center 20.000000000 10.000000000, zoom 5.000000000, bearing 30.000000000, tilt 40.000000000")
        #expect(
            lines[1].hasPrefix("marker hall: order ") && lines[1].contains(" at (150.000, 100.000), icon (")
                && lines[1].hasSuffix("\"City Hall\""))
        #expect(lines.contains { $0.hasPrefix("marker gate: not drawn, collided, icon ") && $0.contains("hidden by hall") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("marker marker-2: not drawn, outOfView") }, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("cluster shops/5/") && $0.hasSuffix("2 markers, \"2\"") })
        #expect(lines.contains { $0.hasPrefix("infoWindow hall: order ") })
    }

    @Test(arguments: [
        ("\"visible\":true", "\"visible\":1", "visible"), ("\"type\":\"circle\"", "\"type\":\"disc\"", "unknown type \"disc\""),
        ("\"tilt\":40", "\"tilt\":99", "camera.tilt: 99 is outside 0…80"),
        ("\"reason\":\"collided\"", "\"reason\":\"tired\"", "unknown reason \"tired\""),
    ]) func whatIsNoInspectionIsRefused(_ old: String, _ new: String, _ words: String) throws {
        let text = String(decoding: try JSONEncoder().encode(fullMap().inspection()), as: UTF8.self)
        #expect(text.contains(old))
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Inspection.self, from: Data(text.replacing(old, with: new).utf8))
        }
        #expect("\(String(describing: error))".replacing("\\", with: "").contains(words), "\(String(describing: error))")
    }
}
