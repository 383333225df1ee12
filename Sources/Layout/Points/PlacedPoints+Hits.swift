import WaymarkFrame
import WaymarkGeo
import WaymarkRaster
import WaymarkScene

extension PlacedPoints {
    /// The hits of points at a point of the picture, unordered.
    func hits(_ pass: PickingPass) -> [PlacedHit] {
        let placer = IconPlacer(viewport)
        var hits: [PlacedHit] = []
        var known: Set<Int32> = []
        func test(_ candidate: PointCandidate) {
            guard candidate.isSeen(in: viewport) else { return }
            let isIconHit = candidate.isIconDrawn && pass.isHit(candidate.icon, placer, points.style(candidate.slot))
            let isCaptionHit = candidate.isCaptionShown && pass.isHit(candidate.captionBox)
            guard isIconHit || isCaptionHit else { return }
            known.insert(candidate.slot)
            hits.append(hit(candidate.slot, copy: Int(candidate.copy), isIconHit ? .icon : .caption, isVisible: true, pass))
        }
        if let grid {
            grid.forEach(nearX: pass.x, y: pass.y, radius: pass.tolerance) { test(candidates[$0]) }
        } else {
            for candidate in candidates { test(candidate) }
        }
        if candidates.isEmpty || pass.request.includesInvisible { addIcons(pass, placer, without: known, to: &hits) }
        addSymbols(pass, placer, to: &hits)
        return hits
    }

    /// Adds hits of icons near the point. These are all icons if the picture has no candidates, and otherwise the icons that are not
    /// candidates.
    private func addIcons(_ pass: PickingPass, _ placer: IconPlacer, without known: Set<Int32>, to hits: inout [PlacedHit]) {
        let hasCandidates = !candidates.isEmpty
        let copies = WorldCopies(viewport, margin: points.radius, height: points.topHeight).shown
        // The columns are passed on, because choosing between the two for each value of each point takes as long as the rest of the test.
        func test(_ columns: PointColumns, _ index: Int, _ number: Int32, isPresent: Bool) {
            let style = columns.style(index)
            guard style.raster >= 0, !known.contains(number) else { return }
            let isShown = isPresent && (!style.flags.contains(.zoomRange) || pass.overlays.isShown(number, atZoom: viewport.camera.zoom))
            let isVisible = isShown && !hasCandidates
            let place = columns.places[index]
            guard isVisible || pass.request.includesInvisible, !place.y.isNaN else { return }
            for copy in copies {
                let icon = placer.place(place, height: columns.height(index), copy: Double(copy), style)
                guard icon.reason == nil, pass.isHit(icon.sprite, placer, style) else { continue }
                hits.append(hit(number, copy: copy, .icon, isVisible: isVisible, pass))
            }
        }
        let own = points.own
        for (index, number) in points.layerNumbers.enumerated() { test(points.layers, index, number, isPresent: true) }
        if let near = nearby(index?.present, pass, copies) {
            for slot in near { test(own, Int(slot), slot, isPresent: true) }
            guard pass.request.includesInvisible else { return }
            for slot in nearby(index?.hidden, pass, copies) ?? [] { test(own, Int(slot), slot, isPresent: false) }
        } else {
            for (slot, participation) in own.participations.enumerated() {
                switch participation {
                case .present: test(own, slot, Int32(slot), isPresent: true)
                case .excluded(.hidden) where pass.request.includesInvisible: test(own, slot, Int32(slot), isPresent: false)
                case .excluded, .noPoint: break
                }
            }
        }
    }

    /// The points whose place may be near, found through an index; nil if all points must be visited.
    private func nearby(_ index: SpatialIndex?, _ pass: PickingPass, _ copies: ClosedRange<Int>) -> [Int32]? {
        let radius = max(points.own.styles.radius, points.layers.styles.radius)
        guard let index, points.topHeight == 0, let box = pass.ground(radius: radius) else { return nil }
        let boxes = copies.map { copy in
            WorldBox(west: box.west - Double(copy), north: box.north, east: box.east - Double(copy), south: box.south)
        }
        return index.slots(in: boxes, points.own, limit: points.own.count)
    }

    func hit(_ slot: Int32, copy: Int, _ part: HitPart, isVisible: Bool, _ pass: PickingPass) -> PlacedHit {
        let place = points.place(slot)
        let steps = PointOrder.steps(WorldPoint(x: place.x + Double(copy), y: place.y), viewport.projection)
        return PlacedHit(
            target: .overlay(slot), part: part, isVisible: isVisible,
            order: PickOrder(rank: pass.order.rank(slot), within: -steps, insertion: pass.order.sequence(slot)), copy: copy)
    }

    private func addSymbols(_ pass: PickingPass, _ placer: IconPlacer, to hits: inout [PlacedHit]) {
        for (number, symbol) in placedSymbols.enumerated() {
            let isVisible = symbol.hiddenBy == nil
            guard isVisible || pass.request.includesInvisible else { continue }
            let candidate = symbol.candidate
            let isHit =
                candidate.hasIcon && pass.isHit(candidate.icon, placer, nil)
                || candidate.caption >= 0 && pass.isHit(candidate.captionBox)
            if isHit { hits.append(hit(symbol, number, pass)) }
        }
    }

    /// - Parameter number: The symbol's index in the picture. The symbol of the lowest rank is placed first and is on top.
    func hit(_ symbol: PlacedSymbol, _ number: Int, _ pass: PickingPass) -> PlacedHit {
        PlacedHit(
            target: .symbol(Int(symbol.number)), part: .symbol, isVisible: symbol.hiddenBy == nil,
            order: PickOrder(rank: pass.order.keys.rankAboveSymbols, tier: PickOrder.symbols, within: -Int64(number)))
    }

    /// The areas of the picture in which points can be picked, unordered.
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
            if candidate.isIconDrawn, let quad = corners(candidate.icon) {
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

extension PickingPass {
    /// Whether a drawn icon is at the point: its quad, or, if transparent pixels are ignored, its pixels.
    /// - Parameter style: The icon's style; nil for a symbol.
    func isHit(_ sprite: Sprite, _ placer: IconPlacer, _ style: IconStyle?) -> Bool {
        if sprite.plane == .screen {
            let radius = tolerance + Double(max(abs(sprite.acrossX) + abs(sprite.downX), abs(sprite.acrossY) + abs(sprite.downY)))
            guard abs(x - Double(sprite.x)) <= radius, abs(y - Double(sprite.y)) <= radius else { return false }
        }
        guard let (across, down) = imagePoint(of: sprite) else { return false }
        if (0...1).contains(across), (0...1).contains(down) {
            let raster = Int32(bitPattern: sprite.image)
            guard request.ignoresTransparentPixels, raster >= 0 else { return true }
            let bitmap = rasters[Int(raster)].bitmap
            guard bitmap.width > 0, bitmap.height > 0 else { return true }
            return bitmap[
                min(bitmap.width - 1, Int(across * Double(bitmap.width))), min(bitmap.height - 1, Int(down * Double(bitmap.height)))
            ].alpha > 0
        }
        guard tolerance > 0, !request.ignoresTransparentPixels, let corners = placer.corners(of: sprite) else { return false }
        let ratio = viewport.pixelRatio
        return corners.indices.contains { index in
            let (a, b) = (corners[index], corners[(index + 1) % 4])
            return touches(a.x * ratio, a.y * ratio, b.x * ratio, b.y * ratio)
        }
    }

    /// The point of a sprite's image at the picked point: (0, 0) is its upper left, (1, 1) its lower right; other values are outside the
    /// image. Nil above the horizon, or when the image has no area.
    private func imagePoint(of sprite: Sprite) -> (x: Double, y: Double)? {
        var (planeX, planeY) = (x, y)
        if sprite.plane == .ground {
            let ray = viewport.projection.ray(through: SIMD2(request.point.x, request.point.y))
            guard ray.direction.z != 0 else { return nil }
            let depth = (Double(sprite.z) - ray.origin.z) / ray.direction.z
            guard depth > viewport.nearDepth else { return nil }
            let place = ray.origin + ray.direction * depth
            (planeX, planeY) = (place.x, place.y)
        }
        let (offX, offY) = (planeX - Double(sprite.x), planeY - Double(sprite.y))
        let (acrossX, acrossY) = (Double(sprite.acrossX), Double(sprite.acrossY))
        let (downX, downY) = (Double(sprite.downX), Double(sprite.downY))
        let area = acrossX * downY - acrossY * downX
        guard area != 0 else { return nil }
        return ((offX * downY - offY * downX) / area, (offY * acrossX - offX * acrossY) / area)
    }
}
