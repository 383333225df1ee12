import WaymarkClustering
import WaymarkGeo
import WaymarkScene

/// The markers of a cluster layer between pictures: their columns, as the point family keeps those of a map, and the index that clusters
/// them. Only what changed is read again.
struct ClusterMembers {
    /// The markers that are objects, by slot in the layer's own journal.
    private(set) var state = PointState()
    private(set) var table = OverlayTable()
    /// The markers' sort keys outside any container.
    private(set) var keys = SortKeyTable()
    private var containers = ContainerStates()
    /// By slot: the invalid property that excludes a marker.
    private(set) var problems: [Int32: PropertyError] = [:]
    /// By slot: positions as they were given, for exact boxes.
    private(set) var positions: [LatLng] = []
    /// By slot: where the index has the marker.
    private var entries: [IndexEntry?] = []
    /// By slot: the number of the source's point that was made this marker. The index has other points where their source says.
    private var madePoints: [Int32: Int32] = [:]
    /// How many of the layer's removals of points are known.
    private var knownRemovals = 0
    private(set) var index = PointClusters(.grid(cellSize: 80))
    /// The groups of the index: the zooms at which their markers are shown, nil for all.
    private var groups: [ZoomVisibility?] = [nil]
    private var groupsOfZooms: [ZoomVisibility?: Int] = [nil: 0]
    /// The points of the layer's source, and how many of them lie beyond the map.
    private(set) var points: ClusterPoints?
    private(set) var pointsBeyondMap = 0
    /// The points that `fit` leaves out; nil when it leaves out all.
    private var unfittedPoints: Set<Int32>? = []
    /// The points that are hidden.
    private var hiddenPoints: [Int32] = []
    private var sourceCount = -1
    /// The highest altitude of a marker so far, as a fraction of the world's size.
    private(set) var topHeight = 0.0
    /// How often the index was built, and how many markers were put into it, or taken out of it, by themselves.
    private(set) var builds = 0
    private(set) var edits = 0
    /// Whether values of the markers' own data may have changed, since `takeDataChange`.
    private var isDataChanged = true

    private struct IndexEntry: Equatable {
        var number: Int32
        var group: Int
        var place: WorldSteps
    }

    /// Above this many changes, the index is built again.
    private static func isMany(_ changes: Int, of count: Int) -> Bool { changes > 256 && changes > count / 8 }
}

extension ClusterMembers {
    /// Reads what changed since the last picture.
    /// - Parameters:
    ///   - strategy: How markers are clustered, in pt.
    ///   - forAll: What must be read again of every marker.
    mutating func read(
        _ layer: ClusterLayer, _ strategy: PointClusters.Strategy, forAll: Journal.Change, _ pass: inout ReadingPass
    ) {
        let journal = layer.members
        let isRebuilt = index.strategy != strategy || sourceCount != layer.sourceCount
        if isRebuilt { points = layer.source?.points }
        sourceCount = layer.sourceCount
        var changedSlots: [Int32] = []
        if journal.changeCount > 0 || !forAll.isEmpty {
            table.grow(to: journal.slots.count)
            table.insertions = journal.insertions
            let changes = OverlayChanges(journal, forAll: forAll, &table, &keys, &containers, &problems)
            for (slot, _) in changes.forgotten {
                state.forget(slot: slot)
                changedSlots.append(slot)
            }
            var inner = ReadingPass(
                overlays: journal.slots, table: table, containers: containers, symbols: nil, windows: pass.windows,
                resources: pass.resources, problems: problems)
            pass.resources = MapResources()
            problems = [:]
            let own = changes.byFamily[OverlayFamilyID.points.rawValue]
            state.read(own, &inner)
            (pass.resources, problems) = (inner.resources, inner.problems)
            readPositions(own, journal)
            if own.contains(where: { !$0.change.isDisjoint(with: [.data, .membership]) }) { isDataChanged = true }
            changedSlots += own.lazy.filter { !$0.change.isDisjoint(with: [.position, .visibility, .membership, .style, .icon]) }.map(
                \.slot)
        }
        if isRebuilt || Self.isMany(max(changedSlots.count, layer.removals.count - knownRemovals), of: index.count) {
            build(layer, strategy)
        } else {
            let made = knownRemovals < layer.removals.count ? Set(madePoints.values) : []
            for slot in changedSlots { update(slot, layer) }
            // Points that were removed before a picture knew them as markers.
            for number in layer.removals[knownRemovals...] where !made.contains(number) {
                guard let entry = takePoint(number, layer) else { continue }
                edits += 1
                index.remove(number, at: entry.place, inGroup: entry.group)
            }
        }
        if knownRemovals < layer.removals.count, !hiddenPoints.isEmpty { hiddenPoints.removeAll(where: layer.removedPoints.contains) }
        knownRemovals = layer.removals.count
    }

    private mutating func readPositions(_ changes: [OverlayChange], _ journal: Journal) {
        if positions.count < table.count {
            positions.append(contentsOf: repeatElement(LatLng(lat: 0, lng: 0), count: table.count - positions.count))
            entries.append(contentsOf: repeatElement(nil, count: table.count - entries.count))
        }
        for change in changes where !change.change.isDisjoint(with: [.position, .membership]) {
            guard let marker = journal.slots[Int(change.slot)] as? Marker, let position = marker.position else { continue }
            positions[Int(change.slot)] = position
        }
        topHeight = max(topHeight, state.columns.topHeight)
    }

    /// Where the index should have the marker in a slot; nil when it does not count.
    private mutating func entry(_ slot: Int32, _ layer: ClusterLayer) -> IndexEntry? {
        guard table.type(slot) != nil, state.columns.isPresent(slot) else { return nil }
        let place = state.columns.places[Int(slot)]
        return IndexEntry(
            number: layer.number(ofSlot: slot), group: group(table.zooms[slot]), place: WorldSteps(x: place.x, y: place.y))
    }

    private mutating func group(_ zooms: ZoomVisibility?) -> Int {
        if let known = groupsOfZooms[zooms] { return known }
        groupsOfZooms[zooms] = groups.count
        groups.append(zooms)
        return groups.count - 1
    }

    private mutating func update(_ slot: Int32, _ layer: ClusterLayer) {
        let entry = entry(slot, layer)
        let number = table.type(slot) == nil ? nil : layer.number(ofSlot: slot)
        let point = number.flatMap { Int($0) < layer.pointCount ? $0 : nil }
        if let point, madePoints[slot] != point {
            if let old = entries[Int(slot)] {
                edits += 1
                index.remove(old.number, at: old.place, inGroup: old.group)
            }
            entries[Int(slot)] = takePoint(point, layer)
        }
        madePoints[slot] = point
        guard entry != entries[Int(slot)] else { return }
        edits += 1
        if let old = entries[Int(slot)] { index.remove(old.number, at: old.place, inGroup: old.group) }
        if let entry { index.add(entry.number, at: entry.place, inGroup: entry.group) }
        entries[Int(slot)] = entry
    }

    /// Where the index has a point of the source that stops being one, since it is a marker now or was removed; nil when it did not count.
    private mutating func takePoint(_ number: Int32, _ layer: ClusterLayer) -> IndexEntry? {
        guard let source = layer.source else { return nil }
        let visibility = source.visibility(Int(number))
        guard !visibility.isHidden else { return nil }
        guard let place = Self.place(source.points.position(Int(number))) else {
            pointsBeyondMap -= 1
            return nil
        }
        return IndexEntry(number: number, group: group(visibility.zooms), place: WorldSteps(x: place.x, y: place.y))
    }

    /// nil beyond the ends of the map.
    private static func place(_ position: LatLng) -> WorldPoint? {
        WebMercator.y(lat: position.lat).map { WorldPoint(x: WebMercator.x(lng: position.lng), y: $0) }
    }

    /// Builds the index.
    private mutating func build(_ layer: ClusterLayer, _ strategy: PointClusters.Strategy) {
        builds += 1
        isDataChanged = true
        index = PointClusters(strategy)
        (groups, groupsOfZooms, pointsBeyondMap) = ([nil], [nil: 0], 0)
        (madePoints, unfittedPoints, hiddenPoints) = ([:], [], [])
        entries = [IndexEntry?](repeating: nil, count: max(entries.count, table.count))
        let pointCount = layer.pointCount
        var places = [WorldSteps](repeating: WorldSteps(x: Int64(0), y: 0), count: pointCount + table.count)
        var numbers: [[Int32]] = [[]]
        func add(_ number: Int32, _ group: Int) {
            while numbers.count <= group { numbers.append([]) }
            numbers[group].append(number)
        }
        if let source = layer.source, let points {
            let common = source.hasEqualVisibilities && source.count > 0 ? source.visibility(0) : nil
            let removed = layer.removedPoints
            if let common, !common.isFitted { unfittedPoints = nil }
            for number in 0..<source.count where removed.isEmpty || !removed.contains(Int32(number)) {
                guard layer.slot(ofNumber: Int32(number)) == nil else { continue }
                let visibility = common ?? source.visibility(number)
                guard !visibility.isHidden else {
                    hiddenPoints.append(Int32(number))
                    continue
                }
                guard let place = Self.place(LatLng(lat: points.lats[number], lng: points.lngs[number])) else {
                    pointsBeyondMap += 1
                    continue
                }
                places[number] = WorldSteps(x: place.x, y: place.y)
                if !visibility.isFitted { unfittedPoints?.insert(Int32(number)) }
                add(Int32(number), group(visibility.zooms))
            }
            for (number, altitude) in points.altitudes.enumerated() where altitude > 0 {
                topHeight = max(topHeight, altitude * WebMercator.pointsPerMetre(lat: points.lats[number], worldSize: 1))
            }
        }
        var isAscending = true
        for slot in 0..<Int32(table.count) {
            let number = layer.number(ofSlot: slot)
            if table.type(slot) != nil, Int(number) < pointCount { madePoints[slot] = number }
            guard let entry = entry(slot, layer) else { continue }
            entries[Int(slot)] = entry
            places[Int(entry.number)] = entry.place
            add(entry.number, entry.group)
            isAscending = isAscending && entry.number >= pointCount
        }
        for (group, numbers) in numbers.enumerated() {
            index.setPoints(isAscending ? numbers : numbers.sorted(), inGroup: group) { places[Int($0)] }
        }
    }

    /// The markers as they are now.
    func snapshot(_ layer: ClusterLayer, _ values: ClusterValueTable, _ pointStyle: IconStyle?) -> ClusterSnapshot {
        ClusterSnapshot(
            index: index, points: points, sourceCount: layer.sourceCount, slotsOfPoints: layer.slotsOfPoints, pointsOfSlots: madePoints,
            positions: positions, columns: state.columns, table: table, keys: keys, values: values, pointStyle: pointStyle,
            unfittedPoints: unfittedPoints, hiddenPoints: hiddenPoints)
    }

    /// Whether the points of the layer's source are others than those that were read.
    func isSourceChanged(_ layer: ClusterLayer) -> Bool { sourceCount != layer.sourceCount }

    /// The name of a marker in messages.
    func label(ofSlot slot: Int32) -> String {
        if let id = table.givenID(slot) ?? table.madeUpID(slot) { return "the marker \"\(id)\"" }
        let place = table.present.firstIndex(of: slot) ?? 0
        return "the marker at \(place) of its markers"
    }

    /// Returns whether values of the markers may have changed since the last call.
    mutating func takeDataChange() -> Bool {
        defer { isDataChanged = false }
        return isDataChanged
    }

    /// The groups of the index whose markers are shown at a zoom.
    func activeGroups(atZoom zoom: Double) -> [Int] { groups.indices.filter { groups[$0]?.contains(zoom) ?? true } }

    /// The other groups of the index.
    func otherGroups(atZoom zoom: Double) -> [Int] { groups.indices.filter { groups[$0]?.contains(zoom) == false } }

    mutating func prepare(groups: [Int], zooms: ClosedRange<Int>) { index.prepare(groups: groups, zooms: zooms) }
}
