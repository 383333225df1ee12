import WaymarkFrame
import WaymarkGPU
import WaymarkImaging

/// The sky of a frame as uniforms of the shaders that draw it, or that fade something into it.
struct SkyUniforms {
    let sky: FrameSky
    /// The upper left of the target in the camera's picture, in device pixels.
    private let origin: SIMD2<Float>

    /// - Parameter region: The rectangle of the frame that the target shows.
    init(_ sky: FrameSky, of frame: Frame, _ region: PixelRect) {
        self.sky = sky
        origin = [Float(frame.ground.originX + Double(region.x)), Float(frame.ground.originY + Double(region.y))]
    }

    /// The number of rows at the top of a target that the sky affects.
    func rows(of target: Target) -> Int {
        guard let last = sky.fade.lastRow else { return target.height }
        return Int(min(Double(target.height), max(0, (last - Double(origin.y)).rounded(.up))))
    }

    /// The preprocessor definition with which the shaders are compiled.
    var define: String { "EDGES \(sky.fade.edges.count)" }

    /// - Parameters:
    ///   - horizon: The premultiplied color at the horizon, in the order of the target's memory.
    ///   - zenith: The premultiplied color at the picture's upper edge, in the same order.
    func uniforms(_ horizon: SIMD4<Float>, _ zenith: SIMD4<Float>) -> [Uniform] {
        let edges = sky.fade.edges.map { SIMD4(Float($0.x), Float($0.y), Float($0.offset), Float($0.rise)) }
        return [
            Uniform("edges", .vector4s(edges)), Uniform("skyOrigin", .vector2(origin)),
            Uniform("horizonColor", .vector4(horizon)), Uniform("zenithColor", .vector4(zenith)),
        ]
    }

    /// The uniforms with the sky's colors.
    func uniforms(isSwapped: Bool) -> [Uniform] {
        uniforms(Self.stored(sky.horizon, isSwapped), Self.stored(sky.zenith, isSwapped))
    }

    /// The uniforms for fading primitives that lie over others. They fade into the sky's colors if these are opaque, and otherwise into
    /// transparency.
    func uniformsForFading(isSwapped: Bool) -> [Uniform] {
        sky.isOpaque ? uniforms(isSwapped: isSwapped) : uniforms(.zero, .zero)
    }

    /// A color as stored in a target.
    private static func stored(_ color: Color, _ isSwapped: Bool) -> SIMD4<Float> {
        let color = SIMD4<Float>(color)
        return isSwapped ? SIMD4(color.z, color.y, color.x, color.w) : color
    }
}

extension FrameSky {
    /// How pixels fade.
    enum PixelFading {
        /// Pixels fade into the sky. This is for the ground and everything beneath it.
        case ground
        /// Pixels fade into the sky if its colors are opaque, and otherwise into transparency. Clear pixels stay clear. This is for paths
        /// on the ground that lie over other primitives.
        case layer
    }

    /// Fades premultiplied pixels.
    /// - Parameters:
    ///   - pixels: The pixels of a rectangle, row by row.
    ///   - x: The column of the rectangle's upper left in the camera's picture, in device pixels; `y` is its row.
    func fade(_ pixels: UnsafeMutablePointer<UInt32>, width: Int, height: Int, x: Int, y: Int, _ fading: PixelFading) {
        let (horizon, zenith) = (SIMD4<Double>(horizon), SIMD4<Double>(zenith))
        let isShown = fading == .ground || isOpaque
        let isEven = self.fade.edges.allSatisfy { $0.x == 0 }
        let rows = self.fade.lastRow.map { Int(min(Double(height), max(0, ($0 - Double(y)).rounded(.up)))) } ?? height
        for row in 0..<rows {
            let center = Double(y + row) + 0.5
            let line = pixels + row * width
            var share = self.fade.share(Double(x) + 0.5, center)
            var shown = isShown ? zenith + (horizon - zenith) * shareOfHorizon(Double(x) + 0.5, center) : .zero
            // The last pixel and its result, if the share is the same in the whole row. Most neighbors are equal and reuse the result.
            var known: (old: UInt32, new: UInt32)?
            for column in 0..<width {
                let old = line[column]
                if old == 0, fading == .layer { continue }
                if !isEven { share = self.fade.share(Double(x + column) + 0.5, center) }
                guard share > 0 else { continue }
                if !isEven, isShown { shown = zenith + (horizon - zenith) * shareOfHorizon(Double(x + column) + 0.5, center) }
                if let known, known.old == old, isEven {
                    line[column] = known.new
                    continue
                }
                let pixel = SIMD4<Double>(Double(old & 255), Double(old >> 8 & 255), Double(old >> 16 & 255), Double(old >> 24))
                let added = shown * (fading == .ground ? share : share * pixel.w / 255)
                let new = (pixel * (1 - share) + added).rounded(.toNearestOrAwayFromZero)
                line[column] = UInt32(new.x) | UInt32(new.y) << 8 | UInt32(new.z) << 16 | UInt32(new.w) << 24
                known = (old, line[column])
            }
        }
    }
}

extension SIMD4<Double> {
    /// Creates a color from premultiplied bytes.
    fileprivate init(_ color: Color) {
        let bytes = color.premultipliedBytes
        self.init(Double(bytes.red), Double(bytes.green), Double(bytes.blue), Double(bytes.alpha))
    }
}

extension Frame {
    /// The paths and the sky at the bottom of the frame. They are drawn in memory, exactly and the same on every device.
    /// - Returns: The range of the paths, empty if there are none; the sky above them, if any; and the number of commands.
    var bottom: (paths: Range<Int>, sky: FrameSky?, count: Int) {
        var (paths, count) = (0..<0, 0)
        if case .paths(let range)? = commands.first { (paths, count) = (range, 1) }
        guard count < commands.count, case .sky(let sky) = commands[count] else { return (paths, nil, count) }
        return (paths, sky, count + 1)
    }
}
