import Foundation
import WaymarkFrame
import WaymarkGeo
import WaymarkRaster

/// Where a shape lies: what is filled and what is stroked, cut to the map. It depends on the shape's points alone.
final class ShapeGeometry {
    /// Rings, outer ones going round one way and holes the other.
    var rings: [ShapePart] = []
    /// By which rules they are filled, in runs, each up to a ring: polygons that do not cross themselves together, each other one
    /// on its own.
    var fills: [(end: Int, rule: FillRule)] = []
    /// Lines and outlines.
    var lines: [ShapePart] = []
    /// Fractions of the world at the latitude of the first point.
    var height = 0.0
    /// What a diagnostic tells, though it is drawn.
    var warning: PropertyError?
    /// Where a circle has its middle.
    var center: Columns.Place?
    /// Of the lines of a route: metres up to each point, of all parts together.
    private var metres: [[Double]] = []
    /// By the line: metres before it that lie beyond the map, since the one before it ended; the last entry, those after all.
    private var metresBefore: [Double] = [0]

    var isEmpty: Bool { rings.isEmpty && lines.isEmpty }
    var simplifications: Int {
        var parts: [ObjectIdentifier: Int] = [:]
        for part in rings + lines { parts[ObjectIdentifier(part)] = part.simplifications }
        return parts.values.reduce(0, +)
    }

    /// The square of the map, north and south.
    private static let mapEdges = ClipRegion([
        HalfPlane(normal: PlanePoint(0, 1), offset: 0), HalfPlane(normal: PlanePoint(0, -1), offset: 1),
    ])

    private static func isOnMap(_ points: [PlanePoint]) -> Bool { points.allSatisfy { $0.y >= 0 && $0.y <= 1 } }
}

extension ShapeGeometry {
    /// Lines through points, the short way across ±180°.
    static func lines(_ parts: [[LatLng]], isGeodesic: Bool) -> ShapeGeometry {
        let geometry = ShapeGeometry()
        for part in parts {
            var points = unwrap(part)
            if isGeodesic { points = densified(points, part) }
            geometry.addLine(points, isClosed: false, curve: isGeodesic ? .greatCircle : .straight)
        }
        return geometry
    }

    /// Areas, each with its outer ring first.
    static func areas(_ polygons: [[[LatLng]]], path: String) -> ShapeGeometry {
        let geometry = ShapeGeometry()
        var plain: [WorldRing] = []
        var crossing: [[WorldRing]] = []
        for polygon in polygons {
            let own = alignedRings(polygon)
            var contours = Contours()
            for ring in own { contours.append(Self.withoutSpikes(ring.points)) }
            // All are searched, so the time of each is bounded by its size as well.
            let pairs = min(RingCrossings.mostPairs, 1000 * contours.points.count + 10_000)
            let found = RingCrossings.find(contours, mostPairs: pairs)
            if found == .none { plain += own } else { crossing.append(own) }
            guard geometry.warning == nil else { continue }
            switch found {
            case .none: break
            case .crossing(let point):
                let place = LatLng(
                    lat: WebMercator.latitude(fromY: point.y), lng: WebMercator.longitude(fromX: WebMercator.wrap(point.x)))
                geometry.warning = PropertyError(
                    path: path,
                    problem: "crosses itself near \(decimals(place.lat)), \(decimals(place.lng)); "
                        + "what an odd number of rings surrounds is filled")
            case .unknown:
                geometry.warning = PropertyError(
                    path: path,
                    problem: "too many edges lie side by side to tell whether they cross; what an odd number of rings surrounds is filled")
            }
        }
        for ring in plain { geometry.add(ring) }
        geometry.endFill(.nonzero)
        for rings in crossing {
            for ring in rings { geometry.add(ring) }
            geometry.endFill(.evenOdd)
        }
        return geometry
    }

    /// A ring without its ways there and back, which surround nothing: one that goes round a pole has one at ±180°, where its closing
    /// goes along the same meridian once more.
    private static func withoutSpikes(_ points: [PlanePoint]) -> [PlanePoint] {
        var kept: [PlanePoint] = []
        kept.reserveCapacity(points.count)
        for point in points where kept.last != point {
            if kept.count > 1, kept[kept.count - 2] == point { kept.removeLast() } else { kept.append(point) }
        }
        return kept
    }

    /// Everything within a distance in metres of a place.
    static func disc(_ center: LatLng, radius: Double) -> ShapeGeometry {
        let geometry = ShapeGeometry()
        geometry.center = Columns.Place(x: WebMercator.x(lng: center.lng), y: WebMercator.y(lat: center.lat) ?? .nan)
        guard radius > 0 else { return geometry }
        let angle = radius / WebMercator.earthRadius
        let circle = SmallCircle(center: SpherePoint(lat: center.lat, lng: center.lng), angle: angle)
        let toNorth = (90 - center.lat) * .pi / 180
        let holdsNorth = angle > toNorth
        let holdsSouth = angle > .pi - toNorth
        let x = WebMercator.x(lng: center.lng)
        // On the far side of the earth the ring goes round what is outside.
        var (points, bearings) = circle.ring(near: holdsNorth && holdsSouth ? x + 0.5 : x, tolerance: ShapePart.curveTolerance)
        if isOnMap(points), !holdsNorth, !holdsSouth {
            let part = ShapePart(
                points, isClosed: true, curve: .circle(circle.center, angle: angle), bearings: bearings)
            geometry.rings = [part]
            geometry.lines = [part]
            geometry.endFill(.nonzero)
            return geometry
        }
        (points, bearings) = circle.ring(near: holdsNorth && holdsSouth ? x + 0.5 : x, tolerance: ShapePart.curveTolerance / 16)
        defer { geometry.endFill(.evenOdd) }
        if holdsNorth != holdsSouth {
            // It winds round the world.
            geometry.add(WorldRing(points, pole: holdsNorth ? 0 : 1))
            return geometry
        }
        geometry.add(WorldRing(points, pole: nil))
        if holdsNorth {
            let west = (points.map(\.x).min() ?? 0) / 2 + (points.map(\.x).max() ?? 0) / 2 - 0.5
            let world = [PlanePoint(west, 0), PlanePoint(west + 1, 0), PlanePoint(west + 1, 1), PlanePoint(west, 1)]
            geometry.rings.append(ShapePart(world, isClosed: true))
        }
        return geometry
    }

    /// The lines from the first point on, or with less than 0 from the last one back, up to a share of their whole length
    /// on the ground.
    func passed(_ progress: Double) -> [ShapePart] {
        guard progress != 0 else { return [] }
        if metres.isEmpty { measure() }
        let total = metres.reduce(0) { $0 + ($1.last ?? 0) } + metresBefore.reduce(0, +)
        let (from, to) = progress > 0 ? (0, total * progress) : (total * (1 + progress), total)
        var (result, before): ([ShapePart], Double) = ([], 0)
        for (index, (part, metres)) in zip(lines, metres).enumerated() {
            before += metresBefore[index]
            let end = before + (metres.last ?? 0)
            defer { before = end }
            guard end > from, before < to else { continue }
            if before >= from, end <= to {
                result.append(part)
            } else {
                result.append(Self.slice(part, metres, max(from - before, 0), min(to, end) - before))
            }
        }
        return result
    }
}

extension ShapeGeometry {
    /// x goes on from point to point the short way round.
    private static func unwrap(_ points: [LatLng]) -> [PlanePoint] {
        var before: Double?
        return points.map { point in
            var x = WebMercator.x(lng: point.lng)
            if let before {
                let step = x - before
                x = before + (step - step.rounded(.toNearestOrEven))
            }
            before = x
            return PlanePoint(x, worldY(point.lat))
        }
    }

    private static func worldY(_ lat: Double) -> Double {
        // Exactly the edge at the edge.
        if let y = WebMercator.y(lat: lat) { return min(max(y, 0), 1) }
        return WebMercator.uncheckedY(lat: min(max(lat, -SpherePoint.highestLatitude), SpherePoint.highestLatitude))
    }

    /// A line along great circles.
    private static func densified(_ points: [PlanePoint], _ places: [LatLng]) -> [PlanePoint] {
        var result: [PlanePoint] = []
        var shift = 0.0
        for index in points.indices.dropLast() {
            let (first, second) = (
                SpherePoint(lat: places[index].lat, lng: places[index].lng),
                SpherePoint(lat: places[index + 1].lat, lng: places[index + 1].lng)
            )
            var a = PlanePoint(points[index].x + shift, points[index].y)
            if index == 0 { result.append(a) }
            var from = first
            // In pieces of a few degrees, so that none bends twice.
            let count = max(1, Int((first.angle(to: second) / Self.longestArc).rounded(.up)))
            let angle = first.angle(to: second)
            for number in 1...count {
                let share = Double(number) / Double(count)
                let to = number == count ? second : first.between(second, share, angle)
                let place = to.worldPoint(near: a.x)
                // A pole has every longitude.
                let b = number == count && abs(places[index + 1].lat) > 89.999 ? PlanePoint(a.x, place.y) : PlanePoint(place.x, place.y)
                GreatCircle.subdivide(a, from, b, to, ShapePart.curveTolerance, { _, _, _ in true }, &result)
                result.append(b)
                (a, from) = (b, to)
            }
            shift = a.x - points[index + 1].x
        }
        return result
    }

    private static let longestArc = 5 * Double.pi / 180

    private func addLine(_ points: [PlanePoint], isClosed: Bool, curve: ShapePart.Curve = .straight) {
        let whole = ShapePart(points, isClosed: isClosed, curve: curve)
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
            let part = ShapePart(
                kept, isClosed: piece.isClosed, curve: curve, start: piece.start, isCutAtStart: kept.first != points.first,
                isCutAtEnd: kept.last != points.last)
            lines.append(part)
            let index = (distances.firstIndex { $0 > piece.start } ?? distances.count) - 1
            let start = metres[max(index, 0)] + Self.metres(points[max(index, 0)], kept[0], curve)
            metresBefore[metresBefore.count - 1] += max(0, start - end)
            metresBefore.append(0)
            end = start + (Self.metres(part).last ?? 0)
        }
        metresBefore[metresBefore.count - 1] += max(0, (metres.last ?? 0) - end)
    }

    /// The rings since the last run are filled by a rule.
    private func endFill(_ rule: FillRule) {
        if rings.count > fills.last?.end ?? 0 { fills.append((rings.count, rule)) }
    }

    /// Adds what is inside a ring, and the line along it.
    private func add(_ ring: WorldRing) {
        var (points, scratch): ([PlanePoint], [PlanePoint]) = (ring.points, [])
        let isOnMap = Self.isOnMap(points)
        if !isOnMap { Self.mapEdges.clip(&points, scratch: &scratch) }
        let part = points.count > 2 ? ShapePart(points, isClosed: true) : nil
        if let part { rings.append(part) }
        if let part, isOnMap, ring.outline == nil {
            lines.append(part)
        } else if let outline = ring.outline {
            for line in outline { addLine(line, isClosed: false) }
        } else {
            addLine(ring.points, isClosed: true)
        }
    }

    /// The rings of one polygon, on the same copy of the world, outer ones and holes the other way round.
    private static func alignedRings(_ polygon: [[LatLng]]) -> [WorldRing] {
        var rings: [WorldRing] = []
        for (number, ring) in polygon.enumerated() {
            var ring = WorldRing(ring, unwrap(ring))
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

    private func measure() {
        metres = lines.map(Self.metres)
    }

    /// Metres up to each point.
    private static func metres(_ part: ShapePart) -> [Double] {
        var sum = 0.0
        return part.points.indices.map { index in
            if index > 0 { sum += metres(part.points[index - 1], part.points[index], part.curve) }
            return sum
        }
    }

    /// Metres on the ground: along a great circle, or along what is straight on the map.
    private static func metres(_ a: PlanePoint, _ b: PlanePoint, _ curve: ShapePart.Curve) -> Double {
        if curve == .greatCircle {
            return SpherePoint(worldX: a.x, y: a.y).angle(to: SpherePoint(worldX: b.x, y: b.y)) * WebMercator.earthRadius
        }
        let (first, last) = (latitude(a.y), latitude(b.y))
        let (north, step) = (last - first, (b - a) * (2 * .pi))
        let scale = abs(step.y) > 1e-6 ? north / step.y : cos((first + last) / 2)
        return (north * north + scale * scale * step.x * step.x).squareRoot() * WebMercator.earthRadius
    }

    /// In radians.
    private static func latitude(_ y: Double) -> Double { atan(sinh(.pi * (1 - 2 * y))) }

    /// Where one comes going a share of the metres of what is straight on the map: the latitude rises evenly.
    private static func place(_ a: PlanePoint, _ b: PlanePoint, _ share: Double) -> PlanePoint {
        guard abs(b.y - a.y) > 1e-9 else { return a + (b - a) * share }
        let latitude = latitude(a.y) + (latitude(b.y) - latitude(a.y)) * share
        let y = (1 - asinh(tan(latitude)) / .pi) / 2
        return a + (b - a) * min(max((y - a.y) / (b.y - a.y), 0), 1)
    }

    /// A line from some metres on to others.
    private static func slice(_ part: ShapePart, _ metres: [Double], _ from: Double, _ to: Double) -> ShapePart {
        func end(_ distance: Double) -> (index: Int, point: PlanePoint) {
            var (low, high) = (0, metres.count - 1)
            while high - low > 1 {
                let middle = (low + high) / 2
                if metres[middle] <= distance { low = middle } else { high = middle }
            }
            let length = metres[high] - metres[low]
            let share = length > 0 ? min(max((distance - metres[low]) / length, 0), 1) : 0
            return (low, place(part.points[low], part.points[high], share))
        }
        let (first, last) = (end(from), end(to))
        let isCutAtStart = from > 0
        let isCutAtEnd = to < (metres.last ?? 0)
        var points = [isCutAtStart ? first.point : part.points[0]]
        let finish = isCutAtEnd ? last.point : part.points[part.points.count - 1]
        for point in part.points[first.index + 1..<last.index + 1] + [finish] where point != points[points.count - 1] {
            points.append(point)
        }
        // Where nothing is passed, there is still a point.
        if points.count < 2 { points.append(finish) }
        let start = part.distances(ofRefined: Array(part.points[...first.index]) + [first.point]).last ?? part.start
        return ShapePart(
            points, isClosed: false, curve: part.curve, start: isCutAtStart ? start : part.start,
            isCutAtStart: isCutAtStart || part.isCutAtStart, isCutAtEnd: isCutAtEnd || part.isCutAtEnd)
    }
}

/// A ring on the unwrapped world.
private struct WorldRing {
    var points: [PlanePoint]
    /// The lines along it, where they are not all of it: not along ±180°, where data are cut, nor along the map's end.
    var outline: [[PlanePoint]]?

    var low: PlanePoint { points.reduce(PlanePoint(repeating: .infinity)) { pointwiseMin($0, $1) } }
    var high: PlanePoint { points.reduce(PlanePoint(repeating: -.infinity)) { pointwiseMax($0, $1) } }

    init(_ places: [LatLng], _ unwrapped: [PlanePoint]) {
        var points = unwrapped
        if points.count > 1, places.first == places.last { points.removeLast() }
        self.points = points
        guard points.count > 2 else { return }
        let count = points.count
        let step = points[0].x - points[count - 1].x
        let turns = (points[count - 1].x + (step - step.rounded(.toNearestOrEven)) - points[0].x).rounded()
        if turns == 0, high.x - low.x < 1e-12, places.allSatisfy({ abs($0.lng) <= 180 }) {
            // Corners on ±180° alone: the way round is what was written, when there is one.
            self.points = (0..<count).map { PlanePoint((places[$0].lng + 180) / 360, points[$0].y) }
            return
        }
        // Neighbours on ±180° stand where a ring was cut in two there.
        func isCut(_ index: Int) -> Bool {
            abs(places[index].lng) == 180 && abs(places[(index + 1) % count].lng) == 180
        }
        var line = points
        if turns != 0 { line.append(points[0] + PlanePoint(turns, 0)) }
        if turns != 0 || (0..<count).contains(where: isCut) {
            outline = Self.lines(turns == 0 ? points + [points[0]] : line, isCut: isCut, isClosed: turns == 0)
        }
        if abs(turns) == 1 { close(turns, pole: points.reduce(0) { $0 + $1.y } / Double(count) > 0.5 ? 1 : 0) }
    }

    /// A ring that goes on.
    /// - Parameter pole: The edge of the map along which it is closed, when it winds round the world.
    init(_ points: [PlanePoint], pole: Double?) {
        self.points = points
        if let pole, let first = points.first, let last = points.last {
            let turns = last.x > first.x ? 1.0 : -1
            outline = [points + [first + PlanePoint(turns, 0)]]
            close(turns, pole: pole)
        }
    }

    private mutating func close(_ turns: Double, pole: Double) {
        // Beyond all of its own points, so that nothing crosses there; what lies beyond the map is cut off.
        let (first, y) = (points[0], pole > 0 ? 2.0 : -1)
        points.append(first + PlanePoint(turns, 0))
        points.append(PlanePoint(first.x + turns, y))
        points.append(PlanePoint(first.x, y))
    }

    mutating func move(by worlds: Double) {
        guard worlds != 0 else { return }
        for index in points.indices { points[index].x += worlds }
        outline = outline?.map { $0.map { PlanePoint($0.x + worlds, $0.y) } }
    }

    /// A line in pieces, without some of its edges.
    private static func lines(_ line: [PlanePoint], isCut: (Int) -> Bool, isClosed: Bool) -> [[PlanePoint]] {
        var lines: [[PlanePoint]] = []
        var current = [line[0]]
        for index in 0..<line.count - 1 {
            if isCut(index) {
                lines.append(current)
                current = [line[index + 1]]
            } else {
                current.append(line[index + 1])
            }
        }
        // A ring goes on over its first point.
        if isClosed, lines.count > 0 { lines[0] = current + lines[0].dropFirst() } else { lines.append(current) }
        return lines.filter { $0.count > 1 }
    }
}

extension SmallCircle {
    /// Points all round, and their bearings.
    fileprivate func ring(near x: Double, tolerance: Double) -> (points: [PlanePoint], bearings: [Double]) {
        let count = 64
        var points = [point(bearing: 0, near: x)]
        var bearings = [0.0]
        for number in 1...count {
            let (first, second) = (Double(number - 1) / Double(count) * 2 * .pi, Double(number) / Double(count) * 2 * .pi)
            let (a, b) = (points[points.count - 1], point(bearing: number == count ? 0 : second, near: points[points.count - 1].x))
            subdivide(a, first, b, second, tolerance, { _, _, _ in true }, &points, bearings: &bearings)
            points.append(b)
            bearings.append(second)
        }
        points.removeLast()
        bearings.removeLast()
        return (points, bearings)
    }
}

extension SpherePoint {
    /// A share of the way to another, which is at an angle in radians.
    fileprivate func between(_ other: SpherePoint, _ share: Double, _ angle: Double) -> SpherePoint {
        let sine = sin(angle)
        guard sine > 1e-9 else { return share < 0.5 ? self : other }
        let sum = vector * (sin((1 - share) * angle) / sine) + other.vector * (sin(share * angle) / sine)
        return SpherePoint(vector: sum / (sum * sum).sum().squareRoot())
    }
}

private func decimals(_ degrees: Double) -> String { fixed(degrees, 3) }
