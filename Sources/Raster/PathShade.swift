/// A strip of a path. The color of the strip changes evenly from one end to the other.
///
/// The shades of a path determine the color of each pixel; only the contours determine how much of the pixel is covered. Where shades
/// overlap, the later one determines the color. Colors are premultiplied, in the byte order of pixels in memory.
public struct PathShade: Equatable, Sendable {
    public var start: PathPoint
    public var end: PathPoint
    public var startColor: UInt32
    public var endColor: UInt32
    /// Half the width of the strip in device pixels.
    public var radius: Float
    /// The distance in device pixels by which the strip continues before its start, in the start's color. `after` is the distance by which
    /// it continues after its end, in the end's color. Default 1.
    public var before: Float
    public var after: Float
    /// The slant of the start: the line at which the strip starts lies this many pixels farther along the strip for each pixel to the right
    /// of the axis, as seen in the direction from start to end. `endSkew` is the slant of the end. At a corner, both strips end at the line
    /// that bisects the angle, so that their colors meet. Default 0: perpendicular ends.
    public var startSkew: Float = 0
    public var endSkew: Float = 0

    public init(
        start: PathPoint, end: PathPoint, startColor: UInt32, endColor: UInt32, radius: Float, before: Float = 1, after: Float = 1
    ) {
        (self.start, self.end, self.startColor, self.endColor) = (start, end, startColor, endColor)
        (self.radius, self.before, self.after) = (radius, before, after)
    }

    /// Multiplies the opacity by a share.
    package mutating func fade(to share: Double) {
        func faded(_ color: UInt32) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32((Double(color >> (8 * $1) & 255) * share).rounded()) << (8 * $1) }
        }
        (startColor, endColor) = (faded(startColor), faded(endColor))
    }

    /// The maximum distance of the strip's pixels from the segment between its start and end.
    var reach: Float { radius * (1 + max(abs(startSkew), abs(endSkew))) + max(before, after) }
}

/// A few consecutive shades, and the rows that they cross.
struct ShadeChunk {
    var shades: Range<Int>
    var top: Float
    var bottom: Float

    static let length = 16
}

extension PathShade {
    /// Writes the color of every pixel of the strip in some rows.
    /// - Parameters:
    ///   - left: The column of the first pixel of a row in memory.
    ///   - pixels: The first pixel of the first of the rows.
    package func paint(rows: Range<Int>, left: Int, width: Int, into pixels: UnsafeMutablePointer<UInt32>) {
        let margin = reach + 1
        guard max(start.y, end.y) + margin > Float(rows.lowerBound), min(start.y, end.y) - margin < Float(rows.upperBound) else { return }
        let (stepX, stepY) = (Double(end.x - start.x), Double(end.y - start.y))
        let length = (stepX * stepX + stepY * stepY).squareRoot()
        let perLength = length > 0 ? 1 / length : 0
        let (alongX, alongY) = length > 0 ? (stepX * perLength, stepY * perLength) : (1, 0)
        let (radius, startSkew, endSkew) = (Double(radius), Double(startSkew), Double(endSkew))
        let (low, high) = (-Double(before) - abs(startSkew) * radius, length + Double(after) + abs(endSkew) * radius)
        // Pixels are counted from the start, so that a part of the picture has the same colors as the whole.
        let (column, row) = (Int(start.x.rounded(.down)), Int(start.y.rounded(.down)))
        let (offsetX, offsetY) = (0.5 - Double(start.x - Float(column)), 0.5 - Double(start.y - Float(row)))
        // The rows of the strip's bounding box.
        let spread = radius * abs(alongX)
        let top = max(rows.lowerBound - row, Self.whole(min(low * alongY, high * alongY) - spread - offsetY) + 1)
        let bottom = min(rows.upperBound - row, Self.whole(max(low * alongY, high * alongY) + spread - offsetY) + 1)
        guard top < bottom else { return }
        let sides = StripSides(alongX, alongY, low, high, radius, offsetX, offsetY)
        let (from, to) = (SIMD4<Float>(channelsOf: startColor), SIMD4<Float>(channelsOf: endColor))
        let change = to - from
        let (least, most) = (from.replacing(with: to, where: to .< from), from.replacing(with: to, where: to .> from))
        // A change of one level is not visible.
        let isEven = length == 0 || all(most - least .<= 1)
        let isSkewed = startSkew != 0 || endSkew != 0
        let widening = endSkew - startSkew
        // Values at the middle of the pixel in column and row 0, and their change from pixel to pixel: the distance from the skewed start,
        // the length of the skewed strip beside the axis, and the color of a strip that is not skewed.
        let (along, across) = (offsetX * alongX + offsetY * alongY, offsetY * alongX - offsetX * alongY)
        let (passedOrigin, wholeOrigin) = (Float(along - startSkew * across), Float(length + widening * across))
        let (passedPerColumn, passedPerRow) = (Float(alongX + startSkew * alongY), Float(alongY - startSkew * alongX))
        let (wholePerColumn, wholePerRow) = (Float(-widening * alongY), Float(widening * alongX))
        let colorOrigin = from + change * Float(along * perLength)
        let (colorPerColumn, colorPerRow) = (change * Float(alongX * perLength), change * Float(alongY * perLength))
        let (first, end) = (left - column, left + width - column)
        for number in top..<bottom {
            let span = sides.span(number, first..<end)
            guard span.begin < span.end else { continue }
            let line = pixels + (number + row - rows.lowerBound) * width - first
            if isSkewed {
                let (passed, whole) = (passedOrigin + passedPerRow * Float(number), wholeOrigin + wholePerRow * Float(number))
                for index in span.begin..<span.end {
                    let passed = passed + passedPerColumn * Float(index)
                    let whole = whole + wholePerColumn * Float(index)
                    let color = Self.pixel(from + change * max(0, min(1, passed / whole)))
                    line[index] = passed < -before ? line[index] : color
                }
            } else if isEven {
                for index in span.begin..<span.end { line[index] = endColor }
            } else {
                let color = colorOrigin + colorPerRow * Float(number)
                for index in span.begin..<span.end {
                    let color = color + colorPerColumn * Float(index)
                    let raised = color.replacing(with: least, where: color .< least)
                    line[index] = Self.pixel(raised.replacing(with: most, where: raised .> most))
                }
            }
        }
    }

    /// The largest integer that is not above a number.
    @inline(__always)
    private static func whole(_ number: Double) -> Int {
        let whole = Int(number)
        return Double(whole) > number ? whole - 1 : whole
    }

    /// The pixel with the given channels, 0…255, rounded to nearest: after adding 2^23, the lowest bits are the integer. The bits are cast
    /// between types of the same size in which every bit pattern is a value.
    @inline(__always)
    private static func pixel(_ channels: SIMD4<Float>) -> UInt32 {
        let bits = unsafeBitCast(channels + 0x1p23, to: SIMD4<UInt32>.self)
        return unsafeBitCast(SIMD4<UInt8>(truncatingIfNeeded: bits), to: UInt32.self).littleEndian
    }
}

/// The columns of a strip in each row, in fixed point: the same in every band of rows.
private struct StripSides {
    /// The lowest and highest column in row 0, and their change from row to row: for the ends of the strip, and for its sides.
    private var ends = (low: -far, high: far, step: 0)
    private var sides = (low: -far, high: far, step: 0)

    private static let one = Double(1 << 24)
    /// A column beyond all other columns.
    private static let far = 1 << 48
    /// Below this sine, a line counts as parallel to the rows: within 1/1000 px of a strip a pixel wide.
    private static let least = 1e-3

    @inline(__always)
    init(
        _ alongX: Double, _ alongY: Double, _ low: Double, _ high: Double, _ radius: Double, _ offsetX: Double, _ offsetY: Double
    ) {
        if abs(alongX) > Self.least {
            let inverse = 1 / alongX
            let slope = -alongY * inverse
            let middle = offsetY * slope - offsetX
            let (a, b) = (low * inverse + middle, high * inverse + middle)
            ends = (Int(min(a, b) * Self.one), Int(max(a, b) * Self.one), Int(slope * Self.one))
        }
        if abs(alongY) > Self.least {
            let inverse = 1 / alongY
            let slope = alongX * inverse
            let (middle, half) = (offsetY * slope - offsetX, radius * abs(inverse))
            sides = (Int((middle - half) * Self.one), Int((middle + half) * Self.one), Int(slope * Self.one))
        }
    }

    @inline(__always)
    func span(_ row: Int, _ columns: Range<Int>) -> (begin: Int, end: Int) {
        let low = max(ends.low &+ row &* ends.step, sides.low &+ row &* sides.step)
        let high = min(ends.high &+ row &* ends.step, sides.high &+ row &* sides.step)
        return (max(columns.lowerBound, -(-low >> 24)), min(columns.upperBound, high >> 24 &+ 1))
    }
}

extension SIMD4<Float> {
    /// The channels of a pixel in memory.
    @inline(__always)
    fileprivate init(channelsOf pixel: UInt32) {
        self.init(Float(pixel & 255), Float(pixel >> 8 & 255), Float(pixel >> 16 & 255), Float(pixel >> 24))
    }
}
