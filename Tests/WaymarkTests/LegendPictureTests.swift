import Testing
import Waymark
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// The colors of legends are those drawn on the map.
@Suite(.serialized) @MainActor struct LegendPictureTests {
    init() { PinnedRasterizer.pin }

    /// A map of squares with the values 0, 1, …, 20 pt wide on a white background, and a legend with a white panel.
    private func map(_ polygon: String, values: [String], pixelRatio: Double = 1) throws -> MapView {
        let folder = ScratchFolder()
        let features = values.enumerated().map { index, value in
            let (west, east) = (Double(index) * 10 - 60, Double(index) * 10 - 50)
            return #"{"type": "Feature", "properties": {"v": \#(value)}, "geometry": {"type": "Polygon", "coordinates": "#
                + "[[[\(west), 0], [\(east), 0], [\(east), 10], [\(west), 10], [\(west), 0]]]}}"
        }
        try folder.write(#"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ", "))]}"#, "data.geojson")
        let text = #"""
            {"waymark": 1, "size": {"width": 400, "height": 300}, "pixelRatio": \#(pixelRatio), "background": "white",
             "camera": {"center": [0, 0], "zoom": 0.5},
             "overlays": [{"type": "geojson", "source": "data.geojson", "polygon": \#(polygon)}]}
            """#
        return try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/").mapView
    }

    /// The pixel in the middle of the square of a value.
    private func drawn(_ index: Int, _ picture: Bitmap, _ mapView: MapView) throws -> Bitmap.Pixel {
        let point = try #require(mapView.point(from: LatLng(lat: 5, lng: Double(index) * 10 - 55)))
        return picture[Int(point.x * mapView.pixelRatio), Int(point.y * mapView.pixelRatio)]
    }

    /// The legend's pixels.
    private func legend(_ picture: Bitmap, _ mapView: MapView) throws -> Bitmap {
        let rect = try #require(mapView.inspection().elements.first?.rect)
        let ratio = mapView.pixelRatio
        return picture.cropped(
            Int(rect.x * ratio), Int(rect.y * ratio), Int(rect.width * ratio), Int(rect.height * ratio))
    }

    private let white = #""legend": {"backgroundColor": "white", "borderWidth": 0}"#

    @Test(arguments: [1.0, 2.0])
    func swatchesHaveTheColorsOfTheMap(ratio: Double) throws {
        for alpha in ["", #""alpha": 0.6, "#] {
            let mapView = try map(
                #"{"fillColor": {"by": "v", "steps": [1, 2, 3], "colors": "YlGnBu", "missing": "orange", \#(alpha)\#(white)}}"#,
                values: ["1", "2", "3", "4", "null"], pixelRatio: ratio)
            let picture = try draw(mapView)
            let legend = try legend(picture, mapView)
            // Without the edge and the pixels at the round corners.
            let inner = Int((20 * ratio - 2 * ratio) * (12 * ratio - 2 * ratio)) - 8
            for index in 0..<5 {
                let color = try drawn(index, picture, mapView)
                let count = legend.count { $0.isNear(color, by: alpha.isEmpty ? 0 : 1) }
                #expect(count >= inner && count < Int(20 * 12 * ratio * ratio) + 40, "class \(index), ratio \(ratio)")
            }
        }
    }

    @Test func rowsOfABarHaveTheColorsOfTheirValues() throws {
        let mapView = try map(#"{"fillColor": {"by": "v", "linear": "viridis", \#(white)}}"#, values: (0..<11).map { "\($0)" })
        let picture = try draw(mapView)
        let legend = try legend(picture, mapView)
        guard case .colors(let scale) = mapView.scales[0].resolved else { return #expect(Bool(false)) }
        // The bar is the longest column of pixels that are neither white nor text.
        let x = 10 + 7
        let rows = (0..<legend.height).filter { legend[x, $0].saturation > 40 }
        let bar = try #require(rows.first)..<(try #require(rows.last)) + 1
        #expect(bar.count == 112 && rows.count == bar.count)
        // The edge covers the first and the last row.
        for row in bar.dropFirst().dropLast() {
            let value = 10 * (1 - (Double(row - bar.lowerBound) + 0.5) / 112)
            let expected = try #require(scale.output(at: value)).premultipliedBytes
            let found = legend[x, row]
            #expect(found == Bitmap.Pixel(red: expected.red, green: expected.green, blue: expected.blue, alpha: 255))
        }
        // A value of the data is drawn in the color of the bar at its height, within half a row.
        let middle = try drawn(5, picture, mapView)
        #expect(middle.isNear(legend[x, bar.lowerBound + 55], by: 3))
    }

    @Test func iconsHaveTheTintsOfTheMap() throws {
        let folder = ScratchFolder()
        defer { withExtendedLifetime(folder) {} }
        let features = ["a", "b", "c"].enumerated().map { index, name in
            #"{"type": "Feature", "properties": {"k": "\#(name)"}, "geometry": {"type": "Point", "coordinates": [\#(index * 20 - 20), 0]}}"#
        }
        try folder.write(#"{"type": "FeatureCollection", "features": [\#(features.joined(separator: ", "))]}"#, "data.geojson")
        try folder.write(
            ##"<svg xmlns="http://www.w3.org/2000/svg" width="14" height="14"><rect width="14" height="14" fill-opacity="0.8"/></svg>"##,
            "square.svg")
        let text = #"""
            {"waymark": 1, "size": {"width": 300, "height": 200}, "background": "white", "camera": {"center": [0, 0], "zoom": 1},
             "overlays": [{"type": "geojson", "source": "data.geojson", "marker": {"iconImage": "square.svg", "anchor": [0.5, 0.5], "alpha": 0.7,
              "iconTintColor": {"by": "k", "categories": {"a": "#d1495b", "b": "#2e86ab"}, "others": "#888888", \#(white)}}}]}
            """#
        let mapView = try SceneFile(bytes: Array(text.utf8), name: "scene.json", folder: folder.path + "/").mapView
        let picture = try draw(mapView)
        let legend = try legend(picture, mapView)
        for index in 0..<3 {
            let point = try #require(mapView.point(from: LatLng(lat: 0, lng: Double(index) * 20 - 20)))
            let color = picture[Int(point.x), Int(point.y)]
            #expect(legend.count { $0.isNear(color, by: 1) } == 14 * 14, "\(index)")
        }
    }

    @Test func sizesAreThoseOfTheMap() throws {
        let mapView = try map(
            ##"{"fillColor": "#d1495b", "outlineWidth": {"by": "v", "steps": [1, 2], "numbers": [1, 2, 4], \##(white)}}"##,
            values: ["1", "2", "3"])
        let legend = try legend(draw(mapView), mapView)
        let red = Bitmap.Pixel(red: 0xd1, green: 0x49, blue: 0x5b, alpha: 255)
        // The areas inside the outlines of 20 × 12 pt.
        #expect(legend.count { $0 == red } == 18 * 10 + 16 * 8 + 12 * 4)
    }
}

extension Bitmap {
    fileprivate func count(where matches: (Bitmap.Pixel) -> Bool) -> Int {
        (0..<height).reduce(0) { sum, y in sum + (0..<width).count { matches(self[$0, y]) } }
    }
}

extension Bitmap.Pixel {
    fileprivate func isNear(_ other: Bitmap.Pixel, by distance: Int) -> Bool {
        [(red, other.red), (green, other.green), (blue, other.blue), (alpha, other.alpha)].allSatisfy { abs(Int($0) - Int($1)) <= distance }
    }

    /// The difference between the largest and the smallest channel.
    fileprivate var saturation: Int { Int(max(red, green, blue)) - Int(min(red, green, blue)) }
}
