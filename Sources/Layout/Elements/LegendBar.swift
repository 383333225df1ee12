import Foundation
import WaymarkImaging
import WaymarkScene

/// The bar of a smooth scale of colors, with ticks. The highest value is at the top.
struct LegendBar {
    private let map: MapScale
    private let scale: Scale<Color>
    private let axis: LegendAxis
    private let legend: Legend

    private static let width = 14.0
    private static let height = 112.0
    private static let leastHeight = 40.0
    private static let tickLength = 4.0

    /// Returns nil if a legend shows the scale as a list of entries.
    init?(_ map: MapScale, _ legend: Legend) {
        guard case .colors(let scale) = map.resolved, let axis = LegendAxis(scale, map, legend.format), !axis.isSingle else { return nil }
        (self.map, self.scale, self.axis, self.legend) = (map, scale, axis, legend)
    }

    func content(_ style: LegendStyle, maxHeight: Double) -> OverlayContent {
        // Labels may extend half a line beyond the ends of the bar.
        let half = LegendStyle.textHeight / 2
        let height = max(Self.leastHeight, min(Self.height, maxHeight - 2 * half)).rounded()
        let ticks = axis.ticks(gap: LegendStyle.textHeight / height)
        let labels = legend.labels(ticks.map(\.value), dateUnit: axis.dateUnit)
        let places = ticks.map { tick in
            let share = axis.share(of: tick.value)
            return ((legend.isReversed ? share : 1 - share) * height).rounded()
        }
        let top = max(0, half - (places.min() ?? 0))
        let bottom = max(0, half - (height - (places.max() ?? height)))
        var bar = StackContent([.drawing(LegendRamp(map: map, scale: scale, axis: axis, height: height, isReversed: legend.isReversed))])
        (bar.borderColor, bar.borderWidth) = (style.edgeColor, style.theme.hairlineWidth)
        var frame = StackContent([.stack(bar)])
        (frame.insets.top, frame.insets.bottom) = (top, bottom)
        var texts = StackContent(axis: .depth)
        texts.height = top + height + bottom
        for (index, place) in places.enumerated() {
            var tick = StackContent(
                [
                    .label(LegendStyle.box(Self.tickLength, 1, style.theme.secondaryText)),
                    style.label(ticks[index].relation + labels[index]),
                ], axis: .horizontal, spacing: 4)
            (tick.alignment, tick.height) = (.center, LegendStyle.textHeight)
            var row = StackContent([.stack(tick)])
            row.insets.top = top + place - half
            texts.contents.append(.stack(row))
        }
        return .stack(StackContent([.stack(frame), .stack(texts)], axis: .horizontal, spacing: 1))
    }

    /// The colors of a bar. Each row of pixels has the color of the value at its middle.
    private struct LegendRamp: ContentDrawing {
        let map: MapScale
        let scale: Scale<Color>
        let axis: LegendAxis
        var width: Double { LegendBar.width }
        let height: Double
        let isReversed: Bool

        func bitmap(pixelRatio: Double) -> Bitmap {
            let (columns, rows) = (Int((width * pixelRatio).rounded()), Int((height * pixelRatio).rounded()))
            var bitmap = Bitmap(width: columns, height: rows)
            for row in 0..<rows {
                let share = (Double(row) + 0.5) / Double(rows)
                let color = scale.output(at: axis.value(at: isReversed ? share : 1 - share)) ?? .clear
                let pixel = map.drawn(color).premultipliedBytes
                for column in 0..<columns { bitmap[column, row] = pixel }
            }
            return bitmap
        }

        static func == (a: LegendRamp, b: LegendRamp) -> Bool {
            a.scale == b.scale && a.map.property == b.map.property && a.axis == b.axis && a.height == b.height
                && a.isReversed == b.isReversed
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(scale.property)
            hasher.combine(height)
        }
    }
}

/// A piece of a line in a legend, with soft edges where its width is not whole pixels.
struct LegendLine: ContentDrawing {
    private let color: Color
    private let lineWidth: Double
    private let outlineColor: Color
    private let outlineWidth: Double
    private let pattern: [Double]

    /// - Parameter color: The color if the symbol has none.
    init(_ symbol: LegendSymbol, color: Color) {
        self.color = symbol.color ?? color
        lineWidth = min(max(symbol.width ?? 2.5, 0), Self.mostWidth)
        outlineColor = symbol.outlineColor
        outlineWidth = lineWidth > 0 ? min(max(symbol.outlineWidth, 0), Self.mostWidth / 2) : 0
        pattern = symbol.pattern.allSatisfy { $0 >= 0 } && symbol.pattern.reduce(0, +) >= 0.1 ? symbol.pattern : []
    }

    private static let mostWidth = 200.0

    var width: Double { LegendStyle.lineLength }
    var height: Double { (lineWidth + 2 * outlineWidth).rounded(.up) }

    func bitmap(pixelRatio: Double) -> Bitmap {
        let (columns, rows) = (Int((width * pixelRatio).rounded()), max(1, Int((height * pixelRatio).rounded())))
        var bitmap = Bitmap(width: columns, height: rows)
        /// The share of each row that a band of the given width covers.
        func covers(_ width: Double) -> [Double] {
            let (middle, half) = (Double(rows) / 2, width * pixelRatio / 2)
            return (0..<rows).map { max(0, min(Double($0) + 1, middle + half) - max(Double($0), middle - half)) }
        }
        let (line, whole) = (covers(lineWidth), covers(lineWidth + 2 * outlineWidth))
        let dashes = dashes(columns, pixelRatio)
        bitmap.withUnsafeMutablePixels { pixels in
            for row in 0..<rows {
                for column in 0..<columns {
                    // The outline lies beneath the line.
                    let outline = outlineColor.alpha * whole[row] * dashes[column]
                    let own = color.alpha * line[row] * dashes[column]
                    func channel(_ own: Double, _ share: Double, over other: Double, _ otherShare: Double) -> UInt8 {
                        UInt8(min(255, max(0, ((own * share + other * otherShare * (1 - share)) * 255).rounded())))
                    }
                    let start = (row * columns + column) * 4
                    pixels[start] = channel(color.red, own, over: outlineColor.red, outline)
                    pixels[start + 1] = channel(color.green, own, over: outlineColor.green, outline)
                    pixels[start + 2] = channel(color.blue, own, over: outlineColor.blue, outline)
                    pixels[start + 3] = channel(1, own, over: 1, outline)
                }
            }
        }
        return bitmap
    }

    /// The share of each column that dashes cover.
    private func dashes(_ columns: Int, _ pixelRatio: Double) -> [Double] {
        guard !pattern.isEmpty else { return [Double](repeating: 1, count: columns) }
        var shares = [Double](repeating: 0, count: columns)
        var (place, index) = (0.0, 0)
        while place < Double(columns) {
            let end = place + pattern[index % pattern.count] * pixelRatio
            if index % 2 == 0 {
                for column in Int(place)..<min(columns, max(Int(place), Int(end.rounded(.up)))) {
                    shares[column] += max(0, min(Double(column) + 1, end) - max(Double(column), place))
                }
            }
            (place, index) = (end, index + 1)
        }
        return shares.map { min($0, 1) }
    }
}
