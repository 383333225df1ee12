import Foundation
import Testing
import WaymarkGeo
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Null is the same as leaving the key out, but for required ones.
@Suite struct NullTests {
    private func scene(_ members: String) throws(SceneError) -> SceneFile {
        try SceneFile(bytes: Array("{\"waymark\": 1, \(members)}".utf8), name: "scene.json")
    }

    private func refusal(_ members: String) -> String {
        do {
            _ = try scene(members)
            return ""
        } catch {
            return error.description
        }
    }

    @Test func everyKeyThatIsNotRequiredMayBeNull() throws {
        let places: [OverlayType: String] = [
            .marker: #""position": [0, 0]"#, .polyline: #""points": [[0, 0], [1, 1]]"#, .route: #""points": [[0, 0], [1, 1]]"#,
            .polygon: #""rings": [[[0, 0], [1, 0], [1, 1]]]"#, .circle: #""center": [0, 0]"#, .container: #""children": []"#,
            .groundOverlay: #""image": "builtin:red", "bounds": [0, 0, 1, 1]"#,
            .clusterLayer: #""markers": []"#,
            .geoModel: #""mesh": {"vertices": [[0, 0, 0], [1, 0, 0], [1, 1, 0]], "triangles": [[0, 1, 2]], "normals": null}"#,
            .localModel: #""coordinates": [0, 0], "mesh": {"vertices": [[0, 0, 0], [1, 0, 0], [1, 1, 0]], "triangles": [[0, 1, 2]]}"#,
        ]
        for type in OverlayType.allCases {
            let place = try #require(places[type])
            let nulls = type.properties.properties.filter { property in
                if case .refused = property.type { return false }
                return !property.isRequired && !place.contains("\"\(property.name)\"")
            }.map { "\"\($0.name)\": null" }
            let file = try scene(#""overlays": [{"type": "\#(type)", \#(place), \#(nulls.joined(separator: ", "))}]"#)
            let overlay = try #require(file.mapView.overlays.first)
            #expect(overlay.id == "\(type)-0" && overlay.firstProblem() == nil, "\(type)")
            #expect(nulls.count >= 12)
        }
    }

    @Test func settingsMayBeNull() throws {
        let file = try scene(
            """
            "size": null, "pixelRatio": null, "background": null, "language": null, "modelSamples": null, "camera": null, "images":
            {"shop": null}, "symbols": null, "overlays": null, "captionsAvoidEdges": null
            """)
        #expect(file.mapView.size == CGSize(width: 512, height: 512) && file.fit != nil && file.mapView.overlays.isEmpty)
        #expect(try scene(#""images": null"#).mapView.overlays.isEmpty)
        let fixed = try scene(#""camera": {"fit": null, "padding": null, "center": {"lat": 1, "lng": 2, "altitude": null}, "zoom": 3}"#)
        #expect(fixed.fit == nil && fixed.mapView.camera.center == LatLng(lat: 1, lng: 2) && fixed.mapView.camera.zoom == 3)
        #expect(try scene(#""camera": {"fit": "overlays", "center": null, "zoom": null, "tilt": null}"#).fit == FitOptions())
    }

    @Test func captionsAvoidEdgesWhenAsked() throws {
        #expect(try scene(#""captionsAvoidEdges": true"#).mapView.captionsAvoidEdges)
        #expect(try !scene(#""captionsAvoidEdges": false"#).mapView.captionsAvoidEdges)
        #expect(try !scene(#""overlays": []"#).mapView.captionsAvoidEdges)
        #expect(refusal(#""captionsAvoidEdges": "yes""#).contains("captionsAvoidEdges: expected true or false, found the string \"yes\""))
    }

    @Test func aRequiredKeyIsMissingOrOfTheWrongType() {
        #expect(refusal(#""overlays": [{"type": "marker", "position": null}]"#).contains("overlays[0].position: expected a position"))
        #expect(refusal(#""overlays": [{"type": null, "position": [0, 0]}]"#).contains("overlays[0].type: expected a string, found null"))
        #expect(refusal(#""overlays": [{"type": "polyline", "points": null, "parts": null}]"#).contains(#"missing key "points""#))
        #expect(refusal(#""size": {"width": 3, "height": null}"#).contains("size.height: expected a number, found null"))
        #expect(refusal(#""camera": {"center": [0, 0], "fits": null}"#).contains(#"camera: unknown key "fits""#))
        #expect(refusal(#""overlays": [{"type": "marker", "position": [0, 0], "angle": null, "angle": 3}]"#).contains("appears twice"))
        #expect(refusal(#""overlays": [{"type": "marker", "position": [0, 0], "rotation": null}]"#).contains(#"use "angle""#))
    }

    @Test func templatesAndFeaturesMayHaveNulls() throws {
        let result = try read([#"{"title": "A", "marker-color": null, "rank": null}"#], template: #"{"zIndex": "{rank}", "title": null}"#)
        #expect(result.markers.map(\.title) == ["A"] && result.markers.map(\.zIndex) == [0])
        let text =
            #"{"type": "Feature", "id": null, "properties": null, "geometry": {"type": "Point", "coordinates": [1, 2]}, "waymark": null}"#
        #expect(try read(text).markers.map(\.id) == ["0"])
    }
}

/// Names that other libraries have for keys of other objects than markers.
@Suite struct SynonymsOfOtherObjectsTests {
    @Test(arguments: [
        (#""overlays": [{"type": "polyline", "points": [[0, 0], [1, 1]], "strokeWidth": 3}]"#, "strokeWidth", "width"),
        (#""overlays": [{"type": "polygon", "rings": [[[0, 0], [1, 0], [1, 1]]], "strokeColor": "red"}]"#, "strokeColor", "outlineColor"),
        (#""overlays": [{"type": "circle", "center": [0, 0], "fill": "red"}]"#, "fill", "fillColor"),
        (#""overlays": [{"type": "container", "children": [], "members": []}]"#, "members", "children"),
        (#""overlays": [{"type": "marker", "position": {"lat": 1, "lng": 2, "latitude": 1}}]"#, "latitude", "lat"),
        (#""overlays": [{"type": "marker", "position": [0, 0], "visible": true}]"#, "visible", "isVisible"),
        (#""camera": {"center": [0, 0], "pitch": 3}"#, "pitch", "tilt"), (#""backgroundColor": "red""#, "backgroundColor", "background"),
        (#""symbols": [{"position": [0, 0], "text": "a"}]"#, "text", "captionText"),
    ])
    func aSynonymIsAnsweredWithTheNameHere(members: String, synonym: String, name: String) {
        let error = #expect(throws: SceneError.self) {
            try SceneFile(bytes: Array("{\"waymark\": 1, \(members)}".utf8), name: "scene.json")
        }
        #expect(error?.description.hasSuffix(#"unknown key "\#(synonym)"; use "\#(name)""#) == true, "\(error?.description ?? "")")
    }
}
