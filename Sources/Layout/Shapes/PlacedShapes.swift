import WaymarkFrame
import WaymarkGeo
import WaymarkRaster
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
    /// The shapes in the picture, from bottom to top.
    let placed: [PlacedShape]
    /// One item for each shape.
    var items: [DrawItem]
    /// The texts and images along the lines.
    var labels = PlacedLineLabels()

    /// Describes shapes.
    func entries(of slots: [Int32], _ pass: DescribingPass) -> [Inspection.OverlayEntry] {
        let drawn = Dictionary(uniqueKeysWithValues: zip(placed, items).map { ($0.slot, (order: $1.firstOrder, copies: $0.copies)) })
        return slots.map { slot in
            let seen = drawn[slot]
            let isSeen = seen != nil || labels.isShown(slot)
            let reason = isSeen ? nil : reason(slot, isShown: pass.overlays.isShown(slot, atZoom: viewport.camera.zoom))
            var entry = Inspection.OverlayEntry(
                id: pass.names[slot] ?? "", type: pass.overlays.types[Int(slot)] ?? .polyline, isVisible: isSeen, reason: reason,
                order: seen?.order ?? labels.order(of: slot), copies: max(seen?.copies ?? 0, labels.copies(of: slot)))
            if let anchor = shapes[slot]?.anchor, reason != .invalid { entry.anchor = viewport.inspected(anchor) }
            if let shape = shapes[slot], !Self.placeless.contains(reason) { describe(shape, &entry) }
            if let shape = shapes[slot], let content = shape.labels, shape.exclusion == nil {
                labels.describe(slot, content, viewport, &entry, pass)
            }
            return entry
        }
    }

    /// The reasons why a shape has no place on the map.
    private static let placeless: [Reason?] = [.invalid, .noPosition, .outOfProjection]

    private func describe(_ shape: Shape, _ entry: inout Inspection.OverlayEntry) {
        // Not by the shape's rings: a circle of radius 0 has none, but is described as an area.
        let isArea = entry.type.isArea
        let outline = ShapeOutline(shape, isArea: isArea, viewport)
        let contours = outline.bounded.map { $0.map { Inspection.Point(x: $0.x, y: $0.y) } }
        if isArea { entry.rings = contours } else { entry.lines = contours }
        entry.rect = outline.box.map { low, high in .init(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y) }
    }

    /// The reason why a shape is not in the picture.
    private func reason(_ slot: Int32, isShown: Bool) -> Reason {
        guard var shape = shapes[slot] else { return .outOfView }
        let isOnlyLabels = shape.labels != nil && shape.style.width == 0
        // The same lines are beyond the camera's limits as with a width.
        if isOnlyLabels { shape.style.width = 1 }
        let reason = ShapePlacer.reason(shape, viewport, isShown: isShown) ?? .outOfView
        return isOnlyLabels && reason == .outOfView && labels.isCollided(slot) ? .collided : reason
    }
}

extension PlacedShapes {
    /// The hits of shapes at a point of the picture, unordered.
    func hits(_ pass: PickingPass) -> [PlacedHit] {
        let visible = Set(placed.map(\.slot))
        var near: WorldBox??
        return shapes.slots.compactMap { slot in
            guard let shape = shapes[slot], visible.contains(slot) || pass.request.includesInvisible || labels.isShown(slot) else {
                return nil
            }
            guard shape.exclusion == nil || shape.exclusion == .hidden else { return nil }
            if let part = labels.hit(slot, pass) {
                var hit = pass.hit(ofShape: slot, isVisible: true)
                (hit.part, hit.order.within) = (part, 1)
                return hit
            }
            let bounds = ShapeBounds(shape, slot: slot)
            if bounds.isLow {
                let box = near ?? pass.ground(radius: 0)
                near = .some(box)
                if let box, !Self.mayTouch(bounds, box, pass) { return nil }
            }
            guard ShapePlacer.covers(shape, viewport, pass) else { return nil }
            return pass.hit(ofShape: slot, isVisible: visible.contains(slot))
        }
    }

    /// The areas of the picture in which shapes can be picked. The tolerance widens lines.
    func areas(_ pass: PickingPass) -> [PlacedArea] {
        labels.areas(pass)
            + placed.compactMap { one in
                guard let shape = shapes[one.slot] else { return nil }
                let drawing = ShapePlacer.outlines(of: shape, viewport, widening: pass.tolerance / viewport.pixelRatio)
                return pass.area(pass.hit(ofShape: one.slot, isVisible: true), drawing.paths.flatMap { drawing.polygons(of: $0) })
            }
    }

    /// Whether any copy of a shape, including its strokes, may be in a part of the world.
    private static func mayTouch(_ bounds: ShapeBounds, _ box: WorldBox, _ pass: PickingPass) -> Bool {
        // Strokes are as wide on the ground as on the screen, or are widened by the depth.
        guard let wide = bounds.overhang == 0 ? box : pass.ground(radius: bounds.overhang) else { return true }
        let around = ShapeBox(low: PlanePoint(wide.west, wide.north), high: PlanePoint(wide.east, wide.south))
        return around.overlaps(bounds.low, bounds.high)
    }
}

extension Frame {
    /// Whether a path covers the point, or an edge of it is within the tolerance.
    func isHit(_ path: Path, _ pass: PickingPass) -> Bool {
        // The parts of a path are covered separately.
        var ends = parts[path.parts].map { $0 }
        if ends.isEmpty { ends = [path.contours.upperBound] }
        var start = path.contours.lowerBound
        for end in ends {
            if isHit(start..<end, path.rule, pass) { return true }
            start = end
        }
        return false
    }

    private func isHit(_ range: Range<Int>, _ rule: FillRule, _ pass: PickingPass) -> Bool {
        var winding = 0
        for number in range {
            let first = number > 0 ? contours[number - 1] : 0
            let last = contours[number]
            guard last > first else { continue }
            var before = pathPoints[last - 1]
            for index in first..<last {
                let point = pathPoints[index]
                let (ax, ay, bx, by) = (Double(before.x), Double(before.y), Double(point.x), Double(point.y))
                if pass.tolerance > 0, pass.touches(ax, ay, bx, by) { return true }
                if (ay <= pass.y) != (by <= pass.y), (bx - ax) * (pass.y - ay) / (by - ay) + ax > pass.x { winding += by > ay ? 1 : -1 }
                before = point
            }
        }
        return rule == .nonzero ? winding != 0 : winding & 1 != 0
    }
}
