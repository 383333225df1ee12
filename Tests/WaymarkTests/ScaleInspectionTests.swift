import Testing
import Waymark
import WaymarkTestSupport

@Suite(.serialized) @MainActor struct ScaleInspectionTests {
    init() { PinnedRasterizer.pin }

    /// The image's own size does not replace a size of 0, which would make the smallest value the largest bubble.
    @Test func valuesOfZeroDrawNothing() throws {
        let folder = ScratchFolder()
        let features = [0, 1, 100].map {
            #"{"type": "Feature", "properties": {"v": \#($0)}, "geometry": {"type": "Point", "coordinates": [\#($0), 0]}}"#
        }
        try folder.write(#"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ", "))]}"#, "data.geojson")
        let size = #"{"by": "v", "sqrt": [0, 50]}"#
        let text = #"""
            {"waymark": 1, "size": {"width": 400, "height": 100}, "camera": {"center": [50, 0], "zoom": 1}, "overlays": [
             {"type": "geojson", "source": "data.geojson", "marker": {"iconImage": "builtin:red", "width": \#(size), "height": \#(size)}}]}
            """#
        let mapView = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/").mapView
        let widths = try mapView.inspection().overlays.map { entry -> Double in
            let places = entry.icon?.quad?.map(\.x) ?? []
            return (places.max() ?? 0) - (places.min() ?? 0)
        }
        #expect(widths == [0, 5, 50])
    }
}
