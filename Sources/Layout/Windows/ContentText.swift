import WaymarkScene
import WaymarkText

/// The lines of a label. They are wrapped, words that are too long are broken, and the text is cut after the last allowed line. The lines
/// are balanced. The lines of a text that is cut are instead as long as possible, so that the label shows as much of the text as possible.
struct ContentText {
    let fonts: FontLibrary
    let language: String

    /// The maximum number of characters of a text that are laid out.
    private static let mostCharacters = 100_000
    private static let ellipsis = "…"

    /// - Parameter wrapWidth: The width in pt; 0 for no wrapping.
    func layout(_ label: LabelContent, wrapWidth: Double) -> TextLayout {
        var text = label.text
        if let end = text.index(text.startIndex, offsetBy: Self.mostCharacters, limitedBy: text.endIndex), end < text.endIndex {
            text = text[..<end] + Self.ellipsis
        }
        let whole = broken(text, label, wrapWidth, .balanced)
        guard label.maxLines > 0, whole.lines.count > label.maxLines else { return whole }
        return cut(broken(text, label, wrapWidth, .greedy), label, wrapWidth)
    }

    /// The maximum number of lines of a label. Without `maxLines`, it is the number that fits the maximum height, because each line is at
    /// least 1.2 em high.
    private static func mostLines(of label: LabelContent) -> Int {
        label.maxLines > 0 ? label.maxLines : Int(OverlayContent.sideLimit / (1.2 * label.textSize)) + 1
    }

    private func layout(_ text: String, _ label: LabelContent, _ wrapWidth: Double, _ wrapping: TextRequest.Wrapping) -> TextLayout {
        var request = TextRequest(
            text: text, size: label.textSize, weight: label.fontWeight, family: label.font, language: language, wrapWidth: wrapWidth)
        request.wrapping = wrapping
        return fonts.layout(request)
    }

    /// The layout, with words wider than a line broken between two characters. If there are such words, it may end one line after the last
    /// that the label can show.
    private func broken(_ text: String, _ label: LabelContent, _ wrapWidth: Double, _ wrapping: TextRequest.Wrapping) -> TextLayout {
        let whole = layout(text, label, wrapWidth, wrapping)
        guard wrapWidth > 0, whole.lines.contains(where: { $0.width > wrapWidth }) else { return whole }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var end = 0
        var left = Self.mostLines(of: label) + 1
        for line in whole.lines where left > 0 {
            result += bytes[end..<line.text.lowerBound]
            end = line.text.upperBound
            if line.width > wrapWidth {
                // The rest of a word may share its line with the next words, so the line of the rest is not counted.
                left -= append(Array(String(decoding: bytes[line.text], as: UTF8.self)), to: &result, atMost: left, label, wrapWidth)
            } else {
                result += bytes[line.text]
                left -= 1
            }
        }
        if left > 0 { result += bytes[end...] }
        return layout(String(decoding: result, as: UTF8.self), label, wrapWidth, wrapping)
    }

    /// Adds a word with zero-width spaces, which allow breaks, between the longest pieces that fit a line.
    /// - Returns: The number of full lines, at most `most`. At `most`, the rest of the word is left out.
    private func append(
        _ word: [Character], to text: inout [UInt8], atMost most: Int, _ label: LabelContent, _ wrapWidth: Double
    ) -> Int {
        var rest = word[...]
        for count in 0..<most {
            func fits(_ length: Int) -> Bool { layout(String(rest.prefix(length)), label, 0, .greedy).width <= wrapWidth }
            // At least one character fits. The others are found by doubling the step, and then halving it.
            var (fitting, step) = (1, 1)
            while fitting < rest.count, fits(min(rest.count, fitting + step)) {
                fitting = min(rest.count, fitting + step)
                step *= 2
            }
            while step > 1 {
                step /= 2
                if fitting + step <= rest.count, fits(fitting + step) { fitting += step }
            }
            text += String(rest.prefix(fitting)).utf8
            rest = rest.dropFirst(fitting)
            if rest.isEmpty { return count }
            text += "\u{200B}".utf8
        }
        return most
    }

    /// The layout with an ellipsis at the end of the last line allowed.
    private func cut(_ whole: TextLayout, _ label: LabelContent, _ wrapWidth: Double) -> TextLayout {
        let bytes = Array(whole.request.text.utf8)
        let lines = whole.lines
        let last = lines[label.maxLines - 1]
        let head = String(decoding: bytes[..<last.text.lowerBound], as: UTF8.self)
        var tail = String(decoding: bytes[last.text], as: UTF8.self)
        while true {
            while let end = tail.last, end.isWhitespace || end == "\u{200B}" { tail.removeLast() }
            let layout = layout(head + tail + Self.ellipsis, label, wrapWidth, .greedy)
            let isFitting = layout.lines.count <= label.maxLines && (wrapWidth == 0 || (layout.lines.last?.width ?? 0) <= wrapWidth)
            if isFitting || tail.isEmpty { return layout }
            tail.removeLast()
        }
    }
}
