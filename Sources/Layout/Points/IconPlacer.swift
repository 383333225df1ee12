import WaymarkFrame
import WaymarkGeo
import WaymarkRaster

/// Computes the quad of an icon for a camera.
struct IconPlacer {
    /// An icon's quad and, when it is outside the picture, the reason.
    struct Icon {
        var sprite: Sprite
        /// The reason why the icon is outside the picture; nil if it is inside.
        var reason: Reason?
        /// The screen position of the anchor in device pixels: quantized, but not snapped to whole pixels.
        var anchorX: Double
        var anchorY: Double
    }

    let projection: ViewProjection
    let pixelRatio: Double
    /// The picture's size in device pixels.
    private let deviceWidth: Double
    private let deviceHeight: Double
    private let viewport: Viewport

    init(_ viewport: Viewport) {
        self.viewport = viewport
        projection = viewport.projection
        pixelRatio = viewport.pixelRatio
        deviceWidth = Double(viewport.deviceWidth)
        deviceHeight = Double(viewport.deviceHeight)
    }

    /// The quad of an icon on one copy of the world. It is computed even outside the picture, as long as the anchor is in front of the
    /// camera.
    @inline(__always)
    func place(_ place: WorldPoint, height: Double, copy: Double, _ style: IconStyle) -> Icon {
        let (offsetX, offsetY) = offset(of: place, copy: copy)
        let height = height * projection.worldSize
        let point = projection.project(x: offsetX, y: offsetY, height: height)
        guard point.depth > projection.near else { return Icon(sprite: .nowhere, reason: .behindCamera, anchorX: 0, anchorY: 0) }
        let anchorX = quantized(point.x * pixelRatio)
        let anchorY = quantized(point.y * pixelRatio)
        var icon = Icon(sprite: .nowhere, reason: nil, anchorX: anchorX, anchorY: anchorY)
        icon.sprite.alpha = style.alpha
        icon.sprite.tint = style.tint
        icon.sprite.image = UInt32(bitPattern: style.raster)
        if style.flags.contains(.flat) {
            placeFlat(&icon, style, offsetX, offsetY, height, depth: point.depth)
        } else {
            placeBillboard(&icon, style, scale: projection.distance / point.depth)
        }
        if point.depth >= projection.far { icon.reason = .outOfView }
        return icon
    }

    /// The screen position of a place in pt, with its depth.
    func position(of place: WorldPoint, height: Double, copy: Double) -> ModelOccluders.ScreenPosition {
        let anchor = self.place(place, height: height, copy: copy, .empty)
        return ModelOccluders.ScreenPosition(
            x: anchor.anchorX / pixelRatio, y: anchor.anchorY / pixelRatio, depth: depth(of: place, height: height, copy: copy))
    }

    /// The depth of a place: its distance in pt from the camera along the optical axis.
    func depth(of place: WorldPoint, height: Double, copy: Double) -> Double {
        let (x, y) = offset(of: place, copy: copy)
        return projection.project(x: x, y: y, height: height * projection.worldSize).depth
    }

    /// The offset on the ground, in pt east and south, from the view's center to a place on a copy of the world.
    @inline(__always)
    private func offset(of place: WorldPoint, copy: Double) -> (x: Double, y: Double) {
        ((place.x - projection.centerX + copy) * projection.worldSize, (place.y - projection.centerY) * projection.worldSize)
    }

    /// Places a billboard, which is parallel to the screen.
    @inline(__always)
    private func placeBillboard(_ icon: inout Icon, _ style: IconStyle, scale: Double) {
        let size = style.flags.contains(.perspective) ? scale * pixelRatio : pixelRatio
        let width = Double(style.width) * size
        let height = Double(style.height) * size
        if style.flags.contains(.snapped) {
            // The icon is snapped to whole device pixels, so that the raster of this size is shown texel for pixel.
            let width = wholePixels(width)
            let height = wholePixels(height)
            let x = wholePixels(quantized(icon.anchorX + Double(style.offsetX) * pixelRatio - Double(style.anchorX) * width))
            let y = wholePixels(quantized(icon.anchorY + Double(style.offsetY) * pixelRatio - Double(style.anchorY) * height))
            icon.sprite.x = Float(x)
            icon.sprite.y = Float(y)
            icon.sprite.acrossX = Float(width)
            icon.sprite.downY = Float(height)
            icon.sprite.sampling = style.flags.contains(.stretched) ? .linear : .nearest
            icon.reason = outOfView(x, y, x + width, y + height)
            return
        }
        icon.sprite.image = UInt32(bitPattern: style.raster(pixelsPerPoint: size))
        let (sin, cos) = (Double(style.sin), Double(style.cos))
        let acrossX = width * cos
        let acrossY = width * sin
        let downX = -height * sin
        let downY = height * cos
        let x = quantized(
            icon.anchorX + Double(style.offsetX) * size - Double(style.anchorX) * acrossX - Double(style.anchorY) * downX)
        let y = quantized(
            icon.anchorY + Double(style.offsetY) * size - Double(style.anchorX) * acrossY - Double(style.anchorY) * downY)
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

    /// Places a flat icon, which is parallel to the ground. At angle 0 its top faces north.
    private func placeFlat(
        _ icon: inout Icon, _ style: IconStyle, _ offsetX: Double, _ offsetY: Double, _ altitude: Double, depth: Double
    ) {
        let size = style.flags.contains(.perspective) ? 1 : depth / projection.distance
        let width = Double(style.width) * size
        let height = Double(style.height) * size
        let (sin, cos) = (Double(style.sin), Double(style.cos))
        let across = (x: width * cos, y: width * sin)
        let down = (x: -height * sin, y: height * cos)
        let anchor = (
            x: quantized(offsetX * pixelRatio) / pixelRatio + Double(style.offsetX) * size,
            y: quantized(offsetY * pixelRatio) / pixelRatio + Double(style.offsetY) * size
        )
        let x = anchor.x - Double(style.anchorX) * across.x - Double(style.anchorY) * down.x
        let y = anchor.y - Double(style.anchorX) * across.y - Double(style.anchorY) * down.y
        icon.sprite = Sprite(
            x: Float(x), y: Float(y), z: Float(altitude), across: (Float(across.x), Float(across.y)),
            down: (Float(down.x), Float(down.y)), alpha: style.alpha, image: 0, plane: .ground)
        icon.sprite.tint = style.tint
        let (reason, depth) = outOfViewOnGround(icon.sprite)
        icon.reason = reason
        // The scale at the nearest corner, across the view. Reduced copies are used where the scale is smaller, and several samples per
        // pixel along the view, where the ground is foreshortened.
        let scale = projection.distance / depth
        icon.sprite.image = UInt32(bitPattern: style.raster(pixelsPerPoint: size * pixelRatio * scale))
    }

    /// `.outOfView` when a box in device pixels lies outside the picture, otherwise nil. A box without area on the picture's edge is
    /// inside.
    @inline(__always)
    private func outOfView(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> Reason? {
        let isIn =
            left < right || top < bottom
            ? right > 0 && bottom > 0 && left < deviceWidth && top < deviceHeight
            : right >= 0 && bottom >= 0 && left <= deviceWidth && top <= deviceHeight
        return isIn ? nil : .outOfView
    }

    /// The reason why a quad on the ground is outside the picture, nil when it is inside; and the depth of its corner nearest the camera.
    private func outOfViewOnGround(_ sprite: Sprite) -> (reason: Reason?, depth: Double) {
        let near = projection.near
        let corners = projected(sprite)
        let depth = max(near, corners.map(\.depth).min() ?? near)
        let inFront = corners.filter { $0.depth > near }
        guard inFront.count == corners.count else {
            guard !inFront.isEmpty else { return (.behindCamera, depth) }
            // The quad extends behind the camera although its anchor is in front: it lies below or next to the viewer.
            var ring = sprite.corners.map { PlanePoint(Double($0.x), Double($0.y)) }
            var scratch: [PlanePoint] = []
            ShapeCamera(viewport, height: Double(sprite.z)).region(margin: 0).clip(&ring, scratch: &scratch)
            return (ring.count > 2 ? nil : .outOfView, depth)
        }
        let xs = corners.map { $0.x * pixelRatio }
        let ys = corners.map { $0.y * pixelRatio }
        return (outOfView(xs.min() ?? 0, ys.min() ?? 0, xs.max() ?? 0, ys.max() ?? 0), depth)
    }

    /// The corners of a quad on the ground, projected to the screen, in pt.
    private func projected(_ sprite: Sprite) -> [ScreenPoint] {
        sprite.corners.map { projection.project(x: Double($0.x), y: Double($0.y), height: Double(sprite.z)) }
    }

    /// The screen corners of a drawn icon in pt, clockwise from the image's upper left; nil when one is behind the camera.
    func corners(of sprite: Sprite) -> [(x: Double, y: Double)]? {
        switch sprite.plane {
        case .screen:
            return sprite.corners.map { (Double($0.x) / pixelRatio, Double($0.y) / pixelRatio) }
        case .ground:
            let corners = projected(sprite)
            return corners.allSatisfy { $0.depth > projection.near } ? corners.map { ($0.x, $0.y) } : nil
        }
    }

    /// The screen position of a point of a drawn icon in quantized device pixels: (0, 0) is the image's upper left, (1, 1) its lower right.
    /// Nil when the point is behind the camera.
    func point(_ x: Double, _ y: Double, of sprite: Sprite) -> (x: Double, y: Double)? {
        let pointX = Double(sprite.x) + x * Double(sprite.acrossX) + y * Double(sprite.downX)
        let pointY = Double(sprite.y) + x * Double(sprite.acrossY) + y * Double(sprite.downY)
        switch sprite.plane {
        case .screen: return (quantized(pointX), quantized(pointY))
        case .ground:
            let point = projection.project(x: pointX, y: pointY, height: Double(sprite.z))
            guard point.depth > projection.near else { return nil }
            return (quantized(point.x * pixelRatio), quantized(point.y * pixelRatio))
        }
    }

    /// The screen quad of a drawn icon in quantized device pixels; nil when a corner is behind the camera.
    func quad(of sprite: Sprite) -> Quad? {
        corners(of: sprite).map { Quad($0.map { (quantized($0.x * pixelRatio), quantized($0.y * pixelRatio)) }) }
    }
}

extension Sprite {
    /// A sprite without area: the value before placement.
    static let nowhere = Sprite(x: 0, y: 0, across: (0, 0), down: (0, 0), image: 0)

    /// The corners in the sprite's plane, clockwise from the image's upper left.
    package var corners: [(x: Float, y: Float)] {
        [(x, y), (x + acrossX, y + acrossY), (x + acrossX + downX, y + acrossY + downY), (x + downX, y + downY)]
    }
}
