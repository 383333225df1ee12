import WaymarkFrame
import WaymarkGPU
import WaymarkImaging

/// The matrices of a frame for one rectangle of its picture: the uniforms of the pipelines, and the matrix of meshes.
struct FrameCamera {
    let uniforms: [Uniform]
    /// The uniforms with only the matrix from the ground to clip space.
    let groundUniforms: [Uniform]
    private let ground: GroundCamera
    /// The matrix from the clip space of the whole view, whose size is in pt, to that of the region in whole device pixels.
    private let toRegion: Matrix4
    /// The depth per pt to the east, south and up.
    private let depthAxis: SIMD3<Double>

    /// - Parameter region: The rectangle of the picture, in device pixels, that the target shows.
    init(_ frame: Frame, region: PixelRect) {
        let ground = frame.ground
        let scaleX = ground.width * ground.pixelRatio / Double(region.width)
        let scaleY = ground.height * ground.pixelRatio / Double(region.height)
        let shiftX = scaleX - 1 - 2 * (Double(region.x) + ground.originX) / Double(region.width)
        let shiftY = scaleY - 1 - 2 * (Double(region.y) + ground.originY) / Double(region.height)
        let toRegion = Matrix4([scaleX, 0, 0, 0], [0, scaleY, 0, 0], [0, 0, 1, 0], [shiftX, shiftY, 0, 1])
        self.ground = ground
        self.toRegion = toRegion
        let view = Self.view(ground, near: ground.nearDepth, far: ground.farDepth)
        let screen = SIMD4<Float>(
            Float(2 / Double(region.width)), Float(2 / Double(region.height)), Float(-1 - 2 * Double(region.x) / Double(region.width)),
            Float(-1 - 2 * Double(region.y) / Double(region.height)))
        // The ground distance in pt per device pixel at the center, along the view, which tilt foreshortens.
        let (tilt, bearing) = (sineAndCosine(degrees: ground.tilt), sineAndCosine(degrees: ground.bearing))
        let slant = max(tilt.cosine, 0.01)
        depthAxis = [bearing.sine * tilt.sine, -bearing.cosine * tilt.sine, -tilt.cosine]
        groundUniforms = [Uniform("groundToClip", .matrix4(toRegion * view))]
        uniforms =
            groundUniforms + [
                Uniform("screenToClip", .vector4(screen)),
                Uniform("groundPixel", .vector2([Float(1 / (ground.pixelRatio * slant)), Float(1 / ground.distance)])),
            ]
    }

    /// The matrix from world offsets (east, south, up) in pt from the view's center to clip space; clip w is the depth.
    /// - Parameters:
    ///   - depths: The nearest and the farthest depth, both above 0, which are mapped to the depth buffer's range of clip z.
    func worldToClip(_ depths: ClosedRange<Double>, for buffer: DepthBuffer) -> Matrix4 {
        var matrix = toRegion * Self.view(ground, near: depths.lowerBound, far: depths.upperBound)
        if buffer == .reversed {
            // Maps the range -w…w, nearest first, to w…0.
            func reverse(_ column: inout SIMD4<Double>) { column.z = (column.w - column.z) / 2 }
            reverse(&matrix.column0)
            reverse(&matrix.column1)
            reverse(&matrix.column2)
            reverse(&matrix.column3)
        }
        return matrix
    }

    /// The matrix from world offsets (east, south, up) in pt to homogeneous device pixels of the camera's picture; w is the depth.
    var worldToPicture: Matrix4 {
        let view = Self.view(ground, near: ground.nearDepth, far: ground.farDepth)
        let (x, y) = (ground.width * ground.pixelRatio / 2, ground.height * ground.pixelRatio / 2)
        return Matrix4([x, 0, 0, 0], [0, y, 0, 0], [0, 0, 1, 0], [x, y, 0, 1]) * view
    }

    /// The number of device pixels per pt of the world, on a surface seen from the front.
    /// - Parameters:
    ///   - place: The offset (east, south, up) in pt from the view's center.
    ///   - farther: An additional distance from the camera in pt.
    func pixelsPerPoint(at place: SIMD3<Double>, farther: Double) -> Double {
        let depth = ground.distance + (place * depthAxis).sum() + farther
        return ground.pixelRatio * ground.distance / min(max(depth, ground.nearDepth), ground.farDepth)
    }

    private static func view(_ ground: GroundCamera, near: Double, far: Double) -> Matrix4 {
        Matrix4.viewProjection(
            width: ground.width, height: ground.height, distance: ground.distance, tilt: ground.tilt, bearing: ground.bearing,
            offset: [ground.opticalOffsetX, ground.opticalOffsetY], near: near, far: far)
    }
}
