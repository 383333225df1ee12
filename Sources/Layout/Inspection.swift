import WaymarkFrame
import WaymarkGeo
import WaymarkScene

/// Where everything on a map stands in one picture, as plain values. Lengths in pt from the picture's upper left.
public struct Inspection: Equatable, Sendable {
    /// A point on the screen.
    public struct Point: Equatable, Sendable {
        public var x: Double
        public var y: Double

        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// An icon as drawn.
    public struct Icon: Equatable, Sendable {
        /// Whether it is in the picture.
        public var isVisible: Bool
        /// The corners, from the image's upper left, clockwise; nil when one is behind the camera.
        public var quad: [Point]?
    }

    /// An overlay; its numbers are those of the copy nearest the centre, of those in the picture when any is.
    public struct OverlayEntry: Equatable, Sendable {
        public var id: String
        public var type: OverlayType
        /// Whether it is in the picture.
        public var isVisible: Bool
        /// Why it is not in the picture; nil when it is.
        public var reason: Reason?
        /// Its place in the drawing order, rising from bottom to top; nil when it is not in the picture.
        public var order: Int?
        /// Where its anchor is seen, before anything is snapped; nil when the camera cannot see there.
        public var anchor: Point?
        /// nil for what has no icon, and where the camera cannot see it.
        public var icon: Icon?
        /// How often it is in the picture: once for each copy of the world.
        public var copies: Int
        /// The ids of a container's children, in the order in which they were added; nil for what is no container.
        public var members: [String]?
    }

    public var viewport: Viewport
    /// Every overlay on the map, in the order in which they were added; after a container comes what is in it.
    public var overlays: [OverlayEntry]
    public var diagnostics: [Diagnostic]
}

extension Placement {
    /// Everything that is known of the overlays of the map that this is a placement of.
    package func inspection(of mapView: MapView) -> Inspection {
        let placer = IconPlacer(viewport)
        // Of several copies in the picture the one nearest the centre.
        var shown: [Int32: (order: Int, copy: Int, count: Int)] = [:]
        for (order, slot) in iconSlots.enumerated() {
            let copy = iconCopies.isEmpty ? 0 : Int(iconCopies[order])
            let known = shown[slot]
            let place = columns.places[Int(slot)]
            if let known, abs(place.x + Double(known.copy) - viewport.centerX) <= abs(place.x + Double(copy) - viewport.centerX) {
                shown[slot] = (known.order, known.copy, known.count + 1)
            } else {
                shown[slot] = (order, copy, (known?.count ?? 0) + 1)
            }
        }
        let drawnShapes = drawnShapes()
        var names = OverlayNames(mapView)
        let listed = listing(of: mapView)
        var entries = listed.map { overlay in
            let slot = Int(overlay.slot)
            if columns.exclusions[slot] == Columns.extended {
                return entry(ofShape: overlay, name: names.name(of: overlay), drawn: drawnShapes[overlay.slot])
            }
            let seen = shown[overlay.slot]
            let copies = seen?.count ?? 0
            var entry = Inspection.OverlayEntry(
                id: names.name(of: overlay), type: overlay.type, isVisible: copies > 0,
                reason: copies > 0 ? nil : reason(slot: slot), order: seen.map { order(ofIcon: $0.order) }, copies: copies)
            if overlay.type == .container { return entry }
            let isPlaced = ![Reason.invalid, .noPosition, .outOfProjection].contains(entry.reason)
            guard isPlaced, let icon = icon(slot: slot, copy: seen?.copy), icon.reason != Reason.behindCamera.rawValue else { return entry }
            entry.anchor = .init(x: icon.anchorX / viewport.pixelRatio, y: icon.anchorY / viewport.pixelRatio)
            let quad = placer.corners(of: icon).map { $0.map { Inspection.Point(x: $0.x, y: $0.y) } }
            entry.icon = .init(isVisible: copies > 0 && columns.look(slot).raster >= 0, quad: quad)
            return entry
        }
        readMembers(of: listed, into: &entries)
        return Inspection(viewport: viewport, overlays: entries, diagnostics: diagnostics)
    }

    /// Everything on a map; after a container what is in it.
    private func listing(of mapView: MapView) -> [Overlay] {
        var rest: [Overlay] = mapView.overlays.reversed()
        var listed: [Overlay] = []
        while let overlay = rest.popLast() {
            listed.append(overlay)
            if let container = overlay as? Container { rest += container.children.reversed() }
        }
        return listed
    }

    /// A container is in the picture when something in it is.
    private func readMembers(of listed: [Overlay], into entries: inout [Inspection.OverlayEntry]) {
        guard listed.contains(where: { $0.type == .container }) else { return }
        let indices = Dictionary(uniqueKeysWithValues: listed.enumerated().map { index, overlay in (overlay.slot, index) })
        // Inner containers stand after outer ones.
        for (index, overlay) in listed.enumerated().reversed() {
            guard let container = overlay as? Container else { continue }
            let children = container.children.compactMap { indices[$0.slot] }
            entries[index].members = children.map { entries[$0].id }
            let isVisible = children.contains { entries[$0].isVisible }
            entries[index].isVisible = isVisible
            entries[index].reason = isVisible ? nil : reason(container: overlay.slot)
            entries[index].copies = children.map { entries[$0].copies }.max() ?? 0
        }
    }

    /// Why nothing in a container is in the picture.
    private func reason(container slot: Int32) -> Reason {
        guard let group = groups[slot] else { return .outOfView }
        if let reason = Reason(rawValue: group.exclusion) { return reason }
        return group.zooms?.contains(viewport.camera.zoom) == false ? .outOfZoom : .outOfView
    }
}
