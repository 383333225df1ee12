import WaymarkFrame
import WaymarkGeo
import WaymarkRaster

/// Polygons without holes for the pickable areas of a picture.
enum AreaPolygons {
    /// The part of a polygon between (0, 0) and `size`.
    static func clipped(_ polygon: [PlanePoint], to size: PlanePoint) -> [PlanePoint] {
        let region = ClipRegion([
            HalfPlane(normal: PlanePoint(1, 0), offset: 0), HalfPlane(normal: PlanePoint(-1, 0), offset: size.x),
            HalfPlane(normal: PlanePoint(0, 1), offset: 0), HalfPlane(normal: PlanePoint(0, -1), offset: size.y),
        ])
        var (ring, scratch) = (polygon, [PlanePoint]())
        region.clip(&ring, scratch: &scratch)
        return ring
    }

    /// The convex hull of points; empty when all of them are on one line.
    static func hull(_ points: [PlanePoint]) -> [PlanePoint] {
        let hull = convexHull(points) { ($0.x, $0.y) }
        return hull.count > 2 ? hull : []
    }

    /// The polygons of closed contours, some of which may be holes in others. A hole becomes part of the surrounding contour. The polygon
    /// goes to the hole, around it in the other direction, and back the same way, so that it is a hole by either fill rule.
    /// - Parameter rule: The rule that defines holes. With `nonzero`, contours of the same direction are pieces of a stroke that may
    ///   overlap.
    static func polygons(_ contours: [[PlanePoint]], _ rule: FillRule) -> [[PlanePoint]] {
        let rings = contours.filter { $0.count > 2 }.map(Ring.init)
        // Larger rings come first, so that surrounding rings precede the rings inside them.
        let order = rings.indices.sorted { (abs(rings[$0].area), -$0) > (abs(rings[$1].area), -$1) }
        var depth = [Int](repeating: 0, count: rings.count)
        var around = [Int?](repeating: nil, count: rings.count)
        for (number, index) in order.enumerated() {
            for other in order[..<number].reversed() where rings[other].contains(rings[index]) {
                if rule == .nonzero, (rings[other].area > 0) == (rings[index].area > 0) { continue }
                (depth[index], around[index]) = (depth[other] + 1, other)
                break
            }
        }
        var polygons: [Int: [PlanePoint]] = [:]
        for index in order {
            let ring = rings[index]
            if depth[index] % 2 == 0 {
                polygons[index] = ring.points
            } else if let outer = around[index] {
                let isReversed = (ring.area > 0) == (rings[outer].area > 0)
                polygons[outer]?.cutOpen(to: isReversed ? ring.points.reversed() : ring.points)
            }
        }
        return order.compactMap { polygons[$0] }
    }

    /// A closed contour with its bounds and area.
    private struct Ring {
        let points: [PlanePoint]
        let low: PlanePoint
        let high: PlanePoint
        /// The area of the ring; positive if the ring turns from x toward y.
        let area: Double

        init(_ points: [PlanePoint]) {
            self.points = points
            low = points.reduce(points[0]) { pointwiseMin($0, $1) }
            high = points.reduce(points[0]) { pointwiseMax($0, $1) }
            var last = points[points.count - 1] - points[0]
            var sum = 0.0
            for point in points {
                let next = point - points[0]
                sum += last.x * next.y - last.y * next.x
                last = next
            }
            area = sum / 2
        }

        /// Whether another ring, which does not cross this one, is inside. They may touch where both are cut at the picture's edges.
        func contains(_ other: Ring) -> Bool {
            let slack = 0.5
            guard other.low.x >= low.x - slack, other.low.y >= low.y - slack, other.high.x <= high.x + slack,
                other.high.y <= high.y + slack, let point = other.inside
            else { return false }
            return crossings(atY: point.y).count { $0 > point.x } % 2 == 1
        }

        /// A point inside, far from the ring; nil when the ring has no area.
        private var inside: PlanePoint? {
            // The point is in the middle of the largest gap between the heights of corners, and in the widest part there.
            let heights = points.map(\.y).sorted()
            guard let gap = zip(heights, heights.dropFirst()).max(by: { $0.1 - $0.0 < $1.1 - $1.0 }), gap.0 < gap.1 else { return nil }
            let y = (gap.0 + gap.1) / 2
            let xs = crossings(atY: y).sorted()
            let parts = stride(from: 0, to: xs.count - 1, by: 2).map { (xs[$0], xs[$0 + 1]) }
            return parts.max { $0.1 - $0.0 < $1.1 - $1.0 }.map { PlanePoint(($0.0 + $0.1) / 2, y) }
        }

        private func crossings(atY y: Double) -> [Double] {
            var xs: [Double] = []
            var last = points[points.count - 1]
            for next in points {
                if (last.y <= y) != (next.y <= y) { xs.append((next.x - last.x) * (y - last.y) / (next.y - last.y) + last.x) }
                last = next
            }
            return xs
        }
    }
}

extension [PlanePoint] {
    /// Connects a hole. The contour goes from its point nearest to the hole's first point, around the hole, and back.
    fileprivate mutating func cutOpen(to hole: [PlanePoint]) {
        // Any connection works, but rounding rarely makes a short one cross others.
        let start = hole[0]
        var best = 0
        for index in indices where (self[index] - start).length < (self[best] - start).length { best = index }
        insert(contentsOf: hole + [start, self[best]], at: best + 1)
    }
}

extension Frame {
    /// The polygons of a path, in device pixels, simplified by at most a quarter of a pixel.
    func polygons(of path: Path) -> [[PlanePoint]] {
        let contours = path.contours.map { number -> [PlanePoint] in
            let points = points(ofContour: number).map { PlanePoint(Double($0.x), Double($0.y)) }
            guard points.count > 2 else { return [] }
            let closed = points + [points[0]]
            let kept = closed.withUnsafeBufferPointer { LineSimplifier.simplify($0, tolerance: 0.25) }.map { closed[Int($0)] }
            return Array(kept.dropLast())
        }
        return AreaPolygons.polygons(contours, path.rule)
    }
}
