import WaymarkGeo
import WaymarkRaster

/// A point in pt from the view's center: east, south, and up from the ground.
typealias SpacePoint = SIMD3<Double>

extension Viewport {
    /// Projects a point in space to device pixels.
    @inline(__always)
    func devicePoint(of place: SpacePoint) -> PlanePoint {
        let seen = projection.project(x: place.x, y: place.y, height: place.z)
        return PlanePoint(seen.x * pixelRatio, seen.y * pixelRatio)
    }
}

/// The part of space that a picture shows. It lies between the near and far limits, inside the picture with a margin, and not below the
/// ground.
struct ViewSpace {
    /// Linear functions of a point that are not negative inside, each as a normal and an offset. The first excludes points behind the
    /// camera.
    private let planes: [SIMD4<Double>]

    /// - Parameter margin: The margin around the picture in pt.
    init(_ viewport: Viewport, margin: Double) {
        let distance = viewport.cameraDistance
        // The distances in space from which `ViewProjection` computes a screen point: to the right, up the screen, and depth.
        let right = SIMD4(viewport.cosBearing, viewport.sinBearing, 0, 0)
        let up = SIMD4(viewport.sinBearing, -viewport.cosBearing, 0, 0)
        let lift = up * viewport.cosTilt + SIMD4(0, 0, viewport.sinTilt, 0)
        let depth = up * viewport.sinTilt + SIMD4(0, 0, -viewport.cosTilt, distance)
        planes = [
            depth - SIMD4(0, 0, 0, viewport.nearDepth),
            SIMD4(0, 0, 0, viewport.farDepth) - depth,
            depth * (viewport.opticalX + margin) + right * distance,
            depth * (viewport.size.width + margin - viewport.opticalX) - right * distance,
            depth * (viewport.opticalY + margin) - lift * distance,
            depth * (viewport.size.height + margin - viewport.opticalY) + lift * distance,
            SIMD4(0, 0, 1, 0),
        ]
    }

    /// The outcode bit of the plane that excludes points behind the camera.
    static let behind: UInt8 = 1

    @inline(__always)
    private static func value(_ plane: SIMD4<Double>, _ point: SpacePoint) -> Double {
        plane.x * point.x + plane.y * point.y + plane.z * point.z + plane.w
    }

    /// A set of bits, one for each plane beyond which a point lies.
    @inline(__always)
    func outcode(_ point: SpacePoint) -> UInt8 {
        planes.withUnsafeBufferPointer { planes in
            var code: UInt8 = 0
            for index in 0..<planes.count where Self.value(planes[index], point) < 0 { code |= 1 << UInt8(index) }
            return code
        }
    }

    /// A set of bits, one for each plane beyond which the whole box lies.
    func outcode(low: SpacePoint, high: SpacePoint) -> UInt8 {
        (0..<8).reduce(UInt8.max) { code, corner in
            code
                & outcode(
                    SpacePoint(corner & 1 == 0 ? low.x : high.x, corner & 2 == 0 ? low.y : high.y, corner & 4 == 0 ? low.z : high.z))
        }
    }

    /// The part of an edge that is inside, as fractions of it; nil when the edge is outside (Cyrus and Beck, 1978).
    func clip(_ a: SpacePoint, _ b: SpacePoint) -> (from: Double, to: Double)? {
        var (from, to) = (0.0, 1.0)
        for plane in planes {
            let (valueA, valueB) = (Self.value(plane, a), Self.value(plane, b))
            if valueA < 0 {
                guard valueB >= 0 else { return nil }
                from = max(from, valueA / (valueA - valueB))
            } else if valueB < 0 {
                to = min(to, valueA / (valueA - valueB))
            }
        }
        return from <= to ? (from, to) : nil
    }
}

/// The visible pieces of a line in space.
struct SpacePieces {
    struct Piece {
        var points: Range<Int>
        /// The distance of the piece's first point along the line.
        var start: Double
        /// Whether the piece ends there because the line was clipped.
        var isCutAtStart: Bool
        var isCutAtEnd: Bool
    }

    private(set) var points: [SpacePoint] = []
    private(set) var pieces: [Piece] = []

    /// Clips a line.
    /// - Parameter distances: The distance of each point along the line on the ground; empty if unused.
    init(_ line: [SpacePoint], distances: [Double], in space: ViewSpace) {
        guard var before = line.first else { return }
        points.reserveCapacity(line.count)
        var codeBefore = space.outcode(before)
        var piece = Piece(points: 0..<0, start: distances.first ?? 0, isCutAtStart: false, isCutAtEnd: false)
        if codeBefore == 0 { points.append(before) }
        for index in 1..<line.count {
            let point = line[index]
            let code = space.outcode(point)
            defer { (before, codeBefore) = (point, code) }
            if code | codeBefore == 0 {
                points.append(point)
                continue
            }
            guard code & codeBefore == 0, let inside = space.clip(before, point) else { continue }
            let step = point - before
            if codeBefore != 0 {
                piece = Piece(points: points.count..<points.count, start: 0, isCutAtStart: true, isCutAtEnd: false)
                if !distances.isEmpty { piece.start = distances[index - 1] + inside.from * PlanePoint(step.x, step.y).length }
                points.append(before + step * inside.from)
            }
            points.append(code == 0 ? point : before + step * inside.to)
            if code != 0 { end(piece, isCut: true) }
        }
        if codeBefore == 0 { end(piece, isCut: false) }
    }

    private mutating func end(_ piece: Piece, isCut: Bool) {
        var piece = piece
        piece.points = piece.points.lowerBound..<points.count
        piece.isCutAtEnd = isCut
        if piece.points.count > 1 { pieces.append(piece) } else { points.removeLast(piece.points.count) }
    }
}
