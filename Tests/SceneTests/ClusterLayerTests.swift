import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// The calls of layers and themes on the page about marker clustering, without drawing.
@Suite struct ClusterLayerTests {
    private let mapView = MapView(size: .init(width: 100, height: 100))

    /// "Showing Cluster Markers"
    @Test func layers() {
        let mm = Marker(position: LatLng(lat: 54.54, lng: 13.23), image: MarkerImage.red)
        let cl = ClusterLayer()
        #expect(cl.add(mm))
        #expect(mapView.add(cl))
        // "The order of these two steps is not important."
        let other = Marker(position: LatLng(lat: 54, lng: 13))
        #expect(cl.add([other]))
        #expect(cl.markers == [mm, other] && cl.count == 2)
        #expect(mm.mapView === mapView && mm.clusterLayer === cl && mapView.overlays == [cl])
        // "To remove a marker or collection or markers from the cluster layer again"
        #expect(cl.remove(mm))
        #expect(cl.markers == [other] && mm.mapView == nil && mm.clusterLayer == nil)
        #expect(cl.remove(cl.markers))
        #expect(cl.markers.isEmpty && cl.count == 0)
        #expect(mapView.takeReports().isEmpty)
    }

    /// "For example, if you want red for all clusters between density 10 to 19, and green for 20 to 30, and the default blue for all other
    /// cases"
    @Test func themes() {
        let redStyle = BasicClusterStyle()
        redStyle.fillColor = .red
        let greenStyle = BasicClusterStyle()
        greenStyle.fillColor = .green
        let theme = ClusterTheme()
        #expect(theme.setStyle(redStyle, forDensityRange: 10...19))
        #expect(theme.setStyle(greenStyle, forDensityRange: 20...30))
        // "Make sure that density ranges do not overlap, or otherwise setStyle:forDensityRange: returns NO."
        #expect(!theme.setStyle(greenStyle, forDensityRange: 19...19))
        #expect(!theme.setStyle(greenStyle, forDensityRange: 2...1000))
        #expect(!theme.setStyle(greenStyle, forDensityRange: 25...))
        // Nothing was changed by these.
        #expect(theme.styles.map(\.densityRange) == [10...19, 20...30])
        #expect(theme.styles.map { $0.style === redStyle } == [true, false])
        let imageStyle = ImageClusterStyle(image: MarkerImage.clusterLow)
        #expect(theme.setStyle(imageStyle, forDensityRange: 2...9))
        #expect(theme.styles.map(\.densityRange) == [2...9, 10...19, 20...30])
        for (count, style) in [(2, imageStyle), (9, imageStyle), (10, redStyle), (19, redStyle), (20, greenStyle), (30, greenStyle)] {
            #expect(theme.style(forDensity: count) === style)
        }
        #expect(theme.style(forDensity: 31) == nil)
        let cl = ClusterLayer()
        cl.theme = theme
        #expect(cl.theme === theme)
    }

    @Test func impossibleRanges() {
        let theme = ClusterTheme()
        let style = BasicClusterStyle()
        #expect(!theme.setStyle(style, forDensityRange: 1...5) && !theme.setStyle(style, forDensityRange: 0...5))
        #expect(!theme.setStyle(style, forDensityRange: 10..<10) && theme.styles.isEmpty)
        #expect(theme.setStyle(style, forDensityRange: 10..<12) && theme.styles[0].densityRange == 10...11)
        #expect(theme.setStyle(style, forDensityRange: 12...) && theme.style(forDensity: 5_000_000) === style)
    }

    /// In any order, with every count looked up.
    @Test func manyRanges() {
        let theme = ClusterTheme()
        let styles = (0..<100).map { _ in BasicClusterStyle() }
        for index in styles.indices.shuffled() {
            #expect(theme.setStyle(styles[index], forDensityRange: 10 * index + 5...10 * index + 9))
            #expect(!theme.setStyle(styles[0], forDensityRange: 10 * index + 9...10 * index + 10))
            #expect(!theme.setStyle(styles[0], forDensityRange: 10 * index + 2...10 * index + 5))
            #expect(!theme.setStyle(styles[0], forDensityRange: 10 * index + 6...10 * index + 7))
        }
        #expect(theme.styles.map(\.densityRange.lowerBound) == styles.indices.map { 10 * $0 + 5 })
        for count in 2...1005 {
            #expect(theme.style(forDensity: count) === (count % 10 < 5 || count > 1000 ? nil : styles[count / 10]))
        }
    }

    @Test func refusals() {
        let (first, second) = (ClusterLayer(), ClusterLayer())
        (first.id, second.id) = ("first", "second")
        let marker = Marker(position: LatLng(1, 2))
        marker.id = "shop"
        mapView.add([first, second])
        #expect(first.add(marker))
        #expect(!first.add(marker) && !second.add(marker) && !mapView.add(marker) && !Container().add(marker))
        #expect(!second.remove(marker))
        #expect(!first.add(Marker()))
        #expect(!first.add([Marker(), Marker(), Marker(position: LatLng(3, 4))]) && first.count == 2)
        let twin = Marker(position: LatLng(1, 2))
        twin.id = "shop"
        #expect(!second.add(twin) && !mapView.add(twin))
        #expect(
            mapView.takeReports().map(\.description) == [
                "shop: not added to the clusterLayer \"first\", because the marker is already there",
                "shop: not added to the clusterLayer \"second\", because the marker is in the clusterLayer \"first\"; "
                    + "remove it from there first",
                "shop: not added to the map, because the overlay is in the clusterLayer \"first\"; remove it from there first",
                "shop: not added to a container, because the overlay is in the clusterLayer \"first\"; remove it from there first",
                "shop: not removed from the clusterLayer \"second\", because the marker is not there",
                "marker: position: not added to the clusterLayer \"first\", because the marker has no position",
                "first: position: 2 markers were not added, because they have no position",
                "shop: not added to the clusterLayer \"second\", because another overlay has this id",
                "shop: id: not added to the map, because another overlay has this id",
            ])
        #expect(mapView.overlay(withID: "shop") === marker)
    }

    @Test func aMarkerOfTheMapMovesIntoTheLayer() {
        let marker = Marker(position: LatLng(1, 2))
        mapView.add(marker)
        let layer = ClusterLayer()
        mapView.add(layer)
        #expect(layer.add(marker) && mapView.overlays == [layer] && marker.mapView === mapView)
        marker.mapView = nil
        #expect(layer.count == 0 && marker.clusterLayer == nil)
        layer.add(marker)
        mapView.remove(marker)
        #expect(layer.count == 0)
        mapView.remove(layer)
        layer.add(marker)
        #expect(marker.mapView == nil && marker.clusterLayer === layer)
    }

    @Test func numbersAreCutNotRounded() {
        let expected = [
            2: "2", 9_999: "9999", 10_000: "10k", 10_999: "10k", 999_999: "999k", 1_000_000: "1M", 1_099_999: "1M", 1_100_000: "1.1M",
            9_999_999: "9.9M", 10_000_000: "10M", 999_999_999: "999M", 1_000_000_000: "1B", 2_147_000_000: "2.1B",
        ]
        for (count, text) in expected { #expect(ClusterNumber.text(count) == text) }
        let values: [Int64: String] = [
            1_500_000: "1.5", -1_500_000: "-1.5", 250_000: "0.25", 10_000: "0.01", 9_999: "0", -20_000: "-0.02", 12_345_678_000_000: "12M",
            -12_345_678_000: "-12k", 9_999_990_000: "9999.99",
        ]
        for (value, text) in values { #expect(ClusterNumber.text(millionths: value) == text) }
    }

    @Test func textsOfStyles() throws {
        #expect(
            try ClusterText("{count} × {sum:a b}{{}}").parts == [
                .count, .literal(" × "), .aggregate(.sum, property: "a b"), .literal("{}"),
            ])
        for (text, problem) in [
            ("{", "a { has no matching }; write {{ for a literal brace"), ("}", "a } has no matching {; write }} for a literal brace"),
            ("{mean:x}", "{mean:x} is unknown; use {count}, {sum:NAME}, {min:NAME} or {max:NAME}"),
            ("{sum:}", "{sum:} is unknown; use {count}, {sum:NAME}, {min:NAME} or {max:NAME}"),
        ] {
            #expect(throws: BracedText.Problem(text: problem)) { try ClusterText(text) }
        }
    }
}
