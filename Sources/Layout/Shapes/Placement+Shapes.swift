import WaymarkFrame
import WaymarkGeo
import WaymarkScene

extension Placement {
    /// Places shapes, from bottom to top.
    mutating func placeShapes(_ store: ShapeStore, _ listed: [ShapeStore.Listed], _ order: DrawOrder) {
        shapeStore = store
        let (zooms, zoom) = (columns.zoomVisibilities, viewport.camera.zoom)
        shapes = ShapePlacer.place(store, listed, viewport) { zooms[$0]?.contains(zoom) ?? true }
        for index in shapes.entries.indices { shapes.entries[index].rank = order.rank(shapes.entries[index].slot) }
    }

    /// Finds the place of each shape and model among the points, once those are placed.
    mutating func orderShapes(_ order: DrawOrder) {
        // Each comes before the first point of a higher rank; both rise, so one is looked for from where the one before was.
        var point = 0
        for index in shapes.entries.indices {
            let rank = shapes.entries[index].rank
            var end = shownSlots.count
            while point < end {
                let middle = (point + end) / 2
                if order.rank(shownSlots[middle]) > rank { end = middle } else { point = middle + 1 }
            }
            shapes.entries[index].point = point
        }
    }

    /// Puts shapes and models between the icons, where each point is one sprite.
    mutating func interleaveShapes() {
        let runs = commands
        commands = []
        var entries = shapes.entries[...]
        func takeShapes(upTo point: Int, _ commands: inout [Command]) {
            while let entry = entries.first, entry.point <= point {
                commands.append(entry, models)
                entries.removeFirst()
            }
        }
        for case .sprites(let range, let sampling) in runs {
            var start = range.lowerBound
            while start < range.upperBound {
                takeShapes(upTo: start, &commands)
                let end = min(entries.first?.point ?? .max, range.upperBound)
                commands.append(.sprites(start..<end, sampling))
                start = end
            }
        }
        takeShapes(upTo: .max, &commands)
    }

    /// The shapes and models in the picture, and the place of each in the drawing order.
    func drawnShapes() -> [Int32: (order: Int, copies: Int)] {
        Dictionary(
            uniqueKeysWithValues: shapes.entries.enumerated().map { ($1.slot, (order: $1.point + $0, copies: $1.copies)) })
    }

    /// The place of a point overlay in the drawing order, shapes and models counted.
    func order(ofPoint point: Int) -> Int {
        var (low, high) = (0, shapes.entries.count)
        while low < high {
            let middle = (low + high) / 2
            if shapes.entries[middle].point <= point { low = middle + 1 } else { high = middle }
        }
        return point + low
    }

    /// Why a line or an area is not in the picture.
    private func reason(ofShape slot: Int32) -> Reason {
        guard let shape = shapeStore?.shapes[slot] else { return .outOfView }
        let isShown = columns.zoomVisibilities[slot]?.contains(viewport.camera.zoom) ?? true
        return ShapePlacer.reason(shape, viewport, isShown: isShown) ?? .outOfView
    }

    /// What is known of a line or an area.
    func entry(ofShape overlay: Overlay, name: String, drawn: (order: Int, copies: Int)?) -> Inspection.OverlayEntry {
        var entry = Inspection.OverlayEntry(
            id: name, type: overlay.type, isVisible: drawn != nil,
            reason: drawn == nil ? reason(ofShape: overlay.slot) : nil, order: drawn?.order, copies: drawn?.copies ?? 0)
        // A circle stands at its middle; a line or an area at no place of its own.
        if let circle = overlay as? Circle, let center = circle.center, entry.reason != .invalid,
            let point = viewport.point(from: LatLng(lat: center.lat, lng: center.lng, altitude: center.altitude + circle.altitude))
        {
            let ratio = viewport.pixelRatio
            entry.anchor = .init(x: quantized(point.x * ratio) / ratio, y: quantized(point.y * ratio) / ratio)
        }
        return entry
    }
}

extension [Command] {
    /// Draws a shape, or the group of models that a model is the first of.
    mutating func append(_ entry: ShapeDrawing.Entry, _ models: ModelDrawing) {
        if let group = entry.meshGroup {
            if models.groups[group].first == entry.slot { self += models.groups[group].commands }
        } else if case .paths(let before)? = last, before.upperBound == entry.paths.lowerBound {
            self[count - 1] = .paths(before.lowerBound..<entry.paths.upperBound)
        } else if !entry.paths.isEmpty {
            append(.paths(entry.paths))
        }
    }
}
