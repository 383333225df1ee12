import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

@Suite struct ClusterTests {
    private let paris = LatLng(lat: 48.8566, lng: 2.3522)

    private func map(_ layer: ClusterLayer, zoom: Double = 3, ratio: Double = 1) -> MapView {
        let map = MapView(400, 300, pixelRatio: ratio, Camera(center: LatLng(lat: 48.8566, lng: 2.3522), zoom: zoom))
        map.add(layer)
        return map
    }

    private func layer(_ count: Int, at position: LatLng) -> ClusterLayer {
        ClusterLayer((0..<count).map { _ in Marker(position: position) })
    }

    @Test func aMarkerThatIsAloneIsAMarker() throws {
        let layer = layer(1, at: paris)
        let map = map(layer)
        #expect(try map.frame().images.map(\.name) == ["builtin:green"])
        let inspection = try map.inspection()
        #expect(inspection.clusters.isEmpty && inspection.overlays.map(\.id) == ["clusterLayer-0", "clusterLayer-0/marker-0"])
        #expect(inspection.overlays[0].members == ["clusterLayer-0/marker-0"] && inspection.overlays[0].isVisible)
        let quad = try #require(inspection.overlays[1].icon?.quad)
        #expect(inspection.overlays[1].isVisible && quad[2].y == 150)
    }

    @Test func aClusterIsADiscWithACount() throws {
        let map = map(layer(7, at: paris))
        let frame = try map.frame()
        #expect(frame.images.map(\.name) == ["disc:1f6fd6-ffffff-3-32", "text “7”"])
        let cluster = try #require(try map.inspection().clusters.first)
        #expect(cluster.count == 7 && cluster.text == "7" && cluster.layer == "clusterLayer-0" && cluster.expansionZoom == nil)
        #expect(cluster.id == "clusterLayer-0/3/25/17" && cluster.markers.count == 7 && cluster.markers[6] == "clusterLayer-0/marker-6")
        let quad = try #require(cluster.icon?.quad)
        #expect(quad[0].x == 184 && quad[0].y == 134 && quad[2].x == 216 && quad[2].y == 166)
    }

    /// "Default cluster style": both ends of every size.
    @Test func sizesOfTheDefaultStyle() throws {
        for (count, diameter) in [(2, 32), (9, 32), (10, 40), (99, 40), (100, 48), (999, 48), (1000, 56), (1001, 56)] {
            #expect(try map(layer(count, at: paris)).frame().images[0].name == "disc:1f6fd6-ffffff-3-\(diameter)")
        }
    }

    /// The document's theme: red from 10 to 19, green from 20 to 30, an image from 2 to 9, and the default for all others.
    @Test func everyRangeOfTheDocumentAtBothEnds() throws {
        let (red, green) = (BasicClusterStyle(), BasicClusterStyle())
        (red.fillColor, green.fillColor) = (.red, .green)
        let theme = ClusterTheme()
        theme.setStyle(red, forDensityRange: 10...19)
        theme.setStyle(green, forDensityRange: 20...30)
        theme.setStyle(ImageClusterStyle(image: .pink), forDensityRange: 2...9)
        let names = [
            2: "builtin:pink", 9: "builtin:pink", 10: "disc:ff0000-ffffff-3-40", 19: "disc:ff0000-ffffff-3-40",
            20: "disc:00ff00-ffffff-3-40",
            30: "disc:00ff00-ffffff-3-40", 31: "disc:1f6fd6-ffffff-3-40", 1000: "disc:1f6fd6-ffffff-3-56",
        ]
        for (count, name) in names {
            let layer = layer(count, at: paris)
            layer.theme = theme
            #expect(try map(layer).frame().images[0].name == name)
        }
    }

    @Test func changingTheThemeClustersNothingAgain() throws {
        let layer = layer(12, at: paris)
        let map = map(layer)
        #expect(try map.frame().images[0].name == "disc:1f6fd6-ffffff-3-40")
        let before = Composer.of(map).statistics
        let read = before.refreshedOverlays
        #expect(before.clusterBuilds == 1 && before.clusterEdits == 0)
        let theme = ClusterTheme()
        let style = BasicClusterStyle()
        theme.setStyle(style, forDensityRange: 2...)
        style.fillColor = .red
        layer.theme = theme
        #expect(try map.frame().images[0].name == "disc:ff0000-ffffff-3-40")
        // A style may be changed while it is in use.
        style.fillColor = .black
        style.strokeWidth = 0
        #expect(try map.frame().images[0].name == "disc:000000-ffffff-0-40")
        // Only the layer was read.
        #expect(Composer.of(map).statistics.refreshedOverlays == read + 1)
        // Nor does a style of markers, or the view; a move clusters one marker again, and other cells all of them.
        layer.markers[0].iconTintColor = .red
        map.camera.zoom = 9
        _ = try map.frame()
        #expect(Composer.of(map).statistics.clusterBuilds == 1 && Composer.of(map).statistics.clusterEdits == 0)
        layer.markers[0].position = LatLng(lat: 1, lng: 2)
        _ = try map.frame()
        #expect(Composer.of(map).statistics.clusterBuilds == 1 && Composer.of(map).statistics.clusterEdits == 1)
        layer.cellSize = 100
        _ = try map.frame()
        #expect(Composer.of(map).statistics.clusterBuilds == 2 && Composer.of(map).statistics.clusterEdits == 1)
    }

    @Test func unitsOfTheGrid() throws {
        // Two markers 60 pt apart, in one cell of 80 pt, and in two of 80 device pixels at ratio 2.
        let ratio1 = MapView(400, 300, Camera(zoom: 2))
        let ids = { (unit: ClusterGridUnit, ratio: Double) -> [String] in
            let layer = ClusterLayer()
            layer.mergesOverlapping = false
            layer.gridUnit = unit
            for x in [965.0, 1025] {
                layer.add(Marker(position: LatLng(lat: 0.5, lng: WebMercator.longitude(fromX: x / 2048))))
            }
            let map = MapView(400, 300, pixelRatio: ratio, ratio1.camera)
            map.add(layer)
            return try map.inspection().clusters.map(\.id)
        }
        #expect(try ids(.points, 1) == ["clusterLayer-0/2/12/12"])
        #expect(try ids(.points, 2) == ["clusterLayer-0/2/12/12"])
        #expect(try ids(.devicePixels, 1) == ["clusterLayer-0/2/12/12"])
        #expect(try ids(.devicePixels, 2) == [])
    }

    @Test func pixelRatioMayChange() throws {
        let layer = ClusterLayer((0..<200).map { Marker(position: LatLng(lat: Double($0 / 20), lng: Double($0 % 20))) })
        layer.gridUnit = .devicePixels
        let map = MapView(800, 600, Camera(center: LatLng(lat: 5, lng: 10), zoom: 4))
        map.add(layer)
        let before = try map.inspection().clusters
        map.pixelRatio = 2
        let finer = try map.inspection().clusters
        #expect(finer.count > before.count)
        map.pixelRatio = 1
        #expect(try map.inspection().clusters == before)
    }

    @Test func aClusterIsOnEveryCopyOfTheWorld() throws {
        let layer = ClusterLayer([179.9, 180, -180, -179.99].map { Marker(position: LatLng(lat: 0.1, lng: $0)) })
        layer.mergesOverlapping = false
        let map = MapView(1000, 300, Camera(zoom: 0))
        map.add(layer)
        let inspection = try map.inspection()
        // The cells of both sides meet at ±180°: 180° is -180°.
        #expect(inspection.clusters.map(\.count) == [3])
        #expect(inspection.clusters[0].boundingBox.width < 0.02 && inspection.overlays.count == 2)
        #expect(try map.frame().sprites.count { $0.acrossX == 32 } == 2)
    }

    @Test func whatIsNotShown() throws {
        func reason(_ change: (ClusterLayer) -> Void, count: Int = 3) throws -> Reason? {
            let layer = layer(count, at: paris)
            change(layer)
            let shown = map(layer)
            let entry = try shown.inspection().overlays[0]
            #expect(try shown.frame().sprites.isEmpty && shown.inspection().clusters.isEmpty)
            return entry.reason
        }
        #expect(try reason { $0.isHidden = true } == .hidden)
        #expect(try reason { $0.setVisibility(false, atZoom: 3) } == .outOfZoom)
        #expect(try reason({ _ in }, count: 0) == .empty)
        #expect(try reason { $0.cellSize = 15 } == .invalid)
        #expect(try reason { $0.strategy = .hierarchical(radius: .nan) } == .invalid)
        #expect(try reason { for marker in $0.markers { marker.position = LatLng(lat: -40, lng: 0) } } == .outOfView)
        #expect(try reason { for marker in $0.markers { marker.isHidden = true } } == .empty)
        let hidden = Container([layer(2, at: paris)])
        hidden.isHidden = true
        let other = MapView(400, 300, Camera(center: paris, zoom: 3))
        other.add(hidden)
        #expect(try other.frame().sprites.isEmpty)
        hidden.isHidden = false
        #expect(try other.frame().sprites.count == 2)
    }

    @Test func outsideItsZoomsNothingIsClustered() throws {
        let layer = layer(3, at: paris)
        (layer.minZoom, layer.maxZoom) = (2, 3.5)
        let map = map(layer)
        for (zoom, clusters) in [(1.99, 0), (2, 1), (3.5, 1), (3.51, 0)] {
            map.camera.zoom = zoom
            let inspection = try map.inspection()
            #expect(inspection.clusters.count == clusters && inspection.overlays.count == (clusters == 0 ? 4 : 1))
            // They part where clustering ends.
            #expect(inspection.clusters.allSatisfy { $0.expansionZoom == 4 })
        }
    }

    @Test func clustersAreOrderedAmongMarkers() throws {
        let layer = layer(2, at: paris)
        let map = map(layer)
        // North of the cluster, and so below it; south of it, and so above.
        map.add(49, 2.3522) { $0.id = "north" }
        map.add(48, 2.3522) { $0.id = "south" }
        func orders() throws -> [Int?] {
            let inspection = try map.inspection()
            return [inspection.overlays[1].order, inspection.clusters[0].order, inspection.overlays[2].order]
        }
        #expect(try orders() == [0, 1, 2])
        layer.zIndex = 1
        #expect(try orders() == [0, 2, 1])
        layer.globalZIndex = 100
        #expect(try orders() == [1, 0, 2])
        layer.mapLayerType = .road
        layer.globalZIndex = Marker.defaultGlobalZIndex
        #expect(try orders() == [1, 0, 2])
    }

    @Test func markersAloneHaveTheirOwnOrder() throws {
        let layer = ClusterLayer()
        let (low, high) = (Marker(position: LatLng(lat: 40, lng: 2)), Marker(position: LatLng(lat: 55, lng: 2)))
        (low.id, high.id) = ("low", "high")
        high.zIndex = 1
        layer.add([low, high])
        let map = map(layer)
        map.add(48, 2) { $0.id = "other" }
        #expect(try map.drawn().filter { $0 != "clusterLayer-0" } == ["other", "low", "high"])
        layer.zIndex = -1
        #expect(try map.drawn() == ["low", "high", "other"])
    }

    /// Without it, the head of a lone pin may cover the number of a cluster farther up.
    @Test func aNegativeZIndexDrawsLoneMarkersBeneathClusters() throws {
        let layer = layer(2, at: paris)
        let lone = Marker(position: LatLng(lat: paris.lat - 5, lng: paris.lng))
        lone.id = "lone"
        layer.add(lone)
        let map = map(layer)
        func orders() throws -> [Int?] {
            let inspection = try map.inspection()
            return [inspection.overlays.last?.order, inspection.clusters.first?.order]
        }
        #expect(try orders() == [1, 0])
        lone.zIndex = -1
        #expect(try orders() == [0, 1])
    }

    @Test func aMarkerThatHidesOthersHidesClusters() throws {
        let layer = layer(4, at: paris)
        let map = map(layer)
        map.add(paris.lat, paris.lng) {
            $0.id = "king"
            $0.zIndex = 1
            $0.isHideCollidedMarkers = true
        }
        let cluster = try map.inspection().clusters[0]
        #expect(cluster.order == nil && cluster.icon?.hiddenBy == "king" && cluster.icon?.isVisible == false)
        #expect(try map.frame().sprites.count == 1)
    }

    @Test func aTextTooWideIsSmaller() throws {
        let layer = layer(2, at: paris)
        let style = BasicClusterStyle()
        style.text = "a long text: {count}"
        layer.theme = ClusterTheme()
        layer.theme?.setStyle(style, forDensityRange: 2...)
        let map = map(layer)
        let sprites = try map.frame().sprites
        #expect(sprites.count == 2 && sprites[0].acrossX == 32 && sprites[1].acrossX <= 28)
    }

    /// Every count, at its size and in small discs, is inside the ring, with its corners.
    @Test(arguments: [32.0, 40, 48, 56, 24]) func aCountFitsItsDisc(size: Double) throws {
        let layer = layer(2, at: paris)
        let style = BasicClusterStyle()
        style.size = size
        layer.theme = ClusterTheme()
        layer.theme?.setStyle(style, forDensityRange: 2...)
        let map = map(layer, ratio: 8)
        for text in ["2", "99", "999", "1000", "9999", "10k", "999k", "1M", "1.1M", "9.9M", "10M", "999M"] {
            for textSize in [8.0, 13, 40] {
                (style.text, style.textSize) = (text, textSize)
                let sprites = try map.frame().sprites
                try #require(sprites.count == 2)
                // The sprite of a text is as large as its ink.
                let ink = hypot(Double(sprites[1].acrossX), Double(sprites[1].downY)) / 8
                #expect(ink <= size - 6, "\(text) of \(textSize) pt")
            }
        }
    }

    @Test func problemsOfMarkersAndStylesAreTold() throws {
        let layer = layer(3, at: paris)
        layer.markers[1].position = LatLng(lat: 95, lng: 0)
        layer.markers[2].position = LatLng(lat: 89, lng: 0)
        let map = map(layer)
        #expect(try map.inspection().overlays.map(\.id) == ["clusterLayer-0", "clusterLayer-0/marker-0"])
        #expect(
            try map.placement().diagnostics.map(\.description) == [
                "clusterLayer-0: position.lat: the layer's marker at index 1: 95 is outside -90…90",
                "clusterLayer-0: position.lat: the layer's marker at index 2: not drawn, because the position lies outside "
                    + "the map, which ends at 85.051129° north and south",
            ])
        let style = BasicClusterStyle()
        style.textSize = 0
        layer.theme = ClusterTheme()
        layer.theme?.setStyle(style, forDensityRange: 2...)
        #expect(try map.inspection().overlays[0].reason == .invalid)
        #expect(
            try map.placement().diagnostics.contains {
                $0.description == "clusterLayer-0: theme[0].style.textSize: 0 is outside 1…512"
            })
        style.textSize = 13
        for (size, problem) in [
            (0.5, "0.5 is neither 0 nor at least 1"), (-1, "-1 is outside 0…1000"), (1001, "1001 is outside 0…1000"), (1, nil), (0, nil),
        ] as [(Double, String?)] {
            style.size = size
            let told = try map.placement().diagnostics.map(\.description).filter { $0.contains("theme") }
            #expect(told == (problem.map { ["clusterLayer-0: theme[0].style.size: \($0)"] } ?? []))
        }
    }

    @Test func whereAThemeIsWrongIsTold() throws {
        let layer = layer(3, at: paris)
        for marker in layer.markers { marker.userInfo["n"] = "many" }
        layer.theme = ClusterTheme()
        layer.theme?.setStyle(ImageClusterStyle(image: OverlayImage(name: "gone")), forDensityRange: 2...9)
        layer.properties = ["m", "n"]
        let told = try map(layer).placement().diagnostics.map(\.description)
        #expect(told.count == 3)
        #expect(told.contains { $0.hasPrefix("clusterLayer-0: properties[0]: no marker has a value for the property \"m\"") })
        #expect(
            told.contains {
                $0.hasPrefix("clusterLayer-0: theme[0].style.image: ") && $0.hasSuffix("; the default disc is drawn in its place")
            })
        let sentence = "the property \"n\" has 3 values that are not numbers from -9.2e12 to 9.2e12; they are left out"
        #expect(told.contains("clusterLayer-0: properties[1]: \(sentence)"))
    }

    /// More points alone in a picture than are kept of others: the next picture makes none of them again.
    @Test func pointsOfAPictureAreReadOnce() throws {
        final class Source: ClusterSource {
            var made = 0
            let count = 66_000
            let points = ClusterPoints(
                lats: (0..<66_000).map { Double($0 / 300) / 10 }, lngs: (0..<66_000).map { Double($0 % 300) / 10 }, id: { "\($0)" })
            let hasEqualVisibilities = true

            func makeMarker(_ index: Int) -> Marker {
                made += 1
                return Marker(position: points.position(index))
            }

            func visibility(_ index: Int) -> PointVisibility { PointVisibility() }
            func values(of properties: [String]) -> [ClusterValues] { properties.map { _ in ClusterValues() } }
            func nearestProperty(to name: String) -> String? { nil }
            func index(ofID id: String) -> Int? { Int(id) }
        }
        let source = Source()
        let layer = ClusterLayer()
        layer.setSource(source)
        layer.maxZoom = 1
        let map = MapView(1000, 1000, Camera(center: LatLng(lat: 11, lng: 15), zoom: 3))
        map.add(layer)
        #expect(try map.frame().sprites.count == source.count)
        let made = source.made
        #expect(made == source.count)
        map.camera.zoom = 3.01
        #expect(try map.frame().sprites.count == source.count)
        #expect(source.made == made)
    }

    /// A tap on a point of a source, and its removal, read nothing of the source again and are edits of the index.
    @Test func aPointOfASourceIsEditedByItself() throws {
        let source = PointSource((0..<50).map { _ in paris })
        let layer = ClusterLayer()
        layer.setSource(source)
        layer.properties = ["n"]
        let map = map(layer)
        func expect(_ count: Int, sum: Double, sourceLocation: SourceLocation = #_sourceLocation) throws {
            let cluster = try #require(try map.placement().shownClusters().first)
            #expect(cluster.count == count && cluster.contents.aggregate(of: "n")?.sum == sum, sourceLocation: sourceLocation)
        }
        let all = Double((0..<50).reduce(0, +))
        try expect(50, sum: all)
        let marker = try #require(layer.marker(numbered: 7))
        try expect(50, sum: all)
        marker.userInfo["n"] = 1000
        try expect(50, sum: all - 7 + 1000)
        // One that no picture has known as a marker, and one that a picture has.
        layer.remove(try #require(layer.marker(numbered: 8)))
        try expect(49, sum: all - 7 - 8 + 1000)
        layer.remove(marker)
        try expect(48, sum: all - 7 - 8)
        // Hidden before a picture knows it, and shown again.
        let hidden = try #require(layer.marker(numbered: 9))
        hidden.isHidden = true
        try expect(47, sum: all - 7 - 8 - 9)
        hidden.isHidden = false
        try expect(48, sum: all - 7 - 8)
        hidden.isHidden = true
        try expect(47, sum: all - 7 - 8 - 9)
        layer.remove(hidden)
        try expect(47, sum: all - 7 - 8 - 9)
        let statistics = Composer.of(map).statistics
        #expect(statistics.clusterBuilds == 1 && statistics.clusterValueReads == 1 && source.reads == [["n"]])
        layer.properties = ["n", "m"]
        _ = try map.placement()
        #expect(source.reads == [["n"], ["m"]])
    }

    @Test func aPlacementTellsOfBefore() throws {
        let layer = layer(3, at: paris)
        let map = map(layer)
        let before = try map.placement()
        let told = before.inspection()
        for marker in layer.markers.dropFirst() { layer.remove(marker) }
        layer.markers[0].position = LatLng(lat: 0, lng: 0)
        #expect(try map.inspection().clusters.isEmpty)
        #expect(before.inspection() == told && told.clusters[0].count == 3)
    }

    @Test func fitLeavesOutSinglePointsOfASource() throws {
        let places = [-60.0, 10, 20, 80].map { LatLng(lat: 0, lng: $0) }
        for (unfitted, west, east) in [([], -60.0, 80.0), ([0], 10, 80), ([0, 3], 10, 20)] as [(Set<Int>, Double, Double)] {
            let layer = ClusterLayer()
            layer.setSource(PointSource(places, unfitted: unfitted))
            let map = map(layer)
            func middle() throws -> Double? { try Composer.of(map).extent(of: map, pixelRatio: 1)?.centerX }
            let expected = (WebMercator.x(lng: west) + WebMercator.x(lng: east)) / 2
            #expect(try abs(#require(try middle()) - expected) < 1e-9)
            // The same when they are objects.
            _ = layer.markers
            #expect(try abs(#require(try middle()) - expected) < 1e-9)
        }
        let layer = ClusterLayer()
        layer.setSource(PointSource(places, unfitted: [0, 1, 2, 3]))
        let map = map(layer)
        #expect(try Composer.of(map).extent(of: map, pixelRatio: 1) == nil)
    }

    @Test func fitShowsAllMarkers() throws {
        let layer = ClusterLayer([(50.0, 170.0), (40, 175), (45, -170)].map { Marker(position: LatLng(lat: $0.0, lng: $0.1)) })
        let map = MapView(400, 300)
        map.add(layer)
        let extent = try #require(try Composer.of(map).extent(of: map, pixelRatio: 1))
        #expect(abs(extent.centerX - (WebMercator.x(lng: 170) + WebMercator.x(lng: -170) + 1) / 2) < 1e-12)
        #expect(try map.extent() != nil)
        layer.isHidden = true
        #expect(try Composer.of(map).extent(of: map, pixelRatio: 1) == nil)
    }
}
