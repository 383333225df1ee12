import Waymark

/// A parameter of a route: it is read from queries, checked, and written into the OpenAPI description.
struct Parameter: Sendable {
    var name: String
    var kind: Kind
    /// One sentence.
    var text: String
    var isRequired = false
    /// Whether it may be given several times.
    var isRepeated = false
    /// A value for the description.
    var example: JSON?

    /// The type of its values.
    enum Kind: Sendable {
        case number(ClosedRange<Double>)
        case integer(ClosedRange<Int>)
        case flag
        case choice([String])
        /// Two numbers with a sign between them.
        case pair(separator: Character, ClosedRange<Double>, ClosedRange<Double>)
        case text
    }

    init(_ name: String, _ kind: Kind, _ text: String, isRequired: Bool = false, isRepeated: Bool = false, example: JSON? = nil) {
        self.name = name
        self.kind = kind
        self.text = text
        self.isRequired = isRequired
        self.isRepeated = isRepeated
        self.example = example
    }

    /// The parameter for an option of pictures.
    init(_ option: PictureOption, example: JSON? = nil) {
        let kind: Kind =
            switch option.values {
            case .number(let range): .number(range)
            case .integer(let range): .integer(range)
            case .boolean: .flag
            case .choice(let choices): .choice(choices)
            case .size: .pair(separator: "x", 0...65_535, 0...65_535)
            // Checking the view checks the latitude, and names the order of the coordinates.
            case .coordinate: .pair(separator: ",", Self.finite, Self.finite)
            case .color: .text
            }
        self.init(option.name, kind, option.text, example: example)
    }
}

extension Parameter {
    /// The numbers of JSON.
    static let finite = -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude

    /// The number in a query; nil if it is not given.
    func number(in query: Query) throws(ServerError) -> Double? {
        guard let value = try query.value(name), case .number(let range) = kind else { return nil }
        return try number(value, in: range)
    }

    func integer(in query: Query) throws(ServerError) -> Int? {
        guard let value = try query.value(name), case .integer(let range) = kind else { return nil }
        guard let number = Int(value) else { throw .parameter(name, "\(Self.shown(value)) is not a whole number") }
        guard range.contains(number) else { throw .parameter(name, "\(number) is outside \(range.lowerBound)…\(range.upperBound)") }
        return number
    }

    func flag(in query: Query) throws(ServerError) -> Bool? {
        switch try query.value(name) {
        case nil: nil
        case "", "true", "1": true
        case "false", "0": false
        case let value?: throw .parameter(name, "\(Self.shown(value)) is neither true nor false")
        }
    }

    func choice(in query: Query) throws(ServerError) -> String? {
        guard let value = try query.value(name), case .choice(let choices) = kind else { return nil }
        guard choices.contains(value) else {
            throw .parameter(name, "\(Self.shown(value)) is not one of \(choices.joined(separator: ", "))")
        }
        return value
    }

    func pair(in query: Query) throws(ServerError) -> (Double, Double)? {
        guard let value = try query.value(name), case .pair(let separator, let first, let second) = kind else { return nil }
        let parts = value.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw .parameter(name, "\(Self.shown(value)) is not two numbers separated by \"\(separator)\"") }
        return (try number(String(parts[0]), in: first), try number(String(parts[1]), in: second))
    }

    private func number(_ text: String, in range: ClosedRange<Double>) throws(ServerError) -> Double {
        guard let number = Self.number(text) else { throw .parameter(name, "\(Self.shown(text)) is not a number") }
        guard range.contains(number) else {
            throw .parameter(name, "\(JSON.number(number).text) is outside \(Self.text(range))")
        }
        return number
    }

    /// A finite decimal number.
    static func number(_ text: some StringProtocol) -> Double? {
        // Swift also reads hexadecimal numbers and names.
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// A range in messages.
    static func text(_ range: ClosedRange<Double>) -> String {
        "\(JSON.number(range.lowerBound).text)…\(JSON.number(range.upperBound).text)"
    }

    /// A client's value in messages: shortened, and without characters that could end a line.
    static func shown(_ value: some StringProtocol) -> String {
        let shown = String(String.UnicodeScalarView(value.unicodeScalars.prefix(40).filter { $0.properties.generalCategory != .control }))
        return "\"\(shown)\(value.unicodeScalars.count > 40 ? "…" : "")\""
    }
}
