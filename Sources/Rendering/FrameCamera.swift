import WaymarkFrame
import WaymarkGPU

/// The matrices of a frame, as uniforms of every pipeline.
struct FrameCamera {
    let uniforms: [Uniform]

    /// - Parameter region: The rectangle of the picture, in device pixels, that the target shows.
    init(_ frame: Frame, region: WaymarkFrame.PixelRect) {
        let ground = frame.ground
        let distance = 1.5 * ground.height
        let view = Matrix4.viewProjection(
            width: ground.width, height: ground.height, tilt: ground.tilt, bearing: ground.bearing,
            offset: [ground.opticalOffsetX, ground.opticalOffsetY], near: ground.height / 50, far: 20 * distance)
        // From the clip space of the whole view, whose size is in pt, to that of the region in whole device pixels.
        let scaleX = ground.width * ground.pixelRatio / Double(region.width)
        let scaleY = ground.height * ground.pixelRatio / Double(region.height)
        let shiftX = scaleX - 1 - 2 * (Double(region.x) + ground.originX) / Double(region.width)
        let shiftY = scaleY - 1 - 2 * (Double(region.y) + ground.originY) / Double(region.height)
        let toRegion = Matrix4([scaleX, 0, 0, 0], [0, scaleY, 0, 0], [0, 0, 1, 0], [shiftX, shiftY, 0, 1])
        let screen = SIMD4<Float>(
            Float(2 / Double(region.width)), Float(2 / Double(region.height)), Float(-1 - 2 * Double(region.x) / Double(region.width)),
            Float(-1 - 2 * Double(region.y) / Double(region.height)))
        // Seen from above at the slant of the view, one device pixel is so many pt of ground.
        let slant = max(sineAndCosine(degrees: ground.tilt).cosine, 0.01)
        uniforms = [
            Uniform("groundToClip", .matrix4(toRegion * view)),
            Uniform("screenToClip", .vector4(screen)),
            Uniform("groundPixel", .vector2([Float(1 / (ground.pixelRatio * slant)), Float(1 / distance)])),
        ]
    }
}
