import WaymarkFrame
import WaymarkRaster

/// Outline groups: lines of equal drawing keys whose outlines are all drawn before the first of the lines.
extension ShapePlacer {
    /// Places the first of some shapes, which is a line of an outline group, and with it all other lines of the group.
    /// - Parameter rest: The shape and all that follow it in the drawing order.
    mutating func placeGrouped(_ rest: ArraySlice<ShapeBounds>, _ shapes: ShapeTable, _ pass: PlacingPass) {
        guard let first = rest.first, let group = shapes[first.slot]?.style.outlineGroup else { return }
        if let known = grouped.removeValue(forKey: first.slot) {
            if let known { placed.append(known) }
            return
        }
        let rank = pass.order.rank(first.slot)
        var members: [(slot: Int32, shape: Shape, visibility: Visibility)] = []
        for bounds in rest {
            guard pass.order.rank(bounds.slot) == rank else { break }
            guard bounds.isGrouped, !bounds.isExcluded, pass.isShown(bounds.slot), let shape = shapes[bounds.slot],
                shape.style.outlineGroup == group
            else { continue }
            if bounds.slot != first.slot { grouped[bounds.slot] = .some(nil) }
            if maySee(bounds) { members.append((bounds.slot, shape, Visibility())) }
        }
        let firstPath = drawing.paths.count
        for index in members.indices {
            place(&members[index]) { shape, visibility, placer in
                // The whole group is composited at once, so that translucent outlines and lines do not show through each other.
                let layering = placer.drawing.paths.count > firstPath ? Path.Layering.knockout : .over
                placer.strokeCasing(of: shape, placer.camera(of: shape), layering: layering, &visibility)
            }
        }
        let hasOutlines = drawing.paths.count > firstPath
        for index in members.indices {
            place(&members[index]) { shape, visibility, placer in
                placer.strokeLine(of: shape, placer.camera(of: shape), layering: hasOutlines ? .knockout : .over, &visibility)
            }
        }
        // The first line draws the paths of all lines.
        var paths = firstPath..<drawing.paths.count
        for member in members where !member.visibility.copies.isEmpty {
            let shape = PlacedShape(slot: member.slot, paths: paths, copies: member.visibility.copies.count)
            paths = paths.upperBound..<paths.upperBound
            if member.slot == first.slot { placed.append(shape) } else { grouped[member.slot] = shape }
        }
    }

    /// Draws a part of a line of a group, and removes it if it is not in the picture.
    private mutating func place(
        _ member: inout (slot: Int32, shape: Shape, visibility: Visibility),
        _ draw: (Shape, inout Visibility, inout ShapePlacer) -> Void
    ) {
        let firstPath = drawing.paths.count
        var visibility = Visibility()
        draw(member.shape, &visibility, &self)
        if visibility.copies.isEmpty {
            remove(pathsFrom: firstPath)
        } else {
            fade(pathsFrom: firstPath, of: member.shape)
            member.visibility.copies.formUnion(visibility.copies)
        }
    }
}
