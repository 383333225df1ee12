import Foundation

/// Width and height in pt.
public struct PointSize: Hashable, Sendable {
    /// pt across.
    public var width: Double
    /// pt down.
    public var height: Double

    /// A size; nothing is checked before it is used.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}

/// A camera in front of a picture of a certain size: what turns places into screen points and back.
///
/// Its formulas are those of `ViewProjection`. It does not know overlays, and it never clamps.
public struct Viewport: Hashable, Sendable {
    public let camera: Camera
    /// The picture in pt.
    public let size: PointSize
    /// Device pixels for one pt.
    public let pixelRatio: Double

    /// Device pixels: size · ratio, halves rounded up.
    public let deviceWidth: Int
    public let deviceHeight: Int

    /// The camera's arithmetic.
    public let projection: ViewProjection

    /// Device pixels for one pt that a picture may have.
    public static let pixelRatioRange = 0.5...8.0
    /// A side of the picture in device pixels.
    public static let deviceSideRange = 1...65_535
    /// A picture has fewer device pixels than this.
    public static let maxDevicePixels = 1_000_000_000

    /// Throws for the first number out of its range: the size, the pixel ratio, or one of the camera's.
    public init(camera: Camera, size: PointSize, pixelRatio: Double = 1) throws(PropertyError) {
        try PropertyError.check(pixelRatio, in: Self.pixelRatioRange, "pixelRatio")
        let width = try Self.deviceSide(size.width, pixelRatio, "size.width")
        let height = try Self.deviceSide(size.height, pixelRatio, "size.height")
        guard width * height < Self.maxDevicePixels else {
            throw PropertyError(path: "size", problem: "\(width) × \(height) device pixels are not under 1000000000")
        }
        try camera.validate(size: size)
        self.camera = camera
        self.size = size
        self.pixelRatio = pixelRatio
        deviceWidth = width
        deviceHeight = height
        projection = ViewProjection(camera: camera, size: size)
    }

    private static func deviceSide(_ points: Double, _ ratio: Double, _ path: String) throws(PropertyError) -> Int {
        let pixels = (points * ratio + 0.5).rounded(.down)
        guard pixels >= 1, pixels <= Double(deviceSideRange.upperBound) else {
            throw PropertyError(
                path: path,
                problem: "\(plain(points)) pt at pixel ratio \(plain(ratio)) is outside "
                    + "\(deviceSideRange.lowerBound)…\(deviceSideRange.upperBound) device pixels")
        }
        return Int(pixels)
    }
}

/// A place as the camera sees it.
public struct ScreenPoint: Hashable, Sendable {
    /// pt from the picture's left edge.
    public var x: Double
    /// pt from the picture's top edge, downwards.
    public var y: Double
    /// pt from the camera along its axis; `cameraDistance` at the center of the map.
    public var depth: Double

    @inlinable
    public init(x: Double, y: Double, depth: Double) {
        self.x = x
        self.y = y
        self.depth = depth
    }
}

extension Viewport {
    /// World size in pt, and the center's fractions of it.
    public var worldSize: Double { projection.worldSize }
    public var centerX: Double { projection.centerX }
    public var centerY: Double { projection.centerY }
    /// The optical center on the screen, in pt.
    public var opticalX: Double { projection.opticalX }
    public var opticalY: Double { projection.opticalY }
    /// D: pt from the camera to the center of the map.
    public var cameraDistance: Double { projection.distance }
    package var sinBearing: Double { projection.sinBearing }
    package var cosBearing: Double { projection.cosBearing }
    package var sinTilt: Double { projection.sinTilt }
    package var cosTilt: Double { projection.cosTilt }

    /// Depths in pt between which things are drawn: h/50 … 20 D, both ends excluded.
    public var nearDepth: Double { projection.near }
    public var farDepth: Double { projection.far }

    /// Where a world offset in pt from the center, at a height in pt, lies; depth may be outside what is drawn.
    public func project(offsetX: Double, offsetY: Double, height: Double) -> ScreenPoint {
        projection.project(x: offsetX, y: offsetY, height: height)
    }

    /// The world offset in pt from the center of the copy of a coordinate that is nearest to it; nil where the
    /// projection has none.
    public func worldOffset(of position: LatLng) -> (x: Double, y: Double)? {
        guard position.isValid, let y = WebMercator.y(lat: position.lat) else { return nil }
        var dx = WebMercator.x(lng: position.lng) - centerX
        dx -= dx.rounded(.toNearestOrEven)
        return (dx * worldSize, (y - centerY) * worldSize)
    }

    /// pt on the map for one metre at a latitude.
    public func pointsPerMetre(atLatitude lat: Double) -> Double {
        WebMercator.pointsPerMetre(lat: lat, worldSize: worldSize)
    }

    /// Where a coordinate (its altitude included) is seen; nil behind the camera, beyond the far limit, under the
    /// ground and outside the projection. The point may lie outside the picture.
    public func point(from position: LatLng) -> CGPoint? {
        guard let offset = worldOffset(of: position), position.altitude >= 0 else { return nil }
        let height = position.altitude == 0 ? 0 : position.altitude * pointsPerMetre(atLatitude: position.lat)
        let point = project(offsetX: offset.x, offsetY: offset.y, height: height)
        guard point.depth > nearDepth, point.depth < farDepth else { return nil }
        return CGPoint(x: point.x, y: point.y)
    }

    /// The world offset in pt from the center of the ground under a screen point in pt; nil above the horizon.
    /// It may lie beyond the far limit or outside the square of the world.
    public func groundOffset(at point: CGPoint) -> (x: Double, y: Double)? {
        projection.groundOffset(x: point.x, y: point.y)
    }

    /// The coordinate on the ground under a screen point in pt; nil above the horizon, beyond the far limit and
    /// outside the projection. The longitude is in [-180, 180).
    public func geoCoordinates(from point: CGPoint) -> LatLng? {
        guard let offset = groundOffset(at: point) else { return nil }
        let depth = project(offsetX: offset.x, offsetY: offset.y, height: 0).depth
        guard depth > nearDepth, depth < farDepth else { return nil }
        let y = centerY + offset.y / worldSize
        guard (0...1).contains(y) else { return nil }
        let x = WebMercator.wrap(centerX + offset.x / worldSize)
        return LatLng(lat: WebMercator.latitude(fromY: y), lng: WebMercator.longitude(fromX: x))
    }

    /// The screen y in pt above which there is no ground; nil when the camera looks straight down.
    public var horizonY: Double? {
        sinTilt > 0 ? opticalY - cameraDistance * cosTilt / sinTilt : nil
    }

    /// The screen y in pt of ground at the far limit, where the map ends; nil when the camera looks straight down.
    public var farLimitY: Double? {
        guard sinTilt > 0 else { return nil }
        let u = (farDepth - cameraDistance) / sinTilt
        return opticalY - cameraDistance * u * cosTilt / farDepth
    }

    /// The four corners of the ground that is seen, in pt from the center: upper left, upper right, lower right,
    /// lower left on the screen; the upper ones at the far limit where the horizon is in the picture.
    public var groundCorners: [(x: Double, y: Double)] {
        let top = max(0, farLimitY ?? 0)
        let corners = [(0, top), (size.width, top), (size.width, size.height), (0, size.height)]
        return corners.compactMap { groundOffset(at: CGPoint(x: $0.0, y: $0.1)) }
    }

    /// The box of coordinates around all ground that is seen; the whole width when the view is as wide as the world.
    public var visibleBounds: LatLngBounds {
        let corners = groundCorners
        let xs = corners.map { centerX + $0.x / worldSize }
        let ys = corners.map { min(max(centerY + $0.y / worldSize, 0), 1) }
        guard let west = xs.min(), let east = xs.max(), let north = ys.min(), let south = ys.max() else {
            return LatLngBounds(uncheckedSouth: -WebMercator.maxLatitude, west: -180, north: WebMercator.maxLatitude, east: 180)
        }
        let whole = east - west >= 1
        return LatLngBounds(
            uncheckedSouth: WebMercator.latitude(fromY: south),
            west: whole ? -180 : WebMercator.longitude(fromX: WebMercator.wrap(west)),
            north: WebMercator.latitude(fromY: north),
            east: whole ? 180 : WebMercator.longitude(fromX: WebMercator.wrap(east)))
    }
}
