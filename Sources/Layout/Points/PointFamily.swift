import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkText

/// The points of a map: markers with their captions, and the base map's symbols, which collide with them.
final class PointFamily: OverlayFamily {
    private var state = PointState()
    private var symbols = SymbolColumns()
    private let captionImages = CaptionImages()
    private var captionCache = CaptionCache()
    private var symbolCache = CaptionCache()
    private var pixelRatio = 0.0

    var caches: [any BudgetedCache] { [captionImages] }

    func read(_ changes: [OverlayChange], _ pass: inout ReadingPass) {
        if pass.resources.pixelRatio != pixelRatio {
            pixelRatio = pass.resources.pixelRatio
            captionCache = CaptionCache()
        }
        state.read(changes, &pass)
        if let symbols = pass.symbols {
            self.symbols = SymbolColumns(symbols, &pass.resources)
            symbolCache = CaptionCache()
        }
    }

    func forget(slot: Int32) {
        state.forget(slot: slot)
    }

    func extent(of overlays: FittedOverlays) -> (any ExtentPart)? { PointExtent(state.columns, overlays) }

    var needsFonts: Bool { !state.columns.captions.unmeasured.isEmpty || !symbols.captions.unmeasured.isEmpty }

    func count(into statistics: inout LayoutStatistics) {
        statistics.orderSorts = state.order.sorts
        statistics.orderMerges = state.order.merges
        statistics.indexBuilds = state.index.builds
        statistics.madeCaptionPieces = captionImages.madePieces
    }

    /// Reports images that are missing, fonts that could not be read, and characters that no font has: one warning per script for the whole map.
    func report(into list: inout DiagnosticList, _ resources: MapResources) {
        for (number, problem) in symbols.problems {
            list.symbols.append(Diagnostic(path: problem.path, id: symbols.name(number), message: problem.problem))
        }
        for (slot, problem) in state.missingImages { list.warn(problem.reported(isDrawn: state.columns.isPresent(slot)), slot: slot) }
        guard let fonts = resources.fonts.known else { return }
        var characters: [String: Set<UInt32>] = [:]
        for gap in state.columns.captions.missing.values.joined() { characters[gap.script, default: []].insert(gap.character) }
        for gap in symbols.captions.missing.values.joined() { characters[gap.script, default: []].insert(gap.character) }
        let gaps = characters.sorted { $0.key < $1.key }.map { script, characters in
            let first = FontGap(script: script, character: characters.min() ?? 0)
            let others = characters.count > 1 ? ", nor others of that script" : ""
            return "no font has \(first)\(others); a box is drawn in \(characters.count > 1 ? "their" : "its") place"
        }
        list.map += (fonts.warnings + gaps).map { Diagnostic(path: "captionText", message: $0) }
        list.map += Set(state.columns.captions.unknownFamilies.values).sorted().map { name in
            Diagnostic(path: "captionFont", message: "there is no font family \"\(name)\"; Noto's are drawn in its place")
        }
    }
}

extension PointFamily {
    func place(_ pass: inout PlacingPass) -> PlacedPart {
        state.setGuests(pass.guests, overlayCount: pass.overlays.insertions.count - pass.guests.count)
        let columns = state.columns
        let margin = CullingMargin(points: max(columns.reach, symbols.reach), height: columns.topHeight)
        let copies = WorldCopies(pass.viewport, margin)
        let ordered = state.ordered(pass, in: copies.boxes)
        let index = pass.isForPicking ? state.pickingIndex() : nil
        if columns.captions.isEmpty, symbols.isEmpty, columns.styles.flags.isDisjoint(with: .hiding) {
            return placeIcons(ordered, copies.shown, index, &pass)
        }
        return placeCaptioned(ordered, copies.shown, index, &pass)
    }

    /// Places points when none has a caption or hides others, and there are no symbols.
    private func placeIcons(
        _ ordered: OrderedColumns, _ shown: ClosedRange<Int>, _ index: PickingIndex?, _ pass: inout PlacingPass
    ) -> PlacedPart {
        let columns = state.columns
        var collector = IconCollector(pass, capacity: ordered.count)
        if shown == 0...0 {
            collector.collect(ordered, columns.styles)
        } else {
            collector.collect(CopyOrder(shown, ordered, pass.viewport.projection, pass.order), ordered, columns.styles)
        }
        let items = collector.finish(&pass.frame, pass.rasters)
        var content = PlacedPoints(pass, columns, symbols)
        content.index = index
        content.slots = collector.slots
        content.copies = collector.copies
        return PlacedPart(items: items, content: content)
    }

    /// Places points when some have captions or hide others, and the base map's symbols.
    private func placeCaptioned(
        _ ordered: OrderedColumns, _ shown: ClosedRange<Int>, _ index: PickingIndex?, _ pass: inout PlacingPass
    ) -> PlacedPart {
        let columns = state.columns
        let collector = CandidateCollector(pass.viewport, columns)
        var content = PlacedPoints(pass, columns, symbols)
        content.index = index
        content.candidates = collector.candidates(ordered, shown, pass)
        if pass.captionsAvoidEdges || !columns.styles.flags.isDisjoint(with: .hiding) {
            var collisions = CollisionPass(pass.viewport, avoidsEdges: pass.captionsAvoidEdges)
            collisions.run(&content.candidates, columns.captions.boxes)
            content.collisionGrid = collisions.grid
        }
        content.placedSymbols = symbols.placed(pass, shown, collector, content.collisionGrid)
        if index != nil, content.candidates.count >= PickingIndex.leastCount {
            content.grid = CandidateGrid(content.candidates, pass.viewport)
        }
        let items = draw(&content, &pass)
        report(content, &pass)
        return PlacedPart(items: items, content: content)
    }

    /// Draws the points, one item per sort key, and the symbols between the keys below and above them.
    private func draw(_ content: inout PlacedPoints, _ pass: inout PlacingPass) -> [PlacedItem] {
        var drawing = PointDrawing(pass, images: captionImages)
        let rankOfSymbols = pass.order.keys.rankAboveSymbols
        let captions = state.columns.captions
        var items: [PlacedItem] = []
        var areSymbolsDrawn = false
        var start = 0
        while start < content.candidates.count || !areSymbolsDrawn {
            let rank = start < content.candidates.count ? content.candidates[start].rank : .max
            if !areSymbolsDrawn, rank >= rankOfSymbols {
                areSymbolsDrawn = true
                let first = pass.frame.beginItem()
                drawSymbols(content.placedSymbols, pass.language, &drawing, &pass.frame)
                let commands = pass.frame.endItem(from: first)
                if !commands.isEmpty { items.append(PlacedItem(rank: rankOfSymbols, sequence: 0, count: 0, commands: commands)) }
                continue
            }
            let (first, shown) = (pass.frame.beginItem(), content.slots.count)
            while start < content.candidates.count, content.candidates[start].rank == rank {
                let candidate = content.candidates[start]
                drawing.draw(candidate, captions, &captionCache, &pass.frame) {
                    captions.sources[Int(candidate.caption)].map { CaptionText($0, language: pass.language) }
                }
                if candidate.isSeen(in: pass.viewport) { content.show(start) }
                start += 1
            }
            let item = PlacedItem(
                rank: rank, sequence: 1, count: content.slots.count - shown, commands: pass.frame.endItem(from: first))
            if item.count > 0 || !item.commands.isEmpty { items.append(item) }
        }
        return items
    }

    /// Draws the symbols that are not hidden, the one of the lowest rank on top.
    private func drawSymbols(
        _ placed: [PlacedSymbol], _ language: String, _ drawing: inout PointDrawing, _ frame: inout FrameBuilder
    ) {
        for symbol in placed.reversed() where symbol.isShown {
            drawing.draw(symbol.candidate, symbols.captions, &symbolCache, &frame) {
                CaptionText(symbols.symbols[Int(symbol.number)], language: language)
            }
        }
    }

    /// Reports what could not be drawn.
    private func report(_ content: PlacedPoints, _ pass: inout PlacingPass) {
        let oversized = content.candidates.count { $0.isOversized }
        if oversized > 0 {
            let (size, halo) = (Int(CandidateCollector.largestLetters), Int(CandidateCollector.widestHalo))
            let message = "letters of over \(size) device pixels, or with an outline of over \(halo), are left out, \(oversized) times"
            pass.diagnostics.append(Diagnostic(path: "captionTextSize", message: message))
        }
    }
}
