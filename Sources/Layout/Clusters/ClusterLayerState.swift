import WaymarkClustering
import WaymarkGeo
import WaymarkScene

/// A cluster layer between pictures.
final class ClusterLayerState {
    let layer: ClusterLayer
    private var members = ClusterMembers()
    private var looks = ClusterLooks()
    private var values = ClusterValueTable()
    private var properties: [String] = []
    private var totals = ClusterTotals()
    /// Why the layer is in no picture; nil when it is.
    private var exclusion: Reason?
    /// The look of counts in ranges, by ascending counts, and that of the others.
    private var theme: [(range: ClosedRange<Int>, look: ClusterLook)] = []
    /// The state of the container around it.
    private var outer: ContainerState?
    private(set) var needsFonts = false
    /// The style of the first point of the source, with which all are fitted.
    private var pointStyle: IconStyle?
    /// By index in the theme: the number of sums of clusters that did not fit.
    private var overflows: [Int: Int] = [:]
    /// By number: the problems, and the missing images, of points of the source that would be shown.
    private var pointProblems: [Int32: PropertyError] = [:]

    init(_ layer: ClusterLayer) {
        self.layer = layer
        // Another map, or a layout that was dropped, may have read its markers before.
        layer.members.noteAll(.membership)
    }

    func read(slot: Int32, _ change: Journal.Change, _ pass: inout ReadingPass) {
        if change.contains(.icon) || change.contains(.caption) {
            looks.removeAll()
            pointProblems = [:]
        }
        outer = pass.containers.state(around: layer)
        // The styles are the user's objects: what they are now is compared, at no cost worth a journal.
        theme = layer.theme?.styles.map { ($0.densityRange, $0.style.look) } ?? []
        let problem = layer.firstProblem() ?? themeProblem
        pass.set(problem, slot: slot)
        exclusion = outer?.exclusion ?? (layer.isHidden ? .hidden : problem == nil ? nil : .invalid)
        guard problem == nil else { return }
        let unit = layer.gridUnit == .points ? 1 : 1 / pass.resources.pixelRatio
        let strategy: PointClusters.Strategy =
            switch layer.strategy {
            case .grid: .grid(cellSize: layer.cellSize * unit)
            case .hierarchical(let radius): .hierarchical(radius: radius * unit)
            }
        if members.isSourceChanged(layer) {
            looks.forgetPoints()
            pointProblems = [:]
        }
        if !pointProblems.isEmpty { pointProblems = pointProblems.filter { !layer.removedPoints.contains($0.key) } }
        members.read(layer, strategy, forAll: change.intersection([.icon, .caption]), &pass)
        if let source = layer.source, source.count > 0 {
            pointStyle = looks.point(0, of: source, &pass.resources).look.style
        }
        let used = theme.flatMap { (try? ClusterText($0.look.text))?.properties ?? [] } + layer.properties
        if members.takeDataChange() || used != properties {
            properties = used
            values.read(used, layer)
            totals.forget()
        }
    }

    /// What is wrong with a style of the theme.
    private var themeProblem: PropertyError? {
        for (index, entry) in theme.enumerated() {
            if let problem = entry.look.problem {
                return PropertyError(path: "theme[\(index)].style.\(problem.path)", problem: problem.problem)
            }
        }
        return nil
    }

    /// The path of the first style, or else of the name in the layer's list, that uses a property.
    private func path(ofProperty property: String) -> String {
        let style = theme.firstIndex { (try? ClusterText($0.look.text))?.properties.contains(property) ?? false }
        if let style { return "theme[\(style)].style.text" }
        return layer.properties.firstIndex(of: property).map { "properties[\($0)]" } ?? "properties"
    }
}

extension ClusterLayerState {
    /// Adds what the layer shows in a view to the guests of its picture.
    func show(in viewport: Viewport, slot: Int32, into guests: inout [GuestPoint], _ pass: inout ReadingPass) -> ShownLayer {
        let zoom = viewport.camera.zoom
        var shown = ShownLayer(
            slot: slot, order: LayerOrder(layer, in: outer), reason: exclusion, zoom: Int(zoom), isClustered: false,
            guests: guests.count..<guests.count)
        (needsFonts, overflows) = (false, [:])
        if exclusion == nil, !pass.table.isShown(slot, atZoom: zoom) { shown.reason = .outOfZoom }
        if exclusion == nil { shown.snapshot = snapshot }
        guard shown.reason == nil else { return shown }
        looks.beginPicture()
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
        if members.index.count == 0 { shown.reason = .empty }
        // The markers that are shown tell how far they reach; beyond that nothing is seen.
        var reach = ClusterLook.diameter(ofCount: .max)
        let firstGuest = guests.count
        while true {
            guests.removeLast(guests.count - firstGuest)
            (shown.items, shown.texts) = ([], [])
            (needsFonts, overflows) = (false, [:])
            var farthest = reach
            for found in found(in: viewport, shown, reach: reach) {
                guard let guest = guest(for: found, slot: slot, &shown, &pass) else { continue }
                farthest = max(farthest, guest.reach)
                guests.append(guest)
            }
            if farthest <= reach { break }
            reach = farthest
        }
        shown.guests = firstGuest..<guests.count
        // With the hierarchy that was prepared.
        shown.snapshot = snapshot
        return shown
    }

    /// What may be seen in a view: clusters and lone markers, each once.
    private func found(in viewport: Viewport, _ shown: ShownLayer, reach: Double) -> [FoundCluster] {
        let copies = WorldCopies(viewport, CullingMargin(points: reach, height: members.topHeight))
        let all = SpatialIndex.Box(west: 0, north: 0, east: 1, south: 1)
        var found: [FoundCluster] = []
        var keys = Set<UInt64>()
        let boxes = copies.boxes ?? [all]
        for box in boxes {
            let (west, east) = (max(0, box.west), min(1, box.east))
            guard west <= east else { continue }
            let part =
                shown.isClustered
                ? members.index.clusters(
                    west: west, north: box.north, east: east, south: box.south, zoom: shown.zoom, groups: shown.groups)
                : markers(west: west, box, east: east, shown).map {
                    FoundCluster(key: UInt64($0), zoom: shown.zoom, count: 1, lone: $0, sumX: 0, sumY: 0)
                }
            if boxes.count == 1 { return part }
            found += part.filter { keys.insert($0.key).inserted }
        }
        return found
    }

    /// The markers in a part of the world, in the order in which they were added.
    private func markers(west: Double, _ box: SpatialIndex.Box, east: Double, _ shown: ShownLayer) -> [Int32] {
        var numbers = members.index.points(west: west, north: box.north, east: east, south: box.south, groups: shown.groups)
        snapshot.sortByAddition(&numbers)
        return numbers
    }

    /// The guest for a cluster or a lone marker; nil for a marker that has a problem.
    private func guest(for found: FoundCluster, slot: Int32, _ shown: inout ShownLayer, _ pass: inout ReadingPass) -> GuestPoint? {
        let insertion = pass.table.insertions[Int(slot)]
        if found.lone < 0 {
            let index = theme.index(ofRangeWith: found.count) { $0.range }
            let look = index.map { theme[$0].look } ?? .default
            let text = text(look, index, found, shown)
            let disc = looks.disc(look, count: found.count, text: text, &pass.resources)
            needsFonts = needsFonts || disc.isUnmeasured
            shown.items.append(found)
            shown.texts.append(text)
            return GuestPoint(
                place: WorldPoint(x: found.mean.x, y: found.mean.y), height: 0, style: disc.style, caption: disc.caption,
                key: ContainerState.sortKey(of: layer, in: outer), insertion: insertion)
        }
        if let own = layer.slot(ofNumber: found.lone), members.table.type(own) != nil {
            let columns = members.state.columns
            var style = columns.style(Int(own))
            style.flags.remove(.zoomRange)
            let caption = columns.captions.id(Int(own))
            let measured = caption < 0 ? nil : columns.captions.measured(caption)
            needsFonts = needsFonts || columns.captions.unmeasured.contains(own)
            shown.items.append(found)
            shown.texts.append("")
            return GuestPoint(
                place: columns.places[Int(own)], height: columns.height(Int(own)), style: style,
                caption: measured,
                key: shown.order.key(of: members.keys.key(slot: own)), insertion: insertion)
        }
        guard let source = layer.source else { return nil }
        let point = looks.point(found.lone, of: source, &pass.resources)
        pointProblems[found.lone] = point.problem ?? point.missing?.reported()
        guard point.problem == nil else { return nil }
        needsFonts = needsFonts || point.look.isUnmeasured
        let position = source.points.position(Int(found.lone))
        let height = position.altitude == 0 ? 0 : position.altitude * WebMercator.pointsPerMetre(lat: position.lat, worldSize: 1)
        guard height >= 0, let y = WebMercator.y(lat: position.lat) else { return nil }
        shown.items.append(found)
        shown.texts.append("")
        return GuestPoint(
            place: WorldPoint(x: WebMercator.x(lng: position.lng), y: y), height: height, style: point.look.style,
            caption: point.look.caption, key: shown.order.key(of: point.key), insertion: insertion)
    }

    /// The text of a cluster.
    /// - Parameter index: That of its look in the theme; nil for the default one, which adds up nothing.
    private func text(_ look: ClusterLook, _ index: Int?, _ found: FoundCluster, _ shown: ShownLayer) -> String {
        guard let text = try? ClusterText(look.text) else { return "" }
        return text.parts.map { part in
            switch part {
            case .literal(let literal): return literal
            case .count: return ClusterNumber.text(found.count)
            case .aggregate(let aggregate, let property):
                let total = totals.total(of: property, found) {
                    values.total(of: property) { members.index.forEachMember(of: found, groups: shown.groups, $0) }
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
    func count(into statistics: inout LayoutStatistics) {
        statistics.clusterBuilds += members.builds
        statistics.clusterEdits += members.edits
        statistics.clusterSums += totals.additions
        statistics.clusterValueReads += values.reads
    }

    func extents() -> [ClusterExtent] { exclusion == nil ? snapshot.extents() : [] }

    private var snapshot: ClusterSnapshot { members.snapshot(layer, values, pointStyle) }

    func report(slot: Int32, into list: inout DiagnosticList) {
        func warn(_ path: String, _ problem: String) { list.warn(PropertyError(path: path, problem: problem), slot: slot) }
        for (member, problem) in members.problems.sorted(by: { $0.key < $1.key }) {
            warn(problem.path, "\(members.label(ofSlot: member)): \(problem.problem)")
        }
        for (member, missing) in members.state.missingImages.sorted(by: { $0.key < $1.key }) {
            let problem = missing.reported(isDrawn: members.state.columns.isPresent(member))
            warn(problem.path, "\(members.label(ofSlot: member)): \(problem.problem)")
        }
        for (number, problem) in pointProblems.sorted(by: { $0.key < $1.key }) {
            warn(problem.path, "the marker \"\(members.points?.id(Int(number)) ?? "")\": \(problem.problem)")
        }
        if members.pointsBeyondMap > 0 {
            let what = members.pointsBeyondMap == 1 ? "a point lies" : "\(members.pointsBeyondMap) points lie"
            warn("source", "\(what) beyond the map, which ends at \(WebMercator.maxLatitude) degrees north and south; not drawn")
        }
        for (index, entry) in theme.enumerated() {
            guard case .image(let image) = entry.look.form, let missing = looks.missingImages[image] else { continue }
            warn("theme[\(index)].style.image", missing.reported().problem)
        }
        for (property, problem) in values.problems { warn(path(ofProperty: property), problem) }
        for (index, count) in overflows.sorted(by: { $0.key < $1.key }) {
            let what = count == 1 ? "the sum of a cluster is" : "the sums of \(count) clusters are"
            warn("theme[\(index)].style.text", "\(what) beyond ±9.2e12; a dash is drawn in its place")
        }
    }
}

extension GuestPoint {
    /// An upper bound in pt on how far it reaches from its place.
    fileprivate var reach: Double {
        var styles = IconStyleTable()
        _ = styles.id(of: style)
        guard let box = caption?.box else { return styles.reach }
        return styles.reach + abs(box.offset) + max(box.main.width, box.sub.width) + box.main.height + box.sub.height
    }
}
