import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster
import WaymarkScene

/// An arrow on the ground that points north, with the letter N, which stays upright.
struct NorthArrowDrawing: ContentDrawing {
    let size: Double
    let bearing: Double
    let tilt: Double
    let color: Color

    var width: Double { size }
    var height: Double { size }

    /// The size for which the lengths below hold.
    private static let designSize = 40.0
    private static let tip = 5.0
    /// The distance of the letter's middle from the tip.
    private static let letterGap = 5.5

    init(_ arrow: NorthArrowElement, _ context: ElementContext) {
        let camera = context.viewport.camera
        (size, bearing, tilt) = (arrow.size, camera.bearing, camera.tilt)
        color = arrow.color ?? context.theme.text
    }

    /// The direction of north on the screen, x to the right and y down, for lengths on the ground.
    var north: SIMD2<Double> {
        let (turn, lean) = (sinCos(degrees: bearing), sinCos(degrees: tilt))
        return SIMD2(-turn.sin, -turn.cos * lean.cos)
    }

    private var east: SIMD2<Double> {
        let (turn, lean) = (sinCos(degrees: bearing), sinCos(degrees: tilt))
        return SIMD2(turn.cos, -turn.sin * lean.cos)
    }

    func bitmap(pixelRatio: Double) -> Bitmap {
        let side = max(1, Int(wholePixels(size * pixelRatio)))
        var canvas = ContentCanvas(width: side, height: side)
        let unit = Double(side) / Self.designSize
        let center = SIMD2(repeating: Double(side) / 2)
        func fill(_ points: [SIMD2<Double>], _ color: Color) {
            let contour = points.map { point in
                let place = center + point * unit
                return PathPoint(Float(quantized(place.x)), Float(quantized(place.y)))
            }
            canvas.fill([contour], color, clip: canvas.bounds)
        }
        func ground(_ right: Double, _ up: Double) -> SIMD2<Double> { east * right + north * up }
        let (top, notch) = (ground(0, Self.tip), ground(0, -8.5))
        fill([top, notch, ground(-6.5, -12)], color)
        fill([top, ground(6.5, -12), notch], color.withAlpha(color.alpha * 0.55))
        let length = (north.x * north.x + north.y * north.y).squareRoot()
        let middle = length > 0 ? north * (Self.tip + Self.letterGap / length) : SIMD2(0, -Self.letterGap)
        for part in Self.letter { fill(part.map { middle + $0 }, color) }
        return canvas.bitmap
    }

    /// The letter N around its middle: two stems and a diagonal.
    private static let letter: [[SIMD2<Double>]] = {
        let (x, y, stem) = (2.75, 3.5, 1.3)
        return [
            [SIMD2(-x, -y), SIMD2(-x + stem, -y), SIMD2(-x + stem, y), SIMD2(-x, y)],
            [SIMD2(x - stem, -y), SIMD2(x, -y), SIMD2(x, y), SIMD2(x - stem, y)],
            [SIMD2(-x, -y), SIMD2(-x + stem * 1.2, -y), SIMD2(x, y), SIMD2(x - stem * 1.2, y)],
        ]
    }()
}
