import Foundation
import Testing
import WaymarkGeo
import WaymarkImaging
import WaymarkLayout
import WaymarkScene
import WaymarkTestSupport

/// Cluster layers compared with the rule of the specification, marker by marker.
@Suite struct ClusterReferenceTests {
    /// The parts of a layer that a picture shows, by the ids of markers.
    private struct Shown: Equatable {
        var clusters: Set<[String]> = []
        var alone: Set<String> = []
        /// The hidden markers and the markers out of their zooms.
        var unshown: Set<String> = []
    }

    private func cell(_ fraction: Double, zoom: Int, size: Double) -> Int {
        // Fractions are looked at in steps of 2⁻³⁶ of the world, as the index does.
        let steps = (fraction * 0x1p36).rounded(.down)
        return Int((512 * exp2(Double(zoom)) * steps * 0x1p-36 / size).rounded(.down))
    }

    /// Groups the markers that count by their cells.
    private func expected(_ layer: ClusterLayer, zoom: Double, pixelRatio: Double = 1) -> Shown {
        let size = layer.cellSize / (layer.gridUnit == .points ? 1 : pixelRatio)
        var cells: [[Int]: [String]] = [:]
        var shown = Shown()
        for marker in layer.markers {
            guard let position = marker.position, let y = WebMercator.y(lat: position.lat) else { continue }
            guard marker.isVisible(atZoom: zoom) else {
                shown.unshown.insert(marker.id ?? "")
                continue
            }
            let x = WebMercator.x(lng: position.lng)
            let cell = [self.cell(x, zoom: Int(zoom), size: size), self.cell(y, zoom: Int(zoom), size: size)]
            cells[cell, default: []].append(marker.id ?? "")
        }
        for ids in cells.values {
            if ids.count > 1, zoom >= layer.minZoom, zoom <= layer.maxZoom {
                shown.clusters.insert(ids.sorted())
            } else {
                shown.alone.formUnion(ids)
            }
        }
        return shown
    }

    /// The inspection of a map's only layer.
    private func found(_ map: MapView) throws -> Shown {
        let inspection = try map.inspection()
        let markers = inspection.overlays.filter { $0.type == .marker }
        let unshown = markers.filter { $0.reason == .hidden || $0.reason == .outOfZoom }
        return Shown(
            clusters: Set(inspection.clusters.map { $0.markers.sorted() }),
            alone: Set(markers.map(\.id)).subtracting(unshown.map(\.id)), unshown: Set(unshown.map(\.id)))
    }

    private func marker(_ number: Int, _ random: inout SplitMix64) -> Marker {
        let marker = Marker(position: position(&random))
        marker.id = "m\(number)"
        if random.once(in: 6) { marker.isHidden = true }
        if random.once(in: 6) { (marker.minZoom, marker.maxZoom) = (random.number(0...1), random.number(1...3)) }
        if random.once(in: 8) { marker.alpha = 0 }
        return marker
    }

    private func position(_ random: inout SplitMix64) -> LatLng {
        switch random.integer(0...5) {
        case 0: LatLng(lat: random.number(-80...80), lng: random.one(of: [-180, 180, 179.9999, -179.9999, 540]))
        case 1: LatLng(lat: 10, lng: 20)
        case 2, 3: LatLng(lat: 48 + random.number(-0.5...0.5), lng: 2 + random.number(-0.5...0.5))
        default: LatLng(lat: random.number(-84...84), lng: random.number(-180...180))
        }
    }

    @Test(arguments: Seeds.all) func everyVisibleMarkerIsInOneClusterOrAlone(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let ratio = random.one(of: [1.0, 2])
        let layer = ClusterLayer()
        layer.mergesOverlapping = false
        layer.cellSize = random.number(16...300)
        layer.gridUnit = random.one(of: ClusterGridUnit.allCases)
        if random.once(in: 3) { (layer.minZoom, layer.maxZoom) = (1, 2.5) }
        for number in 0..<random.integer(0...300) { layer.add(marker(number, &random)) }
        // Pictures of the whole world, so that everything is in them.
        let map = MapView(2100, 2100, pixelRatio: ratio)
        map.add(layer)
        for edit in 0..<6 {
            map.camera.zoom = random.number(0...2)
            // Whole clusters at the border of the picture, and copies of the world, are both in it.
            #expect(try found(map) == expected(layer, zoom: map.camera.zoom, pixelRatio: ratio), "after edit \(edit)")
            for cluster in try map.placement().inspection().clusters {
                #expect(cluster.count == cluster.markers.count)
            }
            for _ in 0..<random.integer(1...40) { change(layer, &random, number: 1000 + edit) }
        }
    }

    private func change(_ layer: ClusterLayer, _ random: inout SplitMix64, number: Int) {
        let markers = layer.markers
        guard let marker = markers.isEmpty ? nil : random.one(of: markers) else { return }
        switch random.integer(0...5) {
        case 0: layer.remove(marker)
        case 1: marker.position = position(&random)
        case 2: marker.isHidden.toggle()
        case 3: marker.maxZoom = random.number(0...3)
        case 4: if markers.allSatisfy({ $0.id != "m\(number)" }) { layer.add(self.marker(number, &random)) }
        default: marker.alpha = 0.5
        }
    }

    /// Points of a source, edited one by one, show the same as markers that were objects from the beginning.
    @Test(arguments: Seeds.all) func pointsOfASourceAreEditedAsMarkersAre(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        // A few of them beyond the map.
        let places = (0..<200).map { _ in random.once(in: 20) ? LatLng(lat: 87, lng: 5) : position(&random) }
        let source = PointSource(places, hasHidden: random.once(in: 2))
        let (points, markers) = (ClusterLayer(), ClusterLayer())
        points.setSource(source)
        markers.add(places.indices.map { source.makeMarker($0) })
        let maps = [points, markers].map { layer in
            let map = MapView(2100, 2100, Camera(zoom: 1))
            map.add(layer)
            return map
        }
        var removed: Set<Int> = []
        for edit in 0..<12 {
            let found = try maps.map { try self.found($0) }
            #expect(found[0] == found[1], "before edit \(edit)")
            for _ in 0..<random.integer(1...8) {
                let index = random.integer(0...199)
                guard !removed.contains(index) else { continue }
                let place = random.once(in: 4) ? position(&random) : nil
                let kind = random.integer(0...4)
                for layer in [points, markers] {
                    let marker = try #require(layer.overlay(withID: "p\(index)"))
                    switch kind {
                    case 0: layer.remove(marker)
                    case 1: marker.isHidden.toggle()
                    case 2: marker.maxZoom = Double(index % 3)
                    default: if let place { marker.position = place }
                    }
                    // Slots of markers that were removed are used again.
                    if kind == 0, index % 2 == 0 {
                        let other = Marker(position: places[index])
                        other.id = "m\(index)"
                        layer.add(other)
                    }
                }
                if kind == 0 { removed.insert(index) }
            }
            for map in maps { map.camera.zoom = Double(edit % 3) }
        }
        #expect(Composer.of(maps[0]).statistics.clusterBuilds == 1)
    }

    @Test(arguments: Seeds.all) func editsEndWhereANewMapBegins(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let layer = ClusterLayer()
        if random.once(in: 4) { layer.strategy = .hierarchical(radius: random.number(16...120)) }
        for number in 0..<200 { layer.add(marker(number, &random)) }
        let map = MapView(700, 500, Camera(center: LatLng(lat: 30, lng: 5), zoom: 1.2, bearing: 20, tilt: 40))
        map.add(layer)
        _ = try map.frame()
        for edit in 0..<5 {
            for _ in 0..<40 { change(layer, &random, number: 1000 + edit) }
            _ = try map.frame()
        }
        let built = ClusterLayer()
        built.cellSize = layer.cellSize
        built.strategy = layer.strategy
        for marker in layer.markers {
            let copy = marker.copy()
            copy.position = marker.position
            copy.id = marker.id
            built.add(copy)
        }
        let fresh = MapView(700, 500, map.camera)
        fresh.add(built)
        for zoom in [0.3, 1.2, 2, 6.5] {
            map.camera.zoom = zoom
            fresh.camera.zoom = zoom
            #expect(try map.inspection() == fresh.inspection())
            #expect(try "\(map.frame())" == "\(fresh.frame())")
        }
    }

    @Test(arguments: Seeds.all) func clustersTellTheirMarkers(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let layer = ClusterLayer()
        layer.mergesOverlapping = false
        layer.properties = ["people"]
        for number in 0..<300 {
            let marker = marker(number, &random)
            if random.once(in: 2) { marker.userInfo["people"] = Double(random.integer(-5_000_000...5_000_000)) / 1000 }
            layer.add(marker)
        }
        let map = MapView(1100, 1100, Camera(zoom: 1))
        map.add(layer)
        let markers = Dictionary(uniqueKeysWithValues: layer.markers.map { ($0.id ?? "", $0) })
        for cluster in try map.inspection().clusters {
            let members = cluster.markers.compactMap { markers[$0] }
            #expect(members.count == cluster.count && cluster.count > 1)
            let positions = members.compactMap(\.position)
            let x = positions.map { WebMercator.x(lng: $0.lng) }.reduce(0, +) / Double(cluster.count)
            let y = positions.compactMap { WebMercator.y(lat: $0.lat) }.reduce(0, +) / Double(cluster.count)
            // A step is 360 / 2³⁶ degrees.
            #expect(abs(cluster.position.lng - WebMercator.longitude(fromX: x)) < 1e-8)
            #expect(abs(cluster.position.lat - WebMercator.latitude(fromY: y)) < 1e-8)
            #expect(
                cluster.boundingBox
                    == LatLngBounds(
                        south: positions.map(\.lat).min() ?? 0, west: positions.map(\.normalizedLng).min() ?? 0,
                        north: positions.map(\.lat).max() ?? 0, east: positions.map(\.normalizedLng).max() ?? 0))
            #expect(positions.allSatisfy(cluster.boundingBox.contains))
        }
    }
}
