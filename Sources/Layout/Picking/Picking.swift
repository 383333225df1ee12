import Foundation
import WaymarkFrame
import WaymarkGeo
import WaymarkRaster
import WaymarkScene

/// What is asked for at a point of the picture.
package struct PickRequest {
    /// In pt.
    package var point: CGPoint
    /// The largest distance of an object from the point, in pt.
    package var tolerance: Double
    /// Whether what is hidden, outside its zoom range or collided is found, too, where its icon or shape would be.
    package var includesInvisible: Bool
    /// Whether transparent pixels of icons are no part of them.
    package var ignoresTransparentPixels: Bool

    package init(_ point: CGPoint, tolerance: Double = 2, includesInvisible: Bool = false, ignoresTransparentPixels: Bool = false) {
        self.point = point
        self.tolerance = tolerance
        self.includesInvisible = includesInvisible
        self.ignoresTransparentPixels = ignoresTransparentPixels
    }
}

/// Something that is at a point of the picture.
package struct PlacedHit {
    package enum Target: Hashable {
        case overlay(Int32)
        /// By its number among what cluster layers show; see `Placement.cluster`.
        case cluster(Int32)
        /// A marker of a cluster layer: the layer's slot, and the marker's number there.
        case member(layer: Int32, number: Int32)
        /// By index in the map's list.
        case symbol(Int)
        case viewOverlay(Int)
        case infoWindow
    }

    package var target: Target
    package var part: HitPart
    package var isVisible: Bool
    var order: PickOrder
    /// Of a point, the copy of the world, counted from the one in which its longitude is in [-180, 180).
    package var copy = 0
}

/// The drawing order of what is hit, from bottom to top.
struct PickOrder: Comparable {
    var rank: Int32
    /// Symbols lie beneath the overlays of their rank, and view overlays and windows between the two.
    var tier = Self.overlays
    /// Of points how far down the screen they are, of models how near.
    var within: Int64 = 0
    var insertion: Int64 = 0

    static let symbols = 0
    static let windows = 1
    static let overlays = 2
    /// What is above all overlays of a rank, and below the next.
    static let aboveOverlays = 3

    static func < (a: PickOrder, b: PickOrder) -> Bool {
        (a.rank, a.tier, a.within, a.insertion) < (b.rank, b.tier, b.within, b.insertion)
    }
}

/// The input of families while they look for what is at a point. Lengths in device pixels.
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
    func touches(left: Double, top: Double, right: Double, bottom: Double) -> Bool {
        x >= left - tolerance && x <= right + tolerance && y >= top - tolerance && y <= bottom + tolerance
    }

    /// Whether an edge is within the tolerance.
    func touches(_ ax: Double, _ ay: Double, _ bx: Double, _ by: Double) -> Bool {
        let (dx, dy) = (bx - ax, by - ay)
        let length = dx * dx + dy * dy
        let along = length > 0 ? min(1, max(0, ((x - ax) * dx + (y - ay) * dy) / length)) : 0
        let (offX, offY) = (x - ax - along * dx, y - ay - along * dy)
        return offX * offX + offY * offY <= tolerance * tolerance
    }

    /// The part of the world in which something on the ground stands that may be at the point; nil when a bound is not known, as at the
    /// horizon.
    /// - Parameter radius: How far it extends from where it stands, in pt: on the screen, enlarged by perspective or not; or on the ground,
    ///   enlarged by its depth or not.
    func ground(radius: Double) -> WorldBox? {
        let distance = viewport.cameraDistance
        guard let here = quadrangle(request.tolerance), let nearest = here.map(\.depth).min(), let farthest = here.map(\.depth).max() else {
            return nil
        }
        // Perspective's scale k = distance / depth is linear down the screen: what stands s pt below the point has k + s tan t / distance, and
        // reaches up to it only if s is no more than its radius there.
        let growth = radius * viewport.sinTilt / (viewport.cosTilt * distance)
        // What lies on the ground and is enlarged by its depth, which is at most that of the point and the radius times sin t, enlarged likewise.
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

    /// The ground at the corners of the square around the point, in pt from the view's center, and its depth; nil when some of it is beyond the
    /// far limit.
    /// - Parameter radius: Half its side, in pt.
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
    /// What is at a point, topmost first; of an overlay only its topmost part.
    package func hits(_ request: PickRequest) -> [PlacedHit] {
        let pass = PickingPass(request, self)
        let families = [
            points.hits(pass), shapes.hits(pass), models.hits(pass), clusters.hits(pass), windows.hits(pass), ground.hits(pass),
        ]
        let hits = families.joined().map(resolved).sorted { $0.order > $1.order }
        var seen: Set<PlacedHit.Target> = []
        return hits.filter { seen.insert($0.target).inserted }
    }

    /// A hit of a point that a cluster layer shows, as one of a cluster or of a marker of the layer.
    func resolved(_ hit: PlacedHit) -> PlacedHit {
        guard case .overlay(let number) = hit.target, let target = clusters.target(number) else { return hit }
        var hit = hit
        hit.target = target
        if case .cluster = target { hit.part = .cluster }
        return hit
    }
}

/// Where something is in the picture that can be picked.
package struct PlacedArea {
    /// What it is, as a pick there would give it.
    package var hit: PlacedHit
    /// Polygons in pt that together are the area, inside the picture. They have no holes: one that would have is cut open to its hole.
    package var polygons: [[PlanePoint]]
}

extension Placement {
    /// The areas of everything that is drawn, topmost first.
    /// - Parameter lineTolerance: How much wider lines are on each side than they are drawn, in pt.
    package func areas(lineTolerance: Double) -> [PlacedArea] {
        let pass = PickingPass(PickRequest(.zero, tolerance: lineTolerance), self)
        let families = [points.areas(pass), shapes.areas(pass), models.areas(pass), windows.areas(pass), ground.areas(pass)]
        let areas = families.joined().map { PlacedArea(hit: resolved($0.hit), polygons: $0.polygons) }
        return areas.sorted { $0.hit.order > $1.hit.order }
    }
}

extension PickingPass {
    /// A hit of a shape or of an image on the ground.
    func hit(ofShape slot: Int32, isVisible: Bool) -> PlacedHit {
        PlacedHit(
            target: .overlay(slot), part: .shape, isVisible: isVisible,
            order: PickOrder(rank: order.rank(slot), insertion: order.sequence(slot)))
    }

    /// An area of polygons in device pixels; nil when nothing of it is in the picture.
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
    /// Clockwise from the upper left.
    var corners: [PlanePoint] {
        [PlanePoint(left, top), PlanePoint(right, top), PlanePoint(right, bottom), PlanePoint(left, bottom)]
    }
}
