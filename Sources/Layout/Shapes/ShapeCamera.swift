import WaymarkGeo
import WaymarkRaster

/// What a camera sees of the plane at some height above the ground: pt from the view's centre in, device pixels out.
struct ShapeCamera {
    private let viewport: Viewport
    private let projection: ViewProjection
    private let pixelRatio: Double
    /// pt above the ground.
    let height: Double
    /// The world in pt.
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
        // Where the plane is nearest: at the bottom of the picture.
        let slope = (viewport.opticalY - viewport.size.height) / viewport.cameraDistance
        let up = (slope * depthOfCenter - rise) / (viewport.cosTilt - slope * viewport.sinTilt)
        let nearest = max(viewport.nearDepth, depthOfCenter + up * viewport.sinTilt)
        let pixels = worldSize * viewport.pixelRatio * viewport.cameraDistance / nearest
        level = pixels.exponent + (pixels.significand > 1 ? 1 : 0)
    }

    /// Device pixels.
    @inline(__always)
    func project(_ point: PlanePoint) -> PlanePoint {
        let seen = projection.project(x: point.x, y: point.y, height: height)
        return PlanePoint(seen.x * pixelRatio, seen.y * pixelRatio)
    }

    /// What is within the picture and some pt around it, and between the nearest and the farthest that is drawn.
    func region(margin: Double) -> ClipRegion {
        let (sin, cos) = (viewport.sinBearing, viewport.cosBearing)
        let distance = viewport.cameraDistance
        // Linear in the place: to the right, up on the ground, and depth.
        let right = HalfPlane(normal: PlanePoint(cos, sin), offset: 0)
        let up = HalfPlane(normal: PlanePoint(sin, -cos), offset: 0)
        let depth = HalfPlane(normal: up.normal * viewport.sinTilt, offset: depthOfCenter)
        // How far up the screen, times depth over distance.
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

    /// The line of `region` that keeps what is behind the camera out, as an outcode.
    var behind: UInt8 { !isFlat || depthOfCenter <= viewport.nearDepth ? 1 : 0 }
}
