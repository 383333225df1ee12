import WaymarkTiles

/// The names of a feature in all languages that its tile has. Equal names have equal values.
package struct TileName: Hashable, Sendable {
    /// The name in the language of the place.
    package let local: String
    /// The keys and texts of all names, in the order of the tile: "name:ko", a separator, the text, a separator, "name:en" …
    ///
    /// A single text takes far less memory than one text for each language, because places often have names in a hundred languages.
    private let others: String

    /// Separates keys and texts, which have no control characters.
    fileprivate static let separator: Character = "\u{1F}"

    /// - Parameter names: The keys, such as "name:en", and the texts. White space and control characters, such as the ends of lines, become
    ///   single spaces, and invisible texts are left out.
    /// - Returns: Nil if no visible text remains.
    package init?(_ names: [(key: String, text: String)]) {
        let clean = names.compactMap { name in Self.inOneLine(name.text).map { (key: name.key, text: $0) } }
        guard let local = Self.localKeys.lazy.compactMap({ key in clean.first { $0.key == key } }).first ?? clean.first else { return nil }
        self.local = local.text
        others = clean.count == 1 ? local.key : clean.map { "\($0.key)\(Self.separator)\($0.text)" }.joined(separator: "\(Self.separator)")
    }

    /// A text with a single space for each run of white space and control characters; nil if nothing of it is visible.
    private static func inOneLine(_ text: String) -> String? {
        let scalars = text.unicodeScalars
        guard scalars.contains(where: { !isBlank($0) && !$0.properties.isDefaultIgnorableCodePoint }) else { return nil }
        var (isChanged, isAfterBlank) = (false, true)
        for scalar in scalars {
            let isBlank = isBlank(scalar)
            if isBlank, isAfterBlank || scalar != " " { isChanged = true }
            isAfterBlank = isBlank
        }
        guard isChanged || isAfterBlank else { return text }
        return scalars.split(whereSeparator: isBlank).map { String($0) }.joined(separator: " ")
    }

    /// Whether a character is white space or a control character.
    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x20, 0x7F...0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// The keys of local names; the first that a feature has counts.
    ///
    /// `name` is a name for people who live there. Sets of OpenMapTiles may instead have the name in Latin letters and in other letters.
    private static let localKeys = ["name", "name:nonlatin", "name:latin", "name_int", "name:en", "name_en"]
}

extension TileName {
    /// The tag of local names.
    package static let localTag = "local"

    /// The keys and texts of all names, in the order of the tile.
    package var all: [(key: String, text: String)] {
        let parts = others.split(separator: Self.separator, omittingEmptySubsequences: false)
        guard parts.count > 1 else { return [(others, local)] }
        return stride(from: 0, to: parts.count - 1, by: 2).map { (String(parts[$0]), String(parts[$0 + 1])) }
    }

    /// The lines of a label.
    /// - Parameter languages: Up to two BCP 47 tags, or `local`; empty for local names.
    /// - Returns: The name in the first language and, if it differs, the name in the second language. A missing name is replaced by the
    ///   local name.
    package func lines(in languages: [String]) -> [String] {
        var lines: [String] = []
        for tag in languages.prefix(2) {
            let text = text(in: tag)
            if !lines.contains(text) { lines.append(text) }
        }
        return lines.isEmpty ? [local] : lines
    }

    /// The name in a language; the local name if there is none.
    /// - Parameter tag: A BCP 47 tag, or `local`.
    package func text(in tag: String) -> String {
        guard tag != Self.localTag, others.contains(Self.separator) else { return local }
        let all = all
        for key in Self.keys(of: tag) {
            // Sets differ in the case of scripts: `zh-Hant`, `zh-hant`.
            if let name = all.first(where: { $0.key.lowercased() == key }) { return name.text }
        }
        return local
    }

    /// The keys of names for readers of a language in lower case, the best first.
    ///
    /// OpenMapTiles and Protomaps have `name:de`, older sets and Shortbread `name_de`. Names in Latin letters suit all languages that are
    /// written in them.
    private static func keys(of tag: String) -> [String] {
        var parts = tag.lowercased().split(separator: "-").map(String.init)
        let isLatin = parts.contains("latn") || !parts.dropFirst().contains { $0.count == 4 } && !otherLetters.contains(parts[0])
        var keys: [String] = []
        while !parts.isEmpty {
            let name = parts.joined(separator: "-")
            keys += ["name:\(name)", "name_\(name)"]
            parts.removeLast()
        }
        return isLatin ? keys + ["name:latin", "name_int"] : keys
    }

    /// The languages that are not written in Latin letters by default.
    private static let otherLetters = Set(
        """
        ab am ar as ba be bg bn bo ce ckb cv dv dz el fa gu he hi hy ja ka kk km kn ko ky lo mk ml mn mr my ne or os pa ps ru sd si sr ta te tg \
        th ti tt ug uk ur yi zh yue
        """.split(separator: " ").map(String.init))
}

/// Reads the names of the features of a layer.
struct NameReader {
    private let layer: VectorLayer
    /// The text of each key that is a name; nil for other keys.
    private let keys: [String?]
    /// The number of the last feature that has each key.
    private var lastUses: [Int32]
    private var featureCount: Int32 = 0

    /// The maximum number of characters of a name, as in OpenStreetMap. A longer name is left out, because shaping it takes long and no
    /// label has room for it.
    private static let mostCharacters = 255
    /// The maximum number of bytes of a key. The longest known language tags have 35 characters.
    private static let mostKeyBytes = 64

    init(_ layer: VectorLayer) {
        self.layer = layer
        keys = (0..<layer.keyCount).map { index in
            let key = layer.key(index)
            return Self.isName(key) ? key : nil
        }
        lastUses = [Int32](repeating: 0, count: keys.count)
    }

    /// The names of a feature; nil without names. If a key has several values, the first counts.
    /// - Parameter bytes: The bytes of all names of the tile so far. Features may share their texts, so the size of the tile does not
    ///   limit this number.
    mutating func name(of feature: Int, _ limits: TileGeometry.Limits, bytes: inout Int) throws(TileRefusal) -> TileName? {
        let attributes = layer.features.attributes
        featureCount += 1
        var names: [(key: String, text: String)] = []
        for attribute in layer.features.attributes(of: feature) {
            let index = Int(attributes[2 * attribute])
            guard let key = keys[index], lastUses[index] != featureCount else { continue }
            lastUses[index] = featureCount
            guard case .text(let text) = layer.value(Int(attributes[2 * attribute + 1]), mostBytes: 4 * Self.mostCharacters),
                text.unicodeScalars.count <= Self.mostCharacters
            else { continue }
            bytes += key.utf8.count + text.utf8.count
            try TileGeometry.Limits.check(bytes, limits.nameBytes, "bytes of names")
            names.append((key, text))
        }
        return names.isEmpty ? nil : TileName(names)
    }

    /// Whether a key is that of a name: `name`, `name:ko`, `name_int`.
    static func isName(_ key: String) -> Bool {
        guard key == "name" || key.hasPrefix("name:") || key.hasPrefix("name_") else { return false }
        return key.utf8.count <= mostKeyBytes && !key.contains(TileName.separator)
    }
}
