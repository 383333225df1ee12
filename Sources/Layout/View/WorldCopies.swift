import WaymarkGeo

/// How far outside the view an overlay's position may lie while part of the overlay is still seen.
struct CullingMargin {
    /// pt from its position, on the screen or on the ground.
    var points = 0.0
    /// The greatest height that any overlay has had, as a fraction of the world's size.
    var height = 0.0
}

/// The copies of the world that a view shows, and the part of the world seen in each.
struct WorldCopies {
    /// The copies that may be in the picture, at most three on each side.
    let shown: ClosedRange<Int>
    /// Everything outside these boxes is out of the picture; nil when no bound is known.
    let boxes: [SpatialIndex.Box]?

    init(_ viewport: Viewport, _ margin: CullingMargin) {
        // Far away on a tilted map 1 pt on the screen is up to 20 pt on the ground; raised overlays are seen from nearer ground.
        let slack = (viewport.sinTilt > 0 ? 40 : 2) * margin.points / viewport.worldSize + 8 * margin.height
        let corners = viewport.groundCorners
        let xs = corners.map { viewport.centerX + $0.x / viewport.worldSize }
        let ys = corners.map { viewport.centerY + $0.y / viewport.worldSize }
        guard slack < 4, let west = xs.min(), let east = xs.max(), let north = ys.min(), let south = ys.max() else {
            shown = -3...3
            boxes = nil
            return
        }
        let first = Int(max(-3, min(0, (west - slack).rounded(.down))))
        let last = Int(min(3, max(0, (east + slack).rounded(.down))))
        shown = first...last
        // An overlay raised high may be seen although the ground beneath it is far outside the picture.
        let isLow = margin.height * viewport.worldSize * viewport.cosTilt < viewport.cameraDistance / 2
        boxes =
            isLow && last - first < 2
            ? shown.map { copy in
                SpatialIndex.Box(
                    west: west - slack - Double(copy), north: north - slack, east: east + slack - Double(copy), south: south + slack)
            } : nil
    }
}
