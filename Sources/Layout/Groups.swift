import WaymarkGeo
import WaymarkScene

/// What the containers of a map hand down to what is in them, by the container's slot: read when a container changes, so that an
/// overlay deep in many of them costs no more than one in none.
struct Groups {
    /// What a container makes of itself and of those that it is in.
    struct Group: Equatable {
        /// z indexes from the outermost container inward, zeros at the end left out.
        var zPath: [Int] = []
        /// How many z indexes that stands for.
        var depth = 0
        /// Nothing in it is drawn in a higher band.
        var layer = MapLayerType.foreground
        /// Why nothing in it is in any picture; 0 when nothing keeps it out.
        var exclusion: UInt8 = 0
        var zooms: ZoomVisibility?
        /// Metres.
        var altitude = 0.0

        static let none = Group()

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

    /// What an overlay's container hands down to it.
    func around(_ overlay: Overlay) -> Group {
        guard !groups.isEmpty, let container = overlay.parent else { return .none }
        return self[container.slot]
    }

    /// What a container on the map hands down.
    subscript(slot: Int32) -> Group { groups[slot] ?? .none }

    /// Reads a container; gives what of its children must be read anew.
    mutating func read(_ container: Container, problem: RangeError?) -> Journal.Change {
        let outer = around(container)
        var group = Group()
        group.zPath = outer.path(to: container.zIndex)
        group.depth = outer.depth + 1
        group.layer = min(outer.layer, container.mapLayerType)
        if outer.exclusion != 0 {
            group.exclusion = outer.exclusion
        } else if container.isHidden {
            group.exclusion = Reason.hidden.rawValue
        } else if problem != nil {
            group.exclusion = Reason.invalid.rawValue
        }
        group.zooms = container.zoomVisibility.intersection(outer.zooms)
        group.altitude = outer.altitude + (problem == nil ? container.altitude : 0)
        let before = groups.updateValue(group, forKey: container.slot)
        return group.changes(from: before ?? .none)
    }

    mutating func remove(slot: Int) {
        groups[Int32(slot)] = nil
    }

    var isEmpty: Bool { groups.isEmpty }
}

extension Groups.Group {
    /// The z path of something in it. Zeros at its end are left out, so that of equal paths, one longer by zeros, both are the same.
    func path(to zIndex: Int) -> [Int] {
        guard zIndex != 0 else { return zPath }
        return zPath + repeatElement(0, count: depth - zPath.count) + [zIndex]
    }

    func stratum(of overlay: Overlay) -> DrawOrder.Stratum {
        DrawOrder.Stratum(
            layer: min(overlay.mapLayerType, layer), globalZIndex: overlay.globalZIndex, zPath: path(to: overlay.zIndex),
            isPoint: overlay.type == .marker)
    }
}

extension ZoomVisibility? {
    /// Where both show; nil shows everywhere.
    func intersection(_ other: ZoomVisibility?) -> ZoomVisibility? {
        guard let self else { return other }
        return other.map(self.intersection) ?? self
    }
}
