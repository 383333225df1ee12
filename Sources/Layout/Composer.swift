import WaymarkGeo
import WaymarkImaging
import WaymarkScene
import WaymarkText

/// Why a map could not be placed.
package enum PlacementError: Error {
    /// The camera, the size, the pixel ratio or the number of model samples is out of range.
    case range(PropertyError)
    /// The map has texts, but no fonts are available.
    case fonts(FontError)
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
    @exclusivity(unchecked) private var resources = MapResources()
    /// By slot: the invalid property that excludes an overlay. Reported as diagnostics.
    private var problems: [Int32: PropertyError] = [:]
    /// The diagnostics reported since the last placement.
    private var reported: [Diagnostic] = []
    private var refreshedOverlays = 0
    private let imageCache = ImageCache()
    private let caches: LayoutCaches

    package init() {
        families = OverlayFamilyID.allCases.map { $0.makeFamily() }
        caches = LayoutCaches(families.flatMap(\.caches) + [imageCache])
        CacheBudget.standard.add(caches)
    }

    /// The approximate bytes that it keeps between pictures; for tests.
    package var keptBytes: Int { caches.keptBytes }

    /// Evicts the least recently used of what is kept between pictures; for tests.
    package func keep(atMost bytes: Int) { caches.evict(through: .max, bytes: max(0, caches.keptBytes - bytes)) }

    /// Moves what it keeps between pictures to a renderer's budget.
    package func join(_ budget: CacheBudget) { caches.move(to: budget) }

    /// What the catalog of images keeps: everything is evicted at once, and read again of every overlay.
    private final class ImageCache: BudgetedCache {
        var lastUse: UInt64 = 0
        /// The picture since which it has been filled.
        var firstUse: UInt64 = 0
        var keptBytes = 0
        /// Whether the catalog is to be emptied.
        var isEvicted = false

        /// Beyond this many bytes, most of it is of images that no overlay shows any more.
        private static let mostInUse = 8 << 20

        var oldestUse: UInt64? { keptBytes == 0 ? nil : keptBytes > Self.mostInUse ? firstUse : lastUse }

        func evict(through picture: UInt64, bytes: Int) {
            guard let oldestUse, oldestUse <= picture, bytes > 0 else { return }
            (isEvicted, keptBytes) = (true, 0)
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
    package func place(_ mapView: MapView) throws(PlacementError) -> Placement {
        let picture = PictureClock.begin()
        return try caches.locked { () throws(PlacementError) in try place(mapView, picture: picture) }
    }

    private func place(_ mapView: MapView, picture: UInt64) throws(PlacementError) -> Placement {
        let viewport: Viewport
        do throws(PropertyError) {
            viewport = try mapView.viewport()
            try mapView.checkModelSamples()
        } catch {
            throw .range(error)
        }
        read(mapView, pixelRatio: viewport.pixelRatio)
        let guests = guests(in: viewport, mapView)
        if let error = resources.fonts.error, families.contains(where: \.needsFonts) { throw .fonts(error) }
        keys.rank(table.insertions)
        var pass = PlacingPass(
            viewport: viewport, overlays: table, order: DrawingOrder(keys: keys, insertions: table.insertions),
            rasters: resources.catalog.rasters, fonts: resources.fonts.known, language: resources.fonts.language,
            modelSamples: mapView.modelSamples, captionsAvoidEdges: mapView.captionsAvoidEdges, guests: guests,
            frame: FrameBuilder(viewport, background: mapView.background))
        var parts = families.map { $0.place(&pass) }
        pass.frame.merge(&parts)
        pass.frame.frame.shareEdges()
        let diagnostics = diagnostics(pass.diagnostics)
        reported = []
        defer { table.insertions = [] }
        return Placement(pass, containers, parts, diagnostics, picture: picture)
    }

    /// The extent of what a fitted camera shows of a map, whatever the camera; nil when there is nothing.
    /// - Throws: `PropertyError` for an id that no overlay has.
    package func extent(
        of mapView: MapView, _ subject: FitSubject = .overlays, pixelRatio: Double
    ) throws(PropertyError) -> Extent? {
        refresh(mapView, pixelRatio: pixelRatio)
        defer { caches.trim() }
        return try table.extent(of: subject) { fitted in families.compactMap { $0.extent(of: fitted) } }
    }

    /// The extent of visible overlays of a map.
    package func extent(of mapView: MapView, overlays: Set<Int32>, pixelRatio: Double) -> Extent? {
        refresh(mapView, pixelRatio: pixelRatio)
        let fitted = FittedOverlays(table, chosen: overlays)
        return Extent(families.compactMap { $0.extent(of: fitted) })
    }

    /// Reads the overlays that changed since the last call.
    package func refresh(_ mapView: MapView, pixelRatio: Double) {
        caches.locked { read(mapView, pixelRatio: pixelRatio) }
    }

    /// Evicts what is beyond the budget of the layouts, for callers that draw nothing.
    package func trim() { caches.trim() }

    private func read(_ mapView: MapView, pixelRatio: Double) {
        if imageCache.isEvicted {
            (imageCache.isEvicted, imageCache.firstUse) = (false, PictureClock.now)
            resources.clearImages()
        }
        defer { (imageCache.keptBytes, imageCache.lastUse) = (resources.catalog.byteCount, PictureClock.now) }
        let journal = mapView.journal
        table.grow(to: journal.slots.count)
        table.insertions = journal.insertions
        reported += journal.takeReports()
        let forAll = resources.update(mapView, pixelRatio: pixelRatio)
        let areSymbolsChanged = journal.takeSymbolChange() || !forAll.isEmpty
        let changes = OverlayChanges(journal, forAll: forAll, &table, &keys, &containers, &problems)
        refreshedOverlays += changes.count
        for (slot, family) in changes.forgotten { families[family.rawValue].forget(slot: slot) }
        read(journal, symbols: areSymbolsChanged ? mapView.symbols : nil) { pass in
            for (index, family) in families.enumerated() { family.read(changes.byFamily[index], &pass) }
        }
    }

    /// Lends the overlays and the map's resources to `body`.
    private func read(_ journal: Journal, symbols: [Symbol]? = nil, _ body: (inout ReadingPass) -> Void) {
        var pass = ReadingPass(
            overlays: journal.slots, table: table, containers: containers, symbols: symbols, resources: resources, problems: problems)
        resources = MapResources()
        problems = [:]
        body(&pass)
        (resources, problems) = (pass.resources, pass.problems)
    }

    /// The guests of a picture, which get their slots and sort keys.
    private func guests(in viewport: Viewport, _ mapView: MapView) -> [GuestPoint] {
        var guests: [GuestPoint] = []
        read(mapView.journal) { pass in
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
        list.map = resources.catalog.warnings.map { Diagnostic(path: "iconImage", id: $0.name, message: $0.message) }
        list.errors = resources.catalog.undrawable
        containers.report(into: &list)
        for family in families { family.report(into: &list, resources) }
        let language = resources.fonts.language
        if !MapView.isLanguageTag(language) {
            list.map.append(Diagnostic(path: "language", message: "\"\(language)\" is no language tag such as \"ko\" or \"zh-Hant\""))
        }
        return list.sorted(table)
    }

    /// Counters of expensive operations; tests check them.
    package var statistics: LayoutStatistics {
        var statistics = LayoutStatistics(refreshedOverlays: refreshedOverlays)
        for family in families { family.count(into: &statistics) }
        return statistics
    }
}
