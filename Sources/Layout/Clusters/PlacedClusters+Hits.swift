import WaymarkClustering
import WaymarkGeo
import WaymarkScene

/// A marker that its layer does not show, because it is hidden or outside its zoom range. The marker is not part of a cluster, either.
struct UnshownMember {
    /// The marker's number in the layer.
    var number: Int32
    var place: WorldPoint
    /// The height as a fraction of the world's size.
    var height: Double
    /// The icon. A point of a file without an object has the style of the file's first point.
    var style: IconStyle
    /// The marker's sort key outside the layer.
    var key: SortKey
    var reason: Reason
}

extension ShownLayer {
    /// Calls a closure for each marker with an icon that the layer does not show.
    /// - Parameter box: A part of the world. Points of the source outside it may be skipped; nil for the whole world.
    fileprivate func forEachUnshown(atZoom zoom: Double, in box: WorldBox?, _ body: (UnshownMember) -> Void) {
        // Markers of a layer that is itself hidden or outside its zoom range cannot be picked.
        guard reason == nil || reason == .empty else { return }
        let columns = markers.columns
        for slot in columns.participations.indices {
            let reason: Reason
            switch columns.participations[slot] {
            case .present where !markers.table.isShown(Int32(slot), atZoom: zoom): reason = .outOfZoom
            case .excluded(.hidden): reason = .hidden
            case .present, .excluded, .noPoint: continue
            }
            let (place, style, height) = (columns.places[slot], columns.style(slot), columns.height(slot))
            guard style.raster >= 0, !place.y.isNaN, height >= 0 else { continue }
            body(
                UnshownMember(
                    number: markers.number(ofSlot: Int32(slot)), place: place, height: height, style: style,
                    key: markers.table.keys.key(slot: Int32(slot)), reason: reason))
        }
        guard let style = pointStyle, style.raster >= 0 else { return }
        func add(_ number: Int32, _ reason: Reason) {
            guard let (place, height) = markers.placeOfPoint(number), height >= 0 else { return }
            body(UnshownMember(number: number, place: place, height: height, style: style, key: SortKey.ofMarkers, reason: reason))
        }
        for number in points(in: box) { add(number, .outOfZoom) }
        for number in markers.hiddenPoints { add(number, .hidden) }
    }

    /// The points in a part of the world that are outside their zoom ranges.
    private func points(in box: WorldBox?) -> [Int32] {
        guard !otherGroups.isEmpty else { return [] }
        guard let box, box.east - box.west < 1 else {
            return markers.index.points(west: 0, north: 0, east: 1, south: 1, groups: otherGroups)
        }
        return (-4...4).flatMap { copy -> [Int32] in
            let (west, east) = (max(0, box.west - Double(copy)), min(1, box.east - Double(copy)))
            guard west <= east else { return [] }
            return markers.index.points(west: west, north: max(0, box.north), east: east, south: min(1, box.south), groups: otherGroups)
        }
    }

    /// The copies of the world on which these markers may be in the picture.
    fileprivate func copies(_ viewport: Viewport) -> ClosedRange<Int> {
        guard markers.points?.altitudes.isEmpty ?? true else { return -3...3 }
        return WorldCopies(viewport, margin: radius, height: markers.columns.topHeight).shown
    }

    /// The maximum distance in pt from a marker's place to the edge of its icon.
    fileprivate var radius: Double {
        var styles = markers.columns.styles
        if let style = pointStyle { _ = styles.id(of: style) }
        return styles.radius
    }
}

extension PlacedClusters {
    /// The hits of markers that the layers do not show, at the places of their icons. The point family finds all other points.
    func hits(_ pass: PickingPass) -> [PlacedHit] {
        guard pass.request.includesInvisible else { return [] }
        let placer = IconPlacer(viewport)
        var hits: [PlacedHit] = []
        for layer in layers {
            let copies = layer.copies(viewport)
            let box = layer.markers.points?.altitudes.isEmpty ?? true ? pass.ground(radius: layer.radius) : nil
            layer.forEachUnshown(atZoom: viewport.camera.zoom, in: box) { member in
                for copy in copies {
                    let icon = placer.place(member.place, height: member.height, copy: Double(copy), member.style)
                    guard icon.reason == nil, pass.isHit(icon.sprite, placer, member.style) else { continue }
                    let (rank, isOwn) = pass.order.keys.rank(upTo: layer.state.sortKey(of: member.key))
                    let steps = PointOrder.steps(WorldPoint(x: member.place.x + Double(copy), y: member.place.y), viewport.projection)
                    hits.append(
                        PlacedHit(
                            target: .member(layer: layer.slot, number: member.number), part: .icon, isVisible: false,
                            order: PickOrder(
                                rank: rank, tier: isOwn ? PickOrder.overlays : PickOrder.aboveOverlays, within: -steps,
                                insertion: pass.order.sequence(layer.slot)), copy: copy))
                }
            }
        }
        return hits
    }

    /// The entries of markers that a layer does not show but whose icons would be in the picture, in the order of addition.
    /// - Parameter places: The index of each slot's marker among the added markers.
    func unshownEntries(_ layer: ShownLayer, _ layerName: String, _ places: () -> [Int32: Int]) -> [Inspection.OverlayEntry] {
        let placer = IconPlacer(viewport)
        let boxes = WorldCopies(viewport, margin: layer.radius, height: layer.markers.columns.topHeight).boxes
        let box = boxes.flatMap { $0.count == 1 ? $0[0] : nil }
        var seen: [Int32: (reason: Reason, icon: IconPlacer.Icon)] = [:]
        layer.forEachUnshown(atZoom: viewport.camera.zoom, in: layer.markers.points?.altitudes.isEmpty ?? true ? box : nil) { member in
            let copy = Double(viewport.nearestCopy(of: member.place))
            let icon = placer.place(member.place, height: member.height, copy: copy, member.style)
            if icon.reason == nil { seen[member.number] = (member.reason, icon) }
        }
        var numbers = seen.keys.sorted()
        layer.markers.sortByAddition(&numbers)
        return numbers.prefix(Inspection.maximumNumberOfListedMarkers).compactMap { number in
            guard let (reason, icon) = seen[number] else { return nil }
            var entry = Inspection.OverlayEntry(
                id: layer.markers.name(number, layer: layerName, places: places()), type: .marker, isVisible: false, reason: reason,
                copies: 0)
            entry.anchor = .init(x: icon.anchorX / viewport.pixelRatio, y: icon.anchorY / viewport.pixelRatio)
            let quad = placer.corners(of: icon.sprite).map { $0.map { Inspection.Point(x: $0.x, y: $0.y) } }
            entry.icon = .init(isVisible: false, quad: quad, hiddenBy: nil)
            return entry
        }
    }
}

extension SortKey {
    /// The sort key of markers with default properties.
    fileprivate static let ofMarkers = ContainerState.sortKey(of: Marker(), in: nil)
}
