import WaymarkGeo
import WaymarkScene

/// The markers of a map between pictures: their columns, their drawing order and their spatial index.
struct PointState {
    private(set) var reader = PointReader()
    private(set) var order = PointOrder()
    private(set) var index = SpatialIndex()

    /// Below this number of points, visiting all of them costs less than an index.
    private static let indexedCount = 4096

    var columns: PointColumns { reader.columns }

    mutating func read(_ changes: FamilyChanges, of store: OverlayStore, _ overlays: inout OverlayTable, _ resources: MapResources) {
        let hasOtherStyleIDs = reader.read(changes, of: store, &overlays, resources) { slot, effect in
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
    /// - Parameter boxes: The visible parts of the world; nil for all of it.
    mutating func ordered(_ points: PicturePoints, _ pass: PlacingPass, in boxes: [WorldBox]?) -> OrderedColumns {
        let view = pass.viewport.projection
        let ofLayers = points.layers.count == 0 ? OrderedColumns() : OrderedColumns(points, view, pass.order)
        if let few = few(in: boxes) { return PointOrder.sorted(few, view, columns, pass.order).merged(with: ofLayers, view, pass.order) }
        order.update(view, bearing: pass.viewport.camera.bearing, columns, pass.order)
        return order.all.merged(with: ofLayers, view, pass.order)
    }

    /// What finds points near a place.
    mutating func pickingIndex() -> PickingIndex {
        guard columns.count >= Self.indexedCount else { return PickingIndex() }
        index.build(columns)
        return PickingIndex(present: index, hidden: SpatialIndex(columns, of: columns.hidden))
    }

    /// The slots in the given parts of the world, when they are few; nil when it is cheaper to visit all points.
    private mutating func few(in boxes: [WorldBox]?) -> [Int32]? {
        guard columns.count >= Self.indexedCount, let boxes else { return nil }
        let area = boxes.reduce(0) { $0 + ($1.east - $1.west) * ($1.south - $1.north) }
        guard index.isBuilt || area < 0.25 * columns.extentArea else { return nil }
        index.build(columns)
        return index.slots(in: boxes, columns, limit: columns.count / 8)
    }
}
