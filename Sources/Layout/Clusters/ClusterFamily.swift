import WaymarkClustering
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// The cluster layers of a map. They show clusters, and markers that are alone, as guests of the point family, which orders, places and
/// draws them among the map's own markers.
final class ClusterFamily: OverlayFamily {
    private var layers: [Int32: ClusterLayerState] = [:]
    /// What the layers show in the picture being placed, in the order of the guests.
    private var shown: [ShownLayer] = []

    func read(_ changes: [OverlayChange], _ pass: inout ReadingPass) {
        shown = []
        var changesOfSlots: [Int32: Journal.Change] = [:]
        for change in changes {
            guard let layer = pass.overlays[Int(change.slot)] as? ClusterLayer else { continue }
            if layers[change.slot]?.layer !== layer { layers[change.slot] = ClusterLayerState(layer) }
            changesOfSlots[change.slot] = change.change
        }
        for slot in layers.keys.sorted() { layers[slot]?.read(slot: slot, changesOfSlots[slot] ?? [], &pass) }
    }

    func forget(slot: Int32) { layers[slot] = nil }

    func guests(in viewport: Viewport, _ pass: inout ReadingPass) -> [GuestPoint] {
        shown = []
        var guests: [GuestPoint] = []
        for slot in layers.keys.sorted() {
            guard let state = layers[slot] else { continue }
            shown.append(state.show(in: viewport, slot: slot, into: &guests, &pass))
        }
        return guests
    }

    /// What the layers show is drawn by the point family.
    func place(_ pass: inout PlacingPass) -> PlacedPart {
        // Else the next edit would copy every column of the layers.
        defer { shown = [] }
        return PlacedPart(
            items: [],
            content: PlacedClusters(
                layers: shown, firstGuest: pass.overlays.insertions.count - pass.guests.count, viewport: pass.viewport,
                rasters: pass.rasters))
    }

    func extent(of overlays: FittedOverlays) -> (any ExtentPart)? {
        JoinedExtent(layers.keys.sorted().filter(overlays.contains).flatMap { layers[$0]?.extents() ?? [] })
    }

    var needsFonts: Bool { layers.values.contains(where: \.needsFonts) }

    /// An index is what a layer consists of, and the bitmaps of its discs and counts are the point family's.
    var caches: [any BudgetedCache] { [] }

    func count(into statistics: inout LayoutStatistics) {
        for slot in layers.keys.sorted() { layers[slot]?.count(into: &statistics) }
    }

    func report(into list: inout DiagnosticList, _ resources: MapResources) {
        for slot in layers.keys.sorted() { layers[slot]?.report(slot: slot, into: &list) }
    }
}
