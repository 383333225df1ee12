import Foundation
import WaymarkImaging
import WaymarkScene

/// A symbol and its label in a legend.
struct LegendEntry {
    /// The symbol; nil if the features have none.
    var symbol: LegendSymbol?
    var label: String
}

extension LegendEntry {
    /// The entries of classes, of categories, or of chosen values of a scale of numbers; empty if the data determined none.
    static func list(of scale: MapScale, _ legend: Legend) -> [LegendEntry] {
        let symbol = scale.shownSymbol
        let entries =
            switch scale.resolved {
            case .numbers(let numbers): list(of: numbers, scale, legend) { symbol.setting(scale.property, to: $0) }
            case .colors(let colors): list(of: colors, scale, legend) { symbol.setting(scale.property, to: scale.drawn($0)) }
            }
        return legend.isReversed ? entries.reversed() : entries
    }

    private static func list<Output>(
        of scale: Scale<Output>, _ map: MapScale, _ legend: Legend, _ symbol: (Output) -> LegendSymbol
    ) -> [LegendEntry] {
        switch scale.form {
        case .steps(let steps, let outputs):
            let unit = map.dateUnit(steps)
            let labels = legend.classLabels(steps, range: map.range, areOfData: map.given.classes != nil, dateUnit: unit)
            return zip(outputs, labels).map { LegendEntry(symbol: symbol($0), label: $1) }
        case .categories(let categories, _): return categories.map { LegendEntry(symbol: symbol($0.output), label: $0.name) }
        case .classes: return []
        case .ramp, .axis:
            guard let axis = LegendAxis(scale, map, legend.format) else { return [] }
            let values = axis.samples
            return zip(values, legend.labels(values, dateUnit: axis.dateUnit)).compactMap { value, label in
                scale.output(at: value).map { LegendEntry(symbol: symbol($0), label: label) }
            }
        }
    }

    /// The entries of other names and of missing values, if they occur in the data.
    static func extra(of scale: MapScale, _ legend: Legend) -> [LegendEntry] {
        let symbol = scale.shownSymbol
        return switch scale.resolved {
        case .numbers(let numbers): extra(of: numbers, scale, legend, symbol) { symbol.setting(scale.property, to: $0) }
        case .colors(let colors): extra(of: colors, scale, legend, symbol) { symbol.setting(scale.property, to: scale.drawn($0)) }
        }
    }

    private static func extra<Output>(
        of scale: Scale<Output>, _ map: MapScale, _ legend: Legend, _ standard: LegendSymbol, _ symbol: (Output) -> LegendSymbol
    ) -> [LegendEntry] {
        // Without an output, features keep the template's constant value.
        func shown(_ output: Output?) -> LegendSymbol {
            var standard = standard
            // If a width or height is missing, the icon has the size of its image, and is shown as in a legend of another property.
            if map.property != "width", map.property != "height" { standard.property = map.property }
            return output.map(symbol) ?? standard
        }
        var entries: [LegendEntry] = []
        var others: Output?
        if case .categories(_, let output) = scale.form {
            others = output
            if map.othersCount > 0 { entries.append(LegendEntry(symbol: shown(output), label: legend.othersLabel)) }
        }
        // If missing values look like other names, they are listed together with them.
        let isMerged = map.othersCount > 0 && scale.outputOfMissing == others
        if map.missingCount > 0, !isMerged {
            entries.append(LegendEntry(symbol: shown(scale.outputOfMissing), label: legend.missingLabel))
        }
        return entries
    }
}

extension MapScale {
    /// The number of date units per second.
    /// - Parameter stated: The numbers that the scale states.
    func dateUnit(_ stated: [Double]) -> Double {
        hasDates ? 1 : NumberWriter.unit(of: stated + [range?.lowerBound, range?.upperBound].compactMap(\.self))
    }
}

// Labels.
extension Legend {
    /// The labels of classes, which include their upper bounds.
    /// - Parameters:
    ///   - range: The smallest and the largest number in the data.
    ///   - areOfData: Whether the data determined the classes. The first class then begins at the smallest number, and the last class ends
    ///     at the largest.
    ///   - dateUnit: The number of date units per second.
    func classLabels(_ steps: [Double], range: ClosedRange<Double>?, areOfData: Bool, dateUnit: Double) -> [String] {
        let ends = areOfData || steps.isEmpty ? range : nil
        let bounds = [ends?.lowerBound] + steps.map(Optional.some) + [ends?.upperBound]
        let texts = texts(bounds.compactMap(\.self), digits: areOfData ? 2 : Self.digits, dateUnit: dateUnit)
        // The text of each bound; the first and the last may have none.
        let first = ends == nil ? -1 : 0
        func text(_ index: Int) -> String? { texts.indices.contains(index + first) ? texts[index + first] : nil }
        return (0...steps.count).map { index in
            let low = index == 0 && ends == nil ? nil : text(index)
            let high = index == steps.count && ends == nil ? nil : text(index + 1)
            return switch (low, high) {
            case (nil, nil): "all values"
            case (nil, let high?): "≤\u{2009}\(withUnit(high))"
            case (let low?, nil): ">\u{2009}\(withUnit(low))"
            case (let low?, let high?): low == high ? withUnit(low) : "\(low)\u{2009}–\u{2009}\(withUnit(high))"
            }
        }
    }

    /// The labels of numbers.
    /// - Parameter dateUnit: The number of date units per second.
    func labels(_ numbers: [Double], dateUnit: Double) -> [String] {
        texts(numbers, digits: Self.digits, dateUnit: dateUnit).map(withUnit)
    }

    /// The number of significant digits of numbers that the scale states.
    private static let digits = 4

    private func texts(_ numbers: [Double], digits: Int, dateUnit: Double) -> [String] {
        NumberWriter(format, decimals: decimals, digits: digits).texts(of: numbers, dateUnit: dateUnit)
    }

    /// A number with its unit, separated by a thin space unless it is a sign such as % or °.
    private func withUnit(_ number: String) -> String {
        guard let first = unit.first else { return number }
        return first.isLetter || first.isNumber || first == "µ" ? "\(number)\u{202F}\(unit)" : number + unit
    }
}
