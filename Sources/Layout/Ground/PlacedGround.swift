import WaymarkGeo
import WaymarkRaster
import WaymarkScene

/// The ground overlays of one picture.
struct PlacedGround: Sendable {
    /// An image in the picture.
    struct Shown: Sendable {
        var slot: Int32
        /// The copies of the world on which it is visible.
        var copies: [Int]
    }

    let viewport: Viewport
    let images: [Int32: GroundImage]
    /// The images in the picture, from bottom to top.
    var placed: [Shown] = []
    /// One item for each image.
    var items: [DrawItem] = []

    /// Describes ground overlays.
    func entries(of slots: [Int32], _ pass: DescribingPass) -> [Inspection.OverlayEntry] {
        let drawn = Dictionary(uniqueKeysWithValues: zip(placed, items).map { ($0.slot, (order: $1.firstOrder, copies: $0.copies)) })
        return slots.map { slot in
            let seen = drawn[slot]
            var entry = Inspection.OverlayEntry(
                id: pass.names[slot] ?? "", type: .groundOverlay, isVisible: seen != nil, order: seen?.order,
                copies: seen?.copies.count ?? 0)
            guard let image = images[slot] else { return entry }
            let placer = GroundPlacer(image, viewport)
            if seen == nil {
                let isShown = pass.overlays.isShown(slot, atZoom: viewport.camera.zoom)
                entry.reason = image.exclusion ?? (isShown ? placer.unseenReason : .outOfZoom)
            }
            guard let anchor = image.anchor else { return entry }
            entry.anchor = viewport.inspected(anchor)
            let nearest = placer.nearestCopy
            let copy = seen?.copies.min { abs($0 - nearest) < abs($1 - nearest) } ?? nearest
            entry.quad = placer.quad(copy: copy)
            return entry
        }
    }

    /// The hits of ground overlays at a point of the picture, unordered.
    func hits(_ pass: PickingPass) -> [PlacedHit] {
        let visible = Set(placed.map(\.slot))
        return images.keys.sorted().compactMap { slot in
            guard let image = images[slot], visible.contains(slot) || pass.request.includesInvisible else { return nil }
            guard image.exclusion == nil || image.exclusion == .hidden, image.anchor != nil else { return nil }
            let placer = GroundPlacer(image, viewport)
            let isHit = GroundPlacer.copies.contains { pass.covers(placer.area(copy: $0)) }
            return isHit ? pass.hit(ofShape: slot, isVisible: visible.contains(slot)) : nil
        }
    }

    /// The areas of the picture in which ground overlays can be picked.
    func areas(_ pass: PickingPass) -> [PlacedArea] {
        placed.compactMap { one in
            guard let image = images[one.slot] else { return nil }
            let placer = GroundPlacer(image, viewport)
            return pass.area(pass.hit(ofShape: one.slot, isVisible: true), one.copies.map(placer.area))
        }
    }
}

extension PickingPass {
    /// Whether a convex polygon in device pixels covers the point, or an edge of it is within the tolerance.
    fileprivate func covers(_ polygon: [PlanePoint]) -> Bool {
        guard var before = polygon.last else { return false }
        var isInside = false
        for point in polygon {
            if tolerance > 0, touches(before.x, before.y, point.x, point.y) { return true }
            if (before.y <= y) != (point.y <= y), (point.x - before.x) * (y - before.y) / (point.y - before.y) + before.x > x {
                isInside.toggle()
            }
            before = point
        }
        return isInside
    }
}
