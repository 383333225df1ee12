import WaymarkFrame
import WaymarkGeo
import WaymarkRaster
import WaymarkScene

/// Where something is in the picture that can be picked.
package struct PlacedArea {
    /// What it is, as a pick there would give it.
    package var hit: PlacedHit
    /// Polygons in pt that together are the area, inside the picture. They have no holes: one that would have is cut open to its hole.
    package var polygons: [[PlanePoint]]
}

extension Placement {
    /// The areas of everything that is drawn, topmost first.
    /// - Parameter lineTolerance: How much wider lines are on each side than they are drawn, in pt.
    package func areas(lineTolerance: Double) -> [PlacedArea] {
        let pass = PickingPass(PickRequest(.zero, tolerance: lineTolerance), self)
        let families = [points.areas(pass), shapes.areas(pass), models.areas(pass), windows.areas(pass), ground.areas(pass)]
        let areas = families.joined().map { PlacedArea(hit: resolved($0.hit), polygons: $0.polygons) }
        return areas.sorted { $0.hit.order > $1.hit.order }
    }
}

extension PickingPass {
    /// An area of polygons in device pixels; nil when nothing of it is in the picture.
    func area(_ hit: PlacedHit, _ polygons: [[PlanePoint]]) -> PlacedArea? {
        let (ratio, size) = (viewport.pixelRatio, PlanePoint(viewport.size.width, viewport.size.height))
        let shown = polygons.compactMap { polygon -> [PlanePoint]? in
            let clipped = AreaPolygons.clipped(polygon.map { $0 / ratio }, to: size)
            return clipped.count > 2 ? clipped : nil
        }
        return shown.isEmpty ? nil : PlacedArea(hit: hit, polygons: shown)
    }
}

extension PlacedPoints {
    func areas(_ pass: PickingPass) -> [PlacedArea] {
        let placer = IconPlacer(viewport)
        var areas: [PlacedArea] = []
        func add(_ hit: PlacedHit, _ polygon: [PlanePoint]) {
            if let area = pass.area(hit, [polygon]) { areas.append(area) }
        }
        func corners(_ sprite: Sprite) -> [PlanePoint]? {
            placer.corners(of: sprite)?.map { PlanePoint($0.x, $0.y) * viewport.pixelRatio }
        }
        if candidates.isEmpty {
            for (index, slot) in slots.enumerated() {
                let style = points.style(slot)
                let copy = copies.isEmpty ? 0 : Int(copies[index])
                guard style.raster >= 0 else { continue }
                let icon = placer.place(points.place(slot), height: points.height(slot), copy: Double(copy), style)
                guard icon.reason == nil, let quad = corners(icon.sprite) else { continue }
                add(hit(slot, copy: copy, .icon, isVisible: true, pass), quad)
            }
        }
        for candidate in candidates where candidate.isSeen(in: viewport) {
            let copy = Int(candidate.copy)
            if candidate.isIconShown, candidate.iconReason == nil, candidate.hasIcon, let quad = corners(candidate.icon) {
                add(hit(candidate.slot, copy: copy, .icon, isVisible: true, pass), quad)
            }
            if candidate.isCaptionShown {
                add(hit(candidate.slot, copy: copy, .caption, isVisible: true, pass), candidate.captionBox.corners)
            }
        }
        for (number, symbol) in placedSymbols.enumerated() where symbol.hiddenBy == nil {
            let candidate = symbol.candidate
            if candidate.hasIcon, let quad = corners(candidate.icon) { add(hit(symbol, number, pass), quad) }
            if candidate.caption >= 0 { add(hit(symbol, number, pass), candidate.captionBox.corners) }
        }
        return areas
    }
}

extension Quad.Box {
    fileprivate var corners: [PlanePoint] {
        [PlanePoint(left, top), PlanePoint(right, top), PlanePoint(right, bottom), PlanePoint(left, bottom)]
    }
}

extension PlacedShapes {
    func areas(_ pass: PickingPass) -> [PlacedArea] {
        placed.compactMap { one in
            guard let shape = shapes[one.slot] else { return nil }
            let drawing = ShapePlacer.outlines(of: shape, viewport, widening: pass.tolerance / viewport.pixelRatio)
            return pass.area(hit(one.slot, isVisible: true, pass), drawing.paths.flatMap { drawing.polygons(of: $0) })
        }
    }
}

extension PlacedModels {
    func areas(_ pass: PickingPass) -> [PlacedArea] {
        // Nearer ones are above farther ones.
        let seen = views.compactMap { view in view.box(viewport).map { (view: view, box: $0) } }
        let ordered = seen.sorted { $0.view.depth(viewport) > $1.view.depth(viewport) }
        return ordered.enumerated().compactMap { number, one in
            let hit = PlacedHit(
                target: .overlay(one.view.slot), part: .model, isVisible: true,
                order: PickOrder(rank: pass.order.rank(one.view.slot), within: Int64(number)))
            let hull = AreaPolygons.hull(one.view.screenPoints(viewport))
            return pass.area(hit, [hull.map { $0 * viewport.pixelRatio }])
        }
    }
}

extension PlacedWindows {
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
}
