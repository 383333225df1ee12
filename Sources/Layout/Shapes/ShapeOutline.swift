import WaymarkGeo
import WaymarkRaster

/// The lines or rings of a shape on the screen, for inspection: projected, clipped to what the camera sees, and limited in number.
struct ShapeOutline {
    /// The contours in pt.
    private(set) var contours: [[PlanePoint]] = []
    private let viewport: Viewport
    private let isClosed: Bool

    /// The maximum number of points of a shape. A shape with more points is simplified. If that is not enough, its smallest contours are
    /// left out.
    static let mostPoints = 1000
    /// The maximum simplification in pt before the smallest contours are left out.
    private static let coarsest = 4.0

    /// - Parameter isArea: Whether to describe the rings instead of the lines.
    init(_ shape: Shape, isArea: Bool, _ viewport: Viewport) {
        self.viewport = viewport
        isClosed = isArea
        for part in isArea ? shape.geometry.rings : shape.geometry.lines {
            // For a line through the air, the plane of its highest point is the nearest to the camera.
            let height = part.heights.max() ?? shape.height
            add(part, ShapeCamera(viewport, height: height * viewport.worldSize))
        }
    }

    /// The corners of the box around the outline, inside or outside the picture; nil if the outline is empty.
    var box: (low: PlanePoint, high: PlanePoint)? {
        guard !contours.isEmpty else { return nil }
        return contours.joined().reduce((PlanePoint(repeating: .infinity), PlanePoint(repeating: -.infinity))) {
            (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1))
        }
    }
}

extension ShapeOutline {
    private mutating func add(_ part: ShapePart, _ camera: ShapeCamera) {
        // The copy of the world that is nearest the view's center.
        let shift = (viewport.centerX - (part.low.x + part.high.x) / 2).rounded()
        func offset(_ point: PlanePoint) -> PlanePoint {
            PlanePoint((point.x - viewport.centerX + shift) * viewport.worldSize, (point.y - viewport.centerY) * viewport.worldSize)
        }
        var points = part.points
        if part.needsRefinement(level: camera.level) {
            let region = camera.region(margin: ShapePlacer.margin)
            points = part.refined(level: camera.level) { a, b, off in
                guard part.heights.isEmpty else { return true }
                let slack = PlanePoint(repeating: off)
                let (low, high) = (pointwiseMin(a, b) - slack, pointwiseMax(a, b) + slack)
                return region.outcodes(low: offset(low), high: offset(high)).wholly == 0
            }
        }
        let heights = part.heights.isEmpty ? nil : Array(part.heights(ofRefined: points))
        var solid = points.indices.map { index in
            let place = offset(points[index])
            return SIMD3(place.x, place.y, heights.map { $0[index] * viewport.worldSize } ?? camera.height)
        }
        if part.isClosed, !isClosed, let first = solid.first { solid.append(first) }
        for piece in visiblePieces(solid) where piece.count > (isClosed ? 2 : 1) {
            contours.append(piece.map { project($0) })
        }
    }

    private func depth(_ point: SIMD3<Double>) -> Double {
        viewport.project(offsetX: point.x, offsetY: point.y, height: point.z).depth
    }

    /// Projects a point to pt, quantized in device pixels.
    private func project(_ point: SIMD3<Double>) -> PlanePoint {
        let seen = viewport.project(offsetX: point.x, offsetY: point.y, height: point.z)
        let ratio = viewport.pixelRatio
        return PlanePoint(quantized(seen.x * ratio) / ratio, quantized(seen.y * ratio) / ratio)
    }

    /// The pieces between the near and the far limit. A ring has one piece with edges along the limits (Sutherland and Hodgman, "Reentrant
    /// polygon clipping", 1974). A line has any number of pieces.
    private func visiblePieces(_ points: [SIMD3<Double>]) -> [[SIMD3<Double>]] {
        // Depth is linear in the plane, and so are the distances to the limits.
        let (near, far) = (viewport.nearDepth, viewport.farDepth)
        var pieces = [points]
        for limit in [{ depth($0) - near }, { far - depth($0) }] as [(SIMD3<Double>) -> Double] {
            pieces = pieces.flatMap { isClosed ? [Self.ring($0, limit)] : Self.lines($0, limit) }
        }
        return pieces
    }

    private static func crossing(_ a: SIMD3<Double>, _ inA: Double, _ b: SIMD3<Double>, _ inB: Double) -> SIMD3<Double> {
        a + (b - a) * (inA / (inA - inB))
    }

    private static func ring(_ points: [SIMD3<Double>], _ limit: (SIMD3<Double>) -> Double) -> [SIMD3<Double>] {
        guard var last = points.last else { return [] }
        var (result, inLast): ([SIMD3<Double>], Double) = ([], limit(last))
        for point in points {
            let inside = limit(point)
            if (inside > 0) != (inLast > 0) { result.append(crossing(last, inLast, point, inside)) }
            if inside > 0 { result.append(point) }
            (last, inLast) = (point, inside)
        }
        return result
    }

    private static func lines(_ points: [SIMD3<Double>], _ limit: (SIMD3<Double>) -> Double) -> [[SIMD3<Double>]] {
        var pieces: [[SIMD3<Double>]] = []
        var piece: [SIMD3<Double>] = []
        var last: (point: SIMD3<Double>, inside: Double)?
        for point in points {
            let inside = limit(point)
            if let last, (inside > 0) != (last.inside > 0) { piece.append(crossing(last.point, last.inside, point, inside)) }
            if inside > 0 {
                piece.append(point)
            } else if !piece.isEmpty {
                pieces.append(piece)
                piece = []
            }
            last = (point, inside)
        }
        return piece.isEmpty ? pieces : pieces + [piece]
    }
}

extension ShapeOutline {
    /// The contours, reduced to at most `mostPoints` points in total.
    var bounded: [[PlanePoint]] {
        var result = contours
        var tolerance = 0.0625
        while Self.count(result) > Self.mostPoints, tolerance <= Self.coarsest {
            result = contours.map { simplified($0, tolerance) }
            tolerance *= 2
        }
        guard Self.count(result) > Self.mostPoints else { return result }
        // The largest contours, in their original order.
        let sizes = result.map { contour in
            let (low, high) = contour.reduce((contour[0], contour[0])) { (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1)) }
            return (high.x - low.x) + (high.y - low.y)
        }
        var kept: [Int] = []
        var left = Self.mostPoints
        for index in result.indices.sorted(by: { (sizes[$0], -$0) > (sizes[$1], -$1) }) {
            while kept.isEmpty, result[index].count > left {
                result[index] = simplified(contours[index], tolerance)
                tolerance *= 2
            }
            guard result[index].count <= left else { break }
            left -= result[index].count
            kept.append(index)
        }
        return kept.sorted().map { result[$0] }
    }

    private static func count(_ contours: [[PlanePoint]]) -> Int { contours.reduce(0) { $0 + $1.count } }

    private func simplified(_ contour: [PlanePoint], _ tolerance: Double) -> [PlanePoint] {
        let points = isClosed ? contour + [contour[0]] : contour
        let kept = points.withUnsafeBufferPointer { LineSimplifier.simplify($0, tolerance: tolerance) }.map { points[Int($0)] }
        guard isClosed else { return kept }
        return kept.count > 3 ? Array(kept.dropLast()) : Array(contour.prefix(3))
    }
}
