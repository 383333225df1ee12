import WaymarkGeo
import WaymarkImaging
import WaymarkScene

/// How the outputs of a scale are read: numbers for a property of numbers, or colors.
struct ScaleOutputReader<Output: ScaleOutput>: Sendable {
    /// The key of a list of outputs.
    let list: StaticString
    /// The names that other programs use for this key.
    let synonyms: [String]
    /// Reads one output.
    let output: @Sendable (JSONValue) throws(SceneFileError) -> Output
    /// Reads a named list with the given number of outputs or, if that is nil, all outputs of a smooth scheme. Nil if lists of outputs
    /// have no names.
    let scheme: (@Sendable (JSONValue, Int?) throws(SceneFileError) -> [Output])?
    /// Multiplies the alpha of an output; nil for numbers.
    let fade: (@Sendable (Output, Double) -> Output)?

    /// Numbers, each read by `output`.
    static func numbers(_ output: @escaping @Sendable (JSONValue) throws(SceneFileError) -> Double) -> ScaleOutputReader<Double> {
        ScaleOutputReader<Double>(
            list: "numbers", synonyms: ["sizes", "values", "widths", "colors", "outputs"], output: output, scheme: nil,
            fade: nil)
    }

    /// Whole numbers within a range.
    static func integers(in range: ClosedRange<Int>) -> ScaleOutputReader<Double> {
        numbers { (value) throws(SceneFileError) in Double(try value.readInteger(in: range)) }
    }

    /// The same reader, with the alpha of all outputs multiplied by a number.
    func faded(to alpha: Double) -> Self {
        guard let fade, let scheme else { return self }
        let output = output
        return Self(
            list: list, synonyms: synonyms,
            output: { (value) throws(SceneFileError) -> Output in fade(try output(value), alpha) },
            scheme: { (value, count) throws(SceneFileError) -> [Output] in
                let outputs = try scheme(value, count)
                return outputs.map { fade($0, alpha) }
            }, fade: fade)
    }

    static var colors: ScaleOutputReader<Color> {
        ScaleOutputReader<Color>(
            list: "colors", synonyms: ["scheme", "palette", "cmap", "colours", "numbers", "outputs"],
            output: { (value) throws(SceneFileError) in try value.readColor() },
            scheme: { (value, count) throws(SceneFileError) in try value.readScheme(count) },
            fade: { $0.withAlpha($0.alpha * $1) })
    }
}

// Scales, and the values that they turn into outputs.
extension JSONValue {
    /// Reads a color or a scale. A color replaces an earlier scale. A scale keeps the earlier color, for lines without values.
    func readLineColor(besides known: LineColor) throws(SceneFileError) -> LineColor {
        guard kind == .object else { return LineColor(color: try readColor()) }
        let scale = try readScale(.colors)
        if case .categories = scale.form {
            throw (self["categories"] ?? self).error("the values of a line are numbers, which have no categories")
        }
        return LineColor(color: known.color, scale: scale)
    }

    /// `{"by": "speed", "ramp": [[0, "blue"], [30, "red"]]}`, or another form instead of `ramp`.
    func readScale<Output>(_ outputs: ScaleOutputReader<Output>) throws(SceneFileError) -> Scale<Output> {
        var synonyms = Self.scaleSynonyms
        for name in outputs.synonyms { synonyms[name] = outputs.list.description }
        if outputs.fade != nil { synonyms["opacity"] = "alpha" }
        let members = try readObject(synonyms: synonyms) { (object) throws(SceneFileError) in
            ScaleMembers(
                property: try object.required("by").readString(),
                forms: Self.scaleForms.compactMap { name in object[name].map { (name.description, $0) } },
                list: object[outputs.list], others: object["others"], domain: object["domain"], missing: object["missing"],
                legend: object["legend"], alpha: outputs.fade == nil ? nil : object["alpha"])
        }
        guard let (name, value) = members.forms.first, members.forms.count == 1 else {
            throw error("exactly one of steps, classes, categories, ramp, linear, log and sqrt is required")
        }
        let alpha = try members.alpha?.readNumber(in: 0...1)
        let outputs = alpha.map(outputs.faded) ?? outputs
        let form = try value.readForm(name, members, outputs, in: self)
        let scale = Scale(by: members.property, form, missing: try members.missing.map(outputs.output))
        if let problem = scale.problem { throw error(problem, in: self) }
        return scale
    }

    /// The members of a scale.
    fileprivate struct ScaleMembers {
        let property: String
        let forms: [(name: String, value: JSONValue)]
        let list: JSONValue?
        let others: JSONValue?
        let domain: JSONValue?
        let missing: JSONValue?
        /// The legend, read by ``SceneReader/readLegend(of:)``.
        let legend: JSONValue?
        /// The alpha, which only color scales have.
        let alpha: JSONValue?
    }

    /// Reads the form of a scale from this value.
    /// - Parameter scale: The scale, for errors.
    private func readForm<Output>(
        _ name: String, _ members: ScaleMembers, _ outputs: ScaleOutputReader<Output>, in scale: JSONValue
    ) throws(SceneFileError) -> Scale<Output>.Form {
        let axis = Scale<Output>.Axis(rawValue: name)
        if let domain = members.domain, axis == nil {
            throw name == "ramp"
                ? scale.error("a ramp has no domain; its values are in its stops")
                : domain.error("domain applies only to linear, log and sqrt")
        }
        if let others = members.others, name != "categories" { throw others.error("others applies only to categories") }
        if let list = members.list, name != "steps", name != "classes", name != "categories" || kind == .object {
            throw list.error("\(outputs.list) applies only to steps, classes and a list of categories")
        }
        switch name {
        case "ramp": return .ramp(try readStops(at: { (value) throws(SceneFileError) in try value.readScaleValue() }, outputs.output))
        case "steps":
            var steps: [Double] = []
            for element in try readArray() { steps.append(try element.readScaleValue(after: steps.last)) }
            guard !steps.isEmpty else { throw error("at least one step is required") }
            return .steps(steps, try members.outputs(outputs, steps.count + 1, of: scale))
        case "classes":
            let classes = try readClasses()
            return .classes(classes, try members.outputs(outputs, classes.count, of: scale))
        case "categories":
            let others = try members.others.map(outputs.output)
            var categories: [Scale<Output>.Category] = []
            if kind == .object {
                for (name, value) in try readMembers() { categories.append(.init(name, try outputs.output(value))) }
            } else {
                guard kind == .array else { throw unexpected("an object of categories, or a list of their names") }
                let names = try readCategoryNames()
                let list = try members.outputs(outputs, names.count, of: scale)
                guard list.count == names.count else {
                    throw (members.list ?? scale).error(
                        "\(names.count) categories need \(names.count) \(outputs.list), found \(list.count)")
                }
                categories = zip(names, list).map { .init($0, $1) }
            }
            guard !categories.isEmpty else { throw error("at least one category is required") }
            return .categories(categories, others: others)
        default:
            let list = try readOutputs(outputs, nil)
            return .axis(axis ?? .linear, list, domain: try members.domain?.readDomain())
        }
    }

    private static let scaleForms: [StaticString] = ["steps", "classes", "categories", "ramp", "linear", "log", "sqrt"]

    private static let scaleSynonyms = [
        "property": "by", "field": "by", "column": "by", "stops": "ramp", "range": "linear", "null": "missing", "breaks": "steps",
        "bins": "steps", "thresholds": "steps", "default": "others", "other": "others", "values": "categories", "nan": "missing",
    ]

    /// A list of outputs, or the name of a list.
    /// - Parameter count: The number of outputs of a named list; nil for all of a smooth scheme.
    fileprivate func readOutputs<Output>(_ outputs: ScaleOutputReader<Output>, _ count: Int?) throws(SceneFileError) -> [Output] {
        if kind == .string, let scheme = outputs.scheme { return try scheme(self, count) }
        guard kind == .array else {
            throw unexpected(outputs.scheme == nil ? "a list of numbers" : "the name of a color scheme, or a list of colors")
        }
        return try readArray().map(outputs.output)
    }

    /// `{"quantiles": 5}`
    private func readClasses() throws(SceneFileError) -> ScaleClasses {
        let given = try readObject(synonyms: Self.classSynonyms) { (object) throws(SceneFileError) in
            [(ScaleClasses.Method.quantiles, object["quantiles"]), (.equal, object["equal"]), (.natural, object["natural"])]
                .compactMap { method, value in value.map { (method, $0) } }
        }
        guard let (method, value) = given.first, given.count == 1 else {
            throw error("exactly one of quantiles, equal and natural is required")
        }
        return ScaleClasses(method, try value.readInteger(in: ScaleClasses.countRange))
    }

    private static let classSynonyms = [
        "quantile": "quantiles", "equalInterval": "equal", "jenks": "natural", "fisherJenks": "natural", "naturalBreaks": "natural",
    ]

    /// The names of categories: strings, numbers or booleans.
    private func readCategoryNames() throws(SceneFileError) -> [String] {
        var names: [String] = []
        for element in try readArray() {
            switch element.kind {
            case .string: names.append(try element.readString())
            case .number: names.append(element.numberText)
            case .boolean: names.append(try element.readBoolean() ? "true" : "false")
            case .object, .array, .null: throw element.unexpected("the name of a category")
            }
        }
        return names
    }

    /// The colors of a named scheme.
    /// - Parameter count: The number of colors; nil for all of a smooth scheme.
    fileprivate func readScheme(_ count: Int?) throws(SceneFileError) -> [Color] {
        let name = try readString()
        guard let scheme = ColorScheme(named: name) else {
            throw error("unknown color scheme \(name.quotedBriefly)\(Self.schemeHint(name))")
        }
        guard let count else { return scheme.smooth }
        guard let colors = scheme.colors(count) else {
            throw error("\(name.quotedBriefly) has at most \(scheme.limit ?? 0) colors, but \(count) are needed")
        }
        return colors
    }

    private static func schemeHint(_ name: String) -> String {
        // In matplotlib, a suffix reverses a map.
        if name.hasSuffix("_r"), ColorScheme(named: String(name.dropLast(2))) != nil {
            let base = name.dropLast(2)
            return "; use \"\(base.hasPrefix("-") ? String(base.dropFirst()) : "-\(base)")\""
        }
        let sign = name.hasPrefix("-") ? "-" : ""
        guard let nearest = nearestName(to: String(name.dropFirst(sign.count)), among: ColorScheme.names) else {
            return "; known schemes are those of ColorBrewer, such as \"YlGnBu\", and viridis, plasma, inferno, magma and cividis"
        }
        return "; did you mean \"\(sign)\(nearest)\"?"
    }

    /// `[[0, "red"], [1, "blue"]]`
    func readGradient() throws(SceneFileError) -> [Scale<Color>.Stop] {
        let stops = try readStops(
            at: { (value) throws(SceneFileError) in try value.readNumber() }, ScaleOutputReader<Color>.colors.output)
        if let problem = PropertyList.problem(gradient: stops, "gradient") { throw error(problem, in: self, dropping: "gradient") }
        return stops
    }

    /// A value of the data: a number, or a date, which is a number of seconds since 1970.
    /// - Parameter last: The previous value. A date must be later. The order of numbers is checked with the whole scale.
    private func readScaleValue(after last: Double? = nil) throws(SceneFileError) -> Double {
        guard let text = string else { return try readNumber() }
        guard let seconds = CivilTime.seconds(of: text) else { throw unexpected("a number, or a date such as \"2024-05-17\"") }
        if let last, seconds <= last { throw error("the dates must ascend; \(text) is not after the previous date") }
        return seconds
    }

    /// - Parameter readValue: Reads the value that an output belongs to.
    private func readStops<Output>(
        at readValue: (JSONValue) throws(SceneFileError) -> Double, _ readOutput: (JSONValue) throws(SceneFileError) -> Output
    ) throws(SceneFileError) -> [Scale<Output>.Stop] {
        var stops: [Scale<Output>.Stop] = []
        for element in try readArray() {
            let pair = Array(try element.readArray(count: 2...2))
            stops.append(.init(try readValue(pair[0]), try readOutput(pair[1])))
        }
        return stops
    }

    private func readDomain() throws(SceneFileError) -> ClosedRange<Double> {
        let ends = Array(try readArray(count: 2...2))
        let (low, high) = (try ends[0].readScaleValue(), try ends[1].readScaleValue())
        guard low <= high else {
            throw error(
                "the domain begins at \(ends[0].string ?? low.plainText), above its end, \(ends[1].string ?? high.plainText)")
        }
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

extension JSONValue.ScaleMembers {
    /// The outputs of classes or categories.
    /// - Parameter scale: The scale, for errors.
    fileprivate func outputs<Output>(
        _ reader: ScaleOutputReader<Output>, _ count: Int, of scale: JSONValue
    ) throws(SceneFileError) -> [Output] {
        guard let list else {
            throw scale.error(
                "missing key \"\(reader.list)\"\(reader.scheme == nil ? "" : ": the name of a color scheme, or a list of colors")")
        }
        return try list.readOutputs(reader, count)
    }
}

extension PropertyType {
    /// Reads the scale of a property of numbers or colors; nil for other properties.
    func readScale(_ value: JSONValue) throws(SceneFileError) -> PropertyScale? {
        switch self {
        case .number(_, let range), .size(_, let range):
            .numbers(try value.readScale(.numbers { (value) throws(SceneFileError) in try value.readNumber(in: range) }))
        case .integer(_, allowed: nil): .numbers(try value.readScale(.integers(in: Self.exactIntegers)))
        case .wholeNumber(_, let range): .numbers(try value.readScale(.integers(in: range.clamped(to: Self.exactIntegers))))
        case .color, .lineColor: .colors(try value.readScale(.colors))
        default: nil
        }
    }

    /// The integers that a scale can compute, because each is a different floating-point number.
    private static let exactIntegers = -(1 << 53)...(1 << 53)

    /// The kind of scale by which a template can set the property; nil if no scale can set it.
    var scaleKind: ScaleKind? {
        switch self {
        case .number, .size, .integer(_, allowed: nil), .wholeNumber: .number
        case .color, .lineColor: .color
        default: nil
        }
    }
}

/// The outputs of a scale.
enum ScaleKind {
    case number, color
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
    /// A scale in the form of scene files.
    static func scale(_ scale: Scale<Color>) -> JSONText {
        var members: [(String, JSONText)] = [("by", .string(scale.property))]
        func list(_ colors: [Color]) -> JSONText { .array(colors.map { .string($0.description) }) }
        switch scale.form {
        case .ramp(let stops): members.append(("ramp", .stops(stops)))
        case .axis(let axis, let colors, let domain):
            members.append((axis.rawValue, list(colors)))
            if let domain { members.append(("domain", [.number(domain.lowerBound), .number(domain.upperBound)])) }
        // A resolved scale may have a single class, which has no step.
        case .steps(let steps, let colors) where steps.isEmpty: members.append(("ramp", .stops(colors.prefix(1).map { .init(0, $0) })))
        case .steps(let steps, let colors):
            members += [("steps", .array(steps.map(JSONText.number))), ("colors", list(colors))]
        case .classes(let classes, let colors):
            members += [("classes", .object([(classes.method.rawValue, .integer(classes.count))])), ("colors", list(colors))]
        case .categories(let categories, let others):
            members.append(("categories", .object(categories.map { ($0.name, .string($0.output.description)) })))
            if let others { members.append(("others", .string(others.description))) }
        }
        if let missing = scale.missing { members.append(("missing", .string(missing.description))) }
        return .object(members)
    }

    static func stops(_ stops: [Scale<Color>.Stop]) -> JSONText {
        .array(stops.map { [.number($0.value), .string($0.output.description)] })
    }
}
