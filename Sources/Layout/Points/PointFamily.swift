import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkText

/// The points of a map: markers with their captions, and the base map's symbols, which collide with them. It also orders, places and draws
/// the points that cluster layers show, among the map's markers.
final class PointFamily {
    private(set) var state = PointState()
    private var symbols = SymbolColumns()
    let captionImages = CaptionImages()
    private var captionCache = CaptionCache()
    private var symbolCache = CaptionCache()
    private var pixelRatio = 0.0
    /// The number of points tested for models in front of them.
    private var occlusionTests = 0

    /// Reads the changes to markers.
    /// - Parameter symbols: The base map's symbols if they must be read again; otherwise nil.
    func read(
        _ changes: FamilyChanges, symbols: [Symbol]?, _ overlays: inout OverlayTable, _ resources: MapResources
    ) {
        if resources.pixelRatio != pixelRatio {
            pixelRatio = resources.pixelRatio
            captionCache = CaptionCache()
        }
        state.read(changes, &overlays, resources)
        if let symbols {
            self.symbols = SymbolColumns(symbols, resources)
            symbolCache = CaptionCache()
        }
    }

    /// The extent of visible markers; nil without any.
    func extent(of overlays: FittedOverlays) -> PointExtent? { PointExtent(state.columns, overlays) }

    /// Whether there are texts that could not be measured.
    var needsFonts: Bool { !state.columns.captions.unmeasured.isEmpty || !symbols.captions.unmeasured.isEmpty }

    func count(into statistics: inout LayoutStatistics) {
        statistics.orderSorts = state.order.sorts
        statistics.orderMerges = state.order.merges
        statistics.indexBuilds = state.index.builds
        statistics.occlusionTests = occlusionTests
        statistics.madeCaptionPieces = captionImages.madePieces
    }

    /// Reports missing images, unreadable fonts, and characters that no font has, with one warning per script for the whole map.
    /// - Parameter placed: The points of the picture.
    func report(_ placed: PlacedPoints, into list: inout DiagnosticList, _ fonts: MapFonts) {
        for (number, problem) in symbols.problems {
            list.symbols.append(Diagnostic(path: problem.path, id: symbols.name(number), message: problem.problem))
        }
        for (slot, problem) in state.reader.missingImages {
            let warning = problem.reported(isDrawn: state.columns.isPresent(slot))
            if problem.isOfView { list.warn(ofImage: warning, slot: slot) } else { list.warn(warning, slot: slot) }
        }
        let captions = [placed.points.own.captions, placed.points.layers.captions, symbols.captions]
        guard let fonts = fonts.known, captions.contains(where: { !$0.isEmpty }) else { return }
        list.reportFonts(
            fonts, missing: captions.flatMap { $0.missing.values.joined() }, unknownFamilies: captions.flatMap(\.unknownFamilies.values),
            textPath: "captionText", familyPath: "captionFont")
    }
}

extension PointFamily {
    /// - Parameters:
    ///   - layers: The points of cluster layers.
    ///   - models: The models that may stand in front of points.
    func place(_ layers: PointColumns, behind models: ModelFamily, _ pass: inout PlacingPass) -> PlacedPoints {
        let points = PicturePoints(state.columns, layers)
        let copies = WorldCopies(pass.viewport, margin: max(points.radius, symbols.radius), height: points.topHeight)
        let ordered = state.ordered(points, pass, in: copies.boxes)
        var placed = PlacedPoints(pass, points, symbols)
        placed.index = pass.isForPicking ? state.pickingIndex() : nil
        let sequence = PointSequence(ordered, copies.shown, pass.viewport.projection, pass.order)
        if !points.hasCaptions, symbols.isEmpty, points.flags.isDisjoint(with: IconStyle.Flags.hiding.union(.occludable)) {
            placed.items = drawIcons(sequence, &placed, &pass)
        } else {
            placeCandidates(sequence, copies.shown, behind: models, &placed, &pass)
        }
        return placed
    }

    /// Draws each icon as it is placed. This is possible because no point depends on others without captions, hiding, symbols, and points
    /// that models occlude. A picture may have a million points, and candidates would take four times the memory of the sprites.
    private func drawIcons(_ sequence: PointSequence, _ placed: inout PlacedPoints, _ pass: inout PlacingPass) -> [DrawItem] {
        let (placer, overlays, zoom) = (IconPlacer(pass.viewport), pass.overlays, pass.viewport.camera.zoom)
        var drawing = PointDrawing(pass, images: captionImages)
        var (items, slots, copies): ([DrawItem], [Int32], [Int8]) = ([], [], [])
        pass.frame.reserve(sprites: sequence.capacity)
        slots.reserveCapacity(sequence.capacity)
        sequence.forEachRun { rank, run in
            let (first, shown) = (pass.frame.beginItem(), slots.count)
            sequence.forEach(in: run, placed.points.styles) { point, style in
                if style.flags.contains(.zoomRange), !overlays.isShown(point.slot, atZoom: zoom) { return }
                let icon = placer.place(point.place, height: point.height, copy: Double(point.copy), style)
                guard icon.reason == nil else { return }
                slots.append(point.slot)
                if sequence.hasCopies { copies.append(point.copy) }
                if style.raster >= 0 { drawing.draw(icon.sprite, &pass.frame) }
            }
            let commands = pass.frame.endItem(from: first)
            if slots.count > shown { items.append(DrawItem(rank: rank, sequence: 1, count: slots.count - shown, commands: commands)) }
        }
        (placed.slots, placed.copies) = (slots, copies)
        return items
    }

    /// Places points when some have captions, hide others, or may be occluded by models, and the base map's symbols.
    private func placeCandidates(
        _ sequence: PointSequence, _ shown: ClosedRange<Int>, behind models: ModelFamily, _ placed: inout PlacedPoints,
        _ pass: inout PlacingPass
    ) {
        let collector = CandidateCollector(pass.viewport, placed.points)
        placed.candidates = collector.candidates(sequence, pass)
        if placed.points.flags.contains(.occludable), !pass.isForPicking { dimOccluded(&placed, behind: models, pass) }
        if !pass.captionRoom.isUnlimited || !placed.points.flags.isDisjoint(with: .hiding) {
            var collisions = CollisionPass(pass.viewport, in: pass.captionRoom)
            collisions.run(&placed.candidates, placed.points)
            placed.collisionGrid = collisions.grid
        }
        if !symbols.isEmpty {
            let (symbols, grid) = symbols.placed(pass, shown, collector, placed.collisionGrid)
            (placed.placedSymbols, placed.symbolGrid) = (symbols, grid)
        }
        if placed.index != nil, placed.candidates.count >= PickingIndex.leastCount {
            placed.grid = CandidateGrid(placed.candidates, pass.viewport)
        }
        placed.items = draw(&placed, &pass)
        report(placed, &pass)
    }

    /// Multiplies the alpha of points that stand behind models or extruded buildings.
    private func dimOccluded(_ placed: inout PlacedPoints, behind models: ModelFamily, _ pass: PlacingPass) {
        let indices = placed.candidates.indices.filter { placed.candidates[$0].flags.contains(.occludable) }
        guard !indices.isEmpty else { return }
        let (occluders, buildings) = (models.occluders(pass), pass.buildings)
        guard !occluders.isEmpty || !buildings.isEmpty else { return }
        occlusionTests += indices.count
        let placer = IconPlacer(pass.viewport)
        let positions = indices.map { index -> ModelOccluders.ScreenPosition in
            let (slot, copy) = (placed.candidates[index].slot, Double(placed.candidates[index].copy))
            let (place, height) = (placed.points.place(slot), placed.points.height(slot))
            return placer.position(of: place, height: height, copy: copy)
        }
        let areBehindModels = occluders.hidden(positions)
        for (number, index) in indices.enumerated() where areBehindModels[number] || buildings.hide(positions[number]) {
            let factor = placed.points.style(placed.candidates[index].slot).occludedAlpha
            placed.candidates[index].alpha *= factor
            placed.candidates[index].icon.alpha *= factor
            placed.candidates[index].flags.insert(.occluded)
        }
    }

    /// Draws the points, one item per sort key, and the symbols between the keys below and above them.
    private func draw(_ placed: inout PlacedPoints, _ pass: inout PlacingPass) -> [DrawItem] {
        var drawing = PointDrawing(pass, images: captionImages)
        let rankOfSymbols = pass.order.keys.rankAboveSymbols
        let (captions, layerCaptions) = (placed.points.own.captions, placed.points.layers.captions)
        // The points of layers have different numbers in every picture.
        var layerCache = CaptionCache()
        var items: [DrawItem] = []
        var areSymbolsDrawn = false
        // There is room for an icon and a caption of each candidate. Growing by doubling would briefly need twice the memory.
        pass.frame.reserve(sprites: 2 * placed.candidates.count)
        var start = 0
        while start < placed.candidates.count || !areSymbolsDrawn {
            let rank = start < placed.candidates.count ? placed.candidates[start].rank : .max
            if !areSymbolsDrawn, rank >= rankOfSymbols {
                areSymbolsDrawn = true
                let first = pass.frame.beginItem()
                drawSymbols(placed.placedSymbols, pass.language, pass.theme, &drawing, &pass.frame)
                let commands = pass.frame.endItem(from: first)
                if !commands.isEmpty { items.append(DrawItem(rank: rankOfSymbols, sequence: 0, count: 0, commands: commands)) }
                continue
            }
            let (first, shown) = (pass.frame.beginItem(), placed.slots.count)
            while start < placed.candidates.count, placed.candidates[start].rank == rank {
                let candidate = placed.candidates[start]
                if Int(candidate.slot) < placed.points.own.count {
                    drawing.draw(candidate, captions, &captionCache, pass.language, &pass.frame)
                } else {
                    drawing.draw(candidate, layerCaptions, &layerCache, pass.language, &pass.frame)
                }
                if candidate.isSeen(in: pass.viewport) { placed.show(start) }
                start += 1
            }
            let item = DrawItem(
                rank: rank, sequence: 1, count: placed.slots.count - shown, commands: pass.frame.endItem(from: first))
            if item.count > 0 || !item.commands.isEmpty { items.append(item) }
        }
        return items
    }

    /// Draws the symbols that are not hidden. The symbol of the lowest rank is on top.
    private func drawSymbols(
        _ placed: [PlacedSymbol], _ language: String, _ theme: ThemeDefaults?, _ drawing: inout PointDrawing, _ frame: inout FrameBuilder
    ) {
        for symbol in placed.reversed() where symbol.isShown {
            drawing.draw(symbol.candidate, symbols.captions, &symbolCache, &frame) {
                CaptionText(symbols.symbols[Int(symbol.number)], language: language, theme)
            }
        }
    }

    /// Reports everything that could not be drawn.
    private func report(_ placed: PlacedPoints, _ pass: inout PlacingPass) {
        let oversized = placed.candidates.count { $0.isOversized }
        if oversized > 0 {
            let (size, halo) = (Int(CandidateCollector.largestLetters), Int(CandidateCollector.widestHalo))
            let (captions, are) = oversized == 1 ? ("caption", "is") : ("captions", "are")
            let message =
                "\(oversized) \(captions) with letters larger than \(size) device pixels, or an outline wider than \(halo), \(are) left out"
            pass.diagnostics.append(Diagnostic(path: "captionTextSize", message: message))
        }
    }
}

/// The markers of a map between pictures: their columns, their drawing order and their spatial index.
struct PointState {
    private(set) var reader = PointReader()
    private(set) var order = PointOrder()
    private(set) var index = SpatialIndex()

    /// Below this number of points, visiting all of them is faster than using an index.
    private static let indexedCount = 4096

    var columns: PointColumns { reader.columns }

    mutating func read(_ changes: FamilyChanges, _ overlays: inout OverlayTable, _ resources: MapResources) {
        let hasOtherStyleIDs = reader.read(changes, &overlays, resources) { slot, effect in
            switch effect {
            case .moved:
                order.move(slot)
                index.move(slot)
            case .restyled:
                order.restyle(slot)
            }
        }
        if hasOtherStyleIDs { order.invalidate() }
    }

    /// The points that may be in a picture, from bottom to top.
    /// - Parameter boxes: The visible parts of the world; nil for the whole world.
    mutating func ordered(_ points: PicturePoints, _ pass: PlacingPass, in boxes: [WorldBox]?) -> OrderedColumns {
        let view = pass.viewport.projection
        let ofLayers = points.layers.count == 0 ? OrderedColumns() : OrderedColumns(points, view, pass.order)
        if let few = few(in: boxes) { return PointOrder.sorted(few, view, columns, pass.order).merged(with: ofLayers, view, pass.order) }
        order.update(view, bearing: pass.viewport.camera.bearing, columns, pass.order)
        return order.all.merged(with: ofLayers, view, pass.order)
    }

    /// The index for finding points near a place.
    mutating func pickingIndex() -> PickingIndex {
        guard columns.count >= Self.indexedCount else { return PickingIndex() }
        index.build(columns)
        return PickingIndex(present: index, hidden: SpatialIndex(columns, of: columns.hidden))
    }

    /// The slots in the given parts of the world, if there are few; nil when visiting all points is faster.
    private mutating func few(in boxes: [WorldBox]?) -> [Int32]? {
        guard columns.count >= Self.indexedCount, let boxes else { return nil }
        let area = boxes.reduce(0) { $0 + ($1.east - $1.west) * ($1.south - $1.north) }
        guard index.isBuilt || area < 0.25 * columns.extentArea else { return nil }
        index.build(columns)
        return index.slots(in: boxes, columns, limit: columns.count / 8)
    }
}
