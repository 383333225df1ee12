import WaymarkClustering
import WaymarkFrame
import WaymarkGeo
import WaymarkScene

/// The points that a cluster layer shows in one picture.
struct ShownLayer: Sendable {
    /// The layer's slot on its map.
    let slot: Int32
    /// The properties that the layer's markers inherit.
    let state: ContainerState
    /// The reason why nothing of the layer is shown; nil if something may be shown.
    var reason: Reason?
    /// The integer zoom level whose clusters are shown, and the groups of markers that are shown at this level.
    let zoom: Int
    var groups: [Int] = []
    /// The groups of markers that are outside their zoom ranges.
    var otherGroups: [Int] = []
    /// Whether markers are clustered at this zoom.
    var isClustered: Bool
    /// The deepest level at which markers are clustered.
    var deepestZoom = 0
    /// The widths by which overlapping clusters are merged; nil if none are.
    var discs: ClusterDiscs?
    /// The layer's range among the points of all layers of the picture, and the meaning of each point.
    var indices: Range<Int>
    var items: [MergedCluster] = []
    /// The texts of the clusters, in the order of `items`.
    var texts: [String] = []
    /// The layer's markers and values at the time of the picture.
    var markers = ClusterMarkers()
    var values = ClusterValueTable()
    /// The style of the first point of the source. `fit` uses it for all points.
    var pointStyle: IconStyle?
}

/// The cluster layers of one picture. The point family orders, places and draws the points that they show.
struct PlacedClusters: Sendable {
    let layers: [ShownLayer]
    /// The points that the layers show: clusters and lone markers.
    let points: PointColumns
    /// The sort keys of the points, and the insertion numbers of their layers.
    let keys: [SortKey]
    let insertions: [UInt32]
    /// The number of the first point. Points are numbered after the map's slots.
    let firstNumber: Int32
    let viewport: Viewport

    init(_ layers: [ShownLayer], _ points: [LayerPoint], firstNumber: Int, _ viewport: Viewport) {
        (self.layers, self.firstNumber, self.viewport) = (layers, Int32(firstNumber), viewport)
        (self.points, keys, insertions) = (PointColumns(points), points.map(\.key), points.map(\.insertion))
    }

    /// The numbers of the points.
    var numbers: [Int32] { Array(firstNumber..<firstNumber + Int32(keys.count)) }

    /// The names of the points, keyed by number.
    func names(_ pass: DescribingPass) -> [Int32: String] {
        var names: [Int32: String] = [:]
        for layer in layers where !layer.items.isEmpty {
            let layerName = pass.names[layer.slot] ?? ""
            let places = layer.markers.places
            for (index, item) in zip(layer.indices, layer.items) {
                names[firstNumber + Int32(index)] =
                    item.lone < 0 ? layer.id(of: item, layerName, places) : layer.markers.name(item.lone, layer: layerName, places: places)
            }
        }
        return names
    }

    /// The descriptions of cluster layers for an inspection.
    struct Description {
        var clusters: [Inspection.ClusterEntry] = []
        /// The entry of each layer, and the entries that follow it, keyed by the layer's slot.
        var layers: [Int32: Inspection.OverlayEntry] = [:]
        var followers: [Int32: [Inspection.OverlayEntry]] = [:]
    }

    /// Describes the layers.
    /// - Parameter entries: The point family's descriptions of the points, by index.
    func describe(_ entries: [Inspection.OverlayEntry], _ pass: DescribingPass) -> Description {
        var described = Description()
        for layer in layers { describe(layer, entries[layer.indices], pass, into: &described) }
        return described
    }

    private func describe(
        _ layer: ShownLayer, _ entries: ArraySlice<Inspection.OverlayEntry>, _ pass: DescribingPass, into described: inout Description
    ) {
        let layerName = pass.names[layer.slot] ?? ""
        lazy var places = layer.markers.places
        var alone: [Inspection.OverlayEntry] = []
        var (isVisible, isCollided) = (false, false)
        var copies = 0
        for (index, (item, entry)) in zip(layer.items, entries).enumerated() {
            // Points outside the picture were considered only because their icons might extend into it.
            guard entry.isVisible || entry.reason == .collided else { continue }
            isVisible = isVisible || entry.isVisible
            isCollided = isCollided || !entry.isVisible
            copies = max(copies, entry.copies)
            guard item.lone < 0 else {
                alone.append(entry)
                continue
            }
            let contents = ShownClusterContents(found: item, layer: layer)
            described.clusters.append(
                Inspection.ClusterEntry(
                    id: entry.id, layer: layerName, count: item.count, text: layer.texts[index], position: item.position,
                    anchor: entry.anchor, icon: entry.icon, order: entry.order,
                    markers: contents.numbers.prefix(Inspection.maximumNumberOfListedMarkers).map {
                        layer.markers.name($0, layer: layerName, places: places)
                    }, boundingBox: contents.bounds, expansionZoom: contents.expansionZoom))
        }
        var entry = Inspection.OverlayEntry(
            id: layerName, type: .clusterLayer, isVisible: isVisible,
            reason: isVisible ? nil : layer.reason ?? (isCollided ? .collided : .outOfView), copies: copies)
        entry.members = alone.map(\.id)
        described.layers[layer.slot] = entry
        described.followers[layer.slot] = alone + unshownEntries(layer, layerName) { places }
    }
}

extension ShownLayer {
    /// The id of a cluster: the layer's name, the zoom level and the cell of its largest part. With a hierarchy, the id consists of the
    /// layer's name, the zoom level, and the index of that part's first marker.
    /// - Parameter places: The index of each slot's marker among the added markers.
    func id(of item: MergedCluster, _ layerName: String, _ places: [Int32: Int]) -> String {
        switch markers.index.strategy {
        case .grid: return "\(layerName)/\(zoom)/\(item.largest.cell.x)/\(item.largest.cell.y)"
        case .hierarchical:
            var first = Int.max
            markers.index.forEachMember(of: item.largest, groups: groups) { first = min(first, markers.place(of: $0, places)) }
            return "\(layerName)/\(zoom)/\(first)"
        }
    }
}

extension ShownLayer {
    /// The clusters and lone markers whose positions lie in a part of the world, after overlapping ones have been merged.
    /// - Parameters:
    ///   - box: The part, within one copy of the world.
    ///   - index: The index of the layer's markers.
    ///   - worldSize: The size of the world in pt.
    func clusters(in box: WorldBox, of index: PointClusters, worldSize: Double) -> [MergedCluster] {
        guard let discs else {
            return index.clusters(west: box.west, north: box.north, east: box.east, south: box.south, zoom: zoom, groups: groups)
                .map(MergedCluster.init)
        }
        return index.mergedClusters(
            west: box.west, north: box.north, east: box.east, south: box.south, zoom: zoom, groups: groups,
            discs.sizes(worldSize: worldSize))
    }

    /// Whether the marker in a slot, which is shown at this zoom, is inside a cluster.
    fileprivate func isInCluster(slot: Int32, worldSize: Double) -> Bool {
        guard reason == nil, isClustered, markers.columns.isPresent(slot) else { return false }
        let number = markers.number(ofSlot: slot)
        let place = markers.columns.places[Int(slot)]
        // A lone marker is found at its own position, which the index stores in steps of 2⁻³⁶.
        let step = 0x1p-34
        let box = WorldBox(
            west: max(0, place.x - step), north: max(0, place.y - step), east: min(1, place.x + step), south: min(1, place.y + step))
        return !clusters(in: box, of: markers.index, worldSize: worldSize).contains { $0.lone == number }
    }
}

extension MergedCluster {
    /// The mean of the markers' positions.
    var position: LatLng {
        LatLng(lat: WebMercator.latitude(fromY: mean.y), lng: WebMercator.longitude(fromX: mean.x))
    }
}

/// Access to the markers of a cluster in one picture.
struct ShownClusterContents: ClusterContents {
    let found: MergedCluster
    let layer: ShownLayer

    private func forEachMember(_ body: (Int32) -> Void) {
        layer.markers.index.forEachMember(of: found, groups: layer.groups, body)
    }

    var numbers: [Int32] {
        var numbers: [Int32] = []
        numbers.reserveCapacity(found.count)
        forEachMember { numbers.append($0) }
        layer.markers.sortByAddition(&numbers)
        return numbers
    }

    func markers(in layer: ClusterLayer) -> [Marker] { numbers.compactMap { self.layer.markers.marker($0, in: layer) } }

    var bounds: LatLngBounds {
        let bounds = found.parts.map { part in
            layer.markers.bounds { layer.markers.index.forEachMember(of: part, groups: layer.groups, $0) }
        }
        // Parts on both sides of ±180° have bounds that cross it.
        return bounds.dropFirst().reduce(bounds[0]) { $0.union($1) }
    }

    var expansionZoom: Int? {
        let (index, deepest, groups) = (layer.markers.index, layer.deepestZoom, layer.groups)
        let parting =
            if let discs = layer.discs {
                index.expansionZoom(of: found, deepest: deepest, groups: groups, discs.sizes(worldSize: 0))
            } else {
                index.expansionZoom(of: found.largest, deepest: deepest, groups: groups)
            }
        // Nothing is clustered above the layer's zooms.
        return parting ?? (layer.deepestZoom < CellGrid.deepestZoom ? layer.deepestZoom + 1 : nil)
    }

    func aggregate(of property: String) -> ClusterAggregate? { layer.values.aggregate(of: property, forEachMember) }
}

/// A cluster in a picture, from which a ``Cluster`` can be made.
package struct ShownCluster {
    /// The slot of its layer.
    package let layer: Int32
    package let id: String
    package let count: Int
    package let position: LatLng
    package let contents: any ClusterContents
}

extension PlacedClusters {
    /// The target for a hit of a point that a layer shows.
    func target(_ number: Int32) -> PlacedHit.Target? {
        guard let (layer, item) = shown(number) else { return nil }
        return item.lone < 0 ? .cluster(number) : .member(layer: layer.slot, number: item.lone)
    }

    /// The cluster with a number; nil for a lone marker.
    /// - Parameter names: The names of layers, keyed by slot.
    func cluster(_ number: Int32, _ names: [Int32: String]) -> ShownCluster? {
        guard let (layer, item) = shown(number), item.lone < 0 else { return nil }
        return ShownCluster(
            layer: layer.slot, id: layer.id(of: item, names[layer.slot] ?? "", layer.markers.places), count: item.count,
            position: item.position, contents: ShownClusterContents(found: item, layer: layer))
    }

    /// Whether a marker is inside a cluster of the picture, or would be inside one if the picture were larger.
    /// - Parameters:
    ///   - layer: The slot of the marker's layer on the map.
    ///   - slot: The slot of the marker in the layer.
    func isInCluster(layer: Int32, slot: Int32) -> Bool {
        layers.first { $0.slot == layer }?.isInCluster(slot: slot, worldSize: viewport.worldSize) ?? false
    }

    private func shown(_ number: Int32) -> (layer: ShownLayer, item: MergedCluster)? {
        let index = Int(number - firstNumber)
        guard index >= 0, let layer = layers.first(where: { $0.indices.contains(index) }) else { return nil }
        return (layer, layer.items[index - layer.indices.lowerBound])
    }
}
