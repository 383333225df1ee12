import WaymarkFrame
import WaymarkGeo
import WaymarkScene
import WaymarkText

/// Makes a placement (where every overlay stands, or why it does not) of a map, and a frame of that. It needs no GPU.
///
/// One composer belongs to one map and keeps what it has computed from frame to frame: columns follow the map's journal,
/// the order follows the bearing and the set, and only positions are projected anew when the camera moves.
package final class Composer {
    // Unchecked, since nothing that is called while they change comes back here: checking took a sixth of a million's set-up.
    @exclusivity(unchecked) private(set) var columns = Columns()
    @exclusivity(unchecked) private(set) var catalog = ImageCatalog()
    @exclusivity(unchecked) private var order = DrawOrder()
    @exclusivity(unchecked) private var index = SpatialIndex()
    let shapes = ShapeStore()
    let models = ModelStore()
    @exclusivity(unchecked) private(set) var groups = Groups()
    /// What keeps overlays out, where a diagnostic tells it, by slot.
    @exclusivity(unchecked) private var problems: [Int32: PropertyError] = [:]
    private var pixelRatio = 0.0
    private var language = ""
    private var fontSource: FontSource?
    /// The fonts of captions, once there is a text.
    private(set) var openFonts: Result<FontLibrary, FontError>?
    @exclusivity(unchecked) private(set) var symbols = SymbolColumns()
    private var symbolRevision = 0
    let captionImages: CaptionImages
    /// How many overlays were read anew from their objects: what tests count.
    @exclusivity(unchecked) package private(set) var refreshedOverlays = 0
    /// How often everything was sorted, a few were put in new places, and the spatial index was made: what tests count.
    package var orderSorts: Int { order.sorts }
    package var orderMerges: Int { order.merges }
    package var orderRebuilds: Int { order.sorts + order.merges }
    package var indexBuilds: Int { index.builds }
    /// How often the points of a shape were read, and how often a line was made simpler: what tests count.
    package var shapeReads: Int { shapes.geometryReads }
    package var simplifications: Int { shapes.simplifications }
    /// About how many bytes of images it has taken in since it was made.
    package var imageByteCount: Int { catalog.byteCount }
    /// How often a mesh was made ready for frames, and how often a very large one was cut: what tests count.
    package var meshPreparations: Int { models.preparations }
    package var meshCuts: Int { models.cuts }
    /// How many pieces of captions were drawn.
    package var drawnCaptionPieces: Int { captionImages.drawnPieces }

    /// - Parameter captionBytes: Beyond so many bytes the drawn captions least recently shown are let go.
    package init(captionBytes: Int = 64 << 20) {
        captionImages = CaptionImages(byteLimit: captionBytes)
    }

    /// The composer of a map, made at the first call.
    package static func of(_ mapView: MapView) -> Composer {
        if let composer = mapView.layoutState as? Composer { return composer }
        let composer = Composer()
        mapView.layoutState = composer
        return composer
    }

    /// The placement of the map as it stands; throws for the first number of camera, size or ratio out of range, and when
    /// there are texts and no fonts.
    package func place(_ mapView: MapView) throws(PlacementError) -> Placement {
        let viewport: Viewport
        do throws(PropertyError) {
            viewport = try mapView.viewport()
            try mapView.checkModelSamples()
        } catch {
            throw .range(error)
        }
        refresh(mapView, pixelRatio: viewport.pixelRatio)
        if case .failure(let error)? = openFonts, needsFonts(mapView) { throw .fonts(error) }
        let insertions = mapView.journal.insertions
        let copies = WorldCopies(viewport, columns, reach: max(columns.reach, symbols.reach))
        var placement = Placement(viewport: viewport, background: mapView.background, columns: columns, rasters: catalog.rasters)
        let ordered: OrderedColumns
        if let few = candidates(copies) {
            ordered = order.sorted(few, viewport: viewport, columns: columns, insertions: insertions)
        } else {
            order.update(viewport: viewport, columns: columns, insertions: insertions)
            ordered = order.all
        }
        if !shapes.isEmpty { placement.placeShapes(shapes, shapes.inOrder(order, insertions: insertions), order) }
        if !models.isEmpty { placement.placeModels(models, order, insertions: insertions, samples: mapView.modelSamples) }
        if columns.captions.isEmpty, symbols.isEmpty, columns.looks.flags.isDisjoint(with: .hiding) {
            placement.placeIcons(ordered, copies.shown, order, insertions: insertions)
            placement.orderShapes(order)
            placement.interleaveShapes()
        } else {
            placeCaptioned(mapView, ordered, copies.shown, &placement)
            placement.orderShapes(order)
        }
        placement.groups = groups
        placement.diagnostics = takeDiagnostics(mapView)
        return placement
    }

    /// Places markers of which some have captions or hide others, and the base map's symbols.
    private func placeCaptioned(
        _ mapView: MapView, _ ordered: OrderedColumns, _ shown: ClosedRange<Int>, _ placement: inout Placement
    ) {
        let viewport = placement.viewport
        var candidates = CandidateGathering(viewport, columns)
            .gathered(ordered, shown, order, insertions: mapView.journal.insertions)
        var claims: ClaimGrid?
        if !columns.looks.flags.isDisjoint(with: .hiding) {
            var pass = CollisionPass(viewport)
            pass.run(&candidates, columns.captions.boxes)
            claims = pass.claims
        }
        let placedSymbols = symbols.placed(viewport, shown, columns: columns, claims: claims)
        captionImages.beginFrame()
        var drawing = MarkerDrawing(viewport, rasters: catalog.rasters, images: captionImages, fonts: try? openFonts?.get())
        drawing.shapes = placement.shapes.entries[...]
        drawing.models = placement.models
        let above = order.rankAboveSymbols
        let firstAbove = candidates.firstIndex { $0.rank >= above } ?? candidates.count
        draw(candidates[..<firstAbove], mapView, &drawing)
        drawing.drawShapes(below: above)
        // The one of the lowest rank on top.
        for symbol in placedSymbols.reversed() where symbol.hiddenBy == nil {
            let known = mapView.symbols[Int(symbol.number)]
            drawing.draw(symbol.candidate, symbols.captions) { CaptionText(known, language: mapView.language) }
        }
        draw(candidates[firstAbove...], mapView, &drawing)
        drawing.drawShapes(below: .max)
        let oversized = candidates.count { $0.isOversized }
        if oversized > 0 {
            let size = Int(CandidateGathering.largestLetters)
            mapView.pendingDiagnostics.append(
                Diagnostic(path: "captionTextSize", message: "letters of over \(size) device pixels are left out, \(oversized) times"))
        }
        if captionImages.leftOut > 0 {
            mapView.pendingDiagnostics.append(
                Diagnostic(path: "captionText", message: "the captions are too much for one picture; parts of them are left out"))
        }
        placement.take(candidates, claims, symbols: placedSymbols, drawing.finished())
    }

    private func draw(_ candidates: ArraySlice<Candidate>, _ mapView: MapView, _ drawing: inout MarkerDrawing) {
        for candidate in candidates {
            drawing.drawShapes(below: candidate.rank)
            drawing.draw(candidate, columns.captions) {
                (mapView.journal.slots[Int(candidate.slot)] as? Marker).flatMap { CaptionText($0, language: mapView.language) }
            }
        }
    }

    /// What may be in the picture, when that is little of what there is; nil when everything should be looked at.
    private func candidates(_ copies: WorldCopies) -> [Int32]? {
        guard columns.count >= Self.indexedCount, let boxes = copies.boxes else { return nil }
        let area = boxes.reduce(0) { $0 + ($1.east - $1.west) * ($1.south - $1.north) }
        guard index.isMade || area < 0.25 * columns.extentArea else { return nil }
        index.make(columns)
        return index.slots(in: boxes, columns, limit: columns.count / 8)
    }

    /// Below so many overlays a walk over all of them costs less than an index.
    private static let indexedCount = 4096

    /// Brings the columns up to date with the objects.
    package func refresh(_ mapView: MapView, pixelRatio: Double) {
        let journal = mapView.journal
        columns.grow(to: journal.slots.count)
        let isFoundElsewhere = catalog.find(
            with: ImageFinder(folders: mapView.imageFolders, pixelRatio: pixelRatio), fontSource: mapView.fontSource)
        if pixelRatio != self.pixelRatio || isFoundElsewhere {
            // Rasters and captions are drawn for the pixel ratio.
            self.pixelRatio = pixelRatio
            columns.captions.blocks.forgetAll()
            for slot in journal.slots.indices where journal.slots[slot] != nil {
                journal.note(Int32(slot), .icon)
            }
            symbolRevision = -1
        }
        if mapView.language != language || mapView.fontSource != fontSource {
            (language, fontSource, openFonts) = (mapView.language, mapView.fontSource, nil)
            // Also those that had no fonts before.
            for case let marker as Marker in journal.slots where marker.caption != nil { marker.note(.caption) }
            symbolRevision = -1
        }
        // More than once where a container's change is one of what is in it.
        while journal.hasChanges {
            journal.drain { slot, change in
                let overlay = journal.slots[slot]
                if let overlay, overlay.type == .container {
                    refresh(slot: slot, container: unsafeDowncast(overlay, to: Container.self), change: change, journal)
                } else {
                    refresh(slot: slot, overlay: overlay, change: change)
                }
            }
        }
        if columns.compactLooks() { order.invalidate() }
        if mapView.symbolRevision != symbolRevision {
            symbolRevision = mapView.symbolRevision
            symbols = readSymbols(mapView)
        }
    }

    private func refresh(slot: Int, overlay: Overlay?, change: Journal.Change) {
        refreshedOverlays += 1
        let exclusion: UInt8
        // Another overlay may have come into a container's slot.
        if change.contains(.membership), !groups.isEmpty { groups.remove(slot: slot) }
        if let overlay {
            let group = groups.around(overlay)
            // What changed while a value could not be was not read.
            let isUnread = change.contains(.membership) || problems[Int32(slot)] != nil
            let change = isUnread ? Journal.Change(rawValue: .max) : change
            if change.contains(.order) {
                order.setStratum(Groups.stratum(of: overlay, in: group), slot: slot)
                if overlay.type != .marker {
                    shapes.reorder()
                    models.reorder()
                }
            }
            if change.contains(.visibility) {
                columns.setZooms(Groups.zooms(of: overlay, in: group), slot: slot)
            }
            if change.contains(.membership) {
                shapes.remove(slot: slot)
                models.remove(slot: slot)
                if overlay.type != .marker { columns.captions.set(nil, slot: slot) }
            }
            let own = read(overlay, slot: slot, change: change)
            if own == Columns.extended {
                exclusion = own
                if let group, group.exclusion != 0 {
                    shapes.exclude(group.exclusion, slot: slot)
                    models.exclude(group.exclusion, slot: slot)
                }
            } else {
                exclusion = group.map { $0.exclusion == 0 ? own : $0.exclusion } ?? own
            }
            if change.contains(.membership) { move(slot) }
        } else {
            columns.setZooms(nil, slot: slot)
            columns.captions.set(nil, slot: slot)
            shapes.remove(slot: slot)
            models.remove(slot: slot)
            problems[Int32(slot)] = nil
            exclusion = Columns.absent
        }
        if columns.setExclusion(exclusion, slot: slot) { move(slot) }
    }

    /// A container is nowhere itself; what it is like holds for what is in it.
    private func refresh(slot: Int, container: Container, change: Journal.Change, _ journal: Journal) {
        refreshedOverlays += 1
        let problem = container.firstProblem()
        if problem != nil || !problems.isEmpty { problems[Int32(slot)] = problem }
        // Its slot may have been another's.
        columns.setZooms(nil, slot: slot)
        if change.contains(.membership) {
            columns.captions.set(nil, slot: slot)
            shapes.remove(slot: slot)
            models.remove(slot: slot)
        }
        if columns.setExclusion(Columns.absent, slot: slot) { move(slot) }
        if change.contains(.membership) { groups.remove(slot: slot) }
        let passedOn = groups.read(container, problem: problem)
        guard !passedOn.isEmpty else { return }
        for child in container.children { journal.note(child.slot, passedOn) }
    }

    /// The overlay stands elsewhere, or takes part anew or no more.
    private func move(_ slot: Int) {
        order.move(slot)
        index.move(slot)
    }

    func set(_ place: Columns.Place, height: Double, slot: Int) {
        let before = columns.places[slot]
        guard columns.setPlace(place, height: height, slot: slot) else { return }
        if before == place { order.restyle(slot) } else { move(slot) }
    }

    func set(_ look: Look, slot: Int) {
        if columns.setLook(look, slot: slot) { order.restyle(slot) }
    }

    func setCaption(_ box: CaptionBox?, missing: [FontGap] = [], unknownFamily: String? = nil, slot: Int) {
        columns.captions.set(box, missing: missing, unknownFamily: unknownFamily, slot: slot)
    }

    /// The fonts of the map, opened when they are first asked for; nil when there are none.
    func fonts(_ mapView: MapView) -> FontLibrary? {
        let opened =
            openFonts
            ?? Result { () throws(FontError) in try FontLibrary.of(mapView.fontSource) }
        openFonts = opened
        return try? opened.get()
    }

    /// An image as an icon of a size in pt; nil for one of no size.
    /// - Throws: Why the image cannot be had.
    func icon(_ image: OverlayImage, width: Double, height: Double, isPlain: Bool) throws(PropertyError) -> ImageCatalog.Icon? {
        try catalog.icon(image, width: width, height: height, pixelRatio: pixelRatio, isPlain: isPlain)
    }

    /// An image as a texture: its raster, and whether all of it is opaque. nil for an image of no size.
    /// - Parameter path: The property that it is the value of.
    /// - Throws: Why the image cannot be had.
    func texture(_ image: OverlayImage, _ path: String) throws(PropertyError) -> (raster: Int32, isOpaque: Bool)? {
        do throws(PropertyError) {
            return try catalog.texture(image)
        } catch {
            throw PropertyError(path: path, problem: error.problem)
        }
    }

    /// The smaller copies of a raster, and the raster's size in pixels.
    func levels(of raster: Int32) -> (levels: ImageCatalog.Levels, pixels: (width: Int, height: Int)) {
        let bitmap = catalog.rasters[Int(raster)].bitmap
        return (catalog.levels(of: raster), (bitmap.width, bitmap.height))
    }

    /// Reads what changed of an overlay into the columns, and tells why it is in no picture, or 0.
    private func read(_ overlay: Overlay, slot: Int, change: Journal.Change) -> UInt8 {
        var failure: PropertyError?
        switch overlay.type {
        case .polyline, .route, .polygon, .circle:
            failure = readShape(overlay, slot: slot, change: change)
            if failure != nil || !problems.isEmpty { problems[Int32(slot)] = failure }
            excludeShape(overlay, slot: slot, failure: failure)
            return Columns.extended
        case .localModel, .geoModel:
            failure = readModel(unsafeDowncast(overlay, to: Model.self), slot: slot, change: change)
            if failure != nil || !problems.isEmpty { problems[Int32(slot)] = failure }
            return Columns.extended
        case .marker, .container: break
        }
        if let problem = overlay.firstProblem() {
            failure = problem
        } else {
            switch overlay.type {
            case .marker: failure = readMarker(unsafeDowncast(overlay, to: Marker.self), slot: slot, change: change)
            // Shapes and models were read above; a container has a `refresh` of its own.
            case .polyline, .route, .polygon, .circle, .localModel, .geoModel, .container: break
            }
        }
        var exclusion: UInt8 = 0
        if failure != nil {
            exclusion = Reason.invalid.rawValue
        } else if overlay.isPlaceless {
            exclusion = Reason.noPosition.rawValue
        } else if columns.places[slot].y.isNaN {
            exclusion = Reason.outOfProjection.rawValue
            failure = PropertyError(
                path: "position.lat",
                problem: "beyond the map, which ends at \(WebMercator.maxLatitude) degrees north and south; not drawn")
        } else if columns.height(slot) < 0 {
            exclusion = Reason.underground.rawValue
        }
        if failure != nil || !problems.isEmpty {
            problems[Int32(slot)] = failure
        }
        return overlay.isHidden ? Reason.hidden.rawValue : exclusion
    }

    /// Everything that this frame could not do as asked: calls refused since the last one, then overlays in the order
    /// in which they were added.
    private func takeDiagnostics(_ mapView: MapView) -> [Diagnostic] {
        var diagnostics = mapView.pendingDiagnostics
        mapView.pendingDiagnostics = []
        let journal = mapView.journal
        diagnostics += catalog.warnings.map { Diagnostic(path: "iconImage", id: $0.name, message: $0.message) }
        diagnostics += fontDiagnostics
        if !MapView.isLanguageTag(mapView.language) {
            diagnostics.append(
                Diagnostic(path: "language", message: "\"\(mapView.language)\" is no language tag such as \"ko\" or \"zh-Hant\""))
        }
        let problems = shapes.isEmpty ? problems : problems.merging(shapes.warnings) { problem, _ in problem }
        var names = OverlayNames(mapView)
        for slot in problems.keys.sorted(by: { journal.insertions[Int($0)] < journal.insertions[Int($1)] }) {
            guard let overlay = journal.slots[Int(slot)], let problem = problems[slot] else { continue }
            diagnostics.append(Diagnostic(path: problem.path, id: names.name(of: overlay), message: problem.problem))
        }
        for (number, problem) in symbols.problems {
            let name = mapView.symbols[number].id ?? "symbol-\(number)"
            diagnostics.append(Diagnostic(path: problem.path, id: name, message: problem.problem))
        }
        return diagnostics
    }
}
