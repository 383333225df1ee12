/// What is to be laid out, and how. Equal requests give equal layouts.
package struct TextRequest: Hashable, Sendable {
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
