import WaymarkScene

/// The numbers by which the scales of an overlay are resolved: those of all its templates, so that one value has one output for points, lines
/// and areas.
struct ScaleNumbers {
    /// The numbers of one property of the features.
    struct Column {
        let name: String
        /// One for each feature; NaN if it is missing.
        var values: [Double]
        /// The values of points of lines, which only scales of colors use.
        var pointValues: [Double]
        /// Whether any of them is a date in the data.
        var hasDates: Bool
    }

    private var columns: [Column] = []
    private var table = BreakTable()

    init(_ templates: TemplateScales...) {
        for template in templates {
            for column in template.numbers {
                guard let index = columns.firstIndex(where: { $0.name == column.name }) else {
                    columns.append(column)
                    continue
                }
                columns[index].values += column.values
                columns[index].pointValues += column.pointValues
                columns[index].hasDates = columns[index].hasDates || column.hasDates
            }
        }
    }

    /// The numbers for a scale; NaN for missing ones.
    func numbers(for scale: PropertyScale) -> [Double] {
        guard let column = columns.first(where: { $0.name == scale.by }) else { return [] }
        return column.pointValues.isEmpty || !scale.isOfColors ? column.values : column.values + column.pointValues
    }

    /// Whether the values of a scale are dates in the data.
    func areDates(for scale: PropertyScale) -> Bool { columns.contains { $0.name == scale.by && $0.hasDates } }

    /// The same scale with its domain or its classes, determined from numbers.
    /// - Parameter numbers: Those for the scale.
    mutating func resolved(_ scale: PropertyScale, for numbers: [Double]) -> PropertyScale {
        guard let classes = scale.classes else { return scale.resolved(for: numbers) }
        guard let column = columns.firstIndex(where: { $0.name == scale.by }) else { return scale }
        let hasLists = scale.isOfColors && !columns[column].pointValues.isEmpty
        return table.breaks(classes, of: column, hasLists: hasLists, numbers).map(scale.resolved(withBreaks:)) ?? scale
    }
}

extension PropertyScale {
    fileprivate var isOfColors: Bool { if case .colors = self { true } else { false } }
}
