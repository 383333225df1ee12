import Foundation
import Testing
import WaymarkScene
import WaymarkSceneFiles
import WaymarkTestSupport

/// Features with these properties, one per text, at different positions.
func collection(_ properties: [String]) -> String {
    let features = properties.enumerated().map { index, properties in
        "{\"type\": \"Feature\", \"properties\": \(properties), \"geometry\": {\"type\": \"Point\", \"coordinates\": [\(index), 0]}}"
    }
    return "{\"type\": \"FeatureCollection\", \"features\": [\(features.joined(separator: ", "))]}"
}

/// The markers of a scene or GeoJSON text, and its warnings.
func read(_ text: String, folder: String = "") throws(SceneError) -> (markers: [Marker], warnings: [String]) {
    let file = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder)
    return (file.mapView.overlays.compactMap { $0 as? Marker }, file.warnings.map(\.description))
}

/// The markers of a scene with one `geojson` overlay of these features and this template.
func read(_ properties: [String], template: String?, more: [String: String] = [:]) throws -> (markers: [Marker], warnings: [String]) {
    let folder = ScratchFolder()
    try folder.write(collection(properties), "points.geojson")
    for (name, text) in more { try folder.write(text, name) }
    let marker = template.map { ", \"marker\": \($0)" } ?? ""
    let overlay = "{\"type\": \"geojson\", \"source\": \"points.geojson\"\(marker)}"
    do throws(SceneError) {
        return try read("{\"waymark\": 1, \"overlays\": [\(overlay)]}", folder: folder.path + "/")
    } catch {
        throw Refusal(text: error.description.replacingOccurrences(of: folder.path + "/", with: ""))
    }
}

/// The error for a scene that is refused, without folders.
struct Refusal: Error {
    let text: String
}

/// The error for features that do not fit a template, without the place in the scene, which is always the same.
func refusal(
    _ properties: [String], template: String?, sourceLocation: SourceLocation = #_sourceLocation
) throws -> String {
    do {
        _ = try read(properties, template: template)
        Issue.record("accepted", sourceLocation: sourceLocation)
        return ""
    } catch let refusal as Refusal {
        let place = "scene.json: overlays[0].source: "
        // An error of the template itself is at its key, not in the source.
        let isOfTemplate = refusal.text.hasPrefix("scene.json: overlays[0].marker")
        #expect(refusal.text.hasPrefix(place) || isOfTemplate, "\(refusal.text)", sourceLocation: sourceLocation)
        return isOfTemplate ? refusal.text : String(refusal.text.dropFirst(place.count))
    }
}
