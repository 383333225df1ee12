import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkText

/// Why a map could not be placed.
package enum PlacementError: Error {
    /// The camera, the size, the pixel ratio or the number of model samples is out of range.
    case range(PropertyError)
    /// The map is being placed: a delegate or a drawing that was asked meanwhile tried to render it.
    case reentered
    /// The map has texts, but no fonts are available.
    case fonts(FontError)
}

extension PlacementError {
    /// The sentence of `reentered`.
    package static let reentrance = "the map is being laid out; a delegate or a drawing that is asked meanwhile cannot render or fit it"
}

/// Places the overlays of a map: asks each overlay family for its part and merges the parts into one frame. Needs no GPU.
///
/// A composer belongs to one map and follows that map's journal, so unchanged overlays are not read again. It never changes the map, and
/// knows an overlay's type only by its family.
package final class Composer: MapLayout {
    private let families: [any OverlayFamily]
    // Unchecked: no code that runs while these are being modified calls back into the composer.
    @exclusivity(unchecked) private var table = OverlayTable()
    @exclusivity(unchecked) private var keys = SortKeyTable()
    @exclusivity(unchecked) private var containers = ContainerStates()
    /// By slot: the invalid property that excludes an overlay. Reported as diagnostics.
    private var problems: [Int32: PropertyError] = [:]
    /// The diagnostics reported since the last placement.
    private var reported: [Diagnostic] = []
    private var refreshedOverlays = 0
    private let shared = SharedResources()
    private let caches: LayoutCaches
    /// Whether the map is being read or placed. Delegates and drawings are asked meanwhile.
    private var isPlacing = false
    /// The map as it was placed for picking, while nothing changes.
    private var picked: (state: PickingState, placement: Placement)?

    package init() {
        families = OverlayFamilyID.allCases.map { $0.makeFamily() }
        caches = LayoutCaches(families.flatMap(\.caches) + [shared])
        CacheBudget.standard.add(caches)
    }

    /// The approximate bytes that it keeps between pictures; for tests.
    package var keptBytes: Int { caches.keptBytes }

    /// Evicts the least recently used of what is kept between pictures; for tests.
    package func keep(atMost bytes: Int) { caches.evict(through: .max, bytes: max(0, caches.keptBytes - bytes)) }

    /// Moves what it keeps between pictures to a renderer's budget.
    package func join(_ budget: CacheBudget) { caches.move(to: budget) }

    /// The map's resources. Its catalog of images is evicted as a whole, and read again of every overlay; it is locked with the other caches.
    private final class SharedResources: BudgetedCache {
        // Unchecked: no code that runs while it is being modified calls back into the composer.
        @exclusivity(unchecked) var resources = MapResources()
        private var lastUse: UInt64 = 0
        /// The picture since which it has been filled.
        private var firstUse: UInt64 = 0
        private(set) var keptBytes = 0

        /// Beyond this many bytes, most of it is of images that no overlay shows any more.
        private static let mostInUse = 8 << 20

        var oldestUse: UInt64? { keptBytes == 0 ? nil : keptBytes > Self.mostInUse ? firstUse : lastUse }

        func evict(through picture: UInt64, bytes: Int) {
            guard let oldestUse, oldestUse <= picture, bytes > 0 else { return }
            resources.clearImages()
            keptBytes = 0
        }

        /// Counts what is in it after it was used.
        func noteUse() {
            lastUse = PictureClock.now
            if keptBytes == 0 { firstUse = lastUse }
            keptBytes = resources.catalog.byteCount
        }
    }

    /// The composer of a map, created on the first call.
    package static func of(_ mapView: MapView) -> Composer {
        if let composer = mapView.layout as? Composer { return composer }
        let composer = Composer()
        mapView.layout = composer
        return composer
    }

    /// Places the map in its current state.
    /// - Throws: `PlacementError.range` for the first number out of range; `.fonts` when there are texts but no fonts.
    package func place(_ mapView: MapView) throws(PlacementError) -> Placement { try place(mapView, isForPicking: false) }

    /// What is at a point of the map in its present state, topmost first. The placement is kept until something changes.
    package func hits(_ request: PickRequest, on mapView: MapView) throws(PlacementError) -> (hits: [PlacedHit], placement: Placement) {
        let state = PickingState(mapView)
        if let picked, picked.state == state, !mapView.journal.hasChanges { return (picked.placement.hits(request), picked.placement) }
        picked = nil
        let placement = try place(mapView, isForPicking: true).withoutFrame()
        // What is tracked may have changed while the map was placed.
        picked = (PickingState(mapView), placement)
        return (placement.hits(request), placement)
    }

    private func place(_ mapView: MapView, isForPicking: Bool) throws(PlacementError) -> Placement {
        guard !isPlacing else { throw .reentered }
        isPlacing = true
        defer { isPlacing = false }
        // Asks the delegate, which may take long, before the caches are locked.
        mapView.windows.track(on: mapView)
        let picture = PictureClock.begin()
        return try caches.locked { () throws(PlacementError) in
            try place(mapView, isForPicking: isForPicking, picture: picture)
        }
    }

    private func place(_ mapView: MapView, isForPicking: Bool, picture: UInt64) throws(PlacementError) -> Placement {
        let viewport: Viewport
        do throws(PropertyError) {
            viewport = try mapView.viewport()
            try mapView.checkModelSamples()
        } catch {
            throw .range(error)
        }
        read(mapView, pixelRatio: viewport.pixelRatio)
        let guests = guests(in: viewport, mapView)
        var baseMap = isForPicking ? nil : BaseMapPlacer(mapView, viewport)
        let attribution = mapView.showsAttribution ? baseMap?.measuredAttribution(&shared.resources.catalog) : nil
        if let error = shared.resources.catalog.views.fontError { throw .fonts(error) }
        if let error = shared.resources.fonts.error, families.contains(where: \.needsFonts) { throw .fonts(error) }
        keys.rank(table.insertions)
        var pass = PlacingPass(
            viewport: viewport, overlays: table, order: DrawingOrder(keys: keys, insertions: table.insertions),
            rasters: shared.resources.catalog.rasters, fonts: shared.resources.fonts.known, language: shared.resources.fonts.language,
            modelSamples: mapView.modelSamples, captionsAvoidEdges: mapView.captionsAvoidEdges, guests: guests,
            isForPicking: isForPicking,
            frame: FrameBuilder(viewport, background: mapView.background))
        var parts = families.map { $0.place(&pass) }
        pass.frame.merge(&parts)
        pass.frame.frame.shareEdges()
        if let baseMap {
            baseMap.addBeneath(&pass.frame.frame)
            pass.diagnostics += baseMap.diagnostics
        }
        if let attribution { BaseMapPlacer.add(attribution, to: &pass.frame.frame) }
        let diagnostics = diagnostics(pass.diagnostics)
        reported = []
        defer { table.insertions = [] }
        return Placement(
            pass, containers, parts, diagnostics, attribution: attribution == nil ? nil : baseMap?.attribution, picture: picture)
    }

    /// The extent of what a fitted camera shows of a map, whatever the camera; nil when there is nothing.
    /// - Throws: `PropertyError` for an id that no overlay has.
    package func extent(
        of mapView: MapView, _ subject: FitSubject = .overlays, withInfoWindow hasInfoWindow: Bool = false, pixelRatio: Double
    ) throws(PropertyError) -> Extent? {
        guard refresh(mapView, pixelRatio: pixelRatio) else {
            throw PropertyError(path: "camera.fit", problem: PlacementError.reentrance)
        }
        defer { caches.trim() }
        return try table.extent(of: subject, views: mapView.viewOverlays.map(\.id), withInfoWindow: hasInfoWindow) { fitted in
            families.compactMap { $0.extent(of: fitted) }
        }
    }

    /// The extent of visible overlays of a map.
    package func extent(of mapView: MapView, overlays: Set<Int32>, withInfoWindow hasInfoWindow: Bool, pixelRatio: Double) -> Extent? {
        guard refresh(mapView, pixelRatio: pixelRatio) else { return nil }
        let fitted = FittedOverlays(table, chosen: overlays, hasInfoWindow: hasInfoWindow)
        return Extent(families.compactMap { $0.extent(of: fitted) })
    }

    /// Reads the overlays that changed since the last call. Returns false, and reads nothing, while the map is being placed.
    @discardableResult
    package func refresh(_ mapView: MapView, pixelRatio: Double) -> Bool {
        guard !isPlacing else { return false }
        isPlacing = true
        defer { isPlacing = false }
        caches.locked { read(mapView, pixelRatio: pixelRatio) }
        return true
    }

    /// Evicts what is beyond the budget of the layouts, for callers that draw nothing.
    package func trim() { caches.trim() }

    private func read(_ mapView: MapView, pixelRatio: Double) {
        defer { shared.noteUse() }
        let journal = mapView.journal
        // Before the columns change, of which it holds copies.
        if journal.hasChanges { picked = nil }
        table.grow(to: journal.slots.count)
        table.insertions = journal.insertions
        reported += journal.takeReports()
        let forAll = shared.resources.update(mapView, pixelRatio: pixelRatio)
        let areSymbolsChanged = journal.takeSymbolChange() || !forAll.isEmpty
        let changes = OverlayChanges(journal, forAll: forAll, &table, &keys, &containers, &problems)
        refreshedOverlays += changes.count
        for (slot, family) in changes.forgotten { families[family.rawValue].forget(slot: slot) }
        read(journal, mapView.windows, symbols: areSymbolsChanged ? mapView.symbols : nil) { pass in
            for (index, family) in families.enumerated() { family.read(changes.byFamily[index], &pass) }
        }
    }

    /// Lends the overlays and the map's resources to `body`.
    private func read(_ journal: Journal, _ windows: MapWindows, symbols: [Symbol]? = nil, _ body: (inout ReadingPass) -> Void) {
        var pass = ReadingPass(
            overlays: journal.slots, table: table, containers: containers, symbols: symbols, windows: windows, resources: shared.resources,
            problems: problems)
        shared.resources = MapResources()
        problems = [:]
        body(&pass)
        (shared.resources, problems) = (pass.resources, pass.problems)
    }

    /// The guests of a picture, which get their slots and sort keys.
    private func guests(in viewport: Viewport, _ mapView: MapView) -> [GuestPoint] {
        var guests: [GuestPoint] = []
        read(mapView.journal, mapView.windows) { pass in
            for family in families { guests += family.guests(in: viewport, &pass) }
        }
        for guest in guests {
            _ = keys.set(guest.key, slot: Int32(table.insertions.count))
            table.insertions.append(guest.insertion)
        }
        return guests
    }

    /// The diagnostics of a picture: everything that could not be drawn as requested.
    private func diagnostics(_ placing: [Diagnostic]) -> [Diagnostic] {
        var list = DiagnosticList(placing: reported + placing, overlays: problems)
        list.map = shared.resources.catalog.warnings.map { Diagnostic(path: "iconImage", id: $0.name, message: $0.message) }
        list.errors = shared.resources.catalog.undrawable
        list.map += shared.resources.catalog.views.gaps.values.map(\.description).sorted().map { gap in
            Diagnostic(path: "content", message: "no font has \(gap); a box is drawn in its place")
        }
        containers.report(into: &list)
        for family in families { family.report(into: &list, shared.resources) }
        let language = shared.resources.fonts.language
        if !MapView.isLanguageTag(language) {
            list.map.append(Diagnostic(path: "language", message: "\"\(language)\" is no language tag such as \"ko\" or \"zh-Hant\""))
        }
        return list.sorted(table)
    }

    /// Counters of expensive operations; tests check them.
    package var statistics: LayoutStatistics {
        var statistics = LayoutStatistics(refreshedOverlays: refreshedOverlays)
        for family in families { family.count(into: &statistics) }
        statistics.measuredContents = shared.resources.catalog.views.measurements
        statistics.drawnContents = shared.resources.catalog.views.draws
        return statistics
    }
}

/// What a placement depends on beside the overlays.
private struct PickingState: Equatable {
    var camera: Camera
    var size: PointSize
    var pixelRatio: Double
    var language: String
    var fontSource: FontSource
    var imageFolders: [String]
    var captionsAvoidEdges: Bool
    var windows: Int
    var infoWindow: InfoWindowView?
    var infoWindowObject: ObjectIdentifier?
    /// What a tracked window shows is asked for every picture.
    var isTracked: Bool

    init(_ mapView: MapView) {
        (camera, size, pixelRatio) = (mapView.camera, mapView.pointSize, mapView.pixelRatio)
        (language, fontSource, imageFolders) = (mapView.language, mapView.fontSource, mapView.imageFolders)
        captionsAvoidEdges = mapView.captionsAvoidEdges
        windows = mapView.windows.revision
        infoWindow = mapView.infoWindow?.view
        infoWindowObject = mapView.infoWindow.map(ObjectIdentifier.init)
        isTracked = mapView.selectedMarker?.tracksInfoWindowChanges ?? false
    }

    static func == (a: PickingState, b: PickingState) -> Bool {
        !a.isTracked && !b.isTracked && a.camera == b.camera && a.size == b.size && a.pixelRatio == b.pixelRatio && a.language == b.language
            && a.fontSource == b.fontSource && a.imageFolders == b.imageFolders
            && a.captionsAvoidEdges == b.captionsAvoidEdges && a.windows == b.windows && a.infoWindow == b.infoWindow
            && a.infoWindowObject == b.infoWindowObject
    }
}
