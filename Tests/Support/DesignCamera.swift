import Foundation

/// The camera by the formulas of docs/Waymark.docc/CoordinateSystems.md, implemented a second time without the library.
public struct DesignCamera {
    public var lat = 0.0
    public var lng = 0.0
    public var zoom = 0.0
    public var bearing = 0.0
    public var tilt = 0.0
    public var width = 300.0
    public var height = 200.0
    /// The content inset.
    public var top = 0.0
    public var left = 0.0
    public var bottom = 0.0
    public var right = 0.0

    public init() {}

    public var worldSize: Double { 512 * pow(2, zoom) }
    public var distance: Double { 1.5 * height }

    public func world(lat: Double, lng: Double) -> (x: Double, y: Double) {
        let phi = lat * .pi / 180
        return (worldSize * (lng + 180) / 360, worldSize * (1 - log(tan(.pi / 4 + phi / 2)) / .pi) / 2)
    }

    public func pointsPerMeter(lat: Double) -> Double {
        worldSize / (2 * .pi * 6_378_137 * cos(lat * .pi / 180))
    }

    /// A world offset from the center, y down, and a height, all in pt, on the screen.
    public func project(_ x: Double, _ y: Double, height a: Double) -> (x: Double, y: Double, depth: Double) {
        let b = bearing * .pi / 180
        let t = tilt * .pi / 180
        let dx = x * cos(b) + y * sin(b)
        let u = x * sin(b) - y * cos(b)
        let depth = distance + u * sin(t) - a * cos(t)
        let opticalX = left + (width - left - right) / 2
        let opticalY = top + (height - top - bottom) / 2
        return (opticalX + distance * dx / depth, opticalY - distance * (u * cos(t) + a * sin(t)) / depth, depth)
    }

    /// A coordinate on the screen, on the copy of the world given by the unreduced longitudes.
    public func project(lat: Double, lng: Double, altitude: Double = 0) -> (x: Double, y: Double, depth: Double) {
        let point = world(lat: lat, lng: lng)
        let center = world(lat: self.lat, lng: self.lng)
        return project(point.x - center.x, point.y - center.y, height: altitude * pointsPerMeter(lat: lat))
    }
}

extension DesignCamera {
    /// A random camera: any bearing, any size, content insets in half of the cases.
    public init(random: inout SplitMix64, zoom: ClosedRange<Double> = 0...24, tilt: ClosedRange<Double> = 0...80) {
        self.init()
        lat = random.number(-85...85)
        lng = random.number(-180...180)
        self.zoom = random.number(zoom)
        bearing = random.once(in: 4) ? Double(random.integer(-4...4)) * 90 : random.number(-720...720)
        self.tilt = random.once(in: 5) ? tilt.lowerBound : random.number(tilt)
        width = random.number(1...2000).rounded()
        height = random.number(1...2000).rounded()
        if random.once(in: 2) {
            left = random.number(0...width * 0.49)
            right = random.number(0...width * 0.49)
            top = random.number(0...height * 0.49)
            bottom = random.number(0...height * 0.49)
        }
    }
}
