import WaymarkGeo
import WaymarkScene
import WaymarkText

/// Why a map could not be placed.
package enum PlacementError: Error {
    /// A number of the camera, the size or the pixel ratio is out of range.
    case range(PropertyError)
    /// There are texts, and no fonts for them.
    case fonts(FontError)
}

/// Makes placements of a map: a loop over families of overlays, and one merge of what they place. It needs no GPU.
///
/// One composer belongs to one map and follows its journal: what has not changed is not read again. It does not change the map, and
/// knows no kind of overlay beyond the family of each.
package final class Composer: MapLayout {
    private let families: [any OverlayFamily]
    // Unchecked, since nothing that is called while they change comes back here.
    @exclusivity(unchecked) private var table = OverlayTable()
    @exclusivity(unchecked) private var keys = SortKeyTable()
    @exclusivity(unchecked) private var containers = ContainerStates()
    @exclusivity(unchecked) private var resources = MapResources()
    /// What keeps overlays out, where a diagnostic reports it, by slot.
    private var problems: [Int32: PropertyError] = [:]
    /// What was reported since the last placement.
    private var reported: [Diagnostic] = []
    private var refreshedOverlays = 0

    /// - Parameter captionBytes: Evicts the least recently used caption bitmaps beyond this many bytes.
    package init(captionBytes: Int = 64 << 20) {
        families = OverlayFamilyID.allCases.map { $0.makeFamily(captionBytes: captionBytes) }
    }

    /// The composer of a map, made at the first call.
    package static func of(_ mapView: MapView) -> Composer {
        if let composer = mapView.layout as? Composer { return composer }
        let composer = Composer()
        mapView.layout = composer
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
        if let error = resources.fonts.error, families.contains(where: \.needsFonts) { throw .fonts(error) }
        keys.rank()
        var pass = PlacingPass(
            viewport: viewport, overlays: table, order: DrawingOrder(keys: keys, insertions: table.insertions),
            rasters: resources.catalog.rasters, fonts: resources.fonts.known, language: resources.fonts.language,
            modelSamples: mapView.modelSamples, frame: FrameBuilder(viewport, background: mapView.background))
        var parts = families.map { $0.place(&pass) }
        pass.frame.merge(&parts)
        let diagnostics = diagnostics(pass.diagnostics)
        reported = []
        return Placement(pass, containers, parts, diagnostics)
    }

    /// Everything visible on a map; nil when there is nothing.
    package func extent(of mapView: MapView, pixelRatio: Double) -> Extent? {
        refresh(mapView, pixelRatio: pixelRatio)
        return Extent(families.compactMap(\.extent))
    }

    /// Brings what is known up to date with the objects.
    package func refresh(_ mapView: MapView, pixelRatio: Double) {
        let journal = mapView.journal
        table.grow(to: journal.slots.count)
        table.insertions = journal.insertions
        reported += journal.takeReports()
        let forAll = resources.update(mapView, pixelRatio: pixelRatio)
        let areSymbolsChanged = journal.takeSymbolChange() || !forAll.isEmpty
        let changes = OverlayChanges(journal, forAll: forAll, &table, &keys, &containers, &problems)
        refreshedOverlays += changes.count
        for (slot, family) in changes.forgotten { families[family.rawValue].forget(slot: slot) }
        var pass = ReadingPass(
            overlays: journal.slots, table: table, containers: containers, symbols: areSymbolsChanged ? mapView.symbols : nil,
            resources: resources, problems: problems)
        resources = MapResources()
        problems = [:]
        for (index, family) in families.enumerated() { family.read(changes.byFamily[index], &pass) }
        (resources, problems) = (pass.resources, pass.problems)
    }

    /// Everything that this picture could not do as asked.
    private func diagnostics(_ placing: [Diagnostic]) -> [Diagnostic] {
        var list = DiagnosticList(placing: reported + placing, overlays: problems)
        list.map = resources.catalog.warnings.map { Diagnostic(path: "iconImage", id: $0.name, message: $0.message) }
        for family in families { family.report(into: &list, resources) }
        let language = resources.fonts.language
        if !MapView.isLanguageTag(language) {
            list.map.append(Diagnostic(path: "language", message: "\"\(language)\" is no language tag such as \"ko\" or \"zh-Hant\""))
        }
        return list.sorted(table)
    }

    package var imageByteCount: Int { resources.catalog.byteCount }

    /// How often things were done that should be done seldom: what tests count.
    package var statistics: LayoutStatistics {
        var statistics = LayoutStatistics(refreshedOverlays: refreshedOverlays)
        for family in families { family.count(into: &statistics) }
        return statistics
    }
}
