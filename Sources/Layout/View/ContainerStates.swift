import WaymarkGeo
import WaymarkScene

/// What a container hands down to what is in it: its own state and that of the containers that it is in.
final class ContainerState: Sendable {
    /// z indexes from the outermost container inward, zeros at the end left out.
    let zPath: [Int]
    /// How many z indexes that stands for.
    let depth: Int
    /// Nothing in it is drawn in a higher band.
    let layer: MapLayerType
    /// Why nothing in it is in any picture; nil when nothing keeps it out.
    let exclusion: Reason?
    let zooms: ZoomVisibility?
    /// Meters.
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

    /// What of the children must be read anew when this takes the place of another.
    func changes(from other: ContainerState) -> Journal.Change {
        var change: Journal.Change = []
        if zPath != other.zPath || depth != other.depth || layer != other.layer { change.insert(.order) }
        if exclusion != other.exclusion || zooms != other.zooms { change.insert(.visibility) }
        if altitude != other.altitude { change.insert(.position) }
        return change
    }

    /// z indexes from the outermost container inward. Zeros at the end are left out, so that what is in a container has the path
    /// of the container's peers.
    private static func zPath(of overlay: Overlay, in state: ContainerState?) -> [Int] {
        guard overlay.zIndex != 0 else { return state?.zPath ?? [] }
        guard let state else { return [overlay.zIndex] }
        return state.zPath + repeatElement(0, count: state.depth - state.zPath.count) + [overlay.zIndex]
    }

    /// The sort key of an overlay in a container, or in none.
    static func sortKey(of overlay: Overlay, in state: ContainerState?) -> SortKey {
        SortKey(
            layer: state.map { min($0.layer, overlay.mapLayerType) } ?? overlay.mapLayerType, globalZIndex: overlay.globalZIndex,
            zPath: zPath(of: overlay, in: state), isPoint: overlay.type == .marker)
    }

    /// The zooms at which an overlay and everything that it is in shows; nil for all.
    static func zooms(of overlay: Overlay, in state: ContainerState?) -> ZoomVisibility? {
        guard let outer = state?.zooms else { return overlay.zoomVisibility }
        return overlay.zoomVisibility?.intersection(outer) ?? outer
    }
}

/// The states of a map's containers by slot: read when a container changes, so that an overlay deep in many of them costs no more than
/// one in none.
struct ContainerStates: Sendable {
    private var states: [Int32: ContainerState] = [:]

    var isEmpty: Bool { states.isEmpty }

    subscript(slot: Int32) -> ContainerState? { states[slot] }

    /// The state of the container that an overlay is in; nil when it is in none.
    @inline(__always)
    func state(around overlay: Overlay) -> ContainerState? {
        guard !states.isEmpty, let container = overlay.parent else { return nil }
        return states[container.slot]
    }

    /// Reads a container; gives what of its children must be read anew.
    mutating func read(_ container: Container, problem: PropertyError?) -> Journal.Change {
        let state = ContainerState(container, problem: problem, in: state(around: container))
        guard let before = states.updateValue(state, forKey: container.slot) else { return [.order, .visibility, .position] }
        return state.changes(from: before)
    }

    mutating func remove(slot: Int32) {
        states[slot] = nil
    }

    /// Why nothing in a container is in a picture.
    func reason(slot: Int32, zoom: Double) -> Reason {
        guard let state = states[slot] else { return .outOfView }
        if let reason = state.exclusion { return reason }
        return state.zooms?.contains(zoom) == false ? .outOfZoom : .outOfView
    }
}
