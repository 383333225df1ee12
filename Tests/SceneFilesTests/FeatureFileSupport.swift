import Foundation
import Testing
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// The map and the warnings of a scene whose overlay takes its features from a file with these bytes.
/// - Parameters:
///   - type: The type of the overlay.
///   - more: More keys of the overlay, with a comma before them.
func features(
    _ bytes: [UInt8], _ name: String, type: String = "geojson", more: String = ""
) throws -> (overlays: [Overlay], warnings: [String]) {
    let folder = ScratchFolder()
    try folder.write(bytes, name)
    let text = #"{"waymark": 1, "overlays": [{"type": "\#(type)", "source": "\#(name)"\#(more)}]}"#
    do throws(SceneError) {
        let file = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/")
        return (file.mapView.overlays, file.warnings.map(\.description))
    } catch {
        throw Refusal(text: error.description.replacingOccurrences(of: folder.path + "/", with: ""))
    }
}

func features(_ text: String, _ name: String, type: String = "geojson", more: String = "") throws -> (
    overlays: [Overlay], warnings: [String]
) {
    try features(Array(text.utf8), name, type: type, more: more)
}

/// The error for a file of features that is refused, as an overlay and as the source of a cluster layer, which must agree, without the place
/// in the scene, which is always the same.
func refusal(_ bytes: [UInt8], _ name: String, more: String = "", sourceLocation: SourceLocation = #_sourceLocation) -> String {
    let texts = ["geojson", "clusterLayer"].map { type in
        do {
            _ = try features(bytes, name, type: type, more: more)
            return "accepted"
        } catch {
            return (error as? Refusal)?.text ?? "\(error)"
        }
    }
    #expect(texts[0] == texts[1], sourceLocation: sourceLocation)
    #expect(texts[0] != "accepted", sourceLocation: sourceLocation)
    let place = "scene.json: overlays[0].source: "
    #expect(texts[0].hasPrefix(place), "\(texts[0])", sourceLocation: sourceLocation)
    return texts[0].hasPrefix(place) ? String(texts[0].dropFirst(place.count)) : texts[0]
}

func refusal(_ text: String, _ name: String, more: String = "", sourceLocation: SourceLocation = #_sourceLocation) -> String {
    refusal(Array(text.utf8), name, more: more, sourceLocation: sourceLocation)
}

extension Array where Element == Overlay {
    var markers: [Marker] { compactMap { $0 as? Marker } }
}
