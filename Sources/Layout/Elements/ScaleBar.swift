import Foundation
import WaymarkFrame
import WaymarkGeo
import WaymarkImaging
import WaymarkRaster
import WaymarkScene

/// The round length that a scale bar shows.
package struct ScaleBarMeasure: Equatable {
    /// The length on the ground in meters.
    package var meters: Double
    /// The length on the screen in pt.
    package var width: Double
    package var text: String

    /// The longest round length: 1, 2 or 5 times a power of ten, in the largest unit that is at least 1.
    /// - Parameters:
    ///   - metersPerPoint: The meters on the ground for each pt at the view's center.
    ///   - maxWidth: The maximum length in pt.
    package init(metersPerPoint: Double, maxWidth: Double, units: ScaleBarElement.Units) {
        let most = metersPerPoint * maxWidth
        let known = Self.units(units)
        let unit = known.first { most >= $0.meters } ?? known[known.count - 1]
        let value = Self.round(atMost: most / unit.meters)
        meters = value * unit.meters
        width = meters / metersPerPoint
        text = "\(Self.text(value)) \(unit.name)"
    }

    /// The units from the largest to the smallest.
    private static func units(_ units: ScaleBarElement.Units) -> [(name: String, meters: Double)] {
        switch units {
        case .metric: [("km", 1000), ("m", 1), ("cm", 0.01)]
        case .imperial: [("mi", 1609.344), ("ft", 0.3048), ("in", 0.0254)]
        }
    }

    /// The largest of the numbers 1, 2 and 5 times a power of ten that is not larger than a number.
    private static func round(atMost number: Double) -> Double {
        var (power, divisor) = (1.0, 1.0)
        while power * 10 <= number { power *= 10 }
        while power / divisor > number, divisor < 1e9 { divisor *= 10 }
        let unit = power / divisor
        // A small tolerance is added, because a bar of exactly this length fits.
        let leeway = 1 + 1e-9
        if unit * 5 <= number * leeway { return unit * 5 }
        return unit * 2 <= number * leeway ? unit * 2 : unit
    }

    /// The digits, in groups of three from 10,000 on.
    private static func text(_ value: Double) -> String {
        guard value >= 10_000 else { return plain(value) }
        let digits = Array(plain(value))
        return String(digits.indices.flatMap { $0 > 0 && (digits.count - $0) % 3 == 0 ? ["\u{202F}", digits[$0]] : [digits[$0]] })
    }
}

extension ScaleBarElement {
    func measure(in viewport: Viewport) -> ScaleBarMeasure {
        ScaleBarMeasure(
            metersPerPoint: viewport.metersPerPoint(atLatitude: viewport.camera.center.lat), maxWidth: maxWidth, units: units)
    }

    func content(_ measure: ScaleBarMeasure, _ context: ElementContext) -> OverlayContent {
        let color = color ?? context.theme.text
        var label = LabelContent(text: measure.text)
        (label.textSize, label.textColor) = (11, color)
        var stack = StackContent([.label(label), .drawing(ScaleBarDrawing(width: measure.width, color: color))])
        stack.alignment = .center
        return .stack(stack)
    }

    /// The error of the bar because of the tilt, as a share of its length. It is the larger error of lengths up the screen at the view's
    /// center, and of lengths across the screen at a height of the picture.
    /// - Parameter y: The height in pt from the picture's top edge. Where there is no ground, the error is infinite.
    static func error(in viewport: Viewport, atHeight y: Double) -> Double {
        guard viewport.sinTilt > 0 else { return 0 }
        guard let offset = viewport.groundOffset(at: CGPoint(x: viewport.opticalX, y: y)) else { return .infinity }
        let depth = viewport.project(offsetX: offset.x, offsetY: offset.y, height: 0).depth
        guard depth > viewport.nearDepth, depth < viewport.farDepth else { return .infinity }
        let across = depth / viewport.cameraDistance
        return max(1 / viewport.cosTilt, across, 1 / across) - 1
    }
}

/// A line with a tick at each end.
struct ScaleBarDrawing: ContentDrawing {
    let width: Double
    var height: Double { 6 }
    let color: Color

    func bitmap(pixelRatio: Double) -> Bitmap {
        func pixels(_ length: Double) -> Double { wholePixels(length * pixelRatio) }
        let (width, height, line) = (max(1, pixels(width)), max(1, pixels(height)), max(1, pixels(1.5)))
        var canvas = ContentCanvas(width: Int(width), height: Int(height))
        let corners = [
            (0, 0), (line, 0), (line, height - line), (width - line, height - line), (width - line, 0), (width, 0), (width, height),
            (0, height),
        ]
        canvas.fill([corners.map { PathPoint(Float($0.0), Float($0.1)) }], color, clip: canvas.bounds)
        return canvas.bitmap
    }
}
