/// One of several nested shapes with a common vertical axis. A shape is visible where the next inner shape does not cover it.
///
/// Coverage is computed from areas, not from distances. It is exact in the horizontal direction, and uses sixteen lines per pixel in the
/// vertical direction. Shapes that share an edge leave no seam, because each pixel is divided among them. Only +, −, ×, ÷ and square
/// roots are used, and colors are mixed in integer arithmetic, so every machine draws the same.
struct NestedLayer {
    /// Half the width of the shape at a distance below the upper edge, in points; 0 outside the shape.
    let halfWidth: (Double) -> Double
    private let top: UInt32
    private let bottom: UInt32
    private let end: Double
    private let alpha: Int

    /// Creates a shape with a gradient from `top` at the upper edge to `bottom` at `end` points below it. Colors are straight, as
    /// 0xrrggbb.
    init(top: UInt32, bottom: UInt32, to end: Double = 1, alpha: Int = 255, halfWidth: @escaping (Double) -> Double) {
        self.top = top
        self.bottom = bottom
        self.end = end
        self.alpha = alpha
        self.halfWidth = halfWidth
    }
}

extension [NestedLayer] {
    /// Draws the layers, outermost first, around the vertical center line of a picture of `width` by `height` device pixels.
    func drawn(naturalWidth: Double, naturalHeight: Double, width: Int, height: Int) -> Bitmap {
        var bitmap = Bitmap(width: width, height: height)
        guard width > 0, height > 0 else { return bitmap }
        let pixelsPerPointX = Double(width) / naturalWidth
        let pointsPerPixelY = naturalHeight / Double(height)
        let lines = NestedLayer.linesPerPixel
        let half = (width + 1) / 2
        var coverage = [[Int]](repeating: [Int](repeating: 0, count: half), count: count + 1)
        bitmap.withUnsafeMutablePixels { pixels in
            for y in 0..<height {
                for (index, layer) in enumerated() {
                    coverage[index].withUnsafeMutableBufferPointer { coverage in
                        coverage.update(repeating: 0)
                        for line in 0..<lines {
                            let lineY = (Double(y) + (Double(line) + 0.5) / Double(lines)) * pointsPerPixelY
                            NestedLayer.add(halfWidth: layer.halfWidth(lineY) * pixelsPerPointX, width: width, to: coverage)
                        }
                    }
                }
                let colors = map { $0.premultipliedColor(at: (Double(y) + 0.5) * pointsPerPixelY) }
                for x in 0..<half {
                    var mix = SIMD4<Int32>(repeating: Int32(NestedLayer.fullCoverage / 2))
                    for index in indices { mix &+= colors[index] &* Int32(coverage[index][x] - coverage[index + 1][x]) }
                    let bytes = mix &>> NestedLayer.coverageBits
                    for column in [x, width - 1 - x] {
                        for channel in 0..<4 { pixels[(y * width + column) * 4 + channel] = UInt8(bytes[channel]) }
                    }
                }
            }
        }
        return bitmap
    }
}

private extension NestedLayer {
    static let linesPerPixel = 16
    /// A fully covered pixel has sixteen lines of 256 each.
    static let coverageBits: Int32 = 12
    static let fullCoverage = 1 << 12

    /// Adds the coverage of one line to the left half of a row of pixels, in 256ths; the right half is its mirror image.
    static func add(halfWidth: Double, width: Int, to coverage: UnsafeMutableBufferPointer<Int>) {
        guard halfWidth > 0 else { return }
        let left = Double(width) / 2 - halfWidth
        let right = Double(width) / 2 + halfWidth
        func addEdge(_ x: Int) {
            let covered = Swift.min(right, Double(x + 1)) - Swift.max(left, Double(x))
            if covered > 0 { coverage[x] += Int(covered * 256 + 0.5) }
        }
        let first = max(0, Int(left))
        addEdge(first)
        let inside = first + 1..<max(first + 1, Swift.min(Int(right), coverage.count))
        for x in inside { coverage[x] += 256 }
        for x in inside.upperBound..<max(inside.upperBound, coverage.count) { addEdge(x) }
    }

    /// The layer's color at `y` points below the upper edge, premultiplied by its alpha.
    func premultipliedColor(at y: Double) -> SIMD4<Int32> {
        let progress = Swift.min(Swift.max(y / end, 0), 1)
        var color = SIMD4<Int32>(0, 0, 0, Int32(alpha))
        for (channel, shift) in [16, 8, 0].enumerated() {
            let start = Double(top >> shift & 255)
            let end = Double(bottom >> shift & 255)
            color[channel] = (Int32(start + (end - start) * progress + 0.5) * Int32(alpha) + 127) / 255
        }
        return color
    }
}
