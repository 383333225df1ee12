import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// `ClusterLayer.mergesOverlapping`: clusters rarely cover each other's numbers.
@Suite struct ClusterMergingTests {
    /// A position in pt from the world's upper left corner at zoom 4, where the world has 8192 pt, and a cell 80.
    private func place(_ x: Double, _ y: Double) -> LatLng {
        LatLng(lat: WebMercator.latitude(fromY: y / 8192), lng: WebMercator.longitude(fromX: x / 8192))
    }

    private func markers(_ count: Int, _ x: Double, _ y: Double = 4040) -> [Marker] {
        (0..<count).map { _ in Marker(position: place(x, y)) }
    }

    /// A map of the area around (4000, 4000), at the border of two cells.
    private func map(_ markers: [Marker], _ change: (ClusterLayer) -> Void = { _ in }) -> MapView {
        let map = MapView(600, 600, Camera(center: place(4000, 4000), zoom: 4))
        let layer = ClusterLayer(markers)
        layer.id = "shops"
        change(layer)
        map.add(layer)
        return map
    }

    private func layer(_ map: MapView) throws -> ClusterLayer { try #require(map.overlays[0] as? ClusterLayer) }

    /// The clusters of a picture: their ids and counts.
    private func found(_ map: MapView) throws -> [String] {
        try map.inspection().clusters.map { "\($0.id) \($0.count)" }.sorted()
    }

    @Test func overlappingClustersAreMerged() throws {
        let map = map(markers(3, 3990) + markers(5, 4010))
        #expect(try found(map) == ["shops/4/50/50 8"])
        let cluster = try #require(try map.inspection().clusters.first)
        // At the mean of all members' positions, with the box around them.
        let middle = place(4010 - 20 * 3.0 / 8, 4040)
        #expect(abs(cluster.position.lng - middle.lng) < 1e-8 && abs(cluster.position.lat - middle.lat) < 1e-8)
        let (west, east) = (place(3990, 4040), place(4010, 4040))
        #expect(
            cluster.boundingBox == LatLngBounds(south: west.lat, west: west.lng, north: west.lat, east: east.lng)
                && cluster.text == "8" && cluster.markers == (0..<8).map { "shops/marker-\($0)" })
        // The document's grid, unchanged.
        try layer(map).mergesOverlapping = false
        #expect(try found(map) == ["shops/4/49/50 3", "shops/4/50/50 5"])
    }

    @Test func onlyMoreThanAQuarterOfTheSmallerWidthCounts() throws {
        // Discs of 32 pt, 24 pt apart.
        #expect(try found(map(markers(3, 3988.1) + markers(5, 4011.9))) == ["shops/4/50/50 8"])
        #expect(try found(map(markers(3, 3987.9) + markers(5, 4012.1))).count == 2)
        // Discs of 32 and 48 pt, 32 pt apart.
        #expect(try found(map(markers(3, 3984.1) + markers(100, 4015.9))) == ["shops/4/50/50 103"])
        #expect(try found(map(markers(3, 3983.9) + markers(100, 4016.1))).count == 2)
        // Styles have other sizes.
        func sized(_ size: Double) throws -> Int {
            try found(
                map(markers(3, 3990) + markers(5, 4010)) {
                    $0.theme = ClusterTheme()
                    let style = BasicClusterStyle()
                    style.size = size
                    $0.theme?.setStyle(style, forDensityRange: 4...5)
                }
            ).count
        }
        #expect(try sized(16) == 2 && sized(17) == 1)
        // Images are as wide as they are, or as the default disc while they are missing.
        func image(_ image: OverlayImage) throws -> Int {
            try found(
                map(markers(3, 3990) + markers(5, 4010)) {
                    $0.theme = ClusterTheme()
                    $0.theme?.setStyle(ImageClusterStyle(image: image), forDensityRange: 2...5)
                }
            ).count
        }
        #expect(try image(.solid(26, 10)) == 2 && image(.solid(28, 10)) == 1 && image(.solid(52, 10, scale: 2)) == 2)
        #expect(try image(OverlayImage(name: "gone")) == 1)
    }

    @Test func aLoneMarkerJoinsItsLargestNeighbor() throws {
        // A pin is 26 pt wide, a disc 32.
        let map = map(markers(3, 3990) + markers(1, 4012.4))
        #expect(try found(map) == ["shops/4/49/50 4"])
        #expect(try map.inspection().overlays.map(\.id) == ["shops"])
        let marker = try layer(map).markers[3]
        marker.position = place(4012.6, 4040)
        #expect(try found(map) == ["shops/4/49/50 3"])
        marker.width = 30
        #expect(try found(map) == ["shops/4/49/50 4"])
        // A marker without an icon is a point.
        (marker.width, marker.iconImage, marker.captionText) = (0, .empty, "a")
        #expect(try found(map) == ["shops/4/49/50 3"])
        marker.position = place(4005, 4040)
        #expect(try found(map) == ["shops/4/49/50 4"])
        // Two lone markers become a cluster of the first cell.
        #expect(try found(self.map(markers(1, 3990) + markers(1, 4005))) == ["shops/4/49/50 2"])
    }

    /// Otherwise, one huge icon would compare each cluster with all others.
    @Test(arguments: [(749.0, 1), (751, 0)]) func aLoneMarkerIsAtMostAsWideAsTheLargestDisc(distance: Double, clusters: Int) throws {
        let pair = markers(1, 4000 - distance / 2) + markers(1, 4000 + distance / 2)
        for marker in pair { marker.width = 4000 }
        #expect(try found(map(pair) { $0.radius = 16 }).count == clusters)
    }

    @Test func theNeighborMustHaveNoLargerOverlappingNeighbor() throws {
        // Around the corner of four cells: the second overlaps the others, which do not overlap each other.
        func corner(_ counts: (Int, Int, Int)) throws -> [String] {
            try found(map(markers(counts.0, 3905, 4015) + markers(counts.1, 3925, 4010) + markers(counts.2, 3935, 3992)))
        }
        // The middle one joins the largest, and the first one stays.
        #expect(try corner((2, 3, 4)) == ["shops/4/48/50 2", "shops/4/49/49 7"])
        // Both join the middle one.
        #expect(try corner((2, 5, 4)) == ["shops/4/49/50 11"])
        // The middle one joins the largest of its neighbors.
        #expect(try corner((6, 3, 4)) == ["shops/4/48/50 9", "shops/4/49/49 4"])
    }

    @Test func onlyNeighboringCellsAreRead() throws {
        let markers = markers(3, 3995) + markers(5, 4012)
        #expect(try found(map(markers) { $0.cellSize = 16 }) == ["shops/4/250/252 8"])
        // With a cell between them.
        #expect(try found(map(self.markers(3, 3999) + self.markers(5, 4017)) { $0.cellSize = 16 }).count == 2)
    }

    /// Every view of a zoom shows the same clusters, whatever its center, bearing, tilt, pixel ratio and copy of the world.
    @Test(arguments: Seeds.slow) func theViewHasNoInfluence(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let layer = ClusterLayer()
        if random.once(in: 3) { layer.strategy = .hierarchical(radius: random.number(16...60)) }
        layer.cellSize = random.number(16...120)
        let places = (0..<200).map { index in
            index % 4 == 0
                ? LatLng(lat: random.number(-70...70), lng: random.number(-180...180))
                : LatLng(lat: 40 + random.number(-12...12), lng: random.one(of: [179, 10]) + random.number(-12...12))
        }
        if random.once(in: 2) {
            layer.setSource(PointSource(places))
        } else {
            layer.add(places.map { Marker(position: $0) })
        }
        struct Shown: Equatable {
            var position: LatLng
            var markers: [String]
        }
        let zoom = random.number(1...2.5)
        let map = MapView(3000, 3000, Camera(center: LatLng(lat: 0, lng: random.number(-180...180)), zoom: zoom))
        map.add(layer)
        func shown() throws -> [String: Shown] {
            let clusters = try map.inspection().clusters.map { ($0.id, Shown(position: $0.position, markers: $0.markers)) }
            return Dictionary(uniqueKeysWithValues: clusters)
        }
        let all = try shown()
        #expect(!all.isEmpty)
        for _ in 0..<8 {
            map.size = CGSize(width: random.number(100...600), height: random.number(100...600))
            map.pixelRatio = random.one(of: [1, 1, 2, 1.5])
            map.camera = Camera(
                center: random.one(of: [LatLng(lat: 40, lng: 180), LatLng(lat: 40, lng: 10), random.one(of: places)]), zoom: zoom,
                bearing: random.number(0...360), tilt: random.once(in: 3) ? 0 : random.number(0...55))
            let part = try shown()
            for (id, cluster) in part { #expect(all[id] == cluster) }
            for (id, cluster) in all where part[id] == nil {
                guard let point = map.point(from: cluster.position) else { continue }
                #expect(point.x < 0 || point.y < 0 || point.x > map.size.width || point.y > map.size.height)
            }
        }
    }

    @Test func clustersMergeAcrossTheDateLine() throws {
        let layer = ClusterLayer([179.5, 179.9, -179.5, -179.6, -179.7].map { Marker(position: LatLng(lat: 0.1, lng: $0)) })
        let map = MapView(600, 300, Camera(center: LatLng(lat: 0, lng: 180), zoom: 3))
        map.add(layer)
        for bearing in [0.0, 90, 200] {
            map.camera.bearing = bearing
            let clusters = try map.inspection().clusters
            #expect(clusters.map(\.id) == ["clusterLayer-0/3/0/25"] && clusters.map(\.count) == [5])
            // 179.7, 180.3 … in the mean, which is east of 180°.
            #expect(abs(clusters[0].position.lng - (-179.88)) < 1e-6)
            #expect(clusters[0].boundingBox == LatLngBounds(south: 0.1, west: 179.5, north: 0.1, east: -179.5))
            #expect(clusters[0].markers.count == 5)
        }
        // Shown once on each copy of the world.
        map.camera = Camera(zoom: 0)
        map.size = CGSize(width: 1000, height: 300)
        #expect(try map.inspection().clusters.map(\.count) == [5])
        #expect(try map.frame().sprites.count { $0.acrossX == 32 } == 2)
    }

    /// A merged cluster expands where its markers, in the picture of that zoom, are no longer one cluster.
    @Test(arguments: Seeds.slow) func aMergedClusterTellsWhereItExpands(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let layer = ClusterLayer(
            (0..<60).map { _ in Marker(position: place(4000 + random.number(-40...40), 4000 + random.number(-40...40))) })
        if random.once(in: 3) { layer.strategy = .hierarchical(radius: random.number(16...60)) }
        layer.maxZoom = 9
        let map = MapView(3000, 3000, Camera(center: place(4000, 4000), zoom: 4))
        map.add(layer)
        func sets(_ zoom: Double) throws -> [(Inspection.ClusterEntry, Set<String>)] {
            map.camera.zoom = zoom
            return try map.inspection().clusters.map { ($0, Set($0.markers)) }
        }
        let levels = try (0...9).map { try sets(Double($0)) }
        for (zoom, level) in levels.enumerated() {
            for (cluster, markers) in level {
                let parting = levels.indices.first { deeper in
                    deeper > zoom && !levels[deeper].contains { markers.isSubset(of: $0.1) }
                }
                // Deeper pictures show everything, since the map is large.
                #expect(cluster.expansionZoom == parting ?? 10, "\(cluster.id)")
            }
        }
    }

    @Test func sumsOfMergedClustersAreExact() throws {
        let markers = markers(3, 3990) + markers(5, 4010)
        // The sum of each part is too large.
        for (marker, value) in zip(markers, [9.2e12, 9.2e12, 1, -9.2e12, -9.2e12, 1, 1, 1]) { marker.userInfo["n"] = value }
        let style = BasicClusterStyle()
        style.text = "{sum:n} {min:n} {max:n}"
        style.size = 32
        let map = map(markers) {
            $0.theme = ClusterTheme()
            $0.theme?.setStyle(style, forDensityRange: 2...)
        }
        #expect(try map.inspection().clusters.map(\.text) == ["4 -9200B 9200B"])
        let cluster = try #require(try map.placement().shownClusters().first)
        #expect(cluster.contents.aggregate(of: "n")?.sum == 4 && cluster.contents.aggregate(of: "n")?.count == 8)
        // Each part is summed once, at every zoom at which it is shown, merged or not.
        #expect(Composer.of(map).statistics.clusterSums == 2)
        map.camera.zoom = 4.9
        #expect(try found(map).count == 2)
        #expect(Composer.of(map).statistics.clusterSums == 2)
    }

    @Test func hiddenMarkersAndEditsCount() throws {
        let map = map(markers(3, 3990) + markers(5, 4010))
        let layer = try layer(map)
        #expect(try found(map) == ["shops/4/50/50 8"])
        for marker in layer.markers[3..<6] { marker.isHidden = true }
        #expect(try found(map) == ["shops/4/49/50 5"])
        layer.remove(layer.markers[0])
        // Of equal counts, the first by its id.
        #expect(try found(map) == ["shops/4/49/50 4"])
        layer.markers[0].position = place(3900, 3900)
        #expect(try found(map) == ["shops/4/50/50 3"])
        layer.maxZoom = 3
        #expect(try found(map) == [])
    }

    @Test func clustersByDistanceAreMerged() throws {
        // A radius of 20 pt, and discs of 32 pt.
        let markers = markers(3, 3990) + markers(5, 4013)
        let map = map(markers) { $0.radius = 20 }
        #expect(try found(map) == ["shops/4/3 8"])
        try layer(map).mergesOverlapping = false
        #expect(try found(map) == ["shops/4/0 3", "shops/4/3 5"])
    }

    @Test func aStyleHidesWhatItsClusterCovers() throws {
        let style = BasicClusterStyle()
        let map = map(markers(3, 4000, 4000)) {
            $0.theme = ClusterTheme()
            $0.theme?.setStyle(style, forDensityRange: 2...)
        }
        try map.put("below", 310, 300) {
            $0.zIndex = -1
            $0.captionText = "a"
        }
        map.symbols = [Symbol(position: place(3985, 4000), captionText: "symbol")]
        func hidden() throws -> [String?] {
            let inspection = try map.inspection()
            let below = try #require(inspection.overlays.last)
            return [below.icon?.hiddenBy, below.caption?.hiddenBy, inspection.symbols[0].hiddenBy]
        }
        let cluster = try #require(try map.inspection().clusters.first?.id)
        #expect(try hidden() == [nil, nil, nil])
        style.isHideCollidedSymbols = true
        #expect(try hidden() == [nil, nil, cluster])
        (style.isHideCollidedSymbols, style.isHideCollidedCaptions) = (false, true)
        #expect(try hidden() == [nil, cluster, nil])
        (style.isHideCollidedCaptions, style.isHideCollidedMarkers) = (false, true)
        #expect(try hidden()[0] == cluster)
        // The default disc in place of a missing image keeps them.
        let image = ImageClusterStyle(image: OverlayImage(name: "gone"))
        image.isHideCollidedMarkers = true
        let theme = ClusterTheme()
        theme.setStyle(image, forDensityRange: 2...)
        try layer(map).theme = theme
        #expect(try hidden()[0] == cluster)
    }

    @Test func aStyleScalesWithDistance() throws {
        let style = BasicClusterStyle()
        let map = map(markers(3, 4000, 3850) + markers(3, 4000, 4150)) {
            $0.theme = ClusterTheme()
            $0.theme?.setStyle(style, forDensityRange: 2...)
        }
        map.camera.tilt = 50
        func widths() throws -> [Double] {
            try map.inspection().clusters.compactMap { $0.icon?.quad }.map { $0[1].x - $0[0].x }
        }
        #expect(try widths() == [32, 32])
        style.iconPerspectiveEnabled = true
        let scaled = try widths()
        #expect(scaled.count == 2 && scaled[0] < 31 && scaled[1] > 33)
        // The number scales with its disc.
        let sprites = try map.frame().sprites
        #expect(sprites.count == 4 && sprites[1].downY < sprites[3].downY)
        // Overlaps are those of the ground plane, whatever the scale.
        #expect(try found(map).count == 2)
    }
}
