import Waymark

/// The parts of a `marker` or `path` parameter: settings such as `color:red`, and then points, separated by `|`.
struct StaticParts {
    /// The parameter, for messages.
    let parameter: String
    private(set) var settings: [(name: String, value: String)] = []
    private(set) var points: [LatLng] = []
    /// An encoded polyline instead of points.
    private(set) var encoded: (text: String, precision: Int)?

    /// - Parameters:
    ///   - known: The names of settings.
    ///   - isEncodable: Whether an encoded polyline, `enc:…` or `enc6:…`, is allowed.
    init(_ text: String, of parameter: String, known: [String], isEncodable: Bool = false) throws(ServerError) {
        self.parameter = parameter
        var rest = text[...]
        while !rest.isEmpty {
            // An encoded polyline may contain any of these signs, so it extends to the end.
            if isEncodable, let (prefix, precision) = [("enc:", 5), ("enc6:", 6)].first(where: { rest.hasPrefix($0.0) }) {
                encoded = (String(rest.dropFirst(prefix.count)), precision)
                break
            }
            let part = rest.prefix { $0 != "|" }
            rest = rest.dropFirst(part.count).dropFirst()
            guard !part.isEmpty else { continue }
            if let colon = part.firstIndex(of: ":") {
                let (name, value) = (part[..<colon].lowercased(), String(part[part.index(after: colon)...]))
                guard known.contains(name) else {
                    throw .parameter(
                        parameter, "\(Parameter.shown(name)) is not one of the settings \(known.joined(separator: ", "))")
                }
                guard !settings.contains(where: { $0.name == name }) else {
                    throw .parameter(parameter, "the setting \"\(name)\" is given twice")
                }
                settings.append((name, value))
            } else {
                points.append(try Self.point(part, parameter))
            }
        }
    }

    private static func point(_ text: Substring, _ parameter: String) throws(ServerError) -> LatLng {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Parameter.number($0) }
        guard numbers.count == 2, let lat = numbers[0], let lng = numbers[1] else {
            throw .parameter(parameter, "\(Parameter.shown(text)) is neither a setting (NAME:VALUE) nor a point (LATITUDE,LONGITUDE)")
        }
        guard (-90...90).contains(lat) else { throw .parameter(parameter, "the latitude \(JSON.number(lat).text) is outside -90…90") }
        guard (-36_000...36_000).contains(lng) else {
            throw .parameter(parameter, "the longitude \(JSON.number(lng).text) is outside -36000…36000")
        }
        return LatLng(lat: lat, lng: lng)
    }
}

extension StaticParts {
    func value(_ name: String) -> String? { settings.first { $0.name == name }?.value }

    /// A CSS color, or `0xRRGGBB` and `0xRRGGBBAA`, as CSS.
    func color(_ name: String) throws(ServerError) -> String? {
        guard let text = value(name) else { return nil }
        let css = text.hasPrefix("0x") ? "#" + text.dropFirst(2) : text
        guard Color(css: css) != nil else {
            throw .parameter(parameter, "\(name): \(Parameter.shown(text)) is not a CSS color, 0xRRGGBB or 0xRRGGBBAA")
        }
        return css
    }

    func number(_ name: String, in range: ClosedRange<Double>) throws(ServerError) -> Double? {
        guard let text = value(name) else { return nil }
        guard let number = Parameter.number(text), range.contains(number) else {
            throw .parameter(parameter, "\(name): \(Parameter.shown(text)) is not a number within \(Parameter.text(range))")
        }
        return number
    }

    func flag(_ name: String) throws(ServerError) -> Bool {
        switch value(name) {
        case nil, "false"?: false
        case "true"?: true
        case let text?: throw .parameter(parameter, "\(name): \(Parameter.shown(text)) is neither true nor false")
        }
    }
}

extension LatLng {
    /// A position in a scene.
    var json: JSON { .array([.number(lng), .number(lat)]) }
}
