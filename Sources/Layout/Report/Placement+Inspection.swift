import WaymarkFrame
import WaymarkGeo
import WaymarkScene
import WaymarkText

extension Placement {
    /// Everything that is known of the overlays of the map that this is a placement of.
    package func inspection(of mapView: MapView) -> Inspection {
        let listed = listing(of: mapView)
        var names = OverlayNames(mapView)
        let reader = InspectionReader(
            placement: self, names: Dictionary(uniqueKeysWithValues: listed.map { ($0.slot, names.name(of: $0)) }),
            nearest: nearestCopies, shapes: drawnShapes(), models: nearestModels,
            fonts: Composer.of(mapView).openFonts.flatMap { try? $0.get() },
            language: mapView.language)
        var entries = listed.map(reader.entry)
        readMembers(of: listed, into: &entries)
        return Inspection(
            viewport: viewport, overlays: entries, symbols: reader.symbolEntries(mapView.symbols), diagnostics: diagnostics)
    }

    /// Everything on a map; after a container what is in it.
    private func listing(of mapView: MapView) -> [Overlay] {
        var rest: [Overlay] = mapView.overlays.reversed()
        var listed: [Overlay] = []
        while let overlay = rest.popLast() {
            listed.append(overlay)
            if let container = overlay as? Container { rest += container.children.reversed() }
        }
        return listed
    }

    /// A container is in the picture when something in it is.
    private func readMembers(of listed: [Overlay], into entries: inout [Inspection.OverlayEntry]) {
        guard listed.contains(where: { $0.type == .container }) else { return }
        let indices = Dictionary(uniqueKeysWithValues: listed.enumerated().map { index, overlay in (overlay.slot, index) })
        // Inner containers stand after outer ones.
        for (index, overlay) in listed.enumerated().reversed() {
            guard let container = overlay as? Container else { continue }
            let children = container.children.compactMap { indices[$0.slot] }
            entries[index].members = children.map { entries[$0].id }
            let isVisible = children.contains { entries[$0].isVisible }
            entries[index].isVisible = isVisible
            entries[index].reason = isVisible ? nil : reason(container: overlay.slot)
            entries[index].copies = children.map { entries[$0].copies }.max() ?? 0
        }
    }

    /// Why nothing in a container is in the picture.
    private func reason(container slot: Int32) -> Reason {
        guard let group = groups[slot] else { return .outOfView }
        if let reason = Reason(rawValue: group.exclusion) { return reason }
        return group.zooms?.contains(viewport.camera.zoom) == false ? .outOfZoom : .outOfView
    }

    /// Of every overlay that takes part, the copy that is described.
    fileprivate struct NearestCopy {
        /// Its place in the drawing order; nil when it is not in the picture.
        var order: Int?
        var copy: Int
        /// How many copies are in the picture.
        var count: Int
        var candidate: Candidate?
    }

    /// By slot: of several copies in the picture, or that take part, the one nearest the centre.
    private var nearestCopies: [Int32: NearestCopy] {
        var nearest: [Int32: NearestCopy] = [:]
        func note(_ slot: Int32, _ new: NearestCopy) {
            let x = columns.places[Int(slot)].x
            func distance(_ copy: Int) -> Double { abs(x + Double(copy) - viewport.centerX) }
            guard var known = nearest[slot] else { return nearest[slot] = new }
            known.count += new.count
            let isBetter = (known.order == nil) == (new.order == nil) ? distance(new.copy) < distance(known.copy) : known.order == nil
            nearest[slot] = isBetter ? NearestCopy(order: new.order, copy: new.copy, count: known.count, candidate: new.candidate) : known
        }
        for (order, slot) in shownSlots.enumerated() {
            let copy = shownCopies.isEmpty ? 0 : Int(shownCopies[order])
            let candidate = shownCandidates.isEmpty ? nil : candidates[Int(shownCandidates[order])]
            note(slot, NearestCopy(order: order, copy: copy, count: 1, candidate: candidate))
        }
        for candidate in candidates where !candidate.isMarginal && !candidate.isSeen(in: viewport) {
            note(candidate.slot, NearestCopy(order: nil, copy: Int(candidate.copy), count: 0, candidate: candidate))
        }
        return nearest
    }
}

/// Reads a placement for people and programs.
private struct InspectionReader {
    let placement: Placement
    /// By slot.
    let names: [Int32: String]
    let nearest: [Int32: Placement.NearestCopy]
    let shapes: [Int32: (order: Int, copies: Int)]
    let models: [Int32: ModelDrawing.Seen]
    let fonts: FontLibrary?
    let language: String

    private var viewport: Viewport { placement.viewport }

    func entry(_ overlay: Overlay) -> Inspection.OverlayEntry {
        let slot = Int(overlay.slot)
        if let model = overlay as? Model {
            return placement.entry(ofModel: model, name: names[overlay.slot] ?? "", seen: models[overlay.slot], drawn: shapes[overlay.slot])
        }
        if placement.columns.exclusions[slot] == Columns.extended {
            return placement.entry(ofShape: overlay, name: names[overlay.slot] ?? "", drawn: shapes[overlay.slot])
        }
        let seen = nearest[overlay.slot]
        let isVisible = seen?.order != nil
        var entry = Inspection.OverlayEntry(
            id: names[overlay.slot] ?? "", type: overlay.type, isVisible: isVisible,
            order: seen?.order.map(placement.order), copies: seen?.count ?? 0)
        if overlay.type == .container { return entry }
        if !isVisible { entry.reason = reason(slot: slot, seen?.candidate) }
        let isPlaced = ![Reason.invalid, .noPosition, .outOfProjection].contains(entry.reason)
        guard isPlaced, let icon = placement.icon(slot: slot, copy: seen?.copy), icon.reason != Reason.behindCamera.rawValue else {
            return entry
        }
        let candidate = seen?.candidate
        entry.anchor = .init(x: icon.anchorX / viewport.pixelRatio, y: icon.anchorY / viewport.pixelRatio)
        let quad = IconPlacer(viewport).corners(of: icon.sprite).map { $0.map { Inspection.Point(x: $0.x, y: $0.y) } }
        let isIconVisible =
            isVisible && placement.columns.look(slot).raster >= 0 && (candidate.map { $0.isIconShown && $0.iconReason == 0 } ?? true)
        entry.icon = .init(isVisible: isIconVisible, quad: quad, hiddenBy: candidate.flatMap(iconHider))
        if let marker = overlay as? Marker { entry.caption = caption(marker, candidate, copy: seen?.copy) }
        return entry
    }

    private func reason(slot: Int, _ candidate: Candidate?) -> Reason {
        guard let candidate else { return placement.reason(slot: slot) }
        // Whatever became of other copies of the world.
        if candidate.iconHiddenBy >= 0 || candidate.captionHiddenBy >= 0 { return .collided }
        return candidate.hasHiddenCaption && candidate.iconReason == 0 ? .outOfZoom : .outOfView
    }

    /// The marker that a candidate is of; nil for none.
    private func name(_ candidate: Int32?) -> String? {
        candidate.flatMap { names[placement.candidates[Int($0)].slot] }
    }

    /// The marker that hides an icon.
    private func iconHider(_ candidate: Candidate) -> String? {
        guard !candidate.isIconShown else { return nil }
        return name(
            placement.claims?.first(
                over: candidate.iconShape(IconPlacer(viewport)), slot: candidate.slot, .icon, of: candidate.iconHiddenBy))
    }

    /// The marker that hides a caption, at its first align, or its icon.
    private func captionHider(_ candidate: Candidate) -> String? {
        guard candidate.isIconShown else { return iconHider(candidate) }
        guard candidate.captionHiddenBy >= 0 else { return nil }
        return name(placement.claims?.first(over: candidate.captionShape, slot: candidate.slot, .caption, of: candidate.captionHiddenBy))
    }

    private func caption(_ marker: Marker, _ known: Candidate?, copy: Int?) -> Inspection.Caption? {
        let slot = Int(marker.slot)
        let columns = placement.columns
        let id = columns.captions.id(slot)
        guard id >= 0, let text = CaptionText(marker, language: language), let fonts else { return nil }
        let box = columns.captions.boxes[Int(id)]
        var caption = Inspection.Caption(isVisible: false, lines: [])
        let shown =
            known
            ?? CandidateGathering(viewport, columns).candidate(
                columns.places[slot], height: columns.height(slot), copy: copy ?? placement.nearestCopy(columns.places[slot]),
                columns.look(slot), caption: id, captions: columns.captions, isSeenAlone: false)
        guard let shown, shown.caption >= 0 else { return caption }
        caption.isVisible = shown.isCaptionShown && shown.isCaptionSeen(in: viewport)
        caption.align = box.aligns[Int(shown.align)]
        caption.rect = Inspection.Rect(shown.captionBox, pixelRatio: viewport.pixelRatio)
        caption.lines = text.lines(hasSub: shown.scales.hasSub, fonts)
        caption.hiddenBy = captionHider(shown)
        return caption
    }

    /// By number: of several copies that take part the one nearest the centre, of those that are shown when any is.
    private var nearestSymbols: [Int32: PlacedSymbol] {
        var nearest: [Int32: PlacedSymbol] = [:]
        for symbol in placement.symbols where !symbol.candidate.isMarginal {
            func distance(_ other: PlacedSymbol) -> Double { abs(other.place.x + Double(other.candidate.copy) - viewport.centerX) }
            if let known = nearest[symbol.number] {
                let isShown = (symbol.hiddenBy == nil, known.hiddenBy == nil)
                guard isShown.0 == isShown.1 ? distance(symbol) < distance(known) : isShown.0 else { continue }
            }
            nearest[symbol.number] = symbol
        }
        return nearest
    }

    func symbolEntries(_ symbols: [Symbol]) -> [Inspection.SymbolEntry] {
        func name(_ number: Int) -> String { symbols[number].id ?? "symbol-\(number)" }
        var entries = symbols.indices.map { number in
            Inspection.SymbolEntry(
                id: name(number), isVisible: false,
                anchor: viewport.point(from: symbols[number].position).map { .init(x: $0.x, y: $0.y) })
        }
        for symbol in nearestSymbols.values {
            let candidate = symbol.candidate
            var box = candidate.caption >= 0 ? candidate.captionBox : candidate.box
            if candidate.icon.image != Placement.noImage {
                box = Quad.Box(
                    left: min(box.left, candidate.box.left), top: min(box.top, candidate.box.top),
                    right: max(box.right, candidate.box.right), bottom: max(box.bottom, candidate.box.bottom))
            }
            let icon = IconPlacer(viewport).place(symbol.place, height: 0, copy: Double(candidate.copy), .none)
            entries[Int(symbol.number)].anchor = .init(x: icon.anchorX / viewport.pixelRatio, y: icon.anchorY / viewport.pixelRatio)
            let isAnything = candidate.icon.image != Placement.noImage || candidate.caption >= 0
            entries[Int(symbol.number)].isVisible = symbol.hiddenBy == nil && isAnything
            entries[Int(symbol.number)].rect = Inspection.Rect(box, pixelRatio: viewport.pixelRatio)
            entries[Int(symbol.number)].hiddenBy =
                switch symbol.hiddenBy {
                case .marker(let candidate): self.name(candidate)
                case .symbol(let number): name(Int(number))
                case nil: nil
                }
        }
        return entries
    }
}
