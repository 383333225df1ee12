/// The projection of a camera, stored as one flat value. It projects world offsets in pt to the screen, also in pt, and screen points
/// back to the ground.
///
/// For a world offset (x, y) in pt from the view's center, where x points east and y south, a height in pt, a bearing b and a tilt t:
///
///     right = x cos b + y sin b      up = x sin b - y cos b
///     depth = D + up sin t - height cos t
///     screen x = opticalX + D right / depth    screen y = opticalY - D (up cos t + height sin t) / depth
///
/// This is the pinhole camera of MapLibre GL, with a vertical field of view of 2·atan(1/3); therefore D = 1.5 · picture height. All
/// projection code uses this type. Loops over many points keep a copy of the projection, so that its numbers stay in registers.
// Other modules inline the functions only if the type and the properties that the functions read are `@usableFromInline`.
@usableFromInline
package struct ViewProjection: Hashable, Sendable {
    /// The size of the world in pt.
    @usableFromInline package let worldSize: Double
    /// The view's center, as fractions of the world's size.
    @usableFromInline package let centerX: Double
    @usableFromInline package let centerY: Double
    @usableFromInline package let sinBearing: Double
    @usableFromInline package let cosBearing: Double
    @usableFromInline package let sinTilt: Double
    @usableFromInline package let cosTilt: Double
    /// The distance D in pt from the camera to the view's center.
    @usableFromInline package let distance: Double
    /// The position of the optical center on the screen, in pt.
    @usableFromInline package let opticalX: Double
    @usableFromInline package let opticalY: Double
    /// The depths in pt between which primitives are drawn; primitives exactly at these depths are not drawn.
    @usableFromInline package let near: Double
    @usableFromInline package let far: Double

    package init(
        camera: Camera, size: PointSize
    ) {
        worldSize = WebMercator.worldSize(zoom: camera.zoom)
        centerX = WebMercator.x(lng: camera.center.lng)
        centerY = WebMercator.uncheckedY(lat: camera.center.lat)
        let inset = camera.contentInset
        opticalX = (inset.left + size.width - inset.right) / 2
        opticalY = (inset.top + size.height - inset.bottom) / 2
        distance = Self.distance(pictureHeight: size.height)
        (sinBearing, cosBearing) = sinCos(degrees: camera.bearing)
        (sinTilt, cosTilt) = sinCos(degrees: camera.tilt)
        near = Self.nearDepth(pictureHeight: size.height)
        far = Self.farDepth(pictureHeight: size.height)
    }
}

extension ViewProjection {
    /// The distance in pt from the camera to the view's center, given the picture's height in pt. The vertical field of view is
    /// 2·atan(1/3).
    package static func distance(pictureHeight: Double) -> Double { 1.5 * pictureHeight }

    /// The depth in pt up to which nothing is drawn, given the picture's height in pt.
    package static func nearDepth(pictureHeight: Double) -> Double { pictureHeight / 50 }

    /// The depth in pt beyond which nothing is drawn, given the picture's height in pt.
    package static func farDepth(pictureHeight: Double) -> Double { 20 * distance(pictureHeight: pictureHeight) }

    /// Rotates a vector on the ground by the bearing. The components of the result point to the right and up, as seen from above.
    @inlinable
    package func turned(x: Double, y: Double) -> (right: Double, up: Double) {
        (x * cosBearing + y * sinBearing, x * sinBearing - y * cosBearing)
    }

    /// The depth of a point in pt: the distance from the camera along the optical axis.
    /// - Parameters:
    ///   - up: The point's distance in pt from the view's center, measured along the ground toward the top of the screen.
    ///   - height: The point's height above the ground in pt.
    @inlinable
    package func depth(up: Double, height: Double) -> Double {
        distance + up * sinTilt - height * cosTilt
    }

    /// The point's distance in pt above the view's center, measured in the plane that passes through the center and faces the camera.
    @inlinable
    package func rise(up: Double, height: Double) -> Double {
        up * cosTilt + height * sinTilt
    }

    /// Projects a world offset in pt, at a height in pt, to the screen. The resulting depth may be outside `near`…`far`.
    @inlinable
    package func project(x: Double, y: Double, height: Double) -> ScreenPoint {
        let (right, up) = turned(x: x, y: y)
        let depth = depth(up: up, height: height)
        let scale = distance / depth
        return ScreenPoint(x: opticalX + right * scale, y: opticalY - rise(up: up, height: height) * scale, depth: depth)
    }

    /// Rotates a vector (east, south, up) into the camera's axes: (right on the screen, up on the screen, away from the camera).
    @inlinable
    package func turned(_ step: SIMD3<Double>) -> SIMD3<Double> {
        let (right, up) = turned(x: step.x, y: step.y)
        return SIMD3(right, rise(up: up, height: step.z), up * sinTilt - step.z * cosTilt)
    }

    /// Converts an offset (east, south, up) in pt from the view's center to camera space, also in pt, where z is the depth.
    @inlinable
    package func cameraSpace(_ offset: SIMD3<Double>) -> SIMD3<Double> {
        turned(offset) + SIMD3(0, 0, distance)
    }

    /// The screen position in pt of a point in front of the camera.
    /// - Parameter place: The point in camera space, in pt.
    @inlinable
    package func screenPoint(_ place: SIMD3<Double>) -> SIMD2<Double> {
        let scale = distance / place.z
        return SIMD2(opticalX + place.x * scale, opticalY - place.y * scale)
    }

    /// Reverses `turned(x:y:)`, and adds a height. The result is (east, south, up) in pt.
    @inlinable
    package func world(right: Double, up: Double, height: Double) -> SIMD3<Double> {
        SIMD3(right * cosBearing + up * sinBearing, right * sinBearing - up * cosBearing, height)
    }

    /// The ray from the camera through a screen point given in pt. The direction is the displacement per pt of depth; origin and
    /// direction are (east, south, up).
    package func ray(through point: SIMD2<Double>) -> (origin: SIMD3<Double>, direction: SIMD3<Double>) {
        let (x, y) = ((point.x - opticalX) / distance, (opticalY - point.y) / distance)
        return (
            world(right: 0, up: -distance * sinTilt, height: distance * cosTilt),
            world(right: x, up: y * cosTilt + sinTilt, height: y * sinTilt - cosTilt)
        )
    }

    /// The world offset in pt from the view's center to the ground under a screen point given in pt; nil if that point is on or above the
    /// horizon. The ground there may lie beyond the far limit or outside the square of the world.
    package func groundOffset(x: Double, y: Double) -> (x: Double, y: Double)? {
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
