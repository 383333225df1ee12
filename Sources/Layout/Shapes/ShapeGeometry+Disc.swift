import Foundation
import WaymarkGeo
import WaymarkRaster

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
