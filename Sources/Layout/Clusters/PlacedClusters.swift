import WaymarkClustering
import WaymarkFrame
import WaymarkGeo
import WaymarkScene

/// What a cluster layer shows in one picture.
struct ShownLayer: Sendable {
    /// The layer's slot on its map.
    let slot: Int32
    /// Its place in the drawing order.
    let order: LayerOrder
    /// Why nothing of it is shown; nil when something may be.
    var reason: Reason?
    /// The whole zoom level whose clusters are shown, and the groups of markers that are.
    let zoom: Int
    var groups: [Int] = []
    /// The groups of markers that are out of their zooms.
    var otherGroups: [Int] = []
    /// Whether the zoom is one at which markers are clustered.
    var isClustered: Bool
    /// The deepest level at which they are.
    var deepestZoom = 0
    /// Its range among the guests of the picture, and what each is.
    var guests: Range<Int>
    var items: [FoundCluster] = []
    /// By index in `items`: the text of a cluster.
    var texts: [String] = []
    /// Its markers then.
    var snapshot = ClusterSnapshot()
}

/// The markers of a cluster layer as they were in one picture.
struct ClusterSnapshot: Sendable {
    var index = PointClusters(.grid(cellSize: 80))
    /// The points of the layer's source; those that were made markers have slots.
    var points: ClusterPoints?
    /// Which of the layer's sources that is; see `ClusterLayer.sourceCount`.
    var sourceCount = 0
    var slotsOfPoints: [Int32: Int32] = [:]
    var pointsOfSlots: [Int32: Int32] = [:]
    /// By slot: the markers that are objects.
    var positions: [LatLng] = []
    var columns = PointColumns()
    var table = OverlayTable()
    /// By slot: the markers' keys outside the layer.
    var keys = SortKeyTable()
    var values = ClusterValueTable()
    /// The style of the first point of the source, with which all are fitted.
    var pointStyle: IconStyle?
    /// The points of the source that are not fitted; nil for all.
    var unfittedPoints: Set<Int32>? = []
    /// The points of the source that are hidden.
    var hiddenPoints: [Int32] = []

    private var pointCount: Int { points?.lats.count ?? 0 }

    /// The slot of a marker that is an object.
    private func slot(_ number: Int32) -> Int32? {
        number < pointCount ? slotsOfPoints[number] : number - Int32(pointCount)
    }

    /// The number of the marker in a slot.
    func number(ofSlot slot: Int32) -> Int32 { pointsOfSlots[slot] ?? Int32(pointCount) + slot }

    /// The place of a point of the source, and its height as a fraction of the world's size; nil for a marker that is an object.
    func placeOfPoint(_ number: Int32) -> (place: WorldPoint, height: Double)? {
        guard slot(number) == nil, let position = points?.position(Int(number)), let y = WebMercator.y(lat: position.lat) else {
            return nil
        }
        let height = position.altitude == 0 ? 0 : position.altitude * WebMercator.pointsPerMetre(lat: position.lat, worldSize: 1)
        return (WorldPoint(x: WebMercator.x(lng: position.lng), y: y), height)
    }

    func position(_ number: Int32) -> LatLng {
        if let slot = slot(number) { return positions[Int(slot)] }
        return points?.position(Int(number)) ?? LatLng(lat: 0, lng: 0)
    }

    /// The smallest box around markers, none of which is across ±180° from another.
    func bounds(_ forEach: ((Int32) -> Void) -> Void) -> LatLngBounds {
        var (south, west, north, east) = (Double.infinity, Double.infinity, -Double.infinity, -Double.infinity)
        forEach { number in
            let position = position(number)
            let lng = position.normalizedLng
            (south, north) = (min(south, position.lat), max(north, position.lat))
            (west, east) = (min(west, lng), max(east, lng))
        }
        return LatLngBounds(uncheckedSouth: south, west: west, north: north, east: east)
    }

    /// The extents of the markers that are fitted, each as if it stood alone: those that are objects with their icons, points of the source
    /// with the icon of the first.
    func extents() -> [ClusterExtent] {
        var places = [[WorldPoint]](repeating: [], count: columns.styles.count)
        var ofPoints: [WorldPoint] = []
        index.forEachNumber { number in
            guard let slot = slot(number) else {
                guard let unfittedPoints, !unfittedPoints.contains(number), let position = points?.position(Int(number)),
                    let y = WebMercator.y(lat: position.lat)
                else {
                    return
                }
                return ofPoints.append(WorldPoint(x: WebMercator.x(lng: position.lng), y: y))
            }
            guard !table.unfitted.contains(slot) else { return }
            places[Int(columns.styleIDs[Int(slot)])].append(columns.places[Int(slot)])
        }
        let extents = places.indices.filter { !places[$0].isEmpty }.map { ClusterExtent(places[$0], columns.styles[Int32($0)]) }
        guard let pointStyle, !ofPoints.isEmpty else { return extents }
        return extents + [ClusterExtent(ofPoints, pointStyle)]
    }

    /// Sorts markers in the order in which they were added: slots, and so numbers, are used again.
    func sortByAddition(_ numbers: inout [Int32]) {
        let first = Int32(pointCount)
        let insertions = table.insertions
        numbers.sort { a, b in
            guard a >= first, b >= first else { return a < b }
            return insertions[Int(a - first)] < insertions[Int(b - first)]
        }
    }

    /// A marker of the layer by its number at that time; nil when it has left the layer since, whatever has its number or slot now.
    func marker(_ number: Int32, in layer: ClusterLayer) -> Marker? {
        if number < pointCount { return layer.sourceCount == sourceCount ? layer.marker(numbered: number) : nil }
        let slot = Int(number) - pointCount
        guard layer.members.slots.indices.contains(slot), layer.members.insertions[slot] == table.insertions[slot] else { return nil }
        return layer.members.slots[slot] as? Marker
    }

    /// The index of a marker among all in the order in which they were added.
    /// - Parameter places: By slot: the index among the markers that were added.
    func place(of number: Int32, _ places: [Int32: Int]) -> Int {
        number < pointCount ? Int(number) : pointCount + (places[number - Int32(pointCount)] ?? 0)
    }

    /// The name of a marker.
    /// - Parameters:
    ///   - layer: The name of the layer.
    ///   - places: By slot: the index among the markers that were added.
    func name(_ number: Int32, layer: String, places: [Int32: Int]) -> String {
        guard let slot = slot(number) else { return points?.id(Int(number)) ?? "" }
        return table.givenID(slot) ?? table.madeUpID(slot) ?? "\(layer)/marker-\(places[slot] ?? 0)"
    }
}

/// The cluster layers of one picture.
struct PlacedClusters: PlacedContent {
    let layers: [ShownLayer]
    /// The slot of the first guest.
    let firstGuest: Int
    let viewport: Viewport
    /// The images of icons, for picking.
    let rasters: [FrameImage]

    func extent(of overlays: FittedOverlays) -> (any ExtentPart)? {
        JoinedExtent(layers.filter { overlays.contains($0.slot) }.flatMap { $0.snapshot.extents() })
    }

    /// The layers describe themselves with what they show.
    func entries(of slots: [Int32], items: [PlacedItem], _ pass: DescribingPass) -> [Inspection.OverlayEntry] { [] }

    func guestNames(_ pass: DescribingPass) -> [Int32: String] {
        var names: [Int32: String] = [:]
        for layer in layers where !layer.items.isEmpty {
            let layerName = pass.names[layer.slot] ?? ""
            let places = layer.places
            for (place, item) in zip(layer.guests, layer.items) {
                names[Int32(firstGuest + place)] =
                    item.lone < 0 ? layer.id(of: item, layerName, places) : layer.snapshot.name(item.lone, layer: layerName, places: places)
            }
        }
        return names
    }

    func describe(_ entries: [Int32: Inspection.OverlayEntry], _ pass: DescribingPass) -> DescribedGuests {
        var described = DescribedGuests()
        for layer in layers { describe(layer, entries, pass, into: &described) }
        return described
    }

    private func describe(
        _ layer: ShownLayer, _ entries: [Int32: Inspection.OverlayEntry], _ pass: DescribingPass, into described: inout DescribedGuests
    ) {
        let layerName = pass.names[layer.slot] ?? ""
        lazy var places = layer.places
        var alone: [Inspection.OverlayEntry] = []
        var (isVisible, isCollided) = (false, false)
        var copies = 0
        for (index, item) in layer.items.enumerated() {
            guard let entry = entries[Int32(firstGuest + layer.guests.lowerBound + index)] else { continue }
            // What lies beside the picture was looked at only because its icon might reach into it.
            guard entry.isVisible || entry.reason == .collided else { continue }
            isVisible = isVisible || entry.isVisible
            isCollided = isCollided || !entry.isVisible
            copies = max(copies, entry.copies)
            guard item.lone < 0 else {
                alone.append(entry)
                continue
            }
            let contents = ShownClusterContents(item, layer)
            described.clusters.append(
                Inspection.ClusterEntry(
                    id: entry.id, layer: layerName, count: item.count, text: layer.texts[index], position: item.position,
                    anchor: entry.anchor, icon: entry.icon, order: entry.order,
                    markers: contents.numbers.prefix(Inspection.mostListedMarkers).map {
                        layer.snapshot.name($0, layer: layerName, places: places)
                    }, boundingBox: contents.bounds, expansionZoom: contents.expansionZoom))
        }
        var entry = Inspection.OverlayEntry(
            id: layerName, type: .clusterLayer, isVisible: isVisible,
            reason: isVisible ? nil : layer.reason ?? (isCollided ? .collided : .outOfView), copies: copies)
        entry.members = alone.map(\.id)
        described.entries[layer.slot] = entry
        described.followers[layer.slot] = alone + unshownEntries(layer, layerName) { places }
    }
}

extension ShownLayer {
    /// By slot: the index of a marker among those that were added.
    fileprivate var places: [Int32: Int] {
        Dictionary(uniqueKeysWithValues: snapshot.table.present.enumerated().map { ($1, $0) })
    }

    /// The id of a cluster: the layer's name, the zoom level and the cell; of a hierarchy, the zoom level and the index of the first marker.
    /// - Parameter places: By slot: the index among the markers that were added.
    func id(of item: FoundCluster, _ layerName: String, _ places: [Int32: Int]) -> String {
        switch snapshot.index.strategy {
        case .grid: return "\(layerName)/\(zoom)/\(item.cell.x)/\(item.cell.y)"
        case .hierarchical:
            var first = Int.max
            snapshot.index.forEachMember(of: item, groups: groups) { first = min(first, snapshot.place(of: $0, places)) }
            return "\(layerName)/\(zoom)/\(first)"
        }
    }
}

extension FoundCluster {
    /// The mean of the markers' positions.
    var position: LatLng {
        LatLng(lat: WebMercator.latitude(fromY: mean.y), lng: WebMercator.longitude(fromX: mean.x))
    }
}

/// What a cluster of one picture knows of its markers.
struct ShownClusterContents: ClusterContents {
    private let found: FoundCluster
    private let layer: ShownLayer

    init(_ found: FoundCluster, _ layer: ShownLayer) {
        self.found = found
        self.layer = layer
    }

    private func forEachMember(_ body: (Int32) -> Void) {
        layer.snapshot.index.forEachMember(of: found, groups: layer.groups, body)
    }

    var numbers: [Int32] {
        var numbers: [Int32] = []
        numbers.reserveCapacity(found.count)
        forEachMember { numbers.append($0) }
        layer.snapshot.sortByAddition(&numbers)
        return numbers
    }

    func markers(in layer: ClusterLayer) -> [Marker] { numbers.compactMap { self.layer.snapshot.marker($0, in: layer) } }

    var bounds: LatLngBounds { layer.snapshot.bounds(forEachMember) }

    var expansionZoom: Int? {
        let parting = layer.snapshot.index.expansionZoom(of: found, deepest: layer.deepestZoom, groups: layer.groups)
        // Above the layer's zooms nothing is clustered.
        return parting ?? (layer.deepestZoom < CellGrid.deepestZoom ? layer.deepestZoom + 1 : nil)
    }

    func aggregate(of property: String) -> ClusterAggregate? { layer.snapshot.values.aggregate(of: property, forEachMember) }
}

/// A cluster in a picture, of which a ``Cluster`` can be made.
package struct ShownCluster {
    /// The slot of its layer.
    package let layer: Int32
    package let id: String
    package let count: Int
    package let position: LatLng
    package let contents: any ClusterContents
}

extension PlacedClusters {
    /// What a guest is: a cluster, or the number of a marker that its layer shows alone.
    func guest(slot: Int32, _ names: [Int32: String]) -> (layer: Int32, marker: Int32?, cluster: ShownCluster?)? {
        let place = Int(slot) - firstGuest
        guard let layer = layers.first(where: { $0.guests.contains(place) }) else { return nil }
        let item = layer.items[place - layer.guests.lowerBound]
        guard item.lone < 0 else { return (layer.slot, item.lone, nil) }
        let cluster = ShownCluster(
            layer: layer.slot, id: layer.id(of: item, names[layer.slot] ?? "", layer.places), count: item.count, position: item.position,
            contents: ShownClusterContents(item, layer))
        return (layer.slot, nil, cluster)
    }
}
