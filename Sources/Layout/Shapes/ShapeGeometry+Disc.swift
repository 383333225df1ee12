import Foundation
import WaymarkGeo
import WaymarkRaster

extension ShapeGeometry {
    /// The area within `radius` meters of a place, on the sphere.
    static func disc(_ center: LatLng, radius: Double) -> ShapeGeometry {
        var geometry = ShapeGeometry()
        guard radius > 0 else { return geometry }
        let angle = radius / WebMercator.earthRadius
        let circle = SmallCircle(center: SpherePoint(lat: center.lat, lng: center.lng), angle: angle)
        let toNorth = (90 - center.lat) * .pi / 180
        let holdsNorth = angle > toNorth
        let holdsSouth = angle > .pi - toNorth
        let x = WebMercator.x(lng: center.lng)
        // A circle that contains both poles surrounds its exterior on the opposite side of the earth.
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

extension SmallCircle {
    /// The points around the circle, and their bearings in radians.
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
