import WaymarkLayout
import WaymarkScene

extension Placement {
    /// The clusters in the picture as objects, from bottom to top.
    /// - Parameter mapView: The map that was placed. Layers that have left it since are left out.
    package func clusters(on mapView: MapView) -> [Cluster] {
        clusters().compactMap { shown in
            let slots = mapView.journal.slots
            guard slots.indices.contains(Int(shown.layer)), let layer = slots[Int(shown.layer)] as? ClusterLayer else { return nil }
            return Cluster(layer: layer, id: shown.id, count: shown.count, position: shown.position, contents: shown.contents)
        }
    }
}
