import Foundation
import WaymarkFrame
import WaymarkGeo
import WaymarkRaster

/// The geometry of a shape, clipped to the map: the rings to fill and the lines to stroke. It depends only on the shape's points.
struct ShapeGeometry: Sendable {
    /// The rings to fill. Outer rings and holes have opposite orientations.
    var rings: [ShapePart] = []
    /// The fill rules of successive runs of rings, each with the end index of its run. All polygons that do not cross themselves form one
    /// run; every other polygon forms a separate run.
    var fills: [(end: Int, rule: FillRule)] = []
    /// The lines and outlines to stroke.
    var lines: [ShapePart] = []
    /// For each line of a polyline, the index of the given line that contains it; empty for outlines of areas.
    var lineNumbers: [Int] = []
    /// Problems to report although the shape is drawn.
    var warnings: [PropertyError] = []
    /// The meters from the start of each line of a route to its points, computed on first use.
    var metres: [[Double]] = []
    /// The meters beyond the map between the end of the previous line and each line. The last entry is for the end of the last line.
    var metresBefore: [Double] = [0]

    var isEmpty: Bool { rings.isEmpty && lines.isEmpty }
    /// Whether the lines go through the air, with a height for each point. Otherwise, the whole shape is level.
    var isAerial: Bool { lines.first?.heights.isEmpty == false }
    var simplifications: Int { sum(\.simplifications) }
    var keptPoints: Int { sum(\.keptPoints) }

    /// The sum over all parts; rings that are also lines count once.
    private func sum(_ number: (ShapePart) -> Int) -> Int {
        var parts: [ObjectIdentifier: Int] = [:]
        for part in rings + lines { parts[ObjectIdentifier(part)] = number(part) }
        return parts.values.reduce(0, +)
    }

    /// The northern and southern edges of the map.
    private static let mapEdges = ClipRegion([
        HalfPlane(normal: PlanePoint(0, 1), offset: 0), HalfPlane(normal: PlanePoint(0, -1), offset: 1),
    ])

    static func isOnMap(_ points: [PlanePoint]) -> Bool { points.allSatisfy { $0.y >= 0 && $0.y <= 1 } }
}

extension ShapeGeometry {
    /// Creates lines through points. Each edge crosses ±180° where that is shorter.
    /// - Parameter altitude: The number of meters added to the altitudes of the points. It is used only if a point has an altitude, so
    ///   that the lines go through the air.
    static func lines(_ parts: [[LatLng]], isGeodesic: Bool, altitude: Double) -> ShapeGeometry {
        var geometry = ShapeGeometry()
        // All parts are of the same kind, so that they are drawn in the same way.
        let isAerial = parts.contains { $0.contains { $0.altitude != 0 } }
        for (number, part) in parts.enumerated() {
            let (points, indices) = worldPoints(part, isGeodesic: isGeodesic)
            let heights = isAerial ? heights(part, altitude: altitude, points, at: indices) : []
            geometry.addLine(points, heights: heights, isClosed: false, curve: isGeodesic ? .greatCircle : .straight)
            geometry.lineNumbers += repeatElement(number, count: geometry.lines.count - geometry.lineNumbers.count)
        }
        return geometry
    }

    /// The points of a line, and the index of each given point.
    private static func worldPoints(_ part: [LatLng], isGeodesic: Bool) -> (points: [PlanePoint], indices: [Int]) {
        let points = unwrap(part)
        return isGeodesic ? densified(points, part) : (points, Array(points.indices))
    }

    /// The given lines before they are cut at the edges of the map, and the index of each given point.
    func wholeLines(_ parts: [[LatLng]], isGeodesic: Bool) -> (lines: [ShapePart], indices: [[Int]]) {
        var result: (lines: [ShapePart], indices: [[Int]]) = ([], [])
        for (number, part) in parts.enumerated() {
            let own = lineNumbers.partitioningIndex { $0 >= number }
            if !isGeodesic, own < lines.count, lineNumbers[own] == number, lines[own].pointCount == part.count,
                !lines[own].isCutAtStart, !lines[own].isCutAtEnd
            {
                result.lines.append(lines[own])
                result.indices.append(Array(part.indices))
            } else {
                let (points, indices) = Self.worldPoints(part, isGeodesic: isGeodesic)
                result.lines.append(ShapePart(points, isClosed: false, curve: isGeodesic ? .greatCircle : .straight))
                result.indices.append(indices)
            }
        }
        return result
    }

    /// Areas, each with its outer ring first.
    static func areas(_ polygons: [[[LatLng]]], path: String) -> ShapeGeometry {
        var geometry = ShapeGeometry()
        var plain: [WorldRing] = []
        var crossing: [[WorldRing]] = []
        for (number, polygon) in polygons.enumerated() {
            var own = alignedRings(polygon)
            var contours = Contours()
            for ring in own { contours.append(Self.withoutSpikes(ring.points)) }
            // All polygons are searched, so the limit for each polygon also depends on its size.
            let pairs = min(RingCrossings.mostPairs, 1000 * contours.points.count + 10_000)
            let found = RingCrossings.find(contours, mostPairs: pairs)
            func name(_ ring: WorldRing) -> String {
                path == "rings" ? "rings[\(ring.number)]" : "\(path)[\(number)][\(ring.number)]"
            }
            func warn(_ path: String, _ problem: String) {
                if geometry.warnings.isEmpty { geometry.warnings.append(PropertyError(path: path, problem: problem)) }
            }
            let isOutside = PolygonHoles.outside(own, areCrossing: found != .none)
            if let hole = isOutside.firstIndex(of: true) {
                warn(name(own[hole]), "this hole lies outside its outer ring and is not drawn")
                own = zip(own, isOutside).filter { !$1 }.map(\.0)
            }
            let nested = found == .none ? PolygonHoles.nested(own) : nil
            // The inside of a hole of a hole is filled, but a hole in that hole is not. All holes have the same orientation, so the
            // nonzero rule cannot distinguish them.
            if found == .none, nested == nil { plain += own } else { crossing.append(own) }
            if let nested {
                warn(
                    name(own[nested.inner]),
                    "this hole lies inside another, \(name(own[nested.outer])), and is filled by the even-odd rule; "
                        + "in GeoJSON, an area inside a hole is a separate polygon")
            }
            switch found {
            case .none: break
            case .crossing(let point):
                let place = LatLng(
                    lat: WebMercator.latitude(fromY: point.y), lng: WebMercator.longitude(fromX: WebMercator.wrap(point.x)))
                warn(
                    path,
                    "the outline crosses itself near \(fixed(place.lat, 3)), \(fixed(place.lng, 3)); "
                        + "the area is filled by the even-odd rule")
            case .unknown:
                warn(
                    path,
                    "the outline was not checked for crossings, because too many edges lie close together; the area is filled by the even-odd rule"
                )
            }
        }
        for ring in plain { geometry.add(ring) }
        geometry.endFill(.nonzero)
        for rings in crossing {
            for ring in rings { geometry.add(ring) }
            geometry.endFill(.evenOdd)
        }
        let altitudes = polygons.joined().joined().lazy.map(\.altitude)
        if let first = altitudes.first, altitudes.contains(where: { $0 != first }) {
            geometry.warnings.append(
                PropertyError(
                    path: path, problem: "the points have different altitudes; the area is drawn level, at the altitude of the first point")
            )
        }
        return geometry
    }

    /// A ring without spikes (edges followed by their reverse), which enclose no area. A ring around a pole has a spike at ±180°, where its
    /// closing edges follow the same meridian twice.
    private static func withoutSpikes(_ points: [PlanePoint]) -> [PlanePoint] {
        var kept: [PlanePoint] = []
        kept.reserveCapacity(points.count)
        for point in points where kept.last != point {
            if kept.count > 1, kept[kept.count - 2] == point { kept.removeLast() } else { kept.append(point) }
        }
        return kept
    }
}

extension ShapeGeometry {
    /// Converts to world coordinates. x continues beyond 0…1, so that every edge takes the shorter way around the world.
    private static func unwrap(_ points: [LatLng]) -> [PlanePoint] {
        var before: Double?
        return points.map { point in
            var x = WebMercator.x(lng: point.lng)
            if let before {
                let step = x - before
                x = before + (step - step.rounded(.toNearestOrEven))
            }
            before = x
            return PlanePoint(x, WebMercator.extendedY(lat: point.lat, upTo: SpherePoint.highestLatitude))
        }
    }

    /// Adds points to a line so that it follows great circles. Also returns the index of each given point.
    private static func densified(_ points: [PlanePoint], _ places: [LatLng]) -> ([PlanePoint], indices: [Int]) {
        var result: [PlanePoint] = []
        var indices = [0]
        var shift = 0.0
        for index in points.indices.dropLast() {
            let (first, second) = (
                SpherePoint(lat: places[index].lat, lng: places[index].lng),
                SpherePoint(lat: places[index + 1].lat, lng: places[index + 1].lng)
            )
            var a = PlanePoint(points[index].x + shift, points[index].y)
            if index == 0 { result.append(a) }
            var from = first
            // The arcs have at most 5 degrees, so that no arc bends both ways.
            let count = max(1, Int((first.angle(to: second) / Self.longestArc).rounded(.up)))
            let angle = first.angle(to: second)
            for number in 1...count {
                let share = Double(number) / Double(count)
                let to = number == count ? second : first.between(second, share, angle)
                let place = to.worldPoint(near: a.x)
                // A pole has no defined longitude, so x is kept.
                let b = number == count && abs(places[index + 1].lat) > 89.999 ? PlanePoint(a.x, place.y) : PlanePoint(place.x, place.y)
                GreatCircle.subdivide(a, from, b, to, ShapePart.curveTolerance, { _, _, _ in true }, &result)
                result.append(b)
                (a, from) = (b, to)
            }
            indices.append(result.count - 1)
            shift = a.x - points[index + 1].x
        }
        return (result, indices)
    }

    private static let longestArc = 5 * Double.pi / 180

    /// Adds a line to stroke, clipped to the map.
    mutating func addLine(_ points: [PlanePoint], heights: [Double] = [], isClosed: Bool, curve: ShapePart.Curve = .straight) {
        let whole = ShapePart(points, heights: heights, isClosed: isClosed, curve: curve)
        if Self.isOnMap(points) {
            lines.append(whole)
            metresBefore.append(0)
            return
        }
        var pieces = LinePieces()
        let distances = whole.distances
        points.withUnsafeBufferPointer { points in
            distances.withUnsafeBufferPointer { pieces.add(points, distances: $0, isClosed: isClosed, in: Self.mapEdges) }
        }
        let metres = Self.metres(whole)
        var end = 0.0
        for piece in pieces.pieces {
            let kept = Array(pieces.points[piece.points])
            let flat = ShapePart(kept, isClosed: piece.isClosed, curve: curve, start: piece.start)
            let part = ShapePart(
                kept, heights: heights.isEmpty ? [] : whole.heights(at: flat.distances), isClosed: piece.isClosed, curve: curve,
                start: piece.start, isCutAtStart: kept.first != points.first, isCutAtEnd: kept.last != points.last)
            lines.append(part)
            let index = (distances.firstIndex { $0 > piece.start } ?? distances.count) - 1
            let start = metres[max(index, 0)] + Self.metres(points[max(index, 0)], kept[0], curve)
            metresBefore[metresBefore.count - 1] += max(0, start - end)
            metresBefore.append(0)
            end = start + (Self.metres(part).last ?? 0)
        }
        metresBefore[metresBefore.count - 1] += max(0, (metres.last ?? 0) - end)
    }

    /// Ends a run: `rule` fills the rings added since the previous run.
    mutating func endFill(_ rule: FillRule) {
        if rings.count > fills.last?.end ?? 0 { fills.append((rings.count, rule)) }
    }

    /// Adds the area inside a ring and its outline.
    mutating func add(_ ring: WorldRing) {
        var (points, scratch): ([PlanePoint], [PlanePoint]) = (ring.points, [])
        let isOnMap = Self.isOnMap(points)
        if !isOnMap { Self.mapEdges.clip(&points, scratch: &scratch) }
        let part = points.count > 2 ? ShapePart(points, isClosed: true) : nil
        if let part { rings.append(part) }
        if let part, isOnMap, ring.outline == nil {
            lines.append(part)
        } else if let outline = ring.outline {
            for line in outline { addLine(Self.beginningBeyondMap(line), isClosed: false) }
        } else {
            addLine(ring.points, isClosed: true)
        }
    }

    /// Rotates a line that winds around the world so that it begins beyond the map, if a part of it is there. No cut is then visible at
    /// its start.
    private static func beginningBeyondMap(_ line: [PlanePoint]) -> [PlanePoint] {
        guard let first = line.first, let last = line.last, abs(last.x - first.x) == 1, last.y == first.y,
            let start = line.firstIndex(where: { $0.y < 0 || $0.y > 1 })
        else { return line }
        return Array(line[start...]) + line.dropFirst().prefix(start).map { $0 + (last - first) }
    }

    /// The rings of one polygon, moved to the same copy of the world; the outer ring and the holes have opposite orientations.
    private static func alignedRings(_ polygon: [[LatLng]]) -> [WorldRing] {
        var rings: [WorldRing] = []
        for (number, ring) in polygon.enumerated() {
            var ring = WorldRing(ring, unwrap(ring))
            ring.number = number
            guard ring.points.count > 2 else { continue }
            if let outer = rings.first {
                ring.move(by: ((outer.low + outer.high - ring.low - ring.high).x / 2).rounded(.toNearestOrEven))
            } else {
                ring.move(by: -ring.low.x.rounded(.down))
            }
            if (Contours.signedArea(ring.points) < 0) != (number > 0) { ring.points.reverse() }
            rings.append(ring)
        }
        return rings
    }
}

extension WebMercator {
    /// The y coordinate, as a fraction of the world, of a latitude in degrees, which is limited to ±`highest`. The point may be beyond the
    /// edges of the map.
    static func extendedY(lat: Double, upTo highest: Double) -> Double {
        // The value is clamped, so that a point on the map's edge is exactly on it.
        if let y = WebMercator.y(lat: lat) { return min(max(y, 0), 1) }
        return uncheckedY(lat: min(max(lat, -highest), highest))
    }
}

extension SpherePoint {
    /// The point at a fraction of the way to another (spherical linear interpolation); `angle` is the angle between them in radians.
    fileprivate func between(_ other: SpherePoint, _ share: Double, _ angle: Double) -> SpherePoint {
        let sine = sin(angle)
        guard sine > 1e-9 else { return share < 0.5 ? self : other }
        let sum = vector * (sin((1 - share) * angle) / sine) + other.vector * (sin(share * angle) / sine)
        return SpherePoint(vector: sum / (sum * sum).sum().squareRoot())
    }
}

extension ShapeGeometry {
    /// The area within `radius` meters of a place, on the sphere.
    static func disc(_ center: LatLng, radius: Double) -> ShapeGeometry {
        var geometry = ShapeGeometry()
        guard radius > 0 else { return geometry }
        let angle = radius / WebMercator.earthRadius
        let toNorth = (90 - center.lat) * .pi / 180
        let holdsNorth = angle > toNorth
        let holdsSouth = angle > .pi - toNorth
        let x = WebMercator.x(lng: center.lng)
        // A circle that contains both poles surrounds its exterior on the opposite side of the earth.
        let ring = CircleRing(
            center: SpherePoint(lat: center.lat, lng: center.lng), angle: angle, x: holdsNorth && holdsSouth ? x + 0.5 : x)
        var points = ring.points(tolerance: ShapePart.curveTolerance).points
        if isOnMap(points), !holdsNorth, !holdsSouth {
            let parts = [ShapePart(points, isClosed: true, curve: .circle(ring))]
            (geometry.rings, geometry.lines) = (parts, parts)
            geometry.endFill(.nonzero)
            return geometry
        }
        points = ring.points(tolerance: ShapePart.curveTolerance / 16).points
        if holdsNorth != holdsSouth {
            // A ring around one pole winds around the world.
            geometry.add(WorldRing(points, pole: holdsNorth ? 0 : 1))
            geometry.endFill(.evenOdd)
            return geometry
        }
        geometry.add(WorldRing(points, pole: nil))
        if holdsNorth {
            let west = (points.map(\.x).min() ?? 0) / 2 + (points.map(\.x).max() ?? 0) / 2 - 0.5
            let world = [PlanePoint(west, 0), PlanePoint(west + 1, 0), PlanePoint(west + 1, 1), PlanePoint(west, 1)]
            geometry.rings.append(ShapePart(world, isClosed: true))
        }
        geometry.endFill(.evenOdd)
        return geometry
    }
}
