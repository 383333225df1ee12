import WaymarkFrame
import WaymarkGeo
import WaymarkRaster

/// The plane in which the image and the text along a line lie.
struct LabelPlane {
    let viewport: Viewport
    /// Whether the plane is level, at a height above the ground, with lengths in pt east and south of the view's center. Otherwise, it is
    /// the screen, with lengths in device pixels.
    let isLevel: Bool
    /// The height in pt.
    let height: Double

    /// The number of units of the plane per pt.
    var scale: Double { isLevel ? 1 : viewport.pixelRatio }

    /// The point of the plane at which a point in space is seen.
    @inline(__always)
    func point(of place: SpacePoint) -> PlanePoint { isLevel ? PlanePoint(place.x, place.y) : screenPoint(of: place) }

    /// A point of the plane in device pixels.
    @inline(__always)
    func screenPoint(of point: PlanePoint) -> PlanePoint {
        isLevel ? screenPoint(of: SpacePoint(point.x, point.y, height)) : point
    }

    /// A point in space in device pixels.
    @inline(__always)
    func screenPoint(of place: SpacePoint) -> PlanePoint { viewport.devicePoint(of: place) }

    /// Whether a point of the plane is in front of the camera.
    func isInFront(_ point: PlanePoint) -> Bool { !isLevel || depth(of: SpacePoint(point.x, point.y, height)) > viewport.nearDepth }

    func depth(of place: SpacePoint) -> Double {
        viewport.projection.depth(up: viewport.projection.turned(x: place.x, y: place.y).up, height: place.z)
    }
}

/// A visible piece of a line on one copy of the world.
struct VisibleLine {
    /// The points in pt from the view's center.
    private(set) var places: [SpacePoint] = []
    /// The distance of each point from the start of the whole line, in pt on the map at the scale of the center of the view.
    private(set) var distances: [Double] = []
    /// The line in the plane of its labels.
    private(set) var curve = LineCurve()
    /// Whether the line continues beyond the piece.
    fileprivate(set) var isCutAtStart = false
    fileprivate(set) var isCutAtEnd = false

    fileprivate mutating func append(_ place: SpacePoint, _ distance: Double, _ plane: LabelPlane) {
        // A vertical segment has no length on the map.
        guard places.last != place || distance > (distances.last ?? -.infinity) else { return }
        places.append(place)
        distances.append(max(distance, distances.last ?? distance))
        curve.append(plane.point(of: place))
    }

    /// A point of the line, by its distance from the start of the whole line.
    struct Anchor {
        /// The position in pt from the view's center.
        var place: SpacePoint
        /// The distance from the start of the curve.
        var middle: Double
        /// The number of device pixels of the line per pt on the map at this point.
        var stretch: Double
    }

    /// The point at a distance from the start of the whole line; nil beyond the piece.
    func anchor(at distance: Double, _ plane: LabelPlane) -> Anchor? {
        guard places.count > 1, distance >= distances[0], distance <= distances[distances.count - 1] else { return nil }
        let low = max(0, min(places.count - 2, distances.partitioningIndex { $0 > distance } - 1))
        let own = distances[low + 1] - distances[low]
        guard own > 0 else {
            // The line ends there with a vertical segment.
            let scale = plane.viewport.cameraDistance / plane.depth(of: places[low])
            return Anchor(place: places[low], middle: curve.distances[low], stretch: scale * plane.viewport.pixelRatio)
        }
        let step = (places[low + 1] - places[low]) / own
        let place = places[low] + step * (distance - distances[low])
        let middle = curve.distances[low] + (plane.point(of: place) - curve.points[low]).length
        // This is the derivative along the segment, computed from two points that are a thousandth of a pt apart.
        let delta = 1e-3 / max(1, (step * step).sum().squareRoot())
        let stretch = (plane.screenPoint(of: place + step * delta) - plane.screenPoint(of: place)).length / delta
        return Anchor(place: place, middle: middle, stretch: stretch)
    }
}

extension ShapePlacer {
    /// The visible pieces of a part of a line, in its order, on each copy of the world.
    /// - Parameter margin: The distance in pt outside of the picture up to which the line must be known.
    mutating func visibleLines(
        of part: ShapePart, _ shape: Shape, _ plane: LabelPlane, margin: Double
    ) -> [(line: VisibleLine, copy: Int)] {
        var result: [(line: VisibleLine, copy: Int)] = []
        let isAerial = !part.heights.isEmpty
        let highest = isAerial ? (part.heights.max() ?? 0) * viewport.worldSize : plane.height
        let camera = isAerial ? ShapeCamera(viewport, height: max(highest, 0)) : camera(of: shape)
        let space = ViewSpace(viewport, margin: margin)
        for copy in copies(part, camera, overhang: margin) {
            let shift = Double(copy)
            let (low, high) = (offset(part.low, shift), offset(part.high, shift))
            let lowest = isAerial ? (part.heights.min() ?? 0) * viewport.worldSize : plane.height
            guard space.outcode(low: SpacePoint(low.x, low.y, lowest), high: SpacePoint(high.x, high.y, highest)) == 0 else { continue }
            let line: [SpacePoint]
            let distances: [Double]
            if isAerial {
                let points = part.spacePoints(level: camera.level) { a, b, off in
                    let slack = PlanePoint(repeating: off)
                    let (low, high) = (offset(pointwiseMin(a, b) - slack, shift), offset(pointwiseMax(a, b) + slack, shift))
                    return space.outcode(low: SpacePoint(low.x, low.y, lowest), high: SpacePoint(high.x, high.y, highest)) == 0
                }
                line = zip(points, part.heights(ofRefined: points)).map { point, height in
                    let place = offset(point, shift)
                    return SpacePoint(place.x, place.y, height * viewport.worldSize)
                }
                distances = part.distances(ofRefined: points)
            } else {
                let points = points(part, camera, shift, region(camera, margin: margin))
                line = points.map { point in
                    let place = offset(point, shift)
                    return SpacePoint(place.x, place.y, plane.height)
                }
                distances =
                    part.needsRefinement(level: camera.level)
                    ? part.distances(ofRefined: points) : part.placesOfColors(level: camera.level)
            }
            VisibleLine.pieces(line, distances.map { $0 * viewport.worldSize }, in: space, part, plane) { result.append(($0, copy)) }
        }
        return result
    }
}

extension VisibleLine {
    /// Clips a line to the view.
    fileprivate static func pieces(
        _ line: [SpacePoint], _ distances: [Double], in space: ViewSpace, _ part: ShapePart, _ plane: LabelPlane,
        _ body: (VisibleLine) -> Void
    ) {
        guard line.count > 1 else { return }
        var piece = VisibleLine()
        var codeBefore = space.outcode(line[0])
        if codeBefore == 0 {
            piece.isCutAtStart = part.isCutAtStart
            piece.append(line[0], distances[0], plane)
        }
        for index in 1..<line.count {
            let code = space.outcode(line[index])
            defer { codeBefore = code }
            if code | codeBefore == 0 {
                piece.append(line[index], distances[index], plane)
                continue
            }
            guard code & codeBefore == 0, let inside = space.clip(line[index - 1], line[index]) else { continue }
            let (step, way) = (line[index] - line[index - 1], distances[index] - distances[index - 1])
            if codeBefore != 0 {
                piece = VisibleLine()
                piece.isCutAtStart = true
                piece.append(line[index - 1] + step * inside.from, distances[index - 1] + way * inside.from, plane)
            }
            if code == 0 {
                piece.append(line[index], distances[index], plane)
            } else {
                piece.append(line[index - 1] + step * inside.to, distances[index - 1] + way * inside.to, plane)
                piece.isCutAtEnd = true
                if piece.places.count > 1 { body(piece) }
                piece = VisibleLine()
            }
        }
        if codeBefore == 0, piece.places.count > 1 {
            piece.isCutAtEnd = part.isCutAtEnd
            body(piece)
        }
    }
}
