import Glibc

/// A text with the properties of its layout. Equal requests give equal layouts.
package struct TextRequest: Sendable {
    /// The breaks at which a text wraps, among those that give the fewest lines.
    package enum Wrapping: Sendable {
        /// The breaks for which the longest line is shortest.
        case balanced
        /// The breaks for which every line is as long as possible.
        case greedy
    }

    /// The text. Lines end at `\n`, CR LF, CR, U+2028 and U+2029. Other control characters draw nothing; a tab is a space.
    package var text: String
    /// The size in pt per em. Text with a size that is not a number above 0 has no extent and draws nothing.
    package var size: Double
    package var weight: FontWeight
    /// A family tried before all others, ignoring case; nil for none.
    package var family: String?
    /// A BCP 47 tag. It selects the variant of Han characters, and localized forms of other characters.
    package var language: String
    /// The width at which lines wrap, in pt; 0 for no wrapping.
    package var wrapWidth: Double
    /// The breaks at which lines wrap. Default: balanced.
    package var wrapping = Wrapping.balanced
    /// The space added between two letters of a line, in em. A non-finite value counts as 0.
    package var letterSpacing: Double
    /// Whether the layout lists the units of its lines, for text along a curve. Default false.
    package var hasUnits = false

    package init(
        text: String, size: Double, weight: FontWeight = .regular, family: String? = nil, language: String = "ko", wrapWidth: Double = 0,
        letterSpacing: Double = 0
    ) {
        self.text = text
        self.size = size
        self.weight = weight
        self.family = family
        self.language = language
        self.wrapWidth = wrapWidth
        self.letterSpacing = letterSpacing
    }
}

/// Texts are compared byte by byte, because a different normalization form has different offsets and, in some fonts, different glyphs.
extension TextRequest: Hashable {
    package static func == (a: Self, b: Self) -> Bool {
        a.size == b.size && a.weight == b.weight && a.wrapWidth == b.wrapWidth && a.wrapping == b.wrapping
            && a.letterSpacing == b.letterSpacing && a.hasUnits == b.hasUnits
            && a.text.hasSameBytes(b.text) && a.language.hasSameBytes(b.language) && (a.family == nil) == (b.family == nil)
            && (a.family ?? "").hasSameBytes(b.family ?? "")
    }

    // The wrapping and the units are left out, because hardly any two texts differ only in them.
    package func hash(into hasher: inout Hasher) {
        text.hashBytes(into: &hasher)
        hasher.combine(size)
        hasher.combine(weight)
        hasher.combine(wrapWidth)
        hasher.combine(letterSpacing)
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
