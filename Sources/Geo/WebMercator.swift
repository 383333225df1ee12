import Foundation

/// The Web Mercator projection (EPSG:3857) onto the unit square: x increases eastward from 0 at 180° W, and y increases southward from 0
/// at 85.051129° N.
///
/// World coordinates are x and y multiplied by the world's size in pt. All coordinates are of type `Double`.
public enum WebMercator {
    /// The radius of the sphere in meters (the semi-major axis of WGS 84), used for the projection and for all lengths on the ground.
    public static let earthRadius = 6_378_137.0
    /// The latitude in degrees of the map's northern edge. At this latitude, y differs from 0 by less than a hundred-millionth of the
    /// world's height (about 15 pt at zoom 22). The world is therefore a square.
    public static let maxLatitude = 85.051129

    /// The size of the world in pt at a zoom level: 512 · 2^zoom.
    public static func worldSize(zoom: Double) -> Double {
        512 * exp2(zoom)
    }

    /// The x coordinate of a longitude in degrees, as a fraction of the world's width in [0, 1).
    public static func x(lng: Double) -> Double {
        wrap(unwrappedX(lng))
    }

    /// The y coordinate of a latitude in degrees, as a fraction of the world's height; nil beyond ±85.051129°, which is outside the square.
    public static func y(lat: Double) -> Double? {
        guard abs(lat) <= maxLatitude else { return nil }
        return uncheckedY(lat: lat)
    }

    /// The longitude in degrees of a position given as a fraction of the world's width.
    public static func longitude(fromX x: Double) -> Double {
        x * 360 - 180
    }

    /// The latitude in degrees of a position given as a fraction of the world's height.
    public static func latitude(fromY y: Double) -> Double {
        atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi
    }

    /// The number of meters on the ground per pt of the map: 2πR cos φ / W for a latitude φ in degrees and a world size W in pt.
    public static func metersPerPoint(lat: Double, worldSize: Double) -> Double {
        1 / pointsPerMeter(lat: lat, worldSize: worldSize)
    }

    /// The inverse of `metersPerPoint`, computed without a second division, so that it is rounded only once.
    package static func pointsPerMeter(lat: Double, worldSize: Double) -> Double {
        worldSize / (2 * .pi * earthRadius * cos(lat * .pi / 180))
    }

    package static func unwrappedX(_ lng: Double) -> Double {
        (lng + 180) / 360
    }

    package static func wrap(_ x: Double) -> Double {
        let wrapped = x - x.rounded(.down)
        return wrapped < 1 ? wrapped : 0
    }

    package static func uncheckedY(lat: Double) -> Double {
        // asinh(tan φ) = ln tan(π/4 + φ/2), but exact at the equator.
        (1 - asinh(tan(lat * .pi / 180)) / .pi) / 2
    }
}

/// The sine and cosine of an angle in degrees. They are exact at multiples of 90, which makes quarter turns of the map exact.
package func sinCos(degrees: Double) -> (sin: Double, cos: Double) {
    let turn = degrees.remainder(dividingBy: 360)
    let quarter = (turn / 90).rounded()
    let rest = (turn - quarter * 90) * .pi / 180
    let (s, c) = (sin(rest), cos(rest))
    switch Int(quarter) & 3 {
    case 0: return (s, c)
    case 1: return (c, -s)
    case 2: return (-s, -c)
    default: return (-c, s)
    }
}
