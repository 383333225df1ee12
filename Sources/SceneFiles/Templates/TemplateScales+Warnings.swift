import WaymarkScene

extension TemplateScales {
    /// The number of different numbers; nil without numbers, and from `limit` on.
    private static func differentCount(_ numbers: [Double], below limit: Int) -> Int? {
        var found: [Double] = []
        for number in numbers where number.isFinite && !found.contains(number) {
            found.append(number)
            if found.count == limit { return nil }
        }
        return found.isEmpty ? nil : found.count
    }

    /// The problems of a scale with the data.
    /// - Parameters:
    ///   - numbers: Those that determine the scale.
    ///   - own: Those of the template's features.
    static func warnings(
        _ field: Field, _ scale: PropertyScale, _ column: Column, _ numbers: [Double], own: [Double]
    ) -> [Diagnostic] {
        let name = field.given.by.quotedBriefly
        var warnings: [Diagnostic] = []
        func warn(_ key: StaticString, _ problem: String) {
            warnings.append(Diagnostic(path: (field.value[key] ?? field.value).path, message: problem))
        }
        if let classes = field.given.classes, let count = scale.stepClassCount, count < classes.count {
            warn("classes", "the values of \(name) form only \(count) of \(classes.count) classes, because too few of them differ")
        } else if let classes = field.given.classes, let count = differentCount(numbers, below: classes.count) {
            warn("classes", "the property \(name) has fewer different values (\(count)) than the scale has classes (\(classes.count))")
        }
        func warn(_ key: StaticString, _ count: Int, _ problem: String, _ output: String) {
            guard count > 0 else { return }
            let what = "\(count) value\(count == 1 ? "" : "s") of \(name) \(count == 1 ? "is" : "are") \(problem)"
            warn(key, "\(what), and \(count == 1 ? "is" : "are") drawn like \(output)")
        }
        if field.lacksValues {
            warn("log", "no value of \(name) is above 0; all values count as missing")
        } else if field.given.needsPositiveData {
            warn("log", own.count { $0 <= 0 }, "not above 0", "the lowest value on the axis")
        }
        if field.given.hasRootsOfData { warn("sqrt", own.count { $0 < 0 }, "below 0", "0") }
        if column.othersCount > 0, field.given.keepsDefault.ofOthers {
            let count = column.othersCount
            warn(
                "categories",
                "\(count) feature\(count == 1 ? " has a value of" : "s have values of") \(name) that \(count == 1 ? "is" : "are") not "
                    + "among the categories: \(field.name.quotedBriefly) keeps its default")
        }
        return warnings
    }

    /// The texts that are not numbers, in one sentence for each property.
    func textWarnings(_ file: String) -> [Diagnostic] {
        columns.indices.filter { columns[$0].textCount > 0 }.map { index in
            let (count, text) = (columns[index].textCount, columns[index].firstText)
            let name = fields.first { $0.column == index }?.given.by ?? ""
            let what = columns[index].categories == nil ? "not a number" : "not a name"
            return Diagnostic(
                message:
                    "\(file): the property \(name.quotedBriefly) is \(what) in \(count) feature\(count == 1 ? "" : "s"), and counts as "
                    + "missing there; the first such value is \(text)")
        }
    }
}
