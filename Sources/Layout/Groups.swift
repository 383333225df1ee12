import WaymarkGeo
import WaymarkScene

/// What the containers of a map hand down to what is in them, by the container's slot: read when a container changes, so that an
/// overlay deep in many of them costs no more than one in none.
struct Groups {
    /// What a container makes of itself and of those that it is in.
    final class Group {
        /// z indexes from the outermost container inward, zeros at the end left out.
        let zPath: [Int]
        /// How many z indexes that stands for.
        let depth: Int
        /// Nothing in it is drawn in a higher band.
        let layer: MapLayerType
        /// Why nothing in it is in any picture; 0 when nothing keeps it out.
        let exclusion: UInt8
        let zooms: ZoomVisibility?
        /// Metres.
        let altitude: Double

        init(_ container: Container, problem: PropertyError?, in outer: Group?) {
            zPath = Groups.path(of: container, in: outer)
            depth = (outer?.depth ?? 0) + 1
            layer = min(container.mapLayerType, outer?.layer ?? .foreground)
            if let outer, outer.exclusion != 0 {
                exclusion = outer.exclusion
            } else if container.isHidden {
                exclusion = Reason.hidden.rawValue
            } else {
                exclusion = problem == nil ? 0 : Reason.invalid.rawValue
            }
            zooms = Groups.zooms(of: container, in: outer)
            altitude = (outer?.altitude ?? 0) + (problem == nil ? container.altitude : 0)
        }

        /// What of the children must be read anew when this takes the place of another.
        func changes(from other: Group) -> Journal.Change {
            var change: Journal.Change = []
            if zPath != other.zPath || depth != other.depth || layer != other.layer { change.insert(.order) }
            if exclusion != other.exclusion || zooms != other.zooms { change.insert(.visibility) }
            if altitude != other.altitude { change.insert(.position) }
            return change
        }
    }

    private var groups: [Int32: Group] = [:]

    var isEmpty: Bool { groups.isEmpty }

    /// What a container on the map hands down.
    subscript(slot: Int32) -> Group? { groups[slot] }

    /// What an overlay's container hands down to it; nil when it is in none.
    @inline(__always)
    func around(_ overlay: Overlay) -> Group? {
        guard !groups.isEmpty, let container = overlay.parent else { return nil }
        return groups[container.slot]
    }

    /// Reads a container; gives what of its children must be read anew.
    mutating func read(_ container: Container, problem: PropertyError?) -> Journal.Change {
        let group = Group(container, problem: problem, in: around(container))
        guard let before = groups.updateValue(group, forKey: container.slot) else { return [.order, .visibility, .position] }
        return group.changes(from: before)
    }

    mutating func remove(slot: Int) {
        groups[Int32(slot)] = nil
    }
}

extension Groups {
    static func stratum(of overlay: Overlay, in group: Group?) -> DrawOrder.Stratum {
        DrawOrder.Stratum(
            layer: group.map { min($0.layer, overlay.mapLayerType) } ?? overlay.mapLayerType, globalZIndex: overlay.globalZIndex,
            zPath: path(of: overlay, in: group), isPoint: overlay.type == .marker)
    }

    /// z indexes from the outermost container inward. Zeros at the end are left out, so that what is in a container has the path
    /// of the container's peers.
    private static func path(of overlay: Overlay, in group: Group?) -> [Int] {
        guard overlay.zIndex != 0 else { return group?.zPath ?? [] }
        guard let group else { return [overlay.zIndex] }
        return group.zPath + repeatElement(0, count: group.depth - group.zPath.count) + [overlay.zIndex]
    }

    /// The zooms at which an overlay and everything that it is in shows; nil for all.
    static func zooms(of overlay: Overlay, in group: Group?) -> ZoomVisibility? {
        guard let outer = group?.zooms else { return overlay.zoomVisibility }
        return overlay.zoomVisibility?.intersection(outer) ?? outer
    }
}
