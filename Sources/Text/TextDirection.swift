import CWaymarkText

/// The direction in which a text runs.
package enum TextDirection: Sendable {
    case leftToRight
    case rightToLeft

    /// The direction of a text's first strong character: its first letter, outside directional isolates. Digits, punctuation and emoji have
    /// no direction; a text of these alone runs from left to right.
    package init(ofFirstLetterIn text: String) {
        let units = Array(text.utf16)
        self = wm_text_first_direction(units, units.count) == WM_TEXT_RIGHT_TO_LEFT ? .rightToLeft : .leftToRight
    }
}
