import Glibc

/// What is to be laid out, and how. Equal requests give equal layouts.
package struct TextRequest: Sendable {
    /// Lines end at `\n`, CR LF, CR, U+2028 and U+2029. Other control characters draw nothing; a tab is a space.
    package var text: String
    /// pt to the em. What is not above 0, or no number, has no extent and draws nothing.
    package var size: Double
    package var weight: FontWeight
    /// A family tried before all others, whatever the case of its letters; nil for none.
    package var family: String?
    /// BCP 47. It chooses the variant of Han characters, and local forms of others.
    package var language: String
    /// pt at which lines wrap; 0 for no wrapping.
    package var wrapWidth: Double

    package init(
        text: String, size: Double, weight: FontWeight = .regular, family: String? = nil, language: String = "ko", wrapWidth: Double = 0
    ) {
        self.text = text
        self.size = size
        self.weight = weight
        self.family = family
        self.language = language
        self.wrapWidth = wrapWidth
    }
}

/// Texts are equal byte by byte: one in another normal form has other offsets, and other glyphs where a font has it so.
extension TextRequest: Hashable {
    package static func == (a: Self, b: Self) -> Bool {
        a.size == b.size && a.weight == b.weight && a.wrapWidth == b.wrapWidth && a.text.hasSameBytes(b.text)
            && a.language.hasSameBytes(b.language) && (a.family == nil) == (b.family == nil)
            && (a.family ?? "").hasSameBytes(b.family ?? "")
    }

    package func hash(into hasher: inout Hasher) {
        text.hashBytes(into: &hasher)
        hasher.combine(size)
        hasher.combine(weight)
        hasher.combine(wrapWidth)
    }
}

private extension String {
    func hasSameBytes(_ other: String) -> Bool {
        let same = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { others in
                bytes.count == others.count && (bytes.isEmpty || memcmp(bytes.baseAddress!, others.baseAddress!, bytes.count) == 0)
            }
        }
        return (same ?? nil) ?? utf8.elementsEqual(other.utf8)
    }

    func hashBytes(into hasher: inout Hasher) {
        if utf8.withContiguousStorageIfAvailable({ hasher.combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
            Array(utf8).withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }
}
