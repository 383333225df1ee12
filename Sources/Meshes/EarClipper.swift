/// Divides polygons with holes into triangles. Each hole is joined to the outer ring, and then ears are clipped: triangles of three
/// neighboring corners that contain no other corner (Meisters, "Polygons have ears", 1975; Eberly, "Triangulation by Ear Clipping", 2002).
///
/// A polygon may cross itself. Its triangles then cover about its area. Corners are never moved, and all corners of a polygon that does not
/// cross itself belong to triangles, so that no gap opens between its triangles and other surfaces at its edges.
package struct EarClipper {
    /// The triangles of the last polygon: three indices of points each, counterclockwise where y points up.
    package private(set) var triangles: [UInt32] = []

    /// A corner of the ring that remains. A corner that joins a hole occurs twice.
    private struct Corner {
        var point: SIMD2<Double>
        /// The index of the point.
        var source: UInt32
        var previous: Int32 = 0
        var next: Int32 = 0
        /// Whether the ring turns left here. Other corners may lie in a triangle and prevent it from being an ear.
        var isConvex = false
    }

    private var corners: [Corner] = []

    package init() {}

    /// Divides a polygon.
    /// - Parameters:
    ///   - points: The points of all rings, the outer ring first. They may turn in either direction, and are not closed.
    ///   - ends: The end of the points of each ring. Each ring has at least three points.
    ///   - budget: The number of corners that may be visited or compared, because the time grows with the square of the number of
    ///     corners. The actual visits and comparisons are subtracted.
    /// - Returns: False if the budget is exceeded. `triangles` then has no meaning.
    package mutating func divide(_ points: [SIMD2<Double>], ends: [Int], budget: inout Int) -> Bool {
        triangles.removeAll(keepingCapacity: true)
        corners.removeAll(keepingCapacity: true)
        guard let outerEnd = ends.first else { return true }
        if ends.count == 1, divideConvex(points) { return true }
        append(points, 0..<outerEnd, turnsLeft: true)
        var holes: [Int] = []
        for (start, end) in zip(ends, ends.dropFirst()) {
            let first = corners.count
            append(points, start..<end, turnsLeft: false)
            holes.append((first..<corners.count).min { isLeft(corners[$0].point, corners[$1].point) } ?? first)
        }
        // Holes are joined from the left, so that each is joined to the outer ring, or to a hole that is already joined to it.
        holes.sort { isLeft(corners[$0].point, corners[$1].point) }
        var count = outerEnd
        for hole in holes {
            budget -= count
            guard budget >= 0 else { return false }
            count += join(hole)
        }
        return clipEars(count, &budget)
    }

    private func isLeft(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> Bool { a.x < b.x || a.x == b.x && a.y < b.y }

    /// Twice the area of a triangle; positive if it turns counterclockwise.
    @inline(__always)
    private static func area(_ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>) -> Double {
        let (side, other) = (b - a, c - a)
        return side.x * other.y - side.y * other.x
    }
}

extension EarClipper {
    /// Divides a ring into a fan if it is strictly convex and turns once; most footprints are rectangles.
    private mutating func divideConvex(_ points: [SIMD2<Double>]) -> Bool {
        let count = points.count
        guard count >= 3 else { return true }
        var (isLeft, isRight, turns) = (false, false, 0)
        for index in 0..<count {
            let (a, b, c) = (points[index], points[(index + 1) % count], points[(index + 2) % count])
            let area = Self.area(a, b, c)
            if area > 0 { isLeft = true } else if area < 0 { isRight = true } else { return false }
            // A convex ring changes between left and right twice; the vertical counts as left.
            if (b.x - a.x > 0) != (c.x - b.x > 0) { turns += 1 }
        }
        guard isLeft != isRight, turns == 2 else { return false }
        for index in 1..<count - 1 {
            let (second, third) = isLeft ? (index, index + 1) : (index + 1, index)
            triangles += [0, UInt32(second), UInt32(third)]
        }
        return true
    }

    /// Appends a ring of corners that turns in the given direction.
    private mutating func append(_ points: [SIMD2<Double>], _ range: Range<Int>, turnsLeft: Bool) {
        var area = 0.0
        var previous = points[range.upperBound - 1]
        for index in range {
            area += previous.x * points[index].y - previous.y * points[index].x
            previous = points[index]
        }
        let first = corners.count
        for number in 0..<range.count {
            let source = (area > 0) == turnsLeft ? range.lowerBound + number : range.upperBound - 1 - number
            corners.append(Corner(point: points[source], source: UInt32(source)))
        }
        for index in first..<corners.count {
            corners[index].previous = Int32(index == first ? corners.count - 1 : index - 1)
            corners[index].next = Int32(index == corners.count - 1 ? first : index + 1)
        }
    }
}

// Holes.
extension EarClipper {
    /// Joins a hole to the ring of the first corner by an edge that is passed in both directions. A hole outside of that ring is left out.
    /// - Parameter hole: The leftmost corner of the hole.
    /// - Returns: The number of corners that the ring gains.
    private mutating func join(_ hole: Int) -> Int {
        guard let bridge = bridge(to: hole) else { return 0 }
        var count = 1
        var last = Int(corners[hole].next)
        while last != hole {
            last = Int(corners[last].next)
            count += 1
        }
        let (holeNext, holeEnd, ringNext) = (Int(corners[hole].next), Int(corners[hole].previous), Int(corners[bridge].next))
        if corners[bridge].point == corners[hole].point {
            // The hole touches the ring: ring … bridge → rest of the hole → bridge copy … ring
            corners.append(corners[bridge])
            link(bridge, holeNext)
            link(holeEnd, corners.count - 1)
            link(corners.count - 1, ringNext)
            return count
        }
        // ring … bridge → hole … hole copy → bridge copy … ring
        let (holeCopy, bridgeCopy) = (corners.count, corners.count + 1)
        corners.append(corners[hole])
        corners.append(corners[bridge])
        link(bridge, hole)
        link(holeEnd, holeCopy)
        link(holeCopy, bridgeCopy)
        link(bridgeCopy, ringNext)
        return count + 2
    }

    private mutating func link(_ a: Int, _ b: Int) {
        corners[a].next = Int32(b)
        corners[b].previous = Int32(a)
    }

    /// The corner of the ring that is visible from the leftmost point of a hole; nil if the ring is not to the left of it.
    private func bridge(to hole: Int) -> Int? {
        let point = corners[hole].point
        // The edge nearest to the left, and its end farther to the left.
        var (nearest, end) = (-Double.infinity, -1)
        var corner = 0
        repeat {
            let next = Int(corners[corner].next)
            let (a, b) = (corners[corner].point, corners[next].point)
            // The interior is to the right of edges that go down. To the right of an edge that goes up is the outside or another hole.
            if max(a.y, b.y) >= point.y, min(a.y, b.y) <= point.y, a.y != b.y {
                let x = a.x + (point.y - a.y) * (b.x - a.x) / (b.y - a.y)
                let goesDown = a.y > b.y
                if x <= point.x, x > nearest || x == nearest && end < 0 && goesDown {
                    (nearest, end) = (x, !goesDown ? -1 : a.x < b.x ? corner : next)
                }
            }
            corner = next
        } while corner != 0
        guard end >= 0 else { return nil }
        // Corners in the triangle between the point, the edge and its end may hide the end. The one with the smallest angle is visible.
        let (hit, tip) = (SIMD2(nearest, point.y), corners[end].point)
        var (best, smallest) = (end, Double.infinity)
        corner = 0
        repeat {
            let place = corners[corner].point
            if place.x <= point.x, place.x >= min(tip.x, nearest), isInside(place, hit, tip, point),
                isInCone(of: corner, place == point ? corners[Int(corners[hole].next)].point : point)
            {
                let slope = abs(place.y - point.y) / max(point.x - place.x, .leastNormalMagnitude)
                if slope < smallest || slope == smallest && place.x > corners[best].point.x { (best, smallest) = (corner, slope) }
            }
            corner = Int(corners[corner].next)
        } while corner != 0
        return best
    }

    /// Whether a point lies in a triangle of either direction, or on its border.
    private func isInside(_ point: SIMD2<Double>, _ a: SIMD2<Double>, _ b: SIMD2<Double>, _ c: SIMD2<Double>) -> Bool {
        let areas = SIMD3(Self.area(a, b, point), Self.area(b, c, point), Self.area(c, a, point))
        return areas.min() >= 0 || areas.max() <= 0
    }

    /// Whether the ring's interior at a corner lies toward a point.
    private func isInCone(of corner: Int, _ point: SIMD2<Double>) -> Bool {
        let place = corners[corner].point
        let (before, after) = (corners[Int(corners[corner].previous)].point, corners[Int(corners[corner].next)].point)
        if Self.area(before, place, after) > 0 {
            return Self.area(place, after, point) >= 0 && Self.area(place, point, before) >= 0
        }
        return !(Self.area(place, before, point) > 0 && Self.area(place, point, after) > 0)
    }
}

// Ears.
extension EarClipper {
    /// Clips the ring of the first corner.
    private mutating func clipEars(_ count: Int, _ budget: inout Int) -> Bool {
        var remaining = count
        var corner = 0
        repeat {
            update(corner)
            corner = Int(corners[corner].next)
        } while corner != 0
        // The corners since the last ear.
        var misses = 0
        while remaining > 3 {
            let next = Int(corners[corner].next)
            budget -= 1
            guard budget >= 0 else { return false }
            if corners[corner].isConvex, isEar(corner, &budget) {
                clip(corner)
                // The next corner is left alone, because a fan around it would have long thin triangles.
                corner = Int(corners[next].next)
            } else {
                misses += 1
                corner = next
                guard misses > remaining else { continue }
                // Only a ring that crosses or touches itself has no ear.
                corner = anyConvex(from: corner, remaining, &budget)
                let after = Int(corners[corner].next)
                clip(corner)
                corner = after
            }
            misses = 0
            remaining -= 1
        }
        clip(corner)
        return budget >= 0
    }

    private mutating func update(_ corner: Int) {
        let (before, after) = (Int(corners[corner].previous), Int(corners[corner].next))
        corners[corner].isConvex = Self.area(corners[before].point, corners[corner].point, corners[after].point) > 0
    }

    /// Removes a corner, and adds its triangle unless it has no area.
    private mutating func clip(_ corner: Int) {
        let (before, after) = (Int(corners[corner].previous), Int(corners[corner].next))
        if corners[corner].isConvex { triangles += [corners[before].source, corners[corner].source, corners[after].source] }
        link(before, after)
        update(before)
        update(after)
    }

    /// Whether no other corner lies in the triangle of a corner.
    private func isEar(_ corner: Int, _ budget: inout Int) -> Bool {
        corners.withUnsafeBufferPointer { corners in
            let (before, after) = (Int(corners[corner].previous), Int(corners[corner].next))
            let (a, b, c) = (corners[before].point, corners[corner].point, corners[after].point)
            let (low, high) = (pointwiseMin(pointwiseMin(a, b), c), pointwiseMax(pointwiseMax(a, b), c))
            var (other, tests) = (Int(corners[after].next), 0)
            defer { budget -= tests }
            while other != before {
                tests += 1
                let place = corners[other].point
                if !corners[other].isConvex, place.x >= low.x, place.x <= high.x, place.y >= low.y, place.y <= high.y,
                    Self.area(a, b, place) >= 0, Self.area(b, c, place) >= 0, Self.area(c, a, place) >= 0,
                    // The ring may touch itself at a corner, as where a hole is joined.
                    place != a, place != b, place != c
                {
                    return false
                }
                other = Int(corners[other].next)
            }
            return true
        }
    }

    /// The next convex corner; the corner itself if there is none.
    private func anyConvex(from corner: Int, _ count: Int, _ budget: inout Int) -> Int {
        var found = corner
        for _ in 0..<count {
            if corners[found].isConvex { return found }
            budget -= 1
            found = Int(corners[found].next)
        }
        return corner
    }
}
