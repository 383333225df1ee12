import Foundation
import WaymarkGeo
import WaymarkScene

/// What is asked for at a point of the picture.
package struct PickRequest {
    /// In pt.
    package var point: CGPoint
    /// How far from the point something may be, in pt.
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
        /// A cluster, or a marker that a cluster layer shows alone, by its slot after those of the overlays.
        case guest(Int32)
        /// By index in the map's list.
        case symbol(Int)
        case viewOverlay(Int)
        case infoWindow
    }

    package var target: Target
    package var part: HitPart
    package var isVisible: Bool
    var order: PickOrder
}

/// The drawing order of what is hit, from bottom to top.
struct PickOrder: Comparable {
    var rank: Int32
    /// Symbols lie beneath the overlays of their rank, and view overlays and windows between the two.
    var tier = 2
    /// Of points how far down the screen they are, of models how near.
    var within: Int64 = 0
    var insertion: Int64 = 0

    static let symbols = 0
    static let windows = 1

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
    let x: Double
    let y: Double
    let tolerance: Double

    init(_ request: PickRequest, _ viewport: Viewport, _ overlays: OverlayTable, _ order: DrawingOrder) {
        (self.request, self.viewport, self.overlays, self.order) = (request, viewport, overlays, order)
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

    /// The part of the world in which the ground is within a distance of the point; nil when a bound is not known, as at the horizon.
    /// - Parameter reach: In pt: on the screen, or on the ground at the view's center.
    func ground(reach: Double) -> SpatialIndex.Box? {
        let (point, reach) = (request.point, reach + request.tolerance)
        let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { CGPoint(x: point.x + $0.0 * reach, y: point.y + $0.1 * reach) }
        if let limit = viewport.farLimitY, corners[0].y <= limit { return nil }
        var box = SpatialIndex.Box(west: .infinity, north: .infinity, east: -.infinity, south: -.infinity)
        var depth = 0.0
        for corner in corners {
            guard let offset = viewport.groundOffset(at: corner) else { return nil }
            depth = max(depth, viewport.project(offsetX: offset.x, offsetY: offset.y, height: 0).depth)
            let (x, y) = (viewport.centerX + offset.x / viewport.worldSize, viewport.centerY + offset.y / viewport.worldSize)
            box = SpatialIndex.Box(west: min(box.west, x), north: min(box.north, y), east: max(box.east, x), south: max(box.south, y))
        }
        // What lies on the ground reaches as far there, and without perspective by the depth farther.
        let slack = reach * max(1, depth / viewport.cameraDistance) / viewport.worldSize
        return SpatialIndex.Box(west: box.west - slack, north: box.north - slack, east: box.east + slack, south: box.south + slack)
    }
}

extension Placement {
    /// What a guest is: a cluster, or a marker that its layer shows alone, by its number there.
    package func guest(_ slot: Int32) -> (layer: Int32, marker: Int32?, cluster: ShownCluster?)? {
        guard let content = content(PlacedClusters.self) else { return nil }
        return content.guest(slot: slot, OverlayNames(overlays, of: content.layers.map(\.slot)).names)
    }

    /// What is at a point, topmost first; of an overlay only its topmost part.
    package func hits(_ request: PickRequest) -> [PlacedHit] {
        let pass = PickingPass(request, viewport, overlays, order)
        var hits = parts.flatMap { $0.content.hits(pass) }
        hits += self.hits(ofModels: pass)
        for index in hits.indices { resolveGuest(&hits[index]) }
        hits.sort { $0.order > $1.order }
        var seen: Set<PlacedHit.Target> = []
        return hits.filter { seen.insert($0.target).inserted }
    }

    /// Says of a hit of the point family that it is a guest, if it is one.
    func resolveGuest(_ hit: inout PlacedHit) {
        guard case .overlay(let slot) = hit.target, Int(slot) >= overlays.count else { return }
        hit.target = .guest(slot)
        if guest(slot)?.cluster != nil { hit.part = .cluster }
    }
}
