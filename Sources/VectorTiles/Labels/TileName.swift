/// The names of a feature in all languages that its tile has. Equal names have equal values.
package struct TileName: Hashable, Sendable {
    /// The name in the language of the place.
    package let local: String
    /// The keys and texts of all names, in the order of the tile: "name:ko", a separator, the text, a separator, "name:en" …
    ///
    /// One text takes far less memory than one for each language: places often have names in a hundred languages.
    private let others: String

    /// Not part of texts: it is removed from them.
    private static let separator: Character = "\u{1F}"

    /// - Parameter names: The keys, such as "name:en", and the texts, which are not empty.
    /// - Returns: Nil if none of the names can stand for the others.
    package init?(_ names: [(key: String, text: String)]) {
        let clean = names.map { (key: $0.key, text: $0.text.filter { $0 != Self.separator }) }.filter { !$0.text.isEmpty }
        guard let local = Self.localKeys.lazy.compactMap({ key in clean.first { $0.key == key } }).first ?? clean.first else { return nil }
        self.local = local.text
        others = clean.count == 1 ? local.key : clean.map { "\($0.key)\(Self.separator)\($0.text)" }.joined(separator: "\(Self.separator)")
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
    /// - Returns: The name in the first language, and that in the second one if it differs. A name that is missing is replaced by the local
    ///   one.
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
        let isLatin = parts.contains("latn") || !parts.dropFirst().contains { $0.count == 4 } && !isWrittenInOtherLetters(parts[0])
        var keys: [String] = []
        while !parts.isEmpty {
            let name = parts.joined(separator: "-")
            keys += ["name:\(name)", "name_\(name)"]
            parts.removeLast()
        }
        return isLatin ? keys + ["name:latin", "name_int"] : keys
    }

    /// Whether a language is not written in Latin letters by default.
    private static func isWrittenInOtherLetters(_ language: String) -> Bool { otherLetters.contains(language) }

    private static let otherLetters = Set(
        """
        ab am ar as ba be bg bn bo ce ckb cv dv dz el fa gu he hi hy ja ka kk km kn ko ky lo mk ml mn mr my ne or os pa ps ru sd si sr ta te tg \
        th ti tt ug uk ur yi zh yue
        """.split(separator: " ").map(String.init))
}

/// Reads the names of the features of a layer.
package struct NameReader {
    private let layer: VectorLayer
    /// The text of each key that is a name; nil for other keys.
    private let keys: [String?]

    package init(_ layer: VectorLayer) {
        self.layer = layer
        keys = (0..<layer.keyCount).map { index in
            let key = layer.key(index)
            return Self.isName(key) ? key : nil
        }
    }

    /// The names of a feature; nil if it has none.
    package func name(of feature: Int) -> TileName? {
        let attributes = layer.features.attributes
        var names: [(key: String, text: String)] = []
        for attribute in layer.features.attributes(of: feature) {
            guard let key = keys[Int(attributes[2 * attribute])], case .text(let text) = layer.value(Int(attributes[2 * attribute + 1])),
                !text.isEmpty
            else { continue }
            names.append((key, text))
        }
        return names.isEmpty ? nil : TileName(names)
    }

    /// Whether a key is that of a name: `name`, `name:ko`, `name_int`.
    package static func isName(_ key: String) -> Bool { key == "name" || key.hasPrefix("name:") || key.hasPrefix("name_") }
}
