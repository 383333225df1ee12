import WaymarkGeo
import WaymarkScene

extension PlacedWindows {
    func hits(_ pass: PickingPass) -> [PlacedHit] {
        placed.enumerated().compactMap { number, one in
            let ratio = viewport.pixelRatio
            let box = box(of: one)
            guard pass.isHit(box) else { return nil }
            // Beside the tail there is nothing.
            let tail = one.image.tailHeight * ratio
            let tip = (x: one.left + one.image.tipX, y: one.top + one.image.tipY)
            if tail > 0, pass.y > box.bottom - tail + pass.tolerance {
                let half = InfoWindowFrame.tailWidth * ratio / 2 * max(0, tip.y - pass.y) / tail
                guard abs(pass.x - tip.x) <= half + pass.tolerance else { return nil }
            }
            return hit(number, pass)
        }
    }

    /// The box of a view with its tail and without its shadow, in device pixels.
    func box(of one: PlacedView) -> Quad.Box {
        let (left, top) = (one.left + one.image.left, one.top + one.image.top)
        return Quad.Box(
            left: left, top: top, right: left + one.image.width * viewport.pixelRatio, bottom: top + one.image.height * viewport.pixelRatio)
    }

    /// A hit of one of the placed views; nil when it cannot be picked.
    func hit(_ number: Int, _ pass: PickingPass) -> PlacedHit? {
        let one = placed[number]
        let order = PickOrder(rank: pass.order.keys.rank(above: one.sortKey), tier: PickOrder.windows, within: Int64(number))
        guard let view = one.view else { return PlacedHit(target: .infoWindow, part: .infoWindow, isVisible: true, order: order) }
        guard views[view].isSelectable else { return nil }
        return PlacedHit(target: .viewOverlay(view), part: .viewOverlay, isVisible: true, order: order)
    }
}
