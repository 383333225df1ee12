extension String {
    /// The text as content or attribute of an HTML element.
    package var escapedForHTML: String {
        reduce(into: "") { text, character in
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.append(character)
            }
        }
    }
}
