import WaymarkGeo
import WaymarkScene

/// The state that overlays inherit from a container: its own, combined with that of the containers around it.
final class ContainerState: Sendable {
    /// The number of the innermost block around its overlays: itself or a container around it, when ordered as one; 0 when none is.
    let block: Int
    /// z indexes from the outermost container in the block inward, without trailing zeros.
    let zPath: [Int]
    /// The nesting depth in the block: the length of `zPath` with its trailing zeros.
    let depth: Int
    /// The highest layer band in which its overlays are drawn.
    let layer: MapLayerType
    /// Why its overlays are excluded from every picture; nil when they are not.
    let exclusion: Reason?
    let zooms: ZoomVisibility?
    /// The summed altitude of the containers, in meters.
    let altitude: Double

    /// - Parameter block: The number of its own block; nil when it is not ordered as one.
    init(_ container: Container, problem: PropertyError?, block: Int?, in outer: ContainerState?) {
        if let block {
            // A block has taken its place with its own layer and z index: what is in it is ordered as if it were all there is.
            (self.block, zPath, depth, layer) = (block, [], 0, .foreground)
        } else {
            self.block = outer?.block ?? 0
            zPath = Self.zPath(of: container, in: outer)
            depth = (outer?.depth ?? 0) + 1
            layer = min(container.mapLayerType, outer?.layer ?? .foreground)
        }
        if let reason = outer?.exclusion {
            exclusion = reason
        } else if container.isHidden {
            exclusion = .hidden
        } else {
            exclusion = problem == nil ? nil : .invalid
        }
        zooms = Self.zooms(of: container, in: outer)
        altitude = (outer?.altitude ?? 0) + (problem == nil ? container.altitude : 0)
    }

    /// What must be read again of the children when this state replaces `other`.
    func changes(from other: ContainerState) -> ChangedProperties {
        var change: ChangedProperties = []
        if block != other.block || zPath != other.zPath || depth != other.depth || layer != other.layer { change.insert(.order) }
        if exclusion != other.exclusion || zooms != other.zooms { change.insert(.visibility) }
        if altitude != other.altitude { change.insert(.position) }
        return change
    }

    /// z indexes from the outermost container inward. Trailing zeros are omitted, so that a container and the overlays inside it with
    /// z index 0 have the same path.
    private static func zPath(of overlay: Overlay, in state: ContainerState?) -> [Int] {
        guard overlay.zIndex != 0 else { return state?.zPath ?? [] }
        guard let state else { return [overlay.zIndex] }
        return state.zPath + repeatElement(0, count: state.depth - state.zPath.count) + [overlay.zIndex]
    }

    /// The sort key of an overlay in a container; `state` is nil outside any.
    static func sortKey(of overlay: Overlay, in state: ContainerState?) -> SortKey {
        SortKey(
            block: state?.block ?? 0, layer: state.map { min($0.layer, overlay.mapLayerType) } ?? overlay.mapLayerType,
            globalZIndex: overlay.globalZIndex, zPath: zPath(of: overlay, in: state),
            content: SortKey.Content(overlay.type.kind.family))
    }

    /// The zooms at which an overlay and all containers around it are shown; nil for all zooms.
    static func zooms(of overlay: Overlay, in state: ContainerState?) -> ZoomVisibility? {
        guard let outer = state?.zooms else { return overlay.zoomVisibility }
        return overlay.zoomVisibility?.intersection(outer) ?? outer
    }
}

/// The place of a cluster layer in the drawing order. It is like a container around its markers.
struct LayerOrder: Sendable {
    private let block: Int
    private let layer: MapLayerType
    private let zPath: [Int]
    /// The nesting depth of the markers in the block.
    private let depth: Int

    /// - Parameter state: That of the container around the layer; nil outside any.
    init(_ layer: Overlay, in state: ContainerState?) {
        let key = ContainerState.sortKey(of: layer, in: state)
        (block, self.layer, zPath) = (key.block, key.layer, key.zPath)
        depth = (state?.depth ?? 0) + 1
    }

    /// The sort key of a marker of the layer.
    /// - Parameter key: The marker's key outside any.
    func key(of key: SortKey) -> SortKey {
        var path = zPath
        if !key.zPath.isEmpty { path += repeatElement(0, count: depth - path.count) + key.zPath }
        return SortKey(block: block, layer: min(layer, key.layer), globalZIndex: key.globalZIndex, zPath: path, content: key.content)
    }
}

/// The states of a map's containers by slot. They are computed when a container changes, so that a deeply nested overlay costs no more
/// than one outside any container.
struct ContainerStates: Sendable {
    private var states: [Int32: ContainerState] = [:]
    /// The containers whose global z index has no effect.
    private var misordered: Set<Int32> = []

    var isEmpty: Bool { states.isEmpty }

    subscript(slot: Int32) -> ContainerState? { states[slot] }

    /// The state of an overlay's container; nil when it is in none.
    @inline(__always)
    func state(around overlay: Overlay) -> ContainerState? {
        guard !states.isEmpty, let container = overlay.parent else { return nil }
        return states[container.slot]
    }

    /// Reads a container; returns what must be read again of its children.
    mutating func read(_ container: Container, problem: PropertyError?, _ keys: inout SortKeyTable) -> ChangedProperties {
        let outer = state(around: container)
        var block: Int?
        if container.isOrderedAsOne {
            block = keys.block(slot: container.slot, key: ContainerState.sortKey(of: container, in: outer))
        } else {
            keys.removeBlock(slot: container.slot)
        }
        if !container.isOrderedAsOne, container.globalZIndex != 0 {
            misordered.insert(container.slot)
        } else {
            misordered.remove(container.slot)
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
                PropertyError(path: "globalZIndex", problem: "has no effect, because isOrderedAsOne is false"), slot: slot)
        }
    }

    /// Why none of a container's overlays is in the picture.
    /// - Parameter contents: Why each of them is not.
    func reason(slot: Int32, contents: [Reason?], zoom: Double) -> Reason {
        guard let state = states[slot] else { return .outOfView }
        if let reason = state.exclusion { return reason }
        // Nothing is in it, or nothing to draw.
        if contents.allSatisfy({ $0 == .empty }) { return .empty }
        if state.zooms?.contains(zoom) == false { return .outOfZoom }
        return contents.contains(.collided) ? .collided : .outOfView
    }
}

extension SortKey.Content {
    fileprivate init(_ family: OverlayKind.Family) {
        self =
            switch family {
            case .shape, .ground: .shape
            case .model: .model
            case .container: .block
            case .point, .clusters: .point
            }
    }
}
