import WaymarkScene
import WaymarkText

/// The lines of a label: wrapped, words that are too long broken, and cut after the last line that is allowed.
struct ContentText {
    let fonts: FontLibrary
    let language: String

    /// Of a label with a limit of lines, no more of the text than this is laid out.
    private static let mostCharacters = 10_000
    /// Words broken at most in one label; what is longer sticks out.
    private static let mostBreaks = 200
    private static let ellipsis = "…"

    /// - Parameter wrapWidth: In pt; 0 for no wrapping.
    func layout(_ label: LabelContent, wrapWidth: Double) -> TextLayout {
        var text = label.text
        if label.maxLines > 0, text.count > Self.mostCharacters { text = text.prefix(Self.mostCharacters) + Self.ellipsis }
        let whole = broken(text, label, wrapWidth)
        guard label.maxLines > 0, whole.lines.count > label.maxLines else { return whole }
        return cut(whole, label, wrapWidth)
    }

    private func layout(_ text: String, _ label: LabelContent, _ wrapWidth: Double) -> TextLayout {
        fonts.layout(
            TextRequest(
                text: text, size: label.textSize, weight: label.fontWeight, family: label.font, language: language, wrapWidth: wrapWidth))
    }

    /// The layout, with the words that are wider than a line broken between two characters.
    private func broken(_ text: String, _ label: LabelContent, _ wrapWidth: Double) -> TextLayout {
        var layout = layout(text, label, wrapWidth)
        guard wrapWidth > 0 else { return layout }
        var bytes = Array(text.utf8)
        for _ in 0..<Self.mostBreaks {
            let shown = label.maxLines > 0 ? layout.lines.prefix(label.maxLines) : layout.lines[...]
            let long = shown.first { line in
                line.width > wrapWidth && String(decoding: bytes[line.text], as: UTF8.self).count > 1
            }
            guard let long else { return layout }
            let word = Array(String(decoding: bytes[long.text], as: UTF8.self))
            var (fits, low, high) = (1, 1, word.count - 1)
            while low <= high {
                let middle = (low + high) / 2
                if self.layout(String(word[..<middle]), label, 0).width <= wrapWidth {
                    (fits, low) = (middle, middle + 1)
                } else {
                    high = middle - 1
                }
            }
            // A zero-width space allows a break.
            bytes.insert(contentsOf: Array("\u{200B}".utf8), at: long.text.lowerBound + String(word[..<fits]).utf8.count)
            layout = self.layout(String(decoding: bytes, as: UTF8.self), label, wrapWidth)
        }
        return layout
    }

    /// The layout with an ellipsis at the end of the last line that is allowed.
    private func cut(_ whole: TextLayout, _ label: LabelContent, _ wrapWidth: Double) -> TextLayout {
        let bytes = Array(whole.request.text.utf8)
        let lines = whole.lines
        let last = lines[label.maxLines - 1]
        let head = String(decoding: bytes[..<last.text.lowerBound], as: UTF8.self)
        var tail = String(decoding: bytes[last.text], as: UTF8.self)
        while true {
            while let end = tail.last, end.isWhitespace || end == "\u{200B}" { tail.removeLast() }
            let layout = layout(head + tail + Self.ellipsis, label, wrapWidth)
            let isFitting = layout.lines.count <= label.maxLines && (wrapWidth == 0 || (layout.lines.last?.width ?? 0) <= wrapWidth)
            if isFitting || tail.isEmpty { return layout }
            tail.removeLast()
        }
    }
}
