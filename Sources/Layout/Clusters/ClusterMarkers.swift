import WaymarkClustering
import WaymarkGeo
import WaymarkScene

/// The markers of a cluster layer, and the index that clusters them. They persist between pictures; each picture that shows the layer keeps
/// a copy.
struct ClusterMarkers: Sendable {
    var index = PointClusters(.grid(cellSize: 80))
    /// The points of the layer's source. A point that was made a marker also has a slot.
    var points: ClusterPoints?
    /// The revision of the layer's source; see `ClusterLayer.sourceCount`.
    var sourceCount = -1
    /// The slots of points that were made markers, keyed by number, and the reverse.
    var slotsOfPoints: [Int32: Int32] = [:]
    var pointsOfSlots: [Int32: Int32] = [:]
    /// The markers that are objects, by slot in the layer's store. Their sort keys apply outside the layer.
    var table = OverlayTable()
    var reader = PointReader()
    var insertions: [UInt32] = []
    /// The positions as the user gave them, indexed by slot, for exact bounding boxes.
    var positions: [LatLng] = []
    /// The points of the source that `fit` ignores; nil when it ignores all.
    var unfittedPoints: Set<Int32>? = []
    /// The points of the source that are hidden.
    var hiddenPoints: [Int32] = []

    /// The number of the source's points.
    var pointCount: Int { points?.lats.count ?? 0 }

    var columns: PointColumns { reader.columns }

    /// The slot of a marker that is an object.
    private func slot(_ number: Int32) -> Int32? {
        number < pointCount ? slotsOfPoints[number] : number - Int32(pointCount)
    }

    /// The number of the marker in a slot.
    func number(ofSlot slot: Int32) -> Int32 { pointsOfSlots[slot] ?? Int32(pointCount) + slot }

    /// The place of a point of the source, and its height as a fraction of the world's size; nil for a marker that is an object.
    func placeOfPoint(_ number: Int32) -> (place: WorldPoint, height: Double)? {
        slot(number) == nil ? points.flatMap { WorldPoint.placing($0.position(Int(number))) } : nil
    }

    func position(_ number: Int32) -> LatLng {
        if let slot = slot(number) { return positions[Int(slot)] }
        return points?.position(Int(number)) ?? LatLng(lat: 0, lng: 0)
    }

    /// The bounding box of markers, without crossing ±180°.
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

    /// The extents of the fitted markers, as if none were clustered. Markers that are objects have their own icons; points of the source
    /// have the icon of the first point.
    /// - Parameter pointStyle: The icon of the first point.
    func extents(_ pointStyle: IconStyle?) -> [ClusterExtent] {
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

    /// Sorts markers in the order in which they were added. Their numbers do not have this order, because slots are reused.
    func sortByAddition(_ numbers: inout [Int32]) {
        let first = Int32(pointCount)
        let insertions = insertions
        numbers.sort { a, b in
            guard a >= first, b >= first else { return a < b }
            return insertions[Int(a - first)] < insertions[Int(b - first)]
        }
    }

    /// The marker of the layer that had a number in this picture; nil if it has since left the layer, even if its slot is used again.
    func marker(_ number: Int32, in layer: ClusterLayer) -> Marker? {
        if number < pointCount { return layer.sourceCount == sourceCount ? layer.marker(numbered: number) : nil }
        let slot = Int(number) - pointCount
        guard layer.members.slots.indices.contains(slot), layer.members.insertions[slot] == insertions[slot] else { return nil }
        return layer.members.slots[slot] as? Marker
    }

    /// The index of a marker in the order of addition.
    /// - Parameter places: The index of each slot's marker among the added markers.
    func place(of number: Int32, _ places: [Int32: Int]) -> Int {
        number < pointCount ? Int(number) : pointCount + (places[number - Int32(pointCount)] ?? 0)
    }

    /// The name of a marker.
    /// - Parameters:
    ///   - layer: The name of the layer.
    ///   - places: The index of each slot's marker among the added markers.
    func name(_ number: Int32, layer: String, places: [Int32: Int]) -> String {
        guard let slot = slot(number) else { return points?.id(Int(number)) ?? "" }
        return table.givenID(slot) ?? table.madeUpID(slot) ?? "\(layer)/marker-\(places[slot] ?? 0)"
    }

    /// The index of each marker among the added markers, keyed by slot.
    var places: [Int32: Int] { Dictionary(uniqueKeysWithValues: table.present(insertions).enumerated().map { ($1, $0) }) }

    /// The name of a marker in messages.
    func label(ofSlot slot: Int32) -> String {
        if let id = table.givenID(slot) ?? table.madeUpID(slot) { return "the marker \"\(id)\"" }
        return "the layer's marker at index \(places[slot] ?? 0)"
    }
}

/// The extent, for `fit`, of a layer's markers with one style, as if none were clustered.
struct ClusterExtent: ExtentPart {
    private(set) var places: [WorldPoint]
    private let style: IconStyle
    /// The markers that may be outermost; nil before `unwrap`.
    private var outermost: PointExtent?

    init(_ places: [WorldPoint], _ style: IconStyle) {
        self.places = places
        self.style = style
    }

    var longitudes: [Double] { places.map(\.x) }

    mutating func unwrap(west: Double) {
        for index in places.indices where places[index].x < west { places[index].x += 1 }
        places = PointExtent.outsideOctagon(places).map { places[$0] }
        outermost = PointExtent(places.map { PointExtent.Point(place: $0, height: 0, style: style) }, CaptionColumns())
        outermost?.unwrap(west: west)
    }

    func box(in viewport: Viewport, centerX: Double) -> ScreenBox? { outermost?.box(in: viewport, centerX: centerX) }

    mutating func extend(beyond known: ScreenBox, in viewport: Viewport, centerX: Double) -> Bool {
        outermost?.extend(beyond: known, in: viewport, centerX: centerX) ?? false
    }

    mutating func reduce(to room: FitRoom) -> [OversizedItem] { outermost?.reduce(to: room) ?? [] }
    mutating func reduceToPositions() { outermost?.reduceToPositions() }
}
