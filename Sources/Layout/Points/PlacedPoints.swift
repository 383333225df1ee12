import WaymarkFrame
import WaymarkGeo
import WaymarkScene
import WaymarkText

/// Finds the points near a place without visiting the others.
struct PickingIndex: Sendable {
    /// Points that take part in pictures; nil when there are so few that all are visited.
    var present: SpatialIndex?
    /// Hidden points; nil when `present` is nil.
    var hidden: SpatialIndex?

    /// The minimum number of candidates for an index. If there are fewer, all are visited.
    static let leastCount = 1024
}

/// The points and symbols of one picture: their positions, collisions and texts.
struct PlacedPoints: Sendable {
    let viewport: Viewport
    let points: PicturePoints
    let symbols: SymbolColumns
    private let language: String
    private let fonts: FontLibrary?
    /// Finds points near a place; nil when the picture was not placed for picking.
    var index: PickingIndex?
    /// Finds candidates near a pixel; nil when the picture was not placed for picking, or has few candidates.
    var grid: CandidateGrid?
    /// The items of the points, from bottom to top.
    var items: [DrawItem] = []
    /// The points in the picture, from bottom to top.
    var slots: [Int32] = []
    /// The copy of the world of each point; empty when all are on copy 0.
    var copies: [Int8] = []
    /// All points that take part in a picture with captions or collisions, shown or hidden, from bottom to top. `shownCandidates` are the
    /// indices of the shown ones.
    var candidates: [PointCandidate] = []
    private var shownCandidates: [Int32] = []
    var collisionGrid: CollisionGrid?
    var placedSymbols: [PlacedSymbol] = []
    /// The collision boxes of the symbols; nil without any.
    var symbolGrid: CollisionGrid?

    init(_ pass: PlacingPass, _ points: PicturePoints, _ symbols: SymbolColumns) {
        viewport = pass.viewport
        language = pass.language
        fonts = pass.fonts
        self.points = points
        self.symbols = symbols
    }

    /// Adds a candidate to the picture, above those added before.
    mutating func show(_ candidate: Int) {
        shownCandidates.append(Int32(candidate))
        slots.append(candidates[candidate].slot)
        copies.append(candidates[candidate].copy)
    }
}

extension PlacedPoints {
    /// Describes points: overlays by slot, or points that cluster layers show by number.
    /// - Parameter nearest: The result of `nearestCopies`.
    func entries(of slots: [Int32], _ nearest: [Int32: NearestCopy], _ pass: DescribingPass) -> [Inspection.OverlayEntry] {
        slots.map { entry($0, nearest[$0], pass) }
    }

    /// The copy of a point that an inspection describes.
    struct NearestCopy {
        /// The copy's position in the drawing order; -1 if it is not in the picture.
        fileprivate var order: Int32
        fileprivate var copy: Int32
        /// The number of copies in the picture.
        fileprivate var count: Int32
        /// The copy's index in `candidates`; -1 if it is not a candidate.
        fileprivate var candidate: Int32
    }

    /// The copy nearest to the view's center, keyed by slot. Copies in the picture are preferred to others that take part.
    func nearestCopies() -> [Int32: NearestCopy] {
        var nearest: [Int32: NearestCopy] = [:]
        func note(_ slot: Int32, _ new: NearestCopy) {
            let x = points.place(slot).x
            func distance(_ copy: Int32) -> Double { abs(x + Double(copy) - viewport.centerX) }
            guard var known = nearest[slot] else { return nearest[slot] = new }
            known.count += new.count
            let isBetter = (known.order < 0) == (new.order < 0) ? distance(new.copy) < distance(known.copy) : known.order < 0
            nearest[slot] = isBetter ? NearestCopy(order: new.order, copy: new.copy, count: known.count, candidate: new.candidate) : known
        }
        var index = 0
        for item in items {
            for order in item.firstOrder..<item.firstOrder + item.count {
                let copy = copies.isEmpty ? 0 : Int32(copies[index])
                let candidate = shownCandidates.isEmpty ? -1 : shownCandidates[index]
                note(slots[index], NearestCopy(order: Int32(order), copy: copy, count: 1, candidate: candidate))
                index += 1
            }
        }
        for (index, candidate) in candidates.enumerated() where !candidate.isOnlyInkVisible && !candidate.isSeen(in: viewport) {
            note(candidate.slot, NearestCopy(order: -1, copy: Int32(candidate.copy), count: 0, candidate: Int32(index)))
        }
        return nearest
    }

    private func entry(_ slot: Int32, _ seen: NearestCopy?, _ pass: DescribingPass) -> Inspection.OverlayEntry {
        let order = seen.flatMap { $0.order < 0 ? nil : Int($0.order) }
        let isVisible = order != nil
        var entry = Inspection.OverlayEntry(
            id: pass.names[slot] ?? "", type: pass.overlays.type(slot) ?? .marker, isVisible: isVisible, order: order,
            copies: seen.map { Int($0.count) } ?? 0)
        let candidate = seen.flatMap { $0.candidate < 0 ? nil : candidates[Int($0.candidate)] }
        if !isVisible { entry.reason = reason(slot, candidate, pass) }
        let isPlaced = ![Reason.invalid, .noPosition, .outOfProjection].contains(entry.reason)
        let copy = seen.map { Int($0.copy) }
        guard isPlaced, let icon = icon(slot, copy: copy), icon.reason != .behindCamera else { return entry }
        entry.anchor = .init(x: icon.anchorX / viewport.pixelRatio, y: icon.anchorY / viewport.pixelRatio)
        let quad = IconPlacer(viewport).corners(of: icon.sprite).map { $0.map { Inspection.Point(x: $0.x, y: $0.y) } }
        let isIconVisible =
            isVisible && points.style(slot).raster >= 0 && (candidate.map { $0.isIconShown && $0.iconReason == nil } ?? true)
        entry.icon = .init(isVisible: isIconVisible, quad: quad, hiddenBy: candidate.flatMap { iconHider($0, pass) })
        entry.caption = caption(slot, candidate, copy: copy, pass)
        if isVisible, let candidate, candidate.flags.contains(.occludable) { entry.isOccluded = candidate.flags.contains(.occluded) }
        return entry
    }

    /// The icon of a point on a copy of the world, inside or outside the picture; nil when the projection has no place for the point.
    /// - Parameter copy: The copy; nil for the copy nearest to the view's center.
    private func icon(_ slot: Int32, copy: Int?) -> IconPlacer.Icon? {
        let place = points.place(slot)
        guard !place.y.isNaN else { return nil }
        return IconPlacer(viewport).place(
            place, height: points.height(slot), copy: Double(copy ?? viewport.nearestCopy(of: place)), points.style(slot))
    }

    /// The reason why a point is not in the picture.
    private func reason(_ slot: Int32, _ candidate: PointCandidate?, _ pass: DescribingPass) -> Reason {
        guard let candidate else {
            if let reason = points.exclusion(slot) { return reason }
            if pass.overlays.type(slot) != nil, !pass.overlays.isShown(slot, atZoom: viewport.camera.zoom) { return .outOfZoom }
            return icon(slot, copy: nil)?.reason ?? .outOfView
        }
        // The state of the point's other copies makes no difference.
        if candidate.isCutByEdge, !candidate.lacksCaption { return .outOfView }
        if candidate.iconHiddenBy >= 0 || candidate.captionHiddenBy >= 0 { return .collided }
        return candidate.iconReason ?? candidate.captionReason ?? .outOfView
    }

    /// The name of a candidate's marker; nil for nil.
    func name(_ candidate: Int32?, _ pass: DescribingPass) -> String? {
        candidate.flatMap { pass.names[candidates[Int($0)].slot] }
    }

    /// The name of the marker that hides an icon, or the caption that the icon requires.
    private func iconHider(_ candidate: PointCandidate, _ pass: DescribingPass) -> String? {
        guard !candidate.isIconShown else { return nil }
        if candidate.lacksCaption { return ownHider(ofCaption: candidate, pass) }
        let shape = candidate.iconShape(IconPlacer(viewport))
        return name(collisionGrid?.first(over: shape, slot: candidate.slot, .icon, of: candidate.iconHiddenBy), pass)
    }

    /// The name of the marker that hides the caption's icon, or that hides the caption at its first align that the picture's edge does not
    /// cut.
    private func captionHider(_ candidate: PointCandidate, _ pass: DescribingPass) -> String? {
        guard candidate.isIconShown else { return iconHider(candidate, pass) }
        return candidate.captionHiddenBy < 0 ? nil : ownHider(ofCaption: candidate, pass)
    }

    private func ownHider(ofCaption candidate: PointCandidate, _ pass: DescribingPass) -> String? {
        let shape = candidate.captionShape(points.captionBox(of: candidate))
        return name(collisionGrid?.first(over: shape, slot: candidate.slot, .caption, of: candidate.captionHiddenBy), pass)
    }

    private func caption(_ slot: Int32, _ known: PointCandidate?, copy: Int?, _ pass: DescribingPass) -> Inspection.Caption? {
        let (captions, id) = (points.captions(of: slot), points.captionID(slot))
        guard id >= 0, let source = captions.sources[Int(id)], let fonts else { return nil }
        let box = captions.boxes[Int(id)]
        var caption = Inspection.Caption(isVisible: false, lines: [])
        let place = points.place(slot)
        let shown =
            known
            ?? CandidateCollector(viewport, points).candidate(
                place, height: points.height(slot), copy: copy ?? viewport.nearestCopy(of: place), points.style(slot), caption: id,
                boxes: captions.boxes, scope: .all)
        guard let shown, shown.caption >= 0 else { return caption }
        caption.isVisible = shown.isCaptionShown && shown.isCaptionSeen(in: viewport)
        caption.align = box.aligns[Int(shown.align)]
        caption.rect = Inspection.Rect(shown.captionBox, pixelRatio: viewport.pixelRatio)
        caption.lines = CaptionText(source, language: language, nil).lines(hasSub: shown.scales.hasSub, fonts)
        caption.hiddenBy = captionHider(shown, pass)
        caption.isCutByEdge = shown.isCutByEdge
        return caption
    }
}

extension PlacedPoints {
    /// The distinct warnings about icons that are drawn as requested, but whose automatic side distorts the image.
    func advice(_ distortions: [ImageCatalog.ShownRaster: Diagnostic]) -> [Diagnostic] {
        guard !distortions.isEmpty else { return [] }
        var isUsed = [Bool](repeating: false, count: points.styles.count)
        for slot in points.own.present { isUsed[Int(points.own.styleIDs[Int(slot)])] = true }
        for index in points.layers.styleIDs { isUsed[points.own.styles.styles.count + Int(index)] = true }
        let styles = zip(points.styles, isUsed).filter(\.1).map(\.0) + symbols.styles
        let shown = Set(
            styles.filter { $0.flags.contains(.distorted) }.map {
                ImageCatalog.ShownRaster(raster: $0.raster, width: $0.width, height: $0.height)
            })
        return shown.compactMap { distortions[$0] }.sorted { ($0.id ?? "", $0.message) < ($1.id ?? "", $1.message) }
    }

    /// The copy nearest to the view's center, keyed by number. Shown copies are preferred to others that take part.
    private var nearestSymbols: [Int32: PlacedSymbol] {
        var nearest: [Int32: PlacedSymbol] = [:]
        for symbol in placedSymbols where !symbol.candidate.isOnlyInkVisible {
            func distance(_ other: PlacedSymbol) -> Double { abs(other.place.x + Double(other.candidate.copy) - viewport.centerX) }
            if let known = nearest[symbol.number] {
                let isShown = (symbol.isShown, known.isShown)
                guard isShown.0 == isShown.1 ? distance(symbol) < distance(known) : isShown.0 else { continue }
            }
            nearest[symbol.number] = symbol
        }
        return nearest
    }

    /// Describes the base map's symbols.
    func symbolEntries(_ pass: DescribingPass) -> [Inspection.SymbolEntry] {
        var entries = symbols.symbols.indices.map { number in
            Inspection.SymbolEntry(
                id: symbols.name(number), isVisible: false,
                anchor: viewport.point(from: symbols.symbols[number].position).map { .init(x: $0.x, y: $0.y) })
        }
        for symbol in nearestSymbols.values {
            let candidate = symbol.candidate
            let icon = IconPlacer(viewport).place(symbol.place, height: 0, copy: Double(candidate.copy), .empty)
            let number = Int(symbol.number)
            entries[number].anchor = .init(x: icon.anchorX / viewport.pixelRatio, y: icon.anchorY / viewport.pixelRatio)
            entries[number].isVisible = symbol.isShown && (candidate.hasIcon || candidate.caption >= 0)
            entries[number].isCutByEdge = candidate.isCutByEdge
            entries[number].rect = Inspection.Rect(candidate.shownBox, pixelRatio: viewport.pixelRatio)
            entries[number].hiddenBy =
                switch symbol.hiddenBy {
                case .marker(let candidate): name(candidate, pass)
                case .symbol(let number): symbols.name(Int(number))
                case nil: nil
                }
        }
        return entries
    }
}
