import WaymarkImaging
import WaymarkScene

/// The part of simplestyle-spec 1.1.0 for points: `marker-size`, `marker-color`, `marker-symbol`, `title`, `description`.
///
/// A point with any of the first three properties gets a pin, with the specification's defaults for missing properties. A point without
/// these three keeps its icon. An invalid value causes only a warning, so that a style does not prevent drawing. Null counts as absent,
/// and an empty string as the default.
struct SimpleStyle {
    /// The style of a point.
    struct Point {
        var icon: OverlayImage?
        var title: String?
        var snippet: String?
    }

    private struct PinStyle: Hashable {
        var size = 1
        var color: UInt32 = 0x7e7e7e
        /// The ASCII code of a digit or lowercase letter; 0 means none.
        var symbol: UInt8 = 0
    }

    /// The width of a pin in pt, by `marker-size`.
    private static let widths = [20.0, 27, 34]

    private var pins: [PinStyle: OverlayImage] = [:]
    private var wrong: [Wrong] = []
    private var unknownSymbols: [String: Int] = [:]
    private var unknownOrder: [String] = []

    /// Invalid values of one property.
    private struct Wrong {
        let key: String
        let expectation: String
        let consequence: String
        var errors = FirstErrors()
    }

    private static let fewSymbols = 10
}

extension SimpleStyle {
    /// Styles a marker by the properties of its feature; properties set by the template are not changed.
    /// - Returns: Whether the feature has a pin of its own.
    @discardableResult mutating func apply(
        _ properties: JSONNode, to marker: Marker, _ template: MarkerTemplate, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) -> Bool {
        let style = read(properties, hasPins: !template.hasIcon, document, tape)
        // A scale whose output is 0 has removed the icon.
        if let icon = style.icon, marker.iconImage != .empty { marker.iconImage = icon }
        if let title = style.title, !template.hasTitle { marker.title = title }
        if let snippet = style.snippet, !template.hasSnippet { marker.snippet = snippet }
        return style.icon != nil
    }

    /// - Parameter hasPins: Whether the icon may be a pin; otherwise the marker properties are ignored.
    mutating func read(
        _ properties: JSONNode, hasPins: Bool, _ document: JSONDocument, _ tape: borrowing JSONTape
    ) -> Point {
        var point = Point()
        var style = PinStyle()
        var isStyled = false
        guard var members = tape.members(of: properties) else { return point }
        while let (key, value) = members.next(in: tape) {
            guard tape.kind(of: value) != .null else { continue }
            if hasPins, tape.isString(key, "marker-color") {
                isStyled = true
                readColor(value, "marker-color", of: "pin", "#7e7e7e", document, tape) { style.color = $0 }
            } else if hasPins, tape.isString(key, "marker-size") {
                isStyled = true
                readSize(value, &style, document, tape)
            } else if hasPins, tape.isString(key, "marker-symbol") {
                isStyled = true
                readSymbol(value, &style, document, tape)
            } else if tape.isString(key, "title") {
                point.title = text(value, "title", document, tape)
            } else if tape.isString(key, "description") {
                point.snippet = text(value, "description", document, tape)
            }
        }
        if isStyled { point.icon = pin(style) }
        return point
    }

    private mutating func pin(_ style: PinStyle) -> OverlayImage? {
        if let known = pins[style] { return known }
        let symbol = style.symbol == 0 ? nil : Character(Unicode.Scalar(style.symbol))
        let image = MarkerImage.pin(color: Color(hex: style.color), symbol: symbol, width: Self.widths[style.size])
        pins[style] = image
        return image
    }

    private mutating func readSize(_ value: JSONNode, _ style: inout PinStyle, _ document: JSONDocument, _ tape: borrowing JSONTape) {
        if tape.isString(value, "small") {
            style.size = 0
        } else if tape.isString(value, "medium") || tape.isString(value, "") {
            style.size = 1
        } else if tape.isString(value, "large") {
            style.size = 2
        } else {
            note(value, "marker-size", "\"small\", \"medium\" or \"large\"", "the pin is medium", "the pins are medium", document)
        }
    }

    /// Reads the color of a pin, a stroke or a fill.
    mutating func readColor(
        _ value: JSONNode, _ key: String, of subject: String, _ standard: String, _ document: JSONDocument, _ tape: borrowing JSONTape,
        _ set: (UInt32) -> Void
    ) {
        if tape.isString(value, "") { return }
        if let color = tape.withUTF8(of: value, { Self.color($0) }) ?? nil {
            set(color)
        } else {
            note(
                value, key, "a color with 3 or 6 hex digits", "the \(subject) is \(standard)", "the \(subject)s are \(standard)", document)
        }
    }

    /// Three or six hexadecimal digits, with or without a leading #.
    private static func color(_ bytes: Span<UInt8>) -> UInt32? {
        let start = bytes.count > 0 && bytes[0] == UInt8(ascii: "#") ? 1 : 0
        let count = bytes.count - start
        guard count == 3 || count == 6 else { return nil }
        var color: UInt32 = 0
        for index in start..<bytes.count {
            guard let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue else { return nil }
            color = color << 4 | UInt32(digit)
            if count == 3 { color = color << 4 | UInt32(digit) }
        }
        return color
    }

    private mutating func readSymbol(_ value: JSONNode, _ style: inout PinStyle, _ document: JSONDocument, _ tape: borrowing JSONTape) {
        switch tape.kind(of: value) {
        case .string:
            if tape.isString(value, "") { return }
            let symbol = tape.withUTF8(of: value) { bytes in bytes.count == 1 ? Self.symbol(bytes[0]) : nil } ?? nil
            if let symbol {
                style.symbol = symbol
            } else {
                noteUnknown(symbol: tape.string(of: value) ?? "")
            }
        case .number:
            if let digit = tape.int(of: value), (0...9).contains(digit) {
                style.symbol = UInt8(ascii: "0") + UInt8(digit)
            } else {
                noteUnknown(symbol: document.value(at: value).brief)
            }
        default:
            note(
                value, "marker-symbol", "a name, a digit or a letter", "the pin has no symbol", "the pins have no symbol", document)
        }
    }

    /// An ASCII digit or letter, in lower case.
    private static func symbol(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"): byte
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        default: nil
        }
    }

    private mutating func text(_ value: JSONNode, _ key: String, _ document: JSONDocument, _ tape: borrowing JSONTape) -> String? {
        do throws(SceneFileError) {
            let text = try TextTemplate.text(of: value, document, tape)
            return text.isEmpty ? nil : text
        } catch {
            note(value, key, "a string", "the marker has no \(key)", "the markers have no \(key)", document)
            return nil
        }
    }

    mutating func note(
        _ value: JSONNode, _ key: String, _ expected: String, _ consequence: String, _ consequences: String, _ document: JSONDocument
    ) {
        let index = wrong.firstIndex { $0.key == key } ?? wrong.count
        if index == wrong.count { wrong.append(Wrong(key: key, expectation: expected, consequence: consequences)) }
        wrong[index].errors.note(at: value, document, "expected \(expected), found \(document.value(at: value).brief); \(consequence)")
    }

    private mutating func noteUnknown(symbol: String) {
        guard unknownSymbols.updateValue((unknownSymbols[symbol] ?? 0) + 1, forKey: symbol) == nil else { return }
        unknownOrder.append(symbol)
    }
}

extension SimpleStyle {
    /// Converts the positions of errors found since the last call, in a part of a file, to positions in the file.
    mutating func locateErrors(_ place: (SceneFileError) -> SceneFileError) {
        for index in wrong.indices { wrong[index].errors.locate(place) }
    }

    /// The invalid values: the first few key paths for each property, then counts.
    /// - Parameter prefix: Text before the key path: the file name, if it is not the file passed to the reader.
    func warnings(prefix: String) -> [Diagnostic] {
        var list: [Diagnostic] = []
        for wrong in wrong {
            let (first, more) = wrong.errors.warnings(prefix: prefix)
            list += first
            guard more > 0 else { continue }
            list.append(
                Diagnostic(
                    message: "\(prefix)the \(wrong.key) of \(more) more feature\(more == 1 ? " is" : "s is") not \(wrong.expectation); "
                        + wrong.consequence))
        }
        for symbol in unknownOrder.prefix(Self.fewSymbols) {
            let count = unknownSymbols[symbol] ?? 0
            list.append(
                Diagnostic(
                    message: "\(prefix)the marker-symbol \(symbol.quotedBriefly) of \(count) feature\(count == 1 ? "" : "s") is not drawn: "
                        + "pins have the symbols 0…9 and a…z"))
        }
        let more = unknownOrder.count - Self.fewSymbols
        if more > 0 {
            list.append(
                Diagnostic(
                    message: "\(prefix)\(more) more marker-symbol name\(more == 1 ? "" : "s") \(more == 1 ? "is" : "are") not drawn"))
        }
        return list
    }
}

/// The errors of one kind in a file of features: the first few, and the number of all.
struct FirstErrors {
    private var errors: [SceneFileError] = []
    /// The number of these errors whose paths already refer to the whole file.
    private var located = 0
    private var count = 0

    private static let few = 3

    mutating func note(at node: JSONNode, _ document: JSONDocument, _ problem: @autoclosure () -> String) {
        count += 1
        // Finding a key path takes time.
        guard count <= Self.few else { return }
        errors.append(SceneFileError(path: document.value(at: node).path, problem: problem()))
    }

    /// Converts the paths found since the last call, in a part of a file, to paths in the file.
    mutating func locate(_ place: (SceneFileError) -> SceneFileError) {
        for index in located..<errors.count { errors[index] = place(errors[index]) }
        located = errors.count
    }

    /// The first errors as warnings, and the number of the others.
    /// - Parameter prefix: Text before the key path: the file name, if it is not the file passed to the reader.
    func warnings(prefix: String) -> (first: [Diagnostic], more: Int) {
        (errors.map { Diagnostic(path: prefix + $0.path, message: $0.problem) }, count - errors.count)
    }
}
