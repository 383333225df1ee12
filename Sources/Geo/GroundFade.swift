/// The edges at which the ground ends in a picture, and the fade in front of them. An edge is either the camera's far limit or an edge of
/// the world. Lengths are in device pixels from the picture's upper left.
package struct GroundFade: Hashable, Sendable {
    /// An edge of the ground, which is a straight line on the screen. For a point of the screen, the value column · x + row · y + offset is
    /// 0 where the fade begins, 1 on the edge, and greater than 1 beyond it.
    package struct Edge: Hashable, Sendable {
        package let x: Double
        package let y: Double
        package let offset: Double
        /// The number of rows by which a point beyond the edge lies above the nearest point of the edge, for each unit by which the point's
        /// value exceeds 1. It is 0 if the ground is above the edge.
        package let rise: Double

        package init(x: Double, y: Double, offset: Double) {
            (self.x, self.y, self.offset) = (x, y, offset)
            rise = max(0, -y) / (x * x + y * y)
        }
    }

    /// The edges in the picture, at least one.
    package var edges: [Edge]
    /// The thinning of lines; nil if the far limit is not in the picture.
    package var thinning: LineThinning?

    /// The height of the fade: the fraction `share` of the ground's height on the screen, but at least `leastHeight` pt.
    package static let leastHeight = 12.0
    package static let share = 0.1

    package init(edges: [Edge], thinning: LineThinning? = nil) {
        (self.edges, self.thinning) = (edges, thinning)
    }

    /// The row at which the sky's share becomes 0; nil unless every edge is horizontal with the ground below it.
    package var lastRow: Double? {
        var last = 0.0
        for edge in edges {
            guard edge.x == 0, edge.y < 0 else { return nil }
            last = max(last, -edge.offset / edge.y)
        }
        return last
    }

    /// The share of the sky in the color of a point: 0 on ground that does not fade, and 1 beyond the ground.
    package func share(_ x: Double, _ y: Double) -> Double {
        var share = 0.0
        for edge in edges { share = max(share, edge.x * x + edge.y * y + edge.offset) }
        share = min(share, 1)
        return share * share * (3 - 2 * share)
    }

    /// The height in rows of a point above the nearest ground: the greatest of its heights above all edges. It is 0 on, beside and below
    /// the ground.
    ///
    /// This height changes continuously with the point and the camera. The row where the ground ends in the point's column is not
    /// continuous. Beyond an edge that is nearly vertical on the screen, this row moves through the whole picture when the camera turns
    /// slightly.
    package func rise(_ x: Double, _ y: Double) -> Double {
        var rise = 0.0
        for edge in edges { rise = max(rise, edge.rise * (edge.x * x + edge.y * y + edge.offset - 1)) }
        return rise
    }
}

/// The thinning of lines toward the far limit. Distant lines are close to each other on the screen, and would otherwise merge into a bar.
package struct LineThinning: Hashable, Sendable {
    /// The row of the view's center. Lines in this row and below have their full width.
    package var center: Double
    /// The row at which widths would be 0. Between the two rows, widths shrink in proportion to the distance from this row. If the far
    /// limit is below the picture's upper edge by at least the height of the fade, this is the row of the horizon, and widths shrink in the
    /// same way as lengths across the view. Otherwise, the row is higher, so that lines do not suddenly get thinner when the far limit
    /// enters the picture.
    package var vanishing: Double
}

extension Viewport {
    /// The edges at which the ground ends in the picture, with their fade; nil if neither the far limit nor an edge of the world is in the
    /// picture.
    package var groundFade: GroundFade? {
        let (width, height) = (size.width * pixelRatio, size.height * pixelRatio)
        // Quantized before comparing, so that the last bits have no effect.
        let far = farLimitY.map { quantized($0 * pixelRatio) } ?? 0
        let top = min(max(0, far), height)
        func isBeyond(_ edge: SIMD3<Double>, _ x: Double, _ y: Double) -> Bool { quantized(edge.x * x + edge.y * y + edge.z) < 0 }
        // Most pictures show no edge. For them, nothing is allocated.
        var isCut = far > 0
        for number in 0..<4 where !isCut {
            guard let edge = worldEdge(number) else { continue }
            isCut = isBeyond(edge, 0, 0) || isBeyond(edge, width, 0) || isBeyond(edge, width, height) || isBeyond(edge, 0, height)
        }
        guard isCut else { return nil }
        let belowLimit = [SIMD2(0, top), SIMD2(width, top), SIMD2(width, height), SIMD2(0, height)]
        var ground = belowLimit
        var lines = far > 0 ? [SIMD3(0, 1, -far)] : []
        for number in 0..<4 {
            // An edge in the picture counts even if it lies beyond another one; otherwise, the sky would change suddenly when it cuts the
            // ground. Above the far limit, an edge makes no difference.
            guard let edge = worldEdge(number), belowLimit.contains(where: { isBeyond(edge, $0.x, $0.y) }) else { continue }
            lines.append(edge)
            ground = Self.clipped(ground, edge)
        }
        guard !lines.isEmpty else { return nil }
        let rows = ground.map(\.y)
        let fade = max(GroundFade.leastHeight * pixelRatio, GroundFade.share * ((rows.max() ?? top) - (rows.min() ?? top)))
        var result = GroundFade(
            edges: lines.map { GroundFade.Edge(x: 0 - $0.x / fade, y: 0 - $0.y / fade, offset: 1 - $0.z / fade) })
        if far > 0, let horizonY {
            let (center, horizon) = (opticalY * pixelRatio, horizonY * pixelRatio)
            let strength = min(1, far / fade)
            result.thinning = LineThinning(center: center, vanishing: horizon - (center - horizon) * (1 / strength - 1))
        }
        return result
    }

    /// The number of copies of the world that are drawn on each side of the copy with the view's center.
    private static let copies = 3.0

    /// An edge of the drawn world. The numbers 0 to 3 stand for the northern, southern, western and eastern edge. The distance of a screen
    /// point from the edge, in device pixels, is x · column + y · row + z, which is negative beyond the edge. Nil if the edge is infinitely
    /// far away.
    private func worldEdge(_ number: Int) -> SIMD3<Double>? {
        // The inside of the edge: east · x + south · y + offset is positive for a place in pt from the view's center.
        let east, south, offset: Double
        switch number {
        case 0: (east, south, offset) = (0, 1, centerY * worldSize)
        case 1: (east, south, offset) = (0, -1, (1 - centerY) * worldSize)
        case 2: (east, south, offset) = (1, 0, (Self.copies + centerX) * worldSize)
        default: (east, south, offset) = (-1, 0, (Self.copies + 1 - centerX) * worldSize)
        }
        // The ground under a screen point is (right, up) = (sx cos t, sy) / s with s = cos t - sy sin t / D, where sx is to the right and sy
        // up from the optical center. Both sides are multiplied by s, which is positive below the horizon.
        let across = (east * cosBearing + south * sinBearing) * cosTilt
        let down = south * cosBearing - east * sinBearing + offset * sinTilt / cameraDistance
        let length = (across * across + down * down).squareRoot()
        guard length > 1e-12 else { return nil }
        let (x, y) = (across / length, down / length)
        return SIMD3(x, y, (offset * cosTilt / length - x * opticalX - y * opticalY) * pixelRatio)
    }

    /// The part of a convex polygon on the inside of an edge (Sutherland and Hodgman, 1974).
    private static func clipped(_ polygon: [SIMD2<Double>], _ edge: SIMD3<Double>) -> [SIMD2<Double>] {
        func distance(_ point: SIMD2<Double>) -> Double { edge.x * point.x + edge.y * point.y + edge.z }
        var result: [SIMD2<Double>] = []
        for index in polygon.indices {
            let (a, b) = (polygon[index], polygon[(index + 1) % polygon.count])
            let (before, after) = (distance(a), distance(b))
            if before >= 0 { result.append(a) }
            if (before < 0) != (after < 0) { result.append(a + (b - a) * (before / (before - after))) }
        }
        return result
    }
}
