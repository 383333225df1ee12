import WaymarkGeo
import WaymarkScene

/// The state that overlays inherit from a container: its own, combined with that of the containers around it.
final class ContainerState: Sendable {
    /// z indexes from the outermost container inward, without trailing zeros.
    let zPath: [Int]
    /// The nesting depth: the length of `zPath` with its trailing zeros.
    let depth: Int
    /// The highest layer band in which its overlays are drawn.
    let layer: MapLayerType
    /// Why its overlays are excluded from every picture; nil when they are not.
    let exclusion: Reason?
    let zooms: ZoomVisibility?
    /// The summed altitude of the containers, in meters.
    let altitude: Double

    init(_ container: Container, problem: PropertyError?, in outer: ContainerState?) {
        zPath = Self.zPath(of: container, in: outer)
        depth = (outer?.depth ?? 0) + 1
        layer = min(container.mapLayerType, outer?.layer ?? .foreground)
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
    func changes(from other: ContainerState) -> Journal.Change {
        var change: Journal.Change = []
        if zPath != other.zPath || depth != other.depth || layer != other.layer { change.insert(.order) }
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
            layer: state.map { min($0.layer, overlay.mapLayerType) } ?? overlay.mapLayerType, globalZIndex: overlay.globalZIndex,
            zPath: zPath(of: overlay, in: state), isPoint: overlay.type.kind.family == .point)
    }

    /// The zooms at which an overlay and all containers around it are shown; nil for all zooms.
    static func zooms(of overlay: Overlay, in state: ContainerState?) -> ZoomVisibility? {
        guard let outer = state?.zooms else { return overlay.zoomVisibility }
        return overlay.zoomVisibility?.intersection(outer) ?? outer
    }
}

/// The states of a map's containers by slot. They are computed when a container changes, so that a deeply nested overlay costs no more
/// than one outside any container.
struct ContainerStates: Sendable {
    private var states: [Int32: ContainerState] = [:]

    var isEmpty: Bool { states.isEmpty }

    subscript(slot: Int32) -> ContainerState? { states[slot] }

    /// The state of an overlay's container; nil when it is in none.
    @inline(__always)
    func state(around overlay: Overlay) -> ContainerState? {
        guard !states.isEmpty, let container = overlay.parent else { return nil }
        return states[container.slot]
    }

    /// Reads a container; returns what must be read again of its children.
    mutating func read(_ container: Container, problem: PropertyError?) -> Journal.Change {
        let state = ContainerState(container, problem: problem, in: state(around: container))
        guard let before = states.updateValue(state, forKey: container.slot) else { return [.order, .visibility, .position] }
        return state.changes(from: before)
    }

    mutating func remove(slot: Int32) {
        states[slot] = nil
    }

    /// Why none of a container's overlays is in the picture.
    func reason(slot: Int32, zoom: Double) -> Reason {
        guard let state = states[slot] else { return .outOfView }
        if let reason = state.exclusion { return reason }
        return state.zooms?.contains(zoom) == false ? .outOfZoom : .outOfView
    }
}
