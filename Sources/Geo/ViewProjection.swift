/// The camera's arithmetic, in one flat value: from world offsets in pt to the screen in pt, and back to the ground.
///
/// With world offsets (x, y) in pt from the view's center, y down, and a height in pt, for bearing b and tilt t:
///
///     right = x cos b + y sin b      up = x sin b - y cos b
///     depth = D + up sin t - height cos t
///     screen x = opticalX + D right / depth    screen y = opticalY - D (up cos t + height sin t) / depth
///
/// It is the pinhole camera of MapLibre GL with a vertical field of view of 2·atan(1/3), D = 1.5 · picture height. Everything that
/// projects goes through here; loops over many points keep a copy of it, so that its numbers stay in registers.
public struct ViewProjection: Hashable, Sendable {
    /// The world in pt.
    public let worldSize: Double
    /// The view's center, as fractions of the world.
    public let centerX: Double
    public let centerY: Double
    public let sinBearing: Double
    public let cosBearing: Double
    public let sinTilt: Double
    public let cosTilt: Double
    /// D: pt from the camera to the center of the map.
    public let distance: Double
    /// The optical center on the screen, in pt.
    public let opticalX: Double
    public let opticalY: Double
    /// Depths in pt between which things are drawn, both excluded.
    public let near: Double
    public let far: Double

    package init(
        camera: Camera, size: PointSize
    ) {
        worldSize = WebMercator.worldSize(zoom: camera.zoom)
        centerX = WebMercator.x(lng: camera.center.lng)
        centerY = WebMercator.uncheckedY(lat: camera.center.lat)
        let inset = camera.contentInset
        opticalX = (inset.left + size.width - inset.right) / 2
        opticalY = (inset.top + size.height - inset.bottom) / 2
        distance = 1.5 * size.height
        (sinBearing, cosBearing) = sinCos(degrees: camera.bearing)
        (sinTilt, cosTilt) = sinCos(degrees: camera.tilt)
        near = size.height / 50
        far = 20 * distance
    }
}

extension ViewProjection {
    /// A step on the ground, as seen from above with the bearing up: to the right, and up.
    @inlinable
    public func turned(x: Double, y: Double) -> (right: Double, up: Double) {
        (x * cosBearing + y * sinBearing, x * sinBearing - y * cosBearing)
    }

    /// pt from the camera, along its axis, to a place.
    /// - Parameters:
    ///   - up: How far up the turned ground it is.
    ///   - height: pt above the ground.
    @inlinable
    public func depth(up: Double, height: Double) -> Double {
        distance + up * sinTilt - height * cosTilt
    }

    /// pt up the plane through the center that faces the camera.
    @inlinable
    public func rise(up: Double, height: Double) -> Double {
        up * cosTilt + height * sinTilt
    }

    /// Where a world offset at a height is on the screen; its depth may be outside what is drawn.
    @inlinable
    public func project(x: Double, y: Double, height: Double) -> ScreenPoint {
        let (right, up) = turned(x: x, y: y)
        let depth = depth(up: up, height: height)
        let scale = distance / depth
        return ScreenPoint(x: opticalX + right * scale, y: opticalY - rise(up: up, height: height) * scale, depth: depth)
    }

    /// A step (east, south, up) along the camera's axes: (right, up the screen, away from the camera).
    @inlinable
    public func turned(_ step: SIMD3<Double>) -> SIMD3<Double> {
        let (right, up) = turned(x: step.x, y: step.y)
        return SIMD3(right, rise(up: up, height: step.z), up * sinTilt - step.z * cosTilt)
    }

    /// A place (east, south, up) from the view's center along the camera's axes, from the camera: z is its depth.
    @inlinable
    public func cameraSpace(_ offset: SIMD3<Double>) -> SIMD3<Double> {
        turned(offset) + SIMD3(0, 0, distance)
    }

    /// Where a place in front of the camera is on the screen, in pt.
    /// - Parameter place: In camera space.
    @inlinable
    public func screenPoint(_ place: SIMD3<Double>) -> SIMD2<Double> {
        let scale = distance / place.z
        return SIMD2(opticalX + place.x * scale, opticalY - place.y * scale)
    }

    /// The inverse of `turned(x:y:)`, at a height: (east, south, up).
    @inlinable
    public func world(right: Double, up: Double, height: Double) -> SIMD3<Double> {
        SIMD3(right * cosBearing + up * sinBearing, right * sinBearing - up * cosBearing, height)
    }

    /// The ray through a point of the screen: from the camera, by steps of 1 pt of depth; east, south, up.
    public func ray(through point: SIMD2<Double>) -> (origin: SIMD3<Double>, direction: SIMD3<Double>) {
        let (x, y) = ((point.x - opticalX) / distance, (opticalY - point.y) / distance)
        return (
            world(right: 0, up: -distance * sinTilt, height: distance * cosTilt),
            world(right: x, up: y * cosTilt + sinTilt, height: y * sinTilt - cosTilt)
        )
    }

    /// The world offset in pt of the ground under a screen point in pt; nil above the horizon. It may lie beyond the far limit or
    /// outside the square of the world.
    public func groundOffset(x: Double, y: Double) -> (x: Double, y: Double)? {
        let m = (opticalY - y) / distance
        let slope = cosTilt - m * sinTilt
        guard slope > 0 else { return nil }
        let up = m * distance / slope
        let right = (x - opticalX) * (distance + up * sinTilt) / distance
        guard up.isFinite, right.isFinite else { return nil }
        let place = world(right: right, up: up, height: 0)
        return (place.x, place.y)
    }
}
