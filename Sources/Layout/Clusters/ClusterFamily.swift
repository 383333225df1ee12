import WaymarkClustering
import WaymarkGeo
import WaymarkScene

/// The cluster layers of a map. The point family orders, places and draws the clusters and lone markers that they show, among the map's own
/// markers.
final class ClusterFamily {
    private var layers: [Int32: ClusterLayerState] = [:]

    /// Reads the changes to layers and to their markers.
    func read(_ changes: FamilyChanges, _ overlays: inout OverlayTable, _ resources: MapResources) {
        for slot in changes.removed { layers[slot] = nil }
        var changed: [Int32: ChangedProperties] = [:]
        for change in changes.changed {
            guard let layer = changes.overlays[Int(change.slot)] as? ClusterLayer else { continue }
            if layers[change.slot]?.layer !== layer { layers[change.slot] = ClusterLayerState(layer) }
            changed[change.slot] = change.properties
        }
        for slot in layers.keys.sorted() { layers[slot]?.read(slot: slot, changed[slot] ?? [], &overlays, resources) }
    }

    /// The points that the layers show in a view.
    /// - Parameter insertions: Indexed by slot.
    func show(in viewport: Viewport, _ overlays: OverlayTable, _ insertions: [UInt32], _ resources: MapResources) -> PlacedClusters {
        var points: [LayerPoint] = []
        let shown = layers.keys.sorted().compactMap { slot in
            layers[slot]?.show(in: viewport, slot: slot, insertion: insertions[Int(slot)], overlays, resources, into: &points)
        }
        return PlacedClusters(shown, points, firstNumber: overlays.count, viewport)
    }

    /// The extents of the layers' markers, as if none were clustered.
    func extents(of overlays: FittedOverlays) -> [any ExtentPart] {
        layers.keys.sorted().filter(overlays.contains).flatMap { layers[$0]?.extents() ?? [] }
    }

    func count(into statistics: inout LayoutStatistics) {
        for slot in layers.keys.sorted() { layers[slot]?.count(into: &statistics) }
    }

    func report(into list: inout DiagnosticList) {
        for slot in layers.keys.sorted() { layers[slot]?.report(slot: slot, into: &list) }
    }
}

/// A cluster layer between pictures.
final class ClusterLayerState {
    let layer: ClusterLayer
    private var members = ClusterMembers()
    private var appearances = ClusterAppearances()
    private var values = ClusterValueTable()
    private var properties: [String] = []
    private var totals = ClusterTotals()
    /// The styles for ranges of counts, in ascending order.
    private var theme: [(range: ClosedRange<Int>, style: ClusterStyle.Values)] = []
    /// The style for all other counts.
    private var standard = ClusterStyle.Values.standard(nil)
    /// The properties that the layer's markers inherit, and its sort key.
    private var state: ContainerState
    private var key: SortKey
    /// The style of the first point of the source. `fit` uses it for all points.
    private var pointStyle: IconStyle?
    /// The number of cluster sums that overflowed, keyed by index in the theme.
    private var overflows: [Int: Int] = [:]
    /// The problems and missing images of the points of the source that would be shown, keyed by number.
    private var pointProblems: [Int32: PropertyError] = [:]

    init(_ layer: ClusterLayer) {
        self.layer = layer
        (state, key) = (ContainerState(layer, problem: nil, block: nil, in: nil), ContainerState.sortKey(of: layer, in: nil))
        // A different map, or a layout that was freed, may have read the layer's markers before.
        layer.members.noteAll(.membership)
    }

    func read(slot: Int32, _ change: ChangedProperties, _ overlays: inout OverlayTable, _ resources: MapResources) {
        if change.contains(.icon) || change.contains(.caption) {
            appearances.removeAll()
            pointProblems = [:]
        }
        // The styles are objects that users change. Comparing their values costs less than logging their changes.
        theme = layer.theme?.styles.map { ($0.densityRange, $0.style.values(resources.theme)) } ?? []
        standard = .standard(resources.theme)
        let problem = layer.firstProblem() ?? themeProblem
        overlays.setProblem(problem, slot: slot)
        let outer = overlays.containers.state(around: layer)
        state = ContainerState(layer, problem: problem, block: nil, in: outer)
        key = ContainerState.sortKey(of: layer, in: outer)
        guard problem == nil else { return }
        let unit = layer.gridUnit == .points ? 1 : 1 / resources.pixelRatio
        let strategy: PointClusters.Strategy =
            switch layer.strategy {
            case .grid: .grid(cellSize: layer.cellSize * unit)
            case .hierarchical(let radius): .hierarchical(radius: radius * unit)
            }
        if members.isSourceChanged(layer) {
            appearances.forgetPoints()
            pointProblems = [:]
        }
        if !pointProblems.isEmpty { pointProblems = pointProblems.filter { !layer.removedPoints.contains($0.key) } }
        members.read(layer, strategy, forAll: change.intersection([.icon, .caption]), resources)
        if let source = layer.source, source.count > 0 { pointStyle = appearances.point(0, of: source, resources).appearance.style }
        let used = theme.flatMap { (try? ClusterText($0.style.text))?.properties ?? [] } + layer.properties
        if members.takeDataChange() || used != properties {
            properties = used
            values.read(used, layer)
            totals.forget()
        }
    }

    /// The first problem of a style of the theme.
    private var themeProblem: PropertyError? {
        for (index, entry) in theme.enumerated() {
            if let problem = entry.style.problem {
                return PropertyError(path: "theme[\(index)].style.\(problem.path)", problem: problem.problem)
            }
        }
        return nil
    }

    /// The path of the first style that uses a property, or else of the name in the layer's list.
    private func path(ofProperty property: String) -> String {
        let style = theme.firstIndex { (try? ClusterText($0.style.text))?.properties.contains(property) ?? false }
        if let style { return "theme[\(style)].style.text" }
        return layer.properties.firstIndex(of: property).map { "properties[\($0)]" } ?? "properties"
    }
}

extension ClusterLayerState {
    /// Finds the points that the layer shows in a view.
    /// - Parameters:
    ///   - insertion: The insertion number of the layer.
    ///   - points: The points of all layers of the picture; the layer's points are appended.
    func show(
        in viewport: Viewport, slot: Int32, insertion: UInt32, _ overlays: OverlayTable, _ resources: MapResources,
        into points: inout [LayerPoint]
    ) -> ShownLayer {
        let zoom = viewport.camera.zoom
        var shown = ShownLayer(
            slot: slot, state: state, reason: state.exclusion, zoom: Int(zoom), isClustered: false,
            indices: points.count..<points.count)
        overflows = [:]
        if shown.reason == nil, !overlays.isShown(slot, atZoom: zoom) { shown.reason = .outOfZoom }
        guard shown.reason == nil else {
            if state.exclusion == nil { note(&shown) }
            return shown
        }
        appearances.beginPicture()
        shown.isClustered = zoom >= layer.minZoom && zoom <= layer.maxZoom
        shown.groups = members.activeGroups(atZoom: zoom)
        shown.otherGroups = members.otherGroups(atZoom: zoom)
        if shown.isClustered {
            let zooms = Int(layer.minZoom)...max(Int(layer.minZoom), Int(layer.maxZoom))
            members.prepare(groups: shown.groups, zooms: zooms)
            totals.beginPicture(
                ClusterTotals.Basis(builds: members.builds, edits: members.edits, groups: shown.groups, zooms: zooms))
        }
        shown.deepestZoom = Int(layer.maxZoom)
        if shown.isClustered, layer.mergesOverlapping {
            shown.discs = ClusterDiscs(theme, members.markers, pointStyle) { appearances.width($0, count: $1, resources) }
        }
        if members.markers.index.count == 0 { shown.reason = .empty }
        // The extent of the icons is known only after they are found, so the search is repeated until the margin suffices.
        var radius = ClusterStyle.Values.diameter(ofCount: .max)
        var found: [LayerPoint]
        while true {
            (found, shown.items, shown.texts, overflows) = ([], [], [], [:])
            var farthest = radius
            for one in self.found(in: viewport, shown, radius: radius) {
                guard let point = point(for: one, insertion: insertion, &shown, resources) else { continue }
                farthest = max(farthest, point.appearance.radius)
                found.append(point)
            }
            if farthest <= radius { break }
            radius = farthest
        }
        points += found
        shown.indices = shown.indices.lowerBound..<points.count
        // The copy is made after the search, so that it contains the hierarchy that the search prepared.
        note(&shown)
        return shown
    }

    /// Stores the markers in their present state.
    private func note(_ shown: inout ShownLayer) {
        (shown.markers, shown.values, shown.pointStyle) = (currentMarkers, values, pointStyle)
    }

    private var currentMarkers: ClusterMarkers {
        var markers = members.markers
        markers.slotsOfPoints = layer.slotsOfPoints
        return markers
    }

    /// The distinct clusters and lone markers that may be visible in a view.
    private func found(in viewport: Viewport, _ shown: ShownLayer, radius: Double) -> [MergedCluster] {
        let copies = WorldCopies(viewport, margin: radius, height: members.topHeight)
        let all = WorldBox(west: 0, north: 0, east: 1, south: 1)
        var found: [MergedCluster] = []
        var keys = Set<UInt64>()
        let boxes = copies.boxes ?? [all]
        for box in boxes {
            let (west, east) = (max(0, box.west), min(1, box.east))
            guard west <= east else { continue }
            let part: [MergedCluster] =
                if shown.isClustered {
                    shown.clusters(
                        in: WorldBox(west: west, north: box.north, east: east, south: box.south), of: members.markers.index,
                        worldSize: viewport.worldSize)
                } else {
                    markers(west: west, box, east: east, shown).map {
                        MergedCluster(FoundCluster(key: UInt64($0), zoom: shown.zoom, count: 1, lone: $0, sumX: 0, sumY: 0))
                    }
                }
            if boxes.count == 1 { return part }
            found += part.filter { keys.insert($0.key).inserted }
        }
        return found
    }

    /// The markers in a part of the world, in the order in which they were added.
    private func markers(west: Double, _ box: WorldBox, east: Double, _ shown: ShownLayer) -> [Int32] {
        var numbers = members.markers.index.points(west: west, north: box.north, east: east, south: box.south, groups: shown.groups)
        members.markers.sortByAddition(&numbers)
        return numbers
    }

    /// The point of a cluster or a lone marker; nil for a marker with a problem.
    private func point(for found: MergedCluster, insertion: UInt32, _ shown: inout ShownLayer, _ resources: MapResources) -> LayerPoint? {
        let (place, height, appearance, key, text): (WorldPoint, Double, PointAppearance, SortKey, String)
        if found.lone < 0 {
            let index = theme.index(ofRangeWith: found.count) { $0.range }
            let style = index.map { theme[$0].style } ?? standard
            text = self.text(style, index, found, shown)
            (place, height) = (WorldPoint(x: found.mean.x, y: found.mean.y), 0)
            appearance = appearances.disc(style, count: found.count, text: text, resources)
            key = self.key
        } else if let own = layer.slot(ofNumber: found.lone), members.markers.table.type(own) != nil {
            let columns = members.markers.columns
            (place, height, text) = (columns.places[Int(own)], columns.height(Int(own)), "")
            appearance = columns.appearance(Int(own))
            key = state.sortKey(of: members.markers.table.keys.key(slot: own))
        } else {
            guard let source = layer.source else { return nil }
            let point = appearances.point(found.lone, of: source, resources)
            pointProblems[found.lone] = point.problem ?? point.missing?.reported()
            guard point.problem == nil, let placed = WorldPoint.placing(source.points.position(Int(found.lone))), placed.height >= 0
            else {
                return nil
            }
            (place, height, text) = (placed.place, placed.height, "")
            (appearance, key) = (point.appearance, state.sortKey(of: point.key))
        }
        shown.items.append(found)
        shown.texts.append(text)
        return LayerPoint(place: place, height: height, appearance: appearance, key: key, insertion: insertion)
    }

    /// The text of a cluster.
    /// - Parameter index: The index of its style in the theme; nil for the default style, which sums nothing.
    private func text(_ style: ClusterStyle.Values, _ index: Int?, _ found: MergedCluster, _ shown: ShownLayer) -> String {
        guard let text = try? ClusterText(style.text) else { return "" }
        return text.parts.map { part in
            switch part {
            case .literal(let literal): return literal
            case .count: return ClusterNumber.text(found.count)
            case .aggregate(let aggregate, let property):
                let total = totals.total(of: property, found) { part in
                    values.total(of: property) { members.markers.index.forEachMember(of: part, groups: shown.groups, $0) }
                }
                guard let total else { return "" }
                switch aggregate {
                case .sum:
                    if total.sum == nil, let index { overflows[index, default: 0] += 1 }
                    return total.sum.map { ClusterNumber.text(millionths: $0) } ?? "–"
                case .min: return ClusterNumber.text(millionths: total.minimum)
                case .max: return ClusterNumber.text(millionths: total.maximum)
                }
            }
        }.joined()
    }
}

extension ClusterLayerState {
    func extents() -> [ClusterExtent] { state.exclusion == nil ? currentMarkers.extents(pointStyle) : [] }

    /// The numbers of expensive operations.
    func count(into statistics: inout LayoutStatistics) {
        statistics.clusterBuilds += members.builds
        statistics.clusterEdits += members.edits
        statistics.clusterSums += totals.additions
        statistics.clusterValueReads += values.reads
    }

    func report(slot: Int32, into list: inout DiagnosticList) {
        func warn(_ path: String, _ problem: String) { list.warn(PropertyError(path: path, problem: problem), slot: slot) }
        for (member, problem) in members.markers.table.problems.sorted(by: { $0.key < $1.key }) {
            warn(problem.path, "\(members.markers.label(ofSlot: member)): \(problem.problem)")
        }
        for (member, missing) in members.markers.reader.missingImages.sorted(by: { $0.key < $1.key }) {
            let problem = missing.reported(isDrawn: members.markers.columns.isPresent(member))
            warn(problem.path, "\(members.markers.label(ofSlot: member)): \(problem.problem)")
        }
        for (number, problem) in pointProblems.sorted(by: { $0.key < $1.key }) {
            warn(problem.path, "the marker \"\(members.markers.points?.id(Int(number)) ?? "")\": \(problem.problem)")
        }
        if members.pointsBeyondMap > 0 {
            let what =
                members.pointsBeyondMap == 1
                ? "a point is not drawn, because it lies" : "\(members.pointsBeyondMap) points are not drawn, because they lie"
            warn("source", "\(what) outside the map, which ends at \(WebMercator.maxLatitude)° north and south")
        }
        for (index, entry) in theme.enumerated() {
            guard case .image(let image, _) = entry.style.form, let missing = appearances.missingImages[image] else { continue }
            warn("theme[\(index)].style.image", missing.reported().problem)
        }
        for (property, problem) in values.problems { warn(path(ofProperty: property), problem) }
        for (index, count) in overflows.sorted(by: { $0.key < $1.key }) {
            let what = count == 1 ? "the sum of a cluster is" : "the sums of \(count) clusters are"
            warn("theme[\(index)].style.text", "\(what) outside ±9.2e12; a dash is drawn instead")
        }
    }
}

extension PointAppearance {
    /// An upper bound in pt on the extent of the icon and the caption around their place.
    fileprivate var radius: Double {
        var styles = IconStyleTable()
        _ = styles.id(of: style)
        guard let box = caption?.box else { return styles.radius }
        return styles.radius + abs(box.offset) + max(box.main.width, box.sub.width) + box.main.height + box.sub.height
    }
}
