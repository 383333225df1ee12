import CWaymarkGLES

/// A column-major 4 × 4 matrix of doubles; `column3` of an affine matrix is its translation.
package struct Matrix4: Equatable, Sendable {
    package var column0, column1, column2, column3: SIMD4<Double>

    package init(_ column0: SIMD4<Double>, _ column1: SIMD4<Double>, _ column2: SIMD4<Double>, _ column3: SIMD4<Double>) {
        self.column0 = column0
        self.column1 = column1
        self.column2 = column2
        self.column3 = column3
    }
}

extension Matrix4 {
    /// The matrix from world offsets (east, south, height) in pt from the center to clip space, with row 0 at the top of the picture; clip
    /// w is the depth. Calls `wm_view_projection`, whose comment has the formula.
    /// - Parameter offset: The optical center in pt from the middle of the viewport, y down.
    package static func viewProjection(
        width: Double, height: Double, distance: Double, tilt: Double, bearing: Double, offset: SIMD2<Double> = .zero, near: Double,
        far: Double
    ) -> Self {
        var camera = wm_camera(
            width: width, height: height, distance: distance, tilt_degrees: tilt, bearing_degrees: bearing, offset_x: offset.x,
            offset_y: offset.y,
            near_depth: near, far_depth: far)
        return Self { wm_view_projection(&camera, $0) }
    }

    /// The product, which applies `right` first. Calls `wm_multiply`.
    package static func * (left: Self, right: Self) -> Self {
        let (left, right) = (left.values, right.values)
        return Self { wm_multiply(left, right, $0) }
    }

    /// The matrix applied to a column vector.
    package static func * (left: Self, right: SIMD4<Double>) -> SIMD4<Double> {
        left.column0 * right.x + left.column1 * right.y + left.column2 * right.z + left.column3 * right.w
    }

    /// The 16 elements, column by column.
    package var values: [Double] {
        [column0, column1, column2, column3].flatMap { [$0.x, $0.y, $0.z, $0.w] }
    }
}

/// Sine and cosine of an angle in degrees, exact at every multiple of 90. Calls `wm_sincos_degrees`.
package func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
    var sine = 0.0
    var cosine = 0.0
    wm_sincos_degrees(degrees, &sine, &cosine)
    return (sine, cosine)
}

extension Matrix4 {
    fileprivate init(_ fill: (UnsafeMutablePointer<Double>?) -> Void) {
        let m = [Double](unsafeUninitializedCapacity: 16) { buffer, count in
            fill(buffer.baseAddress)
            count = 16
        }
        self.init(
            [m[0], m[1], m[2], m[3]], [m[4], m[5], m[6], m[7]], [m[8], m[9], m[10], m[11]], [m[12], m[13], m[14], m[15]])
    }
}
