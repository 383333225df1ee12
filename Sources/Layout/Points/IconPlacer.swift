import WaymarkFrame
import WaymarkGeo
import WaymarkRaster

/// Turns one icon into its quad in front of a camera. It holds the camera's numbers flat, for the loop over all icons.
struct IconPlacer {
    /// An icon's quad, and whether it is in the picture.
    struct Icon {
        var sprite: Sprite
        /// 0, or why it is not in the picture.
        var reason: UInt8
        /// The unsnapped point of the anchor, in device pixels on the grid.
        var anchorX: Double
        var anchorY: Double
    }

    private let viewport: Viewport
    let worldSize: Double
    let centerX: Double
    let centerY: Double
    let sinBearing: Double
    let cosBearing: Double
    let sinTilt: Double
    let cosTilt: Double
    let distance: Double
    let near: Double
    let far: Double
    let opticalX: Double
    let opticalY: Double
    let ratio: Double
    let deviceWidth: Double
    let deviceHeight: Double

    init(_ viewport: Viewport) {
        self.viewport = viewport
        worldSize = viewport.worldSize
        centerX = viewport.centerX
        centerY = viewport.centerY
        sinBearing = viewport.sinBearing
        cosBearing = viewport.cosBearing
        sinTilt = viewport.sinTilt
        cosTilt = viewport.cosTilt
        distance = viewport.cameraDistance
        near = viewport.nearDepth
        far = viewport.farDepth
        opticalX = viewport.opticalX
        opticalY = viewport.opticalY
        ratio = viewport.pixelRatio
        deviceWidth = Double(viewport.deviceWidth)
        deviceHeight = Double(viewport.deviceHeight)
    }

    /// The quad of an icon on one copy of the world. It is placed whether it is in the picture or not, as long as its
    /// anchor is in front of the camera.
    @inline(__always)
    func place(_ place: Columns.Place, height: Double, copy: Double, _ look: Look) -> Icon {
        let offsetX = (place.x - centerX + copy) * worldSize
        let offsetY = (place.y - centerY) * worldSize
        let height = height * worldSize
        let right = offsetX * cosBearing + offsetY * sinBearing
        let up = offsetX * sinBearing - offsetY * cosBearing
        let depth = distance + up * sinTilt - height * cosTilt
        guard depth > near else { return Icon(sprite: .nowhere, reason: Reason.behindCamera.rawValue, anchorX: 0, anchorY: 0) }
        let scale = distance / depth
        let anchorX = Self.snap((opticalX + right * scale) * ratio)
        let anchorY = Self.snap((opticalY - (up * cosTilt + height * sinTilt) * scale) * ratio)
        var icon = Icon(sprite: .nowhere, reason: 0, anchorX: anchorX, anchorY: anchorY)
        icon.sprite.alpha = look.alpha
        icon.sprite.tint = look.tint
        icon.sprite.image = UInt32(bitPattern: look.raster)
        if look.flags.contains(.flat) {
            lay(&icon, look, offsetX, offsetY, height, depth)
        } else {
            stand(&icon, look, scale)
        }
        if depth >= far {
            icon.reason = Reason.outOfView.rawValue
        }
        return icon
    }

    /// pt from the camera along its axis to a place.
    func depth(of place: Columns.Place, height: Double, copy: Double) -> Double {
        project(
            x: (place.x - centerX + copy) * worldSize, y: (place.y - centerY) * worldSize, z: height * worldSize
        ).depth
    }

    /// Onto the grid of 1/1024 px, halves up.
    @inline(__always)
    static func snap(_ devicePixels: Double) -> Double {
        Self.floor(devicePixels * 1024 + 0.5) / 1024
    }

    /// A floor without a call into the C library, for numbers that fit an `Int`; what does not lies far off any picture.
    @inline(__always)
    static func floor(_ value: Double) -> Double {
        guard abs(value) < 0x1p52 else { return value }
        let whole = Double(Int64(value))
        return whole > value ? whole - 1 : whole
    }

    /// A billboard: parallel to the screen.
    @inline(__always)
    private func stand(_ icon: inout Icon, _ look: Look, _ scale: Double) {
        let size = look.flags.contains(.perspective) ? scale * ratio : ratio
        let width = Double(look.width) * size
        let height = Double(look.height) * size
        if look.flags.contains(.exact) {
            // Whole device pixels: the image's own pixels come back. Built-in images are drawn in whole pixels, too.
            let width = Self.floor(width + 0.5)
            let height = Self.floor(height + 0.5)
            let x = Self.floor(Self.snap(icon.anchorX + Double(look.offsetX) * ratio - Double(look.anchorX) * width) + 0.5)
            let y = Self.floor(Self.snap(icon.anchorY + Double(look.offsetY) * ratio - Double(look.anchorY) * height) + 0.5)
            icon.sprite.x = Float(x)
            icon.sprite.y = Float(y)
            icon.sprite.acrossX = Float(width)
            icon.sprite.downY = Float(height)
            icon.sprite.sampling = .nearest
            icon.reason = outOfView(x, y, x + width, y + height)
            return
        }
        icon.sprite.image = UInt32(bitPattern: look.raster(pixelsPerPoint: size))
        let (sin, cos) = (Double(look.sin), Double(look.cos))
        let acrossX = width * cos
        let acrossY = width * sin
        let downX = -height * sin
        let downY = height * cos
        let x = Self.snap(
            icon.anchorX + Double(look.offsetX) * size - Double(look.anchorX) * acrossX - Double(look.anchorY) * downX)
        let y = Self.snap(
            icon.anchorY + Double(look.offsetY) * size - Double(look.anchorX) * acrossY - Double(look.anchorY) * downY)
        icon.sprite.x = Float(x)
        icon.sprite.y = Float(y)
        icon.sprite.acrossX = Float(acrossX)
        icon.sprite.acrossY = Float(acrossY)
        icon.sprite.downX = Float(downX)
        icon.sprite.downY = Float(downY)
        icon.reason = outOfView(
            x + min(0, acrossX) + min(0, downX), y + min(0, acrossY) + min(0, downY),
            x + max(0, acrossX) + max(0, downX), y + max(0, acrossY) + max(0, downY))
    }

    /// A flat icon: parallel to the ground, north up before its angle turns it.
    private func lay(
        _ icon: inout Icon, _ look: Look, _ offsetX: Double, _ offsetY: Double, _ altitude: Double, _ depth: Double
    ) {
        let size = look.flags.contains(.perspective) ? 1 : depth / distance
        let width = Double(look.width) * size
        let height = Double(look.height) * size
        let (sin, cos) = (Double(look.sin), Double(look.cos))
        let across = (x: width * cos, y: width * sin)
        let down = (x: -height * sin, y: height * cos)
        let anchor = (
            x: Self.snap(offsetX * ratio) / ratio + Double(look.offsetX) * size,
            y: Self.snap(offsetY * ratio) / ratio + Double(look.offsetY) * size
        )
        let x = anchor.x - Double(look.anchorX) * across.x - Double(look.anchorY) * down.x
        let y = anchor.y - Double(look.anchorX) * across.y - Double(look.anchorY) * down.y
        icon.sprite = Sprite(
            x: Float(x), y: Float(y), z: Float(altitude), across: (Float(across.x), Float(across.y)),
            down: (Float(down.x), Float(down.y)), alpha: look.alpha, image: 0, plane: .ground)
        icon.sprite.tint = look.tint
        let (reason, depth) = outOfViewOnGround(icon.sprite)
        icon.reason = reason
        // Where the quad is nearest, so that nothing is blurred; along the view the ground is foreshortened once more than
        // across it, which the mean of both meets half-way.
        let scale = distance / depth
        icon.sprite.image = UInt32(bitPattern: look.raster(pixelsPerPoint: size * ratio * scale * min(1, cosTilt * scale).squareRoot()))
    }

    /// Whether a box in device pixels misses the picture. A box of no size is in it on its edge, too.
    @inline(__always)
    private func outOfView(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> UInt8 {
        let isIn =
            left < right || top < bottom
            ? right > 0 && bottom > 0 && left < deviceWidth && top < deviceHeight
            : right >= 0 && bottom >= 0 && left <= deviceWidth && top <= deviceHeight
        return isIn ? 0 : Reason.outOfView.rawValue
    }

    /// Why a quad on the ground is not in the picture, or 0, and the depth of the corner nearest the camera.
    private func outOfViewOnGround(_ sprite: Sprite) -> (reason: UInt8, depth: Double) {
        let corners = sprite.corners.map { project(x: Double($0.x), y: Double($0.y), z: Double(sprite.z)) }
        let depth = max(near, corners.map(\.depth).min() ?? near)
        let inFront = corners.filter { $0.depth > near }
        guard inFront.count == corners.count else {
            guard !inFront.isEmpty else { return (Reason.behindCamera.rawValue, depth) }
            // It reaches behind the camera while its anchor is before it: under the viewer's feet, or beside them.
            var ring = sprite.corners.map { PlanePoint(Double($0.x), Double($0.y)) }
            var scratch: [PlanePoint] = []
            ShapeCamera(viewport, height: Double(sprite.z)).region(margin: 0).clip(&ring, scratch: &scratch)
            return (ring.count > 2 ? 0 : Reason.outOfView.rawValue, depth)
        }
        let xs = corners.map { $0.x * ratio }
        let ys = corners.map { $0.y * ratio }
        return (outOfView(xs.min() ?? 0, ys.min() ?? 0, xs.max() ?? 0, ys.max() ?? 0), depth)
    }

    /// The corners of an icon as drawn, in pt: from the image's upper left, clockwise; nil when one is behind the camera.
    func corners(of sprite: Sprite) -> [(x: Double, y: Double)]? {
        switch sprite.plane {
        case .screen:
            return sprite.corners.map { (Double($0.x) / ratio, Double($0.y) / ratio) }
        case .ground:
            let corners = sprite.corners.map { project(x: Double($0.x), y: Double($0.y), z: Double(sprite.z)) }
            return corners.allSatisfy { $0.depth > near } ? corners.map { ($0.x, $0.y) } : nil
        }
    }

    /// An icon as drawn in device pixels on the grid; nil when a corner is behind the camera.
    func quad(of sprite: Sprite) -> Quad? {
        corners(of: sprite).map { Quad($0.map { (Self.snap($0.x * ratio), Self.snap($0.y * ratio)) }) }
    }

    /// A point in pt from the view's centre as it is seen, in pt.
    func project(x: Double, y: Double, z: Double) -> ScreenPoint {
        let right = x * cosBearing + y * sinBearing
        let up = x * sinBearing - y * cosBearing
        let depth = distance + up * sinTilt - z * cosTilt
        let scale = distance / depth
        return ScreenPoint(x: opticalX + right * scale, y: opticalY - (up * cosTilt + z * sinTilt) * scale, depth: depth)
    }
}

extension Sprite {
    /// No quad yet.
    static let nowhere = Sprite(x: 0, y: 0, across: (0, 0), down: (0, 0), image: 0)

    /// The corners in the sprite's plane: from the image's upper left, clockwise.
    package var corners: [(x: Float, y: Float)] {
        [(x, y), (x + acrossX, y + acrossY), (x + acrossX + downX, y + acrossY + downY), (x + downX, y + downY)]
    }
}
