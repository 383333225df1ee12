import Foundation
import WaymarkFrame
import WaymarkGeo
import WaymarkRaster
import WaymarkScene

/// A query for the overlays at a point of the picture.
package struct PickRequest {
    /// The point in pt.
    package var point: CGPoint
    /// The largest distance of an object from the point, in pt.
    package var tolerance: Double
    /// Whether hidden overlays are also found, at the place of their icon or shape: those that are invisible, outside their zoom range, or
    /// collided.
    package var includesInvisible: Bool
    /// Whether transparent pixels of icons are ignored.
    package var ignoresTransparentPixels: Bool
    /// Whether view overlays with a handler for taps are also found if they are not selectable.
    package var includesTapHandlers: Bool

    package init(
        _ point: CGPoint, tolerance: Double = 2, includesInvisible: Bool = false, ignoresTransparentPixels: Bool = false,
        includesTapHandlers: Bool = false
    ) {
        self.point = point
        self.tolerance = tolerance
        self.includesInvisible = includesInvisible
        self.ignoresTransparentPixels = ignoresTransparentPixels
        self.includesTapHandlers = includesTapHandlers
    }
}

/// Something at a point of the picture.
package struct PlacedHit {
    package enum Target: Hashable {
        case overlay(Int32)
        /// A cluster, by its number among the points that cluster layers show; see `Placement.cluster`.
        case cluster(Int32)
        /// A marker of a cluster layer: the layer's slot, and the marker's number there.
        case member(layer: Int32, number: Int32)
        /// A symbol, by index in the map's list.
        case symbol(Int)
        /// A label of the base map's vector tiles, by its index in the picture; see `Placement.label`.
        case label(Int)
        case viewOverlay(Int)
        case infoWindow
        /// An element, by its index.
        case element(Int)
    }

    package var target: Target
    package var part: HitPart
    package var isVisible: Bool
    var order: PickOrder
    /// The copy of the world of a point, counted from the one in which its longitude is in [-180, 180).
    package var copy = 0
}

/// The drawing order of hits, from bottom to top.
struct PickOrder: Comparable {
    var rank: Int32
    /// Symbols lie beneath the overlays of their rank, and labels of the base map beneath the symbols; view overlays and windows lie between the two.
    var tier = Self.overlays
    /// The order within a tier: how far down the screen a point is, or how near a model is.
    var within: Int64 = 0
    var insertion: Int64 = 0

    static let labels = -1
    static let symbols = 0
    static let windows = 1
    static let overlays = 2
    /// The tier above all overlays of a rank, and below the next rank.
    static let aboveOverlays = 3

    static func < (a: PickOrder, b: PickOrder) -> Bool {
        (a.rank, a.tier, a.within, a.insertion) < (b.rank, b.tier, b.within, b.insertion)
    }
}

/// The input of families while they find the hits at a point. Lengths are in device pixels.
struct PickingPass {
    let request: PickRequest
    let viewport: Viewport
    let overlays: OverlayTable
    let order: DrawingOrder
    /// The images of icons.
    let rasters: [FrameImage]
    let x: Double
    let y: Double
    let tolerance: Double

    init(_ request: PickRequest, _ placement: Placement) {
        (self.request, viewport, overlays) = (request, placement.viewport, placement.overlays)
        (order, rasters) = (placement.order, placement.rasters)
        x = request.point.x * viewport.pixelRatio
        y = request.point.y * viewport.pixelRatio
        tolerance = request.tolerance * viewport.pixelRatio
    }

    /// Whether a box is within the tolerance.
    func isHit(_ box: PixelBox) -> Bool {
        x >= box.left - tolerance && x <= box.right + tolerance && y >= box.top - tolerance && y <= box.bottom + tolerance
    }

    /// Whether an edge is within the tolerance.
    func touches(_ ax: Double, _ ay: Double, _ bx: Double, _ by: Double) -> Bool {
        let (dx, dy) = (bx - ax, by - ay)
        let length = dx * dx + dy * dy
        let along = length > 0 ? min(1, max(0, ((x - ax) * dx + (y - ay) * dy) / length)) : 0
        let (offX, offY) = (x - ax - along * dx, y - ay - along * dy)
        return offX * offX + offY * offY <= tolerance * tolerance
    }

    /// The part of the world that contains the ground positions of everything that may be at the point; nil if it is unbounded, as at the
    /// horizon.
    /// - Parameter radius: The maximum extent of an item around its ground position, in pt: on the screen, with or without perspective, or
    ///   on the ground, with or without enlargement by its depth.
    func ground(radius: Double) -> WorldBox? {
        let distance = viewport.cameraDistance
        guard let here = quadrangle(request.tolerance), let nearest = here.map(\.depth).min(), let farthest = here.map(\.depth).max() else {
            return nil
        }
        // Perspective's scale k = distance / depth is linear down the screen. An item that stands s pt below the point has the scale k + s
        // tan t / distance, and extends up to the point only if s is no more than its radius there.
        let growth = radius * viewport.sinTilt / (viewport.cosTilt * distance)
        // The same holds on the ground for items enlarged by their depth, which is at most the depth of the point plus the radius times sin
        // t.
        let recession = radius * viewport.sinTilt / distance
        guard growth < 1, recession < 1 else { return nil }
        guard let around = quadrangle(radius * max(1, distance / nearest / (1 - growth)) + request.tolerance) else { return nil }
        let slack = radius * max(1, farthest / distance / (1 - recession))
        var box = WorldBox(west: .infinity, north: .infinity, east: -.infinity, south: -.infinity)
        for (corners, slack) in [(around, 0), (here, slack)] {
            for corner in corners {
                let (x, y) = (viewport.centerX + corner.x / viewport.worldSize, viewport.centerY + corner.y / viewport.worldSize)
                let slack = slack / viewport.worldSize
                box = WorldBox(
                    west: min(box.west, x - slack), north: min(box.north, y - slack), east: max(box.east, x + slack),
                    south: max(box.south, y + slack))
            }
        }
        return box
    }

    /// The ground at the corners of the square around the point: its offset in pt from the view's center, and its depth. Nil when a part is
    /// beyond the far limit.
    /// - Parameter radius: Half the side of the square, in pt.
    private func quadrangle(_ radius: Double) -> [(x: Double, y: Double, depth: Double)]? {
        let point = request.point
        if let limit = viewport.farLimitY, point.y - radius <= limit { return nil }
        var corners: [(x: Double, y: Double, depth: Double)] = []
        for (signX, signY) in [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)] {
            guard let offset = viewport.groundOffset(at: CGPoint(x: point.x + signX * radius, y: point.y + signY * radius)) else {
                return nil
            }
            corners.append((offset.x, offset.y, viewport.project(offsetX: offset.x, offsetY: offset.y, height: 0).depth))
        }
        return corners
    }
}

extension Placement {
    /// The hits at a point, topmost first, with only the topmost part of each overlay.
    package func hits(_ request: PickRequest) -> [PlacedHit] {
        let pass = PickingPass(request, self)
        let families = [
            points.hits(pass), labels.hits(pass), shapes.hits(pass), models.hits(pass), clusters.hits(pass), windows.hits(pass),
            ground.hits(pass), elements.hits(pass),
        ]
        let hits = families.joined().map(resolved).sorted { $0.order > $1.order }
        var seen: Set<PlacedHit.Target> = []
        return hits.filter { seen.insert($0.target).inserted }
    }

    /// Replaces the target of a hit on a cluster layer's point by its cluster or marker.
    func resolved(_ hit: PlacedHit) -> PlacedHit {
        guard case .overlay(let number) = hit.target, let target = clusters.target(number) else { return hit }
        var hit = hit
        hit.target = target
        if case .cluster = target { hit.part = .cluster }
        return hit
    }
}

/// An area of the picture in which something can be picked.
package struct PlacedArea {
    /// The hit that a pick in the area returns.
    package var hit: PlacedHit
    /// Polygons in pt that together form the area, inside the picture. They have no holes: the outline is connected to each hole by a cut.
    package var polygons: [[PlanePoint]]
}

extension Placement {
    /// The areas of everything that is drawn, topmost first.
    /// - Parameter lineTolerance: The distance in pt by which lines are widened on each side.
    package func areas(lineTolerance: Double) -> [PlacedArea] {
        let pass = PickingPass(PickRequest(.zero, tolerance: lineTolerance), self)
        let families = [
            points.areas(pass), labels.areas(pass), shapes.areas(pass), models.areas(pass), windows.areas(pass), ground.areas(pass),
            elements.areas(pass),
        ]
        let areas = families.joined().map { PlacedArea(hit: resolved($0.hit), polygons: $0.polygons) }
        return areas.sorted { $0.hit.order > $1.hit.order }
    }
}

extension PickingPass {
    /// The hit of a shape or of an image on the ground.
    func hit(ofShape slot: Int32, isVisible: Bool) -> PlacedHit {
        PlacedHit(
            target: .overlay(slot), part: .shape, isVisible: isVisible,
            order: PickOrder(rank: order.rank(slot), insertion: order.sequence(slot)))
    }

    /// An area of polygons in device pixels; nil when it is outside the picture.
    func area(_ hit: PlacedHit, _ polygons: [[PlanePoint]]) -> PlacedArea? {
        let (ratio, size) = (viewport.pixelRatio, PlanePoint(viewport.size.width, viewport.size.height))
        let shown = polygons.compactMap { polygon -> [PlanePoint]? in
            let clipped = AreaPolygons.clipped(polygon.map { $0 / ratio }, to: size)
            return clipped.count > 2 ? clipped : nil
        }
        return shown.isEmpty ? nil : PlacedArea(hit: hit, polygons: shown)
    }
}

extension PixelBox {
    /// The corners, clockwise from the upper left.
    var corners: [PlanePoint] {
        [PlanePoint(left, top), PlanePoint(right, top), PlanePoint(right, bottom), PlanePoint(left, bottom)]
    }
}
