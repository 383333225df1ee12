import WaymarkGeo

/// A point in the Web Mercator world (EPSG:3857), as fractions of the world's size from the upper left: x east, y south.
struct WorldPoint: Equatable, Sendable {
    var x: Double
    /// The distance from the top edge; NaN beyond the projection's latitude limits.
    var y: Double
}

/// A part of the Web Mercator world, as fractions of its size from the upper left.
package struct WorldBox: Equatable, Sendable {
    package var west: Double
    package var north: Double
    package var east: Double
    package var south: Double

    func contains(_ place: WorldPoint) -> Bool {
        place.x >= west && place.x <= east && place.y >= north && place.y <= south
    }
}

extension WorldPoint {
    /// The place of a position, and its height as a fraction of the world's size; nil beyond the projection.
    static func placing(_ position: LatLng) -> (place: WorldPoint, height: Double)? {
        guard let y = WebMercator.y(lat: position.lat) else { return nil }
        let height = position.altitude == 0 ? 0 : position.altitude * WebMercator.pointsPerMeter(lat: position.lat, worldSize: 1)
        return (WorldPoint(x: WebMercator.x(lng: position.lng), y: y), height)
    }
}

extension Viewport {
    /// The world copy in which a place is nearest to the view's center.
    func nearestCopy(of place: WorldPoint) -> Int { Int((centerX - place.x).rounded(.toNearestOrEven)) }
}

/// The copies of the world that a view shows, and the visible part of the world in each.
struct WorldCopies {
    /// The copies that may be in the picture, at most three on each side.
    let shown: ClosedRange<Int>
    /// The visible parts of the world; nil when the view shows several copies.
    let boxes: [WorldBox]?

    /// - Parameters:
    ///   - margin: The maximum distance outside the view at which an overlay may have its position and still be partly visible: in pt, on
    ///     the screen or on the ground, before any scaling by perspective.
    ///   - height: The greatest height of any overlay so far, as a fraction of the world's size.
    init(_ viewport: Viewport, margin: Double, height: Double) {
        let bounds = SeenBounds(viewport, margin: margin, height: height)
        let (west, east) = (viewport.centerX + bounds.west / viewport.worldSize, viewport.centerX + bounds.east / viewport.worldSize)
        let (north, south) = (viewport.centerY + bounds.north / viewport.worldSize, viewport.centerY + bounds.south / viewport.worldSize)
        let first = Int(max(-3, min(0, west.rounded(.down))))
        let last = Int(min(3, max(0, east.rounded(.down))))
        shown = first...last
        boxes =
            last - first < 2
            ? shown.map { copy in WorldBox(west: west - Double(copy), north: north, east: east - Double(copy), south: south) } : nil
    }
}

/// The bounding box of the positions of overlays that a view may show, in pt east and south of the view's center.
///
/// A tilted view, enlarged by the margin, is a pyramid with its apex at the camera that ends at the far limit. Positions are in its part
/// between the ground and the greatest height.
private struct SeenBounds {
    private(set) var west = Double.infinity
    private(set) var north = Double.infinity
    private(set) var east = -Double.infinity
    private(set) var south = -Double.infinity
    /// The depth of the farthest corner, in pt.
    private var farthest = 0.0

    init(_ viewport: Viewport, margin: Double, height topHeight: Double) {
        let projection = viewport.projection
        let isTilted = projection.sinTilt > 0
        // Two pt are added, because positions are rounded to device pixels. An overlay beyond the limit is visible from everywhere.
        let radius = min(margin, 1e9) + 2
        // On an untilted map, a pt on the screen is a pt on the ground, and no pt is longer at a height.
        let edge = isTilted ? radius : 0
        let (width, height) = (viewport.size.width, viewport.size.height)
        let rays = [(-edge, -edge), (width + edge, -edge), (width + edge, height + edge), (-edge, height + edge)].map { x, y in
            projection.ray(through: SIMD2(x, y))
        }
        let apex = rays[0].origin
        let base = rays.map { $0.origin + $0.direction * projection.far }
        // An icon that faces the camera extends above and below its position, which may be outside the pyramid.
        let top = min(topHeight * projection.worldSize, max(apex.z, base.map(\.z).max() ?? 0)) + edge
        for index in base.indices {
            add(from: apex, to: base[index], between: -edge, and: top, projection)
            add(from: base[index], to: base[(index + 1) % base.count], between: -edge, and: top, projection)
        }
        var slack = radius
        if isTilted {
            // On the ground, icons of a constant size on the screen are enlarged by the depth of their position. While they are small, that
            // depth is less than twice the depth of their nearest part. The result is doubled, because collisions use the icon's bounding
            // box, which may extend into the picture when the icon does not.
            let isSmall = radius * projection.sinTilt < projection.distance / 2
            slack *= 2 * max(1, min(projection.far, isSmall ? 2 * farthest : projection.far) / projection.distance)
        }
        (west, north, east, south) = (west - slack, north - slack, east + slack, south + slack)
    }

    /// Extends the bounds by the ends of the part of an edge between two heights.
    private mutating func add(
        from start: SIMD3<Double>, to end: SIMD3<Double>, between bottom: Double, and top: Double, _ projection: ViewProjection
    ) {
        let rise = end.z - start.z
        var (first, last) = (0.0, 1.0)
        if rise == 0 {
            guard start.z >= bottom, start.z <= top else { return }
        } else {
            let (low, high) = ((bottom - start.z) / rise, (top - start.z) / rise)
            (first, last) = (max(0, min(low, high)), min(1, max(low, high)))
            guard first <= last else { return }
        }
        for part in [first, last] {
            let corner = start + (end - start) * part
            (west, north, east, south) = (min(west, corner.x), min(north, corner.y), max(east, corner.x), max(south, corner.y))
            farthest = max(farthest, projection.cameraSpace(corner).z)
        }
    }
}
