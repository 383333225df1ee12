import Foundation
import Testing
import WaymarkGeo
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Sums, minima and maxima in the texts of clusters.
@Suite struct ClusterSumTests {
    private let paris = LatLng(lat: 48.8566, lng: 2.3522)

    private func map(_ layer: ClusterLayer) -> MapView {
        let map = MapView(400, 300, Camera(center: paris, zoom: 3))
        map.add(layer)
        return map
    }

    private static let none =
        "clusterLayer-0: theme[0].style.text: no marker has a value for the property \"none\"; markers listed in a scene "
        + "have no values: use a source of features instead (in Swift, set userInfo)"

    @Test func sumsOfProperties() throws {
        let layer = ClusterLayer()
        let values: [Any] = [1, 2.5, 0.1, 0.2, Float(0.5), "many"]
        for value in values {
            let marker = Marker(position: paris)
            marker.userInfo["n"] = value
            layer.add(marker)
        }
        layer.add(Marker(position: paris))
        let style = BasicClusterStyle()
        style.text = "{sum:n} {min:n} {max:n} {sum:none}|"
        style.size = 300
        layer.theme = ClusterTheme()
        layer.theme?.setStyle(style, forDensityRange: 2...)
        let map = map(layer)
        #expect(try map.inspection().clusters.map(\.text) == ["4.3 0.1 2.5 |"])
        #expect(
            try map.placement().diagnostics.map(\.description) == [
                "clusterLayer-0: theme[0].style.text: the property \"n\" has a value that is not a number from -9.2e12 to 9.2e12; "
                    + "it is left out",
                Self.none,
            ])
        layer.markers[5].userInfo["n"] = 9.2e12
        layer.markers[6].userInfo["n"] = 9.2e12
        #expect(try map.inspection().clusters.map(\.text) == ["– 0.1 9200B |"])
        #expect(
            try map.placement().diagnostics.map(\.description) == [
                Self.none, "clusterLayer-0: theme[0].style.text: the sum of a cluster is outside ±9.2e12; a dash is drawn instead",
            ])
        // The excess meets an equal amount below 0.
        layer.markers[4].userInfo["n"] = -9.2e12
        #expect(try map.inspection().clusters[0].text.hasPrefix("9200B -9200B"))
        // A value that is not a number is reported as such, and a value that finally exists is no longer reported as missing.
        layer.markers[0].userInfo["none"] = "much"
        #expect(try map.placement().diagnostics.map(\.description).filter { $0.contains("none") }.count == 1)
        layer.markers[0].userInfo["none"] = 1
        #expect(try map.placement().diagnostics.isEmpty)
        // Without markers nothing is reported as missing.
        layer.removeAll()
        style.text = "{sum:nothing}"
        #expect(try map.placement().diagnostics.isEmpty)
    }

    @Test func sumsAreAddedUpOnce() throws {
        let layer = ClusterLayer((0..<3).map { _ in Marker(position: paris) })
        for (index, marker) in layer.markers.enumerated() { marker.userInfo["n"] = index + 1 }
        let style = BasicClusterStyle()
        style.text = "{sum:n}"
        layer.theme = ClusterTheme()
        layer.theme?.setStyle(style, forDensityRange: 2...)
        let map = map(layer)
        func expect(_ text: String, sums: Int, _ location: SourceLocation = #_sourceLocation) throws {
            #expect(try map.inspection().clusters.map(\.text) == [text], sourceLocation: location)
            #expect(Composer.of(map).statistics.clusterSums == sums, sourceLocation: location)
        }
        try expect("6", sums: 1)
        map.camera.zoom = 3.1
        try expect("6", sums: 1)
        layer.markers[2].userInfo["n"] = 10
        try expect("13", sums: 2)
        map.camera.zoom = 4
        try expect("13", sums: 3)
        layer.remove(layer.markers[2])
        try expect("3", sums: 4)
        let last = Marker(position: paris)
        last.userInfo["n"] = 5
        layer.add(last)
        try expect("8", sums: 5)
        // The cluster counts other markers there.
        layer.markers[0].setVisibility(false, atZoom: 5)
        try expect("8", sums: 6)
        map.camera.zoom = 5
        try expect("7", sums: 7)
    }
}
