// Names and other texts of users in messages.
extension String {
    /// A file's name in a message: an empty one is `""`, so that it shows.
    package var quotedIfEmpty: String { isEmpty ? "\"\"" : self }

    /// The message on one line, shortened to 300 Unicode scalars. Its longest words are cut in the middle: ids, paths and `data:` URIs. If these
    /// are not the reason for its length, the message itself is cut there. So the file at its beginning and the range at its end stay.
    package var shortMessage: String {
        let most = 300
        let line = onOneLine
        guard line.isLonger(than: most) else { return line }
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        let lengths = words.map(\.unicodeScalars.count)
        // The spaces count, too.
        let room = most - (words.count - 1)
        let longest = (Self.leastWord...most).last { limit in lengths.reduce(0) { $0 + min($1, limit) } <= room } ?? Self.leastWord
        return words.map { String($0).shortened(to: longest) }.joined(separator: " ").shortened(to: most)
    }

    /// The text with its control characters escaped. Text from files may contain anything; one line stays one, and no terminal is controlled.
    private var onOneLine: String {
        guard unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return self }
        return unicodeScalars.reduce(into: "") { shown, scalar in
            if scalar.properties.generalCategory == .control {
                shown += scalar == "\n" ? "\\n" : "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
    }

    /// A word of a sentence is no longer than this.
    private static let leastWord = 40

    /// The text with an ellipsis in place of its middle, if it has more than `length` Unicode scalars.
    package func shortened(to length: Int) -> String {
        guard isLonger(than: length) else { return self }
        return String(unicodeScalars.prefix(length / 2)) + "…" + String(unicodeScalars.suffix((length - 1) / 2))
    }

    private func isLonger(than length: Int) -> Bool {
        // Not counted to its end, which may be far.
        unicodeScalars.index(startIndex, offsetBy: length, limitedBy: endIndex).map { $0 != endIndex } ?? false
    }
}
