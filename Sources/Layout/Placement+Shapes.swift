import WaymarkFrame
import WaymarkGeo
import WaymarkScene

extension Placement {
    /// Places shapes, from bottom to top, once the icons are placed.
    mutating func placeShapes(_ store: ShapeStore, _ listed: [ShapeStore.Listed], _ order: inout DrawOrder) {
        shapeStore = store
        let (zooms, zoom) = (columns.zoomVisibilities, viewport.camera.zoom)
        shapes = ShapePlacer.place(store, listed, viewport) { zooms[$0]?.contains(zoom) ?? true }
        // Each comes before the first icon of a higher rank; both rise, so one is looked for from where the one before was.
        var icon = 0
        for index in shapes.entries.indices {
            let rank = order.rank(of: shapes.entries[index].slot)
            var end = iconSlots.count
            while icon < end {
                let middle = (icon + end) / 2
                if order.rank(of: iconSlots[middle]) > rank { end = middle } else { icon = middle + 1 }
            }
            shapes.entries[index].icon = icon
        }
    }

    /// Runs of icons with the shapes between them where they belong.
    func interleaved(_ runs: [(range: Range<Int>, sampling: Sampling)]) -> [Command] {
        var commands: [Command] = []
        var entries = shapes.entries[...]
        func takeShapes(upTo icon: Int) {
            guard let first = entries.first, first.icon <= icon else { return }
            var end = first.paths.upperBound
            while let entry = entries.first, entry.icon <= icon {
                end = entry.paths.upperBound
                entries.removeFirst()
            }
            if first.paths.lowerBound < end { commands.append(.paths(first.paths.lowerBound..<end)) }
        }
        for run in runs {
            var start = run.range.lowerBound
            while start < run.range.upperBound {
                takeShapes(upTo: start)
                let end = min(entries.first?.icon ?? .max, run.range.upperBound)
                commands.append(.sprites(start..<end, run.sampling))
                start = end
            }
        }
        takeShapes(upTo: .max)
        return commands
    }

    /// The shapes in the picture, and the place of each in the drawing order.
    func drawnShapes() -> [Int32: (order: Int, copies: Int)] {
        Dictionary(
            uniqueKeysWithValues: shapes.entries.enumerated().map { ($1.slot, (order: $1.icon + $0, copies: $1.copies)) })
    }

    /// The place of an icon in the drawing order, shapes counted.
    func order(ofIcon icon: Int) -> Int {
        var (low, high) = (0, shapes.entries.count)
        while low < high {
            let middle = (low + high) / 2
            if shapes.entries[middle].icon <= icon { low = middle + 1 } else { high = middle }
        }
        return icon + low
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
