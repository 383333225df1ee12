import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkText
import WaymarkTiles

/// The reason why a map could not be placed.
package enum PlacementError: Error {
    /// The camera, the size, the pixel ratio or the number of model samples is out of range.
    case range(PropertyError)
    /// The map is already being placed. A delegate or a drawing that was called for this tried to render the map.
    case reentered
    /// The map has texts, but no fonts are available.
    case fonts(FontError)

    /// The sentence of `reentered`.
    package static let reentrance =
        "the map is being laid out; a delegate or drawing that is called during layout cannot render the map, fit its camera or pick objects"
}

/// Places the overlays of a map. A composer reads the changes, lets each family place its overlays, and merges the results into one
/// frame. This needs no GPU.
///
/// A composer belongs to one map and follows that map's log of changes, so unchanged overlays are not read again. It never changes the map.
/// A new family is a property here and in `Placement`; compiler errors show the other lines to add.
package final class Composer {
    private let points = PointFamily()
    private let shapes = ShapeFamily()
    private let models = ModelFamily()
    private let clusters = ClusterFamily()
    private let windows = WindowFamily()
    private let ground = GroundFamily()
    private let labels = LabelFamily()
    private let insets: InsetPictures
    // Unchecked: no code that runs while it is being modified calls back into the composer.
    @exclusivity(unchecked) private var overlays = OverlayTable()
    private let resources = MapResources()
    /// The composer's caches, which are in the budget of the renderer that drew the map last.
    package let caches: LayoutCaches
    /// The diagnostics reported since the last placement.
    private var reported: [Diagnostic] = []
    private var refreshedOverlays = 0
    /// Whether the map is being read or placed. During this, delegates and drawings are called.
    private(set) var isPlacing = false
    /// The placement of the map for picking, which is valid while nothing changes.
    private var picked: (settings: [MapSettings], revisions: SIMD2<Int>, placement: Placement)?

    package init() {
        caches = LayoutCaches([points.captionImages, models.pieces, resources, labels])
        insets = InsetPictures(caches)
        CacheBudget.standard.add(caches)
    }

    /// The composer of a map, created on the first call.
    package static func of(_ mapView: MapView) -> Composer {
        if let composer = mapView.layout as? Composer { return composer }
        let composer = Composer()
        mapView.layout = composer
        return composer
    }
}

extension Composer {
    /// Places the map in its current state.
    /// - Parameter tileTimeout: The time in seconds that loading vector tiles may take. Tiles that arrive later are left out.
    /// - Throws: `PlacementError.range` for the first number out of range; `.fonts` for texts without fonts.
    package func place(
        _ mapView: MapView, tileTimeout: Double = TileDeadline.usualSeconds
    ) throws(PlacementError) -> Placement {
        try place(mapView, isForPicking: false, TileDeadline(seconds: tileTimeout))
    }

    /// The hits at a point of the map in its present state, topmost first. The placement is kept until something changes.
    package func hits(_ request: PickRequest, on mapView: MapView) throws(PlacementError) -> (hits: [PlacedHit], placement: Placement) {
        let isTracked = mapView.windows.isTracked
        // A tracked window is read while the map is placed.
        if !isTracked { mapView.windows.update(on: mapView) }
        let isKept = !mapView.store.hasChanges && !isTracked
        // The size and the view of an inset determine the places of elements.
        let settings = [mapView.settings] + mapView.insetMaps.map(\.settings)
        if let picked, isKept, (picked.settings, picked.revisions) == (settings, mapView.revisions) {
            return (picked.placement.hits(request), picked.placement)
        }
        picked = nil
        let deadline = TileDeadline(seconds: TileDeadline.usualSeconds)
        let placement = try place(mapView, isForPicking: true, deadline).withoutFrame()
        // Tracked content may have changed while the map was placed.
        picked = ([mapView.settings] + mapView.insetMaps.map(\.settings), mapView.revisions, placement)
        return (placement.hits(request), placement)
    }

    /// Places the map of an inset.
    /// - Parameters:
    ///   - camera: The camera, which the map may not have.
    ///   - pixelRatio: The pixel ratio of the main map.
    ///   - deadline: The time for the tiles of the whole picture.
    func placeInset(
        _ mapView: MapView, camera: Camera, pixelRatio: Double, _ deadline: TileDeadline
    ) throws(PlacementError) -> Placement {
        try place(mapView, isForPicking: false, deadline, inset: InsetView(camera: camera, pixelRatio: pixelRatio))
    }

    /// The values of an inset that replace its map's own values.
    private struct InsetView {
        var camera: Camera
        var pixelRatio: Double
    }

    /// - Parameter inset: The view, if the map is that of an inset.
    private func place(
        _ mapView: MapView, isForPicking: Bool, _ deadline: TileDeadline, inset: InsetView? = nil
    ) throws(PlacementError) -> Placement {
        guard !isPlacing else { throw .reentered }
        isPlacing = true
        defer { isPlacing = false }
        // This comes before the caches are locked, because it may call the delegate, which may take long.
        mapView.windows.update(on: mapView)
        let picture = PictureClock.begin()
        let placement = try caches.locked { () throws(PlacementError) in
            try place(mapView, isForPicking: isForPicking, deadline, inset: inset, picture: picture)
        }
        if !isForPicking { mapView.windows.noteShown(placement.windows.showsWindow) }
        return placement
    }

    /// Makes a placement in six steps.
    private func place(
        _ mapView: MapView, isForPicking: Bool, _ deadline: TileDeadline, inset: InsetView?, picture: UInt64
    ) throws(PlacementError) -> Placement {
        let viewport: Viewport
        do throws(PropertyError) {
            viewport =
                if let inset {
                    try Viewport(camera: inset.camera, size: mapView.pointSize, pixelRatio: inset.pixelRatio)
                } else {
                    try mapView.viewport()
                }
            try mapView.checkModelSamples()
        } catch {
            throw .range(error)
        }
        // 1. Read the changes.
        let insertions = read(mapView, pixelRatio: viewport.pixelRatio)
        // 2. Find the points that cluster layers show.
        let clusters = self.clusters.show(in: viewport, overlays, insertions, resources)
        let fade = viewport.groundFade
        // The vector tiles of the base map contain labels, which are placed with the points.
        var baseMap = BaseMapPlacer(mapView, viewport, fade)
        baseMap.loadTiles(isForPicking: isForPicking, deadline: deadline)
        labels.read(baseMap.vectorLayers, resources)
        // Elements and labels keep the credits clear, also when they are picked.
        let needsCredits = !isForPicking || !mapView.shownElements.isEmpty || labels.hasLabels
        let hasCredits = inset == nil && mapView.showsAttribution && needsCredits
        let attribution = hasCredits ? baseMap.measuredAttribution(resources) : nil
        insets.deadline = deadline
        let elements = ElementPlacer.place(
            mapView, viewport, credits: attribution, isForPicking: isForPicking, resources, inset == nil ? insets : nil)
        let needsFonts =
            resources.views.needsFonts || self.points.needsFonts || self.shapes.needsFonts
            || !clusters.points.captions.unmeasured.isEmpty || labels.hasLabels
        if needsFonts, let error = resources.fonts.error { throw .fonts(error) }
        // 3. Rank the sort keys.
        let layerRanks = overlays.keys.rank(insertions, clusters.keys)
        var pass = PlacingPass(
            viewport: viewport, overlays: overlays,
            order: DrawingOrder(
                keys: overlays.keys, insertions: insertions, layerRanks: layerRanks, layerInsertions: clusters.insertions),
            rasters: resources.images.rasters, fonts: resources.fonts.known, language: resources.fonts.language,
            theme: resources.theme, modelSamples: mapView.modelSamples,
            captionRoom: CaptionRoom(
                viewport, avoidsEdges: mapView.captionsAvoidEdges, elements: mapView.captionsAvoidElements ? elements.boxes : []),
            continuesBeyondEdges: mapView.continuesBeyondEdges, isForPicking: isForPicking, fade: fade,
            buildings: BuildingOccluders(viewport, baseMap.vectorLayers), credits: attribution.map { BaseMapPlacer.box(of: $0, viewport) },
            frame: FrameBuilder(viewport, background: mapView.background))
        // 4. Place each family.
        var points = self.points.place(clusters.points, behind: self.models, &pass)
        var labels = self.labels.place(over: points, self.points.captionImages, &pass)
        var shapes = self.shapes.place(over: points, &pass)
        var models = self.models.place(&pass)
        var windows = self.windows.place(clusters, &pass)
        var ground = self.ground.place(&pass)
        if pass.buildings.isOverLimit {
            pass.diagnostics.append(
                Diagnostic(
                    path: "basemap.buildings",
                    message: "the view has too many buildings; some markers and labels behind them are drawn as if nothing hid them"))
        }
        // 5. Merge them in the drawing order, over the base map.
        var items = [points.items, shapes.items, models.items, windows.items, ground.items, shapes.labels.items, labels.items]
        pass.frame.merge(&items)
        (points.items, shapes.items, models.items, windows.items, ground.items) = (items[0], items[1], items[2], items[3], items[4])
        (shapes.labels.items, labels.items) = (items[5], items[6])
        pass.frame.frame.shareEdges()
        if !isForPicking {
            baseMap.add(to: &pass.frame.frame)
            pass.diagnostics += baseMap.diagnostics
            if let attribution { BaseMapPlacer.add(attribution, to: &pass.frame.frame) }
            elements.add(to: &pass.frame.frame)
            pass.diagnostics += elements.diagnostics
        }
        // 6. Report everything that could not be drawn as requested.
        let diagnostics = diagnostics(points, labels, pass.diagnostics, insertions)
        reported = []
        return Placement(
            viewport: viewport, diagnostics: diagnostics,
            distortions: resources.images.distortions,
            overlays: overlays, order: pass.order, points: points, labels: labels, shapes: shapes, models: models, clusters: clusters,
            windows: windows, ground: ground, elements: elements, rasters: pass.rasters,
            attribution: attribution == nil ? nil : baseMap.attribution, frame: pass.frame.frame, picture: picture,
            waited: deadline.waited)
    }

    /// The diagnostics of a picture: everything that could not be drawn as requested.
    /// - Parameters:
    ///   - points: The points of the picture.
    ///   - placedLabels: The labels of base maps in the picture.
    ///   - placing: The diagnostics of placing.
    ///   - insertions: Indexed by slot.
    private func diagnostics(
        _ points: PlacedPoints, _ placedLabels: PlacedLabels, _ placing: [Diagnostic], _ insertions: [UInt32]
    ) -> [Diagnostic] {
        var list = DiagnosticList(placing: reported + placing, overlays: overlays.problems)
        list.map = resources.images.warnings.map { Diagnostic(path: "iconImage", id: $0.name, message: $0.message) }
        list.errors = resources.images.undrawable
        list.map += resources.views.gaps.values.map(\.description).sorted().map { gap in
            Diagnostic(path: "content", message: "no font has \(gap); a box is drawn instead")
        }
        overlays.containers.report(into: &list)
        self.points.report(points, into: &list, resources.fonts)
        labels.report(placedLabels, into: &list, resources.fonts)
        shapes.report(into: &list, resources.fonts)
        models.report(into: &list)
        ground.report(into: &list)
        clusters.report(into: &list)
        list.map += windows.problems
        let language = resources.fonts.language
        if !MapView.isLanguageTag(language) {
            list.map.append(Diagnostic(path: "language", message: "\"\(language)\" is not a language tag such as \"ko\" or \"zh-Hant\""))
        }
        return list.sorted(overlays, insertions)
    }
}

extension Composer {
    /// Reads the overlays that changed since the last call, and the content of the info window. Returns false, and reads nothing, while the
    /// map is being placed.
    @discardableResult
    package func refresh(_ mapView: MapView, pixelRatio: Double) -> Bool {
        guard !isPlacing else { return false }
        isPlacing = true
        defer { isPlacing = false }
        mapView.windows.update(on: mapView)
        _ = caches.locked { read(mapView, pixelRatio: pixelRatio) }
        return true
    }

    /// Returns the insertion numbers of the overlays that were read, by slot.
    private func read(_ mapView: MapView, pixelRatio: Double) -> [UInt32] {
        let store = mapView.store
        // The placement is released before the columns change, because it holds copies of them.
        if store.hasChanges { picked = nil }
        reported += mapView.takeReports()
        let forAll = resources.update(mapView, pixelRatio: pixelRatio)
        let areSymbolsChanged = store.changes.takeSymbolChange() || !forAll.isEmpty
        let changes = OverlayChanges(store, forAll: forAll, &overlays)
        refreshedOverlays += changes.count
        points.read(changes.points, symbols: areSymbolsChanged ? mapView.symbols : nil, &overlays, resources)
        shapes.read(changes.shapes, &overlays, resources)
        models.read(changes.models, &overlays, resources)
        clusters.read(changes.clusters, &overlays, resources)
        windows.read(mapView.windows, changes.ground.overlays, overlays, resources)
        ground.read(changes.ground, &overlays, resources)
        resources.noteUse()
        return changes.insertions
    }
}

extension Composer {
    /// The extent that `fit` shows of a map, for any camera; nil when it is empty.
    /// - Throws: `PropertyError` for an id that no overlay has.
    package func extent(
        of mapView: MapView, _ subject: FitSubject = .overlays, withInfoWindow hasInfoWindow: Bool = false, pixelRatio: Double
    ) throws(PropertyError) -> Extent? {
        guard refresh(mapView, pixelRatio: pixelRatio) else {
            throw PropertyError(path: "camera.fit", problem: PlacementError.reentrance)
        }
        defer { caches.trim() }
        switch subject {
        case .overlays:
            return Extent(extents(of: FittedOverlays(overlays: overlays, hasInfoWindow: hasInfoWindow)))
        case .ids(let ids):
            let views = Set(ids).intersection(mapView.viewOverlays.compactMap(\.id))
            let slots = try overlays.slots(ofIDs: ids, without: views, mapView.store.insertions)
            return Extent(extents(of: FittedOverlays(overlays: overlays, chosen: slots, chosenViews: views, hasInfoWindow: hasInfoWindow)))
        case .bounds, .points:
            let window = hasInfoWindow ? extents(of: FittedOverlays(overlays: overlays, chosen: [], hasInfoWindow: true)) : []
            return Extent([PointExtent(subject)].compactMap(\.self) + window)
        }
    }

    /// The camera that shows the subject of the options on the map of an inset; nil if there is nothing to fit.
    func camera(fitting options: FitOptions, on mapView: MapView, pixelRatio: Double) throws(PropertyError) -> Camera? {
        let search = try FitSearch(options, size: mapView.pointSize, pixelRatio: pixelRatio)
        if let camera = options.givenCamera { return camera }
        let extent = try extent(of: mapView, options.subject, withInfoWindow: options.includeInfoWindow, pixelRatio: pixelRatio)
        return extent == nil ? nil : try search.fit(extent).camera
    }

    /// The extent of visible overlays of a map.
    package func extent(of mapView: MapView, overlays chosen: Set<Int32>, withInfoWindow hasInfoWindow: Bool, pixelRatio: Double) -> Extent?
    {
        guard refresh(mapView, pixelRatio: pixelRatio) else { return nil }
        return Extent(extents(of: FittedOverlays(overlays: overlays, chosen: chosen, hasInfoWindow: hasInfoWindow)))
    }

    private func extents(of fitted: FittedOverlays) -> [any ExtentPart] {
        let extents: [(any ExtentPart)?] = [points.extent(of: fitted), shapes.extent(of: fitted), models.extent(of: fitted)]
        let others: [(any ExtentPart)?] = [windows.extent(of: fitted), ground.extent(of: fitted)]
        return extents.compactMap(\.self) + clusters.extents(of: fitted) + others.compactMap(\.self)
    }
}

extension Composer {
    /// The approximate number of bytes kept between pictures, for tests.
    package var keptBytes: Int { caches.keptBytes }

    /// Evicts the least recently used entries of its caches; for tests.
    package func keep(atMost bytes: Int) { caches.evict(through: .max, bytes: max(0, caches.keptBytes - bytes)) }

    /// Counts of expensive operations, checked by tests.
    package var statistics: LayoutStatistics {
        var statistics = LayoutStatistics(refreshedOverlays: refreshedOverlays)
        points.count(into: &statistics)
        shapes.count(into: &statistics)
        models.count(into: &statistics)
        clusters.count(into: &statistics)
        statistics.measuredContents = resources.views.measurements
        statistics.drawnContents = resources.views.draws
        return statistics
    }
}

extension MapView {
    /// Counters that rise when the windows or the elements change.
    fileprivate var revisions: SIMD2<Int> { SIMD2(windows.revision, elementRevision) }
}

/// The input of families while they place overlays, and the frame that they fill.
struct PlacingPass {
    let viewport: Viewport
    let overlays: OverlayTable
    let order: DrawingOrder
    let rasters: [FrameImage]
    /// The fonts; nil without text.
    let fonts: FontLibrary?
    let language: String
    /// The defaults of the map's theme; nil without a theme.
    let theme: ThemeDefaults?
    /// The number of samples per pixel for the edges of models.
    let modelSamples: Int
    /// The part of the picture in which captions may be. Other captions are placed elsewhere or hidden.
    let captionRoom: CaptionRoom
    /// Whether other pictures continue this one at its edges.
    let continuesBeyondEdges: Bool
    /// Whether the placement is used only for picking.
    let isForPicking: Bool
    /// The end of the ground; nil if it is not in the picture.
    let fade: GroundFade?
    /// The extruded buildings of the base map.
    let buildings: BuildingOccluders
    /// The box of the base map's credits, in device pixels; nil without credits.
    let credits: PixelBox?
    var frame: FrameBuilder
    /// Diagnostics for everything that could not be drawn as requested.
    var diagnostics: [Diagnostic] = []

    func isShown(_ slot: Int32) -> Bool { overlays.isShown(slot, atZoom: viewport.camera.zoom) }
}

/// Counts of expensive operations so far, checked by tests.
package struct LayoutStatistics: Equatable, Sendable {
    /// The number of overlays read from their objects. An overlay that is read twice counts twice.
    package var refreshedOverlays = 0
    /// The number of full sorts of the points, and of merges of a few moved points into the sorted order.
    package var orderSorts = 0
    package var orderMerges = 0
    package var orderRebuilds: Int { orderSorts + orderMerges }
    /// The number of times that the spatial index was rebuilt.
    package var indexBuilds = 0
    /// The number of times that a shape's points were read, or a line was simplified.
    package var shapeReads = 0
    package var simplifications = 0
    /// The number of points of shapes in memory.
    package var keptShapePoints = 0
    /// The number of meshes that were prepared for frames, and of very large meshes that were cut.
    package var meshPreparations = 0
    package var meshCuts = 0
    /// The number of points that were tested for models in front of them.
    package var occlusionTests = 0
    /// The number of caption pieces that were made. A piece is rasterized when a frame first shows it.
    package var madeCaptionPieces = 0
    /// The number of times that the index of a cluster layer was built, or a single marker was added to it or removed from it.
    package var clusterBuilds = 0
    package var clusterEdits = 0
    /// The number of times that the values of a cluster's markers were summed.
    package var clusterSums = 0
    /// The number of times that values were read from the source of a cluster layer.
    package var clusterValueReads = 0
    /// The numbers of measured and of rasterized view contents. Contents are rasterized on first use.
    package var measuredContents = 0
    package var drawnContents = 0
}
