import WaymarkGeo
import WaymarkScene

/// The state that overlays inherit from a container, or markers from a cluster layer. It combines the states of all containers around them.
final class ContainerState: Sendable {
    /// The number of the innermost block around its overlays (a container ordered as one); 0 without a block.
    let block: Int
    /// The z indexes from the outermost container in the block inward, without trailing zeros.
    let zPath: [Int]
    /// The nesting depth in the block, which is the length of `zPath` including trailing zeros.
    let depth: Int
    /// The highest layer in which the container's overlays are drawn.
    let layer: MapLayerType
    /// The reason why the container's overlays are excluded from every picture; nil if they are not.
    let exclusion: Reason?
    let zooms: ZoomVisibility?
    /// The summed altitude of the containers, in meters.
    let altitude: Double

    /// - Parameters:
    ///   - overlay: A container, or a cluster layer.
    ///   - block: The number of the block that the overlay forms; nil when it is not ordered as one.
    init(_ overlay: Overlay, problem: PropertyError?, block: Int?, in outer: ContainerState?) {
        if let block {
            // A block is ordered by its layer and z index. Its contents are ordered independently of these.
            (self.block, zPath, depth, layer) = (block, [], 0, .foreground)
        } else {
            let key = Self.sortKey(of: overlay, in: outer)
            (self.block, zPath, depth, layer) = (key.block, key.zPath, (outer?.depth ?? 0) + 1, key.layer)
        }
        exclusion = outer?.exclusion ?? (overlay.isHidden ? .hidden : problem == nil ? nil : .invalid)
        zooms = Self.zooms(of: overlay, in: outer)
        altitude = (outer?.altitude ?? 0) + (problem == nil ? overlay.altitude : 0)
    }

    /// The properties of the children that must be read again when this state replaces `other`.
    func changes(from other: ContainerState) -> ChangedProperties {
        var change: ChangedProperties = []
        if block != other.block || zPath != other.zPath || depth != other.depth || layer != other.layer { change.insert(.order) }
        if exclusion != other.exclusion || zooms != other.zooms { change.insert(.visibility) }
        if altitude != other.altitude { change.insert(.position) }
        return change
    }

    /// The sort key of an overlay in a container; `state` is nil without a container.
    static func sortKey(of overlay: Overlay, in state: ContainerState?) -> SortKey {
        let key = SortKey(
            block: 0, layer: overlay.mapLayerType, globalZIndex: overlay.globalZIndex, zPath: overlay.zIndex == 0 ? [] : [overlay.zIndex],
            content: SortKey.Content(overlay.type.family))
        return state?.sortKey(of: key) ?? key
    }

    /// The sort key of an overlay in this container. A container and the overlays inside it with z index 0 have the same z path.
    /// - Parameter key: The overlay's key outside any container.
    func sortKey(of key: SortKey) -> SortKey {
        var path = zPath
        if !key.zPath.isEmpty { path += repeatElement(0, count: depth - zPath.count) + key.zPath }
        return SortKey(block: block, layer: min(layer, key.layer), globalZIndex: key.globalZIndex, zPath: path, content: key.content)
    }

    /// The zooms at which both an overlay and its containers are shown; nil for all zooms.
    static func zooms(of overlay: Overlay, in state: ContainerState?) -> ZoomVisibility? {
        guard let outer = state?.zooms else { return overlay.zoomVisibility }
        return overlay.zoomVisibility?.intersection(outer) ?? outer
    }
}

/// The states of a map's containers by slot. They are computed when a container changes, so a deeply nested overlay costs no more than one
/// outside any container.
struct ContainerStates: Sendable {
    private var states: [Int32: ContainerState] = [:]
    /// The containers whose global z index has no effect.
    private var misordered: Set<Int32> = []

    /// The state of an overlay's container; nil without a container.
    @inline(__always)
    func state(around overlay: Overlay) -> ContainerState? {
        guard !states.isEmpty, let container = overlay.parent else { return nil }
        return states[container.slot]
    }

    /// Reads a container. Returns the properties of its children that must be read again.
    mutating func read(_ container: Container, problem: PropertyError?, _ keys: inout SortKeyTable) -> ChangedProperties {
        let outer = state(around: container)
        var block: Int?
        misordered.remove(container.slot)
        if container.isOrderedAsOne {
            block = keys.block(slot: container.slot, key: ContainerState.sortKey(of: container, in: outer))
        } else {
            keys.removeBlock(slot: container.slot)
            if container.globalZIndex != 0 { misordered.insert(container.slot) }
        }
        let state = ContainerState(container, problem: problem, block: block, in: outer)
        guard let before = states.updateValue(state, forKey: container.slot) else { return [.order, .visibility, .position] }
        return state.changes(from: before)
    }

    mutating func remove(slot: Int32, _ keys: inout SortKeyTable) {
        states[slot] = nil
        misordered.remove(slot)
        keys.removeBlock(slot: slot)
    }

    /// Reports the containers whose global z index has no effect.
    func report(into list: inout DiagnosticList) {
        for slot in misordered.sorted() {
            list.warn(
                PropertyError(path: "globalZIndex", problem: "globalZIndex has no effect, because isOrderedAsOne is false"), slot: slot)
        }
    }

    /// The reason why no overlay of a container is in the picture.
    /// - Parameter contents: The reason for each of its overlays.
    func reason(slot: Int32, contents: [Reason?], zoom: Double) -> Reason {
        guard let state = states[slot] else { return .outOfView }
        if let reason = state.exclusion { return reason }
        // The container is empty, or its overlays have nothing to draw.
        if contents.allSatisfy({ $0 == .empty }) { return .empty }
        if state.zooms?.contains(zoom) == false { return .outOfZoom }
        return contents.contains(.collided) ? .collided : .outOfView
    }
}

extension SortKey.Content {
    fileprivate init(_ family: OverlayType.Family) {
        self =
            switch family {
            case .shape, .ground: .shape
            case .model: .model
            case .container: .block
            case .point, .clusters: .point
            }
    }
}
