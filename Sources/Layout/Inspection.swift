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

    /// An overlay; its numbers are those of the copy nearest the centre.
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
    }

    public var viewport: Viewport
    /// Every overlay on the map, in the order in which they were added.
    public var overlays: [OverlayEntry]
    public var diagnostics: [Diagnostic]
}

extension Placement {
    /// Everything that is known of the overlays of the map that this is a placement of.
    package func inspection(of mapView: MapView) -> Inspection {
        let placer = IconPlacer(viewport)
        // Of several copies the one nearest the centre, where that is in the picture, else the topmost.
        var orders: [Int32: Int] = [:]
        var counts: [Int32: Int] = [:]
        for (order, slot) in iconSlots.enumerated() {
            counts[slot, default: 0] += 1
            let isNearest = iconCopies.isEmpty || Int(iconCopies[order]) == nearestCopy(columns.places[Int(slot)])
            if isNearest || orders[slot] == nil { orders[slot] = order }
        }
        let entries = mapView.overlays.enumerated().map { index, overlay in
            let slot = Int(overlay.slot)
            let copies = counts[overlay.slot] ?? 0
            var entry = Inspection.OverlayEntry(
                id: overlay.id ?? "\(overlay.type.rawValue)-\(index)", type: overlay.type, isVisible: copies > 0,
                reason: copies > 0 ? nil : reason(slot: slot), order: orders[overlay.slot], copies: copies)
            let isPlaced = ![Reason.invalid, .noPosition, .outOfProjection].contains(entry.reason)
            guard isPlaced, let icon = icon(slot: slot), icon.reason != Reason.behindCamera.rawValue else { return entry }
            entry.anchor = .init(x: icon.anchorX / viewport.pixelRatio, y: icon.anchorY / viewport.pixelRatio)
            let quad = placer.corners(of: icon).map { $0.map { Inspection.Point(x: $0.x, y: $0.y) } }
            entry.icon = .init(isVisible: copies > 0 && columns.look(slot).raster >= 0, quad: quad)
            return entry
        }
        return Inspection(viewport: viewport, overlays: entries, diagnostics: diagnostics)
    }
}
