import WaymarkClustering
import WaymarkGeo
import WaymarkScene

/// Reads the markers of a cluster layer, and maintains the index that clusters them. Only changes are read.
struct ClusterMembers {
    private(set) var markers = ClusterMarkers()
    /// The place in the index of each slot's marker.
    private var entries: [IndexEntry?] = []
    /// The number of removed points that were processed.
    private var knownRemovals = 0
    /// The groups of the index, each with the zooms at which its markers are shown; nil for all zooms.
    private var groups: [ZoomVisibility?] = [nil]
    private var groupsOfZooms: [ZoomVisibility?: Int] = [nil: 0]
    /// The number of the source's points that lie beyond the map.
    private(set) var pointsBeyondMap = 0
    /// The highest altitude of a marker so far, as a fraction of the world's size.
    private(set) var topHeight = 0.0
    /// The number of times that the index was built, and the number of single markers that were added or removed.
    private(set) var builds = 0
    private(set) var edits = 0
    /// Whether values of `userInfo` may have changed since `takeDataChange`.
    private var isDataChanged = true

    private struct IndexEntry: Equatable {
        var number: Int32
        var group: Int
        var place: WorldSteps
    }

    /// Whether the index should be rebuilt for this number of changes.
    private static func isMany(_ changes: Int, of count: Int) -> Bool { changes > 256 && changes > count / 8 }
}

extension ClusterMembers {
    /// Reads the changes since the last picture.
    /// - Parameters:
    ///   - strategy: How markers are clustered, in pt.
    ///   - forAll: The properties to read again for every marker.
    mutating func read(
        _ layer: ClusterLayer, _ strategy: PointClusters.Strategy, forAll: ChangedProperties, _ resources: MapResources
    ) {
        let isRebuilt = markers.index.strategy != strategy || isSourceChanged(layer)
        if isRebuilt { markers.points = layer.source?.points }
        markers.sourceCount = layer.sourceCount
        let changedSlots = layer.members.changes.count > 0 || !forAll.isEmpty ? readMarkers(layer.members, forAll: forAll, resources) : []
        if isRebuilt || Self.isMany(max(changedSlots.count, layer.removals.count - knownRemovals), of: markers.index.count) {
            build(layer, strategy)
        } else {
            let made = knownRemovals < layer.removals.count ? Set(markers.pointsOfSlots.values) : []
            for slot in changedSlots { update(slot, layer) }
            // Points that were removed before any picture read them as markers.
            for number in layer.removals[knownRemovals...] where !made.contains(number) {
                guard let entry = takePoint(number, layer) else { continue }
                edits += 1
                markers.index.remove(number, at: entry.place, inGroup: entry.group)
            }
        }
        if knownRemovals < layer.removals.count, !markers.hiddenPoints.isEmpty {
            markers.hiddenPoints.removeAll(where: layer.removedPoints.contains)
        }
        knownRemovals = layer.removals.count
    }

    /// Reads the markers that changed; returns the slots whose place in the index may have changed.
    private mutating func readMarkers(_ store: OverlayStore, forAll: ChangedProperties, _ resources: MapResources) -> [Int32] {
        let all = OverlayChanges(store, forAll: forAll, &markers.table)
        let changes = all.points
        markers.insertions = all.insertions
        _ = markers.reader.read(changes, &markers.table, resources) { _, _ in }
        topHeight = max(topHeight, markers.columns.topHeight)
        let more = markers.table.count - entries.count
        if more > 0 {
            markers.positions.append(contentsOf: repeatElement(LatLng(lat: 0, lng: 0), count: more))
            entries.append(contentsOf: repeatElement(nil, count: more))
        }
        var changedSlots = changes.removed
        for change in changes.changed {
            if !change.properties.isDisjoint(with: [.data, .membership]) { isDataChanged = true }
            if !change.properties.isDisjoint(with: [.position, .membership]),
                let position = (changes.overlays[Int(change.slot)] as? Marker)?.position
            {
                markers.positions[Int(change.slot)] = position
            }
            if !change.properties.isDisjoint(with: [.position, .visibility, .membership, .style, .icon]) {
                changedSlots.append(change.slot)
            }
        }
        return changedSlots
    }

    /// The place in the index that the marker in a slot should have; nil when it is not clustered.
    private mutating func entry(_ slot: Int32, _ layer: ClusterLayer) -> IndexEntry? {
        guard markers.table.type(slot) != nil, markers.columns.isPresent(slot) else { return nil }
        let place = markers.columns.places[Int(slot)]
        return IndexEntry(
            number: layer.number(ofSlot: slot), group: group(markers.table.zooms[slot]), place: WorldSteps(x: place.x, y: place.y))
    }

    private mutating func group(_ zooms: ZoomVisibility?) -> Int {
        if let known = groupsOfZooms[zooms] { return known }
        groupsOfZooms[zooms] = groups.count
        groups.append(zooms)
        return groups.count - 1
    }

    private mutating func update(_ slot: Int32, _ layer: ClusterLayer) {
        let entry = entry(slot, layer)
        let number = markers.table.type(slot) == nil ? nil : layer.number(ofSlot: slot)
        let point = number.flatMap { Int($0) < layer.pointCount ? $0 : nil }
        if let point, markers.pointsOfSlots[slot] != point {
            if let old = entries[Int(slot)] {
                edits += 1
                markers.index.remove(old.number, at: old.place, inGroup: old.group)
            }
            entries[Int(slot)] = takePoint(point, layer)
        }
        markers.pointsOfSlots[slot] = point
        guard entry != entries[Int(slot)] else { return }
        edits += 1
        if let old = entries[Int(slot)] { markers.index.remove(old.number, at: old.place, inGroup: old.group) }
        if let entry { markers.index.add(entry.number, at: entry.place, inGroup: entry.group) }
        entries[Int(slot)] = entry
    }

    /// The place in the index of a point that is now a marker, or was removed; nil when it was not in the index.
    private mutating func takePoint(_ number: Int32, _ layer: ClusterLayer) -> IndexEntry? {
        guard let source = layer.source else { return nil }
        let visibility = source.visibility(Int(number))
        guard !visibility.isHidden else { return nil }
        guard let (place, _) = WorldPoint.placing(source.points.position(Int(number))) else {
            pointsBeyondMap -= 1
            return nil
        }
        return IndexEntry(number: number, group: group(visibility.zooms), place: WorldSteps(x: place.x, y: place.y))
    }

    /// Builds the index.
    private mutating func build(_ layer: ClusterLayer, _ strategy: PointClusters.Strategy) {
        builds += 1
        isDataChanged = true
        markers.index = PointClusters(strategy)
        (groups, groupsOfZooms, pointsBeyondMap) = ([nil], [nil: 0], 0)
        (markers.pointsOfSlots, markers.unfittedPoints, markers.hiddenPoints) = ([:], [], [])
        entries = [IndexEntry?](repeating: nil, count: max(entries.count, markers.table.count))
        let pointCount = layer.pointCount
        var places = [WorldSteps](repeating: WorldSteps(x: Int64(0), y: 0), count: pointCount + markers.table.count)
        var numbers: [[Int32]] = [[]]
        func add(_ number: Int32, _ group: Int) {
            while numbers.count <= group { numbers.append([]) }
            numbers[group].append(number)
        }
        if let source = layer.source, let points = markers.points {
            let common = source.hasEqualVisibilities && source.count > 0 ? source.visibility(0) : nil
            let removed = layer.removedPoints
            if let common, !common.isFitted { markers.unfittedPoints = nil }
            for number in 0..<source.count where removed.isEmpty || !removed.contains(Int32(number)) {
                guard layer.slot(ofNumber: Int32(number)) == nil else { continue }
                let visibility = common ?? source.visibility(number)
                guard !visibility.isHidden else {
                    markers.hiddenPoints.append(Int32(number))
                    continue
                }
                guard let (place, _) = WorldPoint.placing(LatLng(lat: points.lats[number], lng: points.lngs[number])) else {
                    pointsBeyondMap += 1
                    continue
                }
                places[number] = WorldSteps(x: place.x, y: place.y)
                if !visibility.isFitted { markers.unfittedPoints?.insert(Int32(number)) }
                add(Int32(number), group(visibility.zooms))
            }
            for (number, altitude) in points.altitudes.enumerated() where altitude > 0 {
                topHeight = max(topHeight, altitude * WebMercator.pointsPerMeter(lat: points.lats[number], worldSize: 1))
            }
        }
        var isAscending = true
        for slot in 0..<Int32(markers.table.count) {
            let number = layer.number(ofSlot: slot)
            if markers.table.type(slot) != nil, Int(number) < pointCount { markers.pointsOfSlots[slot] = number }
            guard let entry = entry(slot, layer) else { continue }
            entries[Int(slot)] = entry
            places[Int(entry.number)] = entry.place
            add(entry.number, entry.group)
            isAscending = isAscending && entry.number >= pointCount
        }
        for (group, numbers) in numbers.enumerated() {
            markers.index.setPoints(isAscending ? numbers : numbers.sorted(), inGroup: group) { places[Int($0)] }
        }
    }

    /// Whether the layer's source differs from the one that was read.
    func isSourceChanged(_ layer: ClusterLayer) -> Bool { markers.sourceCount != layer.sourceCount }

    /// Returns whether values of the markers may have changed since the last call.
    mutating func takeDataChange() -> Bool {
        defer { isDataChanged = false }
        return isDataChanged
    }

    /// The groups of the index whose markers are shown at a zoom.
    func activeGroups(atZoom zoom: Double) -> [Int] { groups.indices.filter { groups[$0]?.contains(zoom) ?? true } }

    /// The other groups of the index.
    func otherGroups(atZoom zoom: Double) -> [Int] { groups.indices.filter { groups[$0]?.contains(zoom) == false } }

    mutating func prepare(groups: [Int], zooms: ClosedRange<Int>) { markers.index.prepare(groups: groups, zooms: zooms) }
}
