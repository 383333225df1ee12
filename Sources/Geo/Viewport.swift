import Foundation

/// A width and a height in pt.
public struct PointSize: Hashable, Sendable {
    /// The width in pt.
    public var width: Double
    /// The height in pt.
    public var height: Double

    /// Creates a size without checking it; the size is checked when it is used.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}

/// A camera together with the size of the picture. It converts between coordinates and screen points.
///
/// The page Coordinate Systems contains the formulas. A viewport knows nothing about overlays. Its initializer never clamps a value.
public struct Viewport: Hashable, Sendable {
    /// The camera.
    public let camera: Camera
    /// The picture's size in pt.
    public let size: PointSize
    /// The number of device pixels per pt.
    public let pixelRatio: Double

    /// The picture's width in device pixels: the width in pt multiplied by the pixel ratio, with halves rounded up.
    public let deviceWidth: Int
    /// The picture's height in device pixels: the height in pt multiplied by the pixel ratio, with halves rounded up.
    public let deviceHeight: Int

    /// The camera's projection.
    @usableFromInline package let projection: ViewProjection

    /// The valid pixel ratios, in device pixels per pt.
    public static let pixelRatioRange = 0.5...8.0
    /// The valid lengths of each side of the picture, in device pixels.
    public static let deviceSideRange = 1...65_535
    /// The number of device pixels in a picture must be below this limit.
    public static let maxDevicePixels = 1_000_000_000

    /// Creates a viewport from a camera, a size and a pixel ratio.
    /// - Throws: `PropertyError` for the first value that is out of range, in the order pixel ratio, size, camera.
    public init(camera: Camera, size: PointSize, pixelRatio: Double = 1) throws(PropertyError) {
        try PropertyError.check(pixelRatio, in: Self.pixelRatioRange, "pixelRatio")
        let width = try Self.deviceSide(size.width, pixelRatio, "size.width")
        let height = try Self.deviceSide(size.height, pixelRatio, "size.height")
        guard width * height < Self.maxDevicePixels else {
            throw PropertyError(path: "size", problem: "\(width) × \(height) device pixels exceed the limit of 999999999")
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

/// A point projected to the screen.
public struct ScreenPoint: Hashable, Sendable {
    /// The distance in pt from the picture's left edge.
    public var x: Double
    /// The distance in pt from the picture's top edge.
    public var y: Double
    /// The distance in pt from the camera along the optical axis. At the view's center, it equals `Viewport.cameraDistance`.
    public var depth: Double

    @inlinable
    public init(x: Double, y: Double, depth: Double) {
        self.x = x
        self.y = y
        self.depth = depth
    }
}

extension Viewport {
    /// The width and height of the world in pt.
    public var worldSize: Double { projection.worldSize }
    /// The x coordinate of the view's center, as a fraction of the world's size.
    public var centerX: Double { projection.centerX }
    /// The y coordinate of the view's center, as a fraction of the world's size.
    public var centerY: Double { projection.centerY }
    /// The distance in pt of the optical center from the picture's left edge.
    public var opticalX: Double { projection.opticalX }
    /// The distance in pt of the optical center from the picture's top edge.
    public var opticalY: Double { projection.opticalY }
    /// The distance in pt from the camera to the view's center: 1.5 times the picture's height.
    public var cameraDistance: Double { projection.distance }
    package var sinBearing: Double { projection.sinBearing }
    package var cosBearing: Double { projection.cosBearing }
    package var sinTilt: Double { projection.sinTilt }
    package var cosTilt: Double { projection.cosTilt }

    /// The near limit in pt, a fiftieth of the picture's height. Only primitives at a greater depth are drawn.
    public var nearDepth: Double { projection.near }
    /// The far limit in pt, 20 times `cameraDistance`. Only primitives at a smaller depth are drawn.
    public var farDepth: Double { projection.far }

    /// Projects a point to the screen. The point is given as a world offset from the view's center and a height, all in pt. The resulting
    /// depth may be outside `nearDepth`…`farDepth`.
    public func project(offsetX: Double, offsetY: Double, height: Double) -> ScreenPoint {
        projection.project(x: offsetX, y: offsetY, height: height)
    }

    /// The world offset in pt from the view's center to the nearest copy of a coordinate; nil if the coordinate is invalid, or beyond the
    /// map's edges at ±85.051129°.
    public func worldOffset(of position: LatLng) -> (x: Double, y: Double)? {
        guard position.isValid, let y = WebMercator.y(lat: position.lat) else { return nil }
        var dx = WebMercator.x(lng: position.lng) - centerX
        dx -= dx.rounded(.toNearestOrEven)
        return (dx * worldSize, (y - centerY) * worldSize)
    }

    /// The number of meters on the ground per pt of the map, at a latitude in degrees.
    public func metersPerPoint(atLatitude lat: Double) -> Double {
        WebMercator.metersPerPoint(lat: lat, worldSize: worldSize)
    }

    /// The inverse of `metersPerPoint(atLatitude:)`.
    package func pointsPerMeter(atLatitude lat: Double) -> Double {
        WebMercator.pointsPerMeter(lat: lat, worldSize: worldSize)
    }

    /// The screen point, in pt, of a coordinate at its altitude. Nil if the coordinate is invalid, underground, beyond the map's edges at
    /// ±85.051129°, behind the camera, or not between the near and far limits. The point may lie outside the picture.
    public func point(from position: LatLng) -> CGPoint? {
        guard let offset = worldOffset(of: position), position.altitude >= 0 else { return nil }
        let height = position.altitude == 0 ? 0 : position.altitude * pointsPerMeter(atLatitude: position.lat)
        let point = project(offsetX: offset.x, offsetY: offset.y, height: height)
        guard point.depth > nearDepth, point.depth < farDepth else { return nil }
        return CGPoint(x: point.x, y: point.y)
    }

    /// The world offset in pt from the view's center to the ground under a screen point, which is also in pt. Nil if the screen point is on
    /// or above the horizon. The ground may lie beyond the far limit or outside the square of the world.
    public func groundOffset(at point: CGPoint) -> (x: Double, y: Double)? {
        projection.groundOffset(x: point.x, y: point.y)
    }

    /// The coordinate on the ground under a screen point given in pt. Nil if the screen point is above the horizon, if the ground there is
    /// not between the near and far limits, or if it lies beyond the map's northern or southern edge. The longitude is in [-180, 180).
    public func geoCoordinates(from point: CGPoint) -> LatLng? {
        guard let offset = groundOffset(at: point) else { return nil }
        let depth = project(offsetX: offset.x, offsetY: offset.y, height: 0).depth
        guard depth > nearDepth, depth < farDepth else { return nil }
        let y = centerY + offset.y / worldSize
        guard (0...1).contains(y) else { return nil }
        let x = WebMercator.wrap(centerX + offset.x / worldSize)
        return LatLng(lat: WebMercator.latitude(fromY: y), lng: WebMercator.longitude(fromX: x))
    }

    /// The screen y of the horizon in pt; there is no ground above it. Nil if the camera looks straight down.
    public var horizonY: Double? {
        sinTilt > 0 ? opticalY - cameraDistance * cosTilt / sinTilt : nil
    }

    /// The screen y, in pt, of the ground at the far limit, where drawing ends; nil if the camera looks straight down.
    public var farLimitY: Double? {
        guard sinTilt > 0 else { return nil }
        let u = (farDepth - cameraDistance) / sinTilt
        return opticalY - cameraDistance * u * cosTilt / farDepth
    }

    /// The four corners of the visible ground, as world offsets in pt from the view's center. On the screen they are the upper left,
    /// upper right, lower right and lower left corners. If the far limit is visible in the picture, the upper corners lie on it.
    public var groundCorners: [(x: Double, y: Double)] {
        let top = max(0, farLimitY ?? 0)
        let corners = [(0, top), (size.width, top), (size.width, size.height), (0, size.height)]
        return corners.compactMap { groundOffset(at: CGPoint(x: $0.0, y: $0.1)) }
    }

    /// The bounding box of the visible ground. It contains all longitudes if the view is as wide as the world.
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
