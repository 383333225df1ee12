import CWaymarkGLES

/// The kinds of depth buffers.
package enum DepthBuffer: Equatable, Sendable {
    case none
    /// 24 bits. Clip z runs from −w, the nearest, to w.
    case integer
    /// Floating point, which is as precise far away as it is near (Reed, "Depth Precision Visualized", 2015). Clip z runs from w, the
    /// nearest, to 0, the farthest. Only contexts with `hasReversedDepth` support it.
    case reversed
}

extension DepthBuffer {
    /// The value for clearing.
    var farthest: Float { self == .reversed ? 0 : 1 }

    func format(hasStencil: Bool) -> Int32 {
        switch (self, hasStencil) {
        case (.reversed, true): GL_DEPTH32F_STENCIL8
        case (.reversed, false): GL_DEPTH_COMPONENT32F
        case (_, true): GL_DEPTH24_STENCIL8
        case (_, false): GL_DEPTH_COMPONENT24
        }
    }
}
