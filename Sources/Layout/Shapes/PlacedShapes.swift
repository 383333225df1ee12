import WaymarkGeo
import WaymarkScene

/// A shape in a picture.
struct PlacedShape: Sendable {
    var slot: Int32
    /// The range of its paths in the frame.
    var paths: Range<Int>
    /// The number of copies of the world on which it is in the picture.
    var copies: Int
}

/// The lines and areas of one picture.
struct PlacedShapes: Sendable {
    let viewport: Viewport
    let shapes: ShapeTable
    /// From bottom to top.
    let placed: [PlacedShape]
    /// One for each.
    var items: [DrawItem]

    /// Describes shapes.
    func entries(of slots: [Int32], _ pass: DescribingPass) -> [Inspection.OverlayEntry] {
        let drawn = Dictionary(uniqueKeysWithValues: zip(placed, items).map { ($0.slot, (order: $1.firstOrder, copies: $0.copies)) })
        return slots.map { slot in
            let seen = drawn[slot]
            let reason = seen == nil ? reason(slot, isShown: pass.overlays.isShown(slot, atZoom: viewport.camera.zoom)) : nil
            var entry = Inspection.OverlayEntry(
                id: pass.names[slot] ?? "", type: pass.overlays.types[Int(slot)] ?? .polyline, isVisible: seen != nil, reason: reason,
                order: seen?.order, copies: seen?.copies ?? 0)
            if let anchor = shapes[slot]?.anchor, reason != .invalid, let point = viewport.point(from: anchor) {
                let ratio = viewport.pixelRatio
                entry.anchor = .init(x: quantized(point.x * ratio) / ratio, y: quantized(point.y * ratio) / ratio)
            }
            if let shape = shapes[slot], !Self.placeless.contains(reason) { describe(shape, &entry) }
            return entry
        }
    }

    /// The reasons for which a shape has no place on the map.
    private static let placeless: [Reason?] = [.invalid, .noPosition, .outOfProjection]

    private func describe(_ shape: Shape, _ entry: inout Inspection.OverlayEntry) {
        let isArea = entry.type == .polygon || entry.type == .circle
        let outline = ShapeOutline(shape, isArea: isArea, viewport)
        let contours = outline.bounded.map { $0.map { Inspection.Point(x: $0.x, y: $0.y) } }
        if isArea { entry.rings = contours } else { entry.lines = contours }
        entry.rect = outline.box.map { low, high in .init(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y) }
    }

    /// Why a shape is not in the picture.
    private func reason(_ slot: Int32, isShown: Bool) -> Reason {
        guard let shape = shapes[slot] else { return .outOfView }
        return ShapePlacer.reason(shape, viewport, isShown: isShown) ?? .outOfView
    }
}
