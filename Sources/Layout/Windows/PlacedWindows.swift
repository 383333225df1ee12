import WaymarkFrame
import WaymarkGeo
import WaymarkRaster
import WaymarkScene

/// A view overlay or the info window on one copy of the world. Lengths are in device pixels.
struct PlacedView: Sendable {
    /// The drawing order among view overlays and windows.
    struct WindowOrder: Comparable, Sendable {
        var globalZIndex: Int
        var zIndex: Int
        /// The position up the ground, in grid steps. Windows farther up are drawn first.
        var steps: Int64
        var number: Int

        static func < (a: WindowOrder, b: WindowOrder) -> Bool {
            (a.globalZIndex, a.zIndex, -a.steps, a.number) < (b.globalZIndex, b.zIndex, -b.steps, b.number)
        }
    }

    /// The index among the view overlays; nil for the info window.
    var view: Int?
    var order: WindowOrder
    var image: ContentImage
    /// The point on which the view stands, before snapping.
    var anchorX: Double
    var anchorY: Double
    /// The upper left of the view's image, in whole pixels.
    var left: Double
    var top: Double
    /// The copy of the world, relative to the one nearest the view's center.
    var copy: Int

    /// The view's sort key in the drawing order of the map.
    var sortKey: SortKey {
        SortKey(
            block: 0, layer: .foreground, globalZIndex: order.globalZIndex, zPath: order.zIndex == 0 ? [] : [order.zIndex], content: .point)
    }

    /// Whether any part of the view is in the picture.
    func isSeen(in viewport: Viewport) -> Bool {
        left < Double(viewport.deviceWidth) && top < Double(viewport.deviceHeight) && left + Double(image.image.width) > 0
            && top + Double(image.image.height) > 0
    }
}

/// The view overlays and the info window of one picture.
struct PlacedWindows: Sendable {
    let viewport: Viewport
    let views: [ReadView]
    /// The info window. Its exclusion is also set while its marker is in a cluster.
    let window: ReadWindow?
    /// The windows in the picture, from bottom to top.
    var placed: [PlacedView] = []
    /// One item for each window.
    var items: [DrawItem] = []
}

extension PlacedWindows {
    /// Places all windows that the camera sees, inside or outside the picture.
    mutating func place() {
        for view in views where view.exclusion == nil && view.zooms?.contains(viewport.camera.zoom) ?? true {
            for copy in -3...3 {
                if let one = place(view, copy: copy) { placed.append(one) }
            }
        }
        if let window, window.exclusion == nil, isWindowShown, let one = place(window) { placed.append(one) }
    }

    /// Whether the picture shows the info window, or a part of it.
    var showsWindow: Bool { placed.contains { $0.view == nil } }

    /// Whether the picture shows only a part of the info window. The shadow does not count.
    var cutsWindow: Bool {
        guard let box = placed.first(where: { $0.view == nil }).map({ drawnBox(of: $0) }) else { return false }
        let (width, height) = (Double(viewport.deviceWidth), Double(viewport.deviceHeight))
        let isIn = box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height
        return !isIn && box.left <= width && box.top <= height && box.right >= 0 && box.bottom >= 0
    }

    /// Whether the zoom is in the range of the window's marker.
    private var isWindowShown: Bool { window?.zooms?.contains(viewport.camera.zoom) ?? true }

    func place(_ view: ReadView, copy: Int) -> PlacedView? {
        guard let image = view.image, let anchor = anchor(of: view, copy: copy) else { return nil }
        let ratio = viewport.pixelRatio
        let (width, height) = (Double(image.image.width), Double(image.image.height))
        return PlacedView(
            view: view.number,
            order: PlacedView.WindowOrder(
                globalZIndex: view.globalZIndex, zIndex: view.zIndex, steps: steps(view.place, viewport.nearestCopy(of: view.place) + copy),
                number: view.number),
            image: image, anchorX: anchor.x, anchorY: anchor.y,
            left: wholePixels(quantized(anchor.x + view.offsetX * ratio - width / 2)),
            top: wholePixels(quantized(anchor.y + view.offsetY * ratio - height / 2)), copy: copy)
    }

    /// The screen position of a view overlay's coordinate, in quantized device pixels; nil when the camera does not see it.
    private func anchor(of view: ReadView, copy: Int) -> (x: Double, y: Double)? {
        guard !view.place.y.isNaN else { return nil }
        return icon(view.place, height: view.height, copy: viewport.nearestCopy(of: view.place) + copy, .empty).map {
            ($0.anchorX, $0.anchorY)
        }
    }

    /// The icon at a place; nil when the camera does not see the place.
    private func icon(_ place: WorldPoint, height: Double, copy: Int, _ style: IconStyle) -> IconPlacer.Icon? {
        let placer = IconPlacer(viewport)
        let icon = placer.place(place, height: height, copy: Double(copy), style)
        let isFar = placer.depth(of: place, height: height, copy: Double(copy)) >= viewport.farDepth
        return icon.reason == .behindCamera || isFar ? nil : icon
    }

    private func place(_ window: ReadWindow) -> PlacedView? {
        guard let image = window.image, let tip = tip(of: window) else { return nil }
        return PlacedView(
            view: nil, order: PlacedView.WindowOrder(globalZIndex: InfoWindow.globalZIndex, zIndex: 0, steps: 0, number: .max),
            image: image,
            anchorX: tip.x, anchorY: tip.y, left: wholePixels(quantized(tip.x - image.tipX)),
            top: wholePixels(quantized(tip.y - image.tipY)),
            copy: 0)
    }

    /// The point on which the window stands, in quantized device pixels; nil when the camera does not see it.
    private func tip(of window: ReadWindow) -> (x: Double, y: Double)? {
        guard !window.place.y.isNaN else { return nil }
        let icon = icon(window.place, height: window.height, copy: viewport.nearestCopy(of: window.place), window.style)
        return icon.flatMap { IconPlacer(viewport).point(window.anchorX, window.anchorY, of: $0.sprite) }
    }

    private func steps(_ place: WorldPoint, _ copy: Int) -> Int64 {
        PointOrder.steps(WorldPoint(x: place.x + Double(copy), y: place.y), viewport.projection)
    }
}

extension PlacedWindows {
    func viewOverlayEntries() -> [Inspection.ViewEntry] {
        views.map { view in
            let copies = zip(placed, items).filter { $0.0.view == view.number }
            let nearest = copies.min { abs($0.0.copy) < abs($1.0.copy) }
            let one = nearest?.0 ?? (view.exclusion == nil ? place(view, copy: 0) : nil)
            let anchor = one.map { ($0.anchorX, $0.anchorY) } ?? self.anchor(of: view, copy: 0)
            let isShown = view.zooms?.contains(viewport.camera.zoom) ?? true
            return entry(
                view.id, one, order: nearest?.1.firstOrder, anchor: anchor, exclusion: view.exclusion ?? (isShown ? nil : .outOfZoom),
                unseen: unseenReason(view.place, height: view.height))
        }
    }

    /// - Parameter name: The name of the window's marker.
    func infoWindowEntry(name: String?) -> Inspection.ViewEntry? {
        guard let window else { return nil }
        let drawn = zip(placed, items).first { $0.0.view == nil }
        let one = drawn?.0 ?? (window.exclusion == nil ? place(window) : nil)
        return entry(
            name, one, order: drawn?.1.firstOrder, anchor: one.map { ($0.anchorX, $0.anchorY) },
            exclusion: window.exclusion ?? (isWindowShown ? nil : .outOfZoom), unseen: unseenReason(window.place, height: window.height))
    }

    /// The reason why the camera does not see a place.
    private func unseenReason(_ place: WorldPoint, height: Double) -> Reason {
        let depth = IconPlacer(viewport).depth(of: place, height: height, copy: Double(viewport.nearestCopy(of: place)))
        return depth >= viewport.farDepth ? .outOfView : .behindCamera
    }

    /// - Parameter unseen: The reason to report if the view cannot be placed.
    private func entry(
        _ id: String?, _ one: PlacedView?, order: Int?, anchor: (x: Double, y: Double)?, exclusion: Reason?, unseen: Reason
    ) -> Inspection.ViewEntry {
        let ratio = viewport.pixelRatio
        var entry = Inspection.ViewEntry(id: id, isVisible: order != nil)
        if order == nil { entry.reason = exclusion ?? (one == nil ? unseen : .outOfView) }
        entry.order = order
        entry.anchor = anchor.map { .init(x: $0.x / ratio, y: $0.y / ratio) }
        entry.rect = one.map { Inspection.Rect(drawnBox(of: $0), pixelRatio: ratio) }
        return entry
    }

    /// The box of a view as drawn, in whole device pixels, with its tail, without its shadow.
    private func drawnBox(of one: PlacedView) -> PixelBox {
        let (left, top, ratio) = (one.left + one.image.left, one.top + one.image.top, viewport.pixelRatio)
        return PixelBox(
            left: left, top: top, right: left + wholePixels(one.image.width * ratio), bottom: top + wholePixels(one.image.height * ratio))
    }
}

extension PlacedWindows {
    /// The hits of windows at a point of the picture, unordered.
    func hits(_ pass: PickingPass) -> [PlacedHit] {
        let visible = placed.enumerated().compactMap { number, one in isHit(one, pass) ? hit(one, number, pass) : nil }
        guard pass.request.includesInvisible else { return visible }
        let unshown = views.filter(isUnshown).compactMap { view -> PlacedHit? in
            let one = (-3...3).lazy.compactMap { place(view, copy: $0) }.first { isHit($0, pass) }
            return one.flatMap { one in hit(one, placed.count { $0.order < one.order }, isVisible: false, pass) }
        }
        return visible + unshown
    }

    /// The areas of the picture in which windows can be picked, including tails but not shadows.
    func areas(_ pass: PickingPass) -> [PlacedArea] {
        placed.enumerated().compactMap { number, one in
            guard let hit = hit(one, number, pass) else { return nil }
            let box = box(of: one)
            let tail = one.image.tailHeight * viewport.pixelRatio
            guard tail > 0 else { return pass.area(hit, [box.corners]) }
            var body = box
            body.bottom -= tail
            let tip = PlanePoint(one.left + one.image.tipX, one.top + one.image.tipY)
            let half = PlanePoint(InfoWindowFrame.tailWidth * viewport.pixelRatio / 2, 0)
            let foot = PlanePoint(tip.x, body.bottom)
            let corners = body.corners
            return pass.area(hit, [[corners[0], corners[1], corners[2], foot + half, tip, foot - half, corners[3]]])
        }
    }

    /// Whether a view overlay that is hidden or outside its zoom range can be picked.
    private func isUnshown(_ view: ReadView) -> Bool {
        guard view.isSelectable, view.height >= 0 else { return false }
        return view.exclusion == .hidden || view.exclusion == nil && view.zooms?.contains(viewport.camera.zoom) == false
    }

    private func isHit(_ one: PlacedView, _ pass: PickingPass) -> Bool {
        let ratio = viewport.pixelRatio
        let box = box(of: one)
        guard pass.isHit(box) else { return false }
        // The sides of the tail are empty.
        let tail = one.image.tailHeight * ratio
        let tip = (x: one.left + one.image.tipX, y: one.top + one.image.tipY)
        guard tail > 0, pass.y > box.bottom - tail + pass.tolerance else { return true }
        let half = InfoWindowFrame.tailWidth * ratio / 2 * max(0, tip.y - pass.y) / tail
        return abs(pass.x - tip.x) <= half + pass.tolerance
    }

    /// The box of a view with its tail, without its shadow, in device pixels.
    func box(of one: PlacedView) -> PixelBox {
        let (left, top) = (one.left + one.image.left, one.top + one.image.top)
        return PixelBox(
            left: left, top: top, right: left + one.image.width * viewport.pixelRatio, bottom: top + one.image.height * viewport.pixelRatio)
    }

    /// The hit of a view; nil when it cannot be picked.
    /// - Parameter number: The number of placed views that are drawn before it.
    func hit(_ one: PlacedView, _ number: Int, isVisible: Bool = true, _ pass: PickingPass) -> PlacedHit? {
        let order = PickOrder(rank: pass.order.keys.rank(above: one.sortKey), tier: PickOrder.windows, within: Int64(number))
        guard let view = one.view else { return PlacedHit(target: .infoWindow, part: .infoWindow, isVisible: isVisible, order: order) }
        guard views[view].isSelectable || pass.request.includesTapHandlers && views[view].hasTapHandler else { return nil }
        return PlacedHit(target: .viewOverlay(view), part: .viewOverlay, isVisible: isVisible, order: order)
    }
}
