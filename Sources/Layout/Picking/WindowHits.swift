import WaymarkGeo
import WaymarkScene

extension PlacedWindows {
    func hits(_ pass: PickingPass) -> [PlacedHit] {
        let visible = placed.enumerated().compactMap { number, one in isHit(one, pass) ? hit(one, number, pass) : nil }
        guard pass.request.includesInvisible else { return visible }
        let unshown = views.filter(isUnshown).compactMap { view -> PlacedHit? in
            let one = (-3...3).lazy.compactMap { place(view, copy: $0) }.first { isHit($0, pass) }
            return one.flatMap { one in hit(one, placed.count { $0.order < one.order }, isVisible: false, pass) }
        }
        return visible + unshown
    }

    /// Whether a view overlay can be picked that is hidden, or out of its zooms.
    private func isUnshown(_ view: ReadView) -> Bool {
        guard view.isSelectable, view.height >= 0 else { return false }
        return view.exclusion == .hidden || view.exclusion == nil && view.zooms?.contains(viewport.camera.zoom) == false
    }

    private func isHit(_ one: PlacedView, _ pass: PickingPass) -> Bool {
        let ratio = viewport.pixelRatio
        let box = box(of: one)
        guard pass.isHit(box) else { return false }
        // Beside the tail there is nothing.
        let tail = one.image.tailHeight * ratio
        let tip = (x: one.left + one.image.tipX, y: one.top + one.image.tipY)
        guard tail > 0, pass.y > box.bottom - tail + pass.tolerance else { return true }
        let half = InfoWindowFrame.tailWidth * ratio / 2 * max(0, tip.y - pass.y) / tail
        return abs(pass.x - tip.x) <= half + pass.tolerance
    }

    /// The box of a view with its tail and without its shadow, in device pixels.
    func box(of one: PlacedView) -> Quad.Box {
        let (left, top) = (one.left + one.image.left, one.top + one.image.top)
        return Quad.Box(
            left: left, top: top, right: left + one.image.width * viewport.pixelRatio, bottom: top + one.image.height * viewport.pixelRatio)
    }

    /// A hit of a view; nil when it cannot be picked.
    /// - Parameter number: The number of placed views that are drawn before it.
    func hit(_ one: PlacedView, _ number: Int, isVisible: Bool = true, _ pass: PickingPass) -> PlacedHit? {
        let order = PickOrder(rank: pass.order.keys.rank(above: one.sortKey), tier: PickOrder.windows, within: Int64(number))
        guard let view = one.view else { return PlacedHit(target: .infoWindow, part: .infoWindow, isVisible: isVisible, order: order) }
        guard views[view].isSelectable else { return nil }
        return PlacedHit(target: .viewOverlay(view), part: .viewOverlay, isVisible: isVisible, order: order)
    }
}
