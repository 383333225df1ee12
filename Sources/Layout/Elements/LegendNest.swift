import Foundation
import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// Icons of clearly different sizes on a common baseline, the smaller ones in front of the larger ones, with lines from their tops to their
/// labels.
struct LegendNest {
    /// One of the icons, which are sorted from the largest to the smallest.
    private struct Icon {
        let symbol: LegendSymbol
        let label: String
        let size: PointSize
        /// The icon's upper edge, below the upper edge of the largest icon.
        let top: Double
        /// The middle of the icon's label.
        var middle: Double
    }

    private var icons: [Icon] = []
    private let style: LegendStyle
    private let width: Double
    /// The height of all icons and labels, from half a label above the largest icon.
    private let height: Double

    /// The opacity of icons, which shows the larger ones through the smaller ones.
    private static let alpha = 0.45
    /// The largest ratio of the sizes of neighboring icons.
    private static let largestRatio = 0.85
    /// The distance in pt from the upper edge of an icon to its line, because images often have a margin.
    private static let depth = 1.0
    /// The lengths in pt of the two parts of a line: the part over the icons is level, and the part beside them leads to the label.
    private static let lead = (level: 4.0, slanted: 8.0)

    /// Returns nil unless all entries are icons whose size the legend shows, there are at least two sizes, and the labels fit the height.
    init?(_ entries: [LegendEntry], _ style: LegendStyle, height limit: Double) {
        var found: [(symbol: LegendSymbol, label: String, size: PointSize)] = []
        for entry in entries {
            guard var symbol = entry.symbol, case .icon = symbol.shape, ["width", "height"].contains(symbol.property) else { return nil }
            symbol.alpha *= Self.alpha
            found.append((symbol, entry.label, style.content(symbol).size))
        }
        found.sort { $0.size.height > $1.size.height }
        // Icons of nearly the same size would be hard to distinguish.
        var kept: [(symbol: LegendSymbol, label: String, size: PointSize)] = []
        for icon in found where kept.last.map({ icon.size.height <= $0.size.height * Self.largestRatio }) ?? true { kept.append(icon) }
        guard let largest = kept.first, kept.count > 1 else { return nil }
        let half = LegendStyle.textHeight / 2
        var next = -half
        for (symbol, label, size) in kept {
            let top = largest.size.height - size.height
            let middle = max(top, next + half)
            icons.append(Icon(symbol: symbol, label: label, size: size, top: top, middle: middle))
            next = middle + half
        }
        (self.style, width) = (style, found.reduce(0) { max($0, $1.size.width) })
        height = half + max(largest.size.height, next)
        guard height <= limit else { return nil }
    }

    var content: OverlayContent {
        let half = LegendStyle.textHeight / 2
        func placed(_ content: OverlayContent, top: Double, alignment: StackContent.Alignment = .start, width: Double = 0) -> OverlayContent
        {
            var frame = StackContent([content])
            (frame.insets.top, frame.alignment, frame.width) = (half + top, alignment, width)
            return .stack(frame)
        }
        let symbols = icons.map { placed(style.content($0.symbol).content, top: $0.top, alignment: .center, width: width) }
        let lines = LegendLeaders(
            start: width / 2, bend: width + Self.lead.level, width: width + Self.lead.level + Self.lead.slanted, height: height,
            lines: icons.map { .init(from: half + $0.top + Self.depth, to: half + max($0.middle, $0.top + Self.depth)) },
            color: style.theme.secondaryText)
        let pieces = StackContent(symbols + [.drawing(lines)], axis: .depth)
        let labels = StackContent(icons.map { placed(style.label($0.label), top: $0.middle - half) }, axis: .depth)
        return .stack(StackContent([.stack(pieces), .stack(labels)], axis: .horizontal, spacing: 3))
    }
}

/// The lines of nested icons: level up to a bend, and from there to the label.
private struct LegendLeaders: ContentDrawing {
    struct Line: Hashable {
        /// The distances in pt from the top.
        let from: Double
        let to: Double
    }

    /// The positions at which all lines start and bend, in pt from the left.
    let start: Double
    let bend: Double
    let width: Double
    let height: Double
    let lines: [Line]
    let color: Color

    func bitmap(pixelRatio: Double) -> Bitmap {
        let (columns, rows) = (Int((width * pixelRatio).rounded()), Int((height * pixelRatio).rounded()))
        var bitmap = Bitmap(width: columns, height: rows)
        // The lines are one device pixel wide at 1x, and two at 2x.
        let thickness = max(1, pixelRatio.rounded(.down))
        for line in lines {
            // Level lines cover whole pixels.
            let (from, to) = (whole(line.from * pixelRatio, thickness), whole(line.to * pixelRatio, thickness))
            for column in Int(start * pixelRatio)..<columns {
                let share = (Double(column) + 0.5 - bend * pixelRatio) / ((width - bend) * pixelRatio)
                let middle = from + (to - from) * min(max(share, 0), 1)
                let slope = share > 0 ? abs(to - from) / ((width - bend) * pixelRatio) : 0
                let half = thickness / 2 * (1 + slope * slope).squareRoot()
                for row in max(0, Int(middle - half))...max(0, min(rows - 1, Int(middle + half))) {
                    let covered = min(Double(row) + 1, middle + half) - max(Double(row), middle - half)
                    guard covered > 0 else { continue }
                    let pixel = color.withAlpha(color.alpha * min(covered, 1)).premultipliedBytes
                    if pixel.alpha > bitmap[column, row].alpha { bitmap[column, row] = pixel }
                }
            }
        }
        return bitmap
    }

    /// The middle of a line whose edges are at whole pixels.
    private func whole(_ middle: Double, _ thickness: Double) -> Double { (middle - thickness / 2).rounded() + thickness / 2 }
}
