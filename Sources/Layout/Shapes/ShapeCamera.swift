import WaymarkGeo
import WaymarkRaster

/// The projection of a horizontal plane at a height above the ground. It converts pt relative to the view's center to device pixels.
struct ShapeCamera {
    private let viewport: Viewport
    private let projection: ViewProjection
    private let pixelRatio: Double
    /// The height above the ground in pt.
    let height: Double
    /// The size of the world in pt.
    let worldSize: Double
    let level: Int
    private let depthOfCenter: Double
    private let rise: Double
    private let isFlat: Bool

    init(_ viewport: Viewport, height: Double) {
        self.viewport = viewport
        projection = viewport.projection
        pixelRatio = viewport.pixelRatio
        self.height = height
        worldSize = viewport.worldSize
        depthOfCenter = projection.depth(up: 0, height: height)
        rise = projection.rise(up: 0, height: height)
        isFlat = viewport.sinTilt == 0
        // The plane is nearest at the bottom of the picture.
        let slope = (viewport.opticalY - viewport.size.height) / viewport.cameraDistance
        let up = (slope * depthOfCenter - rise) / (viewport.cosTilt - slope * viewport.sinTilt)
        let nearest = max(viewport.nearDepth, depthOfCenter + up * viewport.sinTilt)
        let pixels = worldSize * viewport.pixelRatio * viewport.cameraDistance / nearest
        level = pixels.exponent + (pixels.significand > 1 ? 1 : 0)
    }

    /// An upper bound on the device pixels per pt: the scale where the plane is nearest to the camera.
    var nearestScale: Double { ShapePart.pixels(level) / worldSize }

    /// Projects a point in pt relative to the view's center to device pixels.
    @inline(__always)
    func project(_ point: PlanePoint) -> PlanePoint {
        let seen = projection.project(x: point.x, y: point.y, height: height)
        return PlanePoint(seen.x * pixelRatio, seen.y * pixelRatio)
    }

    /// The scale of the perspective at a point in pt relative to the view's center: 1 at the center of the view.
    func scale(at point: PlanePoint) -> Double {
        viewport.cameraDistance / projection.depth(up: projection.turned(x: point.x, y: point.y).up, height: height)
    }

    /// The visible region of the plane: the picture with a margin in pt, between the near and far limits.
    func region(margin: Double) -> ClipRegion {
        let (sin, cos) = (viewport.sinBearing, viewport.cosBearing)
        let distance = viewport.cameraDistance
        // These are linear functions of a point: the distance to the right, the distance up the ground, and the depth.
        let right = HalfPlane(normal: PlanePoint(cos, sin), offset: 0)
        let up = HalfPlane(normal: PlanePoint(sin, -cos), offset: 0)
        let depth = HalfPlane(normal: up.normal * viewport.sinTilt, offset: depthOfCenter)
        // The distance up the screen times depth / distance.
        let lift = HalfPlane(normal: up.normal * viewport.cosTilt, offset: rise)
        func sum(_ a: HalfPlane, _ factorA: Double, _ b: HalfPlane, _ factorB: Double, _ offset: Double = 0) -> HalfPlane {
            HalfPlane(normal: a.normal * factorA + b.normal * factorB, offset: a.offset * factorA + b.offset * factorB + offset)
        }
        var planes: [HalfPlane] = []
        if !isFlat || depthOfCenter <= viewport.nearDepth { planes.append(sum(depth, 1, right, 0, -viewport.nearDepth)) }
        if !isFlat || depthOfCenter >= viewport.farDepth { planes.append(sum(depth, -1, right, 0, viewport.farDepth)) }
        planes.append(sum(depth, viewport.opticalX + margin, right, distance))
        planes.append(sum(depth, viewport.size.width + margin - viewport.opticalX, right, -distance))
        planes.append(sum(depth, viewport.opticalY + margin, lift, -distance))
        planes.append(sum(depth, viewport.size.height + margin - viewport.opticalY, lift, distance))
        return ClipRegion(planes)
    }

    /// The outcode bit of the half-plane in `region` that excludes points behind the camera; 0 without such a half-plane.
    var behind: UInt8 { !isFlat || depthOfCenter <= viewport.nearDepth ? 1 : 0 }
}
