import WaymarkGeo
import WaymarkImaging
import WaymarkScene

// Legends that scales request.
extension SceneReader {
    /// Reads `"legend": true` or `"legend": {"title": "Population"}` in a scale. Nil if the scale requests no legend.
    mutating func readLegend(of value: JSONValue) throws(SceneFileError) -> LegendElement? {
        guard let member = value["legend"], member.kind != .null else { return nil }
        if member.kind == .boolean { return try member.readBoolean() ? LegendElement() : nil }
        guard member.kind == .object else { throw member.unexpected("true, false, or an object with the properties of a legend") }
        let legend = LegendElementProperties.scaleTable.make()
        try decode(member, LegendElementProperties.scaleTable.list, into: legend)
        return legend.value
    }

    /// - Parameter property: The property that the scale determines.
    mutating func readLegend(of value: JSONValue, _ scale: PropertyScale, _ property: String) throws(SceneFileError) -> LegendElement? {
        guard let legend = try readLegend(of: value) else { return nil }
        if case .numbers = scale, !LegendSymbol.numberNames.contains(property) {
            throw (value["legend"] ?? value).error(
                "a legend cannot show \(property.quotedBriefly); it can show colors and the properties "
                    + LegendSymbol.numberNames.joined(separator: ", "))
        }
        return legend
    }

    /// Records the scale of a line that is not from a template, and the legend that the scale requests.
    /// - Parameter value: The line.
    mutating func noteScale(_ scale: Scale<Color>, of line: Polyline, _ value: JSONValue) throws(SceneFileError) {
        let values = line.values[scale.property] ?? []
        let numbers = values.compactMap(\.self)
        var found = MapScale(
            overlay: line.id ?? "", template: line.type.rawValue, property: "color", given: .colors(scale),
            resolved: .colors(scale.resolved(for: numbers)),
            range: numbers.min().flatMap { low in numbers.max().map { low...$0 } },
            // If the scale has no output for missing values, the colors of neighboring points are used.
            missingCount: scale.missing == nil ? 0 : values.count - numbers.count)
        found.setSymbol(of: line) { LegendSymbol(of: line, showing: "color", varying: [], isProportional: false) }
        if let color = value["color"], var element = try readLegend(of: color) {
            element.legend.showScale(found)
            found.legend = element
        }
        scales.append(found)
    }
}

extension SceneReader {
    /// Throws if a legend among the elements of a map shows none of the map's scales.
    /// - Parameter value: The elements in the file; nil if a change leaves them as they are.
    func checkLegends(_ elements: [MapElement], _ value: JSONValue?) throws(SceneFileError) {
        for (index, element) in elements.enumerated() {
            guard case .legend(let element) = element else { continue }
            do throws(PropertyError) {
                _ = try element.legend.scale(among: scales)
            } catch {
                guard let value = value?.elements?.dropFirst(index).first(where: { _ in true }) else {
                    let path = "elements[\(index)]" + (error.path.isEmpty ? "" : ".\(error.path)")
                    throw SceneFileError(path: path, problem: error.problem)
                }
                let member = value.members?.first { $0.key == error.path }?.value ?? value
                guard let unknown = element.legend.unknownName(among: scales),
                    let nearest = nearestName(to: unknown.name, among: unknown.known)
                else { throw member.error(error.problem) }
                throw member.error("\(unknown.problem); did you mean \"\(nearest)\"?")
            }
        }
    }
}
