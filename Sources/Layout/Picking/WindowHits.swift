import WaymarkGeo
import WaymarkScene

extension PlacedWindows {
    func hits(_ pass: PickingPass) -> [PlacedHit] {
        placed.enumerated().compactMap { number, one in
            let ratio = viewport.pixelRatio
            let (left, top) = (one.left + one.image.left, one.top + one.image.top)
            let (right, bottom) = (left + one.image.width * ratio, top + one.image.height * ratio)
            guard pass.touches(left: left, top: top, right: right, bottom: bottom) else { return nil }
            // Beside the tail there is nothing.
            let tail = one.image.tailHeight * ratio
            let tip = (x: one.left + one.image.tipX, y: one.top + one.image.tipY)
            if tail > 0, pass.y > bottom - tail + pass.tolerance {
                let half = InfoWindowFrame.tailWidth * ratio / 2 * max(0, tip.y - pass.y) / tail
                guard abs(pass.x - tip.x) <= half + pass.tolerance else { return nil }
            }
            let key = one.sortKey
            let order = PickOrder(rank: pass.order.keys.rank(above: key), tier: PickOrder.windows, within: Int64(number))
            guard let view = one.view else {
                return PlacedHit(target: .infoWindow, part: .infoWindow, isVisible: true, order: order)
            }
            guard views[view].isSelectable else { return nil }
            return PlacedHit(target: .viewOverlay(view), part: .viewOverlay, isVisible: true, order: order)
        }
    }
}
