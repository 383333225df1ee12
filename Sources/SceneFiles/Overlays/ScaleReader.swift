import WaymarkGeo
import WaymarkImaging
import WaymarkScene

// Scales, and the numbers that they turn into colors.
extension JSONValue {
    /// A color, which replaces a scale, or a scale, which keeps the color for lines without values.
    func readLineColor(besides known: LineColor) throws(SceneFileError) -> LineColor {
        guard kind == .object else { return LineColor(color: try readColor()) }
        return LineColor(color: known.color, scale: try readColorScale())
    }

    /// `{"by": "speed", "ramp": [[0, "blue"], [30, "red"]]}`, or with `linear`, `log` or `sqrt` instead of `ramp`.
    private func readColorScale() throws(SceneFileError) -> Scale<Color> {
        let (property, forms, domain, missing) = try readObject(synonyms: Self.scaleSynonyms) { (object) throws(SceneFileError) in
            let property = try object.required("by").readString()
            var forms: [Scale<Color>.Form] = []
            if let ramp = object["ramp"] { forms.append(.ramp(try ramp.readStops())) }
            let domain = try object["domain"]?.readDomain()
            for (axis, list) in [(Scale<Color>.Axis.linear, object["linear"]), (.log, object["log"]), (.sqrt, object["sqrt"])] {
                if let list { forms.append(.axis(axis, try list.readColors(), domain: domain)) }
            }
            return (property, forms, domain, try object["missing"]?.readColor())
        }
        guard let form = forms.first, forms.count == 1 else { throw error("exactly one of ramp, linear, log and sqrt is required") }
        if case .ramp = form, domain != nil { throw error("a ramp has no domain; its values are in its stops") }
        let scale = Scale(by: property, form, missing: missing)
        if let problem = scale.problem { throw error(problem, in: self) }
        return scale
    }

    private static let scaleSynonyms = [
        "property": "by", "field": "by", "column": "by", "stops": "ramp", "range": "linear", "colors": "linear", "null": "missing",
    ]

    /// `[[0, "red"], [1, "blue"]]`
    func readGradient() throws(SceneFileError) -> [Scale<Color>.Stop] {
        let stops = try readStops()
        if let problem = PropertyList.problem(gradient: stops, "gradient") { throw error(problem, in: self, dropping: "gradient") }
        return stops
    }

    private func readStops() throws(SceneFileError) -> [Scale<Color>.Stop] {
        var stops: [Scale<Color>.Stop] = []
        for element in try readArray() {
            let pair = Array(try element.readArray(count: 2...2))
            stops.append(.init(try pair[0].readNumber(), try pair[1].readColor()))
        }
        return stops
    }

    private func readColors() throws(SceneFileError) -> [Color] {
        var colors: [Color] = []
        for element in try readArray() { colors.append(try element.readColor()) }
        return colors
    }

    private func readDomain() throws(SceneFileError) -> ClosedRange<Double> {
        let ends = Array(try readArray(count: 2...2))
        let (low, high) = (try ends[0].readNumber(), try ends[1].readNumber())
        guard low <= high else { throw error("the domain begins at \(low.plainText), above its end, \(high.plainText)") }
        return low...high
    }

    /// `{"speed": [3.5, null, 4]}`, with null for a point without a value.
    func readPointValues() throws(SceneFileError) -> [String: [Double?]] {
        var values: [String: [Double?]] = [:]
        for (name, list) in try readMembers() { values[name] = try list.readNumbersOrNulls() }
        return values
    }

    func readNumbersOrNulls() throws(SceneFileError) -> [Double?] {
        var numbers: [Double?] = []
        numbers.reserveCapacity(count)
        for element in try readArray() { numbers.append(element.kind == .null ? nil : try element.readNumber()) }
        return numbers
    }

    /// The error for a value that was read, at its path within this value.
    private func error(_ problem: PropertyError, in value: JSONValue, dropping prefix: String = "") -> SceneFileError {
        var found = value.error(problem.problem)
        let path = String(problem.path.dropFirst(prefix.count))
        found.path += path.hasPrefix("[") || path.isEmpty ? path : ".\(path)"
        return found
    }
}

extension Polyline {
    /// Throws if a scale or the values of a line do not fit it.
    /// - Parameter value: The line in the file.
    func checkValues(_ value: JSONValue) throws(SceneFileError) {
        guard colorScale != nil || !values.isEmpty, let problem = valuesProblem else { return }
        guard let scale = colorScale, values[scale.property] == nil else {
            var error = (value["values"] ?? value).error(problem.problem)
            error.path += problem.path.dropFirst("values".count)
            throw error
        }
        throw (value["color"]?["by"] ?? value).error(problem.problem + hint(for: scale.property, [:], among: values.keys.sorted()))
    }
}

extension JSONText {
    /// A scale, as a scene file has it.
    static func scale(_ scale: Scale<Color>) -> JSONText {
        var members: [(String, JSONText)] = [("by", .string(scale.property))]
        switch scale.form {
        case .ramp(let stops): members.append(("ramp", .stops(stops)))
        case .axis(let axis, let colors, let domain):
            members.append((axis.rawValue, .array(colors.map { .string($0.description) })))
            if let domain { members.append(("domain", [.number(domain.lowerBound), .number(domain.upperBound)])) }
        }
        if let missing = scale.missing { members.append(("missing", .string(missing.description))) }
        return .object(members)
    }

    static func stops(_ stops: [Scale<Color>.Stop]) -> JSONText {
        .array(stops.map { [.number($0.value), .string($0.output.description)] })
    }
}
