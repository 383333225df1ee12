import WaymarkGeo

/// How far beside the view something may have its place and still be seen.
struct CullingMargin {
    /// pt from its place, on the screen or on the ground.
    var points = 0.0
    /// The highest that anything has been, as a fraction of the world.
    var height = 0.0
}

/// Which copies of the world are seen, and which part of it.
struct WorldCopies {
    /// Copies of which something may be in the picture, at most three to each side.
    let shown: ClosedRange<Int>
    /// Everything outside these parts of the world is out of the picture; nil when that cannot be told.
    let boxes: [SpatialIndex.Box]?

    init(_ viewport: Viewport, _ margin: CullingMargin) {
        // Far up a tilted map one pt of the screen is up to 20 pt of the ground; what is lifted shows from nearer.
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
        // What is lifted high may be seen from ground that is far from the picture's.
        let isLow = margin.height * viewport.worldSize * viewport.cosTilt < viewport.cameraDistance / 2
        boxes =
            isLow && last - first < 2
            ? shown.map { copy in
                SpatialIndex.Box(
                    west: west - slack - Double(copy), north: north - slack, east: east + slack - Double(copy), south: south + slack)
            } : nil
    }
}
