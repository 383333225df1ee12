import WaymarkGeo
import WaymarkScene

/// The cluster layers of a map. What they show in a picture, clusters and markers that stand alone, is ordered, placed and drawn by the point
/// family, among the map's own markers.
final class ClusterFamily {
    private var layers: [Int32: ClusterLayerState] = [:]

    /// Reads the changes to layers and to their markers.
    func read(_ changes: FamilyChanges, of store: OverlayStore, _ overlays: inout OverlayTable, _ resources: MapResources) {
        for slot in changes.removed { layers[slot] = nil }
        var changed: [Int32: ChangedProperties] = [:]
        for change in changes.changed {
            guard let layer = store.slots[Int(change.slot)] as? ClusterLayer else { continue }
            if layers[change.slot]?.layer !== layer { layers[change.slot] = ClusterLayerState(layer) }
            changed[change.slot] = change.properties
        }
        for slot in layers.keys.sorted() { layers[slot]?.read(slot: slot, changed[slot] ?? [], &overlays, resources) }
    }

    /// What the layers show in a view.
    func show(in viewport: Viewport, of store: OverlayStore, _ overlays: OverlayTable, _ resources: MapResources) -> PlacedClusters {
        var points: [LayerPoint] = []
        let shown = layers.keys.sorted().compactMap { slot in
            layers[slot]?.show(in: viewport, slot: slot, insertion: store.insertions[Int(slot)], overlays, resources, into: &points)
        }
        return PlacedClusters(shown, points, firstNumber: overlays.count, viewport)
    }

    /// The extents of the layers' markers, each as if it stood alone.
    func extents(of overlays: FittedOverlays) -> [any ExtentPart] {
        layers.keys.sorted().filter(overlays.contains).flatMap { layers[$0]?.extents() ?? [] }
    }

    func count(into statistics: inout LayoutStatistics) {
        for slot in layers.keys.sorted() { layers[slot]?.count(into: &statistics) }
    }

    func report(into list: inout DiagnosticList) {
        for slot in layers.keys.sorted() { layers[slot]?.report(slot: slot, into: &list) }
    }
}
