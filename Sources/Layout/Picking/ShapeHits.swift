import WaymarkFrame
import WaymarkGeo
import WaymarkRaster
import WaymarkScene

extension PlacedShapes {
    func hits(_ pass: PickingPass) -> [PlacedHit] {
        let visible = Set(placed.map(\.slot))
        var near: WorldBox??
        return shapes.slots.compactMap { slot in
            guard let shape = shapes[slot], visible.contains(slot) || pass.request.includesInvisible else { return nil }
            guard shape.exclusion == nil || shape.exclusion == .hidden else { return nil }
            let bounds = ShapeBounds(shape, slot: slot)
            if bounds.isLow {
                let box = near ?? pass.ground(reach: 0)
                near = .some(box)
                if let box, !Self.mayTouch(bounds, box, worldSize: viewport.worldSize, pass) { return nil }
            }
            guard ShapePlacer.covers(shape, viewport, pass) else { return nil }
            return hit(slot, isVisible: visible.contains(slot), pass)
        }
    }

    func hit(_ slot: Int32, isVisible: Bool, _ pass: PickingPass) -> PlacedHit {
        PlacedHit(
            target: .overlay(slot), part: .shape, isVisible: isVisible,
            order: PickOrder(rank: pass.order.rank(slot), insertion: pass.order.sequence(slot)))
    }

    /// Whether any copy of a shape may be in a part of the world, its strokes included.
    private static func mayTouch(_ bounds: ShapeBounds, _ box: WorldBox, worldSize: Double, _ pass: PickingPass) -> Bool {
        // Strokes are as wide on the ground as on the screen, or wider by the depth.
        guard let wide = bounds.reach == 0 ? box : pass.ground(reach: bounds.reach) else { return true }
        guard bounds.high.y >= wide.north, bounds.low.y <= wide.south else { return false }
        return (wide.west - bounds.high.x).rounded(.up) <= (wide.east - bounds.low.x).rounded(.down)
    }
}

extension Frame {
    /// Whether a path covers the point, or an edge of it is within the tolerance.
    func isHit(_ path: Path, _ pass: PickingPass) -> Bool {
        // Parts of one path are covered separately.
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
